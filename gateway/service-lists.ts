/** Combines the current services: the configured list, approved feeds on top of it, and changes by administrators. */
import type { ServiceRegistry } from '../policy/registry.ts';
import type { ServiceList } from '../policy/service-table.ts';
import type { Log } from './observe/log.ts';
import type { RegistryFile } from './stores/registry-file.ts';

/** A list with its warnings. */
export type WarnedList = { readonly services: ServiceList; readonly warnings: readonly string[] };

/** A prepared set of services, ready to be applied. */
export type NextServices = WarnedList & { readonly registry: ServiceRegistry };

/** Owns the registry that all parts use. */
export class ServiceLists {
  readonly registry: ServiceRegistry;
  readonly #options: { readonly file: RegistryFile; readonly log: Log };
  #services: ServiceList;
  #warnings: readonly string[];

  constructor(options: { readonly file: RegistryFile; readonly services: ServiceList; readonly log: Log }) {
    const { registry, warnings } = options.file.registryOver(options.services);
    this.registry = registry;
    this.#options = options;
    this.#services = options.services;
    this.#warnings = warnings;
    this.#tell();
  }

  /** The list below the administrators' changes. */
  get services(): ServiceList {
    return this.#services;
  }

  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /** What this list would apply; undefined if it already applies. Throws when it conflicts with a change. */
  read({ services, warnings }: WarnedList): NextServices | undefined {
    if (services === this.#services) return undefined;
    const next = this.#options.file.registryOver(services);
    return { services, registry: next.registry, warnings: [...warnings, ...next.warnings] };
  }

  replace({ services, registry, warnings }: NextServices): void {
    this.registry.replaceAll(registry);
    this.#services = services;
    this.#warnings = warnings;
    this.#tell();
  }

  #tell(): void {
    for (const warning of this.#warnings) this.#options.log.warn({ event: 'registry_warning' }, warning);
  }
}
