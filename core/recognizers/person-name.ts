/** People's names, found by the tagger of `core/names/`. */

import { countBefore } from '../detect/keywords.ts';
import type { ScanText } from '../detect/scan.ts';
import { tagNames } from '../names/index.ts';
import { chatSpeakers } from '../names/speakers.ts';
import { nameBehindTitle, nameBeside, type Range, titles } from '../names/told.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { isPlaceholder, typeOfHeading } from '../records/headings.ts';

const name = 'person-name';
/** Katakana terms and single kanji look most like names and need a higher score. */
const uncertainMin = 0.7;
/** Honorifics are not part of a name. */
const behind = /(?:様|殿|さん)$/;

/** Nor is the pronoun; 私市 is a family name. */
const pronoun = /^私(?!市).{2}/;

/** Nor is the scheme of a resource name: `urn:` (RFC 8141), `arn:` (Amazon). */
const scheme = /^[au]rn:[a-z]/;

/** `Doğum Tarihi:` is a label. */
const labelEnd = /^ ?[:：]/;

/** Checks texts with a capital, or in a script without capitals. */
export const personName: Recognizer = {
  name,
  type: 'NAME',
  anchors: titles,
  trigger: ({ original }) => original.length > 1,
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    for (const { start, end, score, isKana } of tagNames(text.shadow, text)) {
      if (score < (isKana || end - start === 1 ? uncertainMin : 0)) continue;
      if (scheme.test(text.shadow.slice(start, end + 2))) continue;
      const last = found.at(-1);
      // Joins tagged words that are separated by a single space.
      const isNext = last !== undefined && last.end === start - 1 && text.shadow.charCodeAt(start - 1) === 0x20;
      if (isNext) found.pop();
      const own = pronoun.test(text.shadow.slice(start, end)) ? start + 1 : start;
      const from = isNext ? last.start : own;
      const honorific = end - from > 2 ? (behind.exec(text.shadow.slice(end - 2, end))?.[0].length ?? 0) : 0;
      const tagged = text.shadow.slice(from, end);
      if (isPlaceholder(tagged)) continue;
      if (labelEnd.test(text.shadow.slice(end, end + 2)) && typeOfHeading(tagged) !== undefined) continue;
      found.push(detectionAt(text, from, end - honorific, { type: 'NAME', score, recognizer: name }));
    }
    return withTold(text, found);
  },
};

/** Adds the names that the tagger does not know, but their neighbours tell. */
function withTold(text: ScanText, found: readonly Detection[]): Detection[] {
  const { shadow } = text;
  const told: Detection[] = [];
  const isFree = ({ start, end }: Range) => (found[countBefore(found, start)]?.start ?? end) >= end;
  const add = (range: Range | undefined, context: string): boolean => {
    if (range === undefined || !isFree(range)) return false;
    told.push(detectionAt(text, range.start, range.end, { type: 'NAME', score: 0.8, recognizer: name, context }));
    return true;
  };
  for (const speaker of chatSpeakers(shadow)) add(speaker, 'chat');
  for (const { start } of text.keywords.anchors(name)) add(nameBehindTitle(shadow, start), 'title');
  for (const { start, end } of found) {
    let behind = nameBeside(shadow, end, true);
    while (add(behind, 'list of names')) behind = nameBeside(shadow, (behind as Range).end, true);
    let before = nameBeside(shadow, start, false);
    while (add(before, 'list of names')) before = nameBeside(shadow, (before as Range).start, false);
  }
  if (told.length === 0) return [...found];
  let done = 0;
  return [...found, ...told]
    .sort((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      if (start < done) return false;
      done = end;
      return true;
    });
}
