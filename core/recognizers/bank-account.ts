/** Bank account numbers by the word before them, and US routing numbers by their check digit. */
import { CellHeadings } from '../cell-headings.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';
import { bankSigns } from './bank-context.ts';
import { accountsByEvidence } from './bank-evidence.ts';
import { accountsAtLabels, kinds } from './bank-labelled.ts';
import { OtherAccounts } from './bank-others.ts';
import { accountsInRecords, isInLine } from './bank-records.ts';
import { repeatsOf } from './bank-repeats.ts';
import type { Stretch } from './stretch.ts';

const name = 'bank-account';
const amountHeading = /額|残高|合計|借方|貸方|売上|件数/;

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
    '(rdfi|odfi|r/t|mmbid)',
    '(futsu|futsuu|toza|touza)',
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
    return completed(text, accountsAtLabels(text, name));
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
      ['The dues are drafted from checking 60014482791.', '60014482791'],
      ['savings: 60014482791', '60014482791'],
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
      ['RDFI: 314074269\nAmount: $1,312.77', '314074269'],
      ['<ClrSysMmbId><MmbId>026009593</MmbId></ClrSysMmbId>', '026009593'],
      ['My credit union says R/T 322281617', '322281617'],
      ['furikomi: MUFG Shinjuku, futsu 0418827', '0418827'],
      ['Account Number:\n1 047 6183 2290 at U.S. Bank', '1 047 6183 2290'],
      ['joint acct at TD, 6320418', '6320418'],
      ['trust account at First National, 0210044829', '0210044829'],
      ['my POSB 194-22883-1 please', '194-22883-1'],
      ['キャッシュカードは武蔵野銀行で 0133-045-1126890 です', '1126890'],
      ['農協の口座（JA松本 今井支所）0018273へ', '0018273'],
    ],
    noMatch: [
      'user account 12345678',
      'savings accounts at the bank. Active accounts: 804213',
      'Total accounts opened: 1284417 (bank)',
      'Refund of my deposit at the bank (Reg. No. 210021067341)',
      'The bank has cleared it. Clearing document 1400027745',
      'Your bank account number. Call 0800 096 0000',
      '振込先を下記でお願いします。\n\n社員番号：204417',
      'ACME LTD 4820176 at the bank',
      'Your account number is 8500 2217 4638 and your first bill will be sent',
      'GL account 61020400, cost centre 3310, to account 21050000',
      'Chart of accounts: account 110200 cash at bank, account 240100 payroll',
      'account id 12345678',
      'Account: 12345678, Region: EU',
      '普通列車 1234567',
      '普通 2024年4月',
      '口座を2024年に開設',
      'routing number 021000022',
      'checking 12 of 345678 files',
      'now checking 60014482791',
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

/** No number has more digits in a row, but records of banks have; they are a word. */
const digitsMax = 40;
const manyDigits = /[0-9]{41}/;

/** True for a text that may hold an account without a label. */
function hasSixDigits({ shadow, bytes, digitRuns, longWords }: ScanText): boolean {
  if (digitRuns.length > 0) return true;
  for (const { start, end, hasDigit } of longWords) {
    if (!hasDigit) continue;
    // So many digits in a row hold one of these places.
    for (let i = start + digitsMax; i < end; i += digitsMax + 1) {
      const c = bytes[i] as number;
      if (c < 0x30 || c > 0x39) continue;
      if (manyDigits.test(shadow.slice(start, end))) return true;
      break;
    }
  }
  return false;
}

/** Those at their labels that are accounts at a bank, and those that the rest of the text tells. */
function completed(text: ScanText, labelled: readonly Detection[]): Detection[] {
  if (labelled.length === 0 && !hasSixDigits(text)) return [];
  const records = accountsInRecords(text);
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
  for (const repeat of repeatsOf(text, found)) add(repeat, 0.7, 'account');
  return found.sort((a, b) => a.start - b.start);
}
