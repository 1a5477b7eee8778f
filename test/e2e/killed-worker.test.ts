/**
 * One of two workers is killed while both are busy: connections of the other one are unaffected, those of the killed
 * one break visibly, and everything acknowledged is kept.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as requestOver } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { listening } from '../support/listening.ts';
import { type OriginHandler, startOrigin } from '../support/origin.ts';
import { childrenOf, holderOf, listenersOn } from '../support/processes.ts';
import { tokensIn } from '../support/provider.ts';
import { tempFolder } from '../support/temp.ts';
import { openTls, openTunnel, sendRaw } from '../support/tunnel.ts';

const [host, echoHost] = ['api.openai.com', 'echo.example'];
const auditFile = join(tempFolder('audit'), 'audit.jsonl');
const sockets: Socket[] = [];
/** The work is done: streams end, and clients stop sending. */
let isOver = false;
/** The end of the killed worker was noticed, so connections no longer lead to it. */
let isGone = false;

/** Repeats the tokens it received: at once, or again and again until the work is done. */
const answer: OriginHandler = async ({ body }, response) => {
  const tokens = tokensIn(body.toString());
  if (!body.includes('"stream":true')) {
    response.writeHead(200, { 'content-type': 'application/json', 'x-seen': tokens.join(' ') });
    response.end(JSON.stringify({ choices: [{ message: { content: tokens.join(' ') } }] }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let i = 0; !isOver && !response.destroyed; i++) {
    for (const content of `${i} ${tokens[0]} `.match(/.{1,4}/g) ?? [])
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
    await pause(5);
  }
  response.end('data: [DONE]\n\n');
};

const origin = await startOrigin({ names: [host as string], handler: answer });
const echo = createServer((socket) => void socket.on('error', () => undefined).pipe(socket));
const echoPort = await listening(echo);
const gateway = await startGatewayProcess({
  hosts: { [host as string]: origin, [echoHost as string]: `127.0.0.1:${echoPort}` },
  config: { log: { audit: { file: auditFile } } },
  env: { WORKERS: '2' },
});
await gateway.event(({ event }) => event === 'workers_started');
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  echo?.close();
});

const bodyOf = (text: string, stream = false) =>
  JSON.stringify({ stream, messages: [{ role: 'user', content: text }] });
const post = (body: string) =>
  `POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer one\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** An intercepted connection and the worker that serves it; undefined if that one was killed just now. */
type Held<S extends Socket> = { readonly socket: S; readonly worker: number | undefined };

async function hold<S extends Socket>(opening: Promise<S>): Promise<Held<S>> {
  const socket = await opening;
  sockets.push(socket);
  return { socket, worker: holderOf(socket, childrenOf(gateway.pid)) };
}

/** Opens connections until one is served by the worker. */
async function openAt<S extends Socket>(worker: number, open: () => Promise<S>): Promise<Held<S>> {
  for (;;) {
    const held = await hold(open());
    if (held.worker === worker) return held;
    held.socket.destroy();
  }
}

const openHost = (from: string) => openTls(gateway, `${host}:443`, { from });

/** The tokens that replace values. */
async function ask(socket: TLSSocket, values: readonly string[]): Promise<string[]> {
  // Errors of a connection that has ended are ignored.
  if (socket.destroyed) throw new Error('no complete answer: ');
  const { status, body, rawHeaders } = await sendRaw(socket, post(bodyOf(values.join(' and '))));
  const right = JSON.stringify({ choices: [{ message: { content: values.join(' ') } }] });
  if (status !== 200 || body.toString() !== right) throw new Error(`wrong: ${status} ${body}`);
  return (rawHeaders[rawHeaders.indexOf('x-seen') + 1] ?? '').split(' ');
}

/** A break as a client sees it: no answer, or part of the correct one. */
const breaks = [
  /^no complete answer: (?:$|HTTP\/1\.1 200 )/,
  /^closed (?:before an answer to CONNECT: |in the TLS handshake)$/,
  /ECONNRESET|ECONNREFUSED/,
];
const isBreak = (error: unknown) => breaks.some((one) => one.test((error as Error).message));

/** Something that failed, and on a connection to which worker. `isLate`: it began after the killed one was gone. */
type Failure = { readonly worker: number | undefined; readonly isLate: boolean };

/** Between two requests of a client. Many at once keep both workers busy; without it they also delay the new worker. */
const thinkingMs = 10;

/** A client that sends one question after another, with its own address and therefore its own session. */
class Person {
  readonly address: string;
  readonly #name: string;
  /** The answers: values and their tokens. */
  readonly tokens = new Map<string, string>();
  /** The number of answers by worker. */
  readonly answers = new Map<number | undefined, number>();
  readonly failures: Failure[] = [];
  readonly wrong: string[] = [];

  constructor(number: number) {
    this.address = `127.0.1.${number}`;
    this.#name = `person${number}`;
  }

  get answered(): number {
    return [...this.answers.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Works on a connection until the work is done; when it breaks, on another one. */
  async work(first: Held<TLSSocket>): Promise<void> {
    let held: Held<TLSSocket> | undefined = first;
    for (let i = 0; !isOver; i++) {
      const isLate = isGone;
      try {
        held ??= await hold(openHost(this.address));
        await this.#askOnce(held, i);
        await pause(thinkingMs);
      } catch (error) {
        if (!isBreak(error)) this.wrong.push(String(error));
        this.failures.push({ worker: held?.worker, isLate });
        held = undefined;
      }
    }
  }

  /** A value that was never sent, and one that was. */
  async #askOnce({ socket, worker }: Held<TLSSocket>, i: number): Promise<void> {
    const values = [`${this.#name}.${i}@mail.example`, `${this.#name}@mail.example`];
    const tokens = await ask(socket, values);
    this.answers.set(worker, (this.answers.get(worker) ?? 0) + 1);
    values.forEach((value, at) => {
      const before = this.tokens.get(value);
      if (before !== undefined && before !== tokens[at]) this.wrong.push(`${value}: ${before}, then ${tokens[at]}`);
      this.tokens.set(value, tokens[at] ?? '');
    });
  }
}

