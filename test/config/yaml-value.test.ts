import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { yamlValue } from '../../config/yaml-value.ts';

test.each([
  ['sections', 'a:\n  b:\n    c: d\n  e: 1\nf: true\n'],
  ['a list below its key, deeper or not', 'a:\n  - x\n  - y\nb:\n- x\n- y\nc: z\n'],
  [
    'a list of records',
    'rules:\n  - name: x\n    when:\n      hosts: [a.example, "*.b.example"]\n  -   name: y\n      then: {}\n',
  ],
  [
    'JSON on a line',
    'rules:\n  - {"name":"r 1","when":{"users":["ann","böb"],"upload_over":1000000},"then":{"action":"block"}}\n',
  ],
  ['braces with plain words', 'a: { b: c d, e: [1, x:y, mon-fri 08:00-18:00 Europe/Berlin], f: {} }\n'],
  ['quotes', `a: "x: y"\nb: 'x "y"'\nc: "\\u00e4\\n"\n`],
  ['comments', '# x\na: b # c\n  # d\nc: # e\n  d: f\n'],
  ['an empty section', 'a:\nb:\n  c:\n'],
  ['white space that YAML does not allow', 'a: b\u3000c\n# \u3000d\n'],
  ['keys of networks', 'a:\n  "10.0.0.0/8": x\n'],
])('reads %s as the package does', (_name, text) => {
  expect(yamlValue(text)).toEqual(parse(text));
});

test.each([
  ['nothing', ''],
  ['a comment alone', '# x\n'],
  ['a text alone', 'a\n'],
  ['a list alone', '- a\n'],
  ['a key twice', 'a: b\na: c\n'],
  ['a key twice in braces', 'a: { b: c, b: d }\n'],
  ['an anchor', 'a: &x b\nc: *x\n'],
  ['a merge', 'a: { b: c }\nd: { <<: *x }\n'],
  ['a tag', 'a: !!str b\n'],
  ['a tab', 'a:\tb\n'],
  ['a byte order mark', '\ufeffa: b\n'],
  ['a document mark', '---\na: b\n'],
  ['wrong depth', 'a:\n    b: c\n  d: e\n'],
  ['a null key', 'null: a\n'],
  ['a null key in a list', 'a: [: b]\n'],
  ['a key written as null in a list', 'a: [~: b]\n'],
  ['no key', '"": { : a }\n'],
  ['text after brackets', 'a: [b] c\n'],
])('leaves %s to the package', (_name, text) => {
  expect(yamlValue(text)).toBeUndefined();
});

test.each(['services.yaml', 'default.yaml', 'bypass.yaml', 'anonymizers.yaml'])('reads the shipped %s', (name) => {
  const text = readFileSync(join(import.meta.dirname, '../../config', name), 'utf8');
  expect(yamlValue(text)).toEqual(parse(text));
});

test('keys like __proto__ become own properties', () => {
  expect(yamlValue('__proto__: b\n')).toEqual(parse('__proto__: b\n'));
});

test('agrees with the package on everything it reads', () => {
  const word = fc.oneof(
    fc.constantFrom(...'a|b c|x:y|1|01|1.5|true|null|~|a: b|a #b|-|- a|"|\'|*.x|{|,'.split('|')),
    fc.string({ maxLength: 6 }),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      word,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(word, tie('tree'), { maxKeys: 3 }),
    ),
  }));
  const isSame = (text: string) => {
    const quick = yamlValue(text);
    if (quick !== undefined) expect(quick).toEqual(parse(text));
    return quick !== undefined;
  };
  let read = 0;
  const options = fc.record({
    lineWidth: fc.constant(0),
    indentSeq: fc.boolean(),
    collectionStyle: fc.constantFrom('any' as const, 'block' as const, 'flow' as const),
    indent: fc.constantFrom(2, 4),
  });
  fc.assert(
    fc.property(fc.dictionary(word, tree, { maxKeys: 3 }), options, (value, how) => {
      if (isSame(stringify(value, how))) read++;
    }),
    { numRuns: 2_000 },
  );
  expect(read).toBeGreaterThan(300);
  // Fragments in any order: mostly invalid YAML, which the package rejects and this parser must leave to it.
  const piece = fc.constantFrom(...'a|b:| |  |\n|\n  |- |{|}|[|]|, |: |"|\'|#| # |1|/'.split('|'));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      isSame(pieces.join(''));
    }),
    { numRuns: 5_000 },
  );
});
