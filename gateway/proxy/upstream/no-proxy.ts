/**
 * Targets that bypass the parent proxy, in the NO_PROXY notation of most programs: names with their subdomains (a
 * leading dot or `*.` makes no difference, as in curl), `host:port`, addresses, networks, and `*` for all. There is no
 * standard.
 */
import { CidrSet } from '../../../policy/address.ts';
import { normalizeHost } from '../../../policy/host.ts';

type Entry = {
  readonly port: number | undefined;
  readonly name?: string;
  readonly network?: CidrSet;
  readonly all?: true;
};

/** The entries of a list; each may contain several, separated by commas or spaces. */
export class NoProxy {
  private readonly entries: readonly Entry[];

  constructor(list: readonly string[]) {
    this.entries = list
      .flatMap((text) => text.split(/[\s,]+/))
      .filter((text) => text !== '')
      .flatMap(entryOf);
  }

  /** True if a target (host from `normalizeHost`) bypasses the parent. */
  has(host: string, port: number): boolean {
    return this.entries.some((entry) => {
      if (entry.port !== undefined && entry.port !== port) return false;
      if (entry.all) return true;
      if (entry.network) return entry.network.has(host);
      return host === entry.name || host.endsWith(`.${entry.name}`);
    });
  }
}

/** Parses an entry; an invalid one matches nothing. */
function entryOf(text: string): Entry[] {
  if (text === '*') return [{ port: undefined, all: true }];
  if (text.includes('/')) return networkOf(text.replaceAll(/[[\]]/g, ''), undefined);
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text);
  const name = (match?.[1] ?? text).replace(/^\*?\./, '');
  const port = match?.[2] === undefined ? undefined : Number(match[2]);
  try {
    const { host, kind } = normalizeHost(name);
    return kind === 'name' ? [{ port, name: host }] : networkOf(host, port);
  } catch {
    return [];
  }
}

function networkOf(text: string, port: number | undefined): Entry[] {
  try {
    return [{ port, network: new CidrSet([text]) }];
  } catch {
    return [];
  }
}
