/** Values of PDF.js: what it makes of the objects of a document. */

/** A dictionary (`Dict`); `getArray` gives the values that the items of a list refer to. */
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

/** Any value but those of the language itself. */
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
/** A dictionary. */
export const isDict = (value: unknown): value is Dict => isObject(value) && 'getRawEntries' in value;
/** A stream. */
export const isStream = (value: unknown): value is Stream =>
  isObject(value) && 'getBytes' in value && 'dict' in value && isDict(value.dict);
/** A reference. */
export const isRef = (value: unknown): value is Ref => isObject(value) && 'num' in value && 'gen' in value;

/** What a dictionary has for a key; undefined also where that cannot be read. */
export function entryOf(value: unknown, key: string): unknown {
  try {
    return isDict(value) ? value.get(key) : undefined;
  } catch {
    return undefined;
  }
}

/** As {@link entryOf}, with what the items of a list refer to. */
export function listOf(value: unknown, key: string): unknown {
  try {
    return isDict(value) ? value.getArray(key) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a dictionary has one of these names for a key. */
export function isNamed(dict: Dict, key: string, names: readonly string[]): boolean {
  const value = entryOf(dict, key);
  return isObject(value) && names.includes((value as Name).name);
}

/** What a stream holds; undefined where it cannot be decoded. */
export function bytesOf(stream: Stream): Buffer | undefined {
  try {
    return Buffer.from(stream.getBytes());
  } catch {
    return undefined;
  }
}

/** Where a literal string is closed; one that is not nested has no brackets in it. */
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
