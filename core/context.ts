/**
 * Context: a keyword near a value that says what the value is.
 */
import type { ScanText } from './shadow.ts';

const before = 30;
const after = 10;

/**
 * The keyword found near `start..end`: within 30 characters before on the same line, within 10 after it, or at the end of
 * the line before when that line ends with a colon. `_` and `-` count as spaces, so that `phone_number=` hits.
 * @param keyword a pattern without the global flag, with `\b` around English words only.
 */
export function contextOf(text: ScanText, start: number, end: number, keyword: RegExp): string | undefined {
  return keywordIn(text.shadow, start, end, keyword)?.toLowerCase();
}

function keywordIn(shadow: string, start: number, end: number, keyword: RegExp): string | undefined {
  const near = shadow.slice(Math.max(0, start - before), start);
  const lineStart = near.lastIndexOf('\n') + 1;
  const onLine = keyword.exec(spaced(near.slice(lineStart)));
  if (onLine !== null) return onLine[0];
  if (lineStart > 0 && near.slice(lineStart).trim() === '') {
    const previous = shadow.slice(Math.max(0, start - before * 2), start).trimEnd();
    const hit = previous.endsWith(':') ? keyword.exec(spaced(previous.slice(previous.lastIndexOf('\n') + 1))) : null;
    if (hit !== null) return hit[0];
  }
  const rest = shadow.slice(end, end + after);
  const lineEnd = rest.indexOf('\n');
  return keyword.exec(spaced(lineEnd < 0 ? rest : rest.slice(0, lineEnd)))?.[0];
}

function spaced(text: string): string {
  return text.replace(/[_-]/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2');
}
