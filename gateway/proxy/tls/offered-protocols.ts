/**
 * Releases memory of open TLS connections. Node stores the ALPN list of each (RFC 7301 §3.1) as a slice of its common
 * pool, whose 64 KiB chunks are freed only when no slice is in use: a few bytes pinned that much for the lifetime of a
 * connection.
 */
import type { TLSSocket } from 'node:tls';

/** Node has no documented access to a socket's options. */
type Insides = { _tlsOptions?: { ALPNProtocols?: Uint8Array | undefined } };

/** Removes the list of offered protocols; call it after the handshake, which alone needed it. */
export function forgetOfferedProtocols(secured: TLSSocket): void {
  const { _tlsOptions: options } = secured as Insides;
  if (options?.ALPNProtocols !== undefined) options.ALPNProtocols = undefined;
}
