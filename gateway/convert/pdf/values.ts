/** Value types of PDF.js for the objects of a document. */

/** A dictionary (`Dict`); `getArray` also resolves the references in a list. */
export type Dict = {
  getRawEntries(): Iterable<[string, unknown]>;
  get(key: string): unknown;
  getRaw(key: string): unknown;
  getArray(key: string): unknown;
};
/** A reference (`Ref`). */
export type Ref = { readonly num: number; readonly gen: number };
/** A stream (`BaseStream`). */
export type Stream = { readonly dict: Dict; getBytes(): Uint8Array };
type Name = { readonly name: string };

/** Any value that is not a JavaScript primitive. */
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
export const isDict = (value: unknown): value is Dict => isObject(value) && 'getRawEntries' in value;
export const isStream = (value: unknown): value is Stream =>
  isObject(value) && 'getBytes' in value && 'dict' in value && isDict(value.dict);
export const isRef = (value: unknown): value is Ref => isObject(value) && 'num' in value && 'gen' in value;

/** A dictionary's entry; undefined also if it cannot be read. */
export function entryOf(value: unknown, key: string): unknown {
  try {
    return isDict(value) ? value.get(key) : undefined;
  } catch {
    return undefined;
  }
}

/** Like {@link entryOf}, with references in a list resolved. */
export function listOf(value: unknown, key: string): unknown {
  try {
    return isDict(value) ? value.getArray(key) : undefined;
  } catch {
    return undefined;
  }
}

/** True if a dictionary's entry is one of these names. */
export function isNamed(dict: Dict, key: string, names: readonly string[]): boolean {
  const value = entryOf(dict, key);
  return isObject(value) && names.includes((value as Name).name);
}

/** The content of a stream; undefined if it cannot be decoded. */
export function bytesOf(stream: Stream): Buffer | undefined {
  try {
    return Buffer.from(stream.getBytes());
  } catch {
    return undefined;
  }
}

/** The end of a literal string; if it is not nested, it contains no brackets. */
export function literalEnd(content: string, from: number, isNested: boolean): number | undefined {
  let depth = 1;
  for (let i = from; i < content.length; i++) {
    const sign = content[i];
    if (sign === '\\') i++;
    else if (sign === ')' && --depth === 0) return i;
    else if (sign === '(') {
      if (!isNested) return undefined;
      depth++;
    }
  }
  return undefined;
}
