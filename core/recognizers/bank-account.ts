/** Bank account numbers by the word before them, and US routing numbers by their check digit. */
import { numberLeft, numberRight } from '../boundaries.ts';
import { isAbaRouting } from '../checksums.ts';
import { labelledValues } from '../labels.ts';
import { isOtherNumber } from '../other-numbers.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';

const name = 'bank-account';
/** 4 to 17 digits, in groups or not; the symbol and number of the Japan Post Bank. */
const number = new RegExp(
  `${numberLeft}(?:[0-9]{5}(?:-[0-9])?[- ][0-9]{6,8}|[0-9]{2,17}(?:[- ][0-9]{2,8}){0,4}(?:-[0-9])?)${numberRight}`,
  'g',
);
/** Counted things and dates: `口座を2024年に3000円`. */
const counted =
  /^ ?(?:年|月|日|時|分|円|万|千|件|人|社|台|本(?![店人部])|枚|冊|名(?!義)|個(?!人)|口(?!座)|行|回|歳|列|%|％|st\b|nd\b|rd\b|th\b|usd\b|eur\b|dollars?\b|files?\b|rows?\b|records?\b|entries\b|items?\b|users?\b|of (?:the )?[0-9]|bytes?\b)/i;
const linkToNumber =
  /^[\s"'`*_:=#>|/)\]}（(）【】」・,、\-.]*(?:(?:account|acct|acc|a\/c|one|full|dda|number|num|no|nr|id|is|was|預金|口座|番号|no|の|は|が|を|へ|に|code|transit|and|on file|at|the|bank|with|my|ending|yen|jpy|usd|eur|種別|種目|預金種別)[\s"'`*_:=#>|/)\]}（(）」・,、\-.]*){0,5}$/i;
/** `Acc. No. 0318842207`. */
const linkByNo = /^\.? (?:(?:with|under|by) (?:the )?)?(?:no|nr|num|number)\b[.:# ]{0,3}$/i;
/** `口座番号もう一度言いますね、7254093です` */
const linkBySaying = /^[^\n0-9。]{1,16}[、,] ?$/;
const saying = /^(?:です|でした|になり|でお願い)/;
/** `000714458820, is my account number`. */
const behindValue = /^,? (?:is|was) (?:(?:my|the|our|your|his|her|their) )?(?:new |old |correct |full )?$/i;
/** `the account you gave on line 35d (77310258)`. */
const linkByClause = /^ (?:you|we|they|he|she|on file|that)[^\n.;:]{2,32}[(（]$/i;
/** Accounts of a book: `Chart of accounts: account 110200 cash`. */
const ofBooks =
  /chart of accounts|ledger|(?<![a-z])(?:gl|g\/l|cost cent(?:er|re)|journal|liabilities|revenue)(?![a-z])/i;
/** `account number at Lakeside Bank is`. */
const linkByBank = /^ (?:at|with|w\/|for|from|on|in) [^\n.;:0-9]{2,44}(?: is|:| =) ?$/i;
/** `checking acct ending... the whole thing:` */
const linkByColon = /^[^\n0-9;。]{2,48}[:：] ?$/;
/** A member of the object that the label names. */
const memberNumber = /[{,]\s*"?(?:number|no|account|account_?number)"?\s*:\s*"?$/i;
const postBank = /ゆうちょ|郵便|貯金|通帳/;
/** What may stand between a label and its number. */
const links = [linkToNumber, linkByClause, linkByBank, memberNumber];
/** `Account:` alone is also a login. */
const accountWord = /^(?:bank|checking|savings|current|direct|payroll|普通|当座|口座)/;
const ofBank =
  /bank|bsb|sort|routing|branch|swift|\bbic\b|\bblz\b|ifsc|iban|deposit|wire|transit|institution|credit union|transfer|payee|payroll|beneficiary|ach\b|direct debit|standing order|refund|payout/i;
const kinds = /^(?:普通|当座|貯蓄|普|当)/;
const routing = /^(?:aba|routing|rtn|bank id|bankid)/;
const sortCode =
  /^(?:sort|bank details|s\/c|bacs|barclays|natwest|hsbc|lloyds|halifax|nationwide|santander|monzo|starling|revolut|first direct|tsb|royal bank of scotland|co-operative bank|metro bank|virgin money)/;
/** Of the United Kingdom: six digits in pairs, then the eight of the account. */
const behindSortCode =
  /^[0-9]{2}[- ]?[0-9]{2}[- ]?[0-9]{2}[\s,;/|]{1,3}(?:(?:a\/c|acc(?:(?:oun)?t)?)(?: no| number)?[.:# ]{0,3})?[0-9]{8}(?![0-9])/i;
/** Symbol and number of the Japan Post Bank as it writes them: 1…0, and up to eight digits with a 1 at their end. */
const ofPostBank = /^1[0-9]{3}0[- ][0-9]{1,7}1$/;
/** The number of the Japan Post Bank behind its symbol. */
const behindSymbol = /^[\s、,／/-]{0,4}番号[\s:：はが]{0,4}([0-9]{6,8})(?![0-9A-Za-z-])/;
const calendarDate = /^(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])$/;

/** Looks behind the names of accounts. */
export const bankAccount: Recognizer = {
  name,
  type: 'BANK_ACCOUNT',
  labels: [
    'account (no|num|number|nr|#)',
    'account',
    'bank account',
    'bank a/c',
    'bank acct',
    'bank account (no|num|number|#)',
    'acct',
    'acc',
    'acc (no|num|number|#)',
    'dda',
    '(kontonr|konto nr)',
    '(nuban|giro account|numéro de compte)',
    'acct (no|num|number|#)',
    'a/c',
    'a/c (no|num|number)',
    '(checking|chequing|cheque|current|savings|deposit|beneficiary|payee|payroll|brokerage|settlement) (account|acct|a/c)',
    '(checking|chequing|savings)',
    '(to|from|into|debit|credit) account',
    'direct deposit',
    'wire transfer to',
    'sort code',
    's/c',
    'bacs',
    '(barclays|natwest|hsbc|lloyds|halifax|nationwide|santander|monzo|starling|revolut|first direct|tsb|royal bank of scotland|metro bank|virgin money)',
    'bank details',
    'routing',
    '(routing|aba) (transit number|number|no|num|code)',
    'aba',
    'rtn',
    'bank id',
    'kontonummer',
    'numero de cuenta',
    'kouza',
    'koza',
    '(kouza|koza) (no|bango|bangou|number)',
    '口座',
    '口座(番号|No)',
    '(普通|当座|貯蓄)',
    '(普通|当座|貯蓄)(預金|口座)',
    '(普通|当座|貯蓄)預金口座',
    '（普）',
    '(普)',
    '（普',
    '振込先',
    '記号',
    '記号番号',
    '記号・番号',
    'ゆうちょ',
    'ゆうちょ銀行',
    '通帳記号',
    '通帳番号',
  ],
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    for (const value of labelledValues(text, name, number, { reach: 40, back: 14, valueMax: 30 })) {
      const { start, end, groups, context, gap, isBehind } = value;
      const around = () => text.shadow.slice(Math.max(0, start - 60), end + 80);
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
      if (isBehind && !links.some((link) => link.test(gap)) && !isSaid() && !isAnnounced()) continue;
      if (
        /^(?:(?:(?:to|from|into|debit|credit) )?account|acc)$/.test(context) &&
        digits.length < 11 &&
        ofBooks.test(around())
      )
        continue;
      if (
        /^(?:account|acc)$/.test(context) &&
        !linkByNo.test(gap) &&
        !(
          (/^["']? ?(?:[:=#>]|is:?|was:?)? ?["']?$/.test(gap) || linkByClause.test(gap) || linkByBank.test(gap)) &&
          ofBank.test(around())
        )
      )
        continue;
      if (
        context.startsWith('記号') &&
        !ofPostBank.test(groups[0]) &&
        !postBank.test(text.shadow.slice(Math.max(0, start - 40), end + 12))
      )
        continue;
      if (kinds.test(context) ? digits.length < 6 || digits.length > 8 : isEnglish(context) && digits.length < 6)
        continue;
      // `Checking 1048576 blocks`
      if (/^(?:checking|savings)$/.test(context) && !ofBank.test(around()) && !/acc(?:oun)?t/i.test(around())) continue;
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
  },
  samples: {
    match: [
      ['振込先：みずほ銀行 渋谷支店 普通 1234567', '1234567'],
      ['口座番号は７６５４３２１です', '７６５４３２１'],
      ['普通預金 口座番号：0012345', '0012345'],
      ['三菱UFJ銀行 新宿支店（普）1234567', '1234567'],
      ['ゆうちょ銀行 記号番号 10140-12345671', '10140-12345671'],
      ['ゆうちょ銀行 記号番号 14020 12345671', '14020 12345671'],
      ['Bank account number: 6143942966', '6143942966'],
      ['Bank details - Account: 10023477, Sort: 40-12-09', '10023477'],
      ['please wire it to account 000987654321', '000987654321'],
      ['acct #: 0012-3456-7890', '0012-3456-7890'],
      ['"accountNumber":"12345678"', '12345678'],
      ['savings account 000123456789', '000123456789'],
      ['A/C No. 50100123456788', '50100123456788'],
      ['My account number at Lakeside Bank is 3934013464.', '3934013464'],
      ['<td>Account number</td><td>3934013464</td>', '3934013464'],
      ['口座番号(7桁)：3241063', '3241063'],
      ['口座番号は「3241063」', '3241063'],
      ['routing number 021000021', '021000021'],
      ['bank details 20-32-06 91835192', '91835192'],
      ['sort code: 20-32-06, 91835192', '91835192'],
      ['ABA: 011401533', '011401533'],
      ['振込先口座：りそな銀行／船場支店／普通／1234567', '1234567'],
      ['振込先：みなと銀行 本牧支店 普通 4417208 口座名義は', '4417208'],
      ['Bank: First Harbor, Acc. No. 0318842207, SWIFT on request', '0318842207'],
      ['pay to savings account 118-4420-7731 of the claimant', '118-4420-7731'],
      ['Payroll split at the credit union: 5590021847 checking, the rest to me', '5590021847'],
      ['<bank><routing>0260</routing><account>229004718365</account></bank>', '229004718365'],
      ['The account you gave on line 35d (77310258) failed at the bank', '77310258'],
      ["WHERE kouza_no = '8812604'", '8812604'],
      ['has opened an estate account with number 8104462957', '8104462957'],
      ['The last block, 000714458820, is my account number', '000714458820'],
      ['口座番号もう一度言いますね、7254093です', '7254093'],
      ['Which account?\nA: the savings one, 88-204417-6', '88-204417-6'],
      ['joint account w/ Dana at the credit union = 14093882', '14093882'],
      ['記号番号：14420－20937651', '14420－20937651'],
      ['Acc no 03526624 with Commonwealth Bank', '03526624'],
      ['BSB: 062-000\nAcc: 39128096', '39128096'],
      ['transit 00012 institution 003 account 1195748', '1195748'],
      ['acct no. 263-202-5', '263-202-5'],
      ["to checking acct ending... here's the whole thing: 1000447182091.", '1000447182091'],
      ['Bankverbindung: Kontonr. 1091900312, BLZ 37040044', '1091900312'],
      ['the old account was 8967601317 at the credit union', '8967601317'],
    ],
    noMatch: [
      'user account 12345678',
      'GL account 61020400, cost centre 3310, to account 21050000',
      'Chart of accounts: account 110200 cash at bank, account 240100 payroll',
      'account id 12345678',
      'Account: 12345678, Region: EU',
      '普通列車 1234567',
      '普通 2024年4月',
      '口座を2024年に開設',
      'routing number 021000022',
      'checking 12 of 345678 files',
      'Checking 1048576 blocks... done',
      'file 12345678 checking, please wait',
      'the order 12345678',
      'checking 1234567 files for changes',
      '当座の3000円',
      'sort code 20-32-06',
      'bank details of 20320691835192 files',
      'const total = items.reduce((acc, x) => acc + 1234567, 0)',
      'the account was 1234567 days old',
      'checking account opened, order number: 12345678',
    ],
  },
};

function isEnglish(context: string): boolean {
  return /^[ -~]+$/.test(context);
}
