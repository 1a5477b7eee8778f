import { describe, expect, test } from 'vitest';
import { readText } from '../../../core/payload/body-text.ts';
import { openContent, openFileText, wholeContent } from '../../../core/payload/content.ts';
import { type Findings, JsonDocument, openText } from '../../../core/payload/document.ts';
import { looksLikeJson, scanJson } from '../../../core/payload/json-strings.ts';
import { isSealed } from '../../../core/payload/sealed.ts';

const none = (): Findings => ({ leaves: [], sealed: [], uninspectable: [] });

/** The texts of a document, and the document with each text in capitals. */
function opened(open: (findings: Findings) => { rewrite(changes: never): string | undefined }) {
  const findings = none();
  const document = open(findings);
  let next = 0;
  const changes = { text: () => findings.leaves[next++]?.toUpperCase(), part: () => undefined };
  return { findings, rewritten: document.rewrite(changes as never) };
}
const json = (value: unknown, level = 0, hasStructure = true) =>
  opened((findings) => new JsonDocument(JSON.stringify(value), findings, { level, hasStructure }));

describe('looks like JSON', () => {
  test.each(['{}', '[]', '""', ' {"a":1}\n', '\t[1] ', '{"a', '"'].map((text, i) => [text, i < 5] as const))(
    '%j: %s',
    (text, expected) => expect(looksLikeJson(text)).toBe(expected),
  );
  test.each(['', '1', 'a{}', '{]', '[}', '"}', '{"', '[x', '1]', 'x"', '!{}'])('not %j', (text) =>
    expect(looksLikeJson(text)).toBe(false),
  );
});

describe('numbers that may be cards or identities', () => {
  test.each<[unknown, number, boolean, string[]]>([
    [{ a: 123456789012 }, 1, false, ['123456789012']],
    [{ a: -123456789012 }, 1, false, ['-123456789012']],
    [{ a: 12345678901 }, 1, false, []],
    [{ a: 1234567890.12 }, 1, false, []],
    [{ a: true }, 1, false, []],
  ])('%j at level %i', (value, level, hasStructure, leaves) => {
    expect(json(value, level, hasStructure).findings.leaves).toEqual(leaves);
  });

  test.each([
    [{ prompt: [1, 2, 3] }, 'prompt'],
    [{ input: [[1, 2], [3]] }, 'input'],
  ])('ids of tokens in %j cannot be read', (value, pointer) => {
    const { findings, rewritten } = json(value);
    expect(findings.uninspectable.map((part) => part.kind)).toContain('binary');
    expect(findings.uninspectable[0]?.pointer).toContain(pointer);
    expect(findings.uninspectable[0]?.bytes).toBeUndefined();
    expect(rewritten).toBeUndefined();
  });
  test('other arrays of numbers are not token ids', () => {
    expect(json({ weights: [1, 2], prompt: ['x'] }).findings.uninspectable).toEqual([]);
  });
});

describe('signed by a provider', () => {
  const sealed = (value: object) =>
    [...scanJson(JSON.stringify(value), true)]
      .filter((member) => member.isString && isSealed(member))
      .map((m) => m.key);
  test.each<[object, string[]]>([
    [{ type: 'thinking', thinking: 'x', signature: 's' }, ['thinking']],
    [{ thinking: 'x', signature: 's' }, ['thinking']],
    [{ thinking: 'x', signature: 1 }, []],
    [{ thinking: 'x', type: 'thinking' }, []],
    [{ type: 'redacted_thinking', data: 'x' }, ['data']],
    [{ type: 'text', text: 'x', signature: 's' }, []],
    [{ type: 'reasoning.text', text: 'x', signature: 's' }, ['text']],
    [{ type: 'x.thinking', text: 'x', signature: 's' }, []],
    [{ reasoning: { text: 'x', signature: 's' } }, ['text']],
    [{ answer: { text: 'x', signature: 's' } }, []],
    [{ thought: true, text: 'x', thoughtSignature: 's' }, ['text']],
    [{ thought: false, text: 'x', thoughtSignature: 's' }, []],
    [{ text: 'x', thoughtSignature: 's' }, []],
    [{ type: 'thinking', summary: 'x', signature: 's' }, ['summary']],
    [{ type: 'thinking', other: 'x', signature: 's' }, []],
    [{ thinking: 'x' }, []],
  ])('%j: %j', (value, keys) => expect(sealed(value)).toEqual(keys));
});

