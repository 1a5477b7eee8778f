import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLiteral, scanJson, spliceJson } from '../../../core/payload/json-strings.ts';

/** The strings of a document, without the names of members. */
const stringsOf = (json: string) => scanJson(json).filter((member) => member.isString && !member.isKey);

describe('scanJson', () => {
  it.each([
    ['"a"', [' =a']],
    ['{"a":{"b":["x",{"c":"y"}]}}', ['a.b[0] a.b[]=x', 'a.b[1].c a.b[].c=y']],
    ['{"a":1,"b":-1.0e+5,"c":true,"d":null,"e":"z"}', ['e e=z']],
    ['["\\"","\\\\","\\u00e9\\/","\\\\\\""]', ['[0] []="', '[1] []=\\', '[2] []=é/', '[3] []=\\"']],
    ['{"a":"1","a":"2"}', ['a a=1', 'a a=2']],
    ['{"a":[],"b":{},"c":[[],["v"]]}', ['c[1][0] c[][]=v']],
    [' \n{ "a" : [ "1" , "2" ] }\t', ['a[0] a[]=1', 'a[1] a[]=2']],
  ])('%s', (json, leaves) => {
    expect(stringsOf(json).map(({ pointer, path, value }) => `${pointer} ${path}=${value}`)).toEqual(leaves);
  });

  it.each(['', '{', '{"a":}', '[1,]', "{'a':1}", '{"a":"\n"}', '{"a":"\\x"}', '01', 'NaN', '{} {}', '"\\ud8"'])(
    'refuses %j',
    (json) => expect(() => stringsOf(json)).toThrow(expect.objectContaining({ code: 'invalid_json' })),
  );

  it('refuses excessive nesting without quoting the body', () => {
    expect(stringsOf(`${'['.repeat(200)}"a"${']'.repeat(200)}`)).toHaveLength(1);
    expect(() => stringsOf(`${'['.repeat(201)}${']'.repeat(201)}`)).toThrow('200');
  });

  it('finds the strings of any document, and splicing in the same ones changes nothing', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(3), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        const leaves = stringsOf(text);
        for (const leaf of leaves) expect(JSON.parse(text.slice(leaf.start, leaf.end))).toBe(leaf.value);
        const seen: string[] = [];
        JSON.parse(text, (_, value) => {
          if (typeof value === 'string') seen.push(value);
          return value;
        });
        expect(leaves.map((leaf) => leaf.value).sort()).toEqual(seen.sort());
        const edits = leaves.map(({ start, end }) => ({ start, end, literal: text.slice(start, end) }));
        expect(spliceJson(text, edits)).toBe(text);
      }),
    );
  });

  it('literals are safe for readers of JavaScript', () => {
    expect(jsonLiteral('a\u2028"\u2029')).toBe('"a\\u2028\\"\\u2029"');
  });
});

it('places are short, whatever names and depth there are', () => {
  const nested = (name: string, depth: number) => `${`{"${name}":`.repeat(depth)}"x"${'}'.repeat(depth)}`;
  const pathOf = (json: string) => scanJson(json).find(({ value }) => value === 'x')?.path;
  expect(pathOf(nested('k'.repeat(100), 1))).toBe('k'.repeat(100));
  expect(pathOf(nested('k'.repeat(101), 2))).toBe('….…');
  expect(pathOf(nested('signature', 50))).toMatch(/^signature(?:\.signature){49}$/);
  // Too deep to be named: the last member is not mistaken for an exempt one.
  expect(pathOf(nested('signature', 150))).toMatch(/^(?:signature\.){101,}…$/);
  expect(pathOf(`${'[{"a":'.repeat(99)}"x"${'}]'.repeat(99)}`)).toMatch(/^\[\]\.a/);
});
