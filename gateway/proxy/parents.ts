/**
 * Parent proxies: which ones a target goes through, and which of them to try first. Choosing is here, connecting in
 * egress.ts.
 */
import { HostSet } from '../../policy/host-set.ts';
import { NoProxy } from './no-proxy.ts';

/** A parent proxy. `name` is its URL without credentials; `authorization` the value of Proxy-Authorization. */
export type Parent = {
  readonly name: string;
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  readonly authorization: string | undefined;
};

/** A way to a target: through a parent, or straight to it. */
export type Way = Parent | 'direct';

/** The keys `upstream.parent`, `parents` and `no_proxy`. */
export type ParentOptions = {
  readonly parent: string | null;
  readonly parents: readonly { readonly url: string; readonly hosts: readonly string[] }[];
  readonly noProxy: readonly string[];
};

/** What came of a parent that could not be used, so that the next way is tried. */
export class ParentUnusable extends Error {
  override readonly name = 'ParentUnusable';
}

/** How long a parent that could not be used comes last, in milliseconds. */
const restMs = 30_000;

/** The parents of the configuration. */
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

  /**
   * The ways to a target in the order in which they are to be tried: those that name the host, else those for all.
   * Undefined when it goes straight.
   */
  waysTo(host: string, port: number): readonly Way[] | undefined {
    if (this.ways.length === 0 || isLocal(host) || this.noProxy.has(host, port)) return undefined;
    const own = this.ways.filter(({ hosts }) => hosts?.match(host) !== undefined);
    const ways = (own.length > 0 ? own : this.ways.filter(({ hosts }) => hosts === undefined)).map(({ way }) => way);
    if (ways.length === 0 || ways[0] === 'direct') return undefined;
    if (ways.length === 1 || this.restsUntil.size === 0) return ways;
    return [...ways].sort((a, b) => Number(this.rests(a)) - Number(this.rests(b)));
  }

  /** Notes how an attempt went. */
  note(parent: Parent, isUsable: boolean): void {
    if (isUsable) this.restsUntil.delete(parent.name);
    else this.restsUntil.set(parent.name, performance.now() + restMs);
  }

  private rests(way: Way): boolean {
    return way !== 'direct' && (this.restsUntil.get(way.name) ?? 0) > performance.now();
  }
}

/** Names of this machine mean another one at the parent (RFC 6761 §6.3), so that they are resolved and checked here. */
function isLocal(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function parentOf(text: string): Parent {
  const url = new URL(text);
  const secure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`;
  return {
    name: `${url.protocol}//${url.hostname}:${port}`,
    secure,
    host,
    port,
    authorization: credentials === ':' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
}

/** A percent sign that begins no escape stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
