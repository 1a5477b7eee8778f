/** An open tunnel, for policy changes and the idle watch. */
import type { Policy } from '../../../policy/decide.ts';
import type { LiveConnection } from '../listen/live-connections.ts';
import type { Watched } from '../listen/quiet-watch.ts';
import { askFor, type RequestRecord } from '../request/record.ts';
import type { Tunnel } from './tunnel.ts';

/**
 * A class, because an object literal with a getter creates a hidden class per object, which keeps everything it
 * references alive until the next full collection.
 */
export class LiveTunnel implements LiveConnection, Watched {
  private readonly tunnel: Tunnel;
  private readonly record: RequestRecord;
  /** The server name requested inside, if it differs from the CONNECT host. */
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
