/** Bytes against a real gateway process: it has to live, to stay small, and to send on only what every parser reads alike. */
import { readFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls, createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { TestAuthority } from '../../../test/support/authority.ts';
import { type Gateway, startGateway } from '../../../test/support/gateway.ts';
import { readAnswers, readRequests } from '../../../test/support/strict-http.ts';
import { seedOf } from '../random.ts';
import { type FuzzTarget, must, mustEqual } from '../target.ts';
import { clientHello } from './hello.ts';

const plainHost = 'plain.example';
const secureHost = 'chatgpt.com';
/** No answer within this time is none; the machine may be busy. */
const answerMs = 15_000;
/** Silence after which a try is over, where the gateway waits for more. */
const silenceMs = 30;
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: text/plain\r\n\r\nok';

/** Origins that keep whether what they are sent is read alike by all. */
class Origins {
  /** Start lines of requests since the last try. */
  readonly heads: string[] = [];
  fault: string | undefined;
  /** What the next requests for `/x` are answered with. */
  answer = ok;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();

  /** A plain origin, or one with TLS. */
  async listen(authority?: TestAuthority): Promise<string> {
    const take = (socket: Socket) => this.#take(socket);
    const server =
      authority === undefined
        ? createServer({ noDelay: true }, take)
        : createTlsServer({ ...authority.issue({ names: [secureHost] }), ALPNProtocols: ['http/1.1'] }, take);
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  close(): void {
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #take(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.#sockets.delete(socket));
    let bytes = Buffer.alloc(0);
    let answered = 0;
    let counted = 0;
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      const { messages, heads, rest, reason } = readRequests(bytes);
      this.heads.push(...heads.slice(counted).filter((one) => !one.includes(' /health ')));
      counted = heads.length;
      for (const { start } of messages.slice(answered)) {
        const path = start.split(' ')[1] ?? '';
        socket.write(path.startsWith('/x') ? this.answer : ok, 'latin1');
        if (path.startsWith('/x')) socket.end();
      }
      answered = messages.length;
      if (rest === 'malformed')
        this.fault ??= `the origin got what is no HTTP (${reason}): ${JSON.stringify(bytes.toString('latin1').slice(-400))}`;
      if (rest !== 'none') return;
      bytes = Buffer.alloc(0);
      [answered, counted] = [0, 0];
    });
  }
}

const authority = new TestAuthority();
let origins = new Origins();
let gateway: Gateway | undefined;
let read = 0;
let tries = 0;
let warmKiB = 0;

async function open(): Promise<void> {
  origins = new Origins();
  const [plain, secure] = [await origins.listen(), await origins.listen(authority)];
  const start = () => startGateway({ authority, hosts: { [plainHost]: plain, [secureHost]: secure } });
  // On a busy machine a start can take longer than tests wait for it.
  gateway = await start().catch(start).catch(start);
  [read, tries, warmKiB] = [0, 0, 0];
}

async function close(): Promise<void> {
  origins.close();
  await gateway?.stop();
}

function running(): Gateway {
  if (gateway === undefined) throw new Error('the target is not open');
  return gateway;
}

/** The gateway closed every connection of the try, so that nothing of it is under way any more. */
let isSettled = true;

/** Sends bytes; what came back until the peer ended, fell silent, or all is said. */
async function exchange(
  socket: Socket | TLSSocket,
  bytes: Buffer | string,
  isDone?: (sofar: Buffer) => boolean,
): Promise<Buffer> {
  if (!isSettled) await new Promise((resolve) => setTimeout(resolve, silenceMs * 2));
  isSettled = true;
  origins.heads.length = 0;
  origins.fault = undefined;
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(Buffer.concat(pieces));
    };
    const fallSilent = (): void => {
      isSettled = false;
      finish();
    };
    let timer = setTimeout(fallSilent, silenceMs * 4);
    socket.on('data', (piece: Buffer) => {
      pieces.push(piece);
      clearTimeout(timer);
      if (isDone?.(Buffer.concat(pieces))) finish();
      else timer = setTimeout(fallSilent, silenceMs);
    });
    socket.on('error', finish);
    socket.on('close', finish);
    socket.write(bytes);
    // What no answer is due to ends here; a client that ends its side while it waits for one has left.
    if (isDone === undefined) socket.end();
  });
}

