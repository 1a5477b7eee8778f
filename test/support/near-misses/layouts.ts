/** Near misses of tables, forms and lists: which cells and members a heading or label applies to, sign by sign. */
import { Detector } from '../../../core/detect/detector.ts';
import { blockOf, characterwise, type Look } from './golden.ts';
import type { Made } from './recognizers.ts';

/** At least two values of one type, so that one of them can be missed. */
const texts: readonly string[] = [
  'id,dob,hired\n1,1986-07-14,2010-04-01\n2,1979-12-01,2011-04-01\n',
  'user;password;role\nops;Kx7!mQ2pa;admin\ndev;Zr2Lw9Xc4;user',
  '社員\t口座番号\r\nA\t1234567\r\nB\t7654321\r\n\r\nC\t1111111',
  '| who | Passport No |\n|:--|---|\n| A | TK1234567 |\n| B | TR7654321 |\n\nTK1111111',
  ' id | ssn       \n----+-----------\n  1 | 536221234\n  2 | 536221235\n(2 rows)',
  'dob\n1986-07-14\n1979-12-01\n\n2020-01-01',
  'ITEM  PHONE       PLAN\nAB    3035551832  gold\nCD    3035551833  blue',
  'note,dob\n"a, b",1986-07-14\n"say ""x"", y",1979-12-01',
  'dob,password_changed_at,phone\n1986-07-14,2020-02-02,3035551832\n,x,\n1986-07-15,y,3035551834',
  '<table><tr><th>Item</th><th>DOB</th></tr>\n<tr><td>a</td><td> 1986-07-14 </td></tr><tr><td>b</td><td>1979-12-01</td></tr></table>',
  '<tr><th>口座番号</th><td>1234567</td></tr><tr><th>氏名</th><td>未入力</td></tr>',
  "INSERT INTO t (id, `passport_no`, dob) VALUES (1, 'TK1234567', '1986-07-14'), (2, NULL, DATE '1979-12-01');",
  "insert into t (note, password) values ('it''s (a), b', 'Kx7!mQ2pa'), (\"x\\\" y\", 'Zr2Lw9Xc4')",
  '{"passport":{"country":"JP","number":"TK1234567"},"dob":"1986-07-14"}',
  'passport:\n  country: JP\n  number: TK1234567\ndob: 1986-07-14',
  'Your account number?\nCaller: Sure, it is 1234567.\nAnd the date of birth?\nYes, 1986-07-14.',
  'account numbers 1234567, 7654321 and 1111111 for 2222222',
  '免許証(普通) 123456789012 と 口座番号「1234567」',
  '1234567 (account number), TK1234567 is the passport number. Phone 3035551832',
  'passport no.: <b>TK1234567</b> .... dob ______ 1986-07-14',
];

const detector = new Detector();

/** A block for each layout; a value that is not found without an edit is written as its type and `~`. */
export function layoutBlocks(): Made[] {
  return texts.map((text, i) => {
    const known = new Map(detector.detect(text).map(({ value }, n) => [value, n + 1] as const));
    const look: Look = (variant) =>
      detector
        .detect(variant.text)
        .map(({ type, value }) => `${type} ${known.get(value) ?? '~'}`)
        .join(' + ');
    const by = { ...characterwise, edits: editsOfLayouts, wholes: () => [] };
    return {
      name: `layout ${i + 1}`,
      make: () => blockOf({ text, start: 0, end: text.length }, { kind: '+', look, by }),
    };
  });
}

const names = ['drop', 'kind', 'space>', 'to -', 'to space', 'to line'];
const editsOfLayouts = Object.fromEntries(Object.entries(characterwise.edits).filter(([name]) => names.includes(name)));
