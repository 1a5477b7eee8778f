/** A real gateway and its origins: it must survive, stay small, and forward only what all parsers agree on. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { TestAuthority } from '../../../../test/support/authority.ts';
import { type GatewayProcess, startGatewayProcess } from '../../../../test/support/gateway-process.ts';
import { readAnswers, readRequests } from '../../../../test/support/strict-http.ts';
import { must } from '../../target.ts';
import { Origins, secureHost } from './origins.ts';

export const plainHost = 'plain.example';
/** Time limit for a response; the machine may be busy. */
const answerMs = 15_000;
/** Silence after which a try ends, if the gateway is waiting for more. */
const silenceMs = 30;

const authority = new TestAuthority();
export let origins = new Origins();
let gateway: GatewayProcess | undefined;
let read = 0;
let tries = 0;
let warmKiB = 0;

export async function open(): Promise<void> {
  origins = new Origins();
  const [plain, secure] = [await origins.listen(), await origins.listen(authority)];
  const start = () => startGatewayProcess({ authority, hosts: { [plainHost]: plain, [secureHost]: secure } });
  // On a busy machine a start may take longer than the tests wait.
  gateway = await start().catch(start).catch(start);
  [read, tries, warmKiB] = [0, 0, 0];
}

export async function close(): Promise<void> {
  origins.close();
  await gateway?.stop();
}

function running(): GatewayProcess {
  if (gateway === undefined) throw new Error('the target is not open');
  return gateway;
}

/** Waits until the gateway has closed every connection of the try. */
let isSettled = true;

/** Sends bytes; returns the response until the peer ends, is silent for `quietMs`, or is complete. */
export async function exchange(
  socket: Socket | TLSSocket,
  bytes: Buffer | string,
  isDone?: (sofar: Buffer) => boolean,
  quietMs = silenceMs,
): Promise<Buffer> {
  if (!isSettled) await new Promise((resolve) => setTimeout(resolve, silenceMs * 2));
  isSettled = true;
  origins.forget();
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
    let timer = setTimeout(fallSilent, quietMs * 4);
    socket.on('data', (piece: Buffer) => {
      pieces.push(piece);
      clearTimeout(timer);
      if (isDone?.(Buffer.concat(pieces))) finish();
      else timer = setTimeout(fallSilent, quietMs);
    });
    socket.on('error', finish);
    socket.on('close', finish);
    socket.write(bytes);
    // Half-close only if no response is due: a client that half-closes while waiting counts as gone.
    if (isDone === undefined) socket.end();
  });
}

/** A fault must recur when the bytes are sent again; otherwise it was late data of another try. */
export async function mustNotStay(faultOf: () => string | undefined, send: () => Promise<unknown>): Promise<void> {
  for (let times = 0; ; times++) {
    const fault = origins.fault ?? faultOf();
    if (fault === undefined) return;
    must(times < 3, fault);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await send();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** True if there are as many complete responses as complete requests. */
export function allAnswered(sent: Buffer): ((sofar: Buffer) => boolean) | undefined {
  const methods = readRequests(sent, { skipsEmptyLines: true }).messages.map(
    ({ start }) => start.split(' ', 1)[0] as string,
  );
  if (methods.length === 0) return undefined;
  return (sofar) => {
    const { messages, rest } = readAnswers(sofar, methods);
    const last = messages.filter(({ start }) => !start.startsWith('HTTP/1.1 1'));
    return rest === 'none' && last.length >= methods.length;
  };
}

export function dial(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: running().proxyPort, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** The gateway's response once it passes a test; rejects on timeout. */
export function until(socket: Socket | TLSSocket, bytes: string, isDone: (sofar: string) => boolean): Promise<string> {
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

export async function tunnel(): Promise<Socket> {
  const socket = await dial();
  const head = await until(socket, `CONNECT ${secureHost}:443 HTTP/1.1\r\nHost: ${secureHost}:443\r\n\r\n`, (sofar) =>
    sofar.endsWith('\r\n\r\n'),
  );
  must(head.startsWith('HTTP/1.1 200'), `CONNECT was answered ${head.split('\r\n')[0]}`);
  return socket;
}

export async function secureTunnel(protocol: string): Promise<TLSSocket> {
  const socket = await tunnel();
  const secure = connectTls({ socket, servername: secureHost, ca: running().ca, ALPNProtocols: [protocol] });
  await new Promise<void>((resolve, reject) => {
    secure.once('secureConnect', resolve);
    secure.once('error', reject);
    secure.once('close', () => reject(new Error('closed in the handshake')));
  });
  return secure;
}

/** Log content that indicates a fault of the process. */
const alarm = /unhandled|uncaught|(?:Type|Range|Reference|Syntax)Error|AssertionError|ERR_INTERNAL|internal_error/i;

/** The first log line about a fault of the process itself. */
export function alarmIn(log: string): string | undefined {
  return log.split('\n').find((line) => alarm.test(line));
}

/** Checks that the process lives, logs no fault, and serves the next request. */
export async function judge(): Promise<void> {
  tries++;
  const { fault } = origins;
  origins.fault = undefined;
  must(fault === undefined, fault ?? '');
  const output = running().output();
  const line = alarmIn(output.slice(read));
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

/** The kinds of responses, as progress. */
export function sign(answer: Buffer): string {
  const text = answer.toString('latin1');
  const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map((match) => match[1]).slice(0, 6);
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? '';
  return `${statuses.join()} ${code} ${origins.heads.map(({ start }) => start.split(' ')[0]?.length).join()}`;
}

export const requestWords = [
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
/** A head of these lines. */
export const head = (target: string, ...fields: string[]) => [target, ...fields, '', ''].join('\r\n');

/** A body with personal data. */
export const chat = '{"messages":[{"role":"user","content":"mail jo@example.com"}]}';
