/** Service entries other than whole domains: host patterns, and URL prefixes on hosts that others share. */
import { isPathUnder, normalizePath } from './path.ts';
import type { Service } from './service.ts';

/** A service, and its entry (domain, pattern or prefix) that matched the host. */
export type ServiceMatch = { readonly service: Service; readonly matchedHost: string };

type Prefix = { readonly path: string; readonly match: ServiceMatch };
type Pattern = { readonly labels: readonly (string | RegExp)[]; readonly match: ServiceMatch };

/** The host patterns and URL prefixes of all services; few services have any. */
export class PartClaims {
  /** Host → its prefixes, longest first. */
  readonly #prefixes = new Map<string, Prefix[]>();
  /** Last two labels of a pattern → patterns, those with most fixed characters first. */
  readonly #patterns = new Map<string, Pattern[]>();

  get hasPrefixes(): boolean {
    return this.#prefixes.size > 0;
  }

  get hasPatterns(): boolean {
    return this.#patterns.size > 0;
  }

  add(service: Service): void {
    for (const pattern of service.host_patterns) {
      const entry = { labels: compilePattern(pattern), match: { service, matchedHost: pattern } };
      insert(this.#patterns, lastTwoLabels(pattern), entry, (a, b) => fixedLength(b) - fixedLength(a));
    }
    for (const prefix of service.url_prefixes) {
      const { host, path } = splitPrefix(prefix);
      const entry = { path, match: { service, matchedHost: prefix } };
      insert(this.#prefixes, host, entry, longestFirst);
    }
  }

  remove(service: Service): void {
    for (const pattern of service.host_patterns) removeOf(service, this.#patterns, lastTwoLabels(pattern));
    for (const prefix of service.url_prefixes) removeOf(service, this.#prefixes, splitPrefix(prefix).host);
  }

  /** The key of the service that has exactly this pattern. */
  patternOwner(pattern: string): string | undefined {
    const same = this.#patterns.get(lastTwoLabels(pattern))?.find(({ match }) => match.matchedHost === pattern);
    return same?.match.service.key;
  }

  /** The key of the service that has exactly this prefix. */
  prefixOwner(prefix: string): string | undefined {
    const { host, path } = splitPrefix(prefix);
    return this.#prefixes.get(host)?.find((one) => one.path === path)?.match.service.key;
  }

  /** The prefixes of a host, longest first. A host also gets those of its name without `www.`. */
  prefixesOf(host: string): readonly Prefix[] | undefined {
    if (this.#prefixes.size === 0) return undefined;
    const own = this.#prefixes.get(host);
    const bare = host.startsWith('www.') ? this.#prefixes.get(host.slice(4)) : undefined;
    if (own === undefined || bare === undefined) return own ?? bare;
    return [...own, ...bare].sort(longestFirst);
  }

  /** `target`: a request target in any spelling. */
  matchPrefix(host: string, target: string): ServiceMatch | undefined {
    const prefixes = this.prefixesOf(host);
    if (prefixes === undefined) return undefined;
    const path = normalizePath(target);
    return prefixes.find((prefix) => isPathUnder(path, prefix.path))?.match;
  }

  matchPattern(host: string): ServiceMatch | undefined {
    const candidates = this.#patterns.get(lastTwoLabels(host));
    if (candidates === undefined) return undefined;
    const labels = host.split('.');
    return candidates.find((pattern) => labelsMatch(pattern.labels, labels))?.match;
  }
}

/** The labels of a host pattern: plain text, or a regular expression for labels with `*`. */
export function compilePattern(pattern: string): readonly (string | RegExp)[] {
  return pattern.split('.').map((label) => {
    if (!label.includes('*')) return label;
    const [first, ...rest] = label.split('*').map((part) => part.replace(/[^a-z0-9_-]/g, '\\$&'));
    const last = rest.pop() ?? '';
    // The earliest place of each part in the middle is as good as any other; without going back, many `*` cost nothing.
    const middle = rest.map((part, i) => `(?=([a-z0-9-]+?${part}))\\${i + 1}`).join('');
    return new RegExp(`^${first}${middle}[a-z0-9-]+${last}$`);
  });
}

/** Whether the labels of a host match a pattern from {@link compilePattern}, label by label. */
export function labelsMatch(pattern: readonly (string | RegExp)[], labels: readonly string[]): boolean {
  if (pattern.length !== labels.length) return false;
  return pattern.every((want, i) => (typeof want === 'string' ? want === labels[i] : want.test(labels[i] ?? '')));
}

/** Splits a URL prefix, which starts with the host, into host and path. */
export function splitPrefix(prefix: string): { host: string; path: string } {
  const at = prefix.indexOf('/');
  return { host: prefix.slice(0, at), path: normalizePath(prefix.slice(at)) };
}

function longestFirst(a: Prefix, b: Prefix): number {
  return b.path.length - a.path.length;
}

function insert<T>(map: Map<string, T[]>, key: string, entry: T, order: (a: T, b: T) => number): void {
  map.set(key, [...(map.get(key) ?? []), entry].sort(order));
}

function removeOf<T extends { match: ServiceMatch }>(service: Service, map: Map<string, T[]>, key: string): void {
  const rest = map.get(key)?.filter((entry) => entry.match.service.key !== service.key) ?? [];
  if (rest.length === 0) map.delete(key);
  else map.set(key, rest);
}

function lastTwoLabels(host: string): string {
  return host.slice(host.lastIndexOf('.', host.lastIndexOf('.') - 1) + 1);
}

function fixedLength(pattern: Pattern): number {
  return pattern.match.matchedHost.replaceAll('*', '').length;
}
