/** How much the words themselves speak for the name of a person: what the lists say of them, and their form. */
import { latinClassOf } from '../data/names.ts';
import { given, word as ordinary, place, stop, surname } from '../data/word-class.ts';
import { WordSet } from '../word-set.ts';
import type { RunWord } from './latin-words.ts';

/** Surnames that are the names of brands and the like, too: a given name before them that is nothing else is a sign. */
const brandedSurnames = new WordSet(
  'swift pearl golden silver pink black white green brown gray grey young love rice english french welsh ireland scott england holland jersey york lincoln washington ford ferrari park parks hall church bell lake rivers garden gardner banks street temple castle forest field fields bishop chapel court bridge bridges ridge towers stone wood woods press post fox page book winter spring wells case cross day may march august monday friday major sharp dell carver chandler duke mercedes honda nokia bosch siemens porsche benz gates jobs ashton martin'.split(
    ' ',
  ),
);
/** The class of words that are surnames, ordinary words and places at once. */
export const brandedClass = surname.listed | ordinary.common | place;

/** True for such a surname behind a given name that is nothing else. */
export function isBrandedSurname({ text }: RunWord, headClass: number): boolean {
  return (
    (headClass & given.mask) >= given.listed &&
    (headClass & (ordinary.mask | place | stop)) === 0 &&
    brandedSurnames.has(text) &&
    (latinClassOf(text) & stop) !== 0
  );
}

/** False for words that are ordinary, and no name at all. */
export function isNamePart(bits: number): boolean {
  if ((bits & (given.mask | surname.mask)) !== 0)
    return (bits & stop) === 0 || (bits & surname.mask) === surname.common;
  return (bits & (ordinary.mask | place | stop)) === 0;
}

/** How much a run of `count` words from a given name to a surname, or the other way round, speaks for a person. */
export function weightOf(headClass: number, lastClass: number, count: number): number {
  const forward = givenWeight(headClass) + surnameWeight(lastClass);
  const isFamilyFirst = (headClass & given.mask) === 0 && (lastClass & given.mask) >= given.rare && count === 2;
  const backward = isFamilyFirst ? surnameWeight(headClass) + givenWeight(lastClass) - 1 : Number.NEGATIVE_INFINITY;
  return Math.max(forward, backward);
}

const surnameEnding =
  /(?:[o\u00f3]vi[c\u0107]h?|evi[c\u0107]h?|i[c\u0107]|sson|sdotter|d[o\u00f3]ttir|[aeio]v[a\u00e1]?|enko|chuk|sk[iya\u00fd\u00e1]|ck[iya\u00fd\u00e1]|wicz|czyk|escu|opoulos|oulos|idis|akis|yan|ian|shvili|adze|nen|sen|quist|kvist|str[o\u00f6]m|berg|stein|mann|oglu|o\u011flu|ez|ini|elli|etti|ucci|ello|illo|eira|kov|nov|rov|lov|tov)$/i;

/** What the form of a surname of no list adds: an ending of surnames, or letters that English words have not. */
export function shapeWeight(head: RunWord, last: RunWord, lastClass: number): number {
  if (lastClass !== 0 || last.kind !== 'word') return 0;
  const isShaped = last.text.length > 4 && surnameEnding.test(last.text);
  if (isShaped) return 1;
  return last.isForeign || head.isForeign ? 0.6 : 0;
}

/** How much a word as the first of a pair speaks for a person. */
function givenWeight(bits: number): number {
  const level = bits & given.mask;
  const commonness = bits & ordinary.mask;
  if ((bits & stop) !== 0) return level >= given.listed ? -1.5 : -4;
  if ((bits & place) !== 0) return level >= given.listed ? 1 : -3;
  if (commonness === ordinary.common) return [-3, -1, 1, 2][level] as number;
  if (commonness !== 0) return [-2, 0, 1.5, 3][level] as number;
  if (level > 0) return [0, 2, 3, 4][level] as number;
  // Two surnames side by side are a firm, a law or a test more often than a person.
  return (bits & surname.mask) === 0 ? 1 : 0.5;
}

/** How much a word as the last of a pair speaks for a person. */
function surnameWeight(bits: number): number {
  const level = bits & surname.mask;
  const commonness = bits & ordinary.mask;
  if ((bits & stop) !== 0) return level === surname.common ? 0.5 : -4;
  if (bits === brandedClass) return -1;
  if ((bits & place) !== 0) return level === 0 ? -3 : 0.2;
  if (level === surname.common) return commonness === 0 ? 2.5 : 1.5;
  if (level === surname.listed) return commonness === 0 ? 2 : commonness === ordinary.rare ? 0.8 : 0;
  if (commonness !== 0) return -3;
  return 1;
}
