/**
 * Numbers of documents that no rule of a label speaks for, weighed by the evidence around them: how rare their form is,
 * which word for the document is near, how many sentences and lines lie between, how the number is told, which other nouns
 * with a number stand nearer.
 */
import { countBefore, type KeywordHit } from '../keywords.ts';
import { isNamedOther, isOtherNumber } from '../other-numbers.ts';
import { matchesIn, type ScanText } from '../shadow.ts';
import { headingOver } from '../tables.ts';
import { WordBlocks } from '../word-blocks.ts';
import { type DigitForms, formsAtDigits } from './number-forms.ts';
import { isInstead, isManner, isOfThing, spaced, weightOfTelling } from './number-telling.ts';
import { lastOf, type Place, type Stretch } from './stretch.ts';
import { stateBefore, stateBehind, stateWithin } from './us-states.ts';

/** What the evidence for a number must weigh. */
const threshold = 7;
/** How far behind and before a word for a licence its number may stand; characters. */
const reachBehind = 180;
const reachBefore = 100;
/** So many words before a number are weighed. */
const wordsBefore = 3;
/** How far from another number one stands that takes its place. */
const besideMax = 72;
/** How far behind a word for another licence its number starts at most. */
const besideLabel = 12;
/** How much before a number tells what it is. */
const headMax = 48;