describe('JSON in strings', () => {
  test.each<[string, string[], string]>([
    ['{"a":"x"}', ['x'], '{"a":"X"}'],
    ['"x"', ['x'], '"X"'],
    ['[ "x" , 1]', ['x'], '[ "X" , 1]'],
    ['{"a":"{\\"b\\":\\"x\\"}"}', ['x'], '{"a":"{\\"b\\":\\"X\\"}"}'],
    ['{broken', ['{broken'], '{BROKEN'],
    ['plain', ['plain'], 'PLAIN'],
  ])('%s', (text, leaves, rewritten) => {
    const result = opened((findings) => openText(text, findings, 0));
    expect(result.findings.leaves).toEqual(leaves);
    expect(result.rewritten).toBe(rewritten);
  });
  test('down to a depth', () => {
    let text = '"x"';
    for (let i = 0; i < 7; i++) text = JSON.stringify(text);
    expect(opened((findings) => openText(text, findings, 0)).findings.leaves).toEqual(['x']);
    expect(opened((findings) => openText(JSON.stringify(text), findings, 0)).findings.leaves).toEqual(['"x"']);
    expect(opened((findings) => openText('"x"', findings, 8)).findings.leaves).toEqual(['"x"']);
  });
});

describe('the content of a file', () => {
  const content = (chars: string, hints: object = {}) =>
    opened((findings) => openContent(wholeContent(chars), { pointer: 'p', ...hints }, findings, 0));
  const named = (fileName: string, mediaType?: string) => ({ fileName, ...(mediaType && { mediaType }) });
  const typed = (mediaType: string, otherwise?: string) => ({ mediaType, ...(otherwise && { otherwise }) });
  const a = (kind: string, mediaType?: unknown, fileName?: string) => ({
    kind,
    ...(mediaType !== undefined && { mediaType }),
    ...(fileName !== undefined && { fileName }),
  });
  const zip = 'PK\x03\x04\0';
  const isWord = expect.stringContaining('word');
  test.each<[string, string, object, object]>([
    ['a picture', '\x89PNG\0', {}, a('image', 'image/png')],
    ['a picture with another declared type', '\x89PNG\0', typed('text/plain'), { mediaType: 'image/png' }],
    ['by its name', '\0', named('a.PDF'), a('document', 'application/pdf', 'a.PDF')],
    ['by its type', '\0', typed('audio/x-own'), a('audio', 'audio/x-own')],
    ['the name before the type', '\0', named('a.mp3', 'image/png'), { mediaType: 'audio/mpeg', fileName: 'a.mp3' }],
    ['a zip by its name', zip, named('a.docx'), a('document', isWord, 'a.docx')],
    ['a zip by its type', zip, typed('application/x-own'), a('document', 'application/x-own')],
    ['a zip', zip, typed('application/octet-stream'), a('document', 'application/zip')],
    ['nothing known', '\0', {}, a('binary')],
    ['nothing known, but meant', '\0', { otherwise: 'image' }, a('image')],
    ['the rest of a picture', '\x01\x9f\x80', named('a.png'), a('image', 'image/png', 'a.png')],
    ['a recording of sound', '\x9f\xff', named('a.webm', 'audio/webm'), a('audio', 'audio/webm', 'a.webm')],
    ['an unspecific type', '\0', typed('Application/Octet-Stream', 'audio'), a('audio')],
    ['PDF without NUL', '%PDF-1.7', {}, a('document', 'application/pdf')],
    ['RTF', '{\\rtf1', typed('text/plain'), a('document', 'application/rtf')],
    ['no UTF-8', 'a\xff', {}, a('binary')],
    ['no UTF-8, called a picture', 'a\xff', typed('image/png'), a('binary', 'image/png')],
    ['invalid UTF-8 in place of a picture', 'GIF8 \xff', { otherwise: 'image' }, a('binary')],
    ['no UTF-8, called a film', 'a\xff', typed('video/mp2t'), a('binary', 'video/mp2t')],
    ['a film', '\0\xff', typed('video/mp2t'), a('audio', 'video/mp2t')],
    ['samples', '\xff\xfe\x01', typed('audio/pcmu'), a('audio', 'audio/pcmu')],
    ['raw audio samples', '\xff\xfe\x01', { otherwise: 'audio' }, a('audio')],
    ['a type of bytes', 'abc', typed('application/wasm'), a('binary', 'application/wasm')],
  ])('%s', (_name, chars, hints, expected) => {
    const { findings, rewritten } = content(chars, hints);
    expect(findings.leaves).toEqual([]);
    expect(findings.uninspectable).toEqual([
      { pointer: 'p', bytes: expect.any(Function), ...(findings.uninspectable[0] as object), ...expected },
    ]);
    for (const key of ['mediaType', 'fileName'])
      if (!(key in expected)) expect(findings.uninspectable[0]).not.toHaveProperty(key);
    expect(rewritten).toBeUndefined();
    const bytes = findings.uninspectable[0]?.bytes?.() ?? new Uint8Array();
    expect(String.fromCharCode(...bytes)).toBe(chars);
  });

  test.each<[string, string, object, string[]]>([
    ['text', 'hello', {}, ['hello']],
    ['text with an unspecific type', 'hello', { mediaType: 'application/octet-stream' }, ['hello']],
    ['a picture that is text', '<svg>', { mediaType: 'image/svg+xml' }, ['<svg>']],
    ['UTF-16, called a picture', '\xff\xfea\0', { mediaType: 'image/png' }, ['\ufeffa']],
    ['UTF-8', 'caf\xc3\xa9', { mediaType: 'text/csv' }, ['café']],
    ['JSON', '{"a":"x"}', {}, ['x']],
  ])('%s is read', (_name, chars, hints, leaves) => expect(content(chars, hints).findings.leaves).toEqual(leaves));

  test('changed text is written as UTF-8, one character per byte', () => {
    expect(content('caf\xc3\xa9').rewritten).toBe('CAF\xc3\x89');
  });

  test('new bytes for a part', () => {
    const findings = none();
    const document = openContent(wholeContent('\x89PNG\0'), { pointer: 'p' }, findings, 0);
    const changes = {
      text: () => undefined,
      part: (index: number) => (index === 0 ? Uint8Array.of(1, 255) : undefined),
    };
    expect(document.rewrite(changes)).toBe('\x01\xff');
  });

  test.each([
    ['abc', 'abc'],
    ['caf\xc3\xa9', 'café'],
    ['\xef\xbb\xbfx', '\ufeffx'],
    ['a\0', undefined],
    ['\xc3', undefined],
  ])('the text of %j: %j', (chars, text) => expect(readText(chars)).toBe(text));
});

