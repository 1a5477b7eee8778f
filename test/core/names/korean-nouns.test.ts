import { describe, expect, test } from 'vitest';
import { isKoreanNoun } from '../../../core/names/east-words.ts';

describe('Korean nouns of two syllables', () => {
  const code = (word: string, at: number): number => word.charCodeAt(at);
  test.each(['학교', '회사', '정부'])('%s is one', (word) => {
    expect(isKoreanNoun(code(word, 0), code(word, 1))).toBe(true);
  });
  test.each(['뷁쀍', 'ab', '学校'])('%s is none', (word) => {
    expect(isKoreanNoun(code(word, 0), code(word, 1))).toBe(false);
  });
});
