/** A WebSocket origin that plays a script, framed in every way that RFC 6455 allows. */
import { type WebSocket, WebSocketServer } from 'ws';
import { type Origin, startOrigin } from './origin.ts';

/** How the origin sends its messages. */
export type Framing = { readonly isBinary: boolean; readonly isFragmented: boolean; readonly compresses: boolean };

/** The messages that the origin sends, and then closes, when it has received `awaits` messages. */
export type SocketScript = { readonly says: readonly string[]; readonly awaits: number } & Framing;

/** The origin; `play` sets the script and returns the list of messages that it will have received. */
export type ScriptedSockets = Origin & { play(script: SocketScript): readonly string[] };

/** More pings in a row make the client of `ws` break off. */
const pingsMax = 8;

/** Starts the origin behind TLS. */
export async function startScriptedSockets(names: readonly string[]): Promise<ScriptedSockets> {
  let script: SocketScript | undefined;
  let heard: string[] = [];
  const [compressing, plain] = [true, false].map((perMessageDeflate) => {
    const server = new WebSocketServer({ noServer: true, perMessageDeflate });
    server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      socket.on('message', (data) => {
        heard.push(String(data));
        if (script === undefined || heard.length !== script.awaits) return;
        for (const [at, message] of script.says.entries()) say(socket, message, script, at < pingsMax);
        socket.close(1000);
      });
    });
    return server;
  });
  const origin = await startOrigin({
    names,
    onUpgrade: (request, socket, head) => {
      const server = script?.compresses ? compressing : plain;
      server?.handleUpgrade(request, socket, head, (webSocket) => server.emit('connection', webSocket, request));
    },
  });
  const play = (next: SocketScript) => {
    script = next;
    heard = [];
    return heard;
  };
  return { ...origin, play };
}

/** Sends a message in one frame, or in three with a ping between them, cut anywhere: also within a character. */
function say(socket: WebSocket, message: string, { isBinary, isFragmented }: Framing, pings: boolean): void {
  const bytes = Buffer.from(message);
  const cuts = isFragmented ? [Math.floor(bytes.length / 3), Math.floor((2 * bytes.length) / 3)] : [];
  let from = 0;
  for (const [at, to] of [...cuts, bytes.length].entries()) {
    socket.send(bytes.subarray(from, to), { binary: isBinary, fin: at === cuts.length });
    if (pings && at === 0 && cuts.length > 0) socket.ping('between');
    from = to;
  }
}
