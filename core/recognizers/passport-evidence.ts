/**
 * Passport numbers that stand away from their word: members of a record of a passport, rows of a list of travellers, answers
 * in later turns of a chat, and further ones in a sentence (`hers is older: L5061724`).
 */
import { isCapital, isDigit } from '../characters.ts';
import { countBefore, type KeywordHit } from '../keywords.ts';
import { isNamedOther, isOtherNumber } from '../other-numbers.ts';
import type { ScanText } from '../shadow.ts';
import { calendarDate } from './calendar-date.ts';
import { endOfLine } from './lines.ts';
import { type DigitForms, firstFrom, formsAtDigits, hasWordOf, wordLength } from './number-forms.ts';
import { isOfThing, spaced, weightOfTelling } from './number-telling.ts';
import { passportsOfMachine } from './passport-machine.ts';
import { isOfOther } from './passport-others.ts';
import type { Stretch } from './stretch.ts';

/** Record fields that say `passport` by its code. */
export const passportAnchors: readonly string[] = [
  'type="p"',
  '"type":"p"',
  '"type": "p"',
  'type: p,',
  'type p,',
  'docs p/',
  'hk1/p/',
  'p<',
];
/** Behind the code of the document in a message of an airline: `P/USA/590283716/USA/04JUL80` */
const ofAirline = /\/([A-Z]{3})\/([A-Z0-9]{6,9})(?=\/)/y;

/** How far behind a word its numbers may stand; characters. */
const reachBehind = 260;
/** Of a record with the word in it. */
const recordMax = 200;
const headMax = 48;
/** The shortest number, without letters that a blank parts from it, and one with the word of a contrast. */
const digitsMin = 6;
const lengthMin = 7;
const insteadMin = 10;
/** How far from another passport one of the same form stands that is told beside it. */
const besideMax = 120;

const form =
  '(?:[A-Z]{1,2} ?[0-9]{6,8}|[A-Z]{3}[0-9]{6}|[A-Z][0-9]{6,7}[A-Z]|(?=[A-Z0-9]{2,8}[0-9])[A-Z][A-Z0-9]{8}|[0-9]{2}[A-Z]{2}[0-9]{5}|[0-9]{8,9})';
const forms: DigitForms = {
  forms: new RegExp(`(?<![0-9A-Za-zÀ-ÿ_./$@#-])${form}(?![0-9A-Za-zÀ-ÿ_/%-]|\\.[0-9])`, 'y'),
  leadMax: 8,
  mayBe(bytes, at) {
    const length = wordLength(bytes, at, 11);
    return length >= digitsMin && length <= 10;
  },
};
const typical = /^(?:[A-Z]{1,2} ?[0-9]{7,8}|[A-Z]{2,3}[0-9]{6}|[A-Z][0-9]{7}[A-Z]|[0-9]{2}[A-Z]{2}[0-9]{5})$/;

/** The word is part of another: `passport photos`, `パスポートケース`. */
const compound =
  /^(?:s? (?:photos?|control|offices?|covers?|holders?|cases?|scanners?|readers?|chips?|adventure|fees?|renewal (?:fee|office|form)|applications?|to |stamps?|js|strategy|power|index|agency|printers?|machines?|kiosks?|terminals?|policy|library|module|queue)|[.-](?:js|[a-z])|ケース|カバー|写真|の?申請|センター|手数料|入れ|法)/i;
const ownWord =
  /^(?:passports?|reisepass|passeport|pasaporte|passaporto|travel|document|doc|hers|his|mine|theirs|ours|yours|older|newer|new|old|was|is|arrived|yesterday|today|shows?|says|reads|one|replacement|child|wife|husband|son|daughter|mother|father)$/i;
/** Of these the number directly behind is none of a passport, either. */
export const ofOtherThing =
  /^s? (?:applications?|adventure|chips?|covers?|cases?|photos?|fees?|printers?|machines?|kiosks?|terminals?|policy|library|module|queue|to )|^の?(?:ケース|カバー|写真|センター|申請|手数料)/i;
