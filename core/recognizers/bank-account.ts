/** Bank account numbers by the word before them, and US routing numbers by their check digit. */
import { numberLeft, numberRight } from '../boundaries.ts';
import { CellHeadings } from '../cell-headings.ts';
import { isAbaRouting } from '../checksums.ts';
import { type LabelledValue, labelledValues } from '../labels.ts';
import { isOtherNumber } from '../other-numbers.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';
import { bankSigns, ofBooks, ofLogin, type Stretch } from './bank-context.ts';
import { accountsByEvidence } from './bank-evidence.ts';
import { OtherAccounts } from './bank-others.ts';
import { accountsInRecords, isInLine } from './bank-records.ts';
import { repeatsOf } from './bank-repeats.ts';

const name = 'bank-account';
/** 4 to 17 digits, in groups or not; the symbol and number of the Japan Post Bank. */
const number = new RegExp(
  `${numberLeft}(?:[0-9]{5}(?:-[0-9])?[- ][0-9]{6,8}|[0-9]{2,17}(?:[- ][0-9]{2,8}){0,4}(?:-[0-9])?|[0-9](?: [0-9]){6,7})${numberRight}`,
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
const kinds = /^(?:普通|当座|貯蓄|普|当)/;
const amountHeading = /額|残高|合計|借方|貸方|売上|件数/;
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
const manyDigits = /[0-9][0-9 -]{4}[0-9]/;
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
  anchors: bankSigns,
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
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
          (/^["']? ?(?:[:=#>]|is:?|was:?)? ?["']?$/.test(gap) || linkByClause.test(gap) || linkByBank.test(gap)) &&
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
        !(digits.length > 8 && /^[CS]/.test(text.shadow.slice(labelStart, start))) &&
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
    return completed(text, found);
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
      ['Please pay 48201765 (sort code 20-11-09) by Friday', '48201765'],
      ['The old number was wrong.\nCorrect one is 3934013.\nBank is Resona, branch 412.', '3934013'],
      ['Sort code: 04-00-04\nNumber: 58203917', '58203917'],
      ['Sort code and account: 20-11-09 / 58203917', '58203917'],
      ['BSB: 732-001 / 583920', '583920'],
      ['Void cheque shows 00412-003-1029384.', '00412-003-1029384'],
      ['His TD account: transit 10202, inst 004, 5293847.', '5293847'],
      ['Pls do NEFT to 918020047382910, IFSC UTIB0000456', '918020047382910'],
      ['Anita Rao, HDFC bank, 50100293847561, branch Koramangala', '50100293847561'],
      ['Bitte auf Konto 532013000, BLZ 37040044', '532013000'],
      ["It's 20-11-09 then 58203917.\nThat is for my bank, for the refund.", '58203917'],
      ['wire it to First Harbor Bank, SWIFT FHBKUS33, account of Elena Moss, 0048291774.', '0048291774'],
      ['my bank is Chase, for the deposit refund. Number is 839201746.', '839201746'],
      ['Standing order to Mrs Lowe, 63019284, 20-44-91', '63019284'],
      ['Pay it into ASB 12-3140-0171323-50 please', '12-3140-0171323-50'],
      ['GIRO to DBS 003-912847-5', '003-912847-5'],
      ['What account number did they give you?\nI wrote down 218394820173.\nIt bounced at the bank.', '218394820173'],
      ['please switch my direct deposit.\nNew: 7719283046', '7719283046'],
      ['Savings - 7229863481', '7229863481'],
      ['List\norder_no,payee,account_no\n48201765,Northgate,58203917', '58203917'],
      ['Citibank transfer went to 2563541208, the operating account', '2563541208'],
      ['三菱UFJ銀行 本店（当）0183920', '0183920'],
      ['口座番号を間違えました。正しくは1829304です。', '1829304'],
      ['1829304が口座番号です。', '1829304'],
      ['引落口座：京都銀行 四条支店 1829304', '1829304'],
      ['返金先の口座を教えてください。\n客：三井住友の梅田支店、1829304です。', '1829304'],
      ['カード引落: 千葉銀行 柏支店 普通 No1829304', '1829304'],
      ['振込エラー：該当口座なし（0001-210-1-1829304）', '1829304'],
      ['全銀データ 0001 110 1 4083716 ﾔﾏｼﾀ', '4083716'],
      ['振込先銀行,支店,番号,金額\nみずほ,渋谷,1829304,120000', '1829304'],
      ['振込先銀行,種別,番号,金額\nみずほ,普通,1829304,120000', '1829304'],
      ['the suspect moved it from 0284719203 to them, at Regions Bank', '0284719203'],
      ['Q: Which account will you be paying from?\nA: 6620193847', '6620193847'],
      ['ours at monzo 04-00-03 / 17283946 cheers', '17283946'],
      ['Cancelled cheque enclosed: 914010038475610, Axis', '914010038475610'],
      ['her savings at Ally, no. 2139482017.', '2139482017'],
      ['my DBS Multiplier 120-394857-3 please', '120-394857-3'],
      ['債務者名義の普通預金（店番015、番号3948172）、きらぼし銀行', '3948172'],
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
      'our bank needs the invoice number 48201765',
      'Payment reference: 48201765. Bank details are on the website.',
      'The deposit of 4839201 was made at the bank.',
      'Customer number 48201765, bank details updated',
      'customer_id,bank,updated\n48201765,Barclays,20240502\n71820364,Lloyds,20240503',
      'GL account 48201765 bank charges',
      'Chart of accounts: 1010200 Bank current account, 1010300 Bank savings',
      'AWS account 482017654839 has no bank on file',
      'BLZ: 37040044 is the code of the bank',
      'BACS 00000120000 at the bank',
      'SELECT id FROM bank_accounts WHERE id = 48201765;',
      'INSERT INTO 振込履歴 (id, 金額) VALUES (1829304, 120000);',
      'routing protocol AS 6453620',
      'licences of 2022: 12345678 nationwide',
      'APY of the savings account on balances from 100000 to 249999 at the bank',
      'West Bank: it has 3000021',
      'The bank of the river. It is 4820176.',
      'bank wire 20240611',
      'bank wire 1718093400 ok',
      'a bank transfer of 7777777',
      'wire transfer, call 0345551234',
      'my bank, passport no 48201765',
      '受付番号 1829304 口座振替の申込',
      '会員番号 1829304、引落口座は登録済み',
      '振込金額 1829304 を確認しました。銀行',
      '科目コード,科目名\n1110200,普通預金\n1110300,当座預金',
      '銀行の利用者は1829304名',
      '銀行 顧客番号は182930です',
      '支店,件数\n渋谷支店,1829304\n梅田支店,4820193',
      'ゆうちょ銀行（9900）の店番',
      '口座を登録してください\n銀行コード: 0172',
      '口座ID,残高\n39481,3948172\n39482,1203948',
      '<BSB>633000</BSB>',
      'var nsc = sc == 4294967290, nsu = su',
      'in the bank it is 4294967295',
      'Policy holder 81726354 pays by direct debit',
      'Supplier 50192837 bank details verified',
      '売上 3948172 入金 みずほ銀行',
      '銀行への届出番号 3948172',
      'the nationwide 81726354 count',
    ],
  },
};

