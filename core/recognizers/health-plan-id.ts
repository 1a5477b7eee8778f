/**
 * Member numbers of health plans that no label of their own names: `ID number` near a word for health insurance, or
 * `Member` before a number of the shape that insurers print.
 */
import { numberRight } from '../boundaries.ts';
import { isCapital } from '../characters.ts';
import type { KeywordHit } from '../keywords.ts';
import type { ScanText } from '../shadow.ts';

/** Words for health insurance, insurers among them: lower case, wherever they stand in a word. */
export const healthAnchors = [
  'health',
  'insur',
  'medica',
  'medi-cal',
  'dental',
  'blue cross',
  'blue shield',
  'bluecross',
  'bluecare',
  'blueshield',
  'bcbs',
  'aetna',
  'cigna',
  'humana',
  'kaiser',
  'unitedhc',
  'anthem',
  'tricare',
  'molina',
  'bupa',
  'copay',
  'co-pay',
  'rxbin',
  'rx bin',
  'rx group',
  'pcn ',
  'pcn:',
  'krankenkasse',
  'coverage',
  'member services',
  'ramq',
  'assurance maladie',
  'hcn',
  'phn',
  'mutual of omaha',
  'guardian',
  'delta dental',
  'metlife',
  'emblem',
  'harvard pilgrim',
  'tufts',
  'geha',
  'sun life',
  'manulife',
  'green shield',
  'medibank',
  'explanation of benefits',
  'ahcip',
  'secondary:',
  'primary:',
  'red white and blue',
  'red, white and blue',
  'soleil',
  'uhc',
  'united health',
  'premera',
  'highmark',
  'carefirst',
  'wellcare',
  'ambetter',
  'regence',
  'caremark',
  'optum',
  'express scripts',
  'oscar',
  'ehic',
  'ghic',
  'phn',
];
/** How near such a word has to be, in characters. */
const zone = 120;
const insurer =
  'aetna|cigna|humana|kaiser(?: permanente)?|blue ?cross|blue ?shield|bcbs|unitedhealth(?:care)?|uhc|anthem|tricare|molina|bupa|medi-cal|medicaid';
