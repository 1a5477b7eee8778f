/** A WebSocket origin that keeps the text it gets and sends it back. */
import { WebSocketServer } from 'ws';
import type { TestAuthority } from './authority.ts';
import { type Origin, type OriginHandler, startOrigin } from './origin.ts';

/** A running echo origin: every text and binary message comes back as it arrived. */
export type EchoOrigin = Origin & {
  /** Messages received: text as strings, binary as Buffers. */
  readonly messages: (string | Buffer)[];
  /** Close codes received. */
  readonly closes: number[];
};

/** Starts a WebSocket echo, behind TLS when an authority is given; other requests go to the handler. */
export async function startEcho(options: {
  readonly authority?: TestAuthority;
  readonly names?: readonly string[];
  readonly handler?: OriginHandler;
}): Promise<EchoOrigin> {
  const messages: (string | Buffer)[] = [];
  const closes: number[] = [];
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: true });
  server.on('connection', (socket) => {
    socket.on('message', (data, isBinary) => {
      const bytes = data as Buffer;
      messages.push(isBinary ? bytes : bytes.toString());
      socket.send(bytes, { binary: isBinary });
    });
    socket.on('close', (code) => closes.push(code));
    socket.on('error', () => undefined);
  });
  const origin = await startOrigin({
    ...options,
    onUpgrade: (request, socket, head) => {
      server.handleUpgrade(request, socket, head, (webSocket) => server.emit('connection', webSocket, request));
    },
  });
  return { ...origin, messages, closes };
}