/** Ends of sentences and lines, of those with an abbreviation only the latter. */
const boundary =
  /(?:(?:(?<!(?<![a-z])(?:no|nr|num|lic|st|mr|mrs|ms|dr|exp|ext|approx|dob|d|l|o|n|\.\.))[.!?](?=\s|["'”’)]|\\n)|[。！？])["'”’」』)]*\s*|\n\s*)+/gi;
/** Something else with a number is spoken of in between. */
const otherBetween =
  /(?<![A-Za-z])(?:order|confirmation|policy|claim|account|passport|badge|membership|booking|reservation|invoice|reference|serial|parts?|plates?|tag|registration|vin|gate|room|flight|visa|receipt|tracking|sku|firmware|software|bank|citation|summons|docket|contract|agreement|exam|practi[cs]e|sell|teach|trial|fonts?|office|course|lesson|delivery note|waybill|consignment|packing slip|manifest)(?![A-Za-z])/i;
const otherBetweenJapanese =
  /会員|予約|受付|注文|電話|携帯|有効|期限|交付|生年月日|生まれ|センター|試験|講習|ケース|料|問い合わせ|社員|口座|契約|案件|住所/;
const ofCode = /[{};]|<\/?[a-z]|=>|\(\)|::|\bif \(/i;
/** `driver's license agreement`: the word is part of another. */
const compound =
  /^s? (?:codes?|values?|query|add|delete|fees?|agreements?|keys?|servers?|offices?|bureau|plates?|class|categor(?:y|ies)|type|exams?|tests?|courses?|lessons?|centers?|centres?|holders?|laws?|statistics|by state|for (?!(?:me|him|her|us|them|driving|the (?:car|rental|driver)|my)(?![a-z]))|format|templates?|queues?|packets?|rate|photos?|pictures?|scanners?|readers?)(?![a-z])|^(?:税|状|皆伝|入れ|ケース|センター|更新センター|証入れ|試験|合宿|制度|の種類)/i;
/** Statistics. */
const counted =
  /(?<![a-z])(?:by (?:state|county|year|age)|statistics|total of|number of (?:licen[cs]ed )?drivers|per (?:year|month))(?![a-z])/i;
/** A sentence that asks for the number. */
const asks =
  /[?？]|(?<![A-Za-z])(?:please|pls|plz|provide|enter|confirm|give me|send|share|may i have|can i (?:get|have|see)|what(?:'s| is)|need|tell me|read (?:me|out)|ask(?:ed|ing)?|want(?:s|ed)?|required)(?![A-Za-z])|教えて|お願い|ください|下さい|伺/i;
/** Between a number and the word behind it. */
const linkToWord =
  /^["'”’)\]]{0,2},?(?: (?:is|was|are|appears?|appeared|belongs?|shown|printed|listed|written|found|comes?|taken|read|as|for|from|on|of|to|that'?s|that is|it'?s|it is|this is|which is|the|my|our|his|her|their|your|an?|number|no|id|on file|with|under|valid|new|old|current|state)(?![A-Za-z])|[-–—=(:.!?,]|\n| ?["'“])|^ ?(?:が|は|（|\(|、|です|という|の|を)/i;
const isUnit =
  /^ ?(?:%|°|円|件|人|(?:years?|days?|months?|usd|eur|gbp|bytes?|[kmgt]i?b|[kmg]?bps|ms|k?m|miles?|files?|items?|rows?|times|seats?|users?|requests|records|people|drivers|licen[cs]es|holders|rupiah|tons?|kg|lbs|pounds|dollars|euros|rupees|packets|messages|downloads|samples|views|hits|lines|nationwide)(?![A-Za-z])|バイト)|^\.[a-z]{2,4}(?![A-Za-z])/i;
/** Between a word and its number. */
const ofWhom =
  /^s?(?: (?:details|number|numbers|no|info|information|data|id|copy))? (?:for|of|from|belonging to) [^.;:\n0-9]{2,40}: ?$/i;
const together = /^s?,? (?:and|or|&|\/) (?:the |your |proof of )?$/i;
/** A label whose box is not ticked says nothing. */
const unticked = /(?:\[ ?\]|[☐□])\s?$/;
/** Labels of other numbers; those of names and addresses have no number. */
export const ownersOfNumbers: ReadonlySet<string> = new Set([
  'passport',
  'ssn',
  'phone',
  'bank-account',
  'date-of-birth',
  'health-insurance',
  'pension-number',
  'tax-id',
  'my-number',
  'residence-card',
  'vehicle-plate',
  'driver-license',
]);

const noWords = /(?!)/;

/** A kind of number that has words and forms of its own. */
export type NumberKind = {
  /** The recognizer whose words they are. */
  readonly owner: string;
  /** The context of a number that another one of its kind speaks for. */
  readonly context: string;
  /** All forms; a global pattern that sees eight characters before and 28 behind. */
  readonly forms: RegExp;
  /** The same forms by their digits; undefined in a text where there may be some without. */
  digits?(shadow: string): DigitForms | undefined;
  /** 6 for a form that nothing else has, 4 for one that little else has, 3 for a common one, less for what anything has. */
  weightOfForm(written: string): number;
  /** 3 for a word that is for nothing else, less for one that is, 0 for one that here speaks of something else. */
  weightOfWord(shadow: string, word: Stretch, near: WordBlocks): number;
  /** True when a word may speak for a number of this form that is told so clearly; both of the text. */
  maySpeak(
    shadow: string,
    word: Stretch,
    number: Stretch & { readonly form: number; readonly told: number; readonly near: WordBlocks },
  ): boolean;
  /** No form speaks for itself: where all words near weigh nothing, nothing is looked for. */
  readonly needsWord?: boolean;
  /** Words that speak for the number when they stand near the word for it; where they are is noted once for a text. */
  readonly wordsNear?: RegExp;
  /** Numbers of another kind with the same form. */
  isOther(shadow: string, number: Stretch): boolean;
  /** Words that a label of the number is made of, and things whose number it may be said to be. */
  readonly ownWord: RegExp;
};

type Known = {
  readonly found: readonly Stretch[];
  /** Where the words start that those stand beside. */
  readonly used: ReadonlySet<number>;
};

const noPlaces: readonly Place[] = [];

/** Numbers of a kind beside those that stand directly at their word, in order. */
export function numbersByEvidence(text: ScanText, kind: NumberKind, { found, used }: Known): readonly Place[] {
  const { shadow } = text;
  const hits = text.keywords.labels(kind.owner);
  if (hits.length === 0) return noPlaces;
  const places: Place[] = [];
  const digits = kind.digits?.(shadow);
  const taken = found.toSorted((a, b) => a.start - b.start);
  /** What is one in one place is one everywhere; made for the first number that may be one of them. */
  let values: Set<string> | undefined;
  const near = new WordBlocks(shadow, kind.wordsNear ?? noWords);
  const weights = new Map<number, number>();
  const weigh = (word: KeywordHit): number => {
    let weight = weights.get(word.start);
    if (weight === undefined) {
      weight = kind.weightOfWord(shadow, word, near);
      weights.set(word.start, weight);
    }
    return weight;
  };
  let passed = 0;
  for (let i = 0; i < hits.length; ) {
    const first = i;
    let to = (hits[i] as KeywordHit).end + reachBehind;
    for (i++; i < hits.length && (hits[i] as KeywordHit).start - reachBefore <= to; i++)
      to = (hits[i] as KeywordHit).end + reachBehind;
    if (kind.needsWord && taken.length + places.length === 0) {
      let n = first;
      while (n < i && weigh(hits[n] as KeywordHit) === 0) n++;
      if (n === i) continue;
    }
    const from = Math.max(places.at(-1)?.[1] ?? 0, (hits[first] as KeywordHit).start - reachBefore);
    let next = first;
    const forms = digits === undefined ? formsIn(shadow, kind.forms, from, to) : formsAtDigits(text, digits, from, to);
    for (const { start, end } of forms) {
      while (next < i && (hits[next] as KeywordHit).end <= start) next++;
      while ((taken[passed]?.end ?? to + 1) <= start) passed++;
      if ((taken[passed]?.start ?? to + 1) < end) continue;
      values ??= new Set(
        taken.map(({ start, end }) => plain(shadow.slice(start, end))).filter((value) => value.length > 6),
      );
      const context = contextOf(text, kind, {
        start,
        end,
        values,
        used,
        previous: lastOf(taken[passed - 1], places.at(-1)),
        words: hits.slice(Math.max(first, next - wordsBefore), next),
        behind: next < i ? hits[next] : undefined,
        weigh,
        near,
      });
      if (context === undefined || isUnderOther(text, kind, start)) continue;
      places.push([start, end, context]);
      values.add(plain(shadow.slice(start, end)));
    }
  }
  return places;
}

/** So much text is searched at once: where words stand close together, the whole of a long one lies between two places. */
const stretchMax = 2_048;

function* formsIn(shadow: string, forms: RegExp, from: number, to: number): Generator<Stretch> {
  for (let at = from; at < to; ) {
    let next = Math.min(to, at + stretchMax);
    for (const found of matchesIn(shadow, forms, { start: at, end: next, before: 8, after: 28 })) {
      next = Math.max(next, found.end);
      yield found;
    }
    at = next;
  }
}

type Candidate = {
  readonly start: number;
  readonly end: number;
  /** Numbers of the kind in the text. */
  readonly values: ReadonlySet<string>;
  /** The number of the kind before. */
  readonly previous: Stretch | undefined;
  readonly used: ReadonlySet<number>;
  /** Words before the number, the nearest last. */
  readonly words: readonly KeywordHit[];
  /** Where {@link NumberKind.wordsNear} stand. */
  readonly near: WordBlocks;
  /** The word behind it. */
  readonly behind: KeywordHit | undefined;
  /** The weight of a word; each is weighed once. */
  readonly weigh: (word: KeywordHit) => number;
};

/** What the form of the number weighs, and what stands before it. */
type Telling = { readonly form: number; readonly told: number };

/** The word that speaks for the number, or undefined. */
function contextOf(text: ScanText, kind: NumberKind, candidate: Candidate): string | undefined {
  const { shadow } = text;
  const { start, end, previous, words, behind, used, values, weigh } = candidate;
  const written = shadow.slice(start, end);
  if (values.has(plain(written))) return kind.context;
  // The cheap tests first.
  if (kind.isOther(shadow, candidate) || isUnit.test(shadow.slice(end, end + 12))) return undefined;
  const form = kind.weightOfForm(written);
  const last = words.at(-1);
  // `food handler license FH441882`
  if (form < 6 && last !== undefined && start - last.end < besideLabel && weigh(last) === 0) return undefined;
  const isBeside = previous !== undefined && start - previous.end < besideMax;
  if (form < 6 && !isBeside && !hasSpeaker(shadow, kind, candidate, form)) return undefined;
  const head = spaced(shadow.slice(Math.max(0, start - headMax), start));
  if (isOtherNumber(shadow, start) || isNamedOther(shadow, end) || isOfThing(head, kind.ownWord)) return undefined;
  const told = stateBefore.test(head) ? 1 : weightOfTelling(head, kind.ownWord);
  if (isBeside && !isOfOtherLabel(text, kind, previous, start)) {
    const gap = shadow.slice(previous.end, start);
    const isLike = shape(written) === shape(shadow.slice(previous.start, previous.end));
    if ((isLike && (form >= 4 || isNext(gap))) || (form >= 2 && isNextOfRow(shadow, previous, candidate)))
      return kind.context;
    if (isInstead(gap.replace(stateWithin, ''), told) && (form >= 3 || isLike || told > 0 || stateBefore.test(head)))
      return kind.context;
  }
  const telling = { form, told: form >= 4 ? Math.max(told, -0.5) : told };
  const nearest = last ?? behind;
  if (form >= 6 && nearest !== undefined && Math.abs(nearest.start - start) < reachBehind) return kind.context;
  let best: KeywordHit | undefined;
  let most = threshold;
  for (const hit of words) {
    const weight = weightBehind(text, kind, { hit, candidate, telling });
    if (weight < most) continue;
    most = weight;
    best = hit;
  }
  if (best === undefined && behind !== undefined && !used.has(behind.start)) {
    if (weightBefore(text, kind, { hit: behind, candidate, telling }) >= threshold) best = behind;
  }
  return best && shadow.slice(best.start, best.end).toLowerCase();
}

/** True when some word near would speak for the number if it were told as clearly as can be. */
function hasSpeaker(shadow: string, kind: NumberKind, candidate: Candidate, form: number): boolean {
  const { start, end, used, words, behind, weigh, near } = candidate;
  for (const hit of words)
    if (
      start - hit.end <= reachBehind &&
      weigh(hit) > 0 &&
      kind.maySpeak(shadow, hit, { start, end, form, told: 1.5, near })
    )
      return true;
  return (
    behind !== undefined &&
    !used.has(behind.start) &&
    behind.start - end <= reachBefore &&
    weigh(behind) > 0 &&
    kind.maySpeak(shadow, behind, { start, end, form, told: 1, near })
  );
}

/** Without joints. */
const plain = (written: string) => written.replace(/[ -]/g, '');
const shape = (written: string) => written.replace(/[A-Z]/gi, 'A').replace(/[0-9]/g, '0');

/** Between two numbers of a list: no word. */
const isNext = (gap: string) => gap.length <= 16 && !/[A-Za-z\u3040-\u9FFF]/.test(gap);

/** True when two numbers stand behind the same beginning of two lines that follow each other. */
function isNextOfRow(shadow: string, previous: Stretch, { start }: Stretch): boolean {
  const gap = shadow.slice(previous.end, start);
  const line = gap.lastIndexOf('\n');
  if (line < 0 || gap.indexOf('\n') !== line) return false;
  const own = gap.slice(line);
  if (own.length > 16) return false;
  const above = shadow.slice(Math.max(0, previous.start - own.length), previous.start);
  return shape(above) === shape(own);
}

type Weighed = { readonly hit: KeywordHit; readonly candidate: Candidate; readonly telling: Telling };

const isJapanese = (shadow: string, { start }: KeywordHit) => shadow.charCodeAt(start) > 0x2fff;

/** The weight of a word before the number. */
function weightBehind(text: ScanText, kind: NumberKind, { hit, candidate, telling }: Weighed): number {
  const { shadow } = text;
  const { start, end, used, weigh, near } = candidate;
  const { form } = telling;
  if (start - hit.end > reachBehind) return 0;
  // `details for the new driver: `
  const told = ofWhom.test(shadow.slice(hit.end, start)) ? 1.5 : telling.told;
  if (!kind.maySpeak(shadow, hit, { start, end, form, told, near })) return 0;
  const word = weigh(hit);
  const gap = spaced(shadow.slice(hit.end, start));
  if (word === 0 || /\n\s*\n\s*\n/.test(gap) || counted.test(gap) || isOfOtherLabel(text, kind, hit, start)) return 0;
  const boundaries = gap.match(boundary)?.length ?? 0;
  let weight = word + form + told + 2 - boundaries - gap.length / 60;
  // The first number behind the word.
  if (!/[0-9]{3}/.test(gap)) weight += 1;
  if (used.has(hit.start)) weight -= 3;
  if (boundaries > 0 && asks.test(shadow.slice(Math.max(0, hit.start - 40), hit.end) + gap)) weight += 1.5;
  if (hasState(shadow, hit, start, end)) weight += 1;
  const between = (isJapanese(shadow, hit) ? otherBetweenJapanese : otherBetween).exec(gap.replace(/^.*[0-9]{3}/s, ''));
  if (between !== null && !kind.ownWord.test(between[0])) weight -= 2;
  if (compound.test(gap)) weight -= 4;
  if (ofCode.test(gap)) weight -= form < 3 ? 3 : 1;
  return weight;
}

function hasState(shadow: string, hit: KeywordHit, start: number, end: number): boolean {
  return (
    stateBehind.test(shadow.slice(end, end + 28)) ||
    stateWithin.test(shadow.slice(Math.max(hit.end, start - 40), start)) ||
    stateBefore.test(shadow.slice(Math.max(0, hit.start - 24), hit.start))
  );
}

/** True in a row of a table, under the label of another type. */
function isUnderOther(text: ScanText, kind: NumberKind, start: number): boolean {
  const heading = headingOver(text, start);
  if (heading === undefined) return false;
  const { ordered } = text.keywords;
  const last = ordered[countBefore(ordered, heading.end) - 1];
  return (
    last !== undefined && last.start >= heading.start && last.owner !== kind.owner && ownersOfNumbers.has(last.owner)
  );
}

/** True when a label of another type stands before the number and has none yet. */
function isOfOtherLabel({ shadow, keywords }: ScanText, kind: NumberKind, from: Stretch, start: number): boolean {
  const { ordered } = keywords;
  const last = ordered[countBefore(ordered, start) - 1];
  if (last === undefined || last.start < from.end || last.owner === kind.owner || !ownersOfNumbers.has(last.owner))
    return false;
  if (/[0-9]{2}/.test(shadow.slice(last.end, start))) return false;
  // Of the German telephone, which has a capital, no more than a word.
  if (shadow.slice(last.start, last.end) === 'handy') return false;
  // `license and registration`
  if (together.test(shadow.slice(from.end, last.start))) return false;
  const before = shadow.slice(Math.max(from.end, last.start - 24), last.start);
  // `over the phone: ` is no label.
  return !unticked.test(before) && !isManner(before + shadow.slice(last.start, start));
}

/** The weight of a word behind the number. */
function weightBefore(text: ScanText, kind: NumberKind, { hit, candidate, telling }: Weighed): number {
  const { shadow } = text;
  const { start, end, weigh, near } = candidate;
  const { form, told } = telling;
  // A number need not be told when its word follows.
  if (hit.start - end > reachBefore || !kind.maySpeak(shadow, hit, { start, end, form, told: 1, near })) return 0;
  const word = weigh(hit);
  const gap = spaced(shadow.slice(end, hit.start));
  // `I typed D1234567, but it says that my driver's license is invalid`
  const isLinked =
    linkToWord.test(gap) ||
    (told > 0 && word >= 3 && (form >= 3 || stateWithin.test(shadow.slice(Math.max(0, start - 16), start))));
  if (word === 0 || /[0-9]{3}|\n\s*\n/.test(gap) || (form < 4 && (!isLinked || otherBetween.test(gap)))) return 0;
  const boundaries = gap.match(boundary)?.length ?? 0;
  if (boundaries > 1) return 0;
  let weight = word + form + 1.5 - boundaries - gap.length / 60;
  if (
    hasState(shadow, hit, end, end) ||
    stateWithin.test(gap) ||
    stateWithin.test(shadow.slice(Math.max(0, start - 16), start))
  )
    weight += 1;
  if (told > 0) weight += told;
  if (compound.test(spaced(shadow.slice(hit.end, hit.end + 16)))) weight -= 4;
  return weight;
}
