/** E-mail addresses whose signs are spelled out: `anna (at) example.com`, `anna.berg at example dot com`. */

import { lengthAt, type ScanText } from '../detect/scan.ts';
import files from '../lexicon/named-files.json' with { type: 'json' };
import { patternsOf } from '../pattern-data.ts';
import type { Detection, Recognizer } from '../recognizer.ts';

const { at, localBefore, domain, tellsApart } = patternsOf('spelled-email', files);

const name = 'spelled-email';
const localLengthMax = 64;

/** Ends of the sign; in keywords, an opening bracket has a meaning of its own. */
const brackets = ['at)', 'at )', 'at]', 'at ]', 'at}', 'at }'];

/** Brackets around the word are proof; without them the dots are spelled too, and the mailbox is no common word. */
export const spelledEmail: Recognizer = {
  name,
  type: 'EMAIL',
  anchors: [...brackets, ' dot '],
  find({ shadow, original, keywords }: ScanText): Detection[] {
    const found: Detection[] = [];
    let done = 0;
    for (const hit of keywords.anchors(name)) {
      const isWord = shadow[hit.start] === ' ';
      const floor = Math.max(done, hit.start - localLengthMax);
      // ` at ` comes before the first dot of the domain.
      const before = isWord
        ? floor + shadow.slice(floor, hit.start + 1).lastIndexOf(' at ')
        : signStart(shadow, hit.start);
      if (before < floor) continue;
      const sign = lengthAt(at, shadow, before);
      const local = localBefore.exec(shadow.slice(Math.max(done, before - localLengthMax), before))?.[0];
      const length = sign === 0 ? 0 : lengthAt(domain, shadow, before + sign);
      if (local === undefined || length === 0) continue;
      const [start, end] = [before - local.length, before + sign + length];
      if (isWord && !(tellsApart.test(local) && shadow.slice(before, end).includes(' dot '))) continue;
      found.push({ type: 'EMAIL', value: original.slice(start, end), start, end, score: 0.85, recognizer: name });
      done = end;
    }
    return found;
  },
};

/** Where the sign begins whose word begins here: before its bracket and the blanks around that. */
function signStart(text: string, word: number): number {
  const bracket = word - 1 - Number(text[word - 1] === ' ');
  return bracket - Number(text[bracket - 1] === ' ');
}
