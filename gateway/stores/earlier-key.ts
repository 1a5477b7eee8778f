/** How stores keep what a session held when it was full, beside what it holds since. */

/** Callers cannot name such a key: their ids hold no control characters. */
const mark = '\u0001';

/** The key of what a session held when it was full. */
export function earlierKey(session: string): string {
  return session + mark;
}

/** The session of a key that {@link earlierKey} may have given. */
export function withoutEarlier(key: string): string {
  return key.endsWith(mark) ? key.slice(0, -mark.length) : key;
}
