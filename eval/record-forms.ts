/**
 * A small table of values of every type in every record format and file type, to measure the share of values found
 * under a heading or key.
 *
 *   node eval/record-forms.ts [--misses]
 */
import { parseArgs } from 'node:util';
import { strToU8 } from 'fflate';
import { Detector } from '../core/detect/detector.ts';
import { convertDocument } from '../gateway/convert/index.ts';
import { randomFrom } from './random.ts';
import { columns } from './record-columns.ts';
import { forms, type Table } from './record-files.ts';

const languages = ['en', 'ja', 'de', 'fr', 'es', 'key'];
const columnsEach = 5;

/** The result for one form: values and found ones, and the missed ones as `type heading: value`. */
export type FormFigures = {
  readonly form: string;
  readonly values: number;
  readonly found: number;
  readonly missed: readonly string[];
};

/** Finds the values of all tables in each form. */
export async function measureForms(): Promise<FormFigures[]> {
  const detector = new Detector();
  const figures: FormFigures[] = [];
  for (const [name, file, render] of forms) {
    const random = randomFrom(7);
    let values = 0;
    let found = 0;
    const missed: string[] = [];
    for (const language of languages) {
      // The fonts of the page have no Japanese letters.
      if (name === 'pdf table' && language === 'ja') continue;
      const own = columns.filter(([, headings]) => headings[language] !== undefined);
      for (let at = 0; at < own.length; at += columnsEach) {
        const part = own.slice(at, at + columnsEach);
        const table: Table = {
          headings: part.map(([, headings]) => headings[language] as string),
          rows: Array.from({ length: 3 }, () => part.map(([, , value]) => value(random))),
        };
        const bytes = render(table);
        const { sections } = await convertDocument(typeof bytes === 'string' ? strToU8(bytes) : bytes, { name: file });
        const texts = sections.map(({ text }) => text);
        const spans = texts.map((text) => detector.detect(text));
        for (const row of table.rows) {
          for (const [i, value] of row.entries()) {
            const state = stateOf(value, texts, spans);
            if (state === 'absent') continue;
            values++;
            if (state === 'found') found++;
            else missed.push(`${part[i]?.[0]} ${table.headings[i]}: ${value}`);
          }
        }
      }
    }
    figures.push({ form: name, values, found, missed });
  }
  return figures;
}

type Spans = readonly { readonly start: number; readonly end: number }[];

/** Whether each occurrence of a value in the texts is covered, almost entirely. */
function stateOf(value: string, texts: readonly string[], spans: readonly Spans[]): 'found' | 'missed' | 'absent' {
  let places = 0;
  for (const [t, text] of texts.entries()) {
    for (const spelling of new Set([value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])) {
      for (let at = text.indexOf(spelling); at >= 0; at = text.indexOf(spelling, at + 1)) {
        // A short value may be a part of another word.
        if (/[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ') || /[\p{L}\p{N}]/u.test(text[at + spelling.length] ?? ' '))
          continue;
        places++;
        const covered = (spans[t] as Spans).reduce(
          (sum, { start, end }) => sum + Math.max(0, Math.min(end, at + spelling.length) - Math.max(start, at)),
          0,
        );
        if (covered < spelling.length * 0.6) return 'missed';
      }
    }
  }
  return places === 0 ? 'absent' : 'found';
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { misses: { type: 'boolean' } } });
  const all = await measureForms();
  for (const { form: name, values: count, found, missed } of all) {
    console.log(`${name.padEnd(20)} ${found} of ${count}  ${((100 * found) / count).toFixed(1)} %`);
    if (values.misses) for (const miss of missed) console.log(`    ${miss}`);
  }
  const sum = (key: 'values' | 'found') => all.reduce((total, one) => total + one[key], 0);
  console.log(`all ${sum('found')} of ${sum('values')}  ${((100 * sum('found')) / sum('values')).toFixed(1)} %`);
  process.exit(0);
}