/** Those at their labels that are accounts at a bank, and those that the rest of the text tells. */
function completed(text: ScanText, labelled: readonly Detection[]): Detection[] {
  if (labelled.length === 0 && !manyDigits.test(text.shadow)) return [];
  const records = accountsInRecords(text.shadow);
  const others = new OtherAccounts(text);
  const isOther = (place: Stretch, context: string) => isInLine(records.lines, place) || others.has(place, context);
  const headings = new CellHeadings(text.shadow);
  const isAmount = ({ start, end, context = '' }: Detection) =>
    kinds.test(context) && amountHeading.test(headings.over(start, end) ?? '');
  const found = labelled.filter((one) => !isOther(one, one.context ?? '') && !isAmount(one));
  const add = ({ start, end }: Stretch, score: number, context: string) =>
    found.push(detectionAt(text, start, end, { type: 'BANK_ACCOUNT', score, recognizer: name, context }));
  for (const [start, end, context] of accountsByEvidence(text, name, found))
    if (!isOther({ start, end }, 'account')) add({ start, end }, 0.7, context);
  for (const account of records.accounts) add(account, 0.9, 'record');
  if (found.length === 0) return found;
  for (const repeat of repeatsOf(text.shadow, found)) add(repeat, 0.7, 'account');
  return found.sort((a, b) => a.start - b.start);
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
