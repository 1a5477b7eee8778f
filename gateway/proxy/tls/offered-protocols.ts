/**
 * Releases memory of open TLS connections. Node stores each ALPN list (RFC 7301 §3.1) as a slice of its common pool,
 * whose 64 KiB chunks are freed only if no slice is in use: a few bytes pinned that much for the lifetime of a
 * connection.
 */
import type { TLSSocket } from 'node:tls';

/** Node has no documented access to a socket's options. */
type Insides = { _tlsOptions?: { ALPNProtocols?: Uint8Array | undefined } };

/** Removes the list of offered protocols, which is needed only for the handshake. */
export function forgetOfferedProtocols(secured: TLSSocket): void {
  const { _tlsOptions: options } = secured as Insides;
  if (options?.ALPNProtocols !== undefined) options.ALPNProtocols = undefined;
}
