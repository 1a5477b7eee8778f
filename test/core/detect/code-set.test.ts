import { describe, expect, test } from 'vitest';
import { CodeSet } from '../../../core/detect/code-set.ts';

describe('a set of code units', () => {
  test.each([
    ['its first and last ones', 'a様', [0x61, 0x69d8], [0x60, 0x62, 0x41, 0x69d7, 0x69d9]],
    ['those that share a word of bits', ' ?', [0x20, 0x3f], [0x21, 0x3e, 0x40, 0x1f]],
    ['the very last one', [0xffff], [0xffff], [0xfffe, 0xffdf, 0x1f]],
    ['nothing for an empty set', '', [], [0, 1, 0xffff]],
  ] as const)('contains %s', (_name, codes, has, hasNot) => {
    const set = new CodeSet(codes);
    for (const code of has) expect(set.has(code)).toBe(true);
    for (const code of hasNot) expect(set.has(code)).toBe(false);
  });

  test('contains nothing after the end of a text', () => {
    expect(new CodeSet('aあ').has('a'.charCodeAt(1))).toBe(false);
  });
});
