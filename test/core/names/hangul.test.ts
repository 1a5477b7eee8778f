import { describe, expect, test } from 'vitest';
import { hangulOf, withParticle } from '../../../scripts/names/hangul.ts';

describe('names in katakana, spelt with Korean syllables', () => {
  test.each([
    ['ジョン', '존'],
    ['スミス', '스미스'],
    ['トム', '톰'],
    ['クルーズ', '크루즈'],
    ['ストーン', '스톤'],
    ['ニコール', '니콜'],
    ['アブラモビッチ', '아브라모비치'],
    ['ホソダ', '호소다'],
    ['', ''],
  ])('%s', (katakana, hangul) => {
    expect(hangulOf(katakana)).toBe(hangul);
  });
});

describe('a Korean particle takes the form that suits the word before it', () => {
  test.each([
    ['은 갔다', '민수', '는 갔다'],
    ['는 갔다', '민준', '은 갔다'],
    ['를 봤다', '준', '을 봤다'],
    ['과 함께', '지아', '와 함께'],
    ['이랑', '지아', '이랑'],
    ['은 갔다', 'Kim', '은 갔다'],
    ['.', '지아', '.'],
  ])('"%s" behind %s', (rest, before, expected) => {
    expect(withParticle(rest, before)).toBe(expected);
  });
});
