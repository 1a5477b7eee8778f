/** A server and a client that exchange raw bytes. */
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Handlers, Http1Server, type ServerTimeouts } from '../../../gateway/http1/server.ts';

const framing: Handlers['framing'] = ({ fields }) => {
  const at = fields.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'content-length');
  const chunked = fields.some((name, i) => i % 2 === 0 && name.toLowerCase() === 'transfer-encoding');
  const length = at === -1 ? undefined : Number(fields[at + 1]);
  return { hasBody: chunked || (length ?? 0) > 0, chunked, length, hosts: [] };
};

/** Starts a server on its own port; `seen` collects every event other than requests. */
export async function start(
  request: Handlers['request'],
  timeouts: Partial<ServerTimeouts> = {},
  others: Partial<Handlers> = {},
) {
  const seen: string[] = [];
  const server = new Http1Server(
    {
      framing,
      request,
      isUpgrade: ({ rawHeaders }) => rawHeaders.includes('Upgrade'),
      connect: (one, socket, behind) => {
        seen.push(`connect ${one.url} ${behind}`);
        socket.end();
      },
      upgrade: (one, socket, behind) => {
        seen.push(`upgrade ${one.url} ${behind}`);
        socket.end();
      },
      malformed: (error, socket) => {
        seen.push(error.code);
        socket.destroy();
      },
      ...others,
    },
    { headerMs: 5_000, keepAliveMs: 5_000, ...timeouts },
  );
  const listener = net.createServer({ allowHalfOpen: true }, (socket) => server.serve(socket)).listen(0, '127.0.0.1');
  onTestFinished(() => void listener.close());
  await once(listener, 'listening');
  return { port: (listener.address() as AddressInfo).port, seen, server };
}

/** Answers with the received request. */
export const echo: Handlers['request'] = (request, response) => {
  void request.collect(1_000).then(({ body }) => {
    response.writeHead(200, '', ['Content-Length', String(body.length + request.url.length)]);
    response.end(request.url + body);
  });
};