/** True when as many answers are complete as there are complete requests in what was sent. */
function allAnswered(sent: Buffer): ((sofar: Buffer) => boolean) | undefined {
  const methods = readRequests(sent).messages.map(({ start }) => start.split(' ', 1)[0] as string);
  if (methods.length === 0) return undefined;
  return (sofar) => {
    const { messages, rest } = readAnswers(sofar, methods);
    const last = messages.filter(({ start }) => !start.startsWith('HTTP/1.1 1'));
    return rest === 'none' && last.length >= methods.length;
  };
}

function dial(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: running().proxyPort, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Answers of the gateway up to a test; rejects when there is none in time. */
function until(socket: Socket | TLSSocket, bytes: string, isDone: (sofar: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let sofar = '';
    const timer = setTimeout(
      () => reject(new Error(`no answer within ${answerMs} ms: ${JSON.stringify(sofar)}`)),
      answerMs,
    );
    const end = (): void => {
      clearTimeout(timer);
      socket.off('data', onData);
      resolve(sofar);
    };
    const onData = (piece: Buffer): void => {
      sofar += piece.toString('latin1');
      if (isDone(sofar)) end();
    };
    socket.on('data', onData);
    socket.once('close', end);
    socket.once('error', end);
    socket.write(bytes, 'latin1');
  });
}

async function tunnel(): Promise<Socket> {
  const socket = await dial();
  const head = await until(socket, `CONNECT ${secureHost}:443 HTTP/1.1\r\nHost: ${secureHost}:443\r\n\r\n`, (sofar) =>
    sofar.endsWith('\r\n\r\n'),
  );
  must(head.startsWith('HTTP/1.1 200'), `CONNECT was answered ${head.split('\r\n')[0]}`);
  return socket;
}

async function secureTunnel(protocol: string): Promise<TLSSocket> {
  const socket = await tunnel();
  const secure = connectTls({ socket, servername: secureHost, ca: running().ca, ALPNProtocols: [protocol] });
  await new Promise<void>((resolve, reject) => {
    secure.once('secureConnect', resolve);
    secure.once('error', reject);
    secure.once('close', () => reject(new Error('closed in the handshake')));
  });
  return secure;
}

/** What no process may write into its log. */
const alarm = /unhandled|uncaught|(?:Type|Range|Reference|Syntax)Error|AssertionError|ERR_INTERNAL|internal_error/i;

/** The process lives, says nothing bad, and serves the next request. */
async function judge(): Promise<void> {
  tries++;
  const { fault } = origins;
  origins.fault = undefined;
  must(fault === undefined, fault ?? '');
  const output = running().output();
  const line = output
    .slice(read)
    .split('\n')
    .find((one) => alarm.test(one));
  read = output.length;
  must(line === undefined, `the log says: ${line?.slice(0, 500)}`);
  if (tries % 16 !== 1) return;
  const socket = await dial();
  const answer = await until(
    socket,
    `GET http://${plainHost}/health HTTP/1.1\r\nHost: ${plainHost}\r\nConnection: close\r\n\r\n`,
    (sofar) => sofar.endsWith('ok'),
  );
  socket.destroy();
  must(
    answer.startsWith('HTTP/1.1 200') && answer.endsWith('ok'),
    `a plain request was answered ${JSON.stringify(answer.slice(0, 200))}`,
  );
  const kiB = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${running().pid}/status`, 'utf8'))?.[1]);
  if (tries > 300 && warmKiB === 0) warmKiB = kiB;
  must(warmKiB === 0 || kiB < warmKiB + 300_000, `memory grew from ${warmKiB} to ${kiB} KiB`);
}

/** The kinds of answers, as progress. */
function sign(answer: Buffer): string {
  const text = answer.toString('latin1');
  const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map((match) => match[1]).slice(0, 6);
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? '';
  return `${statuses.join()} ${code} ${origins.heads.map((head) => head.split(' ')[0]?.length).join()}`;
}

const requestWords = [
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\r',
  ' ',
  '\t',
  '\0',
  'GET ',
  'POST ',
  'CONNECT ',
  'OPTIONS ',
  'HTTP/1.0',
  'HTTP/1.1',
  `http://${plainHost}/`,
  `Host: ${plainHost}`,
  'Content-Length: 3',
  'Content-Length: 0',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Connection: close',
  'Connection: Content-Length',
  'Expect: 100-continue',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  'Sec-WebSocket-Version: 13',
  'TE: trailers',
  'Trailer: X',
  '0\r\n\r\n',
  '3\r\nabc\r\n',
  '3;a=b\r\n',
  'ffffffffffffffff',
  'Content-Encoding: gzip',
  'Content-Type: application/json',
  'Max-Forwards: 0',
  'Via: 1.1 privet',
  ' : ',
  '\r\n ',
];
const head = (target: string, ...fields: string[]) => [target, ...fields, '', ''].join('\r\n');

