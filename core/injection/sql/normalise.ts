import { unescapedEntities, unescapedPercent } from '../decode.ts';
import { originalOffset, viewOf } from '../text-view.ts';

/** A text prepared for the tokeniser. */
export type SqlText = {
  readonly text: string;
  /** Maps an offset in `text` to the original; undefined after decoding, which loses offsets. */
  readonly original: ((offset: number) => number) | undefined;
};

const percentEscape = /%[0-9a-f]{2}/i;
const curly = /[\u2018\u2019\u201a\u2032\u00b4\u201c\u201d\u201e\u2033]/;

/** Decodes up to two levels of percent escapes and entities; folds full-width, look-alike and invisible characters. */
export function sqlText(text: string): SqlText {
  let plain = text;
  for (let level = 0; level < 2; level++) {
    const before = plain;
    if (plain.includes('%') && percentEscape.test(plain)) {
      // In a form body or query a plus sign is a space, unless the text has real spaces.
      plain = unescapedPercent(plain.includes(' ') ? plain : plain.replaceAll('+', ' '));
    }
    if (plain.includes('&') && /&(?:#|[a-z]{2,6};)/i.test(plain)) plain = unescapedEntities(plain);
    if (plain === before) break;
  }
  const decoded = plain !== text;
  if (curly.test(plain)) {
    plain = plain.replace(/[\u2018\u2019\u201a\u2032\u00b4]/g, "'").replace(/[\u201c\u201d\u201e\u2033]/g, '"');
  }
  const view = viewOf(plain);
  return { text: view.text, original: decoded ? undefined : (offset) => originalOffset(view, offset) };
}
