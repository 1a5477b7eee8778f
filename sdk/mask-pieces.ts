/** Masks a text that arrives in pieces, as a transcript or a large file does. */
import { outsideTokens } from '../core/mask.ts';
import type { Detection } from '../core/recognizer.ts';

/** What masking pieces needs. */
export type PieceMasking = {
  readonly detect: (text: string) => readonly Detection[];
  /** The text with something in place of the detections, which stand in it in order. */
  readonly replace: (text: string, detections: readonly Detection[]) => Promise<string>;
};

/** What is held back: a value may go on in the next piece, and words behind it may say what it is. */
const heldUnits = 600;
/** What is kept of the text that has gone out, for the words before a value. */
const contextUnits = 600;
/** Less is not worth a look. */
const stepUnits = 1_200;

/**
 * The pieces with something in place of personal data, each as soon as nothing behind it can change it: at most 1,800
 * characters and a value late. A value of more than {@link heldUnits} characters may be seen in parts.
 */
export async function* maskPieces(source: AsyncIterable<string>, masking: PieceMasking): AsyncGenerator<string, void> {
  let context = '';
  let pending = '';
  for await (const piece of source) {
    pending += piece;
    while (pending.length >= heldUnits + stepUnits) {
      const found = detectionsIn(masking, context, pending);
      const end = cutOf(pending, pending.length - heldUnits, found);
      // One word or value that is longer than all that is held; what comes next may end it.
      if (end === 0) break;
      yield await part(masking, pending.slice(0, end), found);
      context = (context + pending.slice(0, end)).slice(-contextUnits);
      pending = pending.slice(end);
    }
  }
  if (pending !== '') yield await part(masking, pending, detectionsIn(masking, context, pending));
}

/** What stands in the pending text; its offsets begin there. */
function detectionsIn({ detect }: PieceMasking, context: string, pending: string): Detection[] {
  const text = context + pending;
  return outsideTokens(text, [...detect(text)])
    .filter(({ end }) => end > context.length)
    .map((one) => ({ ...one, start: Math.max(0, one.start - context.length), end: one.end - context.length }));
}

/** The last place up to `max` at which a word ends and no value stands. */
function cutOf(text: string, max: number, found: readonly Detection[]): number {
  for (let at = max; at > 0; at--) {
    if (!/\s/.test(text[at - 1] as string)) continue;
    const inside = found.find(({ start, end }) => start < at && at < end);
    if (inside === undefined) return at;
    at = inside.start + 1;
  }
  return 0;
}

function part({ replace }: PieceMasking, text: string, found: readonly Detection[]): Promise<string> {
  const inside = found.filter(({ end }) => end <= text.length);
  return replace(
    text,
    inside.map((one) => ({ ...one, value: text.slice(one.start, one.end) })),
  );
}
