/**
 * Loaded into the gateway's process (`--import`) to look at it from inside: memory after a garbage collection, what keeps
 * the event loop alive, and how many objects of a kind live. It waits for messages of the soak and does nothing else.
 */

import { IncomingMessage, ServerResponse } from 'node:http';
import { Http2ServerRequest } from 'node:http2';
import net from 'node:net';
import { Stream } from 'node:stream';
import tls from 'node:tls';
import v8 from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/** What the gateway is asked. */
export type Look = {
  readonly id: number;
  readonly kind: 'memory' | 'objects' | 'snapshot';
  readonly file?: string;
  readonly kinds?: readonly string[];
};

/** Memory in bytes, after full garbage collections. */
export type Memory = {
  readonly heap: number;
  readonly external: number;
  readonly arrayBuffers: number;
  /** What keeps the event loop alive, by kind. */
  readonly resources: Readonly<Record<string, number>>;
};

const collect = (globalThis as { gc?: () => void }).gc;

function memory(): Memory {
  // V8 frees the array buffers that a collection has found beside the program, and counts them until the next one.
  collect?.();
  collect?.();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  return { heap: heapUsed, external, arrayBuffers, resources };
}

/** Live objects of the kinds that come and go with connections, requests and sessions. Each kind costs a collection. */
async function objects(kinds: readonly string[]): Promise<Record<string, number>> {
  const { Tunnel } = await import('../../gateway/proxy/tunnel/tunnel.ts');
  const { SessionTokens } = await import('../../core/tokens/session-tokens.ts');
  const { StreamRestorer } = await import('../../core/stream/stream-restorer.ts');
  const known: Record<string, unknown> = {
    Stream,
    Tunnel,
    SessionTokens,
    StreamRestorer,
    Socket: net.Socket,
    TLSSocket: tls.TLSSocket,
    IncomingMessage,
    ServerResponse,
    Http2ServerRequest,
  };
  const counts: Record<string, number> = {};
  const { queryObjects } = v8 as unknown as { queryObjects(kind: unknown, options: { format: 'count' }): number };
  for (const kind of kinds) counts[kind] = queryObjects(known[kind], { format: 'count' });
  return counts;
}

async function look(order: Look): Promise<unknown> {
  if (order.kind === 'memory') return memory();
  if (order.kind === 'objects') return objects(order.kinds ?? []);
  return v8.writeHeapSnapshot(order.file);
}

if (isMainThread && process.send) {
  process.on('message', (order: Look) => {
    void look(order).then((result) => process.send?.({ id: order.id, result }));
  });
  process.on('disconnect', () => process.exit(1));
}