/** More requests than a strict reader finds in what was sent are smuggled ones. Asked again, as some come late. */
async function mustNotMultiply(input: Buffer, send: () => Promise<Buffer>): Promise<void> {
  const sent = readRequests(input).heads.length;
  for (let times = 0; origins.heads.length > sent || origins.fault !== undefined; times++) {
    const got = `${origins.heads.length} requests out of ${sent}: ${JSON.stringify(origins.heads)} ${origins.fault ?? ''}`;
    must(times < 3, got);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await send();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** HTTP/1 on the port of the proxy. */
export const http1: FuzzTarget = {
  seeds: () => [
    head(`GET http://${plainHost}/a HTTP/1.1`, `Host: ${plainHost}`, 'Accept: */*'),
    `${head(`POST http://${plainHost}/a HTTP/1.1`, `Host: ${plainHost}`, 'Content-Length: 3')}abc`,
    `${head(`POST http://${plainHost}/a HTTP/1.1`, `Host: ${plainHost}`, 'Transfer-Encoding: chunked')}3\r\nabc\r\n0\r\n\r\n`,
    `${head(`GET http://${plainHost}/a HTTP/1.1`, `Host: ${plainHost}`)}${head(`GET http://${plainHost}/b HTTP/1.1`, `Host: ${plainHost}`)}`,
    head(`CONNECT ${plainHost}:80 HTTP/1.1`, `Host: ${plainHost}:80`) + head('GET / HTTP/1.1', `Host: ${plainHost}`),
    head('GET /proxy.pac HTTP/1.1', 'Host: x'),
    head(
      `GET http://${plainHost}/ws HTTP/1.1`,
      `Host: ${plainHost}`,
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      'Sec-WebSocket-Version: 13',
    ),
  ],
  words: requestWords,
  bytesMax: 3000,
  open,
  close,
  async run(input) {
    const send = async () => exchange(await dial(), input, allAnswered(input));
    const answer = await send();
    // What a tunnel carries is not read.
    if (/CONNECT/i.test(input.toString('latin1'))) origins.fault = undefined;
    else await mustNotMultiply(input, send);
    const word = sign(answer);
    await judge();
    return word;
  },
};

const chat = '{"messages":[{"role":"user","content":"mail jo@example.com"}]}';

/** HTTP/1 inside an intercepted tunnel. */
export const intercepted: FuzzTarget = {
  seeds: () => [
    head('GET /a HTTP/1.1', `Host: ${secureHost}`),
    `${head('POST /v1/chat HTTP/1.1', `Host: ${secureHost}`, 'Content-Type: application/json', `Content-Length: ${chat.length}`)}${chat}`,
    `${head('POST /v1/chat HTTP/1.1', `Host: ${secureHost}`, 'Content-Type: application/json', 'Transfer-Encoding: chunked')}${chat.length.toString(16)}\r\n${chat}\r\n0\r\n\r\n`,
    head(
      'GET /ws HTTP/1.1',
      `Host: ${secureHost}`,
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      'Sec-WebSocket-Version: 13',
    ),
    `${head('POST /u HTTP/1.1', `Host: ${secureHost}`, 'Content-Type: multipart/form-data; boundary=b', 'Content-Length: 64')}--b\r\nContent-Disposition: form-data; name="a"\r\n\r\njo@example.com`,
  ],
  words: [
    ...requestWords,
    `Host: ${secureHost}`,
    'Host: other.example',
    'jo@example.com',
    '{"a":',
    'multipart/form-data; boundary=b',
    'application/x-ndjson',
    'text/plain',
    'Content-Encoding: zstd',
  ],
  bytesMax: 3000,
  open,
  close,
  async run(input) {
    const send = async () => exchange(await secureTunnel('http/1.1'), input, allAnswered(input));
    const answer = await send();
    await mustNotMultiply(input, send);
    const word = sign(answer);
    await judge();
    return word;
  },
};

/** Every stream that was answered has ended, as far as the frames tell. */
function isQuiet(sofar: Buffer): boolean {
  let ended = 0;
  let begun = 0;
  for (let at = 0; at + 9 <= sofar.length; at += 9 + sofar.readUIntBE(at, 3)) {
    const [type, flags] = [sofar[at + 3], sofar[at + 4] as number];
    if (type === 7) return true;
    if (type === 1) begun++;
    if (type === 3 || ((type === 0 || type === 1) && (flags & 1) === 1)) ended++;
  }
  return begun > 0 && ended >= begun;
}

/** The frames that a client of node sends for some requests. */
async function recordedFrames(): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const socket = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      pieces.push(chunk);
      done();
    },
  });
  const session = connectHttp2(`https://${secureHost}`, { createConnection: () => socket });
  session.on('error', () => undefined);
  session
    .request({ ':path': '/a', accept: '*/*' })
    .on('error', () => undefined)
    .end();
  const post = session.request({ ':method': 'POST', ':path': '/v1/chat', 'content-type': 'application/json' });
  post.on('error', () => undefined).end(chat);
  session
    .request({ ':path': '/c', cookie: 'a=b', 'x-long': 'a'.repeat(200) })
    .on('error', () => undefined)
    .close(8);
  for (let i = 0; i < 50; i++) await new Promise(setImmediate);
  session.destroy();
  return Buffer.concat(pieces);
}

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const frame = (type: number, flags: number, stream: number, payload: Buffer) =>
  Buffer.concat([
    Buffer.from([payload.length >> 16, payload.length >> 8, payload.length, type, flags, 0, 0, 0, stream]),
    payload,
  ]);
