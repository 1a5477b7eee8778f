/** What a new policy and the watch over quiet connections can do with an open tunnel. */
import type { Policy } from '../../policy/decide.ts';
import type { Watched } from './quiet-watch.ts';
import { askFor, type RequestRecord } from './record.ts';
import type { Standing } from './standing.ts';
import type { Tunnel } from './tunnel.ts';

/**
 * A tunnel as the watch over quiet ones and a new policy see it. A class, because an object literal with a getter makes a
 * hidden class of its own for each object, and these keep what they belong to alive until the next full collection.
 */
export class StandingTunnel implements Standing, Watched {
  private readonly tunnel: Tunnel;
  private readonly record: RequestRecord;
  /** The name that the client has asked for inside, where it is another than that of the CONNECT. */
  innerName: string | undefined = undefined;

  constructor(tunnel: Tunnel, record: RequestRecord) {
    this.tunnel = tunnel;
    this.record = record;
  }

  get progress(): number {
    return this.tunnel.progress;
  }

  closeIfBlocked(policy: Policy): boolean {
    const { record, innerName } = this;
    const isBlocked = (host: string) => policy.decide(askFor(record.client, host, record.port)).action === 'block';
    if (!isBlocked(record.host) && (innerName === undefined || !isBlocked(innerName))) return false;
    record.error = 'blocked_by_policy';
    this.tunnel.destroy();
    return true;
  }

  destroy(): void {
    this.tunnel.destroy();
  }
}
