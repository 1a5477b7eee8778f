/** Our HTTP/1.1 parser against strict llhttp: llhttp parses identically whatever ours accepts, however it is split. */
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { PrivetError } from '../../../core/errors.ts';
import { Pools } from '../../../gateway/http1/pool.ts';
import { Http1Server } from '../../../gateway/http1/server.ts';
import { checkFraming, parseAbsoluteTarget } from '../../../gateway/proxy/request/target.ts';
import { isWebSocketUpgrade } from '../../../gateway/proxy/websocket/websocket.ts';
import { seedOf } from '../random.ts';
import { type FuzzTarget, mustEqual } from '../target.ts';

type Message = { line: string; fields: readonly string[]; body: string; isComplete: boolean };
/** Messages in order; `last` says what came instead of another one. */
type Reading = { readonly messages: Message[]; last: string };

const require = createRequire(import.meta.url);
const { HTTPParser, methods } = require('node:_http_common') as {
  HTTPParser: new () => Record<string | number, unknown> & {
    initialize(type: number, resource: object, maxHeader: number, lenient: number): void;
    execute(bytes: Buffer): number | Error;
    finish(): unknown;
  };
  methods: string[];
};
const constants = HTTPParser as unknown as Record<string, number>;

/** `skips`: the responses have no body, whatever they declare. `ends`: the connection ends after the bytes. */
function llhttp(bytes: Buffer, kind: 'REQUEST' | 'RESPONSE', { skips = false, ends = false } = {}): Reading {
  const reading: Reading = { messages: [], last: '' };
  for (let rest = bytes; rest.length > 0; ) {
    const parser = new HTTPParser();
    parser.initialize(constants[kind] as number, {}, 65_536, 0);
    let fields: string[] = [];
    let isTaken = false;
    let current: Message | undefined;
    let flushed = '';
    parser[constants.kOnHeaders as number] = (more: string[], url: string) => {
      fields.push(...more);
      flushed += url;
    };
    parser[constants.kOnHeadersComplete as number] = (
      _major: number,
      minor: number,
      inline: string[] | undefined,
      method: number,
      url: string,
      status: number,
      message: string,
    ) => {
      const line =
        kind === 'REQUEST'
          ? `${methods[method]} ${url ?? flushed} HTTP/1.${minor}`
          : `HTTP/1.${minor} ${status} ${message}`;
      current = { line, fields: [...fields, ...(inline ?? [])], body: '', isComplete: false };
      fields = [];
      flushed = '';
      reading.messages.push(current);
      isTaken = kind === 'REQUEST' && isHandedOver(line, current.fields);
      if (isTaken) return 2;
      return skips && status >= 200 ? 1 : 0;
    };
    parser[constants.kOnBody as number] = (piece: Buffer) => {
      if (current) current.body += piece.toString('latin1');
    };
    parser[constants.kOnMessageComplete as number] = () => {
      if (current) current.isComplete = true;
      fields = [];
      flushed = '';
    };
    const consumed = parser.execute(rest);
    if (typeof consumed !== 'number') {
      reading.last = 'refused';
      return reading;
    }
    rest = rest.subarray(consumed);
    if (isTaken) {
      const taken = reading.messages.pop() as Message;
      reading.last = `over ${taken.line} ${JSON.stringify(taken.fields)} ${rest.toString('latin1')}`;
      return reading;
    }
    if (ends && rest.length === 0) parser.finish();
    // It stops after an unhandled upgrade: a parser that consumes nothing will never consume more.
    if (consumed === 0) break;
  }
  return reading;
}

function isHandedOver(line: string, rawHeaders: readonly string[]): boolean {
  const method = line.slice(0, line.indexOf(' '));
  return method === 'CONNECT' || isWebSocketUpgrade({ method, rawHeaders });
}

