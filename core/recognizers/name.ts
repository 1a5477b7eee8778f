/** Names of persons in Latin letters: capitalised words, weighed by the lists and by what stands around them. */
import { latinClassOf } from '../data/names.ts';
import { given, word as ordinary, place, stop, surname } from '../data/word-class.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';
import { isLatinLetter, type RunWord, titleWord, visitRuns, type WordRun } from './latin-words.ts';

/** Weight from which a pair of words is a name. */
const nameWeightMin = 3;
const wordsMax = 4;

/** Looks at every run of capitalised words. */
export const name: Recognizer = {
  name: 'name',
  type: 'NAME',
  anchors: ['name is', 'name:'],
  trigger: ({ nameStarts, keywords }) => nameStarts.length > 0 || keywords.anchors('name').length > 0,
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    visitRuns(text, (run) => {
      for (const { start, end, weight, cue } of namesIn(text.shadow, run)) {
        const score = Math.min(0.95, 0.4 + weight / 12);
        found.push(detectionAt(text, start, end, { type: 'NAME', score, recognizer: 'name', context: cue }));
      }
    });
    smallNames(text, found);
    return found;
  },
  samples: {
    match: [
      ['Please ask Emily Harrington about it', 'Emily Harrington'],
      ['My name is José Ibáñez.', 'José Ibáñez'],
      ["Talk to Sean O'Brien today", "Sean O'Brien"],
      ['met Anne-Marie van der Berg there', 'Anne-Marie van der Berg'],
      ['Dear John X. Hodson,', 'John X. Hodson'],
      ['hello, my name is lena andersson.', 'lena andersson'],
      ['Name: WALTER HODSON', 'WALTER HODSON'],
      ['Regards,\nPriya Krishnamurthy', 'Priya Krishnamurthy'],
      ['{"customer_name":"Tomasz Wiśniewski"}', 'Tomasz Wiśniewski'],
    ],
    noMatch: [
      'Los Angeles',
      'Android Studio',
      'Bloom Filter',
      'Operation Sunrise',
      'Visual Studio Code',
      'Getting Started With React',
      'New York',
      'the United States of America',
      'Will Continue',
      'new Error(Type Mismatch)',
      'Hong Kong',
      'Santa Monica',
      'Morgan Stanley',
      'the file name is too long',
      'Mark Complete',
      'Paris Agreement',
      'Grace Period',
    ],
  },
};

/** Companies, brands and places that are named like a person. */
const namesakes = new Set(
  'goldman sachs,morgan stanley,charles schwab,merrill lynch,john deere,eli lilly,arthur andersen,booz allen,alfa romeo,aston martin,mercedes benz,harley davidson,ralph lauren,calvin klein,louis vuitton,hugo boss,tommy hilfiger,ben sherman,kate spade,michael kors,tory burch,jimmy choo,christian dior,yves rocher,estee lauder,elizabeth arden,mary kay,johnnie walker,jim beam,jack daniels,betty crocker,fannie mae,freddie mac,sallie mae,monte carlo,hong kong,puerto rico,costa rica,abu dhabi,santa claus,virgin galactic,dunkin donuts,ruby tuesday,papa johns,wells fargo,dow jones,marks spencer,bed bath,sierra nevada,cape verde,saint lucia'.split(
    ',',
  ),
);
const placeHeads = new Set('santa san los las puerto fort mount lake port saint cape hong isla rio villa'.split(' '));

const smallName = /^(?: is|:)\s{1,4}([a-z\u00DF-\u024F]{2,20} (?:[a-z]\.? )?[a-z\u00DF-\u024F]{2,20})(?![\w@-])/;

/** Names written small behind `name is` or `name:`. */
function smallNames(text: ScanText, found: Detection[]): void {
  const { shadow } = text;
  const before = found.length;
  for (const { start: at } of text.keywords.anchors('name')) {
    if (!shadow.startsWith('name', at)) continue;
    const match = smallName.exec(shadow.slice(at + 4, at + 56));
    if (match === null) continue;
    const value = match[1] as string;
    const [first = '', ...rest] = value.split(' ');
    const firstClass = latinClassOf(first);
    const isGiven = (firstClass & given.mask) !== 0 && (firstClass & (ordinary.mask | stop)) === 0;
    if (!isGiven || (latinClassOf(rest.at(-1) as string) & (ordinary.common | stop)) !== 0) continue;
    const start = at + 4 + match[0].length - value.length;
    const hit = { type: 'NAME', score: 0.7, recognizer: 'name', context: 'name' };
    found.push(detectionAt(text, start, start + value.length, hit));
  }
  if (before > 0 && found.length > before) found.sort((a, b) => a.start - b.start);
}

