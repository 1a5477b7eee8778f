/** People's names, found by the tagger of `core/names/`. */

import type { ScanText } from '../detect/scan.ts';
import { tagNames } from '../names/index.ts';
import { chatSpeakers } from '../names/speakers.ts';
import { listedWith, titledNames } from '../names/told.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { isPlaceholder, typeOfHeading } from '../records/headings.ts';

type Range = { readonly start: number; readonly end: number };

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
    const { shadow } = text;
    const isFree = ({ start, end }: Range) => !found.some((one) => one.start < end && start < one.end);
    const add = (others: readonly Range[], context: string) => {
      for (const { start, end } of others.filter(isFree))
        found.push(detectionAt(text, start, end, { type: 'NAME', score: 0.8, recognizer: name, context }));
    };
    add(chatSpeakers(shadow), 'chat');
    add(titledNames(shadow), 'title');
    for (const one of [...found]) add(listedWith(shadow, one), 'list of names');
    return found.sort((a, b) => a.start - b.start);
  },
};
