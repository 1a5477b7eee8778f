/**
 * Bank accounts that stand away from their word: a number with the form of an account in a text that speaks of banks, told
 * by what is around it and named as nothing else. Only places near a word for banks are looked at.
 */
import { CellHeadings } from '../cell-headings.ts';
import type { KeywordHit } from '../keywords.ts';
import { isNamedOther, isOtherNumber } from '../other-numbers.ts';
import type { ScanText } from '../shadow.ts';
import { headingOver } from '../tables.ts';
import {
  isOfBank,
  isOtherJapanese,
  isOtherNear,
  isSpeaker,
  isWithSortCode,
  japaneseHead,
  ofBooks,
  pairOf,
  weightOfLabel,
  weightOfSign,
} from './bank-context.ts';
import { isOtherForm, numbersNear, weightOfForm } from './bank-forms.ts';
import { isOfCode, topicOf } from './bank-topic.ts';
import { ownersOfNumbers } from './number-evidence.ts';
import { isInstead, isOfThing, spaced, weightOfTelling } from './number-telling.ts';
import { lastOf, type Place, type Stretch } from './stretch.ts';

/** What the evidence for a number must weigh. */
const threshold = 3;
/** How far behind and before a word for banks a number may stand; characters. */
const reachBehind = 400;
const reachBefore = 90;
/** So many words on either side of a number are weighed. */
const wordsBeside = 3;
/** No more is added to the weight of a word and the telling of the number. */
const moreMax = 3;
/** How much before a number tells what it is. */
const headMax = 48;
/** How far from another account one stands that takes its place. */
const besideMax = 72;
/** A line with the headings of a table. */
const headerMax = 300;

