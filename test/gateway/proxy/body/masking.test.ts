import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MemoryVault } from '../../../../core/vault.ts';
import { BodyMasker, type MaskingInput, type MaskingOptions } from '../../../../gateway/proxy/body/masking.ts';
import { makeDocx, makePdf } from '../../../support/documents.ts';
import { turnsDuring } from '../../../support/turns.ts';

const address = 'ana@mail.example';
const day = 86_400_000;

function makeMasker(options: Partial<MaskingOptions> = {}): BodyMasker {
  return new BodyMasker({
    vault: new MemoryVault({ ttlMs: day }),
    types: {},
    dictionary: [],
    bodyBytesMax: 1e6,
    uninspectable: { image: 'allow', audio: 'allow', document: 'extract', binary: 'block', signed: 'block' },
    tokenTtlMs: day,
    batchTtlMs: 30 * day,
    hints: [],
    builtinTypes: ['EMAIL'],
    ...options,
  });
}

function input(body: string | Uint8Array, contentType?: string, more: Partial<MaskingInput> = {}): MaskingInput {
  return {
    body: Buffer.from(body),
    contentType,
    contentEncoding: undefined,
    host: 'api.example.com',
    path: '/v1/x',
    session: 's',
    mode: 'mask',
    ...more,
  };
}

const png = Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1');
const docx = makeDocx([[address]]);
const pdf = makePdf([address]);
const pdfUrl = `data:application/pdf;base64,${Buffer.from(pdf).toString('base64')}`;
const uninspectable = { image: 'block', audio: 'block', document: 'allow', binary: 'allow', signed: 'block' };

