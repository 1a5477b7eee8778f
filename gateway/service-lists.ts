/** Combines the current services: the configured list, approved feeds on top of it, and changes by administrators. */

import type { ServiceRegistry } from '../policy/registry.ts';
import type { ServiceList } from '../policy/service-table.ts';
import type { Log } from './observe/log.ts';
import type { Commit } from './reconfigurable.ts';
import type { RegistryFile } from './stores/registry-file.ts';

/** A list with its warnings. */
export type WarnedList = { readonly services: ServiceList; readonly warnings: readonly string[] };

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

  /** Another list; undefined if it already applies. Throws when it conflicts with a change. */
  prepare({ services, warnings }: WarnedList): Commit | undefined {
    if (services === this.#services) return undefined;
    const next = this.#options.file.registryOver(services);
    return () => {
      this.registry.replaceAll(next.registry);
      this.#services = services;
      this.#warnings = [...warnings, ...next.warnings];
      this.#tell();
    };
  }

  #tell(): void {
    for (const warning of this.#warnings) this.#options.log.warn({ event: 'registry_warning' }, warning);
  }
}
