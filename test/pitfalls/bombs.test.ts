/** Small data that expands: compressed zeros, deep and long JSON. Requests are refused before it expands, answers are not buffered. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import zlib from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeDocx } from '../support/documents.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { startOrigin } from '../support/origin.ts';
import { openTls, sendTls } from '../support/tunnel.ts';
import { processorMs, watchMemory } from '../support/usage.ts';

const host = 'api.openai.com';
const authorization = 'Authorization: Bearer one';
const megabyte = 1024 * 1024;
/** The origin's answer to GET. */
let answer: { readonly type: string; readonly coding: string; readonly body: Buffer };

const origin = await startOrigin({
  names: [host],
  protocols: ['http/1.1'],
  handler: ({ method }, response) => {
    if (method === 'POST') response.writeHead(200).end('ok');
    else response.writeHead(200, { 'content-type': answer.type, 'content-encoding': answer.coding }).end(answer.body);
  },
});
const gateway = await startGatewayProcess({ hosts: { [host]: origin }, config: { masking: { max_body: '8MiB' } } });
// From here on the client has a token, so that its answers are read.
beforeAll(async () => expect(await send(post(Buffer.from('{"a":"ana@mail.example"}')))).toBe(200));

const post = (body: Buffer, fields: readonly string[] = []): Buffer => {
  const lines = [
    `POST /v1/chat/completions HTTP/1.1`,
    `Host: ${host}`,
    authorization,
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([
    Buffer.from(`${[...lines, 'Content-Type: application/json', ...fields].join('\r\n')}\r\n\r\n`),
    body,
  ]);
};
async function send(bytes: Buffer): Promise<number> {
  const { status } = await sendTls(gateway, `${host}:443`, bytes);
  return status;
}
const small = post(Buffer.from('{}'));

const tenGigabytes = 10 * 1024 ** 3;
/** 10 GB of zeros: the middle of a long run is one block, repeated. */
const makers: Record<'gzip' | 'br' | 'zstd', () => Promise<Buffer>> = {
  async gzip() {
    const block = zlib.deflateRawSync(Buffer.alloc(megabyte), { finishFlush: zlib.constants.Z_FULL_FLUSH });
    const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
    return Buffer.concat([head, ...Array<Buffer>(tenGigabytes / megabyte).fill(block)]);
  },
  async br() {
    const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY } = zlib.constants;
    const encoder = zlib.createBrotliCompress({ params: { [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_QUALITY]: 5 } });
    const block = async () => {
      const parts: Buffer[] = [];
      encoder.on('data', (part: Buffer) => parts.push(part));
      encoder.write(Buffer.alloc(16 * megabyte));
      await new Promise<void>((resolve) => encoder.flush(zlib.constants.BROTLI_OPERATION_FLUSH, resolve));
      encoder.removeAllListeners('data');
      return Buffer.concat(parts);
    };
    const [first, second] = [await block(), await block()];
    return Buffer.concat([first, ...Array<Buffer>(tenGigabytes / (16 * megabyte)).fill(second)]);
  },
  async zstd() {
    const frame = zlib.zstdCompressSync(Buffer.alloc(64 * megabyte));
    return Buffer.concat(Array<Buffer>(tenGigabytes / (64 * megabyte)).fill(frame));
  },
};
const codings = ['gzip', 'br', 'zstd'] as const;
const made: Partial<Record<keyof typeof makers, Promise<Buffer>>> = {};
const zeros = (coding: keyof typeof makers) => (made[coding] ??= makers[coding]());

describe('a decompression bomb in a request is refused before it has grown', () => {
  const again = {
    gzip: (data: Buffer) => zlib.gzipSync(data),
    br: (data: Buffer) => zlib.brotliCompressSync(data, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
    zstd: (data: Buffer) => zlib.zstdCompressSync(data),
  };

  test.each(codings)('%s, once, twice and mixed', async (coding) => {
    const bomb = await zeros(coding);
    const bodies = Object.entries(again).map(([outer, pack]): [string, Buffer] => [`${coding}, ${outer}`, pack(bomb)]);
    bodies.push([`${coding}, gzip, gzip`, zlib.gzipSync(zlib.gzipSync(bomb))]);
    bodies.push([coding, bomb.subarray(0, 7 * megabyte)]);
    expect(await send(small)).toBe(200);
    for (const [all, body] of bodies) {
      const growth = watchMemory(gateway.pid);
      expect([all, await send(post(body, [`Content-Encoding: ${all}`]))]).toEqual([all, 413]);
      expect(growth()).toBeLessThan(150);
    }
    expect(await send(small)).toBe(200);
  });

  test('a body within the limit is not mistaken for one', async () => {
    const body = Buffer.from(JSON.stringify({ messages: [{ role: 'user', content: 'a'.repeat(3 * megabyte) }] }));
    expect(await send(post(zlib.gzipSync(body), ['Content-Encoding: gzip']))).toBe(200);
    const twice = zlib.zstdCompressSync(zlib.brotliCompressSync(body));
    expect(await send(post(twice, ['Content-Encoding: br, zstd']))).toBe(200);
  });
});

test.each<[name: string, entries: string, growthMax: number]>([
  ['contents', '', 150],
  ['objects', '/Type /ObjStm /N 1 /First 4', 150],
  ['a form that only the limit of the thread stops', '/Type /Obj#53tm /N 1 /First 4', 700],
])('a PDF with a doubly compressed stream is refused before it has grown: %s', async (_name, entries, growthMax) => {
  const block = zlib.deflateRawSync(Buffer.alloc(megabyte, ' '), { finishFlush: zlib.constants.Z_FULL_FLUSH });
  const once = Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array<Buffer>(1024).fill(block)]);
  const twice = zlib.deflateSync(once).toString('latin1');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R >>',
    `<< ${entries} /Filter [/FlateDecode /FlateDecode] /Length ${twice.length} >>\nstream\n${twice}\nendstream`,
  ];
  const body = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('');
  const file = Buffer.from(`%PDF-1.7\n${body}trailer\n<< /Root 1 0 R >>\n%%EOF\n`, 'latin1');
  expect(file.length).toBeLessThan(5000);
  await expectRefused(file, 'a.pdf', growthMax);
});

