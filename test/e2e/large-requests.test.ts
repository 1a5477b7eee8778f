/** A client with very large requests gets advice, is not locked out, and does not delay others. */
import http from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startEcho } from '../support/echo.ts';
import { startGateway } from '../support/gateway.ts';
import { jsonPost } from '../support/json-post.ts';

const host = 'chatgpt.com';
/** The bodies that reached the origin. */
const kept: string[] = [];

const origin = await startEcho({
  handler: (request, response) => {
    kept.push(request.body.toString());
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': request.body.length });
    response.end(request.body);
  },
});
const gateway = await startGateway({ hosts: { [host]: origin } });
const made = await gateway.api('/admin/keys', jsonPost({ name: 'large', plan: 'business' }));
const key = ((await made.json()) as { key: string }).key;

type Answer = { readonly status: number; readonly text: string; readonly headers: http.IncomingHttpHeaders };

/** A prompt through the proxy, from an address of this machine. */
function prompt(text: string, from = '127.0.0.1'): Promise<Answer> {
  return send(JSON.stringify({ messages: [{ role: 'user', content: text }] }), from);
}

function send(body: string, from: string): Promise<Answer> {
  const headers = { host, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const { proxyPort: port } = gateway;
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: `http://${host}/v1/chat`,
      method: 'POST',
      headers,
      localAddress: from,
    };
    const request = http.request(options, async (response) => {
      let read = '';
      for await (const chunk of response.setEncoding('utf8')) read += chunk;
      resolve({ status: response.statusCode ?? 0, text: read, headers: response.headers });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** A call of the API with a key. */
async function call(path: string, body: object, signal: AbortSignal | null = null): Promise<Answer> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const url = `${gateway.apiUrl}${path}`;
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
  return { status: answer.status, text: await answer.text(), headers: Object.fromEntries(answer.headers) };
}

const addresses = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => [`user${from + i}`, 'mail.example'].join('@')).join(' ');

describe('values', () => {
  test('more values than one request may have are refused with advice, and the next request is masked', async () => {
    const refused = await prompt(addresses(0, 100_001), '127.0.0.3');
    expect([refused.status, refused.text]).toEqual([413, expect.stringMatching(/more than 100000 values.*parts/s)]);
    expect((await prompt(addresses(0, 2), '127.0.0.3')).text).toContain(addresses(0, 2));
    expect(kept.at(-1)).toContain('"[EMAIL-1] [EMAIL-2]"');
  });

  test('100,000 values do not block a session: it continues with new numbers', async () => {
    const from = '127.0.0.4';
    expect((await prompt(addresses(0, 60_000), from)).status).toBe(200);
    const second = await prompt(addresses(60_000, 120_000), from);
    expect([second.status, second.text.includes(addresses(119_990, 120_000))]).toEqual([200, true]);
    expect(kept.at(-1)).toContain('[EMAIL-120000]');
    // Its earlier values are still restored.
    expect((await prompt('Who is [EMAIL-60000]?', from)).text).toContain(addresses(59_999, 60_000));
  });

  test.each(['/detect', '/mask', '/rag/ingest'])('%s over the limit of a call is refused with advice', async (path) => {
    const refused = await call(path, { text: addresses(0, 20_001) });
    expect([refused.status, refused.text]).toEqual([413, expect.stringMatching(/more than 20000 values.*parts/s)]);
    expect((await call(path, { text: addresses(0, 19_000) })).status).toBe(200);
  });
});

describe('a body that would fill the memory when parsed', () => {
  const half = 15_000_000;
  const names = (count: number) => Array.from({ length: count }, (_, i) => `"a ${i.toString(36)}":1`).join(',');
  const bodies: [what: string, body: string, status: number][] = [
    ['lists in lists', '['.repeat(half) + ']'.repeat(half), 400],
    ['objects in objects', '{"a":'.repeat(5_000_000) + 1 + '}'.repeat(5_000_000), 400],
    ['adjacent objects', `[${'{},'.repeat(10_000_000)}{}]`, 413],
    ['short names', `{${names(2_000_000)}}`, 413],
    ['short texts', `[${'"a",'.repeat(5_000_000)}"a"]`, 413],
  ];

  test.each(bodies)('%s are refused, and the process continues', async (_what, body, status) => {
    expect((await send(body, '127.0.0.7')).status).toBe(status);
    expect((await prompt('Who is there?', '127.0.0.7')).status).toBe(200);
  });

  test.each([
    ['lists in lists', '['.repeat(4_000_000) + ']'.repeat(4_000_000)],
    ['adjacent objects', `[${'{},'.repeat(3_000_000)}{}]`],
    ['short names', `{${names(700_000)}}`],
  ])('%s in a call are refused', async (_what, part) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const body = `{"text":"x","more":${part}}`;
    expect((await fetch(`${gateway.apiUrl}/detect`, { method: 'POST', headers, body })).status).toBe(413);
  });
});

/** Repeats a request until it gets this status, or it is too late for it. */
async function until(status: number, run: () => Promise<Answer>, isLate: () => boolean): Promise<void> {
  while ((await run()).status !== status && !isLate()) await new Promise((resolve) => setTimeout(resolve, 200));
}

