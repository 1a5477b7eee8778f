/**
 * Who may use the proxy at all, and how much of it. A forward proxy that serves everybody is an open relay, so the
 * default admits this machine and private networks only. Who it is that sends: the user of a client certificate, else
 * the one that signs in, else the address.
 */
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { PrivetError } from '../../core/errors.ts';
import { CidrSet } from '../../policy/address.ts';
import { peerOf, plainAddress } from './peer.ts';
import { numbersOf, type PlaceLimits, Places } from './places.ts';
import type { ProxyAuth } from './proxy-auth.ts';
import type { Client } from './record.ts';

/** Decides about client addresses and counts connections and tunnels. */
export class Admission {
  private clients: CidrSet;
  private readonly connections = new Places('connection');
  private readonly tunnels = new Places('tunnel');
  /** Set while users have to sign in. */
  auth: ProxyAuth | undefined;
  /** Clients that were admitted, by address. */
  private readonly admitted = new LRUCache<string, Client>({ max: 10_000 });

  constructor(options: { clients: readonly string[]; limits: PlaceLimits }) {
    this.clients = new CidrSet(options.clients);
    this.replaceLimits(options.limits);
  }

  /** Takes other limits; connections and tunnels that stand are kept. */
  replaceLimits(limits: PlaceLimits): void {
    const numbers = numbersOf(limits);
    this.connections.limit(numbers.connections, numbers.client_connections);
    this.tunnels.limit(numbers.tunnels, numbers.client_tunnels);
  }

  /** Admits others from now on; connections that stand are asked again at their next request. */
  replaceClients(clients: readonly string[]): void {
    this.clients = new CidrSet(clients);
    this.admitted.clear();
  }

  /** The client behind a socket; throws PrivetError `client_refused` for addresses outside `auth.clients`. */
  admit(socket: Socket): Client {
    const peer = peerOf(socket);
    const remote = peer?.address ?? socket.remoteAddress ?? '';
    let client = this.admitted.get(remote);
    if (!client) {
      client = clientAt(remote);
      if (!this.clients.has(client.address)) {
        throw new PrivetError('client_refused', 'This proxy does not serve your network.');
      }
      this.admitted.set(remote, client);
    }
    if (peer?.user === undefined) return client;
    return { address: client.address, subject: peer.user, user: peer.user, groups: peer.groups ?? [] };
  }

  /** Whether {@link signIn} has to be asked before this client is served. */
  mustSignIn(client: Client): boolean {
    return this.auth !== undefined && client.user === undefined;
  }

  /** The client with the user that its credentials name. Rejects as `identify` of {@link ProxyAuth} does. */
  async signIn(client: Client, rawHeaders: readonly string[]): Promise<Client> {
    const identity = await this.auth?.identify(rawHeaders, client.address);
    if (!identity) return client;
    return { address: client.address, subject: identity.user, ...identity };
  }

  /** Throws PrivetError `unavailable` when there is no room for another connection, whose ever it is. */
  checkRoom(): void {
    this.connections.check(this.tunnels.size);
  }

  /** Takes a place for a connection of an address; as `enter` of {@link Places}. */
  enterConnection(address: string): () => void {
    return this.connections.enter(address);
  }

  /** Takes a place for a tunnel; as `enter` of {@link Places}. */
  enterTunnel(client: Client): () => void {
    return this.tunnels.enter(client.subject);
  }
}

function clientAt(remote: string): Client {
  const address = plainAddress(remote);
  return { address, subject: address };
}
