/** Assembles the text of a PDF page: the library's text runs, joined into lines. */
import { readable } from '../character-maps.ts';

/** Letters drawn in one operation (`TextItem` of PDF.js). */
export type TextItem = {
  readonly str: string;
  readonly dir: string;
  /** Position, rotation and size of its letters. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly fontName: string;
  readonly hasEOL: boolean;
};

/** A line as displayed, and with gaps before and after letters of another size, such as a footnote mark. */
export type PageLine = { readonly text: string; readonly apart?: string };

/** The lines of a page; `verticalFonts` have vertical writing. */
export function pageLines(items: Iterable<unknown>, verticalFonts: ReadonlySet<string>): PageLine[] {
  const lines: PageLine[] = [];
  let text = '';
  let apart = '';
  const end = () => {
    lines.push(apart === text ? { text } : { text, apart });
    text = '';
    apart = '';
  };
  let last: TextItem | undefined;
  /** The end of the current line; avoids flattening the line string at each check. */
  let before = '';
  for (const item of items as Iterable<TextItem>) {
    // Skips content marks.
    if (typeof item.str !== 'string') continue;
    const str = isColumnGap(item) ? '\t' : readable(item.str);
    if (str.trim() !== '') {
      const joint = last && touch(before, str) ? jointOf(last, item, verticalFonts.has(item.fontName)) : 'none';
      if (joint === 'line') end();
      else if (joint === 'blank') text += ' ';
      if (joint !== 'none' && joint !== 'line') apart += ' ';
      last = item;
    }
    text += str;
    apart += str;
    before = str === '' ? before : str;
    if (!item.hasEOL) continue;
    end();
    last = undefined;
  }
  if (text !== '') end();
  return lines;
}

/** True for a space much wider than between words: the next column of a table. */
function isColumnGap({ str, width, transform }: TextItem): boolean {
  const [, , c = 0, d = 0] = transform;
  return str === ' ' && width > columnGap * Math.hypot(c, d);
}

/** In letter heights; the gaps of justified text are smaller. */
const columnGap = 1.8;

/** True if no whitespace separates two texts. */
function touch(before: string, behind: string): boolean {
  return /\S/.test(before.slice(-1)) && /^\S/.test(behind);
}

/** The separator of two items between which the library saw no gap; `mark` for another size or height. */
type Joint = 'none' | 'mark' | 'blank' | 'line';

/** Accents drawn above a letter, before or after it. */
const accent = /[\p{M}\p{Sk}]$/u;

/**
 * Separates items drawn on one line. The library joins them into a word, even when drawing jumps back to the left, and
 * ignores what was drawn before a form. Right-to-left letters are drawn in their own order.
 */
function jointOf(last: TextItem, item: TextItem, isVertical: boolean): Joint {
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = last.transform;
  const [a2 = 0, b2 = 0, c2 = 0, d2 = 0, x2 = 0, y2 = 0] = item.transform;
  const size = Math.hypot(c, d);
  const size2 = Math.hypot(c2, d2);
  const scale = Math.hypot(a, b);
  if (!(size > 0 && size2 > 0 && scale > 0)) return 'none';
  // Rotated by more than letters along a curve.
  if ((a * a2 + b * b2) / (scale * Math.hypot(a2, b2)) < 0.5) return 'line';
  // Distance along the direction of the first letters, and across their baseline, from which slanted letters lean away.
  const right = ((x2 - x) * a + (y2 - y) * b) / scale;
  const up = (((y2 - y) * a - (x2 - x) * b) / scale) * (a * d < b * c ? -1 : 1);
  const along = isVertical ? -up : right;
  const shift = Math.abs(isVertical ? right : up);
  const gap = along - (isVertical ? last.height : last.width);
  const largest = Math.max(size, size2);
  if (shift > 1.2 * largest) return 'line';
  const isDrawnElsewhere =
    item.dir === 'rtl' || last.dir === 'rtl' || accent.test(last.str) || accent.test(item.str[0] ?? '');
  if (!isDrawnElsewhere) {
    if (gap < -largest || along < -0.3 * largest) return 'line';
    // A space is a quarter as wide as letters are high.
    if (gap > 0.25 * largest) return 'blank';
  }
  return Math.abs(size - size2) > 0.15 * largest || shift > 0.2 * largest ? 'mark' : 'none';
}
