/** Names of persons in Latin letters: capitalised words, weighed by the lists and by what stands around them. */
import { CellHeadings } from '../cell-headings.ts';
import { latinClassOf } from '../data/names.ts';
import { given, word as ordinary, place, stop, surname } from '../data/word-class.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';
import { WordSet } from '../word-set.ts';
import { classOf, familyFirstEnd } from './family-first.ts';
import { isTitleWord, type RunWord, visitRuns, type WordRun } from './latin-words.ts';
import { type Cue, cueBefore, evidenceAround, isOccupation } from './name-evidence.ts';
import { brandedClass, isBrandedSurname, isNamePart, shapeWeight, weightOf } from './name-weight.ts';

/** Weight from which a pair of words is a name. */
const nameWeightMin = 3;
/** From here on, what stands around may make a name of it. */
const doubtWeightMin = 1;
const wordsMax = 4;
/** No cue weighs more. */
const cueWeightMax = 2.5;

/** Looks at every run of capitalised words. */
export const name: Recognizer = {
  name: 'name',
  type: 'NAME',
  anchors: [
    'name is',
    'name:',
    'name":',
    'name =',
    'name|',
    'name |',
    'name\t',
    '(patient|employee|insured|claimant|applicant|customer|passenger|member|student|tenant|defendant|plaintiff|driver): ',
  ],
  trigger: ({ nameStarts, quotedNames, keywords }) =>
    nameStarts.length > 0 || quotedNames.length > 0 || keywords.anchors('name').length > 0,
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    const around: Around = { text: text.shadow, headings: new CellHeadings(text.shadow), previousEnd: -1 };
    visitRuns(text, (run) => {
      for (const { start, end, weight, cue } of namesIn(around, run)) {
        const score = Math.min(0.95, 0.4 + weight / 12);
        found.push(detectionAt(text, start, end, { type: 'NAME', score, recognizer: 'name', context: cue }));
      }
    });
    smallNames(text, found);
    return text.quotedNames.length === 0 ? found : withQuotedNames(text, found);
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
      ['Name: HOLLOWAY, JAMES', 'HOLLOWAY, JAMES'],
      ['Patient: Holloway, James R. was seen', 'Holloway, James R.'],
      ['Applicant Name: FEATHERSTONE, Kieran', 'FEATHERSTONE, Kieran'],
      ['I met Tan Wei Ling there', 'Tan Wei Ling'],
      ['<td>Minh Pham</td>', 'Minh Pham'],
      ['<lineManager>Dineo Molefe</lineManager>', 'Dineo Molefe'],
      ['BETWEEN (1) RHIANNON ILLINGWORTH of Leeds', 'RHIANNON ILLINGWORTH'],
      ['Autumn Brooks said so', 'Autumn Brooks'],
      ['MIZUNO Mai', 'MIZUNO Mai'],
      ['7,"Featherstone, Kieran",Finance', 'Featherstone, Kieran'],
    ],
    noMatch: [
      '"Austin, Texas",TX',
      '"Save, Cancel",2',
      '"Hello, World"',
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
      'Jonas Brothers',
      'Taylor Rule',
      'Name: Portland, Oregon',
      'Name: PORTLAND, OREGON',
      'Customer: Please, Call Back',
      'Ritz Carlton',
      '| Product | Notes |\n|---|---|\n| Hunter Hill | calls |',
      '| Owner Team | Status |\n|---|---|\n| Core Platform | Done |',
      'Madison Park',
      'SIGN IN TO CONTINUE',
      'Ho Chi Minh City',
    ],
  },
};

