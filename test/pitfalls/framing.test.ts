/**
 * Smuggling: bytes that two parsers could read differently never become a request without a decision. The test sends
 * raw bytes, the origin records raw bytes, and an independent strict parser judges them.
 */
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { startGateway } from '../support/gateway.ts';
import { connectionWith, type RawField, streamEnded } from '../support/raw-http2.ts';
import { type Recorder, startRecorder } from '../support/recorder.ts';
import { readRequests, type StrictMessage, type StrictReading } from '../support/strict-http.ts';
import { openTls } from '../support/tunnel.ts';
import { http2Variants } from './smuggling-http2.ts';
import { variants } from './smuggling-variants.ts';

const host = 'api.openai.com';
const authority = new TestAuthority();

const plain = await startRecorder(answerAll());
const secure = await startRecorder(answerAll(), authority.issue({ names: [host] }));
const gateway = await startGateway({
  authority,
  hosts: { [host]: secure.address },
  config: { upstream: { timeouts: { header: '3s', keep_alive: '30s' } } },
});

/** Answers each complete request once. */
function answerAll(): (socket: Socket, sofar: Buffer) => void {
  const answered = new WeakMap<Socket, number>();
  return (socket, sofar) => {
    const { messages, rest } = readRequests(sofar);
    for (const { start } of messages.slice(answered.get(socket) ?? 0)) {
      const answer = `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${start.startsWith('HEAD ') ? '' : 'ok'}`;
      if (start.includes('/slow')) setTimeout(() => socket.write(answer), 200);
      else socket.write(answer);
    }
    answered.set(socket, messages.length);
    if (rest === 'malformed') socket.destroy();
  };
}

type Place = { readonly recorder: () => Recorder; readonly open: () => Promise<Socket>; readonly origin: () => string };
const places: Record<string, Place> = {
  'over plain http': {
    recorder: () => plain,
    open: async () => connect(gateway.proxyPort, '127.0.0.1'),
    origin: () => `http://${plain.address}`,
  },
  'inside an intercepted tunnel': {
    recorder: () => secure,
    open: () => openTls(gateway, `${host}:443`),
    origin: () => '',
  },
};
let count = 0;
const sent = new Map<string, { name: string; reading: StrictReading }>();

describe.each(Object.keys(places))('%s', (name) => {
  const place = places[name] as Place;

  test.each(Object.keys(variants))('a variation of %s never becomes another request', async (group) => {
    const jobs = (variants[group] ?? []).map(([name, template]) => {
      const id = `/s${++count}`;
      const h = place.origin() === '' ? host : plain.address;
      const text = template
        .replaceAll('{t}', `${place.origin()}${id}`)
        .replaceAll(
          '{p}',
          `${template.includes('test{p}') || template.includes('/{p}') || template.includes(':{p}') ? '' : place.origin()}${id}-next`,
        )
        .replaceAll('{h}', h);
      const bytes = Buffer.from(text, 'latin1');
      const reading = readSent(bytes);
      sent.set(id, { name, reading });
      return () => converse(place, bytes, reading);
    });
    await inParallel(48, jobs);

    const faults: string[] = [];
    const arrived = new Map<string, StrictMessage[]>();
    for (const bytes of place.recorder().received) {
      const { messages, rest, reason } = readRequests(bytes);
      if (rest === 'malformed')
        faults.push(`malformed at the origin: ${reason} in ${JSON.stringify(bytes.toString('latin1').slice(-300))}`);
      for (const message of messages) {
        const id = /\/s\d+/.exec(message.start)?.[0] ?? '';
        arrived.set(id, [...(arrived.get(id) ?? []), message]);
      }
    }
    const first = count - (variants[group] ?? []).length;
    for (const [id, messages] of arrived) {
      if (Number(id.slice(2)) <= first) continue;
      const from = sent.get(id);
      if (from === undefined) faults.push(`unknown request ${messages.map(({ start }) => start).join(', ')}`);
      else faults.push(...differences(from.reading, messages).map((fault) => `${from.name}: ${fault}`));
    }
    expect(faults).toEqual([]);
    // The control: an unambiguous request arrives.
    expect(arrived.size).toBeGreaterThan(3);
  });
});

