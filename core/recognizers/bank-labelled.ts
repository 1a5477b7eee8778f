/** Bank accounts beside the words for them: in the same sentence, cell, member or answer. */
import { numberLeft, numberRight } from '../boundaries.ts';
import { isDigit } from '../characters.ts';
import { isAbaRouting } from '../checksums.ts';
import { type LabelledValue, labelledValues } from '../labels.ts';
import { isOtherNumber } from '../other-numbers.ts';
import { type Detection, detectionAt } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';
import { isExample, isOtherJapanese, isSpeaker, ofBooks, ofLogin } from './bank-context.ts';
import { calendarDate } from './calendar-date.ts';

/** 4 to 17 digits, in groups or not; the symbol and number of the Japan Post Bank. */
const number = new RegExp(
  `${numberLeft}(?:[0-9]{5}(?:-[0-9])?[- ][0-9]{6,8}|[0-9]{2,17}(?:[- ][0-9]{2,8}){0,4}(?:-[0-9])?|[0-9] [0-9]{3} [0-9]{4} [0-9]{4}|[0-9]{3}-[0-9]-[0-9]{5}-[0-9]|[0-9](?: [0-9]){6,7})${numberRight}`,
  'g',
);
/** Counted things and dates: `口座を2024年に3000円`. */
const counted =
  /^ ?(?:年|月|日|時|分|円|万|千|件|人|社(?!員)|台|本(?![店人部])|枚|冊|名(?!義)|個(?!人)|口(?!座)|行|回|歳|列|%|％|st\b|nd\b|rd\b|th\b|usd\b|eur\b|dollars?\b|files?\b|rows?\b|records?\b|entries\b|items?\b|users?\b|of (?:the )?[0-9]|bytes?\b)/i;
