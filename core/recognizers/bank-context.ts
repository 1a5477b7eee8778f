/** What stands around the number of a bank account: words for banks, codes of banks, and what says that it is another number. */
import { isAsciiLetter } from '../characters.ts';
import type { Stretch } from './stretch.ts';

/**
 * Words for banks, as they are searched for; {@link weightOfSign} tells which of their places count. Japanese ones by few
 * characters, since the search has room for 255 in all.
 */
export const bankSigns: readonly string[] = [
  'bank',
  'bsb',
  'ifsc',
  'clabe',
  'neft',
  'rtgs',
  'routing',
  'transit',
  'payee',
  'beneficiary',
  'standing order',
  'direct debit',
  'remit',
  'wire',
  'ach ',
  'eft',
  'giro',
  'blz',
  'konto',
  'cheque',
  'payroll',
  'payout',
  'refund',
  'reimburse',
  'deposit',
  'clearing',
  'nsc',
  'conta corrente',
  'chase',
  'wells fargo',
  'citizens',
  'hdfc',
  'icici',
  'westpac',
  'dbs',
  'ocbc',
  'posb',
  'bdo',
  'anz',
  'nab',
  'asb',
  'sbi',
  'chime',
  'pnc',
  'chaps',
  'void',
  'conto',
  'payment',
  'paying',
  'details',
  'kotak',
  'axis',
  'regions',
  'credit union',
  'passbook',
  'nach',
  'pay to',
  'transfer',
  'rent ',
  'rent:',
  'payslip',
  'pay stub',
  'sort ',
  'truist',
  'bendigo',
  'cba',
  'rbc',
  'bmo',
  'cibc',
  'capital one',
  'usaa',
  'schwab',
  'bofa',
  'tangerine',
  'scotia',
  'desjardins',
  'simplii',
  'macquarie',
  'suncorp',
  'ubank',
  'uob',
  'cimb',
  'bpi',
  'aib',
  'ptsb',
  'danske',
  'sofi',
  'varo',
  'fifth third',
  'huntington',
  'navy federal',
  'umpqua',
  'comerica',
  'idfc',
  'canara',
  'baroda',
  'td ',
  'td,',
  'building society',
  'saver',
  'money market',
  '銀',
  '金庫',
  '信金',
  '支店',
  '振',
  '引',
  '貯金',
  '定期預金',
  '通帳',
  'バンク',
  '当',
];

const strongEnglish =
  /^(?:bank(?:ing)? (?:details?|info(?:rmation)?|account|acct|transfer|a\/c)|bankaccount|bsb|ifsc|clabe|neft|rtgs|routing (?:no|num|number|code|transit)|payee|beneficiary|standing order|direct debit|remittance|wire (?:instructions?|transfer|it|the|to|from)|direct deposit|ach|eft|giro|blz|konto|conto|sort code|s\/c|bacs|aba|rtn|dda)/i;
/** Whole words, with an ending at most; banks with a name in front of it. */
const english =
  /^(?:bank(?:s|ing|verbindung)?|bsb|ifsc|clabe|neft|rtgs|routing|transit|payees?|beneficiary|standing orders?|direct debits?|remit(?:s|ted|tance)?|wir(?:e|es|ed|ing)|ach|eft|giro|blz|conto|konto(?:nr|nummer)?|cheques?|payroll|payouts?|refund(?:s|ed)?|reimburse(?:d|ment)?|deposit(?:s|ed)?|clearing|agência|conta corrente|credit unions?|building society|(?:instant|easy|online|regular|fixed|isa|cash) saver|saver|money market|passbook|nach|pay ?slips?|pay ?stubs?|void(?:ed)? ch(?:e?ck|eque|k))(?![A-Za-z])/i;
/** Names, which begin with a capital. */
const named =
  /^(?:Chase|CHASE|Wells Fargo|Citizens|HDFC|ICICI|Westpac|DBS|OCBC|POSB|BDO|ANZ|NAB|ASB|SBI|Chime|PNC|CHAPS|NSC|Kotak|Axis|AXIS|Regions|Truist|Bendigo|CBA|RBC|BMO|CIBC|Capital One|USAA|Schwab|BofA|Tangerine|Scotia(?:bank)?|Desjardins|Simplii|Macquarie|Suncorp|Ubank|UBank|UOB|CIMB|BPI|AIB|PTSB|Danske|SoFi|Varo|Fifth Third|Huntington|Navy Federal|Umpqua|Comerica|IDFC|Canara|Baroda|TD)(?![A-Za-z])/;
