/** The texts that the context scorer learns from: those of the evaluation, samples, and made ones. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PiiRecord, readMarkedLines, readPiiRecords } from '../../eval/records.ts';

/** A text and the source that it is left out with. */
export type TrainingText = { readonly record: PiiRecord; readonly family: string };

/** All of them. */
export function trainingTexts(): TrainingText[] {
  const known = readPiiRecords().map((record) => ({ record, family: record.file }));
  const samples = readMarkedLines(readFileSync(join(import.meta.dirname, 'samples.txt'), 'utf8'), 'samples');
  return [...known, ...samples.map((record) => ({ record, family: 'samples' }))];
}
