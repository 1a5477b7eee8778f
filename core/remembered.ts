/** Caches functions of short texts: bodies repeat the same few names and types. */
import { ownCopy } from './own-copy.ts';

/** `unitsMax`: longer texts are not kept. */
export type RememberOptions = { readonly max: number; readonly unitsMax?: number };

/** The same function, cached for the last `max` texts. The cache keeps copies, not the bodies around them. */
export function remembering<T>(
  read: (text: string) => T,
  { max, unitsMax = Number.POSITIVE_INFINITY }: RememberOptions,
): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length > unitsMax) return read(text);
    const before = known.get(text);
    if (before !== undefined || known.has(text)) return before as T;
    const found = read(text);
    if (known.size >= max) known.clear();
    known.set(ownCopy(text), found);
    return found;
  };
}
