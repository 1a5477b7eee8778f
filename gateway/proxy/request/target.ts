/**
 * The request line and framing headers: the target of a message, and whether it may be forwarded. Messages that other
 * parsers may read differently are rejected here, before anything is dialled.
 */
import { PrivetError } from '../../../core/errors.ts';
import type { Policy } from '../../../policy/decide.ts';
import type { DecideInput } from '../../../policy/decision.ts';
import { normalizeHost, parseAuthority } from '../../../policy/host.ts';
import { hasDisputedDots } from '../../../policy/path.ts';
import type { Framing } from '../../http1/head.ts';

/** The destination of a request: normalised host, port, and the path exactly as received. */
export type Target = {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly hostKind: 'name' | 'ipv4' | 'ipv6';
  readonly port: number;
  /** Path and query, byte for byte as received. */
  readonly path: string;
  /** The result of {@link originOf}, if already computed. */
  readonly origin?: string;
};

/** The parts of a message head needed by the checks. */
export type MessageHead = {
  readonly method?: string;
  readonly url?: string;
  readonly httpVersionMajor: number;
  readonly httpVersionMinor: number;
  readonly rawHeaders: readonly string[];
};

/** Maximum length of a request target in characters (RFC 9110 §4.1 requires at least 8000). */
export const targetLengthMax = 16_384;

export type { Framing };

/**
 * Checks the framing headers of a request as strictly as RFC 9112 §6 allows, and returns their meaning. Throws
 * PrivetError `bad_request` for anything that two parsers could read differently: a Content-Length that is not plain
 * digits, several of them, one next to Transfer-Encoding, any Transfer-Encoding but `chunked`, one in HTTP/1.0; also
 * for versions other than 1.0, 1.1 and 2.
 */
export function checkFraming(head: MessageHead): Framing {
  const hosts: string[] = [];
  let length: number | undefined;
  let chunked = false;
  const raw = head.rawHeaders;
  checkVersion(head);
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string;
    // Only three name lengths matter; comparing them first avoids lower-casing every name.
    if (name.length === 4) {
      if (name.toLowerCase() === 'host') hosts.push(raw[i + 1] as string);
    } else if (name.length === 14) {
      if (name.toLowerCase() !== 'content-length') continue;
      const value = raw[i + 1] as string;
      if (length !== undefined) throw new PrivetError('bad_request', 'More than one Content-Length field.');
      if (!/^(?:0|[1-9][0-9]{0,15})$/.test(value))
        throw new PrivetError('bad_request', 'Content-Length is not a plain number.');
      length = Number(value);
    } else if (name.length === 17) {
      if (name.toLowerCase() !== 'transfer-encoding') continue;
      if (chunked || (raw[i + 1] as string).toLowerCase() !== 'chunked') {
        throw new PrivetError('bad_request', 'Transfer-Encoding must be exactly "chunked".');
      }
      chunked = true;
    }
  }
  if (chunked && length !== undefined)
    throw new PrivetError('bad_request', 'Content-Length and Transfer-Encoding together.');
  if (chunked && head.httpVersionMajor === 1 && head.httpVersionMinor === 0) {
    throw new PrivetError('bad_request', 'Transfer-Encoding in HTTP/1.0.');
  }
  if (hosts.length > 1) throw new PrivetError('bad_request', 'More than one Host field.');
  if (hosts.length === 0 && head.httpVersionMajor === 1 && head.httpVersionMinor === 1) {
    throw new PrivetError('bad_request', 'The Host field is missing.');
  }
  return { hasBody: chunked || (length ?? 0) > 0, chunked, length, hosts };
}

/** A request line may contain `HTTP/0.9` or `HTTP/2.0`; real HTTP/2 requests start with pseudo-header fields. */
function checkVersion({ httpVersionMajor, httpVersionMinor, rawHeaders }: MessageHead): void {
  const known =
    httpVersionMajor === 1 ? httpVersionMinor <= 1 : httpVersionMajor === 2 && rawHeaders[0]?.startsWith(':') === true;
  if (!known) throw new PrivetError('bad_request', 'The HTTP version of the request is not supported.');
}

const defaultPort = { http: 80, https: 443 } as const;

