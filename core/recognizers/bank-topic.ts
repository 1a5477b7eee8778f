/** What the words before a number are about: in a text about an account the number may stand sentences and turns away. */
import { isAsciiLetter } from '../characters.ts';

/** Accounts, banks and their codes. */
const ownTopic =
  'account|accounts|acct|a/c|acc|bank|banks|bsb|sort code|s/c|transit|inst|institution|routing|aba|rtn|ifsc|direct deposit|payroll deposit|checking|savings|chequing|credit union|barclays|natwest|hsbc|lloyds|halifax|nationwide|santander|monzo|starling|revolut|tsb|chase|wells fargo|citizens|westpac|anz|nab|pnc|ally|hdfc|icici|sbi|rbc|scotiabank|bmo|cibc|konto|blz';
/** What has a number that is told in the same way. */
const otherTopic =
  'orders?|tickets?|case|claim|invoices?|booking|bookings|reservation|confirmation|conf|reference|ref|tracking|member(?:ship)?|customer|client|employee|staff|policy|passport|licen[cs]e|meter|loan|card|cheque|check|case|student|patient|supplier|vendor|receipt|transaction|serial|model|part|charity|company|registration|vat|tax|abn|ein';
const alone =
  'phone|telephone|mobile|cell|fax|ssn|social security|last four|date of birth|dob|birthday|born|postcode|zip|amount|total|balance|passcode|one-time code|verification code|otp|pin|imei|iban|extension|gate|score|(?:reference|booking|reservation|ticket|case|policy|claim|membership|tracking|confirmation)(?= ?[?])|invoice|order|claim number|abn|vat';
const topic = new RegExp(
  `(?<![a-z])(?:(${ownTopic})(?:['’]s)?|((?:on|to|in) (?:the|my|your|this|that) (?:account|file))|(?:${otherTopic})['’]?s?(?: (?:no|nr|num|number|id|code|ref|reference)\\b|#|: ?(?=[0-9]{4}))|(?:${alone}))(?![a-z])`,
  'iy',
);
/** The first two letters of those words, whichever their case: most words have none of them. */
const firstPairs = new Set(
  ['on', 'to', 'in', ...`${ownTopic}|${otherTopic}|${alone}`.replaceAll('(?:', '').split('|')].map((word) =>
    pairAt(word, 0),
  ),
);

function pairAt(text: string, i: number): number {
  return ((text.charCodeAt(i) & 31) << 5) | (text.charCodeAt(i + 1) & 31);
}

const japaneseTopic =
  /(口座|振込先|返金先|送金先|引落先|支店|銀行|信用金庫|信金|信組|労金|農協|ゆうちょ|貯金|普通|当座|預金|通帳)|受付|注文|会員|社員|従業員|顧客|お客様番号|電話|携帯|TEL|伝票|予約|請求書|暗証|生年月日|郵便番号|契約|保険|患者|取引番号|問い?合わ?せ|登録番号|整理番号|金額|残高|合計/g;

/** What the last word for something with a number is about: accounts and banks, or another thing. */
export function topicOf(before: string, isJapanese: boolean): 'account' | 'other' | undefined {
  let last: 'account' | 'other' | undefined;
  for (const [, own, aside] of isJapanese ? before.matchAll(japaneseTopic) : topicsIn(before))
    if (aside === undefined) last = own === undefined ? 'other' : 'account';
  return last;
}

function* topicsIn(before: string): Generator<RegExpExecArray> {
  let isInWord = false;
  for (let i = 0; i < before.length; i++) {
    const wasInWord = isInWord;
    isInWord = isAsciiLetter(before.charCodeAt(i));
    if (!isInWord || wasInWord || !firstPairs.has(pairAt(before, i))) continue;
    topic.lastIndex = i;
    const found = topic.exec(before);
    if (found === null) continue;
    yield found;
    i += found[0].length - 1;
    isInWord = isAsciiLetter(before.charCodeAt(i));
  }
}

/** Codes of banks, each with the number of digits of the accounts at them. */
const codes: readonly (readonly [RegExp, RegExp])[] = [
  [/(?<![0-9-])[0-9]{2}-[0-9]{2}-[0-9]{2}(?![0-9-])|sort code/i, /^[0-9]{8}$/],
  [/(?<![a-z])bsb(?![a-z])/i, /^[0-9]{6,9}$/],
  [/transit[^\n]{0,24}inst|inst[^\n]{0,24}transit/i, /^[0-9]{7,12}$/],
  [/(?<![A-Z])[A-Z]{4}0[A-Z0-9]{6}(?![A-Z0-9])/, /^[0-9]{9,17}$/],
  [/routing|(?<![a-z])(?:aba|rtn)(?![a-z])/i, /^[0-9]{7,14}$/],
];

/** True when the text before or behind holds the code of a bank at which accounts have so many digits. */
export function isOfCode(around: string, digits: string): boolean {
  return codes.some(([code, form]) => form.test(digits) && code.test(around));
}
