/** The words of context types, by language in `core/lexicon/context-words.json`. */
import lexicon from '../lexicon/context-words.json' with { type: 'json' };

type Stored = Readonly<
  Record<string, Readonly<Record<'labels' | 'topics', Readonly<Record<string, readonly string[]>>>>>
>;

/** Labels and words of the field of a type, in all languages. */
export function wordsOfType(type: string): { readonly labels: readonly string[]; readonly topics: readonly string[] } {
  const { labels = {}, topics = {} } = (lexicon as Stored)[type] ?? {};
  return { labels: Object.values(labels).flat(), topics: Object.values(topics).flat() };
}
