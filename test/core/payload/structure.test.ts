import { describe, expect, test } from 'vitest';
import { type Findings, JsonDocument } from '../../../core/payload/document.ts';
import { isOpaqueName, isOpaqueText, isStructural } from '../../../core/payload/structure.ts';

const base64 = (text: string) => btoa(text);
const long = base64('no sense at all, and more of it. '.repeat(10));

describe('not text by people', () => {
  test.each([
    ['type', 'text'],
    ['messages[].role', 'user'],
    ['object', 'list'],
    ['model', 'gpt-4o-2024/x:1'],
    ['id', 'msg_01aB.c:d/e+f$g-h'],
    ['id', 'x+819012345678'],
    ['id', '009012345678'],
    ['id', 'sk-short'],
    ['id', 'a415-555-0132'],
    ['id', '4111-1111-1111-1111-1'],
    ['id', 'GB30NWBK60161331926819'],
    ['id', 'XGB29NWBK60161331926819'],
    ['id', `call_x__thought__${base64('\x08\xe7\x12\xc0'.repeat(200))}`],
    ['id', base64('no sense at all, '.repeat(10))],
    ['prompt_cache_key', 'k1'],
    ['mcp_servers[].authorization_token', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'],
    ['status', `${'a'.repeat(128)}`],
    ['status', 'in_1-2:3'],
    ['messages[].tool_call_id', 'call_x'],
    ['tools[].function.name', 'get_weather'],
    ['tools[].function.parameters.required[]', 'city'],
    ['tools[].function.parameters.properties.x.enum[]', 'red'],
    ['messages[].content[].image_url.url', `data:image/png;base64,${long}`],
    ['x.anything', `data:image/png;base64,${long}`],
    ['x.anything', `data:image/png;charset=utf-8;name=a.b;base64,${long}`],
    ['x.anything', 'data:;base64,'],
    ['messages[].content[].source.data', long],
    ['contents[].parts[].inline_data.data', base64('%PDF-1.7')],
    ['x.encrypted_content', 'a'.repeat(40)],
    ['x', ''],
  ])('%s: %s', (path, value) => expect(isStructural(path, value)).toBe(true));

  test.each([
    ['type', 'jo@x.example'],
    ['role', 'two words'],
    ['id', 'jo@x.example'],
    ['status', '123456789'],
    ['status', `x${'1-'.repeat(9)}`],
    ['status', `${'a'.repeat(128)}b`],
    ['id', 'a b'],
    ['id', base64('Please write to jo@x.example. '.repeat(20))],
    ['messages[].tool_call_id', base64('Please write to jo@x.example. '.repeat(20))],
    ['id', '+819012345678'],
    ['id', '09012345678'],
    ['id', 'sk-abcdefghijklmnopqrst'],
    ['id', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'],
    ['id', '415-555-0132'],
    ['id', '536-22-1234'],
    ['id', '4111-1111-1111-1111'],
    ['id', '1234-5678-9018'],
    ['id', 'GB29NWBK60161331926819'],
    ['wa_id', 'w1'],
    ['paymentId', 'p1'],
    ['user_id', 'u1'],
    ['customerId', 'u1'],
    ['x.name', 'Ann'],
    ['required[]', 'Ann'],
    ['enum[]', 'Ann'],
    ['url', 'https://x.example/a.png'],
    ['messages[].content[].image_url.url', 'https://x.example/a.png'],
    ['messages[].content[].image_url.url', 'https://x.example/a b'],
    ['messages[].content[].image_url.url', 'https://jo@x.example/'],
    ['messages[].content[].image_url.url', 'ftp://x.example/'],
    ['messages[].content', 'hello'],
    ['messages[].content[].text', long],
    ['messages[].content[].source.data', '09012345678'],
    ['messages[].content[].source.data', 'short'],
    ['messages[].content[].source.data', 'with a space in it'],
    ['x.anything', 'data: x'],
    ['x.anything', 'data:text/plain,hello'],
    ['x.anything', `data:image/png;base64,${long} and text`],
    ['x.encrypted_content', 'jo@x.example'],
  ])('not %s: %s', (path, value) => expect(isStructural(path, value)).toBe(false));

  test.each([
    ['a'.repeat(32), true],
    ['a'.repeat(31), false],
    [`${'a'.repeat(32)} b`, false],
    [`${'a'.repeat(32)}@x`, false],
  ])('encrypted by a provider: %s, %s', (value, expected) => expect(isOpaqueText(value)).toBe(expected));

  test.each([
    ['encrypted_content', true],
    ['signature', true],
    ['content', false],
  ])('the name %s: %s', (name, expected) => expect(isOpaqueName(name)).toBe(expected));
});

describe('base64 in JSON', () => {
  const opened = (value: unknown) => {
    const findings: Findings = { leaves: [], sealed: [], uninspectable: [] };
    const document = new JsonDocument(JSON.stringify(value), findings, { level: 0, hasStructure: true });
    let next = 0;
    const rewritten = document.rewrite({ text: () => findings.leaves[next++]?.toUpperCase(), part: () => undefined });
    return { findings, rewritten };
  };
  const source = (data: string, more: object = {}) => ({ messages: [{ content: [{ source: { data, ...more } }] }] });

  test('text is decoded and re-encoded the same way', () => {
    const { findings, rewritten } = opened(source(base64('hello world'), { media_type: 'text/plain' }));
    expect(findings.leaves).toContain('hello world');
    expect(JSON.parse(rewritten ?? '').messages[0].content[0].source.data).toBe(base64('HELLO WORLD'));
  });

  test('also in the URL-safe alphabet', () => {
    const text = 'subjects?>~ii>>>??? and ~~~ more';
    const plain = base64(text);
    expect(plain).toMatch(/[+/]/);
    const urlSafe = plain.replaceAll('+', '-').replaceAll('/', '_');
    const { findings, rewritten } = opened(source(urlSafe, { media_type: 'text/plain' }));
    expect(findings.leaves).toContain(text);
    const data = JSON.parse(rewritten ?? '').messages[0].content[0].source.data as string;
    expect(data).not.toMatch(/[+/]/);
    expect(atob(data.replaceAll('-', '+').replaceAll('_', '/'))).toBe(text.toUpperCase());
  });

  test('after data:', () => {
    const { findings, rewritten } = opened({ x: `data:text/plain;base64,${base64('hello world')}` });
    expect(findings.leaves).toEqual(['hello world']);
    expect(JSON.parse(rewritten ?? '').x).toBe(`data:text/plain;base64,${base64('HELLO WORLD')}`);
  });

  test.each<[string, object, object]>([
    ['its own type', source(base64('\x89PNG\0\0\0\0\0'), {}), { kind: 'image', mediaType: 'image/png' }],
    [
      'the type next to it',
      source(base64('\0\0\0\0\0\0abc'), { media_type: 'audio/x-own' }),
      { mediaType: 'audio/x-own' },
    ],
    ['another name of the type', source(base64('\0\0\0\0\0\0abc'), { mimeType: 'audio/x-own' }), { kind: 'audio' }],
    ['a file by its beginning', { x: base64(`%PDF-1.7${'\0'.repeat(60)}`) }, { kind: 'document' }],
  ])('what cannot be read: %s', (_name, body, expected) => {
    expect(opened(body).findings.uninspectable).toEqual([expect.objectContaining(expected)]);
  });

  test('text that only looks like base64 is neither text nor a part', () => {
    const { findings } = opened(source('abcde=fgh'.repeat(40)));
    expect(findings.uninspectable.length + findings.leaves.length).toBe(1);
  });
});
