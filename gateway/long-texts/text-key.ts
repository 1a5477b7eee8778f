/** Cache keys of texts: SHA-256, so that nobody can craft a text with another one's key. */
import { hash } from 'node:crypto';

/** Detection and the injection check look up the same texts of a request, one after the other and mostly in one turn. */
const keptMax = 4;
/** Hashing shorter texts again costs nothing. */
const textUnitsMin = 128;
const kept: { readonly text: string; readonly key: string }[] = [];
let next = 0;

/** The key of a text. Lone surrogates are hashed as replacement characters. */
export function textKey(text: string): string {
  if (text.length < textUnitsMin) return hash('sha256', text, 'base64');
  for (let i = 0; i < kept.length; i++) {
    const one = kept[i];
    if (one?.text === text) return one.key;
  }
  const key = hash('sha256', text, 'base64');
  if (kept.length === 0) process.nextTick(forget);
  kept[next] = { text, key };
  next = (next + 1) % keptMax;
  return key;
}

/** They would otherwise stay in memory until replaced. */
function forget(): void {
  kept.length = 0;
  next = 0;
}
