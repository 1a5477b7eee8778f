/** Heads that are too large, and values of people that would make heads of their own. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { type Origin, startOrigin } from '../support/origin.ts';
import { exchangeRaw, isCompleteAnswer } from '../support/recorder.ts';
import { readAnswers } from '../support/strict-http.ts';
import { openHttp2, openTls, openTunnel } from '../support/tunnel.ts';

const host = 'api.openai.com';
const authority = new TestAuthority();
let origin: Origin;
let gateway: Gateway;

beforeAll(async () => {
  origin = await startOrigin({ authority, names: [host] });
  gateway = await startGateway({ authority, hosts: { [host]: origin }, config: { policy: { coach: true } } });
});
afterAll(async () => {
  await gateway?.stop();
  await origin?.close();
});

const memory = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${gateway.pid}/status`, 'latin1'))?.[1]) / 1024;

/** Writes until the peer has had enough, and returns what it said. */
async function pour(socket: Socket, head: string, piece: string, total: number): Promise<string> {
  let text = '';
  let isOpen = true;
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isOpen = false;
      resolve();
    });
  });
  socket.write(head, 'latin1');
  const block = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)), 'latin1');
  for (let sent = 0; sent < total && isOpen && !text.includes('\r\n\r\n'); sent += block.length) {
    if (!socket.write(block)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (isOpen && !text.includes('\r\n\r\n')) socket.end('\r\n\r\n');
  await closed;
  return text;
}

const places: Record<string, () => Promise<readonly [Socket, string]>> = {
  'plain http': async () => [connect(gateway.proxyPort, '127.0.0.1'), 'http://example.com'],
  CONNECT: async () => [connect(gateway.proxyPort, '127.0.0.1'), 'CONNECT'],
  'an intercepted tunnel': async () => [await openTls(gateway, `${host}:443`), ''],
  'plain http in a tunnel': async () => [(await openTunnel(gateway, `${host}:80`)).socket.resume(), ''],
};
const megabytes = 10 * 1024 * 1024;

describe.each(Object.keys(places))('%s', (place) => {
  const start = (target: string, path: string): string =>
    target === 'CONNECT' ? `CONNECT ${host}:443` : `GET ${target}${path}`;

  test.each([
    ['a field of 10 MB', (target: string) => `${start(target, '/')} HTTP/1.1\r\nHost: ${host}\r\nX: `, 'x'],
    ['100,000 fields', (target: string) => `${start(target, '/')} HTTP/1.1\r\nHost: ${host}\r\n`, 'X: x\r\n'],
    ['fields without a value', (target: string) => `${start(target, '/')} HTTP/1.1\r\nHost: ${host}\r\n`, 'a:\r\n'],
    ['a target of 10 MB', (target: string) => `${start(target, '/')}`, 'x'],
    ['a method of 10 MB', () => 'X', 'X'],
  ])('%s: answered 431, 414 or 400, or cut, and no memory is kept', async (_name, head, piece) => {
    const before = memory();
    const all = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const [socket, target] = await (places[place] as (typeof places)[string])();
        return pour(socket, head(target), piece, megabytes);
      }),
    );
    for (const answer of all) expect(answer).toMatch(/^(?:HTTP\/1\.1 (?:400|414|431) |$)/);
    expect(memory() - before).toBeLessThan(100);
  });
});

describe('over HTTP/2', () => {
  test.each([
    ['a field of 200 KB', { 'x-large': 'x'.repeat(200_000) }],
    ['3,000 fields', Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`x-${i}`, 'x']))],
  ])('%s is refused, and the next request is served', async (_name, fields) => {
    const outcome = await request(fields);
    expect(['431', 'refused']).toContain(outcome);
    expect(await request({})).toBe('200');
  });

  async function request(fields: Record<string, string>): Promise<string> {
    const session = await openHttp2(gateway, `${host}:443`);
    const outcome = await new Promise<string>((resolve) => {
      session.once('error', () => resolve('refused'));
      session.once('close', () => resolve('refused'));
      try {
        const stream = session.request({ ':path': '/', ':authority': host, ...fields });
        stream.once('response', (head) => resolve(String(head[':status'])));
        stream.once('error', () => resolve('refused'));
        stream.once('close', () => resolve('refused'));
      } catch {
        resolve('refused');
      }
    });
    session.destroy();
    return outcome;
  }
});

