/**
 * The sentences of decisions in Japanese. The gateway writes them in English, into its log and its API; pages that people
 * read show them in their language. A catalog (ja.json for decisions, ja-errors.json) is keyed by the English sentence:
 * `{name}` matches any text, `{=name}` a sentence or word of the catalog.
 */
import decisions from './ja.json' with { type: 'json' };

/** Keyed by the English sentence. */
type Catalog = Readonly<Record<string, string>>;

type Template = { readonly pattern: RegExp; readonly names: readonly string[]; readonly japanese: string };

const placeholder = /\{(=?\w+)\}/;

/**
 * The sentence of a decision in Japanese; text that is not in the catalog, such as a reason that an administrator wrote,
 * unchanged.
 */
export const inJapanese = translationOf(decisions);

/** A function that translates the sentences of a catalog and returns any other text unchanged. */
export function translationOf(catalog: Catalog): (text: string) => string {
  let templates: readonly Template[] | undefined;
  const translated = (text: string): string | undefined => {
    if (Object.hasOwn(catalog, text)) return catalog[text];
    templates ??= templatesOf(catalog);
    for (const { pattern, names, japanese } of templates) {
      const found = pattern.exec(text);
      if (found === null) continue;
      const values = new Map(names.map((name, i) => [name, found[i + 1] ?? '']));
      return japanese.replace(/\{(=?\w+)\}/g, (_, name: string) => {
        const value = values.get(name) ?? '';
        return name.startsWith('=') ? translation(value) : value;
      });
    }
    return undefined;
  };
  /** A list of words, or of sentences of which the first has a capital: `Paths of model APIs; a key is sent`. */
  const listed = (text: string): string | undefined => {
    const parts = text
      .split(/[;,] /)
      .map((part) => translated(part) ?? translated(part[0]?.toLowerCase() + part.slice(1)));
    return parts.every((part) => part !== undefined) ? parts.join('、') : undefined;
  };
  const translation = (text: string): string => translated(text) ?? listed(text) ?? text;
  return translation;
}

/** The templates with placeholders; the one with the most fixed text first, because it is the most specific. */
function templatesOf(catalog: Catalog): readonly Template[] {
  return Object.entries(catalog)
    .filter(([english]) => placeholder.test(english))
    .map(([english, japanese]) => {
      const parts = english.split(placeholder);
      const texts = parts.filter((_, i) => i % 2 === 0);
      const pattern = texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('(.+?)');
      return {
        pattern: new RegExp(`^${pattern}$`, 's'),
        names: parts.filter((_, i) => i % 2 === 1),
        japanese,
        own: texts.join('').length,
      };
    })
    .sort((a, b) => b.own - a.own);
}