/** An administrator who adds services, each over a separate connection. */
class Administrator {
  readonly acknowledged: string[] = [];
  readonly wrong: string[] = [];
  readonly #name: string;

  constructor(number: number) {
    this.#name = `admin${number}`;
  }

  async work(): Promise<void> {
    for (let i = 0; !isOver; i++) {
      const domain = `${this.#name}-${i}.added.example`;
      const isLate = isGone;
      const service = { service_name: domain, domain, category: 'blocked', is_blocked: true };
      await gateway
        .api('/shadow-ai/services', {
          method: 'POST',
          headers: { connection: 'close' },
          body: JSON.stringify(service),
        })
        .then(async (answered) => {
          if (answered.status === 201) this.acknowledged.push(domain);
          else this.wrong.push(`${answered.status} ${await answered.text()}`);
        })
        .catch((error: unknown) => {
          if (isLate) this.wrong.push(String(error));
        });
      await pause(thinkingMs);
    }
  }
}

/** Bytes that are echoed through a tunnel, every few milliseconds. */
class Echoed {
  #sent = '';
  #received = '';
  readonly #socket: Socket;
  readonly #timer: NodeJS.Timeout;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#received += chunk;
    });
    socket.resume();
    this.#timer = setInterval(() => {
      const text = `${this.#sent.length} `;
      this.#sent += text;
      socket.write(text);
    }, 3);
  }

  get length(): number {
    return this.#received.length;
  }

  /** What was sent, and what had come back when both sides had ended. */
  async end(): Promise<[sent: string, received: string]> {
    clearInterval(this.#timer);
    this.#socket.end();
    if (!this.#socket.closed) await once(this.#socket, 'close');
    return [this.#sent, this.#received];
  }
}

/** An answer that continues until the work is done. */
class Streamed {
  #text = '';
  readonly #end: Promise<boolean>;

  constructor(socket: TLSSocket, value: string) {
    this.#end = new Promise((resolve) => {
      const headers = { host, authorization: 'Bearer one', 'content-type': 'application/json' };
      const options = { createConnection: () => socket, path: '/v1/chat/completions', method: 'POST', headers };
      const sending = requestOver(options, (response) => {
        response.on('data', (chunk: Buffer) => {
          this.#text += chunk;
        });
        response.on('error', () => undefined);
        response.on('close', () => resolve(response.complete));
      });
      sending.on('error', () => resolve(false));
      sending.end(bodyOf(`Say ${value}`, true));
    });
  }

  get length(): number {
    return this.#text.length;
  }

  /** Whether it was complete, and its text. */
  async end(): Promise<[isComplete: boolean, content: string]> {
    const isComplete = await this.#end;
    const events = [...this.#text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as Delta);
    return [isComplete, events.map(({ choices }) => choices[0]?.delta.content ?? '').join('')];
  }
}
type Delta = { readonly choices: readonly { readonly delta: { readonly content?: string } }[] };

/** How many requests of a client the audit file contains. An incomplete line is ignored. */
function auditedOf({ address }: Person): number {
  const text = readFileSync(auditFile, 'utf8');
  const lines = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean);
  const events = lines.map((line) => JSON.parse(line) as { kind: string; clientAddress: string });
  return events.filter(({ kind, clientAddress }) => kind === 'request' && clientAddress === address).length;
}

