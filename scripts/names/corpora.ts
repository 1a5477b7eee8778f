import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldUnit } from '../../core/names/hash.ts';
import type { LabelledText } from './examples.ts';

type Row = { lang: string; source: string; text: string; names: [number, number][] };

/** Folds full-width ASCII and kinds of spaces, unit by unit, like the detector before tagging. */
export function foldWidth(text: string): string {
  return text
    .replace(/[！-～]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replace(/[\u00a0\u2000-\u200a\u202f\u3000]/g, ' ');
}

/**
 * The labelled texts of a folder, one `.jsonl` file per source. Texts longer than a block are split at a line break.
 * Devanagari is excluded, because the tagger has no candidates for it.
 */
export function readCorpora(folder: string): LabelledText[] {
  const texts: LabelledText[] = [];
  for (const file of readdirSync(folder).sort()) {
    const source = file.replace('.jsonl', '');
    if (source === 'hi_hiner') continue;
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      if (line === '') continue;
      const { lang, text, names } = JSON.parse(line) as Row;
      for (const piece of pieces(foldWidth(text), trimTitles(text, names), 16_000))
        texts.push({ source, lang, ...piece });
    }
  }
  return texts;
}

type Piece = { text: string; names: readonly (readonly [number, number])[] };

function pieces(text: string, names: readonly (readonly [number, number])[], most: number): Piece[] {
  if (text.length <= most) return [{ text, names }];
  const cut = Math.max(text.lastIndexOf('\n', most), text.lastIndexOf(' ', most), 1);
  const rest = names.filter(([start]) => start >= cut).map(([start, end]) => [start - cut, end - cut] as const);
  return [
    { text: text.slice(0, cut), names: names.filter(([, end]) => end <= cut) },
    ...pieces(text.slice(cut), rest, most),
  ];
}

/** Trims punctuation from a name: some sources include a quote or full stop in the label. */
function trimTitles(text: string, names: readonly (readonly [number, number])[]): [number, number][] {
  return names
    .map(([start, end]): [number, number] => {
      let from = start;
      let to = end;
      const isLetter = (at: number): boolean => foldUnit(text.charCodeAt(at)) !== 0 || text.charCodeAt(at) > 0x2e80;
      while (from < to && !isLetter(from)) from++;
      while (to > from && !isLetter(to - 1)) to--;
      return [from, to];
    })
    .filter(([start, end]) => end > start);
}
