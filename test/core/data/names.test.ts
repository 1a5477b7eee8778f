import { expect, test } from 'vitest';
import { isMunicipality } from '../../../core/data/japanese-places.ts';
import {
  givenNameSources,
  isGivenNameReading,
  isSurnameReading,
  latinClassOf,
  surnameRank,
} from '../../../core/data/names.ts';
import { given, place, stop, surname, word } from '../../../core/data/word-class.ts';

test.each<[text: string, mask: number, expected: number]>([
  ['Michael', given.mask, given.common],
  ['michael', given.mask, given.common],
  ['Smith', surname.mask, surname.common],
  ["O'Brien", surname.mask, surname.listed],
  ['José', given.mask, given.common],
  ['Hohenstein', place, 0],
  ['Paris', place, place],
  ['Street', stop, stop],
  ['table', given.mask | surname.common, 0],
  ['running', word.mask, word.common],
  ['Zzyzxqwv', given.mask | surname.mask | word.mask | place | stop, 0],
])('%s: bits %i are %i', (text, mask, expected) => {
  expect(latinClassOf(text) & mask).toBe(expected);
});

test('words of no list are seldom taken for one', () => {
  let taken = 0;
  for (let i = 0; i < 20_000; i++) if (latinClassOf(`xq${i.toString(36)}zv`) !== 0) taken++;
  // 1 in 1,024 for the words and 1 in 256 for the surnames.
  expect(taken).toBeLessThan(20_000 / 100);
});

test.each<[name: string, isKnown: boolean]>([
  ['佐藤', true],
  ['長谷川', true],
  ['架空', false],
])('surname %s: %s', (name, isKnown) => {
  expect(surnameRank(name) >= 0).toBe(isKnown);
});

test('the commonest surname is the first', () => {
  expect(surnameRank('佐藤')).toBe(0);
});

test.each<[name: string, isKnown: boolean]>([
  ['健太', true],
  ['美咲', true],
  ['部長', false],
  ['大阪', false],
])('given name %s: %s', (name, isKnown) => {
  expect(givenNameSources(name) > 0).toBe(isKnown);
});

test('readings are in katakana', () => {
  expect(isSurnameReading('ヤマダ')).toBe(true);
  expect(isGivenNameReading('タロウ')).toBe(true);
  expect(isGivenNameReading('たろう')).toBe(false);
});

test.each<[name: string, isKnown: boolean]>([
  ['札幌市中央区', true],
  ['札幌市', true],
  ['渋谷区', true],
  ['余市町', true],
  ['架空市', false],
])('municipality %s: %s', (name, isKnown) => {
  expect(isMunicipality(name)).toBe(isKnown);
});
