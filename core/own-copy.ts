/** Texts for caches and sessions. */

/**
 * An independent copy of a text. Engines store a substring as a reference into the whole (V8: from 13 characters), so one
 * e-mail address would keep a body of many megabytes alive for its whole session, and they store a concatenation as a tree
 * of its parts. `join` writes its parts into a new text, in half the time of a round trip through JSON.
 */
export function ownCopy(value: string): string {
  return value.length < 13 ? value : [value.slice(0, 12), value.slice(12)].join('');
}
