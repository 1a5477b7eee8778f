/** Texts for caches. */

/** A text of its own: the engine keeps the whole of a longer text in memory as long as there is a part of it. */
export function ownText(part: string): string {
  return ` ${part}`.slice(1);
}
