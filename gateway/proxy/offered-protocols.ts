/**
 * What an open TLS connection need not hold. Node keeps the ALPN list of each (RFC 7301 §3.1) as bytes from its common pool,
 * which frees a piece of 64 KiB only when nothing in it is used any more: a few bytes kept that much in memory for as long as
 * the connection lived, unless others had theirs in the same piece.
 */
import type { TLSSocket } from 'node:tls';

/** Node gives no documented way to the options of a socket. */
type Insides = { _tlsOptions?: { ALPNProtocols?: Uint8Array | undefined } };

/** Takes the list of offered protocols away; to be called when the handshake is over, which was all that needed it. */
export function forgetOfferedProtocols(secured: TLSSocket): void {
  const { _tlsOptions: options } = secured as Insides;
  if (options?.ALPNProtocols !== undefined) options.ALPNProtocols = undefined;
}