/** Companies, brands and places that are named like a person. */
const namesakes = new WordSet(
  'amtliches kennzeichen,drv lic,lic nbr,drv lic no,drv lic nbr,drv lic num,kia rio,kia soul,kia niro,kia ceed,kia carnival,kia telluride,kia sportage,kia sorento,kia forte,kia optima,kia picanto,kia stinger,kia seltos,royal enfield,romeo giulia,alfa romeo giulia,morris minor,goldman sachs,morgan stanley,charles schwab,merrill lynch,john deere,eli lilly,arthur andersen,booz allen,alfa romeo,aston martin,mercedes benz,harley davidson,ralph lauren,calvin klein,louis vuitton,hugo boss,tommy hilfiger,ben sherman,kate spade,michael kors,tory burch,jimmy choo,christian dior,yves rocher,estee lauder,elizabeth arden,mary kay,johnnie walker,jim beam,jack daniels,betty crocker,fannie mae,freddie mac,sallie mae,monte carlo,hong kong,puerto rico,costa rica,abu dhabi,santa claus,virgin galactic,dunkin donuts,ruby tuesday,papa johns,wells fargo,dow jones,marks spencer,bed bath,sierra nevada,cape verde,saint lucia,isla mujeres,jackson hole,victoria cross,martin luther,madison square,johnson controls,graham crackers,earl grey,bloody mary,st john,virginia mason,austin energy,frost bank,harry potter,donald duck,mickey mouse,sherlock holmes,winnie pooh,raspberry pi,stanley cup,carson city,marina bay,wi fi,sci fi,hi fi,ritz carlton,clifford chance,kirkland ellis,baker mckenzie,baker hughes,allen overy,herbert smith,norton rose,latham watkins,ernst young,price waterhouse,deloitte touche,jones day,jones lang,knight frank,ted baker,paul smith,laura ashley,karen millen,fred perry,levi strauss,jack wills,abercrombie fitch,warner bros,walt disney,tim hortons,little caesars,uncle ben,aunt jemima,harvey norman,david jones,rolls royce,aston villa,austin healey,johns hopkins,paris saint,sherwin williams,procter gamble,black decker,smith wesson,stanley black,hewlett packard,lehman brothers,bear stearns,price chopper,barnes noble,foot locker,jenny craig,victoria secret,bath body,dolce gabbana,yves saint,issey miyake,marc jacobs,alexander mcqueen,stella artois,samuel adams,jose cuervo,captain morgan,bacardi martini,glen grant,dom perignon,ben jerry,betty ford,wendy williams show,crystal palace,leyton orient,preston north,charlton athletic,tom collins,rob roy,shirley temple,arnold palmer,jack russell,sweet william,marie celeste,mary celeste,harvey wallbanger,dodd frank,glass steagall,art nouveau,rosetta stone,sutton hoo,king charles,queen mary,uncle sam,betty boop,hello kitty,ken doll,san marino,santa clara,buenos aires,tel aviv,kuala lumpur,phnom penh,addis ababa'.split(
    ',',
  ),
);
/** Makers of cars whose names few persons have; a model follows. */
const carMakers = new WordSet(
  'citroen citroën dacia daihatsu hyundai mazda nissan opel peugeot renault skoda škoda subaru tata vauxhall volkswagen'.split(
    ' ',
  ),
);
const placeHeads = new WordSet(
  'stadt landratsamt landkreis gemeinde santa san los las puerto fort mount lake port saint cape hong rio villa'.split(
    ' ',
  ),
);

/** `Pemberton, Isla`: a surname, a comma and a given name. */
const reversedName =
  /^(\p{Lu}[\p{L}'’-]{1,24}(?: \p{Lu}[\p{L}'’-]{1,24})?), (\p{Lu}(?:\p{Ll}{1,20}|\p{Lu}{1,20})(?:[- ]\p{Lu}\p{L}*\.?)?)(?![\p{L}])/u;
