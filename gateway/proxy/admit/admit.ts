/**
 * Admission: who may use the proxy, and how much. A forward proxy for everyone is an open relay, so by default only
 * this machine and private networks are admitted. A client is identified by its certificate's user, else by the
 * signed-in user, else by its address.
 */

import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../../config/load.ts';
import { PrivetError } from '../../../core/errors.ts';
import { CidrSet } from '../../../policy/address.ts';
import type { Metrics } from '../../observe/metrics.ts';
import type { Commit } from '../../reconfigurable.ts';
import { type LimitNumbers, type LimitSettings, machineOf, numbersOf } from '../listen/machine.ts';
import { peerOf, plainAddress } from '../listen/peer.ts';
import type { Client } from '../request/record.ts';
import { ConnectionLimit } from './connection-limits.ts';
import type { ProxyAuth } from './proxy-auth.ts';

/** Admits client addresses and counts connections and tunnels. */
export class Admission {
  private clients: CidrSet;
  private readonly connections = new ConnectionLimit('connection');
  private readonly tunnels = new ConnectionLimit('tunnel');
  private readonly workers: number;
  private limits: LimitSettings;
  private numbers: LimitNumbers;
  /** Set if users must sign in. */
  auth: ProxyAuth | undefined;
  /** Admitted clients, by address. */
  private readonly admitted = new LRUCache<string, Client>({ max: 10_000 });

  /** `workers`: number of processes that share the machine's memory. */
  constructor(options: { clients: readonly string[]; limits: LimitSettings; workers?: number }) {
    this.clients = new CidrSet(options.clients);
    this.workers = options.workers ?? 1;
    this.limits = options.limits;
    this.numbers = this.replaceLimits(options.limits);
  }

  /** Applies new limits; existing connections and tunnels are kept. */
  replaceLimits(limits: LimitSettings): LimitNumbers {
    const numbers = numbersOf(limits, machineOf(this.workers));
    this.limits = limits;
    this.numbers = numbers;
    this.connections.limit(numbers.connections, numbers.client_connections);
    this.tunnels.limit(numbers.tunnels, numbers.client_tunnels);
    return numbers;
  }

  /** Applies new networks and limits; open connections are checked again at their next request. */
  prepare({ auth }: Pick<Config, 'auth'>): Commit {
    const clients = new CidrSet(auth.clients);
    return () => {
      this.clients = clients;
      this.admitted.clear();
      this.replaceLimits(auth.limits);
    };
  }

  /** The client of a socket; throws PrivetError `client_refused` for addresses outside `auth.clients`. */
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

  /** True if {@link signIn} is required before this client is served. */
  mustSignIn(client: Client): boolean {
    return this.auth !== undefined && client.user === undefined;
  }

  /** The client with the user of its credentials. Rejects like `identify` of {@link ProxyAuth}. */
  async signIn(client: Client, rawHeaders: readonly string[]): Promise<Client> {
    const identity = await this.auth?.identify(rawHeaders, client.address);
    if (!identity) return client;
    return { address: client.address, subject: identity.user, ...identity };
  }

  /** Throws {@link ConnectionLimitExceeded} when the total connection limit is reached. */
  checkRoom(): void {
    this.connections.check(this.besides);
  }

  /** Counts a connection of an address; like `enter` of {@link ConnectionLimit}. */
  enterConnection(address: string): () => void {
    return this.connections.enter(address);
  }

  /** Counts a tunnel, with the higher weight if it is intercepted; like `enter` of {@link ConnectionLimit}. */
  enterTunnel(client: Client, { isRead }: { readonly isRead: boolean }): () => void {
    return this.tunnels.enter(client.subject, isRead ? this.numbers.read : undefined);
  }

  /** Reports the limits and their use as metrics; each worker has its own. */
  measure(metrics: Pick<Metrics, 'gauge'>): void {
    const { connections, tunnels } = this;
    const max = () => ({ connection: connections.max, tunnel: tunnels.max });
    const taken = () => ({ connection: connections.taken + this.besides, tunnel: tunnels.taken });
    metrics.gauge('connections_max', 'Limit for connections, and for tunnels among them.', 'kind', max, 'sum');
    metrics.gauge('connections_taken', 'Connections in use, counted against connections_max.', 'kind', taken, 'sum');
  }

  /** Share of the connection limit used by tunnels; with a configured number one each. */
  private get besides(): number {
    return this.limits.connections === 'auto' ? this.tunnels.taken : this.tunnels.size;
  }
}

function clientAt(remote: string): Client {
  const address = plainAddress(remote);
  return { address, subject: address };
}
