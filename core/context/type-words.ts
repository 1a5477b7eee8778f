/** The words of context types, by language in `core/lexicon/context-words.json`. */
import lexicon from '../lexicon/context-words.json' with { type: 'json' };

type Stored = Readonly<
  Record<string, Readonly<Record<'labels' | 'topics', Readonly<Record<string, readonly string[]>>>>>
>;

type Words = { readonly labels: readonly string[]; readonly topics: readonly string[] };

/** Labels and words of the field of a type, in all languages. */
export function wordsOfType(type: string): Words {
  const { labels, topics } = wordsByLanguage(type);
  return { labels: Object.values(labels).flat(), topics: Object.values(topics).flat() };
}

/** The same by language; empty for a type that brings its words itself. */
export function wordsByLanguage(type: string): Stored[string] {
  return (lexicon as Stored)[type] ?? { labels: {}, topics: {} };
}
