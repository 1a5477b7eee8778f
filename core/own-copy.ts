/** Texts for caches and sessions. */

/**
 * A text that refers to no other. Engines keep a piece of a text as a reference into the whole (V8: from 13 characters
 * on), so that one e-mail address would keep a body of many megabytes alive for as long as its session, and a text that
 * was put together as a tree of its parts. `join` writes its parts into a new text (half the time of a way through JSON).
 */
export function ownCopy(value: string): string {
  return value.length < 13 ? value : [value.slice(0, 12), value.slice(12)].join('');
}
