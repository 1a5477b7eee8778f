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

const texts: readonly string[] = [
  'code 1234 and 5678, code: 9012',
  '1234 (code), 5678 [code] or 9012 code',
  'order no 1234 (code) 5678',
  'code:\n\n 1234\n5678',
  'codes on file:\n1234',
  'code（order no）：1234',
  'code（旧）1234',
  '<b>code</b>: <i>1234</i>',
  'code ____ 1234 …… 5678',
  "'code' : { 'no' = 1234 }",
  'code no. 1234 # 5678',
  'id,code,order no\n1,1234,5678\n2,9012 (x),3456',
  'a  code  b\n--  ----  --\n1  1234  x\n2  5678  y\n3 9012 z',
  '<table><tr><th>x<th>code</tr><tr><td>1<td> 1234 </tr> <tr><td>2</td><td class="a">5678</td></tr><tr><td>9012</td></tr>',
];

/** The number of the label that ends at an offset; its distance from there if none does. */
function labelAt(text: string, offset: number, label: string, distance: number): string {
  const read = text.toLowerCase();
  if (!read.startsWith(label, offset)) return `${distance}`;
  return `${'abcdefgh'[read.slice(0, offset).split(label).length - 1]}`;
}

/** The values by their number in the text with their labels, and whether a label before or after applies to each. */
function lookFor(usual: string): Look {
  const known = [...usual.matchAll(value)].map(([digits]) => digits);
  return ({ text }) => {
    const scan = scanner.scan(text);
    const found = labelledValues(scan, 'own', value);
    const values = found.map(({ start, end, gap, isBehind, context }) => {
      const number = known.indexOf(text.slice(start, end)) + 1;
      const offset = isBehind ? start - gap.length - context.length : end + gap.length;
      const label = labelAt(text, offset, context, gap.length);
      return `${number === 0 ? '~' : number}${isBehind ? '' : '<'}${context.length === 4 ? '' : context.length}/${label}`;
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

/** A block for each text. */
export function labelBlocks(): Made[] {
  return texts.map((text) => ({
    name: text,
    make: () => blockOf({ text, start: 0, end: text.length }, { kind: '+', look: lookFor(text), by }),
  }));
}
