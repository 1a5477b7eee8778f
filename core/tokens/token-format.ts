/** Formats tokens; tokens.ts finds them. */
import { isTokenType } from './token-types.ts';

/** The token of a value: `formatToken('EMAIL', 1)` → `[EMAIL-1]`. */
export function formatToken(type: string, n: number): string {
  return `[${type}-${n}]`;
}

/** The token of a custom label: `[PROJECT_1]`. A label equal to a built-in type gets that type's token. */
export function formatLabelToken(label: string, n: number): string {
  return isTokenType(label) ? formatToken(label, n) : `[${label}_${n}]`;
}

/** A token with a random id instead of a counter. `id`: up to 64 characters of `[A-Za-z0-9_-]`. */
export function formatSecuredToken(type: string, id: string): string {
  return `[SECURED:type=${type},id=${id}]`;
}

/** A token of RAG chunks: `[SRAG:cat=PII,name=EMAIL,id=…]`. `id` as for {@link formatSecuredToken}. */
export function formatSragToken(category: string, name: string, id: string): string {
  return `[SRAG:cat=${category},name=${name},id=${id}]`;
}

/** One case, without letters and digits that look alike, so that an id survives retyping. */
const idAlphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

/** 16 characters with 80 random bits: unguessable, and unique among all sessions that a store can hold. */
export function randomTokenId(): string {
  let id = '';
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) id += idAlphabet[byte & 31];
  return id;
}

/** True for an id: of other programs with a digit, so that it is no word; Privet's own is longer and may have none. */
export function isTokenId(text: string): boolean {
  return /^(?:(?=[\w-]*\d)[\w-]{4,64}|[a-z2-9]{16})$/.test(text);
}
