/** Sets of hosts, as written in rules and bypass lists. */
import { PrivetError } from '../core/errors.ts';
import { CidrSet, mayBeAddress } from './address.ts';
import { normalizeHost, normalizePattern } from './host.ts';
import { compilePattern, labelsMatch } from './part-claims.ts';

/**
 * Hosts by name or network: `example.com` (itself and everything below), `*.example.com` (only what is below), `*`
 * inside another label (one or more of `[a-z0-9-]` in that label), an address or a CIDR (matches literal targets only).
 */
export class HostSet {
  readonly #suffixes = new Map<string, string>();
  readonly #below = new Map<string, string>();
  readonly #patterns: { readonly labels: readonly (string | RegExp)[]; readonly entry: string }[] = [];
  readonly #networks: { readonly set: CidrSet; readonly entry: string }[] = [];

  /** @throws PrivetError `invalid_input` when an entry is not a host, a pattern or a network. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) this.#add(entry);
  }

  /** The entry that matches the host (from `normalizeHost`). */
  match(host: string): string | undefined {
    if (this.#suffixes.size > 0 || this.#below.size > 0) {
      for (let at = 0; ; ) {
        const name = at === 0 ? host : host.slice(at);
        const entry = this.#suffixes.get(name) ?? (at === 0 ? undefined : this.#below.get(name));
        if (entry !== undefined) return entry;
        const dot = host.indexOf('.', at);
        if (dot === -1) break;
        at = dot + 1;
      }
    }
    if (this.#patterns.length > 0) {
      const labels = host.split('.');
      const found = this.#patterns.find((pattern) => labelsMatch(pattern.labels, labels));
      if (found !== undefined) return found.entry;
    }
    if (this.#networks.length === 0 || !mayBeAddress(host)) return undefined;
    return this.#networks.find(({ set }) => set.has(host))?.entry;
  }

  #add(entry: string): void {
    const text = entry.trim();
    const wrong = () => new PrivetError('invalid_input', `"${entry}" is not a host, a host pattern or a network.`);
    if (text === '*' || text === '') throw wrong();
    if (text.includes('/')) {
      this.#networks.push({ set: new CidrSet([text]), entry });
      return;
    }
    try {
      if (text.startsWith('*.') && !text.includes('*', 1)) {
        this.#below.set(normalizeHost(text.slice(2)).host, entry);
      } else if (text.includes('*')) {
        this.#patterns.push({ labels: compilePattern(normalizePattern(text)), entry });
      } else {
        const { host, kind } = normalizeHost(text);
        if (kind === 'name') this.#suffixes.set(host, entry);
        else this.#networks.push({ set: new CidrSet([host]), entry });
      }
    } catch {
      throw wrong();
    }
  }
}
