/**
 * Masks message arrays of OpenAI, Anthropic and others (content as text or parts, tool calls, tool results, system
 * text) with one algorithm: every string that is not structure.
 */
import { parseRequestBody } from '../core/payload/request.ts';
import { type BodyMasking, type Masked, maskLeaves } from './body.ts';
import { readFields, showFields } from './own-fields.ts';

/** A value with masked texts; the same value if nothing was found. */
export type MaskedValue<T> = { readonly value: T; readonly masked: readonly Masked[] };

/**
 * Masks all texts of a message array or a whole request object, as in a request body.
 * @throws PrivetError `uninspectable` for parts that may not be sent, or what the vault throws
 */
export async function maskValue<T>(value: T, masking: BodyMasking): Promise<MaskedValue<T>> {
  const isList = Array.isArray(value);
  const { json, aside } = showFields(isList ? { messages: value } : value);
  const parsed = parseRequestBody('json', json);
  const { texts, masked } = await maskLeaves(parsed, masking);
  if (texts === undefined) return { value, masked };
  const revived = readFields(parsed.rewrite(texts), aside);
  return { value: (isList ? (revived as { messages: T }).messages : revived) as T, masked };
}