describe('lines of a file', () => {
  test.each<[string, string[], string]>([
    ['{"a":"x"}\n{"a":"y"}\n', ['x', 'y'], '{"a":"X"}\n{"a":"Y"}\n'],
    ['{"a":"x"}\r\n\r\n{"a":"y"}', ['x', 'y'], '{"a":"X"}\r\n\r\n{"a":"Y"}'],
    ['{"a":"x"}\x1e{"a":"y"}\x1e', ['x', 'y'], '{"a":"X"}\x1e{"a":"Y"}\x1e'],
    ['{"a":"x"}\nb\nc\n{"a":"y"}', ['x', '\nb\nc\n', 'y'], '{"a":"X"}\nB\nC\n{"a":"Y"}'],
    ['{b\n{"a":"x"}', ['{b\n', 'x'], '{B\n{"a":"X"}'],
    ['\ufeff{"a":"x"}', ['x'], '\ufeff{"a":"X"}'],
    ['\ufeff{"a":"x"}\n{"a":"y"}', ['x', 'y'], '\ufeff{"a":"X"}\n{"a":"Y"}'],
    ['[1]\n[2]', [], ''],
    ['b\n{"a":"x"}', ['b\n{"a":"x"}'], 'B\n{"A":"X"}'],
  ])('%j', (text, leaves, rewritten) => {
    const result = opened((findings) => openFileText(text, findings, 0));
    expect(result.findings.leaves).toEqual(leaves);
    expect(result.rewritten ?? '').toBe(rewritten);
  });
});
