/** Which services are in force: the list of the configuration, approved feeds over it, and what administrators changed. */
import type { ServiceRegistry } from '../policy/registry.ts';
import type { ServiceList } from '../policy/service-table.ts';
import type { Log } from './observe/log.ts';
import type { RegistryFile } from './stores/registry-file.ts';

/** A list with what is to be told of it. */
export type WarnedList = { readonly services: ServiceList; readonly warnings: readonly string[] };

/** Other services that can be put in force. */
export type NextServices = WarnedList & { readonly registry: ServiceRegistry };

/** Holds the registry that all parts ask. */
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

  /** The list under the changes of administrators. */
  get services(): ServiceList {
    return this.#services;
  }

  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /** What such a list would put in force; undefined when it is in force already. Throws where it clashes with a change. */
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
