/** Parent proxies: selects those for a target, in order. egress.ts connects. */
import { decodedText } from '../../../core/parsing.ts';
import { CidrSet } from '../../../policy/address.ts';
import { normalizeHost } from '../../../policy/host.ts';
import { HostSet } from '../../../policy/host-set.ts';

/** A parent proxy. `name` is its URL without credentials; `authorization` the value of Proxy-Authorization. */
export type Parent = {
  readonly name: string;
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  readonly authorization: string | undefined;
};

/** A route to a target: through a parent, or direct. */
export type Way = Parent | 'direct';

/** The keys `upstream.parent`, `parents` and `no_proxy`. */
export type ParentOptions = {
  readonly parent: string | null;
  readonly parents: readonly { readonly url: string; readonly hosts: readonly string[] }[];
  readonly noProxy: readonly string[];
};

/** A parent could not be used; the next route is tried. */
export class ParentUnusable extends Error {
  override readonly name = 'ParentUnusable';
}

/** How long an unusable parent is tried last, in milliseconds. */
const restMs = 30_000;

/** The configured parents. */
export class Parents {
  private readonly ways: readonly { readonly way: Way; readonly hosts: HostSet | undefined }[];
  private readonly noProxy: NoProxy;
  private readonly restsUntil = new Map<string, number>();

  constructor({ parent, parents, noProxy }: ParentOptions) {
    const all = [...(parent === null ? [] : [{ url: parent, hosts: [] }]), ...parents];
    this.ways = all.map(({ url, hosts }) => ({
      way: url === 'direct' ? url : parentOf(url),
      hosts: hosts.length === 0 ? undefined : new HostSet(hosts),
    }));
    this.noProxy = new NoProxy(noProxy);
  }

  /** The routes to a target in order of preference; those that name the host come first. Undefined if direct. */
  waysTo(host: string, port: number): readonly Way[] | undefined {
    if (this.ways.length === 0 || isLocal(host) || this.noProxy.has(host, port)) return undefined;
    const own = this.ways.filter(({ hosts }) => hosts?.match(host) !== undefined);
    const ways = (own.length > 0 ? own : this.ways.filter(({ hosts }) => hosts === undefined)).map(({ way }) => way);
    if (ways.length === 0 || ways[0] === 'direct') return undefined;
    if (ways.length === 1 || this.restsUntil.size === 0) return ways;
    return [...ways].sort((a, b) => Number(this.rests(a)) - Number(this.rests(b)));
  }

  /** Records the result of an attempt. */
  note(parent: Parent, isUsable: boolean): void {
    if (isUsable) this.restsUntil.delete(parent.name);
    else this.restsUntil.set(parent.name, performance.now() + restMs);
  }

  private rests(way: Way): boolean {
    return way !== 'direct' && (this.restsUntil.get(way.name) ?? 0) > performance.now();
  }
}

/** True for names like `localhost`, which mean another machine at the parent (RFC 6761 §6.3); resolved here instead. */
function isLocal(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function parentOf(text: string): Parent {
  const url = new URL(text);
  const secure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  const credentials = `${decodedText(url.username)}:${decodedText(url.password)}`;
  return {
    name: `${url.protocol}//${url.hostname}:${port}`,
    secure,
    host,
    port,
    authorization: credentials === ':' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
}

/** Decodes escapes; a percent sign that does not start one is literal. */
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