const settings = frame(4, 0, 0, Buffer.alloc(0));
/** Literal fields without indexing (RFC 7541 §6.2.2). */
const fields = (...list: [string, string][]) =>
  Buffer.concat(
    list.map(([name, value]) =>
      Buffer.concat([
        Buffer.from([0, name.length]),
        Buffer.from(name),
        Buffer.from([value.length]),
        Buffer.from(value),
      ]),
    ),
  );
const get = fields([':method', 'GET'], [':scheme', 'https'], [':authority', secureHost], [':path', '/a']);
const post = fields(
  [':method', 'POST'],
  [':scheme', 'https'],
  [':authority', secureHost],
  [':path', '/a'],
  ['content-length', '3'],
);
const repeated = (one: Buffer, times: number) => Buffer.concat(Array.from({ length: times }, () => one));

/** HTTP/2 frames inside an intercepted tunnel. */
export const http2: FuzzTarget = {
  seeds: () => [
    Buffer.concat([preface, settings, frame(1, 5, 1, get)]),
    Buffer.concat([preface, settings, frame(1, 4, 1, post), frame(0, 1, 1, Buffer.from('abc'))]),
    Buffer.concat([
      preface,
      settings,
      frame(1, 0, 1, get.subarray(0, 20)),
      frame(9, 0, 1, get.subarray(20, 30)),
      frame(9, 4, 1, get.subarray(30)),
    ]),
    Buffer.concat([preface, settings, repeated(settings, 50), repeated(frame(6, 0, 0, Buffer.alloc(8)), 50)]),
    Buffer.concat([
      preface,
      settings,
      ...Array.from({ length: 40 }, (_, i) =>
        Buffer.concat([frame(1, 5, i * 2 + 1, get), frame(3, 0, i * 2 + 1, Buffer.from([0, 0, 0, 8]))]),
      ),
    ]),
    Buffer.concat([
      preface,
      settings,
      frame(1, 4, 1, get),
      frame(8, 0, 1, Buffer.from([0x7f, 255, 255, 255])),
      frame(8, 0, 0, Buffer.from([0, 0, 0, 0])),
      frame(2, 0, 1, Buffer.alloc(5)),
      frame(7, 0, 0, Buffer.alloc(8)),
    ]),
    Buffer.concat([
      preface,
      settings,
      frame(
        1,
        4,
        1,
        fields(
          [':method', 'CONNECT'],
          [':protocol', 'websocket'],
          [':scheme', 'https'],
          [':authority', secureHost],
          [':path', '/ws'],
        ),
      ),
    ]),
    recorded,
  ],
  words: [
    ...[
      settings,
      frame(1, 5, 3, get),
      frame(1, 4, 3, post),
      frame(0, 1, 3, Buffer.from('abc')),
      frame(3, 0, 1, Buffer.from([0, 0, 0, 8])),
      frame(9, 4, 1, get),
      frame(8, 0, 0, Buffer.from([0x7f, 255, 255, 255])),
      fields(['transfer-encoding', 'chunked']),
      fields(['content-length', '5']),
      fields([':path', '/b']),
      fields([':authority', 'other.example']),
      fields(['host', 'other.example']),
      fields(['x', 'a\r\nb: c']),
    ].map((one) => one.toString('latin1')),
    ':path',
    ':method',
    '\r\n',
    'cookie',
    'te',
  ],
  bytesMax: 6000,
  open,
  close,
  async run(input) {
    const answer = await exchange(await secureTunnel('h2'), input, seedOf(input) % 2 === 0 ? isQuiet : undefined);
    const kinds = new Set<number>();
    for (let at = 0; at + 9 <= answer.length; at += 9 + answer.readUIntBE(at, 3)) kinds.add(answer[at + 3] as number);
    const word = `${[...kinds].sort().join()} ${origins.heads.length}`;
    await judge();
    return word;
  },
};

