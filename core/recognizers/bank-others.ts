/** Accounts that are none at a bank: of a customer, a bill, a login, the books, a row about customers. */
import type { ScanText } from '../shadow.ts';
import { headingOver } from '../tables.ts';
import type { Stretch } from './stretch.ts';

/** Labels that stand for any account. */
const anyAccount =
  /^(?:account|accounts|acct|acc|a\/c)(?:[ _.-]?(?:no|num|number|nr|#))?$|^(?:to|from|into|debit|credit)[ _-]account$/;
/** More that speaks of a bank. */
const ofBank =
  /(?<![a-z])(?:bank(?:s|ing)?|bsb|sort ?code|s\/c|routing|aba|rtn|branch|swift|bic|blz|ifsc|direct deposit|wired?|transit|inst(?:itution)?|credit union|payroll|beneficiary|payee|ach|bacs|neft|checking|savings|refund(?:ed|s)? (?:in)?to|pa(?:y|id|ying) (?:in)?to|transfer(?:red)? (?:in)?to|debit(?:ed)? from|chase|wells fargo|barclays|natwest|hsbc|lloyds|halifax|santander|monzo|starling|westpac|anz|nab)(?![a-z])|銀行|支店|振込|引落/i;
/** `your customer account with us is` */
const owned =
  /(?<![a-z])(?:customer|client|user|guest|web|online|web ?site|portal|member(?:ship)?|loyalty|rewards?|points|frequent flyer|frequent traveller|council tax|tax|toll|utility|electric(?:ity)?|gas|water|sewer|energy|power|broadband|internet|wireless|mobile|cable|phone|billing|bill|service|subscription|library|gym|patient|student|lunch|parking|rental|shopper|store|hosting|cloud|crm|loan|mortgage|rent|credit card|salesforce|zendesk|stripe|trading|demo|game|gaming|player|email|e-mail|login|sso|ad|domain|linux|unix|system|app)['’]?s? (?:account|acct|acc|a\/c)(?: (?:no|num|number|nr|id))?\.?$/i;
/** The code of a bank behind the number. */
const codeBehind = /^[^.\n]{0,16}(?:sort|s\/c|bsb|routing|aba|ifsc|[0-9]{2}-[0-9]{2}-[0-9]{2})/i;
/** `the phone number on the account` */
const asked =
  /(?<![a-z])(?:phone|mobile|cell|contact|telephone|order|card|policy|claim|case|member) (?:number |no\.? |id )?(?:on|for|linked to|under|with) (?:the|my|your|this|his|her) (?:account|acct)$/i;
/** `account number on my bill`, `account with us`. */
const onBill =
  /^(?:s|'s)?(?: (?:no|number|num))?\.? (?:on|from|printed on|shown on|at the top of|in) (?:(?:my|your|the|our|this|each|every|last|latest|most recent) )*(?:\w+ )?(?:bill|invoice|meter|contract|policy|order|website|portal|app|letterhead|receipt)(?![a-z])|^(?: (?:no|number|num))?\.? with (?:us|you)(?![a-z])/i;
/** What happens to a login. */
const ofLoginBehind =
  /^["']?,? (?:\([^()\n]{1,24}\) )?(?:(?:has been|have been|was|is|got|will be|being) )?(?:locked|unlocked|lockout|disabled|logged|login|log-?in|signed|sign-in|authenticated|failed (?:to )?(?:log|sign|auth)|password|deleted|banned|impersonat|session|mfa|2fa|from (?:ip|host))/i;
/** Things that are billed or logged into. */
const billed =
  /(?<![a-z])(?:bill is|billing|your bill|my bill|(?:first|next|last|latest) bill|bill of|(?:energy|your|our|the) supply|e-?bill|the bill|meter|kwh|tariff|electric(?:ity)?|gas (?:bill|supply|meter)|water (?:bill|supply|rates)|sewer|broadband|internet (?:bill|service|provider)|mobile (?:bill|plan|contract)|utility|utilities|council tax|energy (?:supplier|bill|account)|smart meter|loyalty|reward points|miles|points balance|username|log ?in|logged in|log in|password|service address|outage|router|subscription|toll|license plate|sshd|authd|pam_|ldap|lockout)(?![a-z])/i;
/** `Total accounts opened: 1284417` */
const countOf =
  /(?<![a-z])(?:accounts (?:opened|closed|created|migrated|affected|activated|held|processed|blocked|reviewed)|(?:total|active|inactive|dormant|number of|average|new|open|closed|all|unique|affected)[a-z ]{0,24} accounts)(?: \([^()\n]{1,16}\))? ?[:=–-]{0,2} ?$/i;
/** A table of the books, or of customers. */
const bookHeading =
  /(?:^|\n)(?:debit|dr)\n(?:.*\n)*?(?:credit|cr)\n|(?:^|\n)(?:gl|g\/l|cost cent(?:er|re)|trial balance|ledger)/;
const customerHeading =
  /(?:^|\n)(?:(?:account |customer |deal )?(?:owner|stage|arr|mrr|renewal(?: date)?|csm|account manager|industry|segment|tier|plan|lead source|opportunity|pipeline|last login|last order|signup(?: date)?|nps|health score|seats|territory|rep|sales rep|close date|contract end|meter|usage|kwh|loyalty points|points))\n/;
const bankHeading =
  /bank(?! fee)(?!s? name)|bsb|sort|routing|aba(?![a-z])|ifsc|rtn|swift|iban|branch|payee|beneficiary|transit|銀行|支店/;
/** All of the text is about the books. */
const books =
  /chart of accounts|(?<![a-z])(?:trial balance|general ledger|gl (?:codes?|accounts?|export)|coa(?![a-z]))|勘定科目|試算表|総勘定元帳/i;

/** Tells which accounts of a text are none at a bank. The books are looked for once. */
export class OtherAccounts {
  readonly #text: ScanText;
  #isOfBooks: boolean | undefined;

  constructor(text: ScanText) {
    this.#text = text;
  }

  /** True for the number when what is around its label says whose account it is. */
  has({ start, end }: Stretch, context: string): boolean {
    const { shadow } = this.#text;
    if (countOf.test(shadow.slice(Math.max(0, start - 64), start))) return true;
    if (!anyAccount.test(context)) return false;
    const before = shadow.slice(Math.max(0, start - 64), start);
    const behind = shadow.slice(end, end + 40);
    if (ofLoginBehind.test(behind) && !ofBank.test(before.slice(-24))) return true;
    const headings = this.#headings(start);
    if (headings !== undefined) {
      if (bankHeading.test(headings)) return false;
      return bookHeading.test(headings) || customerHeading.test(headings);
    }
    if (end - start <= 7) {
      this.#isOfBooks ??= books.test(shadow);
      if (this.#isOfBooks) return true;
    }
    const label = before.toLowerCase().lastIndexOf('acc');
    if (label < 0) return false;
    const phrase = before.slice(0, label) + (/^(?:account|acct|acc|a\/c)/i.exec(before.slice(label))?.[0] ?? '');
    const rest = before.slice(phrase.length);
    if (owned.test(phrase) && !ofBank.test(rest) && !codeBehind.test(behind)) return true;
    if (onBill.test(rest) || asked.test(phrase)) return true;
    const around = shadow.slice(Math.max(0, start - 90), end + 60);
    return billed.test(around) && !ofBank.test(around);
  }

  /** All headings of the table with the place, in lower case, each on a line. */
  #headings(at: number): string | undefined {
    const { shadow } = this.#text;
    const heading = headingOver(this.#text, at);
    if (heading === undefined) return undefined;
    const lineStart = shadow.lastIndexOf('\n', heading.start) + 1;
    const newline = shadow.indexOf('\n', heading.start);
    const line = shadow.slice(lineStart, newline < 0 ? shadow.length : Math.min(newline, lineStart + 400));
    return `${line
      .toLowerCase()
      .split(/[\t|;,]| {2,}/)
      .map((cell) => cell.replace(/["'`]/g, '').trim())
      .filter((cell) => cell !== '')
      .join('\n')}\n`;
  }
}
