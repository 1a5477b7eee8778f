/** Names and colours of types, loaded from the server, so that new types need no change here. */
import type { PiiType } from '../../gateway/api/routes/types.ts';
import type { Language } from '../shared/preferences.ts';

let known: ReadonlyMap<string, PiiType> = new Map();

/** Stores the server's types; until then, types are shown by their codes. */
export function takeTypes(types: readonly PiiType[]): void {
  known = new Map(types.map((one) => [one.type, one]));
}

/** The built-in types: those of all countries, or those of a single country. */
export function piiTypes(which: 'everywhere' | 'ofCountries'): string[] {
  const isWanted = ({ country }: PiiType) => (country === undefined) === (which === 'everywhere');
  return [...known.values()].filter(isWanted).map(({ type }) => type);
}

/** `E-mail address`; for a dictionary label the label itself. */
export function typeName(type: string, language: Language): string {
  return known.get(type)?.label[language] ?? type;
}

/** The hue of a type in degrees: related types have similar colours; a dictionary label always gets the same one. */
export function typeHue(type: string): number {
  const group = known.get(type)?.group;
  return group === undefined ? hueOf(type, 360) : (hueOf(group, 12) * 30 + hueOf(type, 24)) % 360;
}

function hueOf(word: string, size: number): number {
  let sum = 0;
  for (const letter of word) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973;
  return sum % size;
}

/** The type in a token: `[EMAIL-1]`, `[PROJECT_2]`, `[SECURED:type=EMAIL,id=…]`, `[SRAG:cat=PII,name=EMAIL,id=…]`. */
export function typeOfToken(token: string): string {
  const named = /(?:type|name)=([A-Z0-9_]+)/.exec(token)?.[1];
  return named ?? /^\[([A-Z0-9_]+?)[-_]\d+\]$/.exec(token)?.[1] ?? '';
}
