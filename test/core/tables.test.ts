import { expect, test } from 'vitest';
import { Detector } from '../../core/detection.ts';

const detector = new Detector();
const found = (text: string) => detector.detect(text).map(({ type, value }) => `${type} ${value}`);

test.each<[name: string, text: string, expected: string[]]>([
  [
    'commas, the column behind is left alone',
    'id,dob,hired\n1,1986-07-14,2010-04-01\n2,1979-12-01,2011-04-01',
    ['DATE_OF_BIRTH 1986-07-14', 'DATE_OF_BIRTH 1979-12-01'],
  ],
  ['semicolons', 'user;password;role\nops;Kx7!mQ2pa;admin', ['PASSWORD Kx7!mQ2pa']],
  [
    'tabs and Windows line ends',
    '社員\t口座番号\r\nA\t1234567\r\nB\t7654321\r\n',
    ['BANK_ACCOUNT 1234567', 'BANK_ACCOUNT 7654321'],
  ],
  [
    'Markdown',
    '| who | Passport No |\n|:--|---|\n| A | TK1234567 |\n| B | TR7654321 |',
    ['PASSPORT TK1234567', 'PASSPORT TR7654321'],
  ],
  ['a database client', ' id | ssn       \n----+-----------\n  1 | 536221234\n(1 row)', ['SSN 536221234']],
  ['one column', 'dob\n1986-07-14\n1979-12-01\n\n2020-01-01', ['DATE_OF_BIRTH 1986-07-14', 'DATE_OF_BIRTH 1979-12-01']],
  ['columns of spaces', 'ITEM  PHONE       PLAN\nAB    3035551832  gold', ['PHONE 3035551832']],
  [
    'quoted cells with the delimiter inside',
    'note,dob\n"a, b",1986-07-14\n"say ""x"", y",1979-12-01',
    ['DATE_OF_BIRTH 1986-07-14', 'DATE_OF_BIRTH 1979-12-01'],
  ],
])('%s', (_, text, expected) => {
  expect(found(text)).toEqual(expected);
});

test.each([
  ['another column', 'dob,updated\n,1986-07-14'],
  ['a row with another number of cells', 'dob,id\n1,2,1986-07-14'],
  ['prose in two lines', 'Enter your passport, then go on.\nThe part is TK1234567, as before.'],
  ['a cell with more than the value', 'id,password\n1,see the wiki'],
])('nothing in %s', (_, text) => {
  expect(found(text)).toEqual([]);
});

test('a heading and its cells in time linear in the text', () => {
  const header = 'phone,'.repeat(150);
  const row = `${'1,'.repeat(150)}\n`;
  expect(found(`${header}\n${row.repeat(3_000)}`)).toEqual([]);
  expect(found('phone,dob\n'.repeat(100_000))).toEqual([]);
});

test.each<[name: string, text: string, expected: string[]]>([
  [
    'HTML',
    '<table><tr><th>Item</th><th>DOB</th></tr>\n <tr><td>a</td><td>1986-07-14</td></tr><tr><td>b</td><td>1979-12-01</td></tr></table>',
    ['DATE_OF_BIRTH 1986-07-14', 'DATE_OF_BIRTH 1979-12-01'],
  ],
  [
    'a form of HTML is no column',
    '<tr><th>口座番号</th><td>1234567</td></tr><tr><th>氏名</th><td>未入力</td></tr>',
    ['BANK_ACCOUNT 1234567'],
  ],
  [
    'the columns of an INSERT',
    "INSERT INTO t (id, `passport_no`, dob) VALUES (1, 'TK1234567', '1986-07-14'), (2, NULL, DATE '1979-12-01');",
    ['PASSPORT TK1234567', 'DATE_OF_BIRTH 1986-07-14', 'DATE_OF_BIRTH 1979-12-01'],
  ],
  [
    'quotes and brackets in a value',
    "insert into t (note, password) values ('it''s (a), b', 'Kx7!mQ2pa')",
    ['PASSWORD Kx7!mQ2pa'],
  ],
])('%s', (_, text, expected) => {
  expect(found(text)).toEqual(expected);
});

test.each([
  ['<tr><th>phone'.repeat(20_000)],
  ['(phone, dob) VALUES '.repeat(20_000)],
  [`INSERT INTO t (phone) VALUES ${'('.repeat(100_000)}`],
  ['(dob,'.repeat(50_000)],
])('hostile marks take linear time: %#', (text) => {
  expect(found(text)).toEqual([]);
});
