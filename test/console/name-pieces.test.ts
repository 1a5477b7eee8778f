/** Where a name that is too long for a column may break. */
import { expect, test } from 'vitest';
import { piecesOf } from '../../console/shared/name-pieces.ts';

test.each<[text: string, pieces: string[]]>([
  ['', []],
  ['127.0.0.1', ['127.0.0.1']],
  ['files.intranet.test', ['files.intranet.test']],
  ['generativelanguage.googleapis.com', ['generativelanguage.', 'googleapis.', 'com']],
  ['hanako.yamada@example.co.jp', ['hanako.', 'yamada@', 'example.', 'co.', 'jp']],
  ['Meeting notes', ['Meeting ', 'notes']],
  ['x'.repeat(45), [...Array(3).fill('x'.repeat(12)), 'x'.repeat(9)]],
  [
    '情報システム本部セキュリティ推進グループ山田花子',
    ['情報システム', '本部セキュリ', 'ティ推進グル', 'ープ山田花子'],
  ],
  ['\u{1F600}'.repeat(21), ['\u{1F600}'.repeat(12), '\u{1F600}'.repeat(9)]],
])('%j', (text, pieces) => {
  expect(piecesOf(text).filter((piece) => piece !== '')).toEqual(pieces);
  expect(piecesOf(text).join('')).toBe(text);
});
