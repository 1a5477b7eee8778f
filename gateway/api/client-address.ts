/**
 * The client address of an API request: that of the connection, or the one reported by a load balancer in front of us.
 */
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * The address of the client. If the connection comes from one of `api.trusted_proxies`, it is the last address in
 * `X-Forwarded-For` that is not one of them: each proxy appends the address it sees, and anything before may be forged.
 * If that entry is not an address, the proxy's address is used.
 */
export function clientAddress(request: FastifyRequest): string {
  const named = withoutPort(request.ip);
  return isIP(named) === 0 ? (request.socket.remoteAddress ?? '') : named;
}

/** The address without a port. Some proxies append one: `192.0.2.1:49152`, `[2001:db8::1]:49152`. */
export function withoutPort(text = ''): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}
