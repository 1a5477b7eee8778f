/** Recognises events that would occupy the main thread for a tenth of a second or more; they pass unread. */
import { weighJson } from '../payload/json-weight.ts';

// Shorter texts are never heavy.
const weighedMin = 32_768;
/** In units of {@link weighJson}, some 0.1 microseconds each. */
const costMax = 500_000;
/** Cost of restoring a token. */
const tokenCost = 20;
/** Characters that may start a token, and escapes of them. */
const tokenStart = /[[&%\uFF3B\u3010\u3014\u300C]|\\u(?:00[25]|ff3|30[01])/gi;

/** True for an event that takes too long to restore: it has too many values, or may have too many tokens. */
export function isHeavyEvent(text: string): boolean {
  if (text.length < weighedMin) return false;
  let left = costMax;
  tokenStart.lastIndex = 0;
  while (left >= 0 && tokenStart.test(text)) left -= tokenCost;
  tokenStart.lastIndex = 0;
  return left < 0 || weighJson(text, left, weighedMin) === 'heavy';
}