describe('file bodies', () => {
  it.each([
    ['text without a type', `to ${address}`, undefined, 'to [EMAIL-1]'],
    ['text as octets', `to ${address}`, 'application/octet-stream', 'to [EMAIL-1]'],
    ['JSON without a type', `{"id":"x","a":"${address}"}`, undefined, '{"id":"x","a":"[EMAIL-1]"}'],
    ['lines of JSON as octets', `{"a":"\\n${address}"}\n{`, 'binary/octet-stream', '{"a":"\\n[EMAIL-1]"}\n{'],
    ['an SVG image', `<svg>${address}</svg>`, 'image/svg+xml', '<svg>[EMAIL-1]</svg>'],
    ['text declared as an image', address, 'image/png', '[EMAIL-1]'],
    [
      'messages of SignalR',
      `{"a":"${address}"}\x1e{"b":1}\x1e`,
      'application/octet-stream',
      '{"a":"[EMAIL-1]"}\x1e{"b":1}\x1e',
    ],
  ])('%s is masked', async (_name, body, type, expected) => {
    expect((await makeMasker().mask(input(body, type))).body.toString()).toBe(expected);
  });

  it.each([
    ['a picture', png, 'image/png'],
    ['a picture without a type', png, undefined],
    ['sound', Buffer.from('ID3\0', 'latin1'), 'audio/mpeg'],
    ['a PDF without a finding', Buffer.from(makePdf(['x'])), 'application/pdf'],
  ])('%s is unchanged', async (_name, body, type) => {
    const result = await makeMasker().mask(input(body, type));
    expect(result.changed).toBe(false);
    expect(result.body.equals(body)).toBe(true);
  });

  it.each([
    ['an unknown kind', Buffer.from('\0\x01'), undefined, {}],
    ['a message in a binary format', `to ${address}`, 'application/x-protobuf', {}],
    ['gRPC', 'x', 'application/grpc', {}],
    ['a PDF with a finding', Buffer.from(pdf), 'application/octet-stream', {}],
    ['an office file that is damaged', Buffer.from(docx.subarray(0, 90)), undefined, {}],
    ['a picture, by policy', png, undefined, { uninspectable }],
    ['token ids', '{"prompt":[1,2,3]}', 'application/json', {}],
  ])('%s is refused', async (_name, body, type, options) => {
    await expect(makeMasker(options).mask(input(body, type))).rejects.toMatchObject({ code: 'uninspectable' });
  });

  it.each([
    ['an office file', makeDocx([['x']], { 'word/media/image1.png': png })],
    ['a scanned page', makePdf(['x', ''])],
  ])('an image in %s follows the image policy', async (_name, body) => {
    expect((await makeMasker().mask(input(body))).changed).toBe(false);
    const strict = { ...uninspectable, document: 'extract' };
    await expect(makeMasker({ uninspectable: strict }).mask(input(body))).rejects.toMatchObject({
      code: 'uninspectable',
    });
  });

  it('documents pass uninspected if the policy allows', async () => {
    const result = await makeMasker({ uninspectable }).mask(input(pdf, 'application/pdf'));
    expect(result).toMatchObject({ changed: false, counts: undefined });
  });

  it('an audited document is counted and sent unchanged', async () => {
    const result = await makeMasker().mask(input(docx, undefined, { mode: 'audit' }));
    expect(result).toMatchObject({ changed: false, counts: { EMAIL: 1 } });
  });

  it('reports the types in a PDF, with counts', async () => {
    const body = JSON.stringify({ file_data: pdfUrl, text: 'x' });
    await expect(makeMasker().mask(input(body, 'application/json'))).rejects.toMatchObject({
      message: 'Step rewrite: a PDF document contains EMAIL (1) and cannot be masked.',
      details: { types: { EMAIL: 1 } },
    });
  });

  it('a blocked type is also found in documents', async () => {
    const masker = makeMasker({ types: { EMAIL: 'block' } });
    await expect(masker.mask(input(docx))).rejects.toMatchObject({ code: 'blocked_by_policy' });
  });

  it('the same value has one token in the text and in a document', async () => {
    const body = JSON.stringify({ text: address, file: { file_data: Buffer.from(docx).toString('base64') } });
    const result = await makeMasker().mask(input(body, 'application/json'));
    const sent = JSON.parse(result.body.toString()) as { text: string; file: { file_data: string } };
    expect(sent.text).toBe('[EMAIL-1]');
    const reopened = await makeMasker().mask(input(Buffer.from(sent.file.file_data, 'base64'), undefined));
    expect(reopened.changed).toBe(false);
    expect(result.masked).toBe(2);
  });

  it.each([
    ['text/plain; charset=utf-16le', '', 'undecodable_body'],
    ['application/json', '', 'invalid_json'],
    ['application/x-ndjson', '', 'undecodable_body'],
    ['application/x-www-form-urlencoded', '', 'undecodable_body'],
    ['application/x-www-form-urlencoded', '{', 'undecodable_body'],
  ])('text in UTF-16 is not sent uninspected: %s', async (type, mark, code) => {
    const body = Buffer.from(`${mark}mail ${address}`, 'utf16le');
    await expect(makeMasker().mask(input(body, type))).rejects.toMatchObject({ code });
  });

  it.each([`to ${address}`, `{"to":"${address}"}`])('a message in UTF-16 is not sent uninspected: %s', async (text) => {
    const message = Buffer.from(text, 'utf16le').toString();
    const sent = input(message, 'text/plain');
    await expect(makeMasker().maskText(sent, message)).rejects.toMatchObject({ code: 'undecodable_body' });
    expect(await makeMasker().maskText({ ...sent, mode: 'audit' }, message)).toMatchObject({ changed: false });
  });

  it('the end of a message of STOMP', async () => {
    const { body } = await makeMasker().maskText(input('', 'text/plain'), `SEND\n\nto ${address}\0\n`);
    expect(body.toString()).toBe('SEND\n\nto [EMAIL-1]\0\n');
  });

  it.each([
    ['text/plain; charset=iso-2022-jp', '"iso-2022-jp"'],
    ['text/html;CHARSET = "UTF-7"', '"UTF-7"'],
    ['application/x-www-form-urlencoded; charset=Shift_JIS', '"Shift_JIS"'],
    ['application/json; charset=utf-8; charset=utf-16', '"utf-16"'],
    ["application/x-ndjson;x=y,charset=' ebcdic-us'", '"ebcdic-us"'],
    ['text/plain; charset=<b>', 'another charset'],
  ])('text in an unsupported charset is refused: %s', async (type, name) => {
    const sent = input('{}', type);
    const message = `Step decode: text in ${name} cannot be read.`;
    await expect(makeMasker().mask(sent)).rejects.toMatchObject({ code: 'undecodable_body', message });
    expect(await makeMasker().mask({ ...sent, mode: 'audit' })).toMatchObject({ changed: false });
    expect(await makeMasker().mask(input('', type))).toMatchObject({ changed: false });
  });

  it.each(['utf8', '"UTF-8"', 'US-ASCII', 'iso-8859-1', 'latin1', 'windows-1252', ''])(
    'charset=%s',
    async (charset) => {
      const result = await makeMasker().mask(input(`to ${address}`, `text/plain; charset=${charset}`));
      expect(result.body.toString()).toBe('to [EMAIL-1]');
    },
  );

  it('JSON with the media type of curl', async () => {
    const type = 'application/x-www-form-urlencoded';
    const result = await makeMasker().mask(input(`{"prompt":"a=1&b ${address}"}`, type));
    expect(result.body.toString()).toBe('{"prompt":"a=1&b [EMAIL-1]"}');
  });

  it('compressed text is decoded, masked and sent uncompressed', async () => {
    const result = await makeMasker().mask(
      input(gzipSync(`{"a":"${address}"}`), 'application/json', { contentEncoding: 'gzip' }),
    );
    expect(result.body.toString()).toBe('{"a":"[EMAIL-1]"}');
  });
});

