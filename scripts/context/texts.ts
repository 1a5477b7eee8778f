/** Training texts of the context scorer: evaluation texts, samples and generated ones. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PiiRecord, readMarkedLines, readPiiRecords } from '../../eval/records.ts';
import { madeTexts } from './made-texts.ts';

/** A text, and the source with which it is held out. */
export type TrainingText = { readonly record: PiiRecord; readonly family: string };

/** Texts with marked values, one per kind of layout, and unmarked near misses. */
export function markedTexts(): PiiRecord[] {
  return ['samples', 'texts', 'codes', 'secrets', 'dates'].flatMap((name) =>
    readMarkedLines(readFileSync(join(import.meta.dirname, `${name}.txt`), 'utf8'), name).map((record) => ({
      ...record,
      // Values of other types have no mark.
      judge: [record.source.replace('heldout/', '')],
    })),
  );
}

const madeFamilies = 10;

export function trainingTexts(): TrainingText[] {
  const known = readPiiRecords().map((record) => ({ record, family: record.file }));
  const all = [...known, ...markedTexts().map((record) => ({ record, family: record.file }))];
  const made = madeTexts(valuesOf(all));
  return [...all, ...made.map((record, i) => ({ record, family: `made-${i % madeFamilies}` }))];
}

function valuesOf(texts: readonly TrainingText[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const { record } of texts)
    for (const { type, start, end } of record.spans) {
      const own = values.get(type) ?? [];
      own.push(record.text.slice(start, end));
      values.set(type, own);
    }
  return values;
}
