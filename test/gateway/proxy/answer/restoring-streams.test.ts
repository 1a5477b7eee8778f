/** Streams that a body restorer restores. */
import { createServer } from 'node:http';
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BodyRestorer } from '../../../../gateway/proxy/answer/restoring.ts';
import { listening } from '../../../support/listening.ts';
import { map, open, push, vault } from './opened-restorer.ts';

describe('streams', () => {
  const event = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

  it('a silent origin: repeated comments, never inside an event', async () => {
    const run = open('sse', { keepAliveMs: 5 });
    push(run, event('a'));
    await expect.poll(() => run.output().match(/: keep-alive\n\n/g)?.length ?? 0).toBeGreaterThan(2);
    push(run, 'data: {"choi');
    await expect.poll(() => run.pieces.length).toBeGreaterThan(6);
    push(run, 'ces":[]}\n\n');
    expect(run.output().replaceAll(': keep-alive\n\n', '')).toBe(`${event('a')}data: {"choices":[]}\n\n`);
  });

  it.each([undefined, 'gzip', 'br', 'zstd', 'deflate'])(
    'a break shows what was held back before it (%s)',
    async (contentEncoding) => {
      const bytes = Buffer.from(event('so [EMAIL'));
      const encoded =
        {
          gzip: () => zlib.gzipSync(bytes).subarray(0, -8),
          br: () => zlib.brotliCompressSync(bytes),
          zstd: () => zlib.zstdCompressSync(bytes),
          deflate: () => zlib.deflateSync(bytes).subarray(0, -4),
        }[contentEncoding ?? ''] ?? (() => bytes);
      const run = open('sse', contentEncoding ? { contentEncoding } : {});
      push(run, encoded());
      await new Promise<void>((cut) => run.restorer.abort(cut));
      expect(run.output()).toBe(event('so ') + event('[EMAIL'));
    },
  );

  const compressed = {
    gzip: zlib.gzipSync,
    deflate: zlib.deflateSync,
    'deflate, raw': zlib.deflateRawSync,
    br: zlib.brotliCompressSync,
    zstd: zlib.zstdCompressSync,
  };
  it.each(Object.entries(compressed))('%s cut before a clean end is a broken answer', async (coding, compress) => {
    const encoded = compress(Buffer.from(event('so [EMAIL')));
    for (const plan of ['sse', 'document'] as const) {
      for (const missing of [1, 5, encoded.length >> 1]) {
        const run = open(plan, { contentEncoding: coding.replace(', raw', '') });
        push(run, encoded.subarray(0, -missing));
        run.restorer.end();
        expect(await run.ended, `${plan}, ${missing} bytes missing`).toBe('fail');
      }
    }
  });

  it.each(['gzip', 'deflate', 'br', 'zstd'])('no bytes are an empty body, also in %s', async (contentEncoding) => {
    for (const plan of ['document', 'sse', 'text'] as const) {
      const run = open(plan, { contentEncoding });
      run.restorer.end();
      expect(await run.ended, plan).toBe('end');
      expect(run.output()).toBe('');
    }
  });

  it.each(['zlib', 'raw'])('deflate in the format %s, however it is split', async (format) => {
    const text = event('so [EMA') + event('IL-1] it');
    for (const data of [text, text.repeat(5_000)]) {
      const encoded = format === 'raw' ? zlib.deflateRawSync(data) : zlib.deflateSync(data);
      for (const size of [1, 7, encoded.length]) {
        const run = open('sse', { contentEncoding: 'deflate' });
        for (let at = 0; at < encoded.length; at += size) push(run, encoded.subarray(at, at + size));
        run.restorer.end();
        expect(await run.ended, `pieces of ${size}`).toBe('end');
        expect(run.output()).toContain('ann@');
      }
    }
  });

  it.each(['gzip', 'zstd'] as const)(
    'several frames of %s are one response, however they are split',
    async (coding) => {
      const events = [event('so [EMA'), event('IL-1] it'), event(' is')];
      const encoded = Buffer.concat(events.map((text) => compressed[coding](Buffer.from(text))));
      for (const size of [1, 7, 40, encoded.length]) {
        const run = open('sse', { contentEncoding: coding });
        for (let at = 0; at < encoded.length; at += size) push(run, encoded.subarray(at, at + size));
        run.restorer.end();
        expect(await run.ended, `pieces of ${size}`).toBe('end');
        expect(run.output()).toContain('ann@');
        expect(run.output()).toContain(' is');
      }
    },
  );

  it('thousands of empty zstd frames break a response', async () => {
    const run = open('sse', { contentEncoding: 'zstd' });
    push(run, Buffer.concat(Array<Buffer>(2_000).fill(zlib.zstdCompressSync(''))));
    run.restorer.end();
    expect(await run.ended).toBe('fail');
  });

  it('gzip without its last bytes: all of the text arrives, then the break', async () => {
    const run = open('sse', { contentEncoding: 'gzip' });
    push(run, zlib.gzipSync(event('so [EMAIL')).subarray(0, -8));
    run.restorer.end();
    expect(await run.ended).toBe('fail');
    expect(run.output()).toBe(event('so ') + event('[EMAIL'));
  });

  it('a slow client pauses the decoder', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200);
      const big = zlib.gzipSync(Buffer.alloc(8 << 20, 'x'));
      let waiting = true;
      const restorer = BodyRestorer.create({
        plan: 'text',
        contentEncoding: 'gzip',
        map: map as NonNullable<typeof map>,
        bytesMax: 1,
        sink: { write: (bytes) => response.write(bytes), end: () => response.end(), fail: () => response.destroy() },
      }) as BodyRestorer;
      restorer.push(big, () => {});
      restorer.end();
      response.on('drain', () => restorer.resume());
      setImmediate(() => {
        waiting = response.writableLength < 4 << 20;
        if (!waiting) response.destroy();
      });
    });
    const answer = await fetch(`http://127.0.0.1:${await listening(server)}`);
    expect((await answer.arrayBuffer()).byteLength).toBe(8 << 20);
  });

  it('blanks before an answer of unknown kind pass, however many there are', async () => {
    const run = open('sniffed');
    for (let i = 0; i < 3; i++) push(run, '\n'.repeat(1_000));
    expect(run.output()).toBe('\n'.repeat(3_000));
    push(run, 'dat');
    push(run, 'a: {"content":"to [EMAIL-1]"}\n\n');
    run.restorer.end();
    await run.ended;
    expect(run.output().trim()).toBe('data: {"content":"to ann@corp.example"}');
  });

  it('results of a batch, line by line', async () => {
    const run = open('jsonl');
    push(
      run,
      '{"custom_id":"a","response":{"body":{"choices":[{"message":{"content":"to [EMAIL-1]"}}]}}}\n{"custom_id":"b",',
    );
    push(run, '"result":{"message":{"content":[{"type":"text","text":"[EMAIL-1]"}]}}}\nnot [EMAIL-1] json\n');
    run.restorer.end();
    await run.ended;
    expect(run.output().match(/ann@corp\.example/g)).toHaveLength(2);
    expect(run.output()).toContain('not [EMAIL-1] json\n');
    expect(run.restorer.counts).toEqual({ restored: 2, unresolved: 0, unreadable: 1 });
  });

  it('in HTML a restored value cannot become markup', async () => {
    vault.reserve('html', [{ type: 'NAME', value: `<b onclick='x("\\n")'>&` }]);
    const run = open('html');
    const other = BodyRestorer.create({
      plan: 'html',
      contentEncoding: undefined,
      map: vault.tokens('html') as NonNullable<typeof map>,
      bytesMax: 1,
      sink: { write: (bytes) => void run.pieces.push(Buffer.from(bytes)) === undefined, end: () => {}, fail: () => {} },
    }) as BodyRestorer;
    other.push(Buffer.from('<p>Hi [NAME-1] &#91;NAME-1&#93;</p>'), () => {});
    other.end();
    const shown = '&#60;b onclick=&#39;x(&#34;&#92;n&#34;)&#39;&#62;&#38;';
    expect(run.output()).toBe(`<p>Hi ${shown} ${shown}</p>`);
  });
});