type Found = { readonly start: number; readonly end: number; readonly weight: number; readonly cue?: string };

/** The names in a run, from left to right. */
function namesIn(text: string, run: WordRun): Found[] {
  const { words } = run;
  const found: Found[] = [];
  for (let i = 0; i < words.length - 1; ) {
    const hit = nameAt(text, words, i);
    if (hit === undefined) i++;
    else {
      found.push(hit.found);
      i = hit.next;
    }
  }
  return found;
}

/** The name that begins with a word of a run; `next` is the first word behind it. */
function nameAt(
  text: string,
  words: readonly RunWord[],
  first: number,
): { readonly found: Found; readonly next: number } | undefined {
  const head = words[first] as RunWord;
  if (head.kind !== 'word' && head.kind !== 'caps') return undefined;
  if (titleWord.test(head.text)) return undefined;
  const headClass = classOf(head);
  if ((headClass & stop) !== 0 && (headClass & given.mask) < given.listed) return undefined;
  const cue = cueBefore(text, words, first);
  if (head.kind === 'caps' && cue === undefined) return undefined;

  // The longest stretch of words that may belong to one name.
  let last = first;
  let bestLast = -1;
  let bestWeight = Number.NEGATIVE_INFINITY;
  for (let count = 1, next = first + 1; next < words.length && count < wordsMax; next++) {
    const word = words[next] as RunWord;
    if (word.kind === 'initial' || word.kind === 'particle') continue;
    if (word.kind !== head.kind) break;
    count++;
    const hasInitial = (words[next - 1] as RunWord).kind === 'initial';
    const wordClass = classOf(word);
    const weight = weightOf(headClass, wordClass, count) + (hasInitial ? 1 : 0) + shapeWeight(head, word, wordClass);
    last = next;
    const isPart = isNamePart(wordClass);
    if (weight >= bestWeight && (isPart || cue !== undefined)) {
      bestWeight = weight;
      bestLast = last;
    }
    if (!isPart) break;
  }
  if (bestLast < 0) return undefined;
  let weight = bestWeight;
  if (cue !== undefined) weight += cue.weight;
  weight += surroundings(text, words, first, bestLast);
  if (weight < nameWeightMin) return undefined;
  const start = head.start;
  const end = (words[bestLast] as RunWord).end;
  if (placeHeads.has(head.text.toLowerCase()) || namesakes.has(text.slice(start, end).toLowerCase())) return undefined;
  const found = cue === undefined ? { start, end, weight } : { start, end, weight, cue: cue.text };
  return { found, next: bestLast + 1 };
}

function classOf(word: RunWord): number {
  const { text } = word;
  const hyphen = text.indexOf('-');
  return latinClassOf(hyphen > 0 ? text.slice(0, hyphen) : text);
}

/** False for words that are ordinary, and no name at all. */
function isNamePart(bits: number): boolean {
  if ((bits & (given.mask | surname.mask)) !== 0)
    return (bits & stop) === 0 || (bits & surname.mask) === surname.common;
  return (bits & (ordinary.mask | place | stop)) === 0;
}

function weightOf(headClass: number, lastClass: number, count: number): number {
  const forward = givenWeight(headClass) + surnameWeight(lastClass);
  const isFamilyFirst = (headClass & given.mask) === 0 && (lastClass & given.mask) >= given.rare && count === 2;
  const backward = isFamilyFirst ? surnameWeight(headClass) + givenWeight(lastClass) - 1 : Number.NEGATIVE_INFINITY;
  return Math.max(forward, backward);
}

const surnameEnding =
  /(?:[o\u00f3]vi[c\u0107]h?|evi[c\u0107]h?|i[c\u0107]|sson|sdotter|d[o\u00f3]ttir|[aeio]v[a\u00e1]?|enko|chuk|sk[iya\u00fd\u00e1]|ck[iya\u00fd\u00e1]|wicz|czyk|escu|opoulos|oulos|idis|akis|yan|ian|shvili|adze|nen|sen|quist|kvist|str[o\u00f6]m|berg|stein|mann|oglu|o\u011flu|ez|ini|elli|etti|ucci|ello|illo|eira|kov|nov|rov|lov|tov)$/i;

