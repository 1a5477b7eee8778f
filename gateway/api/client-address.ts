/** Whose request it is that the API answers: the address of its connection, or the one that a balancer before us names. */
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * The address of the client. Where the connection comes from one of `api.trusted_proxies`, the last address of
 * `X-Forwarded-For` that is none of them: each proxy appends the one it sees, and what stands before may be invented. An
 * entry that is no address is not believed, and the client counts as its proxy.
 */
export function clientAddress(request: FastifyRequest): string {
  const named = withoutPort(request.ip);
  return isIP(named) === 0 ? (request.socket.remoteAddress ?? '') : named;
}

/** An address alone. Some proxies append the port: `192.0.2.1:49152`, `[2001:db8::1]:49152`. */
export function withoutPort(text = ''): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}
