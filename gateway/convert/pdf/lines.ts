/** The lines of a page by position, for pages drawn in another order: OCR and sorted output join adjacent pieces. */
import { readable } from '../character-maps.ts';
import type { TextItem } from './text.ts';

type Piece = {
  readonly text: string;
  readonly order: number;
  readonly from: number;
  readonly to: number;
  readonly size: number;
};

/** Lines with adjacent pieces that were not drawn in sequence; upright text only. */
export function placedLines(items: Iterable<unknown>): string[] {
  const byBaseline = new Map<number, Piece[]>();
  let order = 0;
  for (const { str, transform, width } of items as Iterable<TextItem>) {
    if (typeof str !== 'string') continue;
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = transform;
    const text = readable(str);
    if (text.trim() === '') continue;
    order++;
    if (a <= 0 || Math.abs(b) > 0.01 * a) continue;
    const piece = { text, order, from: x, to: x + width, size: Math.hypot(c, d) };
    const line = byBaseline.get(Math.round(y));
    if (line === undefined) byBaseline.set(Math.round(y), [piece]);
    else line.push(piece);
  }
  return [...byBaseline.values()].flatMap((line) => joined(line) ?? []);
}

/** The line from left to right; undefined if the drawing order gives the same text. */
function joined(line: Piece[]): string | undefined {
  line.sort((one, other) => one.from - other.from);
  let text = '';
  let isOther = false;
  let last: Piece | undefined;
  for (const piece of line) {
    // A space is a quarter as wide as letters are high.
    const touches = last !== undefined && piece.from - last.to < 0.25 * Math.max(last.size, piece.size);
    isOther ||= touches && last?.order !== piece.order - 1;
    text += last === undefined || touches ? piece.text : ` ${piece.text}`;
    last = piece;
  }
  return isOther ? text : undefined;
}
