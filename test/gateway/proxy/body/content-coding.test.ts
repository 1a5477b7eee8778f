import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeBody } from '../../../../gateway/proxy/body/content-coding.ts';

const codings = {
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  zstd: zlib.zstdCompressSync,
};
const text = JSON.stringify({ text: 'hello '.repeat(200) });
const decode = (body: Buffer, coding: string, bytesMax = 1 << 20) =>
  decodeBody(body, coding, bytesMax).then(String, (error) => error.code);

describe.each(Object.entries(codings))('%s', (coding, compress) => {
  const whole = compress(text);

  it('a whole body', async () => {
    expect(await decode(whole, coding)).toBe(text);
  });

  it('a body truncated anywhere is refused', async () => {
    for (let length = 0; length < whole.length; length++) {
      expect(await decode(whole.subarray(0, length), coding), `${length} bytes`).toBe('undecodable_body');
    }
  });

  it('trailing data would not be inspected', async () => {
    expect(await decode(Buffer.concat([whole, Buffer.from('ann@corp.example')]), coding)).toBe('undecodable_body');
  });

  it('over the limit', async () => {
    expect(await decode(whole, coding, 100)).toBe('body_too_large');
  });
});

it.each(['gzip', 'zstd'] as const)('several frames of %s are one body', async (coding) => {
  const frames = Buffer.concat([codings[coding]('{"a":'), codings[coding]('"b"}')]);
  expect(await decode(frames, coding)).toBe('{"a":"b"}');
  const large = Buffer.concat([codings[coding](text), codings[coding](text)]);
  expect(await decode(large, coding, text.length + 10)).toBe('body_too_large');
});

it('more zstd frames than an encoder writes are refused, because even empty ones cost time', async () => {
  const frames = (count: number) => Buffer.concat(Array<Buffer>(count).fill(zlib.zstdCompressSync('a')));
  expect(await decode(frames(500), 'zstd')).toBe('a'.repeat(500));
  expect(await decode(frames(2_000), 'zstd')).toBe('undecodable_body');
});

it('deflate without the header of zlib, as many clients send it', async () => {
  expect(await decode(zlib.deflateRawSync(text), 'deflate')).toBe(text);
});