/** Throws `bad_request` for a path with `..` that servers resolve differently, if the decision depends on the path. */
export function checkPath(policy: Pick<Policy, 'asksPath'>, input: DecideInput & { readonly path: string }): void {
  if (!hasDisputedDots(input.path) || !policy.asksPath(input)) return;
  throw new PrivetError('bad_request', 'The path contains a ".." that servers read in different ways.', {
    hint: 'Send the path without "..".',
  });
}

/** Parses an authority with an optional port; throws PrivetError `bad_request`. */
export function parseHostPort(
  authority: string,
  scheme: 'http' | 'https',
): { host: string; kind: Target['hostKind']; port: number } {
  if (authority.includes('@')) throw new PrivetError('bad_request', 'The authority contains user information.');
  // Its bytes are forwarded, and receivers that read them as UTF-8 would see another name.
  if (/[^!-~]/.test(authority)) throw new PrivetError('bad_request', 'The authority contains bytes beyond ASCII.');
  const bracket = authority.lastIndexOf(']');
  const colon = authority.indexOf(':', bracket + 1);
  if (colon === -1) {
    const bare = normalizeHost(authority);
    return { host: bare.host, kind: bare.kind, port: defaultPort[scheme] };
  }
  // `host:` (empty port) is valid in a URI authority (RFC 3986 §3.2.3) and means the default port.
  if (colon === authority.length - 1) {
    const bare = normalizeHost(authority.slice(0, -1));
    return { host: bare.host, kind: bare.kind, port: defaultPort[scheme] };
  }
  return parseAuthority(authority);
}

/** Joins host and port as an authority; IPv6 in brackets, the default port omitted. */
export function formatAuthority(host: string, port: number, scheme: 'http' | 'https'): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === defaultPort[scheme] ? name : `${name}:${port}`;
}

/** The origin as in a URL: `https://host:port`, the default port omitted. */
export function originOf({ scheme, host, port, origin }: Omit<Target, 'path' | 'hostKind'>): string {
  return origin ?? `${scheme}://${formatAuthority(host, port, scheme)}`;
}

/**
 * Parses an absolute-form target (`http://host/path`, RFC 9112 §3.2.2). Throws `bad_request` for malformed ones,
 * `not_supported` for other schemes (https:// needs CONNECT) and `uri_too_long`. Drops user information, which a proxy
 * must neither use nor forward. OPTIONS without a path concerns the complete server and becomes `*` (RFC 9112 §3.2.4).
 */
export function parseAbsoluteTarget(url: string, method = 'GET'): Target {
  if (url.length > targetLengthMax) throw new PrivetError('uri_too_long', 'The request target is too long.');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(url);
  if (!scheme) throw new PrivetError('bad_request', 'The request target is not an absolute URI.');
  if ((scheme[1] as string).toLowerCase() !== 'http') {
    throw new PrivetError('not_supported', 'The absolute form is only for http:// targets; use CONNECT for https.');
  }
  if (url.includes('#')) throw new PrivetError('bad_request', 'The request target contains a fragment.');
  const rest = url.slice(scheme[0].length);
  const slash = rest.search(/[/?]/);
  let authority = slash === -1 ? rest : rest.slice(0, slash);
  const at = authority.lastIndexOf('@');
  if (at !== -1) authority = authority.slice(at + 1);
  const { host, kind, port } = parseHostPort(authority, 'http');
  let path = slash === -1 ? (method === 'OPTIONS' ? '*' : '/') : rest.slice(slash);
  if (path.startsWith('?')) path = `/${path}`;
  return { scheme: 'http', host, hostKind: kind, port, path };
}

/** Rejects a Host header that differs from the target (RFC 9112 §3.2.2 would silently prefer the target). */
export function checkHostMatches(target: Pick<Target, 'scheme' | 'host' | 'port'>, hosts: readonly string[]): void {
  const given = hosts[0];
  if (given === undefined) return;
  let named: { host: string; port: number };
  try {
    named = parseHostPort(given, target.scheme);
  } catch (cause) {
    throw new PrivetError('bad_request', 'The Host field is malformed.', { cause });
  }
  if (named.host !== target.host || named.port !== target.port) {
    throw new PrivetError('bad_request', 'The Host field differs from the request target.');
  }
}
