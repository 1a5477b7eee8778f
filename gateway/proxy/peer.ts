/**
 * What is known of the other end of a client's connection beside its socket: the address that a load balancer names
 * (PROXY protocol) and the user that a client certificate names. Kept on the socket, because the HTTP parser and TLS
 * hand on nothing else.
 */
import type { Socket } from 'node:net';

/** `user` and `groups` come from a client certificate. */
export type Peer = { readonly address: string; readonly user?: string; readonly groups?: readonly string[] };

const peerKey = Symbol('privet peer');
type WithPeer = { [peerKey]?: Peer };

/** Sets what {@link peerOf} answers for this connection. */
export function setPeer(socket: Socket, peer: Peer): void {
  (socket as WithPeer)[peerKey] = peer;
}

/** What was set for this connection. */
export function peerOf(socket: Socket): Peer | undefined {
  return (socket as WithPeer)[peerKey];
}

/** The address of the client behind a socket, IPv4 in its own form also on dual-stack listeners. */
export function addressOf(socket: Socket): string {
  return peerOf(socket)?.address ?? plainAddress(socket.remoteAddress ?? '');
}

const mapped = /^::ffff:(?=\d+\.)/i;

/** IPv4 in its own form also where a dual-stack listener has it in IPv6. */
export function plainAddress(address: string): string {
  return address.charCodeAt(0) === 0x3a ? address.replace(mapped, '') : address;
}
