import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldWidth } from './corpora.ts';
import type { LabelledText } from './examples.ts';

const batches = join(import.meta.dirname, '..', '..', 'eval', 'data', 'first-sight');
const mark = /⟦([A-Z_]+)\|([\s\S]*?)⟧/g;

/** The first-sight batches, which have been measured and may be learned from: texts as people paste them. */
export function firstSightTexts(): LabelledText[] {
  return readdirSync(batches)
    .filter((file) => file.endsWith('.txt'))
    .sort()
    .flatMap((file) =>
      readFileSync(join(batches, file), 'utf8')
        .split(/^=== /m)
        .slice(1)
        .map((part) => unmarked(part.slice(part.indexOf('\n') + 1), part.slice(0, 2))),
    );
}

function unmarked(source: string, lang: string): LabelledText {
  let text = '';
  let last = 0;
  const names: [number, number][] = [];
  for (const { 0: whole, 1: type, 2: value = '', index } of source.matchAll(mark)) {
    text += source.slice(last, index);
    if (type === 'NAME') names.push([text.length, text.length + value.length]);
    text += value;
    last = index + whole.length;
  }
  return { source: 'first-sight', lang, text: foldWidth(text + source.slice(last)), names };
}

type Row = {
  readonly lang: string;
  readonly text?: string;
  readonly text_b64?: string;
  readonly spans: readonly { readonly type: string; readonly start: number; readonly end: number }[];
};

/** Texts of the same kind as JSON Lines, with spans of several types. */
export function spanTexts(file: string): LabelledText[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
    .map(({ lang, text, text_b64, spans }) => ({
      source: 'pasted',
      lang,
      text: foldWidth(text ?? Buffer.from(text_b64 ?? '', 'base64').toString()),
      names: spans.filter(({ type }) => type === 'NAME').map(({ start, end }): [number, number] => [start, end]),
    }));
}