const recorded = await recordedFrames();

/** The first bytes of a tunnel to a host that is looked into. */
export const tls: FuzzTarget = {
  seeds: () => [
    clientHello(),
    clientHello().subarray(0, 100),
    Buffer.from('16030100050100000100', 'hex'),
    'GET / HTTP/1.1\r\nHost: chatgpt.com\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'SSH-2.0-x\r\n',
    Buffer.concat([clientHello(), Buffer.from('15030300020100', 'hex')]),
  ],
  words: [
    '\x16\x03\x01',
    '\x15\x03\x03\x00\x02\x02\x00',
    '\x14\x03\x03\x00\x01\x01',
    '\x00\x00',
    '\x00\x10',
    '\x03h2',
    secureHost,
  ],
  bytesMax: 4000,
  open,
  close,
  async run(input) {
    const answer = await exchange(await tunnel(), input);
    await judge();
    // Record types, alerts, or what HTTP says.
    return answer[0] === 0x15 ? `alert ${answer[6]}` : answer[0] === 0x16 ? 'handshake' : sign(answer);
  },
};

const bodyOf = (type: string, body: string) =>
  `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** What an origin answers: the client gets what every parser reads alike, and the next request its own answer. */
export const answer: FuzzTarget = {
  seeds: () => [
    ok,
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-T: 1\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n\r\nclose',
    'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n',
    bodyOf('application/json', '{"choices":[{"message":{"content":"[EMAIL-1]"}}]}'),
    bodyOf(
      'text/event-stream',
      'data: {"choices":[{"delta":{"content":"[EMA"}}]}\n\ndata: {"choices":[{"delta":{"content":"IL-1]"}}]}\n\n',
    ),
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    `${ok}${ok}`,
  ],
  words: [
    ...requestWords,
    'HTTP/1.1 200 OK',
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 204 X',
    'Set-Cookie: a=b',
    'Content-Encoding: br',
    'text/event-stream',
    '[EMAIL-1]',
  ],
  bytesMax: 3000,
  open,
  close,
  async run(input) {
    origins.answer = input.toString('latin1');
    const words: string[] = [];
    for (const isSecure of [false, true]) {
      const socket = isSecure ? await secureTunnel('http/1.1') : await dial();
      const target = isSecure ? '/x' : `http://${plainHost}/x`;
      const host = isSecure ? secureHost : plainHost;
      const body = isSecure ? chat : '';
      const request = Buffer.from(
        `${head(`POST ${target} HTTP/1.1`, `Host: ${host}`, 'Content-Type: application/json', `Content-Length: ${body.length}`)}${body}`,
      );
      const got = await exchange(socket, request, allAnswered(request));
      const reading = readAnswers(got, ['POST']);
      must(
        reading.rest !== 'malformed',
        `the client got what is no HTTP (${reading.reason}): ${JSON.stringify(got.toString('latin1').slice(0, 400))}`,
      );
      words.push(`${reading.messages.map(({ start }) => start.slice(9, 12)).join()} ${reading.rest}`);
      const next = await dial();
      const second = await until(
        next,
        `GET http://${plainHost}/next HTTP/1.1\r\nHost: ${plainHost}\r\nConnection: close\r\n\r\n`,
        (sofar) => sofar.endsWith('ok'),
      );
      next.destroy();
      mustEqual(second.slice(0, 12), 'HTTP/1.1 200', 'the next request was answered');
      must(second.endsWith('\r\n\r\nok'), 'the next request got another answer');
    }
    await judge();
    return words.join(' | ');
  },
};
