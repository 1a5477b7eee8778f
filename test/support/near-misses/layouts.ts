/** Near misses of tables, forms and lists: which cells and members a heading or label applies to, sign by sign. */
import { Detector } from '../../../core/detect/detector.ts';
import { blockOf, characterwise, type Look } from './golden.ts';
import type { Made } from './recognizers.ts';

/** At least two values of one type, so that one of them can be missed. */
const texts: readonly string[] = [
  'id,dob,hired\n1,1986-07-14,2010-04-01\n2,1979-12-01,2011-04-01\n',
  '社員\t口座番号\r\nA\t1234567\r\nB\t7654321\r\n\r\nC\t1111111',
  ' id | ssn       \n----+-----------\n  1 | 536221234\n  2 | 536221235\n(2 rows)',
  "INSERT INTO t (id, `passport_no`, dob) VALUES (1, 'TK1234567', '1986-07-14'), (2, NULL, DATE '1979-12-01');",
  '{"passport":{"country":"JP","number":"TK1234567"},"dob":"1986-07-14"}',
  '免許証(普通) 123456789012 と 口座番号「1234567」',
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
