/** Texts in both languages, each written next to its translation. */

/** One text: the same in both languages, or in English and Japanese. */
export type Text = string | readonly [en: string, ja: string];

type Said<T> = T extends string
  ? string
  : T extends readonly [infer En, unknown]
    ? En extends string
      ? string
      : En
    : { readonly [Name in keyof T]: Said<T[Name]> };

/** The texts of a page by language. Groups nest; a pair may also have functions that make the text. */
export function inBoth<const T extends object>(texts: T): { readonly en: Said<T>; readonly ja: Said<T> } {
  return { en: picked(texts, 0) as Said<T>, ja: picked(texts, 1) as Said<T> };
}

function picked(texts: object, language: 0 | 1): unknown {
  return Object.fromEntries(
    Object.entries(texts).map(([name, value]) => [
      name,
      Array.isArray(value) ? value[language] : typeof value === 'string' ? value : picked(value as object, language),
    ]),
  );
}
