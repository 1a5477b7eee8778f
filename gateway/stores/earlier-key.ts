/** Key naming for full sessions: stores keep the earlier part of a full session next to its current part. */

/** Callers cannot produce such a key: their ids contain no control characters. */
const mark = '\u0001';

/** The key of the earlier part of a session that was full. */
export function earlierKey(session: string): string {
  return session + mark;
}

/** The session for a key that may come from {@link earlierKey}. */
export function withoutEarlier(key: string): string {
  return key.endsWith(mark) ? key.slice(0, -mark.length) : key;
}
