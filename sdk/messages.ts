/**
 * Masks message arrays of OpenAI, Anthropic and alike as the objects that they are: content as text or as parts, tool
 * calls, tool results, system text. One algorithm for all: every string that a provider does not read as structure.
 */
import { parseRequestBody } from '../core/payload/request.ts';
import { type BodyMasking, type Masked, maskLeaves } from './body.ts';

/** A value with masked texts; the same value when nothing was found. */
export type MaskedValue<T> = { readonly value: T; readonly masked: readonly Masked[] };

/** In place of what JSON cannot carry (bytes, dates, URLs), which then stays as it is; and beside the fields of objects of a class. */
const standIn = '$privet';

/**
 * Masks all texts of a message array, or of a whole request object, as they would be masked in a request body.
 * @throws PrivetError `uninspectable` for parts that may not be sent, or what the vault throws
 */
export async function maskValue<T>(value: T, masking: BodyMasking): Promise<MaskedValue<T>> {
  const aside: unknown[] = [];
  const isList = Array.isArray(value);
  const json = JSON.stringify(
    isList ? { messages: value } : value,
    function (this: Record<string, unknown>, key, shown) {
      const original = this[key];
      if (isPlain(original)) return shown;
      const index = aside.push(original) - 1;
      // What an object holds is sent, whatever its class: messages of some packages are no plain objects.
      return { ...(hasFields(original) ? original : {}), [standIn]: index };
    },
  );
  const parsed = parseRequestBody('json', json);
  const { texts, masked } = await maskLeaves(parsed, masking);
  if (texts === undefined) return { value, masked };
  const revived = JSON.parse(parsed.rewrite(texts), (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || !(standIn in item)) return item;
    const { [standIn]: index, ...fields } = item as { [standIn]: number };
    const original = aside[index];
    if (!hasFields(original) || JSON.stringify(fields) === JSON.stringify({ ...original })) return original;
    return Object.defineProperties(
      Object.create(Object.getPrototypeOf(original)),
      Object.getOwnPropertyDescriptors(fields),
    );
  });
  return { value: isList ? revived.messages : revived, masked };
}

/** An object of a class whose fields can be sent; bytes have fields too, but are no text. */
function hasFields(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  if (Object.keys(value).length === 0) return false;
  try {
    return JSON.stringify({ ...value }) !== undefined;
  } catch {
    // It refers to itself, or holds what JSON has no form for.
    return false;
  }
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') return false;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
