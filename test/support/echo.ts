/** A WebSocket origin that records its text messages and sends them back. */
import { WebSocketServer } from 'ws';
import type { TestAuthority } from './authority.ts';
import { type Origin, type OriginHandler, startOrigin } from './origin.ts';

/** A running echo origin: every text and binary message comes back as it arrived. */
export type EchoOrigin = Origin & {
  /** Messages received: text as strings, binary as Buffers. */
  readonly messages: (string | Buffer)[];
  /** The content of pings, pongs and closes, like `ping beat`. */
  readonly controls: string[];
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
  const controls: string[] = [];
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: true });
  server.on('connection', (socket) => {
    socket.on('message', (data, isBinary) => {
      const bytes = data as Buffer;
      messages.push(isBinary ? bytes : bytes.toString());
      socket.send(bytes, { binary: isBinary });
    });
    socket.on('ping', (said: Buffer) => controls.push(`ping ${said}`));
    socket.on('pong', (said: Buffer) => controls.push(`pong ${said}`));
    socket.on('close', (code, said) => {
      closes.push(code);
      controls.push(`close ${said}`);
    });
    socket.on('error', () => undefined);
  });
  const origin = await startOrigin({
    ...options,
    onUpgrade: (request, socket, head) => {
      server.handleUpgrade(request, socket, head, (webSocket) => server.emit('connection', webSocket, request));
    },
  });
  return { ...origin, messages, closes, controls };
}