/** `and sort is 20-44-18` */
const sortTold = /^sort(?: is| no\.?)?[:,]? ?[0-9]{2}-[0-9]{2}-[0-9]{2}/i;
/** Banks that are none: `river bank`, `bank of 1024 cells`, `wire gauge`, `a routing table`. */
const noBank =
  /^(?:bank (?:of (?:[0-9]|cells|memory|lights|fog)|[0-9]{1,2}(?![0-9-])|holiday|conflict)|wire (?:gauge|format|protocol|frame|harness)|routing (?:table|key|rule|policy|protocol)|transit (?:gateway|time|system|pass|visa)|deposit (?:layer|rate)|clearing (?:the|of|up|cache)|cheque(?:red)?d)/i;
const noBankBefore = /(?<![a-z])(?:river|west|power|memory|blood|food|data|image|question|piggy|barb(?:ed)?|in) $/i;

const japaneseWeights: readonly (readonly [RegExp, number])[] = [
  [/^(?:銀行|金庫|信金|支店|口座|振り?込|引き?落)/, 3],
  [/^(?:貯金|定期預金|通帳|バンク|普通|当座|ゆうちょ)/, 2],
];

/** 3 for a word that is for nothing but accounts, 2 for banks, 0.5 for payments, 0 where it speaks of another thing. */
export function weightOfSign(shadow: string, start: number): number {
  const here = shadow.slice(start, start + 24);
  if (here.charCodeAt(0) > 0x2fff) {
    // `（当）0183920`
    if (here.startsWith('当')) return shadow.charAt(start - 1) === '(' && here.charAt(1) === ')' ? 2 : 0;
    // `全銀`
    if (here.startsWith('銀') && shadow.charAt(start - 1) === '全') return 3;
    return japaneseWeights.find(([sign]) => sign.test(here))?.[1] ?? 0;
  }
  // `Citibank` is one, `embankment` is none.
  const isInWord = isAsciiLetter(shadow.charCodeAt(start - 1));
  if (isInWord && !/^(?:bank|giro)(?![a-z])|^[A-Z][a-z]/.test(here)) return 0;
  if (noBank.test(here) || noBankBefore.test(shadow.slice(Math.max(0, start - 12), start))) return 0;
  if (isInWord) return 2;
  if (strongEnglish.test(here) || sortTold.test(here)) return 3;
  if (/^(?:pay(?:ing|ments?)|pay to|rent|transfer(?:s|red)?|details)(?![A-Za-z])/i.test(here)) return 0.5;
  return english.test(here) || named.test(here) ? 2 : 0;
}

/** Names that are labels, because a sort code and an account stand behind them. */
const britishBank =
  /^(?:barclays|natwest|hsbc|lloyds|halifax|nationwide|santander|monzo|starling|revolut|first direct|tsb|royal|metro|virgin)/;
/** Those that are words for other things, too, unless they begin with a capital. */
const wordOfBank = /^(?:halifax|nationwide|starling|first direct|royal|metro|virgin)/;
const endOfPart = /^(?:[,.;)\n]|\s*$| acc| and )/;
/** `her savings at Ally` */
const atBank = /^ (?:at|with) [A-Z]/;
/** Accounts that are held at banks only: `joint acct at TD`. */
const heldBefore =
  /(?<![a-z])(?:trust|escrow|iolta|operating|joint|estate|offset|everyday|salary|pension|nominated|money market|sb|nre|nro|cheque|receiving) $/i;
/** The same for the labels that the recognizer has anyway. */
export function weightOfLabel(shadow: string, { start, end }: Stretch): number {
  const label = shadow.slice(start, end).toLowerCase();
  if (/^(?:account|acct|acc|a\/c)$/.test(label)) {
    if (label === 'account' && /(?:which|what) $/i.test(shadow.slice(Math.max(0, start - 8), start))) return 2;
    return heldBefore.test(shadow.slice(Math.max(0, start - 16), start)) ? 2.5 : 1.5;
  }
  if (noBank.test(shadow.slice(start, start + 24))) return 0;
  if (britishBank.test(label)) return /^[A-Z]/.test(shadow.slice(start, start + 1)) || !wordOfBank.test(label) ? 2 : 0;
  if (/^(?:checking|savings)$/.test(label)) {
    if (/[,;|\t]/.test(shadow.slice(end, end + 1))) return 2;
    if (atBank.test(shadow.slice(end, end + 12))) return 3;
    // `configure fails checking it`
    return label === 'checking' && shadow.startsWith(label, start) && !endOfPart.test(shadow.slice(end, end + 8))
      ? 1
      : 1.5;
  }
  if (label === 'chequing') return 1.5;
  return /^(?:記号|普通|当座|貯蓄|to account|from account|into account)$/.test(label) ? 2 : 3;
}