describe('several at a time', () => {
  test('a client with several large bodies must wait; others are served', async () => {
    const large = `${'Nothing to see here. '.repeat(30_000)} ${addresses(0, 1)}`;
    const answers = await Promise.all(Array.from({ length: 5 }, () => prompt(large, '127.0.0.5')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect([refused?.headers['retry-after'], refused?.text]).toEqual([
      expect.stringMatching(/^\d+$/),
      expect.stringMatching(/of your large bodies/),
    ]);
    expect((await prompt(large, '127.0.0.5')).status).toBe(200);
  });

  test('a tenant with several long texts must wait', async () => {
    // A heavy job starts a separate thread, which takes longer than eight bodies need to arrive.
    const text = 'Nothing to see here. '.repeat(110_000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('/detect', { text })));
    const statuses = answers.map(({ status }) => status);
    // On a busy machine the first may be answered before the last arrives.
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4);
    expect(answers.find(({ status }) => status === 429)?.headers['retry-after']).toMatch(/^\d+$/);
  });

  /**
   * Whether the scene can end while a body of another client takes the only turn on a machine with two processors. On a
   * busy machine that body may be done before the scene has begun, so there are several tries.
   */
  async function endsWhileBusy(from: string, scene: (isLate: () => boolean) => Promise<void>): Promise<boolean> {
    for (let i = 0; i < 5; i++) {
      let isDone = false;
      const busy = prompt('Ask Anna Berg in the morning. '.repeat(200_000), from).finally(() => (isDone = true));
      await scene(() => isDone);
      const isInTime = !isDone;
      await busy;
      if (isInTime) return true;
    }
    return false;
  }
  const heavy = 'Nothing to see here. '.repeat(210_000);
  const large = 'Nothing to see here. '.repeat(13_000);

  test('large bodies of a client that has left neither wait nor count', async () => {
    const body = JSON.stringify({ messages: [{ role: 'user', content: heavy }] });
    const head = `POST http://${host}/v1/chat HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
    const isFree = await endsWhileBusy('127.0.0.8', async (isLate) => {
      const sockets = Array.from({ length: 6 }, () => {
        const socket = connect({ host: '127.0.0.1', port: gateway.proxyPort, localAddress: '127.0.0.9' });
        socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
        return socket.on('error', () => {});
      });
      await until(429, () => prompt(large, '127.0.0.9'), isLate);
      for (const socket of sockets) socket.resetAndDestroy();
      await until(200, () => prompt(large, '127.0.0.9'), isLate);
    });
    expect(isFree).toBe(true);
  });

  test('long texts of a caller that has left neither wait nor count', async () => {
    const isFree = await endsWhileBusy('127.0.0.10', async (isLate) => {
      const leaving = new AbortController();
      const left = Array.from({ length: 8 }, () => call('/mask', { text: heavy }, leaving.signal).catch(() => {}));
      await until(429, () => call('/detect', { text: large }), isLate);
      leaving.abort();
      await Promise.all(left);
      await until(200, () => call('/detect', { text: large }), isLate);
    });
    expect(isFree).toBe(true);
  });

  const slow = 'a'.repeat(65_000);

  test('medium-sized texts of a caller that has left are not searched', async () => {
    const used = async () => {
      const answer = await fetch(`${gateway.apiUrl}/credits`, { headers: { authorization: `Bearer ${key}` } });
      return ((await answer.json()) as { used: number }).used;
    };
    const text = 'A-1 '.repeat(50_000);
    const before = await used();
    const leaving = new AbortController();
    const calls = Array.from({ length: 40 }, () => call('/detect', { text }, leaving.signal));
    await Promise.any(calls);
    leaving.abort();
    await Promise.allSettled(calls);
    await call('/detect', { text });
    expect((await used()) - before).toBeLessThan(41);
  });

  test.each<[what: string, run: () => Promise<Answer>]>([
    ['a batch of texts', () => call('/detect/batch', { texts: Array(20).fill('A-1 '.repeat(15_000)) })],
    ['a slow expression', () => call('/detect', { text: slow, dictionary: [{ label: 'X', pattern: '/a.*b|a/' }] })],
    ['a batch to mask', () => call('/mask/batch', { texts: Array(20).fill('A-1 '.repeat(15_000)) })],
    ['a text full of tokens', () => call('/restore-all', { text: '[EMAIL-1] '.repeat(400_000) })],
    ['a text full of values', () => call('/detect', { text: addresses(0, 300_000) })],
    ['a prompt full of values', () => prompt(addresses(0, 300_000), '127.0.0.6')],
    ['a prompt in many parts', () => prompt(`${'[1,2] '.repeat(300_000)}`, '127.0.0.6')],
  ])('%s: later small requests are answered first', async (_what, run) => {
    const order: string[] = [];
    const slow = run().then(() => order.push('slow'));
    // Its last byte has been sent, or is about to be.
    await call('/mask', { text: 'Write to ann.' });
    order.push('others');
    await slow;
    expect(order).toEqual(['others', 'slow']);
  });
});
