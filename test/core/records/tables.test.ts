import { expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import { expectLinear } from '../../support/linear-time.ts';

const detector = new Detector();
const found = (text: string) => detector.detect(text).map(({ type, value }) => `${type} ${value}`);

const births = 'DATE_OF_BIRTH 1986-07-14, DATE_OF_BIRTH 1979-12-01';

test.each([
  [
    'commas, the following column is unaffected',
    'id,dob,hired\n1,1986-07-14,2010-04-01\n2,1979-12-01,2011-04-01',
    births,
  ],
  ['semicolons', 'user;password;role\nops;Kx7!mQ2pa;admin', 'PASSWORD Kx7!mQ2pa'],
  [
    'tabs and Windows line ends',
    '社員\t口座番号\r\nA\t1234567\r\nB\t7654321\r\n',
    'BANK_ACCOUNT 1234567, BANK_ACCOUNT 7654321',
  ],
  [
    'Markdown',
    '| who | Passport No |\n|:--|---|\n| A | TK1234567 |\n| B | TR7654321 |',
    'PASSPORT TK1234567, PASSPORT TR7654321',
  ],
  ['a database client', ' id | ssn       \n----+-----------\n  1 | 536221234\n(1 row)', 'SSN 536221234'],
  [
    'bars between spaces',
    'No / 生年月日 / 提出\n1 / 1986/07/14 / 2010/04/01\n2 / 1979/12/01 / 2011/04/01',
    'DATE_OF_BIRTH 1986/07/14, DATE_OF_BIRTH 1979/12/01',
  ],
  ['one column', 'dob\n1986-07-14\n1979-12-01\n\n2020-01-01', births],
  ['columns of spaces', 'ITEM  PHONE       PLAN\nAB    3035551832  gold', 'PHONE 3035551832'],
  [
    'space-aligned columns with empty cells',
    'Item        Phone       Part\nA           3035551832\nB                       3035551834\n            3035551833  3035551835\n',
    'PHONE 3035551832, PHONE 3035551833',
  ],
  ['wide spaces', '品目　電話　部品\n青い箱　3035551832　金具\n', 'PHONE 3035551832'],
  ['a form in two space-aligned columns', 'Phone  3035551832\nPart  3035551835', 'PHONE 3035551832'],
  [
    'wide characters before the column',
    '品目        電話        部品\n青い箱                  3035551834\n赤い箱      3035551832  3035551835\n',
    'PHONE 3035551832',
  ],
  ['quoted cells with the delimiter inside', 'note,dob\n"a, b",1986-07-14\n"say ""x"", y",1979-12-01', births],
  [
    'HTML',
    '<table><tr><th>Item</th><th>DOB</th></tr>\n <tr><td>a</td><td>1986-07-14</td></tr><tr><td>b</td><td>1979-12-01</td></tr></table>',
    births,
  ],
  [
    'an HTML form is not a column',
    '<tr><th>口座番号</th><td>1234567</td></tr><tr><th>氏名</th><td>未入力</td></tr>',
    'BANK_ACCOUNT 1234567',
  ],
  [
    'the columns of an INSERT',
    "INSERT INTO t (id, `passport_no`, dob) VALUES (1, 'TK1234567', '1986-07-14'), (2, NULL, DATE '1979-12-01');",
    `PASSPORT TK1234567, ${births}`,
  ],
  [
    'quotes and brackets in a value',
    "insert into t (note, password) values ('it''s (a), b', 'Kx7!mQ2pa')",
    'PASSWORD Kx7!mQ2pa',
  ],
])('%s', (_, text, expected) => {
  expect(found(text).join(', ')).toBe(expected);
});

test.each([
  ['another column', 'dob,updated\n,1986-07-14'],
  ['a row with another number of cells', 'dob,id\n1,2,1986-07-14'],
  ['the other columns between wide spaces', '品目　電話　部品\n青い箱　なし　3035551832\n'],
  ['a form with its values apart', 'Phone:    unknown\nPart:     3035551832'],
  ['prose in two lines', 'Enter your passport, then go on.\nThe part is TK1234567, as before.'],
  ['two words with a bar', 'phone / part\n3035551832 / 3035551835'],
  ['a cell with more than the value', 'id,password\n1,see the wiki'],
])('nothing in %s', (_, text) => {
  expect(found(text)).toEqual([]);
});

test('a heading and its cells in time linear in the text', () => {
  const table = (head: string, row: string) => (length: number) => head + row.repeat(length / row.length);
  const wide = table(`${'phone,'.repeat(150)}\n`, `${'1,'.repeat(150)}\n`);
  const long = table('phone  dob  a  b\n', 'x  y\n');
  for (const textOf of [wide, table('', 'phone,dob\n'), table('', 'phone  dob  a  b\n'), long]) {
    expectLinear((length) => {
      const text = textOf(length);
      return () => expect(found(text)).toEqual([]);
    }, 6_000);
  }
});

test.each([
  ['<tr><th>phone'.repeat(20_000)],
  ['(phone, dob) VALUES '.repeat(20_000)],
  [`INSERT INTO t (phone) VALUES ${'('.repeat(100_000)}`],
  ['(dob,'.repeat(50_000)],
])('hostile marks take linear time: %#', (text) => {
  expect(found(text)).toEqual([]);
});

test('a header after introductory words, with an empty line below, and the numbers of other columns', () => {
  const rows = '20417|1999-08-24|FL|M620-417-99-804-0|3052217846\n20418|1985-02-11|FL|S153280850510|7864430917\n';
  const expected = [
    'DATE_OF_BIRTH 1999-08-24',
    'DRIVER_LICENSE M620-417-99-804-0',
    'PHONE 3052217846',
    'DATE_OF_BIRTH 1985-02-11',
    'DRIVER_LICENSE S153280850510',
    'PHONE 7864430917',
  ];
  const header = 'emp|dob|license_state|license_no|mobile\n';
  expect(found(`${header}\n${rows}`)).toEqual(expected);
  expect(found(`Here is the row that broke the import. Pipe delimited: ${header}${rows}`)).toEqual(expected);
});

test('hostile announcements take linear time', () => {
  expect(found(': dob|phone|'.repeat(50_000))).toEqual([]);
  expect(found(`${'x: dob|a|b\n'.repeat(50_000)}`)).toEqual([]);
});