const unit =
  /^を[^。\n]{0,12}(?:入力|記入|付け|添え)|^ (?:to|-) [0-9]{4,6}(?![0-9-])|^["')\]]? ?(?:年|月|日|時|分|円|万|千|件|人|社(?!員)|台|本|枚|冊|名(?!義)|個|口(?!座)|行(?!員)|回|歳|列|通|番(?!号)|番系統|系統|ポイント|バイト|株|%|％|of (?:the )?[0-9]|(?:usd|eur|gbp|jpy|inr|aud|cad|sgd|won|rupees|yen|dollars?|euros?|pounds?|cents?|bytes?|[kmgt]i?b|ms|ns|us|secs?|seconds?|files?|rows?|records?|entries|items?|users?|customers?|payees?|people|members|birds|tokens?|blocks?|objects?|cells|shares|points|miles|times|days|years|lines|transactions|payments|accounts|requests|messages)(?![A-Za-z]))/i;
/** `the deposit of 4839201`. */
const quantity =
  /(?<![a-z])(?:deposits?|wires?|refunds?|transfers?|savings of|payments?|total|balance|sum|amount|fees?|count|size|hash|worth|population|value|limit|payout|withdrawal|principal|invoiced?)(?: (?:of|is|was|fee|total|amount|control)){0,3}[: =]{0,3}$|(?<![0-9])[0-9]{4,6} (?:to|-) $/i;
/** An identifier in a program, or a code that is told beside a bank. */
const otherLabel =
  /(?<![a-z])(?:(?:(?!acct?|account|bank|nu?m)[a-z]+[ _-]?)?id|ids|[a-z]+_(?:cd|kbn|seq|key)|sun|service user(?: number)?|otp|pin|token|code|trace|utr|auth|approval|batch|run|entr(?:y|ies)|company|registered(?: in [a-z]+)?|vat|ein|frn|firm|fca|loan|mortgage|lease|policy|claim|member(?:ship)?|customer|client|supplier|vendor|merchant|tenant|student|employee|staff|payroll|user|ext(?:ension)?|call|phone|tel|fax|mobile|helpline|line|desk|text|on|dial|ref|reference|mandate|contract|originator|fedwire|imad|omad|ledger|gl|cost cent(?:er|re)|cheques?|checks?|slips?|teller|suite|room|box|port|timestamp|date|version|message|msg|case|card|ending|ends|branch|clearing|document|doc|reg(?:n|d|istration)?|adm(?:ission)?|roll|enrol(?:l)?ment|application|appl?n|passport|swift|bic|cif|uan|ppo|epf|pan|gstin?|tin|nric|uen|abn|acn|tfn|ird|lei|npi|utri?|crn|biller code|bpay|order|group|unit|number of|over|about|approximately|up to|at least|than)\.?(?: (?:no|nr|num|number|ref|reference|code|id|#)\.?)?(?: (?:is|was|in|on|no|at|to|ref|your bank on))*["')]?[.:=,# ]{0,3}["'(]?$/i;
/** The code of a bank is told here, which is no account. */
const ofCode =
  /(?<![a-z])(?:routing|aba|rtn|sort code|s\/c|bsb|blz|nsc|transit|clearing|bank code)(?: (?:transit )?(?:no|nr|num|number|code|#)\.?)?(?: (?:is|was))?["')]?[.:=,#> ]{0,3}["'(]?$/i;
/** `UAN: ` at the beginning of a line. */
const initials =
  /\n[ \t]*(?!(?:BSB|DDA|ACH|A\/C|ACC|ACCT|BANK|IBAN|NUBAN|EFT|ABA|RTN|CLABE|FFC|GIRO|OLD|NEW|NO|NR|CR|DR|FROM|TO)[:#. ])[A-Z]{2,8}(?: (?:no|number|NO))?\.? ?[:#] ?$/;
/** A round number that is compared. */
const compared = /[a-z_)] ?[<>]=? ?$/;
/** A list of cheques, each with its amount; an element of XML. */
const numberedThing =
  /(?<![a-z])(?:payment|pmt|deposit|transfer|transaction|confirmation|refund|wire) ?(?:#|no\.?|num|number|id|ref(?:erence)?)[.: ]{0,3}$/i;
const listed =
  /(?<![a-z])che(?:cks|ques)(?:[^\n:]{0,24}:)? ?(?:[0-9]{3,7}(?: ?\([^()\n]{1,14}\))?,? (?:and )?){0,3}$|<[a-z:_-]{0,24}(?:code|id|ref|reference|date|amount|invoice|order)> ?$|書[（(]No[.:]? ?$/i;
/** The number is the example of a rule. */
const example =
  /(?:例えば|たとえば|例[：:)）]|[（(]例[)）]|(?:サンプル|ダミー)(?=[はで:：])|仮に|for example|for instance|e\.g\.|placeholder|dummy)[^\n。0-9]{0,10}$/i;
/** What the number is for. */
const asOther =
  /^["'”’)]{0,2},? (?:as|for|is|in) (?:(?:the|your|my|our|a|payment) ){0,3}(?:ref|reference|invoice|order|memo|subject)(?![a-z])/i;
/** Values of a row, and books. */
const ofRow = /\bvalues?\s{0,2}\(\s{0,2}['"]?$/i;
/** Accounts of a book: `Chart of accounts: account 110200 cash`. */
export const ofBooks =
  /chart of accounts|ledger|(?<![a-z])(?:gl|g\/l|cost cent(?:er|re)|journal|liabilities|(?<!the |inland )revenue)(?![a-z])|勘定科目|科目コード|売掛金|買掛金|預り金|借方|貸方|仕訳/i;
/** Accounts of services: `AWS account 482017654839`. */
export const ofLogin =
  /(?<![a-z])(?:aws|azure|gcp|cloud|github|twitter|instagram|google|facebook|user|guest|email|steam|game|admin|service|storage)(?:'s)? account(?: (?:no|num|number|id|#))?\.?(?: is| was)?[.:=# ]{0,3}$/i;
/** The words directly before the number are for something else: `受付番号`, `振込額は`. */
const otherHead =
  /(?:(?:注文|受注|発注|受付|会員|顧客|お客様|社員|お客さま|職員|従業員|学籍|学生|請求|請求書|見積|伝票|取引|案件|契約|証券|保険|保証|承認|認証|確認|整理|管理|仕訳|処理|振込|依頼|申込|予約|問い?合わ?せ|追跡|商品|製品|登録|法人|事業者|企業|取引先|仕入先|得意先|債権者|委託者|加入者|被保険者|ローン|融資|電話|携帯|内線|郵便|様式|図書|患者|組合員|ユーザー?|メンバー|バッチ|チケット|問合|証書|手形|小切手|カード|端末|ATM|機械|車両|品)[ \u3000]?(?:番号|コード|No\.?|ID|ナンバー|番)?|(?:支店|銀行|金融機関|店|科目|部署|部門)(?:番号?|コード|No\.?|ID)|売上|仕入|入金|出金|経費|(?:ID|TEL|FAX|Tel|〒|OTP|パスワード|コード|番号札|記号|様式|ロット|シリアル|[機社品型連]番)|(?:振込|入金|出金|引落|返金|決済|請求|支払|合計|借入|利用|残)?(?:金額|額|合計|残高|総額|手数料|(?:利用|受講|使用|診療|保険|賃借|賃貸|会議|配送|送)料|料金|代金|会費|家賃|給与|件数|数|計|金|高|日|期限|期日|日付|日時|利息|元本|上限|限度額?|人口))(?:は|が|を|の|で|:|=|"|「|（|\(|\[|,|、|\t|\||[ \u3000]){0,4}$/i;
/** `届出番号`, whatever it is; not `新しい番号`. */
const numbered =
  /[\u3400-\u9fff\u30a1-\u30fa\u30fc]番号(?:は|が|を|の|で|:|=|"|「|（|\(|\[|,|、|\t|\||[ \u3000]){0,4}$/;
/** Of these the words for banks do not take the head. */
const ownHead =
  /(?:口座|通帳|普通|当座|貯蓄|預金|貯金|振込先|返金先|引落先|送金先)(?:の)?(?:番号|No\.?|ナンバー)?(?:は|が|を|の|で|:|=|"|「|（|\(|\[|,|、|\t|\||[ \u3000]){0,4}$/;

/** Who speaks, in a text in which they have spoken before. */
const speaker =
  /^(?:customer|client|user|member|caller|tenant|supplier|vendor|staff|employee|student|desk|お客様|お客さま|会員様?|社員|従業員|利用者|ユーザー) ?[:：] ?$/i;
const spoken =
  /(?:^|\n)(?:customer|client|user|member|caller|tenant|supplier|vendor|staff|employee|student|desk|agent|rep|assistant|support|お客様|お客さま|会員様?|社員|従業員|利用者|ユーザー|担当者?|AI|係|受付|窓口|オペレーター|スタッフ) ?[:：] ?[^0-9\n ]/i;
const turnsMax = 600;
/** True where the number is the first that somebody says in a chat: `Customer: 48810293`. */
export function isSpeaker(shadow: string, start: number): boolean {
  const sign = shadow.charCodeAt(start - (shadow.charCodeAt(start - 1) === 0x20 ? 2 : 1));
  if (sign !== 0x3a && sign !== 0xff1a) return false;
  const before = shadow.slice(Math.max(0, start - headMax), start);
  if (!speaker.test(before.slice(before.lastIndexOf('\n') + 1))) return false;
  return spoken.test(shadow.slice(Math.max(0, start - turnsMax), start - before.length + before.lastIndexOf('\n') + 1));
}

/** So much before a number may name it. */
const headMax = 40;

/** True when the words directly before say that the number is an example. */
export const isExample = (head: string) => example.test(head);

/** The code of a country or an area: `+81 3 `, `(02) `. */
const ofDial = /(?<![0-9])(?:\+[0-9]{1,3}[ .-]?(?:\(?[0-9]{1,4}\)?[ .-]?)?|\(0[0-9]{1,4}\) ?)$/;

/** True when the words directly before say that it is another number. */
export function isOtherNear(shadow: string, start: number, end: number): boolean {
  if (unit.test(shadow.slice(end, end + 16)) || asOther.test(shadow.slice(end, end + 40))) return true;
  const head = shadow.slice(Math.max(0, start - headMax), start);
  let own = head.slice(head.lastIndexOf('\n') + 1);
  if (isSpeaker(shadow, start)) own = '';
  return (
    // The commonest first.
    otherLabel.test(own) ||
    quantity.test(own) ||
    initials.test(start <= headMax ? `\n${head}` : head) ||
    listed.test(own) ||
    numberedThing.test(own) ||
    isExample(own) ||
    (compared.test(own) && shadow.startsWith('00', end - 2)) ||
    ofRow.test(own) ||
    ofLogin.test(own) ||
    (end - start === 9 && /(?<![a-z])micr[ :]{1,2}$/i.test(own)) ||
    (end - start <= 9 && ofCode.test(own)) ||
    ofDial.test(own)
  );
}

/** What may stand between such a word and the number. */
const signsBehind = 'はがをので:="「（([,、\t| \u3000';
/** What those of the words end with that are not Japanese: `ATM`, `ID`, `TEL`, `FAX`, `OTP`, `No.` */
const latinEnds = 'mdlxpo.';

/** The same for Japanese. */
export function isOtherJapanese(head: string): boolean {
  let last = head.length - 1;
  while (last >= 0 && signsBehind.includes(head.charAt(last))) last--;
  if (last < 0) return false;
  if (head.charCodeAt(last) < 0x80 && !latinEnds.includes(head.charAt(last).toLowerCase())) return false;
  return !ownHead.test(head) && (otherHead.test(head) || numbered.test(head));
}

const code =
  '(?:[0-9]{2}-[0-9]{2}-[0-9]{2}|[0-9]{2} [0-9]{2} [0-9]{2}|[0-9]{6}|[0-9]{3}[- ][0-9]{3}|[A-Z]{4}0[A-Z0-9]{6}|[0-9]{9}|[0-9]{5}[ -][0-9]{3})';
const codeBefore = new RegExp(
  `(?<![0-9A-Za-z-])${code}[)"']?(?:[,;:/|. \\t-]|\\n|and|then|acc(?:oun)?t|acc|a/c|no|num(?:ber)?|is|my|our|'s|the|with|[=#]){0,12}["'(]?$`,
  'i',
);
const codeBehind = new RegExp(
  `^["')]?[,;/|. \\t\\n(-]{0,4}(?:(?:and|at|with|the|my|under|sort codes?|sort|s/c|sc|bsb|ifsc|routing|rtn|aba|code|no|number|is|'s)[,;:/|. \\t\\n=#(-]{0,3}){0,4}${code}(?![0-9A-Za-z-])`,
  'i',
);

/** `transit 10202, inst 004, ` */
const canadian =
  /(?<![0-9])(?:[0-9]{5}[^0-9\n]{1,20}[0-9]{3}|[0-9]{3}[^0-9\n]{1,20}[0-9]{5})[^0-9A-Za-z\n]{1,3}(?:acc(?:oun)?t[ :]{0,3}|a\/c[ :]{0,3})?$/i;

/** True when the code of a bank or a branch stands directly beside the number. */
export function pairOf(shadow: string, start: number, end: number): boolean {
  const before = shadow.slice(Math.max(0, start - 40), start);
  return codeBefore.test(before) || canadian.test(before) || codeBehind.test(shadow.slice(end, end + 48));
}

const besideSortCode = /(?<![0-9-])[0-9]{2}-[0-9]{2}-[0-9]{2}(?:[ ,;/|)]{1,3}|, a\/c )$/;
const beforeSortCode =
  /^(?:[ ,;/|(]{1,3}| (?:[a-z']{2,8} ){0,2}(?:at|for|under|with|sort(?: code)?(?: is)?):? )[0-9]{2}-[0-9]{2}-[0-9]{2}(?![0-9-])/;

/** True for eight digits directly beside a sort code with its strokes. */
export function isWithSortCode(shadow: string, start: number, end: number): boolean {
  if (end - start !== 8) return false;
  return (
    besideSortCode.test(shadow.slice(Math.max(0, start - 16), start)) ||
    beforeSortCode.test(shadow.slice(end, end + 24))
  );
}

/** Behind the name of a branch, a bank or a kind of account. */
const afterBranch =
  /(?:支店|本店|営業部|出張所|支所|代理店|銀行|信用金庫|信金|労金|バンク|普通|当座|貯蓄|普|当|預金|貯金|口座|口座番号|通帳|(?:銀行|信金|金庫|バンク|みずほ|三井住友|三菱UFJ|りそな|ゆうちょ)[ \u3000・／/、の]{1,2}[^\n\u3041-\u30960-9 、。・／/:：]{1,8})(?:[ (（]?[0-9]{3}[)）]?)?(?:[ \u3000:：、・･／/|(（)）「［[】\]\-,→#＃]|の|は|No\.?|NO\.?|№|番号|口座){0,6}$/;
/** Of the data of the banks: bank, branch, kind of account. */
const afterCodes =
  /(?<![0-9])[0-9]{4}[ ,\t-](?:[^0-9\n]{1,12}[ ,\t])?[0-9]{3}[ ,\t-](?:[^0-9\n]{1,12}[ ,\t])?(?:0000[ ,\t])?[1249][ ,\t-]$|(?<![0-9-])[0-9]{4}-[0-9]{3}-$/;
/** The last of what is said: `いつものとこ。8829104` */
const saidLast = /[。、] ?$/;
const told = /(?:^|\n|番号|[:：「『（(［[→>＞=]|は|が|新|旧|[?？]|(?:誤|正|新|旧)[）)])、?[ \u3000「『（(>＞"']{0,3}$/;
const hinted = /(?:[。、,／/・| ]|の|を|で|へ|に|と|No\.?)[ \u3000「『（(]{0,2}$/;

/** Branches are of shops, too. */
const bankNamed =
  /銀行|信用?金庫|信金|労金|労働金庫|バンク|口座|振込|振り込|普通|当座|引落|引き落|返金|送金|預金|貯金|ゆうちょ|みずほ|三井住友|三菱|りそな|農協|JA|SBI|名義|全銀|通帳|[（(]当/;

/** True when the text around speaks of a bank. */
export const isOfBank = (around: string) => bankNamed.test(around);

/** How clearly Japanese words tell the number: 3 behind the codes of a branch, 2 behind the name of a branch or a kind of account, 1.5 behind a colon or `は`, less behind a blank. */
export function japaneseHead(head: string, tail: string): number {
  if (afterCodes.test(head)) return 3;
  if (afterBranch.test(head)) return 2;
  if (told.test(head)) return 1.5;
  if (saidLast.test(head) && /^[ \t]*(?:\r?\n|$)/.test(tail)) return 1.5;
  if (hinted.test(head)) return 0.5;
  return /[\u3041-\u3096]$/.test(head) ? 0 : -1;
}