/** What the form of a surname of no list adds: an ending of surnames, or letters that English words have not. */
function shapeWeight(head: RunWord, last: RunWord, lastClass: number): number {
  if (lastClass !== 0 || last.kind !== 'word') return 0;
  const isShaped = surnameEnding.test(last.text) && last.text.length > 4;
  const isForeign = /[^A-Za-z'\u2019-]/.test(last.text) || /[^A-Za-z'\u2019-]/.test(head.text);
  return isShaped ? 1 : isForeign ? 0.6 : 0;
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
  return 1;
}

/** How much a word as the last of a pair speaks for a person. */
function surnameWeight(bits: number): number {
  const level = bits & surname.mask;
  const commonness = bits & ordinary.mask;
  if ((bits & stop) !== 0) return level === surname.common ? 0.5 : -4;
  if ((bits & place) !== 0) return level === 0 ? -3 : 0.2;
  if (level === surname.common) return commonness === 0 ? 2.5 : 1.5;
  if (level === surname.listed) return commonness === 0 ? 2 : commonness === ordinary.rare ? 0.8 : 0;
  if (commonness !== 0) return -3;
  return 1;
}

/** What the words around a pair take away. */
function surroundings(text: string, words: readonly RunWord[], first: number, last: number): number {
  let weight = 0;
  const after = words[last + 1];
  if (after !== undefined && after.kind !== 'particle') {
    const bits = classOf(after);
    weight -= (bits & stop) !== 0 ? 3 : after.kind === 'word' ? 0.5 : 0.3;
  }
  const before = words[first - 1];
  if (before !== undefined && before.kind === 'other') weight -= 1;
  const end = (words[last] as RunWord).end;
  const next = text.charCodeAt(end);
  // A call, a path, a member, an assignment.
  if (next === 0x28 || next === 0x2f || next === 0x5c || next === 0x5b || next === 0x3c) weight -= 3;
  return weight;
}

const cuePattern =
  /(?:\b(?:(my name(?: is|'s)|name of|full name|first name|last name|customer|patient|employee|attn|attention|dear|contact|signed|sincerely|regards|cheers|yours)\b|\b(?:(?:full|customer|patient|contact|employee|owner|holder|billing|shipping|recipient|sender|author|user|display|first|last)[ _-]?)?name\b|\b(?:from|to|cc|by)\b)["']?\s*[:=,]?\s*["']?)$/i;

const cueWords = new Set(
  'is s name of customer patient employee attn attention dear contact signed sincerely regards cheers yours from to cc by hi hello hey'.split(
    ' ',
  ),
);

/** False when the last word before `start` is no word of a cue. */
function mayBeCue(text: string, start: number): boolean {
  let end = start;
  while (end > 0 && start - end < 5 && !isLatinLetter(text.charCodeAt(end - 1))) end--;
  let from = end;
  while (from > 0 && end - from < 11 && isLatinLetter(text.charCodeAt(from - 1))) from--;
  return end > from && (cueWords.has(text.slice(from, end).toLowerCase()) || /name$/i.test(text.slice(from, end)));
}

type Cue = { readonly text: string; readonly weight: number };

/** A title or a cue directly before a word of a run. */
function cueBefore(text: string, words: readonly RunWord[], first: number): Cue | undefined {
  const before = words[first - 1];
  if (before !== undefined && titleWord.test(before.text)) return { text: before.text.toLowerCase(), weight: 2.5 };
  if (before !== undefined && first > 1) return undefined;
  const start = (words[first] as RunWord).start;
  if (!mayBeCue(text, start)) return undefined;
  const near = text.slice(Math.max(0, start - 32), start);
  const hit = cuePattern.exec(near);
  if (hit === null) return undefined;
  const label = hit[0].toLowerCase();
  if (/^(?:from|to|cc|by)\b/.test(label)) return /:/.test(label) ? { text: label, weight: 0.7 } : undefined;
  const isSaid = /name(?: is|'s)|dear|attn|full|first|last|customer|patient|employee|holder|recipient/.test(label);
  return { text: label.replace(/[^a-z ]/g, '').trim(), weight: isSaid ? 2.2 : 1.2 };
}
