import calendar from '../lexicon/calendar.json' with { type: 'json' };
import functionWords from '../lexicon/function-words.json' with { type: 'json' };
import greetings from '../lexicon/greetings.json' with { type: 'json' };
import honorifics from '../lexicon/honorifics.json' with { type: 'json' };
import labels from '../lexicon/name-labels.json' with { type: 'json' };
import organisations from '../lexicon/organisations.json' with { type: 'json' };
import particles from '../lexicon/particles.json' with { type: 'json' };
import relations from '../lexicon/relations.json' with { type: 'json' };
import verbs from '../lexicon/reporting-verbs.json' with { type: 'json' };
import roles from '../lexicon/roles.json' with { type: 'json' };
import signOffs from '../lexicon/sign-offs.json' with { type: 'json' };
import titles from '../lexicon/titles.json' with { type: 'json' };
import { hashWord } from './hash.ts';

/** Classes of words around names, as bits. */
export const wordClass = {
  title: 1,
  greeting: 2,
  signOff: 4,
  label: 8,
  particle: 16,
  relation: 32,
  verb: 64,
  organisation: 128,
  role: 256,
  honorific: 512,
  calendar: 1024,
} as const;

/** The lowest bit of the languages in {@link classesOf}. */
export const languageShift = 11;
/** The bits of {@link wordClass} in an entry. */
export const classBits = (1 << languageShift) - 1;

type ByLanguage = Readonly<Record<string, readonly string[]>>;

const files: readonly (readonly [ByLanguage, number])[] = [
  [titles, wordClass.title],
  [greetings, wordClass.greeting],
  [signOffs, wordClass.signOff],
  [labels, wordClass.label],
  [particles, wordClass.particle],
  [relations, wordClass.relation],
  [verbs, wordClass.verb],
  [organisations, wordClass.organisation],
  [roles, wordClass.role],
  [honorifics, wordClass.honorific],
  [calendar, wordClass.calendar],
];

/** The languages of {@link functionWords}; a text's language is an index into this list plus one, or 0 if unknown. */
export const languages: readonly string[] = Object.keys(functionWords);

function collect(lists: readonly (readonly [ByLanguage, number])[]): ReadonlyMap<number, number> {
  const bits = new Map<number, number>();
  for (const [list, bit] of lists) {
    for (const word of Object.values(list).flat()) {
      const hash = hashWord(word);
      bits.set(hash, (bits.get(hash) ?? 0) | bit);
    }
  }
  return bits;
}

let loaded: ReadonlyMap<number, number> | undefined;

/**
 * What a word around names is, by its hash: bits of {@link wordClass}, and from {@link languageShift} on the languages in which it
 * is a function word; 0 for other words.
 */
export function classesOf(hash: number): number {
  loaded ??= collect([
    ...files,
    ...Object.values(functionWords).map((list, at): [ByLanguage, number] => [{ list }, 1 << (at + languageShift)]),
  ]);
  return loaded.get(hash) ?? 0;
}

let starts: Uint8Array | undefined;

/** By code unit, 1 where an honorific starts with it. */
export function honorificStarts(): Uint8Array {
  if (starts === undefined) {
    starts = new Uint8Array(0x10000);
    for (const word of Object.values(honorifics as ByLanguage).flat()) starts[word.charCodeAt(0)] = 1;
  }
  return starts;
}