/** The domains of the added services, according to a worker. */
async function addedAt(worker: number): Promise<string[]> {
  const { socket } = await openAt(worker, async () => {
    const socket = connect(Number(new URL(gateway.apiUrl).port), '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    while (holderOf(socket, childrenOf(gateway.pid)) === undefined) await pause(1);
    return socket;
  });
  const head = `GET /shadow-ai/services?q=added.example HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${gateway.adminKey}\r\n\r\n`;
  const { body } = await sendRaw(socket, head);
  socket.destroy();
  return (JSON.parse(body.toString()) as { services: { domain: string }[] }).services.map(({ domain }) => domain);
}

test('a worker killed under load: connections of the other one are intact, and nothing acknowledged is lost', async () => {
  const tunnel = await hold(openTunnel(gateway, `${echoHost}:80`).then(({ socket }) => socket));
  const survivor = tunnel.worker as number;
  const victim = childrenOf(gateway.pid).find((pid) => pid !== survivor) as number;
  const echoed = new Echoed(tunnel.socket);
  const watcher = '127.0.2.1';
  const streamed = new Streamed((await openAt(survivor, () => openHost(watcher))).socket, 'zoe@mail.example');

  const people = Array.from({ length: 12 }, (_, i) => new Person(i + 1));
  const [atVictim, atSurvivor] = [people.slice(0, 6), people.slice(6)];
  const administrators = [1, 2].map((number) => new Administrator(number));
  const start = async (person: Person, worker: number) => {
    const first = await openAt(worker, () => openHost(person.address));
    return () => person.work(first);
  };
  const starts = await Promise.all([
    ...atVictim.map((person) => start(person, victim)),
    ...atSurvivor.map((person) => start(person, survivor)),
  ]);
  const work = [...starts.map((begin) => begin()), ...administrators.map((one) => one.work())];
  const added = () => administrators.flatMap(({ acknowledged }) => acknowledged);
  const answeredMin = (all: readonly Person[]) => Math.min(...all.map(({ answered }) => answered));
  await expect.poll(() => answeredMin(people)).toBeGreaterThan(30);
  await expect.poll(() => added().length).toBeGreaterThan(20);
  await expect.poll(() => Math.min(streamed.length, echoed.length)).toBeGreaterThan(500);
  // The file is written a moment later. Everything answered so far must be in it while the work continues.
  const marks = new Map(people.map((person) => [person, person.answered]));
  const areMarksAudited = () => people.every((person) => auditedOf(person) >= (marks.get(person) ?? 0));
  await expect.poll(areMarksAudited).toBe(true);

  process.kill(victim, 'SIGKILL');
  const addedBefore = added().length;
  const { signal } = await gateway.event(({ event }) => event === 'worker_ended');
  expect(signal).toBe('SIGKILL');
  isGone = true;
  const [streamedThen, echoedThen, answeredThen] = [streamed.length, echoed.length, answeredMin(people)];
  // All continue, and a new worker replaces the killed one.
  await expect.poll(() => answeredMin(people)).toBeGreaterThan(answeredThen + 5);
  await expect.poll(() => listenersOn(gateway.proxyPort)).toBe(2);
  const successor = childrenOf(gateway.pid).find((pid) => pid !== survivor) as number;
  expect(successor).not.toBe(victim);
  const fresh = await openAt(successor, () => openHost(watcher));
  expect(await ask(fresh.socket, ['yan@mail.example', 'zoe@mail.example'])).toEqual(['[EMAIL-2]', '[EMAIL-1]']);
  await expect.poll(() => added().length).toBeGreaterThan(addedBefore + 5);
  await expect.poll(() => streamed.length).toBeGreaterThan(streamedThen + 500);
  await expect.poll(() => echoed.length).toBeGreaterThan(echoedThen + 500);
  isOver = true;
  await Promise.all(work);

  const [isComplete, content] = await streamed.end();
  const times = content.split(' zoe@mail.example ').length - 1;
  const said = Array.from({ length: times }, (_, i) => `${i} zoe@mail.example `).join('');
  expect([isComplete, content]).toEqual([true, said]);
  const [sent, received] = await echoed.end();
  expect(received).toBe(sent);

  expect([...people, ...administrators].flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(atSurvivor.flatMap(({ failures }) => failures)).toEqual([]);
  // A connection that no worker had accepted yet may have been intended for the killed one.
  const isOfVictim = ({ worker, isLate }: Failure) => worker === victim || (worker === undefined && !isLate);
  for (const { failures } of atVictim) {
    expect(failures.filter((failure) => !isOfVictim(failure))).toEqual([]);
    expect(failures.filter(({ worker }) => worker === victim)).toHaveLength(1);
  }

  for (const worker of [survivor, successor]) {
    await expect.poll(async () => added().filter(notIn(await addedAt(worker)))).toEqual([]);
    for (const { address, tokens } of people) {
      const { socket } = await openAt(worker, () => openHost(address));
      expect(await ask(socket, [...tokens.keys()])).toEqual([...tokens.values()]);
      socket.destroy();
      expect(new Set(tokens.values()).size).toBe(tokens.size);
    }
  }
  // The two final questions of each client have events, too.
  for (const person of atSurvivor) await expect.poll(() => auditedOf(person)).toBe(person.answered + 2);
  for (const person of atVictim) {
    const kept = (marks.get(person) ?? 0) + person.answered - (person.answers.get(victim) ?? 0) + 2;
    await expect.poll(() => auditedOf(person)).toBeGreaterThanOrEqual(kept);
    expect(auditedOf(person)).toBeLessThanOrEqual(person.answered + 3);
  }
});

const notIn = (all: readonly string[]) => {
  const known = new Set(all);
  return (one: string) => !known.has(one);
};
