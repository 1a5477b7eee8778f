import calendar from '../lexicon/calendar.json' with { type: 'json' };
import functionWords from '../lexicon/function-words.json' with { type: 'json' };
import greeting from '../lexicon/greetings.json' with { type: 'json' };
import honorific from '../lexicon/honorifics.json' with { type: 'json' };
import label from '../lexicon/name-labels.json' with { type: 'json' };
import organisation from '../lexicon/organisations.json' with { type: 'json' };
import particle from '../lexicon/particles.json' with { type: 'json' };
import relation from '../lexicon/relations.json' with { type: 'json' };
import verb from '../lexicon/reporting-verbs.json' with { type: 'json' };
import role from '../lexicon/roles.json' with { type: 'json' };
import signOff from '../lexicon/sign-offs.json' with { type: 'json' };
import title from '../lexicon/titles.json' with { type: 'json' };
import { hashWord } from './hash.ts';

type ByLanguage = Readonly<Record<string, readonly string[]>>;

/** The words around names by class; each class has a bit, in this order. */
const lists = { title, greeting, signOff, label, particle, relation, verb, organisation, role, honorific, calendar };
const classes = Object.keys(lists) as (keyof typeof lists)[];

/** Classes of words around names, as bits. */
export const wordClass = Object.fromEntries(classes.map((name, at) => [name, 1 << at])) as Record<
  keyof typeof lists,
  number
>;

/** The lowest bit of the languages in {@link classesOf}. */
export const languageShift = classes.length;
/** The bits of {@link wordClass} in an entry. */
export const classBits = (1 << languageShift) - 1;

/** The languages of {@link functionWords}; a text's language is an index into this list plus one, or 0 if unknown. */
export const languages: readonly string[] = Object.keys(functionWords);

let loaded: Map<number, number> | undefined;

function load(): Map<number, number> {
  const bits = new Map<number, number>();
  const words = [
    ...Object.values<ByLanguage>(lists).map((list) => Object.values(list).flat()),
    ...Object.values(functionWords),
  ];
  for (const [at, list] of words.entries())
    for (const hash of list.map(hashWord)) bits.set(hash, (bits.get(hash) ?? 0) | (1 << at));
  return bits;
}

/**
 * What a word around names is, by its hash: bits of {@link wordClass}, and from {@link languageShift} on the languages in which it
 * is a function word; 0 for other words.
 */
export function classesOf(hash: number): number {
  loaded ??= load();
  return loaded.get(hash) ?? 0;
}

let starts: Uint8Array | undefined;

/** By code unit, 1 where an honorific starts with it. */
export function honorificStarts(): Uint8Array {
  if (starts === undefined) {
    starts = new Uint8Array(0x10000);
    for (const word of Object.values<readonly string[]>(honorific).flat()) starts[word.charCodeAt(0)] = 1;
  }
  return starts;
}
