/** E-mail addresses whose signs are spelled out: `anna (at) example.com`, `anna.berg at example dot com`. */
import { patternsOf } from '../detect/patterns.ts';
import { lengthAt, type ScanText } from '../detect/scan.ts';
import files from '../lexicon/named-files.json' with { type: 'json' };
import type { Detection, Recognizer } from '../recognizer.ts';

const { at, localBefore, domain, tellsApart } = patternsOf('spelled-email', files);

const name = 'spelled-email';
const localLengthMax = 64;
/** From ` at ` to the first dot of the domain. */
const labelLengthMax = 64;

const brackets = ['()', '[]', '{}'].flatMap(([open, close]) => [`${open}at${close}`, `${open} at ${close}`]);

/** Brackets around the word are proof; without them the dots are spelled too, and the mailbox is no common word. */
export const spelledEmail: Recognizer = {
  name,
  type: 'EMAIL',
  anchors: [...brackets, ' dot '],
  trigger: ({ keywords }) => keywords.has(name),
  find({ shadow, original, keywords }: ScanText): Detection[] {
    const found: Detection[] = [];
    let done = 0;
    for (const hit of keywords.anchors(name)) {
      const isWord = shadow[hit.start] === ' ';
      // The blank before a bracket belongs to the sign; ` at ` stands before the first dot of the domain.
      const before = isWord ? lastAt(shadow, hit.start) : hit.start - Number(shadow[hit.start - 1] === ' ');
      if (before < done) continue;
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

/** The position of the ` at ` before a dot; -1 where there is none nearby. */
function lastAt(text: string, dot: number): number {
  const from = Math.max(0, dot - labelLengthMax);
  const at = text.slice(from, dot + 4).lastIndexOf(' at ');
  return at < 0 ? -1 : from + at;
}
