/** The target of a request inside a tunnel. */
import { PrivetError } from '../../../core/errors.ts';
import type { ConnectionContext } from '../exchange.ts';
import type { ClientRequest } from '../request/client-request.ts';
import {
  type Framing,
  formatAuthority,
  originOf,
  parseHostPort,
  type Target,
  targetLengthMax,
} from '../request/target.ts';

type Tunnel = NonNullable<ConnectionContext['tunnel']>;

/** Strings shared by all requests of a tunnel, created once so that they compare by identity. */
const madeOf = new WeakMap<Tunnel, { readonly authority: string; readonly origin: string }>();

function namesOf(tunnel: Tunnel): { readonly authority: string; readonly origin: string } {
  let names = madeOf.get(tunnel);
  if (names === undefined) {
    names = { authority: formatAuthority(tunnel.host, tunnel.port, tunnel.scheme), origin: originOf(tunnel) };
    madeOf.set(tunnel, names);
  }
  return names;
}

/** The target of a request inside a tunnel: Host or `:authority` must name the CONNECT host (421 otherwise). */
export function tunnelTarget(context: ConnectionContext, request: ClientRequest, framing: Framing): Target {
  const tunnel = context.tunnel as Tunnel;
  let path = request.url ?? '/';
  if (path.length > targetLengthMax) throw new PrivetError('uri_too_long', 'The request target is too long.');
  // Node's HTTP/2 header object includes the pseudo-header fields.
  const authority = request.httpVersionMajor === 2 ? request.headers[':authority'] : undefined;
  let names = typeof authority === 'string' ? [...framing.hosts, authority] : framing.hosts;
  const absolute = path.startsWith('/') ? null : /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)/.exec(path);
  if (absolute) {
    if ((absolute[1] as string).toLowerCase() !== tunnel.scheme) {
      throw new PrivetError('misdirected_request', `This tunnel carries ${tunnel.scheme}:// requests only.`);
    }
    names = [...names, absolute[2] as string];
    const rest = path.slice(absolute[0].length);
    if (rest === '') path = request.method === 'OPTIONS' ? '*' : '/';
    else path = rest.startsWith('?') ? `/${rest}` : rest;
  } else if (!path.startsWith('/') && path !== '*') {
    throw new PrivetError('bad_request', 'The request target is malformed.');
  }
  if (path.includes('#')) throw new PrivetError('bad_request', 'The request target contains a fragment.');
  // The HTTP/1.1 parser rejects these; they would end up in a request line upstream.
  if (request.httpVersionMajor === 2 && /[^!-~]/.test(path))
    throw new PrivetError('bad_request', 'The request target is malformed.');
  const isPlain = tunnel.hostKind === 'name';
  const { authority: expected, origin } = namesOf(tunnel);
  for (const name of names) {
    if (isPlain && name === expected) continue;
    let named: { host: string; port: number };
    try {
      named = parseHostPort(name, tunnel.scheme);
    } catch (cause) {
      throw new PrivetError('bad_request', 'The Host field is malformed.', { cause });
    }
    if (named.host !== tunnel.host || named.port !== tunnel.port) {
      throw new PrivetError('misdirected_request', 'The host of this request differs from the host of its tunnel.');
    }
  }
  return { scheme: tunnel.scheme, host: tunnel.host, hostKind: tunnel.hostKind, port: tunnel.port, path, origin };
}
