/** Near misses of labels: which values they apply to in sentences, lists, forms and tables, sign by sign. */
import { KeywordIndex } from '../../../core/detect/keywords.ts';
import { TextScanner } from '../../../core/detect/scan.ts';
import { labelFor, labelledValues } from '../../../core/records/labels.ts';
import { blockOf, characterwise, type Edits, type Look } from './golden.ts';
import type { Made } from './recognizers.ts';

const scanner = new TextScanner(
  new KeywordIndex([
    { name: 'own', labels: ['code', 'code number', '番号'] },
    { name: 'short', labels: ['id', 'ssn', 'c++'] },
    { name: 'other', labels: ['order (no|number)', "driver('s|s|) card", '住所'], anchors: ['ghp_'] },
  ]),
);

/** Values are four digits. */
const value = /(?<![0-9])[0-9]{4}(?![0-9])/g;
const dots = (count: number) => '.'.repeat(count);

const texts: readonly string[] = [
  'code 1234 and 5678, code: 9012',
  'codes 1234, 5678 and 9012 for 3456',
  '番号 1234、5678 と 9012 の 3456',
  'codes:\n- 1234\n- 5678\n9012',
  '1234 (code), 5678 [code] or 9012 code',
  'order no 1234 code 5678',
  'order no 1234 (code) 5678',
  `code ${dots(24)} 1234`,
  `code ${dots(25)} 1234`,
  `1234 ${dots(8)} code`,
  'code:\n\n 1234\n5678',
  'code number\n1234',
  'codes on file:\n1234',
  '**code** is\n1234',
  'Your code, please.\n1234',
  '番号を教えてください。\n1234',
  'code(new)：1234',
  'code (1 2 3): 5678',
  'code（order no）：1234',
  'code（旧）1234',
  '<b>code</b>: <i>1234</i>',
  'code ____ 1234 …… 5678',
  '番号「1234」『5678』',
  '"code": {"country": "x", "number": "1234"}, "5678"',
  'code:\n  kind: x\n  id: 1234\n5678',
  "'code' : { 'no' = 1234 }",
  'code: {order no: 1, value: 1234}',
  'The code?\nCaller: Yes, it is 1234.',
  "Your code? me: that's 1234",
  'code。 はい、1234',
  'codename 1234, myCode 5678, CODE_1234',
  'driver’s card 1234 drivers_card driverCard code 5678',
  'a code. 1234! code; 5678',
  'code no. 1234 # 5678',
  // Tables.
  'id,code,order no\n1,1234,5678\n2,9012 (x),3456',
  'id;code;x\r\n"a; b";1234;x\r\n"c";5678\r\n9012',
  '| code | x |\n|:--|--|\n| 1234 | a |\n| `5678` | b |\n\n| 9012 |',
  'x\tcode status\tcode\n1\t1234\t5678\n',
  'a  code  b\n--  ----  --\n1  1234  x\n2  5678  y\n3 9012 z',
  'code\n1234\n5678\n\n9012',
  'code\n1234\n12-34\n',
  'a,b,c,code\n,,,1234\n1,2,3,5678T10:00Z\n,,"1,2",9012',
  '+----+----+\n| x  |code|\n+----+----+\n| 1  |1234|\n+----+----+',
  '<table><tr><th>x<th>code</tr><tr><td>1<td> 1234 </tr> <tr><td>2</td><td class="a">5678</td></tr><tr><td>9012</td></tr>',
  '<tr><th>x</th><td>1</td></tr><tr><th>code</th><td>1234</td></tr>',
  'insert into t (x, `code`) values (1, \'1234\'), (2, "5678"), (3), (4, 9012)',
  "INSERT INTO t(code,x) VALUE ('12''34','a, (b)'),(N'1234' ,'\\'')",
  'f(x, code) values 1234',
];

/** The values by their number in the text, and the label's effect on the first: its distance, before or after. */
function lookFor(usual: string): Look {
  const known = [...usual.matchAll(value)].map(([digits]) => digits);
  return ({ text }) => {
    const scan = scanner.scan(text);
    const found = labelledValues(scan, 'own', value);
    const values = found.map(({ start, end, gap, isBehind, context }) => {
      const number = known.indexOf(text.slice(start, end)) + 1;
      return `${number === 0 ? '~' : number}${isBehind ? '' : '<'}${context.length === 4 ? '' : context.length}/${gap.length}`;
    });
    const direct = [...scan.shadow.matchAll(value)].map(({ index }) => {
      const label = labelFor(scan, 'own', index, index + 4);
      return label === undefined ? '.' : label.isBehind ? 'b' : 'f';
    });
    return `${values.join(' ')} ${direct.join('')}`.trim();
  };
}

const names = ['drop', 'kind', 'space>', 'to -', 'to space', 'to line'];
const by: Edits = {
  ...characterwise,
  edits: {
    ...Object.fromEntries(Object.entries(characterwise.edits).filter(([name]) => names.includes(name))),
    'to (': () => '(',
    'to ,': () => ',',
    'line>': (char) => `\n${char}`,
  },
  wholes: ({ text }) => [
    ['line>', { text: `\n${text}`, start: 0, end: 0 }],
    ['twice', { text: `${text}\n${text}`, start: 0, end: 0 }],
    [
      'wide',
      { text: text.replace(/[0-9:,]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)), start: 0, end: 0 },
    ],
    ['windows', { text: text.replaceAll('\n', '\r\n'), start: 0, end: 0 }],
  ],
};

const before = ['', 'a', 'A', 'z', 'Z', '1', '9', '_', '-', ' ', '@', '[', '`', '{', '/', ':', 'é', '山'];
const after = [...before, 's', 'S', 's1', 'sa', 'sA', 'S1', 'Sa', 's_', 's ', 'es'];
const words = ['code', 'Code', 'CODE', 'codE', 'id', 'Id', 'ID', 'ssn', 'c++', '番号'];

/** A row for each word and the text before it; `1` if it is found with the text after it. */
function wholeWords(): string {
  const isFound = (text: string) =>
    ['own', 'short'].some((owner) => scanner.scan(text).keywords.labels(owner).length > 0);
  const rows = words.map((word) => {
    const signs = before.map((lead) => after.map((tail) => (isFound(lead + word + tail) ? '1' : '.')).join(''));
    return [word, ...new Set(signs.map((row) => `  ${before.filter((_, i) => signs[i] === row).join(' ')} ${row}`))];
  });
  return [`whole words, before ${after.join(' ')}`, ...rows.flat()].join('\n');
}

/** A block for each text. */
export function labelBlocks(): Made[] {
  return [
    ...texts.map((text) => ({
      name: text,
      make: () => blockOf({ text, start: 0, end: text.length }, { kind: '+', look: lookFor(text), by }),
    })),
    { name: 'whole words', make: wholeWords },
  ];
}
