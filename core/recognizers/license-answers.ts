/** Licence numbers in a later turn of a chat or call than the one that asks for them, and those told as on the card, `第…号`. */
import type { ScanText } from '../shadow.ts';
import { weightOfWord } from './license-context.ts';
import { endOfLine } from './lines.ts';
import { firstFrom } from './number-forms.ts';
import type { Stretch } from './stretch.ts';

/** So many lines behind the question an answer may stand. */
const linesMax = 6;
const lineMax = 240;
/** How far into its turn a number starts, at most. */
const turnMax = 96;
const asks =
  /[?？]|(?<![a-z])(?:please|pls|send|share|provide|confirm|tell me|read|need|what(?:'s| is))(?![a-z])|お願い|ください|下さい|教え|伺|いただけ|でしょうか|ますか/i;
const asksForNumber = /(?<![a-z])(?:number|no|id|licen[cs]e|dl)(?![a-z])|番号|免許/i;
const asksForOther =
  /(?:(?<![a-z])(?:phone|mobile|order|booking|card number|account|policy|plate|registration|ticket|reference|birth|member|passport|dob|address|e-?mail|insurance)(?![a-z])|電話|生年月日|誕生日|予約|口座|会員|住所|ナンバー|車両|パスポート|旅券|保険|社員|メール|暗証)/i;
/** A turn that ends with a number, or says no more behind it than a word or two. */
const japaneseTurn =
  /^\s{0,4}(?:\[?[0-9]{1,2}:[0-9]{2}\]?\s?)?[^\n:：>0-9]{1,16}[:：>「]\s?[^0-9\n]{0,24}?([0-9]{4}([ -]?)[0-9]{4}\2[0-9]{4})(?=\s?(?:です|になります|でした|だと|、|。|」|と|$))/;
const englishTurn =
  /^\s{0,4}(?:\[?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?\]?\s?)?[^\n:>0-9]{1,20}[:>]\s?(?:[a-z' ]{0,28}[,:.…-]{0,3} ?)?([A-Z][0-9]{3,4}(?:[- ][0-9]{2,6}){2,4}|[A-Z]{1,2}[0-9]{6,12}|[A-Z9]{5} ?[0-9]{6} ?[A-Z9]{2}[0-9A-Z]{3})(?=\s?(?:$|[.,;!]\s|[.,;!]$))/i;

/** The answers to questions for licences. Those next to their question are found by their label, too. */
export function answersOfLicences(text: ScanText, owner: string): readonly Stretch[] {
  const { shadow, keywords } = text;
  if (text.digitRuns.length === 0) return none;
  const found: Stretch[] = [];
  let done = 0;
  for (const word of keywords.labels(owner)) {
    if (word.start < done) continue;
    const from = endOfLine(shadow, word.end, lineMax);
    if (from >= shadow.length) break;
    done = from;
    const answer = answerBehind(text, word, from);
    if (answer !== undefined && weightOfWord(shadow, word) >= 2) found.push(answer);
  }
  return found;
}

const none: readonly Stretch[] = [];

/** Turns that may be answers are rare, so the questions before one are looked for when there is one. */
function answerBehind(text: ScanText, word: Stretch, from: number): Stretch | undefined {
  const { shadow } = text;
  const unread = [shadow.slice(Math.max(0, word.start - lineMax), from).replace(/^[\s\S]*\n/, '')];
  let isAsked = false;
  let isFirst = true;
  for (let at = from + 1, count = 0; count < linesMax && at < shadow.length; count++) {
    const end = endOfLine(shadow, at, lineMax);
    const line = shadow.slice(at, end);
    const turn = hasDigits(text, at, end) ? (japaneseTurn.exec(line) ?? englishTurn.exec(line)) : null;
    if (turn !== null) {
      for (const question of unread) {
        if (!isFirst && asksForOther.test(question) && asks.test(question)) return undefined;
        isAsked ||= asks.test(question) && asksForNumber.test(question);
        isFirst = false;
      }
      unread.length = 0;
      if (isAsked) {
        const last = at + turn[0].length;
        return { start: last - (turn[1] as string).length, end: last };
      }
    }
    unread.push(line);
    at = end + 1;
  }
  return undefined;
}

/** True when digits start where those of the number in a turn do. */
function hasDigits({ digitRuns }: ScanText, from: number, to: number): boolean {
  const run = digitRuns[firstFrom(digitRuns, from)];
  return run !== undefined && run.start < Math.min(to, from + turnMax);
}

const cardReach = 40;
/** Nothing that says of which trade it is. */
const ofCard =
  /(?:運転免許証?|(?<![\u3400-\u9FFF\u30A0-\u30FF])免許証?)(?:を|の|は|が|も)[\u3040-\u9FFF、。：: ]{0,20}第$/;
/** Codes of the public safety commissions. */
const isCommission = /^(?:1[0-4]|2[0-6]|30|4[0-5]|5[0-5]|6[0-5]|7[0-4]|8[0-3]|9[0-7])/;

/** True for `第452204820190号` behind a word for a licence to drive. */
export function isOfCard(shadow: string, start: number, end: number): boolean {
  return (
    shadow[start - 1] === '第' &&
    shadow[end] === '号' &&
    isCommission.test(shadow.slice(start, start + 2)) &&
    ofCard.test(shadow.slice(Math.max(0, start - cardReach), start))
  );
}
