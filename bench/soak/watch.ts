/**
 * Loaded into the gateway's process (`--import`) to inspect it: memory after a garbage collection, active event loop
 * resources, and live objects by kind. Responds only to messages of the soak.
 */

import { IncomingMessage, ServerResponse } from 'node:http';
import { Http2ServerRequest } from 'node:http2';
import net from 'node:net';
import { Stream } from 'node:stream';
import tls from 'node:tls';
import v8 from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/** A request to the gateway. */
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
  /** Active event loop resources by kind. */
  readonly resources: Readonly<Record<string, number>>;
};

const collect = (globalThis as { gc?: () => void }).gc;

function memory(): Memory {
  // V8 frees array buffers concurrently, and counts them until the next collection.
  collect?.();
  collect?.();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  return { heap: heapUsed, external, arrayBuffers, resources };
}

/** Live objects of kinds related to connections, requests and sessions. Each kind requires a collection. */
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
