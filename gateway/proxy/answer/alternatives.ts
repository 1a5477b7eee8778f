/** Approved services of the same kind as a blocked one. */
import { hostForUrl } from '../../../policy/host.ts';
import type { ServiceRegistry } from '../../../policy/registry.ts';
import type { Service } from '../../../policy/service.ts';
import { escapeHtml } from './pages.ts';

const alternativesMax = 3;

/** Computed once per registry version. */
export class Alternatives {
  readonly #registry: ServiceRegistry;
  #found: { readonly version: number; readonly byKind: ReadonlyMap<string, readonly Service[]> } | undefined;

  constructor(registry: ServiceRegistry) {
    this.#registry = registry;
  }

  /** A few services in registry order; none for a service without a kind. */
  to(service: Service | undefined): readonly Service[] {
    if (service?.kind === undefined) return [];
    const registry = this.#registry;
    if (this.#found?.version !== registry.version) {
      const byKind = new Map<string, Service[]>();
      for (const candidate of registry.services()) {
        if (candidate.category !== 'approved' || candidate.is_blocked || candidate.kind === undefined) continue;
        const known = byKind.get(candidate.kind);
        if (known === undefined) byKind.set(candidate.kind, [candidate]);
        else if (known.length < alternativesMax) known.push(candidate);
      }
      this.#found = { version: registry.version, byKind };
    }
    return this.#found.byKind.get(service.kind) ?? [];
  }
}

/** A link to a service, or its name if only programs use its host. A canonical host (policy/service.ts) is a safe address. */
export function linkTo({ service_name: name, domain, api_hosts: forPrograms }: Service): string {
  if (forPrograms?.includes(domain)) return escapeHtml(name);
  return `<a href="https://${escapeHtml(hostForUrl(domain))}/" rel="noreferrer">${escapeHtml(name)}</a>`;
}
