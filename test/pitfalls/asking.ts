/** Ways to request values through the gateway that others have masked, with everything a sender can choose. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { encodeWebSocketFrame, WebSocketParser } from '../../core/stream/websocket.ts';
import type { Gateway } from '../support/gateway.ts';
import type { OriginHandler } from '../support/origin.ts';
import { openHttp2, openTls, sendRaw } from '../support/tunnel.ts';

/**
 * How a request is sent: over HTTP/1.1 (`stream`: answered with events), HTTP/2, as a WebSocket of either, or in plain
 * HTTP.
 */
export type Way = 'http1' | 'stream' | 'http2' | 'websocket' | 'websocket2' | 'plain';

/**
 * The sender and the request. Without a user the address counts; `fields` are header lines, `get` is a path to fetch.
 */
export type Caller = {
  readonly way?: Way;
  readonly user?: string;
  readonly from?: string;
  readonly host: string;
  readonly query?: string;
  readonly get?: string;
  readonly fields?: readonly string[];
  readonly protocols?: string;
};

/** Every number that may have been assigned, and spellings that are restored as well. */
export const askedTokens = [
  ...Array.from({ length: 150 }, (_, i) => `[EMAIL-${i + 1}]`),
  ...[1, 2, 3].flatMap((n) => [`[email_${n}]`, `\uff3bEMAIL-${n}\uff3d`]),
].join(' ');

/**
 * A service that repeats what it receives, as one under a prompt injection would; with GET it serves files that contain
 * the tokens.
 */
export const parrot: OriginHandler = (request, response) => {
  const [type, text] = answerOf(request.method, request.url, request.body.toString());
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(text);
};

function answerOf(method: string, url: string, body: string): readonly [type: string, text: string] {
  if (method === 'GET') {
    const path = url.split('?', 1)[0] ?? '';
    if (path.endsWith('.html')) return ['text/html; charset=utf-8', `<!doctype html><p>${askedTokens}</p>`];
    if (path.endsWith('.txt')) return ['text/plain; charset=utf-8', askedTokens];
    return ['application/json', JSON.stringify({ text: askedTokens })];
  }
  const { messages, stream } = JSON.parse(body);
  const content = messages[0].content as string;
  if (!stream) return ['application/json', JSON.stringify({ choices: [{ message: { content } }] })];
  return ['text/event-stream', `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\ndata: [DONE]\n\n`];
}

/** The response to a text that somebody sends. */
export async function ask(gateway: Gateway, caller: Caller, content: string): Promise<string> {
  const { way = 'http1', user, from, host, query = '', get, fields = [], protocols } = caller;
  const signIn =
    user === undefined ? [] : [`Proxy-Authorization: Basic ${Buffer.from(`${user}:${user}-pass`).toString('base64')}`];
  const tunnel = { fields: signIn, ...(from === undefined ? {} : { from }) };
  const body = JSON.stringify({ stream: way === 'stream', messages: [{ role: 'user', content }] });
  const [method, path] = get === undefined ? ['POST', `/v1/chat/completions${query}`] : ['GET', get];
  const withBody =
    get === undefined
      ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, '', body]
      : ['', ''];
  const pairs = fields.map((line) => line.split(/: (.*)/, 2) as [string, string]);

  switch (way) {
    case 'http1':
    case 'stream': {
      const socket = await openTls(gateway, `${host}:443`, tunnel);
      const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...fields, ...withBody];
      return (await sendRaw(socket, lines.join('\r\n')).finally(() => socket.destroy())).body.toString();
    }
    case 'plain': {
      const socket = connect({ port: gateway.proxyPort, host: '127.0.0.1', localAddress: from ?? '127.0.0.1' });
      const lines = [`${method} http://${host}${path} HTTP/1.1`, `Host: ${host}`, ...signIn, ...fields, ...withBody];
      return (await sendRaw(socket, lines.join('\r\n')).finally(() => socket.destroy())).body.toString();
    }
    case 'http2': {
      const session = await openHttp2(gateway, `${host}:443`, tunnel);
      const head = Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
      const type = get === undefined ? { 'content-type': 'application/json' } : {};
      const stream = session.request({ ':method': method, ':path': path, ...type, ...head });
      stream.end(get === undefined ? body : undefined);
      let text = '';
      for await (const chunk of stream.setEncoding('utf8')) text += chunk;
      session.destroy();
      return text;
    }
    case 'websocket': {
      const socket = await openTls(gateway, `${host}:443`, tunnel);
      const options = { headers: Object.fromEntries(pairs), createConnection: () => socket };
      const ws = new WebSocket(`wss://${host}/v1/realtime${query}`, protocols?.split(', ') ?? [], options);
      await once(ws, 'open');
      ws.send(body);
      const [data] = await once(ws, 'message');
      ws.terminate();
      return String(data);
    }
    case 'websocket2': {
      const session = await openHttp2(gateway, `${host}:443`, tunnel);
      await once(session, 'remoteSettings');
      const stream = session.request({
        ':method': 'CONNECT',
        ':protocol': 'websocket',
        ':scheme': 'https',
        ':authority': host,
        ':path': `/v1/realtime${query}`,
        'sec-websocket-version': '13',
        ...(protocols === undefined ? {} : { 'sec-websocket-protocol': protocols }),
        ...Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value])),
      });
      stream.write(encodeWebSocketFrame('text', Buffer.from(body), Buffer.from('mask')));
      const parser = new WebSocketParser({ fromClient: false, messageBytesMax: 1 << 20 });
      for await (const chunk of stream) {
        const [message] = parser.push(chunk as Buffer);
        if (message === undefined) continue;
        session.destroy();
        return Buffer.from(message.payload).toString();
      }
      throw new Error('the WebSocket ended without a message');
    }
  }
}
