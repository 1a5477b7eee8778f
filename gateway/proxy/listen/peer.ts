/**
 * Facts about a client connection: the address reported by a load balancer (PROXY protocol) and the user named by a
 * client certificate. Stored on the socket, because neither the HTTP parser nor TLS passes on anything else.
 */
import type { Socket } from 'node:net';

/** `user` and `groups` come from a client certificate. */
export type Peer = { readonly address: string; readonly user?: string; readonly groups?: readonly string[] };

const peerKey = Symbol('privet peer');
type WithPeer = { [peerKey]?: Peer };

/** Sets the result of {@link peerOf} for this connection. */
export function setPeer(socket: Socket, peer: Peer): void {
  (socket as WithPeer)[peerKey] = peer;
}

/** The peer set for this connection. */
export function peerOf(socket: Socket): Peer | undefined {
  return (socket as WithPeer)[peerKey];
}

/** The address of a socket's client; IPv4 in its own form even on dual-stack listeners. */
export function addressOf(socket: Socket): string {
  return peerOf(socket)?.address ?? plainAddress(socket.remoteAddress ?? '');
}

const mapped = /^::ffff:(?=\d+\.)/i;

/** Converts IPv4-mapped IPv6, as reported by a dual-stack listener, to IPv4. */
export function plainAddress(address: string): string {
  return address.charCodeAt(0) === 0x3a ? address.replace(mapped, '') : address;
}
