/** Masks a text that arrives in pieces, such as a transcript or a large file. */
import { outsideTokens } from '../core/mask.ts';
import type { Detection } from '../core/recognizer.ts';

/** The context of masking pieces. */
export type PieceMasking = {
  readonly detect: (text: string) => readonly Detection[];
  /** Replaces the detections of a text, which are in order. */
  readonly replace: (text: string, detections: readonly Detection[]) => Promise<string>;
};

/** Length held back: a value may continue in the next piece, and later words may determine its type. */
const heldUnits = 600;
/** Length kept of text already output, for context words before a value. */
const contextUnits = 600;
/** Minimum length that is searched. */
const stepUnits = 1_200;

/**
 * Masks the pieces and outputs text as soon as later text cannot change it: at most 1,800 characters and one value
 * late. A value of more than {@link heldUnits} characters may be detected in parts.
 */
export async function* maskPieces(source: AsyncIterable<string>, masking: PieceMasking): AsyncGenerator<string, void> {
  let context = '';
  let pending = '';
  for await (const piece of source) {
    pending += piece;
    while (pending.length >= heldUnits + stepUnits) {
      const found = detectionsIn(masking, context, pending);
      const end = cutOf(pending, pending.length - heldUnits, found);
      // A word or value longer than the held text; the next piece may end it.
      if (end === 0) break;
      yield await part(masking, pending.slice(0, end), found);
      context = (context + pending.slice(0, end)).slice(-contextUnits);
      pending = pending.slice(end);
    }
  }
  if (pending !== '') yield await part(masking, pending, detectionsIn(masking, context, pending));
}

/** The detections in the pending text, with offsets relative to it. */
function detectionsIn({ detect }: PieceMasking, context: string, pending: string): Detection[] {
  const text = context + pending;
  return outsideTokens(text, [...detect(text)])
    .filter(({ end }) => end > context.length)
    .map((detection) => ({
      ...detection,
      start: Math.max(0, detection.start - context.length),
      end: detection.end - context.length,
    }));
}

/** The last offset up to `max` at which a word ends outside any value. */
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
    inside.map((detection) => ({ ...detection, value: text.slice(detection.start, detection.end) })),
  );
}
