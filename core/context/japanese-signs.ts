/** Candidates of Japanese texts: registration plates (an office, a class, a kana, a number) and signs of insurance cards. */

import { matchesIn, type ScanText } from '../detect/scan.ts';
import offices from '../lexicon/plate-offices.json' with { type: 'json' };
import { patternsOf } from '../pattern-data.ts';
import type { FormSpan, Span } from './context-type.ts';

const { head, tail, small, cardSign, scripts, isKana } = patternsOf('japanese-signs');

/** Forms of plates: with a known office, with another place, without one; of small vehicles; in other scripts. */
const forms = { office: 0, place: 1, bare: 2, small: 3, script: 4 } as const;
const known: ReadonlySet<string> = new Set(offices.ja);

/** Plates anywhere in a text; those of small vehicles only in the stretches. */
export function japanesePlates(text: ScanText, stretches: readonly Span[]): FormSpan[] {
  const { shadow, kanaJoints } = text;
  const found: FormSpan[] = [];
  for (const at of kanaJoints) {
    if (!isKana.test(shadow.charAt(at))) continue;
    const behind = tail.exec(shadow.slice(at + 1, at + 9));
    const before = behind && head.exec(shadow.slice(Math.max(0, at - 9), at));
    if (!behind || !before) continue;
    const words = before[1] ?? '';
    const end = at + 1 + behind[0].length;
    const start = at - before[0].length;
    const office = [4, 3, 2, 1].map((length) => words.slice(-length)).find((word) => known.has(word));
    if (office !== undefined) found.push({ start: start + words.length - office.length, end, form: forms.office });
    else if (/[\u3400-\u9fff]{2,4}$/.test(words)) found.push({ start, end, form: forms.place });
    else
      found.push({
        start: start + words.length + (/^[ -]/.test(before[0].slice(words.length)) ? 1 : 0),
        end,
        form: forms.bare,
      });
  }
  return text.hasJapanese ? [...found, ...spansOf(shadow, stretches, small, { behind: 12, form: forms.small })] : found;
}

/** Symbols of health insurance cards in the stretches. */
export function cardSigns({ shadow, hasJapanese }: ScanText, stretches: readonly Span[]): FormSpan[] {
  return hasJapanese ? spansOf(shadow, stretches, cardSign, { behind: 6, form: 0 }) : [];
}

function spansOf(
  shadow: string,
  stretches: readonly Span[],
  pattern: RegExp,
  { behind, form }: { readonly behind: number; readonly form: number },
): FormSpan[] {
  return stretches.flatMap((stretch) =>
    matchesIn(shadow, pattern, { ...stretch, before: 1, after: behind }).map(({ start, end }) => ({
      start,
      end,
      form,
    })),
  );
}

/** Plates of other scripts in the stretches. */
export function platesOfScripts({ shadow, original }: ScanText, stretches: readonly Span[]): FormSpan[] {
  if (!/[가-힣А-Я㐀-鿿]/.test(original)) return [];
  return spansOf(shadow, stretches, scripts, { behind: 12, form: forms.script });
}
