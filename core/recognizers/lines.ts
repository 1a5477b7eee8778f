/** Lines of a text. */

/** The end of the line, but not further off than the longest that is looked at. */
export function endOfLine(shadow: string, at: number, lengthMax: number): number {
  const end = shadow.slice(at, at + lengthMax).indexOf('\n');
  return end < 0 ? Math.min(at + lengthMax, shadow.length) : at + end;
}