describe('line ends in what people write', () => {
  const injected = 'x\r\nX-Injected: 1\r\n\r\nHTTP/1.1 200 OK\r\nX-Injected: 2\r\n\r\n';

  type Schema = {
    readonly type?: string | readonly string[];
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly items?: Schema;
    readonly enum?: readonly unknown[];
    readonly anyOf?: readonly Schema[];
    readonly required?: readonly string[];
  };

  /** A value of the shape in which every text is the given one. */
  function filled(schema: Schema, text: string): unknown {
    const shape = schema.anyOf?.[0] ?? schema;
    if (shape.properties) {
      return Object.fromEntries(Object.entries(shape.properties).map(([name, inner]) => [name, filled(inner, text)]));
    }
    const type = [shape.type].flat()[0];
    if (type === 'array') return [filled(shape.items ?? { type: 'string' }, text)];
    if (type === 'integer' || type === 'number') return 1;
    if (type === 'boolean') return true;
    if (type === 'object') return { [text]: text };
    return text;
  }

  test('never become fields of an answer, in any text of any request of the API', async () => {
    const document = (await (await fetch(`${gateway.apiUrl}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { requestBody?: { content?: Record<string, { schema?: Schema }> } }>>;
    };
    let asked = 0;
    const strange: string[] = [];
    const port = Number(new URL(gateway.apiUrl).port);
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        if (!/^(?:post|put|patch|delete|get)$/.test(method) || /reload|rotate/.test(path)) continue;
        const schema = operation.requestBody?.content?.['application/json']?.schema;
        const names = Object.keys(schema?.properties ?? {});
        // All texts at once, and one after another, so that what is refused for one does not hide the next.
        const bodies =
          schema === undefined
            ? [undefined]
            : [filled(schema, injected), ...names.map((name) => ({ [name]: injected }))];
        const target = path.replaceAll(/\{\w+\}/g, encodeURIComponent(injected));
        for (const body of bodies) {
          asked++;
          const json = body === undefined ? '' : JSON.stringify(body);
          const query = `?q=${encodeURIComponent(injected)}&url=${encodeURIComponent(injected)}&user=${encodeURIComponent(injected)}`;
          const head = [
            `${method.toUpperCase()} ${target}${method === 'get' ? query : ''} HTTP/1.1`,
            `Host: 127.0.0.1:${port}`,
          ];
          head.push(`Authorization: Bearer ${gateway.adminKey}`, 'Connection: close', 'Content-Type: application/json');
          head.push(`Content-Length: ${Buffer.byteLength(json)}`, 'X-Request-Id: x', '', json);
          const answer = await exchangeRaw(port, head.join('\r\n'), { timeoutMs: 30_000 });
          const { messages, rest } = readAnswers(Buffer.from(answer, 'latin1'), [method.toUpperCase()]);
          const fields = messages.flatMap((message) => [...message.fields, ...message.trailers]);
          if (rest !== 'none' || messages.length !== 1 || fields.some(([name]) => /injected/i.test(name)))
            strange.push(`${method} ${path} ${json.slice(0, 80)}: ${rest} ${answer.slice(0, 200)}`);
        }
      }
    }
    expect(strange).toEqual([]);
    expect(asked).toBeGreaterThan(100);
  });

  test('never become fields at the proxy, or lines of the log: the name of a service, its domain, a reason', async () => {
    for (const service of [
      { service_name: `Bot${injected}`, domain: 'bot.example', category: 'monitoring' },
      { service_name: 'Bot', domain: `bot2.example${injected}`, category: 'monitoring' },
    ]) {
      const created = await gateway.api('/shadow-ai/services', { method: 'POST', body: JSON.stringify(service) });
      expect([201, 422]).toContain(created.status);
    }
    const head = (fields: string): string => `GET http://bot.example/ HTTP/1.1\r\nHost: bot.example\r\n${fields}\r\n`;
    const asked = [
      head(''),
      head('Accept: text/html\r\nSec-Fetch-Mode: navigate\r\n'),
      head(`User-Agent: ${encodeURIComponent(injected)}\r\n`),
    ];
    for (const bytes of asked) {
      const answer = await exchangeRaw(gateway.proxyPort, bytes, { until: isCompleteAnswer, timeoutMs: 20_000 });
      const { messages, rest } = readAnswers(Buffer.from(answer, 'latin1'), ['GET']);
      expect(rest).toBe('none');
      expect(messages.flatMap(({ fields }) => fields.map(([name]) => name.toLowerCase()))).not.toContain('x-injected');
    }
    const lines = gateway.output().split('\n');
    expect(lines.filter((line) => /^(?:X-Injected|HTTP\/1\.1)/.test(line))).toEqual([]);
  });
});
