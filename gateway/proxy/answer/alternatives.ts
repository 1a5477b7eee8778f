/** Approved services of the same kind as one that a person may not use. */
import { hostForUrl } from '../../../policy/host.ts';
import type { ServiceRegistry } from '../../../policy/registry.ts';
import type { Service } from '../../../policy/service.ts';
import { escapeHtml } from './pages.ts';

const alternativesMax = 3;

/** Found once for each state of the registry. */
export class Alternatives {
  readonly #registry: ServiceRegistry;
  #found: { readonly version: number; readonly byKind: ReadonlyMap<string, readonly Service[]> } | undefined;

  constructor(registry: ServiceRegistry) {
    this.#registry = registry;
  }

  /** A few, in the order of the registry; none for a service without a kind. */
  to(service: Service | undefined): readonly Service[] {
    if (service?.kind === undefined) return [];
    const registry = this.#registry;
    if (this.#found?.version !== registry.version) {
      const byKind = new Map<string, Service[]>();
      for (const one of registry.services()) {
        if (one.category !== 'approved' || one.is_blocked || one.kind === undefined) continue;
        const known = byKind.get(one.kind);
        if (known === undefined) byKind.set(one.kind, [one]);
        else if (known.length < alternativesMax) known.push(one);
      }
      this.#found = { version: registry.version, byKind };
    }
    return this.#found.byKind.get(service.kind) ?? [];
  }
}

/** A link to a service. Its domain is a host in its one spelling (policy/service.ts), so that it is a safe address. */
export function linkTo({ service_name: name, domain }: Service): string {
  return `<a href="https://${escapeHtml(hostForUrl(domain))}/" rel="noreferrer">${escapeHtml(name)}</a>`;
}