describe('over HTTP/2 to an origin of HTTP/1.1', () => {
  test('no request becomes a different one in HTTP/1.1', async () => {
    const sent = new Map<string, { name: string; method: string; body: string; fields: Set<string> }>();
    const jobs = http2Variants.map(([name, { fields, data, trailers }]) => {
      const id = `/s${++count}`;
      const fill = (text: string) => text.replaceAll('{t}', id).replaceAll('{p}', `${id}-next`).replaceAll('{h}', host);
      const filled = (list: readonly RawField[]) => list.map(([key, value]) => [fill(key), fill(value)] as const);
      const request = {
        fields: filled(fields),
        ...(data ? { data: data.map(fill) } : {}),
        ...(trailers ? { trailers: filled(trailers) } : {}),
      };
      const method = request.fields.find(([key]) => key === ':method')?.[1] ?? '';
      const known = new Set([...request.fields, ...(request.trailers ?? [])].map(([key]) => key));
      sent.set(id, { name, method, body: (request.data ?? []).join(''), fields: known });
      return async () => {
        const socket = await openTls(gateway, `${host}:443`, { protocols: ['h2'] });
        const timer = setTimeout(() => socket.destroy(), 2_000);
        socket.write(connectionWith(request));
        await streamEnded(socket);
        clearTimeout(timer);
        socket.destroy();
      };
    });
    const first = count - jobs.length;
    await inParallel(48, jobs);

    const faults: string[] = [];
    const arrived: string[] = [];
    const ours = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'cookie']);
    for (const bytes of secure.received) {
      const { messages, rest, reason } = readRequests(bytes);
      if (rest === 'malformed') faults.push(`malformed at the origin: ${reason}`);
      for (const { start, fields, trailers, body } of messages) {
        const id = /\/s\d+/.exec(start)?.[0] ?? '';
        const from = sent.get(id);
        if (Number(id.slice(2)) <= first) continue;
        if (from === undefined || arrived.includes(id)) {
          faults.push(`${from?.name}: ${start}`);
          continue;
        }
        arrived.push(id);
        const [method, target] = start.split(' ');
        if (method !== from.method || target?.includes('-next')) faults.push(`${from.name}: ${start}`);
        if (body.toString('latin1') !== from.body) faults.push(`${from.name}: body ${body.toString('latin1')}`);
        const more = [...fields, ...trailers].filter(([key]) => !ours.has(key.toLowerCase()) && !from.fields.has(key));
        if (more.length > 0) faults.push(`${from.name}: fields ${JSON.stringify(more)}`);
        for (const [key, value] of fields)
          if (key.toLowerCase() === 'host' && value !== host) faults.push(`${from.name}: Host ${value}`);
      }
    }
    expect(faults).toEqual([]);
    expect(arrived.length).toBeGreaterThan(3);
  });
});

describe.each(Object.keys(places))('%s', (name) => {
  const { open, origin } = places[name] as Place;

  test.each([
    ['bytes that are not a request', '\x01\x02\r\n\r\n', 400],
    ['a request without Host', 'GET {o}/x HTTP/1.1\r\n\r\n', 400],
    ['a CONNECT that is refused', 'CONNECT 127.0.0.1:0 HTTP/1.1\r\nHost: 127.0.0.1:0\r\n\r\n', undefined],
  ])(
    '%s after a request: not before its response, which is never confused with another',
    async (_name, bytes, status) => {
      const socket = await open();
      const h = origin() === '' ? host : plain.address;
      socket.write(`GET {o}/slow HTTP/1.1\r\nHost: ${h}\r\n\r\n${bytes}`.replaceAll('{o}', origin()), 'latin1');
      let text = '';
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
      });
      await new Promise((resolve) => socket.once('close', resolve));
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code));
      expect(statuses).toEqual([200, status ?? (origin() === '' ? 405 : 400)]);
    },
  );
});

/** What was sent: empty lines may come first (RFC 9112 §2.2), and requests inside the tunnel follow a CONNECT. */
function readSent(bytes: Buffer): StrictReading {
  const reading = readRequests(bytes.subarray(/^(?:\r\n)*/.exec(bytes.toString('latin1'))?.[0].length ?? 0));
  const last = reading.messages.at(-1);
  return last?.start.startsWith('CONNECT ') ? readRequests(last.body) : reading;
}

/** How the arrived requests differ from those that a strict parser sees in the input. */
function differences(reading: StrictReading, arrived: readonly StrictMessage[]): string[] {
  const faults: string[] = [];
  if (arrived.length > reading.messages.length)
    faults.push(
      `${arrived.length} requests from ${reading.messages.length}: ${arrived.map(({ start }) => start).join(', ')}`,
    );
  for (const message of arrived) {
    const source = reading.messages.find(({ start }) => message.start === forwarded(start));
    if (source === undefined) {
      faults.push(message.start);
      continue;
    }
    if (!message.body.equals(source.body)) faults.push(`body ${message.body.toString('latin1')}`);
    const known = new Set(['host', 'via', 'connection', 'content-length', 'transfer-encoding']);
    for (const [name] of source.fields) known.add(name.toLowerCase());
    const more = [...message.fields, ...message.trailers].filter(([name]) => !known.has(name.toLowerCase()));
    if (more.length > 0) faults.push(`fields ${JSON.stringify(more)}`);
  }
  return faults;
}

/** The request line at the origin. */
function forwarded(start: string): string {
  const [method, target] = start.split(' ');
  return `${method} ${target?.replace(/^https?:\/\/[^/]*/, '')} HTTP/1.1`;
}

/**
 * Sends the bytes and reads until every request in them has a response; bytes that are not a request have a moment to
 * be refused. The result does not depend on the responses: they only show when everything is done.
 */
async function converse(place: Place, bytes: Buffer, { messages, rest }: StrictReading): Promise<void> {
  const socket = await place.open();
  await new Promise<void>((resolve) => {
    let text = '';
    let timer = setTimeout(() => socket.destroy(), 2_000);
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => socket.destroy(), 250);
    };
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const answers = text.match(/HTTP\/1\.1 [2-5]/g)?.length ?? 0;
      if (answers < messages.length) return;
      if (rest === 'none') socket.destroy();
      else soon();
    });
    if (messages.length === 0) soon();
    socket.write(bytes);
  });
}

async function inParallel(width: number, jobs: (() => Promise<void>)[]): Promise<void> {
  const work = async () => {
    for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) await job();
  };
  await Promise.all(Array.from({ length: width }, work));
}