const holder = `rx|members?|membership|subscribers?|insured(?:['’]?s)?|policy[ -]?holders?|card[ -]?holders?|benefici?ary|recipients?|enrollees?|participants?|(?:health|dental|medical)(?: insurance| plan)?|(?:health )?insurance(?: card)?|${insurer}`;
const signs = '[\\s"\'`*:=#.>|,(){}\\[\\]-]';
const link = `(?:${signs}{1,3}(?:(?:is|was|as|reads?|says|shows|which|it)(?![a-z]))?){0,4}`;
const numberWord = '(?:no|nr|num|number|code|#)';
const idWord = `(?:id(?:entification)?|i\\.d\\.?)(?:[ ._-]?(?:card[ ._-]?)?${numberWord})?`;
/** Who answers, on the next line. */
const answer = '[?？.]?\\s{0,2}\\n[^\\n:：0-9]{1,20}[:>] ?';
const turn = `(?:${answer})?`;
const namedId = new RegExp(
  `(?<![a-z])(?:${holder})[ ._-]?(?:personal )?(?:${idWord}|${numberWord})(?:['’]s)?(?: (?:on|of|for|with|under|from) [^\\n.;:0-9]{2,30}(?: is|:))?${link}${turn}$`,
  'i',
);
/** `my new health card came, number …` */
const cardNumber = new RegExp(
  `(?<![a-z])(?:card|insurance|plan|cover(?:age)?)(?![a-z])[^\\n.;]{0,24}[\\s,(](?:no|number)${link}$`,
  'i',
);
/** Without a word for whose it is: at the start of a clause. */
const bareId = new RegExp(
  `(?:^|[\\n.,;:!?()|>{}"'-]\\s?|(?<![a-z])(?:my|his|her|our|your|their|the|with|new|old|and|under|card|plan) )(?:${idWord})${link}$`,
  'i',
);
/** Programs write `id` in front of all kinds of digits. */
const writtenOut = /(?:ID|I\.D|[Ii]d(?:entification)? [Nn])[^a-z]*(?:[a-z]{2,6}\W+)?[^a-z]*$/;
/** Asked for by the card. */
const cardAnswer = new RegExp(
  `(?<![a-z])(?:medicaid|insurance|health|membership) card[^\\n0-9]{0,24}${answer}(?:(?:yes|yeah|sure|ok|okay|it['’]s|it is)[,. ]{1,2}){0,2}$`,
  'i',
);
/** Enough for the shape of an insurer's number: letters before digits. */
const nearId =
  /(?<![a-z])(?:(?:member|subscriber|insured|policy ?holder|card ?holder|insurance|plan|my|his|her|your)['’]?s? (?:id|number|no|card)|number (?:under|on|next to) (?:my|her|his|the))(?![a-z])[^0-9]{0,56}$/i;
const otherNumber =
  /(?<![a-z])(?:claims?|orders?|auth(?:orization)?|invoice|case|ticket|licen[sc]e|ref(?:erence)?|confirmation|group|grp|provider|npi|employee|record|accession|chart|account|permit|tracking|serial|model)(?![a-z])[^;\n0-9]{0,16}$/i;
const shapeDigitsMin = 8;
const bareHolder = new RegExp(
  `(?<![a-z])(?:members?|membership|subscribers?|insured|card[ -]?holder|${insurer})[\\s:#(=-]{1,3}$`,
  'i',
);
const reach = 72;
/** Insurers print up to four letters before the digits. */
const number = new RegExp(
  `(?:[0-9]{4}([ -])[0-9]{3}\\1[0-9]{3}(?:[ -]?[A-Z]{2})?|[0-9]{2,14})(?:-[0-9]{1,6}){0,3}(?:[A-Z][0-9]{2,8})?(?:-?[A-Z0-9]{1,2})?${numberRight}`,
  'y',
);
const lettersMax = 4;
const digitsMin = 6;
/** Digits alone behind no more than `member`. */
const plainMin = 9;
const lengthMin = 7;
/** Other insurances, and clubs with members. */
const notHealth =
  /(?<![a-z])(?:cars?|autos?|home(?:owners?)?['’]?s? (?:insurance|policy|contents|cover)|homeowners?|life|travel(?! health| medical)|vehicle|motor|pets?|gym|club|fitness|library|flyer|mileage|loyalty|rewards?|museum|airline|health[ -]?checks?|healthz|endpoints?|tenant|yoga|pilates|studio|golf|tennis|cinema|streaming|renters?|flood|fire)(?![a-z])/i;

/** True when the words around `start..end` speak of another insurance, or of a club. */
export function isOtherMember(shadow: string, start: number, end: number): boolean {
  const behind = shadow.slice(end, end + 40);
  const clause = behind.search(/[,;] |\) ?,|[.!?]\s|\n/);
  return (
    notHealth.test(shadow.slice(Math.max(0, start - 60), end)) ||
    notHealth.test(clause < 0 ? behind : behind.slice(0, clause))
  );
}

/** The member numbers near the anchors of a recognizer. Offsets of the text. */
export function healthPlanIds(
  { shadow, digitRuns }: ScanText,
  anchors: readonly KeywordHit[],
): { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = [];
  let next = 0;
  for (const run of digitRuns) {
    while (next < anchors.length && (anchors[next] as KeywordHit).end + zone < run.start) next++;
    const anchor = anchors[next];
    if (anchor === undefined) break;
    if (anchor.start - zone > run.end) continue;
    let start = run.start;
    while (start > 0 && run.start - start < lettersMax && isCapital(shadow.charCodeAt(start - 1))) start--;
    if (isWordCode(shadow.charCodeAt(start - 1))) continue;
    number.lastIndex = run.start;
    const digits = number.exec(shadow)?.[0];
    if (digits === undefined) continue;
    const end = run.start + digits.length;
    if (end - start < lengthMin || digits.replace(/[^0-9]/g, '').length < digitsMin) continue;
    const before = shadow.slice(Math.max(0, start - reach), start);
    const isLettered = start < run.start;
    const isPlainEnough = isLettered || digits.length >= plainMin;
    const isNamed =
      namedId.test(before) ||
      (bareId.test(before) && (isLettered || writtenOut.test(before))) ||
      (isPlainEnough && (bareHolder.test(before) || (cardNumber.test(before) && !otherNumber.test(before)))) ||
      (digits.length >= shapeDigitsMin && cardAnswer.test(before)) ||
      (isLettered && nearId.test(before) && !otherNumber.test(before));
    if (!isNamed) continue;
    if (!isOtherMember(shadow, start, end)) found.push({ start, end });
  }
  return found;
}

function isWordCode(c: number): boolean {
  return isCapital(c) || (c >= 0x61 && c <= 0x7a) || (c >= 0x30 && c <= 0x39) || c === 0x5f;
}