/** What stands between `name` and its value. */
const nameSign = /^s?(?:\([a-z]\))?["'`*_]{0,3}\s{0,3}(?:is|[:=|\t])[\s"'`*_>|]{0,6}/;

/** Anchors other than those with `name`. */
const roleAnchor = /^(?!name)[a-z]{6,9}: /i;

function reversedAt(shadow: string, start: number): number | undefined {
  const match = reversedName.exec(shadow.slice(start, start + 72));
  if (match === null) return undefined;
  const [family = '', first = ''] = [match[1] as string, (match[2] as string).split(/[- ]/)[0]];
  const familyClass = latinClassOf(family.split(/[- ]/)[0] as string);
  const firstClass = latinClassOf(first);
  const isFamily = (familyClass & surname.mask) !== 0 || (familyClass & (ordinary.mask | place | stop)) === 0;
  const isGiven = (firstClass & given.mask) !== 0 && (firstClass & (place | stop)) === 0;
  return isFamily && isGiven ? start + match[0].length : undefined;
}

const smallName = /^(?: is|:)\s{1,4}([a-z\u00DF-\u024F]{2,20} (?:[a-z]\.? )?[a-z\u00DF-\u024F]{2,20})(?![\w@-])/;

/** Names written small behind `name is` or `name:`. */
function smallNames(text: ScanText, found: Detection[]): void {
  const { shadow } = text;
  const before = found.length;
  for (const { start: at } of text.keywords.anchors('name')) {
    const role = roleAnchor.exec(shadow.slice(at, at + 12))?.[0].length;
    const from =
      role === undefined ? at + 4 + (nameSign.exec(shadow.slice(at + 4, at + 24))?.[0].length ?? 0) : at + role;
    const reversedEnd = reversedAt(shadow, from);
    if (reversedEnd !== undefined) {
      found.push(
        detectionAt(text, from, reversedEnd, { type: 'NAME', score: 0.85, recognizer: 'name', context: 'name' }),
      );
      continue;
    }
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

/** What the names of one text have in common; `previousEnd` is behind the last one found, or -1. */
type Around = { readonly text: string; readonly headings: CellHeadings; previousEnd: number };

type Found = { readonly start: number; readonly end: number; readonly weight: number; readonly cue?: string };

/** The names in a run, from left to right. */
function namesIn(around: Around, run: WordRun): Found[] {
  const { words } = run;
  const found: Found[] = [];
  for (let i = 0; i < words.length - 1; ) {
    const hit = nameAt(around, words, i);
    if (hit === undefined) i++;
    else {
      found.push(hit.found);
      around.previousEnd = hit.found.end;
      i = hit.next;
    }
  }
  return found;
}

/** The name that begins with a word of a run; `next` is the first word behind it. */
function nameAt(
  around: Around,
  words: readonly RunWord[],
  first: number,
): { readonly found: Found; readonly next: number } | undefined {
  const { text } = around;
  const head = words[first] as RunWord;
  if (head.kind === 'initial') return initialsAt(around, words, first);
  if (head.kind !== 'word' && head.kind !== 'caps') return undefined;
  if (isTitleWord(head.text)) return undefined;
  const headClass = classOf(head);
  const family = familyFirstEnd(words, first);
  if (family < 0 && (headClass & stop) !== 0 && (headClass & given.mask) < given.listed) return undefined;
  const isPlainCaps = head.kind === 'caps' && !isCapsSurname(head, words[first + 1], headClass);
  if (isPlainCaps && !mayBeCapsName(words, first, headClass) && cueOf(text, words, first) === undefined)
    return undefined;
  const { part, cued } = stretchesOf(words, first, headClass);
  // Of most pairs no cue makes a name, and to look for one costs most.
  if (family < 0 && (cued ?? part).weight + cueWeightMax < doubtWeightMin) return undefined;
  const cue = cueOf(text, words, first);
  let { last: bestLast, weight: bestWeight } = cue === undefined ? part : (cued ?? part);
  if (family > bestLast || (family > 0 && bestWeight < nameWeightMin)) {
    bestLast = family;
    bestWeight = Math.max(bestWeight, nameWeightMin);
  }
  if (bestLast < 0 || (isPlainCaps && cue === undefined && bestWeight < capsWeightMin)) return undefined;
  let weight = bestWeight;
  if (cue !== undefined) weight += cue.weight;
  weight += surroundings(text, words, first, bestLast);
  const start = head.start;
  const end = (words[bestLast] as RunWord).end;
  if (weight < nameWeightMin && weight >= doubtWeightMin) {
    weight += evidenceAround(text, start, end, around.previousEnd);
    if (weight < nameWeightMin) weight += headingWeight(around.headings.over(start, end));
  }
  if (weight < nameWeightMin) return undefined;
  if (placeHeads.has(head.text) || namesakes.hasIn(text, start, end)) return undefined;
  if (cue === undefined && carMakers.has(head.text)) return undefined;
  const found = cue === undefined ? { start, end, weight } : { start, end, weight, cue: cue.text };
  return { found, next: bestLast + 1 };
}

/** A stretch of words that may belong to one name: the index of the last of them, or -1, and what they weigh. */
type StretchOfWords = { readonly last: number; readonly weight: number };

/**
 * The best stretch from a word on whose words are all parts of names; and the one with the word behind, which a cue makes one,
 * when that weighs no less.
 */
function stretchesOf(
  words: readonly RunWord[],
  first: number,
  headClass: number,
): { readonly part: StretchOfWords; readonly cued: StretchOfWords | undefined } {
  const head = words[first] as RunWord;
  let part: StretchOfWords = noStretch;
  for (let count = 1, next = first + 1; next < words.length && count < wordsMax; next++) {
    const word = words[next] as RunWord;
    if (word.kind === 'initial' || word.kind === 'particle') continue;
    if (word.kind !== head.kind) {
      if (count === 1 && isCapsSurname(head, word, headClass)) part = { last: next, weight: nameWeightMin };
      break;
    }
    count++;
    const hasInitial = (words[next - 1] as RunWord).kind === 'initial';
    const wordClass = isBrandedSurname(word, headClass) ? brandedClass : classOf(word);
    const weight = weightOf(headClass, wordClass, count) + (hasInitial ? 1 : 0) + shapeWeight(head, word, wordClass);
    if (!isNamePart(wordClass)) {
      const cued = weight >= part.weight ? { last: next, weight } : undefined;
      return { part, cued };
    }
    if (weight >= part.weight) part = { last: next, weight };
  }
  return { part, cued: undefined };
}

const noStretch: StretchOfWords = { last: -1, weight: Number.NEGATIVE_INFINITY };

/** `K. Subramaniam`: initials and a listed surname, where a label, a heading or a list says that a person follows. */
function initialsAt(around: Around, words: readonly RunWord[], first: number): ReturnType<typeof nameAt> {
  const { text } = around;
  let last = first + 1;
  if (words[last]?.kind === 'initial') last++;
  const family = words[last];
  const head = words[first] as RunWord;
  if (family?.kind !== 'word' || text[head.end] !== '.' || first > 1) return undefined;
  const bits = classOf(family);
  if ((bits & surname.mask) === 0 || (bits & (place | stop)) !== 0) return undefined;
  const cue = cueOf(text, words, first);
  const evidence =
    (cue?.weight ?? 0) +
    evidenceAround(text, head.start, family.end, around.previousEnd) +
    headingWeight(around.headings.over(head.start, family.end)) -
    ((bits & ordinary.mask) === 0 ? 0 : 0.5);
  if (evidence < initialsEvidenceMin || words.length - 1 > last) return undefined;
  const found = { start: head.start, end: family.end, weight: nameWeightMin + evidence - 1 };
  return { found: cue === undefined ? found : { ...found, cue: cue.text }, next: last + 1 };
}

const initialsEvidenceMin = 1.5;

/** Listed as a given name and as a surname, and no ordinary words: then capitals need no cue. */
const capsWeightMin = 5;

/** Capitals alone, not inside a headline or the name of a constant. */
function mayBeCapsName(words: readonly RunWord[], first: number, headClass: number): boolean {
  if ((headClass & given.mask) < given.listed || (headClass & (ordinary.mask | place)) !== 0) return false;
  const before = words[first - 1];
  return (
    words.length - first <= wordsMax &&
    (before === undefined || /^(?:OF|BY|TO|AND|V|VS|FOR|BETWEEN)$/.test(before.text))
  );
}

/** `MIZUNO Mai`: a surname in capitals before its given name. */
function isCapsSurname(head: RunWord, next: RunWord | undefined, headClass: number): boolean {
  if (head.kind !== 'caps' || next?.kind !== 'word' || head.text.length < 3) return false;
  const nextClass = classOf(next);
  return (
    (headClass & surname.mask) !== 0 &&
    (headClass & (ordinary.mask | place | stop)) === 0 &&
    (nextClass & given.mask) !== 0 &&
    (nextClass & (ordinary.mask | place | stop)) === 0
  );
}

const personHeading =
  /(?:^|[^a-z])(?:(?:full|legal|display|first and last|employee|patient|customer|client|contact|user|guest|student|member|tenant|holder|account|staff)[ _-]?name|names?|employees?|patients?|students?|pupils?|members?|attendees?|participants?|guests?|passengers?|tenants?|staff|person|applicants?|candidates?|manager|supervisor|teacher|doctor|physician|provider|nurse|rep|representative|agent|assignee|assigned to|reporter|requester|author|reviewer|approver|cardholder|beneficiary|spouse|(?:next of )?kin|emergency contact|driver|interviewer|instructor|speaker|consultant|solicitor|caseworker|case worker)(?:[^a-z]|$)/;
const openHeading =
  /(?:^|[^a-z])(?:customers?|clients?|contacts?|owners?|holders?|account[ _-]holder|lead|recipient|payee|payer|sender|buyer|seller|who|by|user|from|to)(?:[^a-z]|$)/;
const otherHeading =
  /file|product|project|company|organi[sz]ation|host|domain|class|function|item|brand|model|city|event|team|department|service/;

/** How much the heading of a column speaks for persons. */
function headingWeight(heading: string | undefined): number {
  if (heading === undefined || otherHeading.test(heading)) return 0;
  return personHeading.test(heading) ? 2 : openHeading.test(heading) ? 1.5 : 0;
}

/** What the words around a pair take away. */
function surroundings(text: string, words: readonly RunWord[], first: number, last: number): number {
  let weight = 0;
  const after = words[last + 1];
  if (after !== undefined && after.kind !== 'particle' && !isOccupation(after.text)) {
    const bits = classOf(after);
    weight -= (bits & stop) !== 0 ? 3 : after.kind === 'word' ? 0.5 : 0.3;
  }
  const before = words[first - 1];
  if (before !== undefined && before.kind === 'other') weight -= 1;
  const end = (words[last] as RunWord).end;
  const next = text.charCodeAt(end);
  // A call, a path, a member, a type parameter; a tag of HTML ends a value.
  const isTag = next === 0x3c && /^<(?:\/|br|[a-z]+[ >])/i.test(text.slice(end, end + 12));
  if (next === 0x28 || next === 0x2f || next === 0x5c || next === 0x5b || (next === 0x3c && !isTag)) weight -= 3;
  return weight;
}

/** A title or a cue directly before a word of a run. */
function cueOf(text: string, words: readonly RunWord[], first: number): Cue | undefined {
  const before = words[first - 1];
  if (before !== undefined && isTitleWord(before.text)) return { text: before.text.toLowerCase(), weight: 2.5 };
  if (before !== undefined && first > 1) return undefined;
  return cueBefore(text, (words[first] as RunWord).start);
}

const quotedName =
  /(?<=(?:^|[,;\t\r\n|])")([\p{Lu}][\p{L}'’-]{1,24}), ([\p{Lu}][\p{L}'’-]{1,20})(?: \p{Lu}\.?)?(?="(?:[,;\t\r\n|]|$))/uy;

/** With the cells of separated values that hold a family name, a comma and a given name. */
function withQuotedNames(text: ScanText, found: Detection[]): Detection[] {
  const taken = new Set(found.map(({ start }) => start));
  const all = [...found];
  for (const start of text.quotedNames) {
    quotedName.lastIndex = start;
    const [written, family = '', first = ''] = quotedName.exec(text.shadow) ?? [];
    if (written === undefined || taken.has(start)) continue;
    const familyClass = latinClassOf(family);
    const firstClass = latinClassOf(first);
    if ((firstClass & given.mask) < given.listed || ((familyClass | firstClass) & (place | stop)) !== 0) continue;
    if ((familyClass & surname.mask) === 0 && (familyClass & ordinary.mask) !== 0) continue;
    all.push(detectionAt(text, start, start + written.length, { type: 'NAME', score: 0.7, recognizer: 'name' }));
  }
  return all.sort((a, b) => a.start - b.start);
}
