/**
 * The origin breaks off at every byte of its response, and of the request that it reads: the client's data is correct
 * as far as it goes and visibly cut, never wrong, never half a value, never silent, and no connection stays open.
 *
 * `npm test` tries some of the positions; `EVERY_BYTE=1 npx vitest run test/pitfalls/resets.test.ts` tries all.
 */

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { encodeWebSocketFrame } from '../../core/stream/websocket.ts';
import { TestAuthority } from '../support/authority.ts';
import { type Cut, type CutOrigin, startCutHttp2, startCutOrigin } from '../support/cut-origin.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { askOver, type Outcome, outcomeOfStream } from '../support/outcome.ts';
import { tokensIn } from '../support/provider.ts';
import { openHttp2, openTunnel } from '../support/tunnel.ts';

const [host, h2Host] = ['api.openai.com', 'api.anthropic.com'];
const values = ['hanako.yamada@example.co.jp', '4111 1111 1111 1111'];
const content = `Write to ${values.join(' about ')}`;
const say = (names: readonly string[]) => `To ${names.join(' ')}: "done" 👍 ${names[0]}.`;
const expected = say(values);
const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
const positionsMax = process.env.EVERY_BYTE === '1' ? Number.POSITIVE_INFINITY : 40;

const authority = new TestAuthority();
/** The origin's responses. */
let form: Form;

type Form = {
  readonly name: string;
  readonly kind: 'json' | 'events' | 'text';
  readonly head: string;
  readonly body: (text: string) => Buffer;
};

const json = (text: string) =>
  JSON.stringify({ choices: [{ message: { content: text } }], usage: { total_tokens: 9 } });
const events = (text: string) =>
  `${(text.match(/[\s\S]{1,4}/gu) ?? []).map((piece) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: piece } }] })}\n\n`).join('')}data: [DONE]\n\n`;
/** In pieces that also split characters and tokens. */
function chunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 70) {
    const piece = bytes.subarray(at, at + 70);
    parts.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

const ofLength = 'Content-Length: ?';
const inChunks = 'Transfer-Encoding: chunked';
const forms: readonly Form[] = [
  {
    name: 'JSON of a known length',
    kind: 'json',
    head: `Content-Type: application/json\r\n${ofLength}`,
    body: (text) => Buffer.from(json(text)),
  },
  {
    name: 'JSON in chunks',
    kind: 'json',
    head: `Content-Type: application/json\r\n${inChunks}`,
    body: (text) => chunked(Buffer.from(json(text))),
  },
  {
    name: 'events in chunks',
    kind: 'events',
    head: `Content-Type: text/event-stream\r\n${inChunks}`,
    body: (text) => chunked(Buffer.from(events(text))),
  },
  {
    name: 'events in chunks, compressed',
    kind: 'events',
    head: `Content-Type: text/event-stream\r\nContent-Encoding: gzip\r\n${inChunks}`,
    body: (text) => chunked(gzipSync(events(text))),
  },
  {
    name: 'text of a known length',
    kind: 'text',
    head: `Content-Type: text/plain\r\n${ofLength}`,
    body: (text) => Buffer.from(text),
  },
];

const origin = await startCutOrigin((received) =>
  /^upgrade: websocket/im.test(received) ? socketAnswer(received) : httpAnswer(received),
);
const h2Origin = await startCutHttp2(authority.issue({ names: [h2Host as string] }), (stream, sent) => {
  stream.respond({ ':status': 200, 'content-type': 'text/event-stream' });
  stream.end(events(say(tokensIn(sent))));
  // The next request needs a new connection, so that it is cut from its beginning.
  const { session } = stream;
  stream.once('close', () => session?.close());
});
const gateway = await startGatewayProcess({
  authority,
  hosts: { [host as string]: origin.address, [h2Host as string]: h2Origin.address },
});
afterAll(async () => {
  await Promise.all([origin?.close(), h2Origin?.close()]);
});

function httpAnswer(received: string): Buffer {
  const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
  const at = received.indexOf('\r\n\r\n');
  if (at < 0 || received.length < at + 4 + length) return Buffer.alloc(0);
  const sent = form.body(say(tokensIn(received)));
  const head = `HTTP/1.1 200 OK\r\nConnection: close\r\n${form.head.replace('?', String(sent.length))}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), sent]);
}

