/**
 * Like resets.test.ts, within intercepted connections and at every byte: the origin ends or resets its connection,
 * either a new one or one that has served a request. Every response names its request and contains a unique value, so
 * that truncated, joined or swapped responses are detected.
 */
import { readdirSync } from 'node:fs';
import type { ClientHttp2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { startKeptCutOrigin } from '../support/cut-origin.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { askOver, type Outcome, outcomeOfStream } from '../support/outcome.ts';
import { tokensIn } from '../support/provider.ts';
import { openHttp2, openTls } from '../support/tunnel.ts';

/** The number of concurrent requests. Each host has its own connections, so it is known which one is used. */
const hosts = Array.from({ length: 8 }, (_, i) => `lane${i}.api.openai.com`);
const protocols = ['HTTP/1.1', 'HTTP/2'] as const;
type Protocol = (typeof protocols)[number];

const authority = new TestAuthority();
let ids = 10_000;
const leaked: string[] = [];

/** A request; `cut` is the value of `x-cut`. */
type Question = { readonly method?: string; readonly cut?: string; readonly isLast?: boolean };

/** Builds the framing fields and the bytes of a body. */
type Form = (json: Buffer) => [fields: string, body: Buffer];

const ofKnownLength: Form = (json) => [`Content-Length: ${json.length}`, json];
const forms: Record<string, Form> = {
  'of a known length': ofKnownLength,
  'in chunks': (json) => ['Transfer-Encoding: chunked', chunked(json)],
  'that is compressed': (json) => {
    const body = gzipSync(json);
    return [`Content-Encoding: gzip\r\nContent-Length: ${body.length}`, body];
  },
};

/** In pieces, the second of which begins inside the token. */
function chunked(bytes: Buffer): Buffer {
  const at = bytes.indexOf('[EMAIL') + 3;
  const pieces = [bytes.subarray(0, at), bytes.subarray(at)].filter(({ length }) => length > 0);
  const parts = pieces.flatMap((piece) => [`${piece.length.toString(16)}\r\n`, piece, '\r\n']);
  return Buffer.concat([...parts, '0\r\n\r\n'].map((part) => Buffer.from(part as string)));
}

const contentOf = (id: string, names: readonly string[]) =>
  JSON.stringify({ choices: [{ message: { content: [id, ...names].join(' ') } }] });
const emailOf = (id: string) => `u${id}@mail.example`;

function answerTo(request: string): Buffer {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(request)?.[1] ?? '';
  if (request.includes('@mail.example')) leaked.push(request);
  const json = Buffer.from(contentOf(field('x-id'), tokensIn(request)));
  const [framing, body] = (forms[field('x-form')] ?? ofKnownLength)(json);
  const connection = field('x-last') === '' ? '' : 'Connection: close\r\n';
  const head = `HTTP/1.1 200 OK\r\n${connection}Content-Type: application/json\r\n${framing}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

const origin = await startKeptCutOrigin(authority.issue({ names: hosts }), answerTo);
const gateway = await startGatewayProcess({
  authority,
  hosts: Object.fromEntries(hosts.map((host) => [host, origin.address])),
});
afterAll(async () => {
  await origin?.close();
});

/** A client with one connection at a time, which it keeps while responses are complete. */
class Client {
  readonly #protocol: Protocol;
  readonly #host: string;
  readonly #form: string;
  #socket: TLSSocket | undefined;
  #session: ClientHttp2Session | undefined;

  constructor(protocol: Protocol, host: string, form: string) {
    this.#protocol = protocol;
    this.#host = host;
    this.#form = form;
  }

  /** Sends a request in a separate session; returns the response and its id. */
  async ask({ method = 'POST', cut, isLast }: Question): Promise<Outcome & { readonly id: string }> {
    const id = String(ids++);
    const hasBody = method !== 'GET' && method !== 'DELETE';
    const body = hasBody ? JSON.stringify({ messages: [{ role: 'user', content: `Write to ${emailOf(id)}` }] }) : '';
    const fields: Record<string, string> = {
      authorization: `Bearer ${id}`,
      'x-id': id,
      // A response without restored tokens passes in its coding.
      'x-form': hasBody ? this.#form : '',
      ...(cut === undefined ? {} : { 'x-cut': cut }),
      ...(isLast ? { 'x-last': 'yes' } : {}),
      ...(hasBody ? { 'content-type': 'application/json', 'content-length': String(body.length) } : {}),
    };
    const outcome =
      this.#protocol === 'HTTP/2' ? await this.#http2(method, fields, body) : await this.#http1(method, fields, body);
    return { ...outcome, id };
  }

  async #http1(method: string, fields: Record<string, string>, body: string): Promise<Outcome> {
    this.#socket ??= await openTls(gateway, `${this.#host}:443`);
    const lines = Object.entries({ host: this.#host, ...fields }).map(([name, value]) => `${name}: ${value}\r\n`);
    const request = `${method} /v1/chat/completions HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
    const outcome = await askOver(this.#socket, request);
    if (!outcome.isComplete) this.close();
    return outcome;
  }

  async #http2(method: string, fields: Record<string, string>, body: string): Promise<Outcome> {
    this.#session ??= await openHttp2(gateway, `${this.#host}:443`);
    const head = { ':method': method, ':path': '/v1/chat/completions', ...fields };
    const stream = this.#session.request(head, { endStream: body === '' });
    if (body !== '') stream.end(body);
    return outcomeOfStream(stream);
  }

  close(): void {
    this.#socket?.destroy();
    this.#session?.destroy();
    this.#socket = undefined;
    this.#session = undefined;
  }
}

/** The error in the response to a request that must be served completely. */
async function faultOfWhole(client: Client, question: Question): Promise<string[]> {
  const { id, status, isComplete, text } = await client.ask(question);
  const expected = contentOf(id, question.method === 'GET' ? [] : [emailOf(id)]);
  return status === 200 && isComplete && text === expected ? [] : [`not served: ${status} ${isComplete} ${text}`];
}

/** The error in the response to a request that was cut. */
function faultOfCut({ id, status, isComplete, text }: Outcome & { readonly id: string }, place: number): string[] {
  const [exchange, ...more] = origin.exchanges.get(id) ?? [];
  if (exchange === undefined || more.length > 0) return [`sent ${exchange === undefined ? 0 : more.length + 1} times`];
  if (exchange.place !== place) return [`request ${exchange.place} of its connection`];
  const { answer, sent } = exchange;
  const isWhole = sent === answer.length;
  if (status === 200 && isComplete && isWhole && text === contentOf(id, [emailOf(id)])) return [];
  const isRefused = status === 502 && isComplete && text.includes('"upstream_failed"');
  if (sent < answer.indexOf('\r\n\r\n') + 4) return isRefused ? [] : [`${status} ${isComplete} ${text}`];
  // The received part of a document is forwarded unchanged, with its token; one that lacks only the checksum of its
  // coding is restored. Numbers continue over the sessions of a client at a service.
  const written = text.replace(/\[EMAIL-[1-9]\d*/, '[EMAIL-1');
  const isBeginning = contentOf(id, ['[EMAIL-1]']).startsWith(written) || text === contentOf(id, [emailOf(id)]);
  return isRefused || (!isComplete && (status === 0 || (status === 200 && isBeginning)))
    ? []
    : [`${status} ${isComplete} ${text}`];
}

const descriptors = () => readdirSync(`/proc/${gateway.pid}/fd`).length;

/**
 * Cuts the first or second response on a connection at each byte (HTTP/2: at every third, because the connection to the
 * origin is the same), and requests a complete one in between. Alternates between ending and resetting.
 */
async function cutEverywhere(protocol: Protocol, form: string, place: 1 | 2): Promise<string[]> {
  const { length } = answerTo(`x-id: 10000\r\nx-form: ${form}\r\n\r\n[EMAIL-1]`);
  // Compressed responses differ by a few bytes.
  const every = Array.from({ length: length + 3 }, (_, at) => `${at} ${(at + place) % 2 === 0 ? 'fin' : 'rst'}`);
  const all = every.filter((_, at) => protocol === 'HTTP/1.1' || at % 3 === 0);
  const lanes = hosts.map(async (host, lane) => {
    const client = new Client(protocol, host, form);
    const wrong: string[] = [];
    for (const cut of all.filter((_, i) => i % hosts.length === lane)) {
      if (place === 2) wrong.push(...(await faultOfWhole(client, {})));
      const outcome = await client.ask({ cut });
      wrong.push(...faultOfCut(outcome, place).map((fault) => `${cut} of ${length}: ${fault}`));
      // Its connection may end when the next request is already on its way, and only a safe one may be sent again.
      if (outcome.status === 200 && outcome.isComplete)
        wrong.push(...(await faultOfWhole(client, { method: 'GET', isLast: true })));
    }
    wrong.push(...(await faultOfWhole(client, { isLast: true })));
    client.close();
    return wrong;
  });
  return (await Promise.all(lanes)).flat();
}

const rows = protocols.flatMap((protocol) => Object.keys(forms).map((form) => ({ protocol, form })));

test.each(rows)(
  'a truncated response $form is never complete, over $protocol',
  async ({ protocol, form }) => {
    const client = new Client(protocol, hosts[0] as string, form);
    expect(await faultOfWhole(client, { isLast: true })).toEqual([]);
    client.close();
    const before = descriptors();
    expect(await cutEverywhere(protocol, form, 1)).toEqual([]);
    expect(await cutEverywhere(protocol, form, 2)).toEqual([]);
    expect(leaked).toEqual([]);
    expect(gateway.events().filter(({ event }) => event === 'fault')).toEqual([]);
    await expect.poll(descriptors).toBeLessThanOrEqual(before);
  },
  240_000,
);

test.each(protocols)('only safe requests are retried when a kept connection ends, over %s', async (protocol) => {
  const client = new Client(protocol, hosts[0] as string, '');
  for (const cut of ['0 fin', '0 rst']) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(await faultOfWhole(client, {})).toEqual([]);
      const { id, status } = await client.ask({ method, cut });
      const places = origin.exchanges.get(id)?.map(({ place }) => place);
      expect([cut, method, status, places]).toEqual([cut, method, 502, [2]]);
    }
    expect(await faultOfWhole(client, {})).toEqual([]);
    const { id, status, text } = await client.ask({ method: 'GET', cut, isLast: true });
    const places = origin.exchanges.get(id)?.map(({ place }) => place);
    expect([cut, status, text, places]).toEqual([cut, 200, contentOf(id, []), [2, 1]]);
  }
  client.close();
});
