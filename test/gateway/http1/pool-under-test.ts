/** Connection pools to an origin that works with raw bytes, and requests over them. */
import net, { type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type PoolOptions, Pools } from '../../../gateway/http1/pool.ts';
import type { WireRequest } from '../../../gateway/http1/request-head.ts';
import { listening } from '../../support/listening.ts';

/** A raw origin: `onData` is called with each piece of each connection. */
export async function start(
  onData: (socket: Socket, text: string, connection: number) => void,
  options: Partial<PoolOptions> = {},
) {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    const number = ++connections;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (bytes) => onData(socket, bytes.toString('latin1'), number));
  });
  const port = await listening(server);
  const pools = new Pools({
    connect: (_origin, callback) => {
      const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('connect', () => callback(null, socket));
      socket.once('error', (error) => callback(error));
    },
    firstByteMs: 5_000,
    bodyIdleMs: 5_000,
    keepAliveMs: 5_000,
    connectionsMax: 4,
    ...options,
  });
  onTestFinished(() => {
    pools.destroy();
    server.close();
  });
  return { pools, port, sockets, connections: () => connections };
}

/** All events that a handler received about an answer. */
export type Answer = { status: number; fields: string[]; body: string; trailers: unknown; interim: number[] };

/** Sends one request and waits for the end of its answer. */
export function ask(pools: Pools, request: Partial<WireRequest> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const answer: Answer = { status: 0, fields: [], body: '', trailers: undefined, interim: [] };
    pools.dispatch(
      'http://origin.test',
      { method: 'GET', path: '/', fields: ['Host', 'origin.test'], body: null, ...request },
      {
        onResponseStart(controller, status) {
          if (status < 200) return void answer.interim.push(status);
          answer.status = status;
          answer.fields = [...((controller.rawHeaders as string[] | null) ?? [])];
        },
        onResponseData(_controller, chunk) {
          answer.body += chunk.toString('latin1');
        },
        onResponseEnd: (_controller, trailers) => resolve({ ...answer, trailers }),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

/** A complete answer. */
export const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** Sends one request that may be aborted; `ends` collects every end reported to the handler. */
export function abortable(
  pools: Pools,
  request: Partial<WireRequest> = {},
  onStart?: (give: () => void) => void,
  isUnread = false,
) {
  const ends: string[] = [];
  let controller: { abort(reason: Error): void } | undefined;
  const abort = () => controller?.abort(new Error('left'));
  pools.dispatch(
    'http://origin.test',
    { method: 'GET', path: '/', fields: ['Host', 'origin.test'], body: null, ...request },
    {
      onRequestStart(one) {
        controller = one;
        onStart?.(abort);
      },
      onResponseStart: (one) => isUnread && one.pause(),
      onResponseData() {},
      onResponseEnd: () => void ends.push('end'),
      onResponseError: (_controller, error) => void ends.push(error.message),
    },
  );
  return { ends, abort };
}
