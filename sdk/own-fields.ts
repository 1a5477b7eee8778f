/**
 * Converts class instances to JSON of their own fields and back, with prototype, symbols and everything that JSON
 * cannot represent. Does not call `toJSON`, whose result packages often do not accept.
 */

/** Replaces values that JSON cannot represent (bytes, dates, URLs), and marks class instances. */
const standIn = '$privet';
/** LangChain keeps constructor arguments there, mostly duplicates. */
const mirror = 'lc_kwargs';

type Fields = Record<string, unknown>;

/** JSON of a value, and the objects in it by number. */
export type Shown = { readonly json: string; readonly aside: readonly unknown[] };

/** The value as JSON; undefined if it has none. */
export function showFields(value: unknown): Shown {
  const aside: unknown[] = [];
  const json = JSON.stringify(value, function (this: Fields, key, shown) {
    const original = this[key];
    if (isPlain(original)) return shown;
    const index = aside.push(original) - 1;
    return { ...(hasFields(original) ? fieldsOf(original) : {}), [standIn]: index };
  });
  return { json, aside };
}

/**
 * Reads the value of a JSON text made from a {@link Shown}. Unchanged objects are the original ones. With `isNew`, the
 * text is a new one of the same shape, and missing fields are not copied.
 */
export function readFields(json: string, aside: readonly unknown[], isNew = false): unknown {
  return JSON.parse(json, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || !(standIn in item)) return item;
    const { [standIn]: index, ...fields } = item as Fields & { [standIn]: number };
    const original = aside[index];
    if (!hasFields(original)) return original;
    const before = fieldsOf(original);
    return JSON.stringify(fields) === JSON.stringify(before) ? original : copyWith(original, { fields, before, isNew });
  });
}

function copyWith(
  original: object,
  { fields, before, isNew }: { readonly fields: Fields; readonly before: Fields; readonly isNew: boolean },
): object {
  const copy: Fields = Object.create(Object.getPrototypeOf(original), Object.getOwnPropertyDescriptors(original));
  for (const [name, value] of Object.entries(before)) {
    if (name === mirror || JSON.stringify(fields[name]) === JSON.stringify(value)) continue;
    if (Object.hasOwn(fields, name)) put(copy, name, fields[name]);
    else if (isNew) put(copy, name, undefined);
  }
  const kept = (original as Fields)[mirror];
  if (!isMirror(kept)) return copy;
  const made: Fields = Object.create(Object.getPrototypeOf(kept), Object.getOwnPropertyDescriptors(kept));
  const more = (fields[mirror] ?? {}) as Fields;
  for (const name of Object.keys(kept)) {
    if (kept[name] === (original as Fields)[name]) put(made, name, copy[name]);
    else if (Object.hasOwn(more, name)) put(made, name, more[name]);
  }
  put(copy, mirror, made);
  return copy;
}

function put(target: Fields, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

/** The own fields without duplicates. */
function fieldsOf(original: object): Fields {
  const fields: Fields = { ...original };
  const kept = fields[mirror];
  if (!isMirror(kept)) return fields;
  const others = Object.entries(kept).filter(([name, value]) => value !== fields[name]);
  fields[mirror] = Object.fromEntries(others);
  return fields;
}

function isMirror(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && isPlain(value) && !Array.isArray(value);
}

/** True for a class instance with fields to mask; bytes have fields too, but are not text. */
function hasFields(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  if (Object.keys(value).length === 0) return false;
  try {
    return JSON.stringify({ ...value }) !== undefined;
  } catch {
    // Circular, or not representable as JSON.
    return false;
  }
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') return false;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