describe('compressed bodies', () => {
  it('with much decompressed data are masked while other requests run', async () => {
    const texts = Array.from({ length: 12_000 }, (_, i) => ({ text: `row ${i} of the table` }));
    const body = JSON.stringify([...texts, { text: `to ${address}` }]);
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const masking = makeMasker().mask(input(brotliCompressSync(body), 'application/json', { contentEncoding: 'br' }));
    const masked = await masking;
    clearInterval(timer);
    expect(masked.body.toString()).toBe(body.replace(address, '[EMAIL-1]'));
    expect(turns).toBeGreaterThan(20);
  });
});

describe('presigned URLs for the service to fetch', () => {
  const query = `GoogleAccessId=bot@p.iam.gserviceaccount.com&Expires=1732678574&Signature=AbC%2Bdef`;
  const body = (path: string) => JSON.stringify({ file_url: `https://storage.googleapis.com/${path}?${query}` });
  it('are unchanged', async () => {
    expect((await makeMasker().mask(input(body('b/k.pdf'), 'application/json'))).changed).toBe(false);
  });
  it('are refused with personal data outside the signature', async () => {
    await expect(makeMasker().mask(input(body(`b/${address}.pdf`), 'application/json'))).rejects.toMatchObject({
      code: 'uninspectable',
      details: { types: { EMAIL: 1 } },
    });
  });
  it('are unchanged if signed requests are allowed', async () => {
    const masker = makeMasker({ uninspectable: { ...uninspectable, signed: 'allow' } });
    const url = body(`b/${address}.pdf`);
    expect((await masker.mask(input(url, 'application/json'))).body.toString()).toBe(url);
  });
});

describe('tokens keep the JSON valid', () => {
  it.each([
    ['next to quotes and a line break', String.raw`say \"hi\"\nto ${address}`, 'say "hi"\nto [EMAIL-1]'],
    ['next to an encoded word with quotes', `=?utf-8?Q?say_=22hi=22?= to ${address}`, 'say "hi" to [EMAIL-1]'],
    ['next to a line separator', `hi\u2028${address}`, 'hi\u2028[EMAIL-1]'],
    ['in JSON in a string', String.raw`{\"a\":\"${address}\"}`, '{"a":"[EMAIL-1]"}'],
  ])('%s', async (_name, literal, expected) => {
    const { body } = await makeMasker().mask(input(`{"a":"${literal}"}`, 'application/json'));
    expect(JSON.parse(body.toString())).toEqual({ a: expected });
  });

  it('in a member name with quotes', async () => {
    const { body } = await makeMasker().mask(input(String.raw`{"\"${address}\"":1}`, 'application/json'));
    expect(JSON.parse(body.toString())).toEqual({ '"[EMAIL-1]"': 1 });
  });
});

describe('lifetime of tokens', () => {
  it.each([
    ['/v1/chat/completions', false],
    ['/v1/files', true],
    ['/v1/messages/batches?x', true],
    ['/v1beta/models/m:batchGenerateContent', true],
    ['/v1/profiles', false],
  ])('%s', async (path, lives) => {
    let now = 0;
    const vault = new MemoryVault({ ttlMs: day, now: () => now });
    const masker = makeMasker({ vault });
    await masker.mask(input(`{"a":"${address}"}`, 'application/json', { path }));
    now += day / 2;
    await masker.mask(input('{"a":"other@mail.example"}', 'application/json'));
    now += 29 * day;
    expect(vault.tokens('s') !== undefined).toBe(lives);
  });
});

describe('hints', () => {
  const service = { id: 'api.example.com', service_name: 'Example', domain: 'example.com', alternate_domains: [] };
  const send = async (hints: string[], body: string) => {
    const more = { path: '/v1/chat/completions', service: service as unknown as NonNullable<MaskingInput['service']> };
    return (await makeMasker({ hints }).mask(input(body, 'application/json', more))).body.toString();
  };
  const body = `{"messages":[{"role":"user","content":"${address}"}]}`;

  it('are added for the configured services if something was masked', async () => {
    expect(await send(['Example'], body)).toContain('{"role":"system","content":"Text in square brackets');
    expect(await send(['Example'], '{"messages":[]}')).toBe('{"messages":[]}');
    expect(await send(['another'], body)).toBe('{"messages":[{"role":"user","content":"[EMAIL-1]"}]}');
  });
});

it.each([
  ['texts', 'application/json', JSON.stringify(Array.from({ length: 30_000 }, (_, i) => `ab${i % 9}`))],
  ['fields', 'application/x-www-form-urlencoded', 'a=b&'.repeat(60_000)],
])('other requests run while very many short %s are searched', async (_name, contentType, body) => {
  const masker = makeMasker();
  expect(await turnsDuring(async () => masker.mask(input(body, contentType)))).toBeGreaterThan(30);
});
