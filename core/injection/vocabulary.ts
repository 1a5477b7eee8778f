/** The words of the injection rules by language; words/README.md describes their classes. */
import type { Vocabulary } from './lexicon.ts';
import german from './words/de.json' with { type: 'json' };
import english from './words/en.json' with { type: 'json' };
import spanish from './words/es.json' with { type: 'json' };
import french from './words/fr.json' with { type: 'json' };
import italian from './words/it.json' with { type: 'json' };
import ja from './words/ja.json' with { type: 'json' };
import korean from './words/ko.json' with { type: 'json' };
import others from './words/others.json' with { type: 'json' };
import portuguese from './words/pt.json' with { type: 'json' };
import steering from './words/steering.json' with { type: 'json' };
import chinese from './words/zh.json' with { type: 'json' };

/** The words with each of their endings. */
function withEndings(words: Vocabulary, endings: Vocabulary): Vocabulary {
  const withAll = (stem: string, ending: string) => endings[ending]?.replace(/^|(?<=\|)/g, stem) ?? stem;
  return Object.fromEntries(
    Object.entries(words).map(([name, list]) => [
      name,
      list.replace(/([^|{}]+)\{([^{}]+)\}/g, (_, stem: string, ending: string) => withAll(stem, ending)),
    ]),
  );
}

const japanese = withEndings(ja.words, ja.endings);

/** All vocabularies. Their order matters: a word has its classes in it. */
export const vocabularies: readonly Vocabulary[] = [
  ...[english, japanese, german, french, spanish, portuguese, italian, others, chinese, korean, steering],
];

/** Those of the two languages whose rules are tested word by word. */
export const tested: Readonly<Record<'en' | 'ja', Vocabulary>> = { en: english, ja: japanese };