/** Ends of sentences and lines. */
const boundary =
  /(?:(?:(?<!(?<![a-z])(?:no|nr|num|acc|acct|st|mr|mrs|ms|dr|ltd|inc))[.!?](?=\s|["'”’)])|[。！？])["'”’」』)]*\s*|\n\s*)+/gi;
/** More that speaks of banks. */
const support =
  /(?<![a-z])(?:bank|bsb|sort code|routing|aba|branch|swift|bic|blz|ifsc|deposit|wired?|transit|payee|payroll|beneficiary|ach|bacs|direct debit|standing order|refund|payout|checking|savings|acc(?:oun)?ts?|a\/c|neft|holder|paying)(?![a-z])|銀行|支店|口座|振込|普通|当座|名義|信用金庫|金庫/gi;
const ownWord =
  /^(?:bank|banks|account|accounts|account['’]s|acct|acc|a\/c|checking|chequing|savings|current|deposit|deposited|direct|pay|paid|pays|credit|credited|debit|debited|wire|wired|transfer|transferred|send|sent|refund|refunded|remit|neft|rtgs|imps|ach|bacs|giro|eft|clabe|konto|kontonr|nuban|saver|isa|market|offset|everyday|bsb|aba|rout[il1]ng|rtn|dda|iban|swift|payee|beneficiary|payout|payroll|payment|payments|half|then|down|locate|enclosed|full|conta|conto|corrente|cuenta|personal|business|joint|micr|one|ones|ours|theirs|mine|his|hers|was|old|new|right|wrong|number|in|into|at|to|from|shows|is|that|this|which|need|needs|use|enter)$/i;
/** `account of Elena Moss, ` */
const ofHolder =
  /(?<![a-z])(?:(?:account|a\/c|acct) (?:of|name)|payee|beneficiary|holder|in the name of|order to)[^\n.;0-9]{2,36}[,:(] ?$/i;
/** A heading of accounts, and one that is so in a table of banks. */
const accountHeading = /acc(?:oun)?t|(?<![a-z])a\/c|konto|kouza|口座番号|口座/i;
const numberHeading = /^["'`\s]*(?:番号|number|no\.?|num)["'`\s]*$/i;
const otherHeading = /name|type|status|date|holder|名義|種|日|額|コード|\bid$|code|amount/i;
const ofBanks =
  /bank|bsb|sort|routing|aba(?![a-z])|ifsc|rtn|payee|beneficiary|salary|net pay|amt|balance|銀行|支店|振込|口座|種別|種目/i;

/** `took the new account over the phone` */
const overPhone = / (?:over|by|on|via) (?:the )?(?:phone|telephone|call)[,:]? ?$/i;
/** Accounts of Japan, dictated ones among them. */
const ofJapan = /^[0-9]{6,8}$|^1[0-9]{3}0-|^[0-9]{3} [0-9]{4}$|^[0-9](?: [0-9]){6}$/;
/** The number behind its symbol, and both in one where the text speaks of that bank. */
const ofPostBank = /記号[^\n0-9]{0,4}1[0-9]{3}0[^0-9]{1,6}番号[^\n0-9]{0,4}$/;
const postBank = /ゆうちょ|郵便局|貯金|通帳|記号/;
/** A line of a payslip: `DD1 40028817365`. */
const depositLine = /(?:^|\n)[ \t]*(?:DD|Dir(?:ect)?\.? Dep(?:osit)?|Deposit)[ #]?[0-9]?[ :]{1,3}$/i;
/** Behind a number that somebody reads: `通帳を見たら4810239でした`. */
const saidBehind =
  /^(?:でした|です|で(?:合|あって|間違|まちが|よろし|いい|宜)|に(?:誤|間違)|では?な[くい]|じゃな[くい]|で(?:再)?登録|に(?:訂正|変更|修正)|[はの]誤り|と(?:書|記|言|聞|のこと|あり|なっ|印字))/;
/** What was asked before an answer. */
const turnBefore = 200;
/** The words of an answer before the number. */
const answer =
  /[?？]\s*\n[^\n:：0-9]{1,24}[:：] ?(?:(?:it'?s|it is|yes|yeah|sure|ok|that'?s|um|uh|はい)[,. 、]{1,3}){0,3}$/i;
const lastLine = /\n[^\n]*$/;
/** How clearly a number is told far from its word. */
const tellMin = 1;
/** The number is the last of what is said. */
const endOfTurn = /(?<!-)[,:–—-] ?$/;
const afterName = /[A-Z][A-Za-z]+, ?$/;
const endOfSentence = /^["'”’)]?[.!]\s/;
const endOfLine = /^["'”’)]?[.!]?\s*(?:\n|$)/;

/** Without a word that is clearly for banks, this has to stand in the text. */
const sortCode = /(?<![0-9-])[0-9]{2}-[0-9]{2}-[0-9]{2}(?![0-9-])/;

type Sign = Stretch & { readonly weight: number };

/** Accounts beside those that stand directly at their label, in order. */
export function accountsByEvidence(text: ScanText, owner: string, found: readonly Stretch[]): readonly Place[] {
  const { shadow } = text;
  const numbers = numbersNear(text, owner, { behind: reachBehind, before: reachBefore });
  const signs = numbers.length === 0 ? [] : signsOf(text, owner);
  if (signs.length === 0) return noPlaces;
  const isOfBanks = signs.some(({ weight }) => weight >= 2);
  if (!isOfBanks && !sortCode.test(shadow)) return noPlaces;
  const places: Place[] = [];
  const taken = found.toSorted((a, b) => a.start - b.start);
  const headings = new CellHeadings(shadow);
  let number = 0;
  let passed = 0;
  /** A number that may be one, too, when the next is. */
  let open: Stretch | undefined;
  for (let i = 0; i < signs.length; ) {
    const first = i;
    let to = (signs[i] as Sign).end + reachBehind;
    for (i++; i < signs.length && (signs[i] as Sign).start - reachBefore <= to; i++)
      to = (signs[i] as Sign).end + reachBehind;
    const from = (signs[first] as Sign).start - reachBefore;
    let next = first;
    while (number < numbers.length && (numbers[number] as Stretch).start < from) number++;
    for (; number < numbers.length && (numbers[number] as Stretch).start < to; number++) {
      const { start, end } = numbers[number] as Stretch;
      while (next < i && (signs[next] as Sign).end <= start) next++;
      while (passed < taken.length && (taken[passed] as Stretch).end <= start) passed++;
      const own = taken[passed];
      if (own !== undefined && own.start < end) {
        if (open !== undefined && isBeside(shadow, open, own, 0)) places.push([open.start, open.end, 'account']);
        open = undefined;
        continue;
      }
      if (!isOfBanks && !isWithSortCode(shadow, start, end)) continue;
      const context = contextOf(text, owner, {
        start,
        end,
        headings,
        previous: lastOf(taken[passed - 1], places.at(-1)),
        near: signs.slice(Math.max(first, next - wordsBeside), Math.min(i, next + wordsBeside)),
      });
      if (context === null) open = { start, end };
      if (typeof context !== 'string') continue;
      // `moved it from 0284719203 to 2139482017, both held at the bank`
      if (open !== undefined && open.start > (places.at(-1)?.[1] ?? 0) && isBeside(shadow, open, { start, end }, 0))
        places.push([open.start, open.end, context]);
      open = undefined;
      places.push([start, end, context]);
    }
  }
  return places;
}

const noPlaces: readonly Place[] = [];

/** Words for banks in order, the labels of accounts among them. */
function signsOf({ shadow, keywords }: ScanText, owner: string): readonly Sign[] {
  const signs: Sign[] = [];
  const labels = keywords.labels(owner);
  let next = 0;
  const addLabels = (until: number) => {
    for (; next < labels.length && (labels[next] as KeywordHit).start < until; next++) {
      const { start, end } = labels[next] as KeywordHit;
      const weight = weightOfLabel(shadow, { start, end });
      if (weight > 0) signs.push({ start, end, weight });
    }
  };
  for (const { start, end } of keywords.anchors(owner)) {
    addLabels(start + 1);
    const weight = weightOfSign(shadow, start);
    if (weight > 0) signs.push({ start, end, weight });
  }
  addLabels(shadow.length);
  return signs;
}

type Candidate = Stretch & {
  readonly near: readonly Sign[];
  readonly headings: CellHeadings;
  /** The account before. */
  readonly previous: Stretch | undefined;
};

/** The word that speaks for the number; null where it may be an account but nothing does, undefined where it is none. */
function contextOf(text: ScanText, owner: string, candidate: Candidate): string | null | undefined {
  const { shadow } = text;
  const { start, end, near, headings, previous } = candidate;
  const written = shadow.slice(start, end);
  if (isOtherForm(written)) return undefined;
  const heading = headingOver(text, start);
  if (heading !== undefined && !isSentence(shadow.slice(heading.start, heading.end)))
    return isUnderHeading(shadow, heading, written) ? 'account' : undefined;
  const cell = headings.over(start, end);
  if (cell !== undefined && !isSentence(cell) && !numberHeading.test(cell) && !accountHeading.test(cell))
    return undefined;
  // Headings without a label of any recognizer.
  if (cell !== undefined && isOfCode(shadow.slice(Math.max(0, start - reachBehind), start), written)) return 'account';
  const head = spaced(shadow.slice(Math.max(0, start - headMax), start));
  if (overPhone.test(head) && ownWord.test(/([a-z/]+) *$/i.exec(head.replace(overPhone, ''))?.[1] ?? ''))
    return 'account';
  const isJapanese = near.some((sign) => shadow.charCodeAt(sign.start) > 0x2fff);
  const wide = isJapanese ? shadow.slice(Math.max(0, start - 240), end + 80) : '';
  if (isJapanese && /^1[0-9]{3}0-[0-9]{6,8}$/.test(written) && postBank.test(wide)) return 'ゆうちょ';
  if (ofPostBank.test(head) && /^[0-9]{6,8}$/.test(written)) return 'ゆうちょ';
  const isFirst = isSpeaker(shadow, start);
  if (isOther(text, owner, candidate, isFirst ? '\n' : head)) return undefined;
  const isAnswer = isFirst || answer.test(shadow.slice(Math.max(0, start - headMax), start));
  if (
    isAnswer &&
    topicOf(shadow.slice(Math.max(0, start - turnBefore), start).replace(lastLine, '\n'), isJapanese) === 'other'
  )
    return undefined;
  let tell: number;
  if (isJapanese) {
    if (!ofJapan.test(written)) return undefined;
    const told = japaneseHead(head, shadow.slice(end, end + 4));
    if (
      told < 3 &&
      !isOfBank(shadow.slice(Math.max(0, start - 80), end + 60)) &&
      !(isOfBank(wide) && isToldLater(shadow, start, end, true))
    )
      return undefined;
    // Behind the codes of its bank and branch.
    if (told === 3) return '口座';
    tell =
      (isFirst || saidBehind.test(shadow.slice(end, end + 8)) ? Math.max(1.5, told) : told) -
      (written.length === 6 || written.length === 8 ? 1 : 0);
  } else {
    // The words of the sentence before are not its label.
    if (isOfThing(head.replace(/^[\s\S]*(?<!no|nr|num|acct|acc)[.!?]\s/i, ''), ownWord)) return undefined;
    tell = ofHolder.test(head) ? 1.5 : weightOfTelling(head, ownWord);
    if (pairOf(shadow, start, end)) tell = Math.max(tell, 0.5) + 2;
    tell += weightOfForm(written);
  }
  if (previous !== undefined && isBeside(shadow, previous, candidate, tell)) return 'account';
  const best = isWithSortCode(shadow, start, end) ? near[0] : strongest(shadow, candidate, tell);
  if (best !== undefined) return shadow.slice(best.start, best.end).toLowerCase();
  if (depositLine.test(head)) return 'direct deposit';
  const after = shadow.slice(end, end + 8);
  const isLast = endOfLine.test(after) || (endOfSentence.test(after) && afterName.test(head));
  const isTold = tell >= tellMin || (!isJapanese && tell > -1 && isLast && endOfTurn.test(head));
  if (isTold && isToldLater(shadow, start, end, isJapanese)) return 'account';
  return null;
}

/** True where the text before is about an account; there the number is told sentences and turns later. */
function isToldLater(shadow: string, start: number, end: number, isJapanese: boolean): boolean {
  const before = shadow.slice(Math.max(0, start - reachBehind), start);
  const digits = shadow.slice(start, end).replace(/[ -]/g, '');
  return (
    (isJapanese || digits.length > 7 || isOfCode(before + shadow.slice(end, end + reachBefore), digits)) &&
    topicOf(before, isJapanese) === 'account'
  );
}

const isSentence = (heading: string) => /[.:!?。：！？]\s*$/.test(heading);

/** True when the words around the number say that it is another one. */
function isOther(text: ScanText, owner: string, { start, end }: Stretch, head: string): boolean {
  const { shadow } = text;
  return (
    isOtherNear(shadow, start, end) ||
    isOtherNumber(shadow, start) ||
    isNamedOther(shadow, end) ||
    isOtherJapanese(head) ||
    (!isSpeaker(shadow, start) && isOfOther(text, owner, start)) ||
    ofBooks.test(shadow.slice(Math.max(0, start - 60), end + 60))
  );
}

/** True for two numbers of one length of which one follows the other or takes its place. */
function isBeside(shadow: string, first: Stretch, second: Stretch, tell: number): boolean {
  if (second.start - first.end >= besideMax || first.end - first.start !== second.end - second.start) return false;
  const gap = shadow.slice(first.end, second.start);
  return !/[0-9]{3}/.test(gap) && (gap === 'から' || isInstead(gap, tell));
}

/** The word near the number that speaks for it most, if enough. */
function strongest(shadow: string, { start, end, near }: Candidate, tell: number): Sign | undefined {
  let best: Sign | undefined;
  let most = threshold;
  for (const sign of near) {
    const isBefore = sign.start < start;
    const gapLength = isBefore ? start - sign.end : sign.start - end;
    if (sign.weight + tell + moreMax - gapLength / 60 < most) continue;
    const gap = isBefore ? shadow.slice(sign.end, start) : shadow.slice(end, sign.start);
    const boundaries = spaced(gap).match(boundary)?.length ?? 0;
    let weight = sign.weight + tell - boundaries - (gap === ' ' ? 0 : gap.length / 60);
    // `HDFC bank, 50100293847561`
    if (/^[\s,;:/()|.#-]{1,4}$/.test(gap)) weight += 1;
    if (/[0-9]{6}/.test(gap)) weight -= 0.5;
    // The answer to a question.
    if (/[?？]/.test(gap)) weight += 0.5;
    if (weight + 1 < most) continue;
    if (hasSupport(shadow, sign, start, end)) weight += 1;
    if (weight < most) continue;
    most = weight;
    best = sign;
  }
  return best;
}

/** True when more than the one word around the number speaks of banks. */
function hasSupport(shadow: string, sign: Sign, start: number, end: number): boolean {
  const from = Math.max(0, start - 120);
  const around = shadow.slice(from, end + 100);
  support.lastIndex = 0;
  for (let word = support.exec(around); word !== null; word = support.exec(around))
    if (from + word.index < sign.start || from + word.index >= sign.end) return true;
  return false;
}

function isUnderHeading(shadow: string, heading: Stretch, written: string): boolean {
  const own = shadow.slice(heading.start, heading.end);
  const isNumber = numberHeading.test(own);
  if ((!isNumber && !accountHeading.test(own)) || otherHeading.test(own) || !/^[0-9 -]+$/.test(written)) return false;
  const lineStart = shadow.lastIndexOf('\n', heading.start) + 1;
  if (heading.start - lineStart > headerMax) return false;
  const line = /^[^\n]*/.exec(shadow.slice(lineStart, lineStart + headerMax))?.[0] ?? '';
  return ofBanks.test(isNumber ? line : line.replace(own, ' ')) || /口座|bank/i.test(own);
}

/** True when a label of another type stands before the number and has none yet. */
function isOfOther({ shadow, keywords }: ScanText, owner: string, start: number): boolean {
  const { ordered } = keywords;
  let low = 0;
  for (let high = ordered.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((ordered[middle]?.end ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  const last = ordered[low - 1];
  if (last === undefined || last.owner === owner || !ownersOfNumbers.has(last.owner) || start - last.end > 24)
    return false;
  const between = shadow.slice(last.end, start);
  return !/[0-9]{2}|\n|[.!?。]\s/.test(between) && !/銀行|支店|口座|信金/.test(between);
}
