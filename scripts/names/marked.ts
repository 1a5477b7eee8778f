import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MarkedText, readMarkedBatch } from '../../eval/marked-batch.ts';
import { foldWidth } from './corpora.ts';
import type { LabelledText } from './examples.ts';

const written = join(import.meta.dirname, 'texts');
const batches = join(import.meta.dirname, '..', '..', 'eval', 'data', 'first-sight');

/** The first-sight batches of pasted texts, which have been evaluated and may now be trained on. */
export function firstSightTexts(): LabelledText[] {
  return readdirSync(batches)
    .filter((file) => file.endsWith('.txt'))
    .sort()
    .flatMap((file) => readMarkedBatch(readFileSync(join(batches, file), 'utf8')))
    .map(({ lang, text, values }) => labelled('first-sight', lang, text, values));
}

/** This project's own texts: one a line, people between `⟦` and `⟧`, `\\n` for a line break; one file per language. */
export function writtenTexts(): LabelledText[] {
  return readdirSync(written)
    .sort()
    .flatMap((file) =>
      readFileSync(join(written, file), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => readWritten(file.slice(0, 2), line.replaceAll('\\n', '\n'))),
    );
}

function readWritten(lang: string, marked: string): LabelledText {
  const names: [number, number][] = [];
  let text = '';
  for (const [index, piece] of marked.split(/[⟦⟧]/).entries()) {
    if (index % 2 === 1) names.push([text.length, text.length + piece.length]);
    text += piece;
  }
  return { source: 'written', lang, text: foldWidth(text), names };
}

type Row = {
  readonly lang: string;
  readonly text?: string;
  readonly text_b64?: string;
  readonly spans: MarkedText['values'];
};

/** Texts of the same kind as JSON Lines, with spans of several types. */
export function spanTexts(file: string): LabelledText[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
    .map(({ lang, text, text_b64, spans }) =>
      labelled('pasted', lang, text ?? Buffer.from(text_b64 ?? '', 'base64').toString(), spans),
    );
}

function labelled(source: string, lang: string, text: string, values: MarkedText['values']): LabelledText {
  const names = values.filter(({ type }) => type === 'NAME').map(({ start, end }) => [start, end] as const);
  return { source, lang, text: foldWidth(text), names };
}
