/** The texts that the context scorer learns from: those of the evaluation, samples, and made ones. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PiiRecord, readMarkedLines, readPiiRecords } from '../../eval/records.ts';
import { madeTexts } from './made-texts.ts';

/** A text and the source that it is left out with. */
export type TrainingText = { readonly record: PiiRecord; readonly family: string };

const madeFamilies = 10;

/** All of them. */
export function trainingTexts(): TrainingText[] {
  const known = readPiiRecords().map((record) => ({ record, family: record.file }));
  const samples = readMarkedLines(readFileSync(join(import.meta.dirname, 'samples.txt'), 'utf8'), 'samples');
  const all = [...known, ...samples.map((record) => ({ record, family: 'samples' }))];
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