/** One request on a separate connection. */
async function ask(): Promise<Outcome> {
  const socket = connect(gateway.proxyPort, '127.0.0.1').on('error', () => undefined);
  const outcome = await askOver(
    socket,
    `POST http://${host}/v1/chat/completions HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer one\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  socket.destroy();
  return outcome;
}

/** What an event parser gets from a stream, whole events only: parsers drop others (HTML §9.2.6). */
function contentOf(stream: string): string {
  const whole = stream.slice(0, stream.lastIndexOf('\n\n') + 2);
  return [...whole.matchAll(/^data: (\{.*)$/gm)]
    .map(
      ([, data]) =>
        (JSON.parse(data ?? '') as { choices: { delta: { content?: string } }[] }).choices[0]?.delta.content ?? '',
    )
    .join('');
}

/** Whether a truncated text is a prefix of the correct one; it may end with the beginning of a token. */
function isBeginning(text: string): boolean {
  if (expected.startsWith(text)) return true;
  const at = text.lastIndexOf('[');
  return at >= 0 && expected.startsWith(text.slice(0, at)) && /^\[[A-Z_]*(?:-\d*)?$/.test(text.slice(at));
}

/** Positions in a response of this length: those at both ends, and others in between. */
function positionsOf(length: number): number[] {
  const step = Math.max(1, Math.floor(length / positionsMax));
  const all = Array.from({ length: length - 1 }, (_, i) => i + 1);
  return all.filter((at) => at % step === 0 || at < 4 || at > length - 8);
}

const descriptors = () => readdirSync(`/proc/${gateway.pid}/fd`).length;

/** No more descriptors than before, once all connections have closed. */
async function expectNoLeak(before: number): Promise<void> {
  await expect.poll(descriptors).toBeLessThanOrEqual(before);
}

/** Tries every position with both kinds of end, in parallel as far as the origin can distinguish them. */
async function overPositions(
  target: CutOrigin,
  length: number,
  kind: 'answer' | 'request',
  attempt: (cut: Cut) => Promise<string | undefined>,
) {
  const wrong: string[] = [];
  for (const at of positionsOf(length)) {
    for (const how of ['fin', 'rst'] as const) {
      const cut: Cut = { [kind]: at, how };
      target.cut = cut;
      const fault = await attempt(cut);
      if (fault !== undefined) wrong.push(`${kind} byte ${at} of ${length}, ${how}: ${fault}`);
    }
  }
  target.cut = { how: 'fin' };
  return wrong;
}

test.each(forms)(
  'a response that breaks off is cut, and correct up to there: $name',
  async (one) => {
    form = one;
    const whole = await ask();
    const read = (text: string) => {
      if (one.kind === 'events') return contentOf(text);
      return one.kind === 'text' ? text : (JSON.parse(text) as ChatAnswer).choices[0]?.message.content;
    };
    expect([whole.status, whole.isComplete, read(whole.text)]).toEqual([200, true, expected]);
    const before = descriptors();
    const length = httpAnswer(origin.received.at(-1) as string).length;
    const wrong = await overPositions(origin, length, 'answer', async () => {
      const { status, isComplete, text: got } = await ask();
      // A character may also be truncated.
      const text = got.replace(/\ufffd+$/, '');
      if (status !== 200) return [0, 502].includes(status) ? undefined : `status ${status}`;
      if (isComplete) return `complete: ${text}`;
      if (one.kind === 'events') return isBeginning(contentOf(text)) ? undefined : `content ${contentOf(text)}`;
      if (one.kind === 'text') return isBeginning(text) ? undefined : `text ${text}`;
      // A document cannot be parsed before its end, so it is forwarded unchanged.
      const asItCame = json(say(tokensIn(origin.received.at(-1) as string)));
      return asItCame.startsWith(text) ? undefined : `text ${text}`;
    });
    expect(wrong).toEqual([]);
    expect((await ask()).isComplete).toBe(true);
    await expectNoLeak(before);
  },
  240_000,
);
type ChatAnswer = { readonly choices: readonly { readonly message: { readonly content: string } }[] };

test('a request that breaks off while being read is an error, and not retried', async () => {
  form = forms[0] as Form;
  await ask();
  const length = (origin.received.at(-1) as string).length;
  const before = descriptors();
  const wrong = await overPositions(origin, length, 'request', async () => {
    const sentBefore = origin.received.length;
    const { status, isComplete, text } = await ask();
    const times = origin.received.length - sentBefore;
    if (times > 1) return `sent ${times} times`;
    return status === 502 && isComplete && text.includes('"upstream_failed"') ? undefined : `${status} ${text}`;
  });
  expect(wrong).toEqual([]);
  expect(values.filter((value) => origin.received.join().includes(value))).toEqual([]);
  await expectNoLeak(before);
}, 240_000);

test('an h2 response that breaks off is reset, and correct up to there', async () => {
  const session = await openHttp2(gateway, `${h2Host}:443`);
  const askH2 = () => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/v1/chat/completions',
      'content-type': 'application/json',
      authorization: 'Bearer one',
    });
    stream.end(body);
    return outcomeOfStream(stream);
  };
  const whole = await askH2();
  expect([whole.status, whole.isComplete, contentOf(whole.text)]).toEqual([200, true, expected]);
  await expect.poll(() => h2Origin.open()).toBe(0);
  const length = h2Origin.sent();
  const before = descriptors();
  const wrong = await overPositions(h2Origin, length, 'answer', async ({ answer = 0 }) => {
    const { status, isComplete, text } = await askH2();
    if (status === 200 && isComplete && contentOf(text) === expected)
      return answer > length - 40 ? undefined : 'complete';
    if (status !== 200) return [0, 502].includes(status) ? undefined : `status ${status}`;
    if (isComplete) return `complete: ${text}`;
    return isBeginning(contentOf(text)) ? undefined : `content ${contentOf(text)}`;
  });
  expect(wrong).toEqual([]);
  session.destroy();
  await expectNoLeak(before);
}, 240_000);

/** The response to an upgrade, and two messages once the client has sent one. */
function socketAnswer(received: string): Buffer {
  const at = received.indexOf('\r\n\r\n');
  if (at < 0) return Buffer.alloc(0);
  const key = /sec-websocket-key: (\S+)/i.exec(received)?.[1] ?? '';
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  const head = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
  const frame = Buffer.from(received.slice(at + 4), 'latin1');
  const tokens = frame.length < 6 ? [] : tokensIn(unmasked(frame));
  if (tokens.length < 2) return Buffer.from(head);
  const messages = [say(tokens), 'second'].map((text) => encodeWebSocketFrame('text', Buffer.from(text)));
  return Buffer.concat([Buffer.from(head), ...messages]);
}

/** The text of one short masked frame (RFC 6455 §5.2). */
function unmasked(frame: Buffer): string {
  const at = (frame[1] as number) === 0xfe ? 4 : 2;
  return Buffer.from(frame.subarray(at + 4).map((byte, i) => byte ^ (frame[at + (i % 4)] as number))).toString();
}

test('a WebSocket that breaks off ends without a close frame, after complete messages', async () => {
  const talk = async () => {
    const { socket } = await openTunnel(gateway, `${host}:80`);
    socket.resume();
    const client = new WebSocket(`ws://${host}/v1/realtime`, {
      createConnection: () => socket as never,
      perMessageDeflate: false,
    });
    const got: string[] = [];
    const ended = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`silence after ${got.length} messages`)), 120_000);
      const finish = (how: string) => {
        clearTimeout(timer);
        client.terminate();
        resolve(how);
      };
      client.on('open', () => client.send(content));
      client.on('message', (data) => {
        got.push(String(data));
        if (got.length === 2) finish('whole');
      });
      client.on('close', (code) => finish(String(code)));
      client.on('error', () => finish('error'));
    });
    return { got, ended };
  };
  expect(await talk()).toEqual({ got: [expected, 'second'], ended: 'whole' });
  const before = descriptors();
  const length = socketAnswer(origin.received.at(-1) as string).length;
  const wrong = await overPositions(origin, length, 'answer', async () => {
    const { got, ended } = await talk();
    if (got.some((text, i) => text !== [expected, 'second'][i])) return `got ${got.join(' | ')}`;
    return ['1006', 'error'].includes(ended) && got.length < 2 ? undefined : `${ended} after ${got.length}`;
  });
  expect(wrong).toEqual([]);
  await expectNoLeak(before);
}, 240_000);