/** Expects that a file is refused as too large, using little memory (in MiB). */
async function expectRefused(file: Uint8Array, name: string, growthMax: number): Promise<void> {
  const upload = async (): Promise<number> => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(file)]), name);
    const headers = { authorization: `Bearer ${gateway.adminKey}` };
    return (await fetch(`${gateway.apiUrl}/upload`, { method: 'POST', body: form, headers })).status;
  };
  // Start the thread and load the library first.
  expect(await upload()).toBe(413);
  const growth = watchMemory(gateway.pid);
  expect(await Promise.all([upload(), upload()])).toEqual([413, 413]);
  expect(growth()).toBeLessThan(growthMax);
}

test('a document of documents of documents is refused before it has grown', async () => {
  const around = (inner: Uint8Array): Uint8Array =>
    makeDocx([['Hello']], Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`word/a${i}.docx`, inner])));
  await expectRefused(around(around(around(makeDocx([['Hello']])))), 'a.docx', 150);
});

describe('a decompression bomb in an answer', () => {
  const types = ['application/json', 'text/event-stream', 'text/plain'];

  test.each(codings.flatMap((coding) => types.map((type) => [coding, type] as const)))(
    '%s, %s: no further than it is read',
    async (coding, type) => {
      answer = { type, coding, body: await zeros(coding) };
      const growth = watchMemory(gateway.pid);
      const socket = await openTls(gateway, `${host}:443`);
      let read = 0;
      socket.on('data', (chunk: Buffer) => {
        read += chunk.length;
        if (read > 30 * megabyte) socket.pause();
      });
      const closed = once(socket, 'close');
      socket.write(`GET /v1/chat/completions HTTP/1.1\r\nHost: ${host}\r\n${authorization}\r\n\r\n`);
      // Read until the client or the gateway stops.
      await Promise.race([closed, expect.poll(() => read, { interval: 5 }).toBeGreaterThan(30 * megabyte)]);
      await untilIdle();
      expect(growth()).toBeLessThan(250);
      expect(await send(small)).toBe(200);
      socket.destroy();
      await untilIdle();
    },
  );

  /** Waits until the gateway has nothing to do. */
  async function untilIdle(): Promise<void> {
    let before = processorMs(gateway.pid);
    await expect
      .poll(
        () => {
          const now = processorMs(gateway.pid);
          const used = now - before;
          before = now;
          return used;
        },
        { interval: 200 },
      )
      .toBeLessThan(100);
  }
});

describe('JSON that is deep or long', () => {
  test.each<[name: string, body: (length: number) => string, status: number]>([
    ['arrays', (length) => '['.repeat(length), 400],
    ['arrays that are closed', (length) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`, 400],
    ['objects', (length) => `${'{"a":'.repeat(length / 6)}1${'}'.repeat(length / 6)}`, 400],
    ['empty strings', (length) => `[${'"",'.repeat(length / 3)}""]`, 200],
    ['a line of digits', (length) => `{"a":"${'1234567890'.repeat(length / 10)}"}`, 200],
    ['a line of beginnings of addresses', (length) => `{"a":"${'a@'.repeat(length / 2)}"}`, 200],
    ['a line of dots and dashes', (length) => `{"a":"${'a.b-'.repeat(length / 4)}"}`, 200],
    ['a line of spaces', (length) => `{"a":"${' '.repeat(length)}"}`, 200],
    ['a line of escapes', (length) => `{"a":"${'\\u005b'.repeat(length / 6)}"}`, 200],
    ['a line of capital words', (length) => `{"a":"${'Mc Van De '.repeat(length / 10)}"}`, 200],
    ['lines of key words', (length) => `{"a":"${'My passport number is '.repeat(length / 22)}"}`, 200],
  ])('%s: inspected or refused, and others are served', async (_name, body, status) => {
    let isOver = false;
    const bombs = Promise.all([0, 1].map((i) => send(post(Buffer.from(body(megabyte / 2 + 60 * i)))))).finally(() => {
      isOver = true;
    });
    let served = 0;
    for (; !isOver; served++) {
      expect(await send(small)).toBe(200);
      await pause(50);
    }
    expect(await bombs).toEqual([status, status]);
    expect(served).toBeGreaterThan(0);
  });
});