const linkToNumber =
  /^[\s"'`*_:=#>|/)\]}（(）【】」・,、\-.]*(?:(?:account|acct|acc|a\/c|one|full|dda|number|num|no|nr|id|is|was|預金|口座|番号|no|の|は|が|を|へ|に|code|transit|and|on file|at|the|bank|with|my|ending|yen|jpy|usd|eur|種別|種目|預金種別)[\s"'`*_:=#>|/)\]}（(）」・,、\-.]*){0,5}$/i;
/** `Acc. No. 0318842207`. */
const linkByNo = /^\.? (?:(?:with|under|by) (?:the )?)?(?:no|nr|num|number)\b[.:# ]{0,3}$/i;
/** `口座番号もう一度言いますね、7254093です` */
const linkBySaying = /^[^\n0-9。]{1,16}[、,] ?$/;
const saying = /^(?:です|でした|になり|でお願い)/;
/** Before a kind of account: `drafted from checking 60014482791`. */
const whose = /(?<![a-z])(?:from|to|into|my|our|his|her|their) $/i;
/** `000714458820, is my account number`. */
const behindValue = /^,? (?:is|was) (?:(?:my|the|our|your|his|her|their) )?(?:new |old |correct |full )?$/i;
/** `the account you gave on line 35d (77310258)`. */
const linkByClause = /^ (?:you|we|they|he|she|on file|that)[^\n.;:]{2,32}[(（]$/i;
/** `account number at Lakeside Bank is`. */
const linkByBank = /^ (?:at|with|w\/|for|from|on|in) [^\n.;:0-9]{2,44}(?: is|:| =) ?$/i;
/** `checking acct ending... the whole thing:` */
const linkByColon = /^[^\n0-9;。]{2,48}[:：] ?$/;
/** A member of the object that the label names. */
const memberNumber = /[{,]\s*"?(?:number|no|account|account_?number)"?\s*:\s*"?$/i;
const postBank = /ゆうちょ|郵便|貯金|通帳/;
/** What may stand between a label and its number. */
const links = [linkToNumber, linkByClause, linkByBank, memberNumber];
/** `銀行コード: 0172`. */
const codeOfBank = /(?:銀行|支店|金融機関|店)(?:コード|番号?)[:： ]{0,3}$/;
/** `Account:` alone is also a login. */
const accountWord = /^(?:bank|checking|savings|current|direct|payroll|普通|当座|口座)/;
const ofBank =
  /bank|bsb|sort|routing|branch|swift|\bbic\b|\bblz\b|ifsc|iban|deposit|wire|transit|institution|credit union|transfer|payee|payroll|beneficiary|ach\b|direct debit|standing order|refund|payout/i;
/** Kinds of accounts. */
export const kinds = /^(?:普通|当座|貯蓄|普|当)/;
const routing = /^(?:aba|routing|rtn|bank id|bankid|rdfi|odfi|r\/t|mmbid)/;
const sortCode =
  /^(?:sort|bank details|s\/c|bacs|barclays|natwest|hsbc|lloyds|halifax|nationwide|santander|monzo|starling|revolut|first direct|tsb|royal bank of scotland|co-operative bank|metro bank|virgin money)/;
/** Of Australia: six digits of the branch, then the account. */
const behindBranch =
  /bsb[^\n0-9]{0,24}[0-9]{3}[- ]?[0-9]{3}(?: ?[,;/|] ?| {1,3})([0-9]{6,10}|[0-9]{2,4} [0-9]{3,4}(?: [0-9]{2,4})?)(?![0-9])/di;
/** Of the United Kingdom: six digits in pairs, then the eight of the account. */
const behindSortCode =
  /^[0-9]{2}[- ]?[0-9]{2}[- ]?[0-9]{2}[\s,;/|]{1,3}(?:(?:a\/c|acc(?:(?:oun)?t)?)(?: no| number)?[.:# ]{0,3})?[0-9]{8}(?![0-9])/i;
/** Symbol and number of the Japan Post Bank as it writes them: 1…0, and up to eight digits with a 1 at their end. */
const ofPostBank = /^1[0-9]{3}0[- ][0-9]{1,7}1$/;
/** The number of the Japan Post Bank behind its symbol. */
const behindSymbol = /^[\s、,／/-]{0,4}番号[\s:：はが]{0,4}([0-9]{6,8})(?![0-9A-Za-z-])/;

/** The accounts that stand at the labels of the recognizer, in the order of these. */
export function accountsAtLabels(text: ScanText, name: string): Detection[] {
  const found: Detection[] = [];
  if (!mayHaveLabelled(text, name)) return found;
  let previous: LabelledValue | undefined;
  for (const value of labelledValues(text, name, number, { reach: 40, back: 14, valueMax: 30 })) {
    const { start, end, groups, context, gap, isBehind, labelStart } = value;
    const around = () => `${text.shadow.slice(Math.max(0, start - 60), end + 80)}\n${value.headings ?? ''}`;
    const isKindBehind = /^ ?$/.test(gap) && /^(?:checking|savings)$/.test(context) && groups[0].length > 6;
    if (
      !isBehind &&
      !(isKindBehind && ofBank.test(around())) &&
      (!/^ ?[(（]$/.test(gap) || !accountWord.test(context)) &&
      !(behindValue.test(gap) && / (?:no|num|number)$/.test(context))
    )
      continue;
    const digits = groups[0].replace(/[^0-9]/g, '');
    if (digits.length < 4 || digits.length > 17 || counted.test(text.shadow.slice(end, end + 8))) continue;
    // `Sort code and account: 20-11-09 / 58203917`
    if (/^[0-9]{2}[- ][0-9]{2}[- ][0-9]{2}$/.test(groups[0])) continue;
    if (isExample(text.shadow.slice(Math.max(0, start - 24), start))) continue;
    // `BSB/Acc: 032-001 / 448 213`
    const ofBranch = isBehind ? behindBranch.exec(text.shadow.slice(Math.max(0, labelStart - 12), start + 32)) : null;
    if (ofBranch?.indices?.[1] !== undefined) {
      const [from, to] = ofBranch.indices[1].map((at) => at + Math.max(0, labelStart - 12)) as [number, number];
      found.push(detectionAt(text, from, to, { type: 'BANK_ACCOUNT', score: 0.85, recognizer: name, context }));
      continue;
    }
    // The amount in the next cell.
    if (isNextCell(text.shadow, previous, value)) continue;
    previous = value;
    if (sortCode.test(context)) {
      const account = behindSortCode.exec(text.shadow.slice(start, start + 48));
      if (!isBehind || account === null || gap.length > 12) continue;
      const from = start + account[0].length - 8;
      found.push(detectionAt(text, from, from + 8, { type: 'BANK_ACCOUNT', score: 0.9, recognizer: name, context }));
      continue;
    }
    if (routing.test(context)) {
      if (digits.length !== 9 || !isAbaRouting(digits)) continue;
      found.push(
        detectionAt(text, start, end, {
          type: 'BANK_ACCOUNT',
          score: 0.95,
          recognizer: name,
          context,
          checksum: true,
        }),
      );
      continue;
    }
    const isAnnounced = () =>
      digits.length >= 8 && accountWord.test(context) && linkByColon.test(gap) && !isOtherNumber(text.shadow, start);
    const isSaid = () => digits.length > 5 && linkBySaying.test(gap) && saying.test(text.shadow.slice(end, end + 4));
    // `振込先…お願いします。社員番号：204417`
    if (
      isBehind &&
      isOtherJapanese(text.shadow.slice(labelStart + context.length, start)) &&
      !isSpeaker(text.shadow, start)
    )
      continue;
    if (isBehind && !links.some((link) => link.test(gap)) && !isSaid() && !isAnnounced()) continue;
    if (
      /^(?:(?:(?:to|from|into|debit|credit|current|deposit) )?account|acc|普通預金|当座預金)$/.test(context) &&
      digits.length < 11 &&
      ofBooks.test(around())
    )
      continue;
    if (
      /^(?:account|acc)$/.test(context) &&
      !linkByNo.test(gap) &&
      !(
        (/^["']? ?(?:[:=#>(]|is:?|was:?)? ?["']?$/.test(gap) || linkByClause.test(gap) || linkByBank.test(gap)) &&
        ofBank.test(around())
      )
    )
      continue;
    if (context === 'account' && ofLogin.test(text.shadow.slice(Math.max(0, labelStart - 24), start))) continue;
    if (
      context.startsWith('記号') &&
      !ofPostBank.test(groups[0]) &&
      !postBank.test(text.shadow.slice(Math.max(0, start - 40), end + 40))
    )
      continue;
    if (kinds.test(context) ? digits.length < 6 || digits.length > 8 : isEnglish(context) && digits.length < 6)
      continue;
    if (digits.length < 5 && codeOfBank.test(text.shadow.slice(Math.max(0, start - 16), start))) continue;
    // The code of that bank is 9900.
    if (context.startsWith('ゆうちょ') && digits.length < 5) continue;
    if (/^[_ ]?id(?![a-z])/i.test(text.shadow.slice(labelStart + context.length, start))) continue;
    // `Checking 1048576 blocks`
    if (
      /^(?:checking|savings)$/.test(context) &&
      !(digits.length > 8 && /^[CS]|[:#]/.test(text.shadow.slice(labelStart, start))) &&
      !(digits.length > 7 && whose.test(text.shadow.slice(Math.max(0, labelStart - 8), labelStart))) &&
      !ofBank.test(around()) &&
      !/acc(?:oun)?t|savings[^\n]*checking|checking[^\n]*savings/i.test(around())
    )
      continue;
    if (calendarDate.test(digits) && (gap.length > 4 || /^[0-9]{4}[-/ ]/.test(groups[0]))) continue;
    found.push(detectionAt(text, start, end, { type: 'BANK_ACCOUNT', score: 0.85, recognizer: name, context }));
    const number = digits.length > 6 ? null : behindSymbol.exec(text.shadow.slice(end, end + 24));
    if (number === null) continue;
    const last = end + number[0].length;
    found.push(
      detectionAt(text, last - (number[1] as string).length, last, {
        type: 'BANK_ACCOUNT',
        score: 0.85,
        recognizer: name,
        context,
      }),
    );
  }
  return found;
}

/** True for a text with a label and three digits side by side, or two and two. */
function mayHaveLabelled({ bytes, digitRuns, digitStarts, keywords }: ScanText, name: string): boolean {
  if (keywords.labels(name).length === 0) return false;
  if (digitRuns.length > 0) return true;
  const isPair = (at: number) => isDigit(bytes[at] as number) && isDigit(bytes[at + 1] as number);
  return digitStarts.some((at) => isPair(at) && (isDigit(bytes[at + 2] as number) || isPair(at + 3)));
}

/** True for a value of the same label behind a comma, with another length. */
function isNextCell(shadow: string, previous: LabelledValue | undefined, { labelStart, start, groups }: LabelledValue) {
  return (
    previous?.labelStart === labelStart &&
    previous.groups[0].length !== groups[0].length &&
    /^[,;|\t]$/.test(shadow.slice(previous.end, start))
  );
}

function isEnglish(context: string): boolean {
  return /^[ -~]+$/.test(context);
}
