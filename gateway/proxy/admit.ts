/**
 * Who may use the proxy at all, and how much of it. A forward proxy that serves everybody is an open relay, so the
 * default admits this machine and private networks only. Who it is that sends: the user of a client certificate, else
 * the one that signs in, else the address.
 */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { PrivetError } from '../../core/errors.ts';
import { CidrSet } from '../../policy/address.ts';
import { peerOf } from './peer.ts';
import type { ProxyAuth } from './proxy-auth.ts';
import type { Client } from './record.ts';

/** Decides about client addresses and counts tunnels. */
export class Admission {
  private clients: CidrSet;
  private readonly tunnelsMax: number;
  private tunnels = 0;
  /** Set while users have to sign in. */
  auth: ProxyAuth | undefined;
  /** Clients that were admitted, by address. */
  private readonly admitted = new LRUCache<string, Client>({ max: 10_000 });

  constructor(options: { clients: readonly string[]; tunnelsMax?: number }) {
    this.clients = new CidrSet(options.clients);
    this.tunnelsMax = options.tunnelsMax ?? defaultTunnelsMax();
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

  /** Takes a place for a tunnel; throws PrivetError `unavailable` when all are taken. Call the result once at its end. */
  enterTunnel(): () => void {
    if (this.tunnels >= this.tunnelsMax)
      throw new PrivetError('unavailable', 'The proxy has no room for another tunnel.');
    this.tunnels++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.tunnels--;
    };
  }
}

/** The client at an address; IPv4 in its own form also on dual-stack listeners. */
function clientAt(remote: string): Client {
  const address = remote.replace(/^::ffff:(?=\d+\.)/i, '');
  return { address, subject: address };
}

/** Two descriptors a tunnel, and some hundreds for everything else. */
function defaultTunnelsMax(): number {
  try {
    const limit = /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    if (limit) return Math.max(64, Math.floor((Number(limit) - 512) / 2));
  } catch {
    // Not Linux: the figure below suits the usual limit of 10,240.
  }
  return 4_096;
}