/** Asked to have it at hand, not to tell its number. */
const brought = /^(?:を|は|も|の)?(?:各自|必ず)?(?:を)?(?:持参|持って|忘れ|必要|不要)/;
const bringing = /(?<![a-z])(?:bring|carry|have your|need a|need your)(?: (?:your|a|the|their))? $/i;
/** The key of a number in a record. */
const memberKey =
  /(?:number|(?<![a-z])(?:no|num|nr|value|id)|番号|doc(?:ument)?[ _]?(?:no|nr|num|id))["']?\s?(?:[:=>]\s{0,2}["']?|\s)$/i;
const endOfRecord = /\}|<\/(?:passports?|documents?|docs?|旅券|パスポート)>|\n\s*\n/i;
/** A record of another thing. */
export const otherType = /(?:type|kind|種別|種類)["']?\s?[:=>]\s?["']?(?!p["',\s<]|passport|パスポート|旅券)[a-z]/i;

/** The sentence or heading over a list of passports. */
const ofList =
  /number|(?<![a-z])nos?(?![a-z])|details|info|list|copies|collected|check|spelling|holders?|following|below|番号|情報|一覧|リスト|預か|集め|控え|データ|以下|名簿|[:：][ \t]*$/i;
const ofNumbers = /(?:passports?|ppt?|旅券|パスポート)(?:の| |['’]s? )?(?:番号|no|number)/i;
const lineMax = 300;
const rowMax = 160;
/** Lines without a number within a list. */
const gapMax = 2;
const ofRow =
  /[A-Za-zÀ-ÿ]{2,}[ ,/<]{1,2}[A-Za-zÀ-ÿ]{2,}|[0-9]{1,2}[ -][A-Z][a-z]{2}|[\u3040-\u30ff\u4e00-\u9fff]{2,}|(?:19|20)[0-9]{2}[./-][0-9]{1,2}|[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2,4}/;

const asks =
  /[?？]|(?<![a-z])(?:please|need|send|share|provide|enter|confirm|what(?:'s| is)|tell me|give me|can (?:i|you)|may i|could (?:i|you))(?![a-z])|ください|下さい|お願い|教え|伺|いただけ|でしょうか|ますか/i;
const asksForOther =
  /(?<![a-z])(?:phone|order|booking|card|account|policy|licen[cs]e|ticket|reference|birth|member)(?![a-z])[^\n]{0,32}\?|(?:電話|生年月日|予約|口座|会員)[^\n]{0,16}(?:ください|下さい|お願い|教え|ますか|でしょうか|[?？])/i;
const answer = new RegExp(
  `^\\s{0,4}(?:\\[?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?\\]?\\s?)?[^\\n:：>0-9]{1,24}(?:\\([0-9:]{4,8}\\))?[:：>]\\s?(?:(?:ok(?:ay)?|then|sure|yes|yeah|hi|here|here you go|found it|it's|it is|that's|is|mine|the|number|no|passport|my|um|uh|well|i think|got it|はい|えっと|ええと|えー|あ|番号は|私は|僕は|self|(?=[a-z'-]{2,12} [A-Z]{1,2}[0-9]{7,8})[a-z'-]{2,12})(?![A-Za-z])[\\s,.:、。…-]{0,3}){0,6}(${form})(?=\\s?(?:$|[.,;!(（、。]|です|になり|だ))`,
  'i',
);
const answersMax = 12;
/** Lines between the question and its answer, or between two answers. */
const idleMax = 4;

/**
 * The passports near their words that stand away from them, in no order.
 * @param found those known, in order of start
 */
export function passportsByEvidence(text: ScanText, owner: string, found: readonly Stretch[]): Stretch[] {
  const { shadow, keywords } = text;
  const anchors = keywords.anchors(owner);
  const words = wordsOf(shadow, keywords.labels(owner), anchors);
  const places: Stretch[] = passportsOfMachine(
    text,
    anchors.filter((anchor) => anchor.end - anchor.start === 2).map(({ start }) => start),
  );
  const starts = new Set(found.map(({ start }) => start));
  const all = formsAtDigits(text, forms, 0, shadow.length);
  let listed = 0;
  let answered = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as KeywordHit;
    const next = words[i + 1]?.start ?? shadow.length;
    const zoneEnd = Math.min(word.end + reachBehind, next);
    if (zoneEnd - word.end >= lengthMin)
      for (const place of startingIn(all, word.end, zoneEnd)) {
        if (starts.has(place.start)) continue;
        if (isMember(shadow, word, place) || isTold(text, owner, place, [found, places])) places.push(place);
      }
    ofAirline.lastIndex = word.end - 1;
    const message = ofAirline.exec(shadow);
    if (message !== null)
      places.push({ start: ofAirline.lastIndex - (message[2] as string).length, end: ofAirline.lastIndex });
    if (word.start >= listed) listed = addRows(text, owner, word, { all, places });
    if (word.start >= answered) answered = addAnswers(text, word, places);
  }
  let done = 0;
  for (const place of found) {
    const from = Math.max(0, place.start - besideMax, done);
    const instead =
      place.start - from < insteadMin
        ? undefined
        : insteadOf(text, owner, place, startingIn(all, from, place.start).at(-1));
    if (instead !== undefined) places.push(instead);
    done = place.end;
  }
  return places;
}

/** Those of the places that start within `from..to`. */
function startingIn(places: readonly Stretch[], from: number, to: number): readonly Stretch[] {
  const first = firstFrom(places, from);
  let last = first;
  while (last < places.length && (places[last] as Stretch).start < to) last++;
  return first === last ? none : places.slice(first, last);
}

const none: readonly Stretch[] = [];

/** `I typed L4817263 but my passport says L4817268`: the last one before a passport that takes its place. */
function insteadOf(
  text: ScanText,
  owner: string,
  { start, end }: Stretch,
  last: Stretch | undefined,
): Stretch | undefined {
  const { shadow } = text;
  if (last === undefined || last.end > start || !isLike(text, last, { start, end })) return undefined;
  const gap = shadow.slice(last.end, start);
  return contrast.test(gap) && typical.test(shadow.slice(last.start, last.end)) && !isOther(text, owner, last)
    ? last
    : undefined;
}

function wordsOf(shadow: string, labels: readonly KeywordHit[], anchors: readonly KeywordHit[]): readonly KeywordHit[] {
  const words = labels.filter((word) => speaksOfNumber(shadow, word));
  return anchors.length === 0 ? words : [...words, ...anchors].sort((a, b) => a.start - b.start);
}

/** What stands between a word and the other part of a compound, or opens a plural. */
const wordJoints: ReadonlySet<number> = new Set([...' sS.-'].map((c) => c.charCodeAt(0)));

/** False for a word that is part of another, and where a passport is to be brought. */
export function speaksOfNumber(shadow: string, { start, end }: Stretch): boolean {
  // Of plastics and pages, too.
  if (end - start === 2 && /^pp$/i.test(shadow.slice(start, end))) return false;
  // Most words have a colon, a quote or the end of a line behind them.
  const c = shadow.charCodeAt(end);
  if (c > 0x7f || wordJoints.has(c)) {
    const behind = shadow.slice(end, end + 16);
    if (compound.test(behind) || (c > 0x7f && brought.test(behind))) return false;
  }
  return shadow.charCodeAt(start - 1) !== 0x20 || !bringing.test(shadow.slice(Math.max(0, start - 14), start));
}

/** `<passport country="ES"><number>PAB482017` */
function isMember(shadow: string, word: Stretch, { start, end }: Stretch): boolean {
  if (start - word.end > recordMax) return false;
  const gap = shadow.slice(word.end, start);
  return (
    memberKey.test(gap) &&
    /[{<:,]/.test(gap) &&
    !endOfRecord.test(gap) &&
    !otherType.test(gap) &&
    !calendarDate.test(shadow.slice(start, end)) &&
    !isOfOther(shadow, start)
  );
}

/** `It was GH4820173.`, or one of the same form beside another. */
function isTold(text: ScanText, owner: string, place: Stretch, known: readonly (readonly Stretch[])[]): boolean {
  const { shadow } = text;
  const { start, end } = place;
  const written = shadow.slice(start, end);
  const isTypical = typical.test(written);
  if (!isTypical && !/^[0-9]{9}$/.test(written)) return false;
  const isBeside = known.some((places) => {
    const last = places.at(-1);
    if (last === undefined || start - last.end > besideMax || last.end > start || !isLike(text, last, place))
      return false;
    return isTypical || beside.test(shadow.slice(last.end, start));
  });
  if (!isBeside) {
    const head = spaced(shadow.slice(Math.max(0, start - headMax), start));
    if (!(isTypical ? weightOfTelling(head, ownWord) >= 1 : wasRead.test(head))) return false;
  }
  return !isOther(text, owner, place);
}

/** True for two numbers with digits and capitals in the same places. */
function isLike({ bytes }: ScanText, one: Stretch, other: Stretch): boolean {
  const length = one.end - one.start;
  if (other.end - other.start !== length) return false;
  for (let i = 0; i < length; i++) {
    const a = bytes[one.start + i];
    const b = bytes[other.start + i];
    if (a !== b && !(isDigit(a) ? isDigit(b) : isCapital(a) && isCapital(b))) return false;
  }
  return true;
}

/** `my husband's 561827401` */
const beside = /^[^\n0-9.]{0,24}(?:'s|mine|hers|his|theirs|son|daughter|wife|husband)(?: is| was|:)? ?["'(]?$/i;

/** `the scan is blurred. I read 538204716` */
const wasRead =
  /(?<![a-z])(?:(?:i|we|they|he|she|you) (?:read|see|typed|entered|wrote|have|had|get|got|make it)(?: it (?:as|to be))?|(?:scan|copy|photo|picture|page|book|chip|mrz|system|form|it) (?:reads|says|shows|looks like)|which reads)[: ]{1,2}["'(]?$/i;

const contrast =
  /(?<![a-z])(?:but|not|instead|rather|yet|however|although|while)(?![a-z])|なのに|ではなく|ですが|→|->/i;

/** True in the answer to a question for another number. */
export function isAnswerToOther(shadow: string, start: number): boolean {
  const before = shadow.slice(Math.max(0, start - lineMax), start);
  const end = before.lastIndexOf('\n');
  if (end <= 0) return false;
  const question = before.slice(before.lastIndexOf('\n', end - 1) + 1, end);
  return asksForOther.test(question) && !/passport|旅券|パスポート/i.test(question);
}

/** True when the words beside the number say that it is another one. */
function isOther({ shadow, keywords }: ScanText, owner: string, { start, end }: Stretch): boolean {
  // The cheap tests first.
  const { ordered } = keywords;
  const labels = countBefore(ordered, start);
  const last = labels === 0 ? undefined : ordered[labels - 1];
  if (
    last !== undefined &&
    start - last.end <= 24 &&
    last.owner !== owner &&
    ownersOfNumbers.has(last.owner) &&
    !/[0-9]{2}|\n/.test(shadow.slice(last.end, start))
  )
    return true;
  if (calendarDate.test(shadow.slice(start, end)) || isNamedOther(shadow, end) || isAnswerToOther(shadow, start))
    return true;
  if (isOfOther(shadow, start) || isOtherNumber(shadow, start)) return true;
  const head = spaced(shadow.slice(Math.max(0, start - headMax), start));
  return (
    otherType.test(head) || isOfThing(head.replace(/^[\s\S]*(?:(?<!(?<![a-z])(?:no|nr|num))[.!?]\s|\n)/i, ''), ownWord)
  );
}

/** Labels of other numbers. */
const ownersOfNumbers: ReadonlySet<string> = new Set([
  'ssn',
  'phone',
  'bank-account',
  'health-insurance',
  'pension-number',
  'tax-id',
  'my-number',
  'residence-card',
  'vehicle-plate',
  'driver-license',
]);

/** The numbers in the lines below a heading or sentence that speaks of passports; returns where they end. */
function addRows(
  text: ScanText,
  owner: string,
  word: Stretch,
  { all, places }: { readonly all: readonly Stretch[]; readonly places: Stretch[] },
): number {
  const { shadow } = text;
  const lineEnd = endOfLine(shadow, word.end, lineMax);
  const first = all[firstFrom(all, lineEnd)];
  if (first === undefined || first.start > lineEnd + (gapMax + 1) * (lineMax + 1)) return lineEnd;
  const heading = shadow.slice(startOfLine(shadow, word.start), lineEnd);
  let isOfNumbers: boolean | undefined;
  const rows: (Stretch & { readonly line: Stretch })[] = [];
  let at = lineEnd + 1;
  for (let idle = 0; at < shadow.length && idle <= gapMax; idle++) {
    const end = endOfLine(shadow, at, lineMax);
    if (end - at > rowMax) break;
    const own = startingIn(all, at, end);
    if (own.length > 0) {
      isOfNumbers ??= ofNumbers.test(heading);
      const row = passportOfLine(shadow, own, isOfNumbers);
      if (row !== undefined) {
        // One alone is no list, and most are alone.
        const [first] = rows;
        if (rows.length === 1 && first !== undefined && (!ofList.test(heading) || isOther(text, owner, first))) break;
        if (first !== undefined && isOther(text, owner, row)) break;
        rows.push({ ...row, line: { start: at, end } });
        idle = -1;
      }
    }
    at = end + 1;
  }
  if (rows.length < 2) return lineEnd;
  if (rows.some(({ start, end, line }) => ofRow.test(shadow.slice(line.start, start) + shadow.slice(end, line.end))))
    for (const { start, end } of rows) places.push({ start, end });
  return (rows.at(-1) as Stretch).end;
}

/** The one number of a line; digits alone count where the heading speaks of numbers of passports. */
function passportOfLine(shadow: string, all: readonly Stretch[], isOfNumbers: boolean): Stretch | undefined {
  const likely = all.filter((one) => typical.test(shadow.slice(one.start, one.end)));
  if (likely.length > 0 || !isOfNumbers) return likely.length === 1 ? likely[0] : undefined;
  const [only] = all;
  return all.length === 1 && only !== undefined && !calendarDate.test(shadow.slice(only.start, only.end))
    ? only
    : undefined;
}

/** The answers to a question for passports, each a turn of its own; returns where they end. */
function addAnswers(text: ScanText, word: Stretch, places: Stretch[]): number {
  const { shadow } = text;
  const lineEnd = endOfLine(shadow, word.end, lineMax);
  let last = lineEnd;
  let isAsked = false;
  /** What stands between two answers; looked at when there is a second one. */
  let idle: string[] = [];
  for (let at = lineEnd + 1, count = 0; at < shadow.length && idle.length < idleMax && count < answersMax; ) {
    const end = endOfLine(shadow, at, lineMax);
    const lineMaxEnd = Math.min(end, at + rowMax);
    const line = shadow.slice(at, lineMaxEnd);
    const mayAnswer = hasWordOf(text, digitsMin, at, lineMaxEnd);
    if (mayAnswer && !isAsked) {
      isAsked = asks.test(shadow.slice(startOfLine(shadow, word.start), lineEnd));
      if (!isAsked) break;
    }
    const value = mayAnswer ? answerIn(line) : undefined;
    if (value === undefined) idle.push(line);
    else {
      if (idle.some((other) => asksForOther.test(other))) break;
      last = at + value.end;
      places.push({ start: at + value.start, end: last });
      count++;
      idle = [];
    }
    at = end + 1;
  }
  return last;
}

/** The number in a turn that answers with it. */
function answerIn(line: string): Stretch | undefined {
  const turn = answer.exec(line);
  const value = turn?.[1] ?? '';
  if (turn === null || /[a-z]/.test(value) || calendarDate.test(value)) return undefined;
  return { start: turn[0].length - value.length, end: turn[0].length };
}

/** Not further off than the longest line that is looked at. */
function startOfLine(shadow: string, at: number): number {
  const from = Math.max(0, at - lineMax);
  return from + shadow.slice(from, at).lastIndexOf('\n') + 1;
}