/** A connection without a network; `push` delivers data from the peer. */
class Wire extends Duplex {
  written = '';
  constructor() {
    super({ allowHalfOpen: true, read() {} });
  }
  override _write(chunk: Buffer, _encoding: unknown, done: () => void): void {
    this.written += chunk.toString('latin1');
    done();
  }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

async function ownRequests(pieces: readonly Buffer[]): Promise<Reading> {
  const reading: Reading = { messages: [], last: '' };
  const socket = new Wire();
  socket.on('error', () => {});
  const over = (name: string, head: { method: string; url: string; httpVersion: string; rawHeaders: string[] }) =>
    `${name} ${head.method} ${head.url} HTTP/${head.httpVersion} ${JSON.stringify(head.rawHeaders)} `;
  let taken: string | undefined;
  const take: ConstructorParameters<typeof Http1Server>[0]['connect'] = (request, _socket, behind) => {
    taken = over('over', request) + behind.toString('latin1');
    // Everything after an upgrade belongs to its handler.
    socket.on('data', (bytes: Buffer) => {
      taken += bytes.toString('latin1');
    });
    socket.resume();
  };
  const server = new Http1Server(
    {
      framing: ({ major, minor, fields }) =>
        checkFraming({ httpVersionMajor: major, httpVersionMinor: minor, rawHeaders: fields }),
      isUpgrade: isWebSocketUpgrade,
      connect: take,
      upgrade: take,
      malformed: () => {
        reading.last = 'refused';
      },
      request: (request, response) => {
        const line = `${request.method} ${request.url} HTTP/1.${request.httpVersionMinor}`;
        const message = { line, fields: request.rawHeaders, body: '', isComplete: false };
        try {
          checkFraming(request);
          if (!methods.includes(request.method)) throw new PrivetError('bad_request', 'not known to llhttp');
          if (request.url === '*' && request.method !== 'OPTIONS') throw new PrivetError('bad_request', '*');
          if (!/^[/*]/.test(request.url)) parseAbsoluteTarget(request.url, request.method);
        } catch (error) {
          if (!(error instanceof PrivetError)) throw error;
          reading.last = 'refused';
          response.destroy();
          return;
        }
        reading.messages.push(message);
        request.collect(1 << 20).then(
          ({ body }) => {
            message.body = body.toString('latin1');
            message.isComplete = true;
            response.writeHead(200, '', ['Content-Length', '0']);
            response.end();
          },
          () => {},
        );
      },
    },
    { headerMs: 60_000, keepAliveMs: 60_000 },
  );
  server.serve(socket as unknown as Socket);
  for (const piece of pieces) {
    if (socket.destroyed || reading.last !== '') break;
    socket.push(piece);
    await settled();
  }
  await settled();
  if (taken !== undefined) reading.last = taken;
  socket.destroy();
  await settled();
  return reading;
}

type Answer = Reading & { trailers: string; isKept: boolean };

async function ownAnswers(pieces: readonly Buffer[], method: string): Promise<Answer> {
  const answer: Answer = { messages: [], last: '', trailers: '', isKept: false };
  const socket = new Wire();
  const pools = new Pools({
    connect: (_origin, callback) => callback(null, socket as unknown as Socket),
    firstByteMs: 60_000,
    bodyIdleMs: 60_000,
    keepAliveMs: 60_000,
    connectionsMax: 1,
  });
  let ends = 0;
  pools.dispatch(
    'http://a.example',
    { method, path: '/', fields: ['Host', 'a.example'], body: null },
    {
      onResponseStart(controller, status, _fields, text) {
        const fields = [...(controller.rawHeaders as string[])];
        answer.messages.push({ line: `${status} ${text}`, fields, body: '', isComplete: status < 200 });
      },
      onResponseData(_controller, bytes) {
        (answer.messages.at(-1) as Message).body += bytes.toString('latin1');
      },
      onResponseEnd(_controller, trailers) {
        ends++;
        (answer.messages.at(-1) as Message).isComplete = true;
        answer.trailers = JSON.stringify(trailers);
      },
      onResponseError(_controller, error) {
        ends++;
        answer.last = (error as { code?: string }).code === 'HTTP1_CLOSED' ? 'closed' : 'refused';
      },
    },
  );
  for (const piece of pieces) {
    if (socket.destroyed) break;
    socket.push(piece);
    await settled();
  }
  answer.isKept = !socket.destroyed && ends > 0;
  if (!socket.destroyed) socket.push(null);
  await settled();
  pools.destroy();
  await settled();
  mustEqual(ends, 1, 'ends told');
  return answer;
}

/** Splits bytes into two to four pieces, depending on a number. */
function cut(input: Buffer, seed: number): Buffer[] {
  const places = [seed, seed >>> 5, seed >>> 11].map((place) => place % (input.length + 1)).toSorted((a, b) => a - b);
  return [...places, input.length]
    .map((to, i) => input.subarray(places[i - 1] ?? 0, to))
    .filter(({ length }) => length > 0);
}

const words = [
  '\r\n',
  '\r\n\r\n',
  '\r',
  '\n',
  ' ',
  '\t',
  ':',
  ', ',
  'Content-Length: 5\r\n',
  'Content-Length: 0\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: identity\r\n',
  'Connection: close\r\n',
  'Connection: keep-alive\r\n',
  'Connection: upgrade\r\nUpgrade: x\r\n',
  'HTTP/1.0',
  'HTTP/1.1',
  '5\r\nhello\r\n',
  '0\r\n\r\n',
  '0\r\nX: y\r\n\r\n',
  '00000000000000000005',
  ';a=b',
  ';a="b;\\"c"',
  ';',
  '\x00',
  '\x7f',
  '\xff',
  '\x80',
];
const host = 'Host: a.example\r\n';

/** Drops an aborted or incomplete message: whether it was reported depends on the pieces. */
function completeOf({ messages, last }: Reading): Reading {
  return { messages: messages.filter(({ isComplete }) => isComplete), last };
}

/** Requests of one connection. */
export const requests: FuzzTarget = {
  seeds: () => [
    `GET / HTTP/1.1\r\n${host}\r\nGET http://a.example/2?q HTTP/1.1\r\n${host}Accept: */*\r\n\r\n`,
    `\r\nPOST / HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nhelloPOST /2 HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n3\r\nabc\r\n0\r\nX-T: 1\r\n\r\nGET /3 HTTP/1.0\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host}\r\nCONNECT a.example:443 HTTP/1.1\r\n${host}\r\nbehind`,
    `GET / HTTP/1.1\r\n${host}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\nbehind`,
    `POST / HTTP/1.1\r\n${host}Expect: 100-continue\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nab\r\n\r\nOPTIONS * HTTP/1.1\r\n${host}\r\n`,
  ],
  words: [...words, host, 'Upgrade: websocket\r\n', 'Expect: 100-continue\r\n', 'GET / HTTP/1.1\r\n', 'CONNECT a:1 '],
  bytesMax: 1_500,
  async run(input) {
    const own = completeOf(await ownRequests([input]));
    const pieces = completeOf(await ownRequests(cut(input, seedOf(input))));
    // For invalid input, one parser may wait for more while the other already refuses.
    const isOpen = [own.last, pieces.last].toSorted().join() === ',refused';
    mustEqual(isOpen ? pieces.messages : pieces, isOpen ? own.messages : own, 'cut');
    const other = llhttp(input, 'REQUEST');
    mustEqual(other.messages.slice(0, own.messages.length), own.messages, 'llhttp on what ours accepts');
    if (own.last.startsWith('over ')) {
      const [, method, target, version] = own.last.split(' ');
      // The handler judges target and version, and framing fields of CONNECT have no meaning.
      const isPlain = method === 'CONNECT' ? /^[a-z0-9.-]+:\d+$/i : /^\//;
      const isOdd = !isPlain.test(target ?? '') || !/^HTTP\/1\.[01]$/.test(version ?? '');
      if (!isOdd && !/content-length|transfer-encoding/i.test(own.last)) mustEqual(other.last, own.last, 'handed over');
    }
    return undefined;
  },
};

/** The response to one request, to HEAD if the first byte of the input says so. */
export const answers: FuzzTarget = {
  seeds: () => [
    'GHTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello',
    'GHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n3\r\nabc\r\n0\r\nX-T: 1\r\n\r\n',
    'GHTTP/1.0 200 OK\r\nServer: x\r\n\r\nuntil the end',
    'GHTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    'HHTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: keep-alive, x\r\n\r\n',
    'GHTTP/1.1 304\r\nETag: "x"\r\nKeep-Alive: timeout=5\r\n\r\n',
    'GHTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nbody',
  ],
  words: [
    ...words,
    'HTTP/1.1 204 No Content\r\n',
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 101 x\r\n',
    'HTTP/1.1 200',
  ],
  bytesMax: 1_500,
  async run(input) {
    const method = input[0] === 0x48 ? 'HEAD' : 'GET';
    const bytes = input.subarray(1);
    if (bytes.length === 0) return undefined;
    const own = await ownAnswers([bytes], method);
    const pieces = await ownAnswers(cut(bytes, seedOf(input)), method);
    // On a kept connection, pieces are read one by one, so bytes after the end arrive later.
    mustEqual({ ...pieces, isKept: false }, { ...own, isKept: false }, 'cut');
    const last = own.messages.at(-1);
    if (!last?.isComplete || own.last !== '') return undefined;
    const other = llhttp(bytes, 'RESPONSE', { skips: method === 'HEAD', ends: true });
    // llhttp expects nothing after an interim response with `close` or HTTP/1.0.
    if (other.messages.length < own.messages.length && /^HTTP\/1\.. 1/.test(other.messages.at(-1)?.line ?? ''))
      return undefined;
    const shared = other.messages.slice(0, own.messages.length).map((one) => ({ ...one, line: one.line.slice(9) }));
    mustEqual(shared, own.messages, 'llhttp on what ours accepts');
    if (own.isKept) mustEqual([other.messages.length, other.last], [own.messages.length, ''], 'a connection is kept');
    return undefined;
  },
};
