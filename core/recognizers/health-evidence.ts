/**
 * Numbers of health plans, health cards and the NHS that stand away from their word, weighed by the evidence around them:
 * how rare their form is, which word for health insurance is near, how the number is told, and what lies between.
 */
import { isDigit } from '../characters.ts';
import { isNhsNumber } from '../checksums.ts';
import type { KeywordHit } from '../keywords.ts';
import { isNamedOther, isOtherNumber } from '../other-numbers.ts';
import { matchesIn, type ScanText } from '../shadow.ts';
import { calendarDate } from './calendar-date.ts';
import { isOtherMember } from './health-plan-id.ts';
import { isOfThing, spaced, weightOfTelling } from './number-telling.ts';
import type { Stretch } from './stretch.ts';

/** What the evidence for a number must weigh. */
const threshold = 5.5;
/** How far behind and before a word for health insurance its number may stand; characters. */
const reachBehind = 260;
const reachBefore = 120;
/** The same for words but those of the NHS, whose numbers have a check digit. */
const reachBeforePlain = 48;
/** So many words before a number are weighed. */
const wordsBefore = 4;
const headMax = 56;
/** How far from another number one stands that takes its place. */
const besideMax = 72;

const quebec = '[A-Z]{4}([ -]?)[0-9]{2}(?:0[1-9]|1[0-2]|5[1-9]|6[0-2])\\1(?:0[1-9]|[12][0-9]|3[01])[0-9]{2}';
const ontario = '[0-9]{4}([ -])[0-9]{3}\\2[0-9]{3}(?:[ -]?[A-Z]{2})?';
const nhs = '[0-9]{3}([ -])[0-9]{3}\\3[0-9]{4}';
const australian = '[2-6][0-9]{3} [0-9]{5} [0-9]';
const beneficiary =
  '[1-9][AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y][0-9][AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y][0-9][AC-HJKMNP-RT-Y]{2}[0-9]{2}';
const lettered =
  '(?:[A-Z]{1,4}[0-9]?-?|(?!HCN|PHN|NHS|MBI|TEL|FAX|DOB|BIN|PCN|GRP|MRN|NPI|SSN|CPT|ICD|THE|INC|LLC)[A-Z]{3} )[0-9]{2,}(?: [0-9]{2,}){0,3}(?:[A-Z][0-9]{2,8})?[A-Z]?';
/** All forms of numbers. */
const forms = new RegExp(
  `(?<![0-9A-Za-zÀ-ÿ_./$@#+-])(?:${quebec}|${ontario}|${nhs}|${australian}|${lettered}|[0-9]{4} [0-9]{4} [0-9]{3}|80[0-9]{18}|[0-9]{5}-[0-9]{4}|${beneficiary}|[0-9]{3}[A-Z][0-9]{5}|[0-9]{8,12}[A-Z]?)(?![0-9A-Za-zÀ-ÿ_/%-]|\\.[0-9]|:[0-9]|,[0-9]{3})`,
  'g',
);
/** So far from the start of a form its digits may stand. */
const formMax = 40;
const wholeQuebec = new RegExp(`^${quebec}$`);
const wholeOntario = /^[0-9]{4}([ -])[0-9]{3}\1[0-9]{3}(?:[ -]?[A-Z]{2})?$/;
/** Of Alberta, and as long as an American postal code. */
const wholeAlbertan = /^[0-9]{5}-[0-9]{4}$/;
/** Of Medicaid in New York: client identification number. */
const wholeClient = /^[A-Z]{2}[0-9]{5}[A-Z]$/;
const wholeBeneficiary = new RegExp(`^${beneficiary}$`);
const wholeColumbian = /^9[0-9]{3}([ -]?)[0-9]{3}\1[0-9]{3}$/;
const wholeAustralian = /^[0-9]{4} [0-9]{5} [0-9]$/;
const wholeNhs = /^[0-9]{3}([ -])[0-9]{3}\1[0-9]{4}$/;
/** Of the European card: the code of health in cards of all kinds, the country, the number. */
const europeanLength = 20;

/** Insurers, cards and plans: 3; what only speaks of insurance or health: less. */
const ofPlan =
  /^(?:aetna|cigna|humana|kaiser|unitedhc|healthcare(?=["'<\n])|anthem|tricare|molina|bupa|medicaid|medi-cal|bcbs|blue ?cross|blue ?shield|rx ?bin|krankenkasse|ramq|soleil|uhc|united health|premera|highmark|carefirst|wellcare|ambetter|regence|caremark|optum|express scripts|oscar(?= (?:health|insurance|member|plan|id)|,)|ehic|ghic|ohip|assurance maladie|member services|health (?:card|plan|insurance|care plan|coverage)|mutual of|guardian|delta dental|metlife|emblem|harvard pilgrim|tufts|geha|sun life|manulife|green shield|medibank|explanation of benefits|(?:primary|secondary):(?= [A-Z][A-Za-z]+[^\n]{0,32}(?<![a-z])(?:id|member|policy)(?![a-z]))|insurance|insured|insurer|coverage)/i;
/** `health tips` */
const noHealth =
  /^(?:health (?:supplements?|tips?|apps?|drinks?|bars?|foods?|club|checks?|studio|score|points)|insurance module|insur\w* (?:quote|tech))/i;
const ofHealth = /^(?:health|dental|medical|medicare|copay|co-pay|insur)/i;
const ofCard = /^(?:soleil|ramq|soleil|assurance maladie|carte soleil|health (?:card|insurance)|medicare)/i;
const ofOntario = /^(?:ohip|health (?:card|number|insurance)|hcn|phn|ontario health)/i;

const ownWord =
  /^(?:insurance|insurer|insured|medicare|medicaid|nhs|member|members|membership|subscriber|policyholder|cardholder|enrollee|beneficiary|benefits?|card|cards|plan|coverage|cover|id|ids|health|care|dental|medical|rx|ohip|ramq|hcn|phn|ehic|ghic|maladie|assurance|aetna|cigna|humana|kaiser|anthem|tricare|molina|bupa|cross|shield|unitedhealthcare|uhc|number|numbers|no|version|dad|mum|mom|mother|father|wife|husband|son|daughter|partner|kid|hers|mine|his|theirs|primary|secondary|one|shows|show|says|lists|reads|has|is|was|with|under|her|his|my|our|their|the|new|old)$/i;
/** Directly before the number: what it is called. */
const named =
  /(?<![a-z])(?:id|i\.d\.|identification|member|memb|subscriber|insured|policy ?holder|card ?holder|card|enrollee|(?:member|subscriber|insurance|card|health|id|plan)[ _]?(?:no|nr|num|number|id|#)|number|no|card shows|card says|card reads|id (?:has )?changed)["'`)\]]{0,2}(?:\.|:|=|#|,|-|>|\s){0,3}(?:(?:is|was|reads|says|shows|to|from|now|being|on it|ends up)(?![a-z])[\s:,=]{0,2}){0,2}["'`(“[]?$/i;
const otherLabel =
  /(?<![a-z])(?:groups?|grp|claims?|auth|authori[sz]ation|prior auth|npi|provider|bin|rxbin|pcn|mrn|chart(?! (?:had|has|shows|says))|record|accession|fax|tel|phone|cell|mobile|call|ext|dial|ticket|order|invoice|tracking|case|ref|reference|confirmation|employee|staff|billing|agent|license|licen[cs]e|account|acct|routing|cpt|icd|ndc|dea|ein|tin|tax id|ssn|policy|quote|dossier|device|serial|model|user|hospital no|hospital number|passport|visa|loan|plate|vin|stock|batch|room|bed|lot|zip|po|box|payer id|payor id|carrier code|lab|sample|specimen|booking|receipt|check|cheque)(?![a-z])[^\n;,0-9]{0,14}$/i;
const boundary = /(?<!(?<![a-z])(?:no|nr|mr|mrs|ms|dr|st|i\.d|approx))[.!?](?=\s|["'”)])\s*|\n\s*/gi;
const sentenceBefore = /^[\s\S]*(?:(?<!(?<![a-z])(?:no|nr|num|approx))[.!?]\s|\n)/i;
const asks =
  /[?？]|(?<![a-z])(?:please|provide|confirm|may i have|can i (?:get|have)|what(?:'s| is)|need|tell me|read|enter|give me)(?![a-z])/i;
const turn = /\n[^\n:>0-9]{1,24}[:>] ?$/;
const unit =
  /^ ?(?:%|\$|usd|dollars?|people|members|patients|claims|users|rows|records|years?|days?|steps|copies|visits|dollars|euros|pounds)(?![a-z])/i;

/**
 * The numbers near the words of health insurance, in no order.
 * @param labels those that are no anchors: of the NHS, of Medicare, of Ontario
 */
export function healthByEvidence(
  { shadow, bytes, digitRuns, digitStarts }: ScanText,
  anchors: readonly KeywordHit[],
  labels: readonly KeywordHit[],
): Stretch[] {
  const words = mergedWords(anchors, labels);
  const found: Stretch[] = [];
  let digit = 0;
  let run = 0;
  for (let i = 0; i < words.length; ) {
    const first = i;
    const from = Math.max(0, (words[i] as KeywordHit).start - reachBefore);
    let to = (words[i] as KeywordHit).end + reachBehind;
    for (i++; i < words.length && (words[i] as KeywordHit).start - reachBefore <= to; i++)
      to = (words[i] as KeywordHit).end + reachBehind;
    while ((digitStarts[digit] ?? to) < from) digit++;
    while ((digitRuns[run]?.end ?? to) < from) run++;
    // Most words have no number near: no run of digits, and none with a capital behind.
    let mayHave = (digitRuns[run]?.start ?? Infinity) < to + formMax;
    for (let n = digit; !mayHave && (digitStarts[n] ?? Infinity) < to + formMax; n++)
      mayHave = isOfForm(bytes, digitStarts[n] as number);
    if (!mayHave) continue;
    let next = first;
    for (const { start, end } of matchesIn(shadow, forms, { start: from, end: to, before: 8, after: 24 })) {
      while (next < i && (words[next] as KeywordHit).end <= start) next++;
      const near = words.slice(Math.max(first, next - wordsBefore), Math.min(i, next + 1));
      if (isHealthNumber(shadow, { start, end }, near, found.at(-1))) found.push({ start, end });
    }
  }
  return found;
}

/** True for digits as in the forms that are no run of digits: a capital stands behind them, or they are very many. */
function isOfForm(bytes: Uint8Array, at: number): boolean {
  let end = at + 1;
  while (isDigit(bytes[end] as number)) end++;
  const behind = bytes[end] as number;
  return (behind >= 0x41 && behind <= 0x5a) || end - at > formMax;
}

function mergedWords(first: readonly KeywordHit[], second: readonly KeywordHit[]): readonly KeywordHit[] {
  if (second.length === 0) return first;
  return [...first, ...second].sort((a, b) => a.start - b.start);
}

function isHealthNumber(
  shadow: string,
  { start, end }: Stretch,
  near: readonly KeywordHit[],
  previous: Stretch | undefined,
): boolean {
  const written = shadow.slice(start, end);
  const digits = written.replace(/[^0-9]/g, '');
  if (
    (digits.length < 7 && !wholeBeneficiary.test(written) && !wholeClient.test(written)) ||
    calendarDate.test(written) ||
    /^([0-9])\1+$/.test(digits)
  )
    return false;
  const form = weightOfForm(written, digits);
  const isAfterLike =
    previous !== undefined &&
    start - previous.end < (wholeNhs.test(written) ? reachBehind : besideMax) &&
    isLike(shadow, previous, written);
  // Most numbers are of no form that a word near speaks for.
  if (!isAfterLike && !near.some((word) => weightOfWord(shadow, word, written, form) > 0)) return false;
  const head = spaced(shadow.slice(Math.max(0, start - headMax), start)).replace(/['’]s(?=: ?$)/, '');
  const own = head.replace(sentenceBefore, '');
  if (otherLabel.test(own) || unit.test(shadow.slice(end, end + 12))) return false;
  if (isNamedOther(shadow, end) || isOtherMember(shadow, start, end)) return false;
  // `new version code. 4829 173 645 KT`
  const isVersioned = form >= 4 && wholeOntario.test(written);
  if (!isVersioned && (isOfThing(own, ownWord) || isOtherNumber(shadow, start))) return false;
  const told =
    named.test(head) || /(?<![a-z])(?:i['’]m|s?he['’]s) $/i.test(head) ? 2.5 : weightOfTelling(head, ownWord);
  if (isAfterLike) {
    const gap = shadow.slice(previous.end, start);
    if (form >= 3 && wholeNhs.test(written)) return true;
    if (!/[0-9]{3}/.test(gap) && (gap.match(/\n/g)?.length ?? 0) < 2 && (form >= 2 || told > 0)) return true;
  }
  return near.some((word) => weightOf(shadow, word, { start, end, written, form, told }) >= threshold);
}

const shapeOf = (written: string) =>
  isColumbian(written) ? '' : written.replace(/[A-Z]/g, 'A').replace(/[0-9]/g, '0');
const isLike = (shadow: string, { start, end }: Stretch, written: string) =>
  shapeOf(shadow.slice(start, end)) === shapeOf(written);

/** 4 for a form that little else has, 3 for letters before many digits, 1 for digits. */
function weightOfForm(written: string, digits: string): number {
  if (wholeQuebec.test(written) || wholeBeneficiary.test(written)) return 4;
  if (isColumbian(written)) return 3;
  if (wholeOntario.test(written)) return /[A-Z]$/.test(written) ? 4 : 2;
  if (wholeNhs.test(written)) return isNhsNumber(digits) ? 3 : 0;
  if (wholeAustralian.test(written)) return isAustralian(digits) ? 3 : 0;
  if (wholeClient.test(written)) return 3;
  if (/^[A-Z]/.test(written)) return digits.length > 7 ? 3 : 2;
  if (/^[0-9]{3}[A-Z]/.test(written) || digits.length === europeanLength) return 3;
  if (/[0-9]{8}[A-Z]$/.test(written)) return 2;
  return digits.length > 8 || /[A-Z]$/.test(written) ? 1.5 : 1;
}

type Weighed = Stretch & {
  readonly written: string;
  readonly form: number;
  readonly told: number;
};

function weightOf(shadow: string, word: KeywordHit, { start, end, written, form, told }: Weighed): number {
  const isBehind = word.start >= end;
  const gap = spaced(isBehind ? shadow.slice(end, word.start) : shadow.slice(word.end, start));
  const weight = weightOfWord(shadow, word, written, form);
  if (weight === 0 || (isBehind && (gap.includes('\n\n') || form < 3))) return 0;
  if (isBehind && gap.length > reachBeforePlain && !wholeNhs.test(written)) return 0;
  const clear = weight === 5 || form >= 4 ? Math.max(told, 0) : told;
  const boundaries = gap.match(boundary)?.length ?? 0;
  let sum = weight + form + clear - Math.min(boundaries, 4) / 3 - gap.length / 120;
  // A turn of a chat that holds nothing else.
  const isAlone =
    turn.test(shadow.slice(Math.max(0, start - 28), start)) &&
    /^[ \t]*(?:[.!,;]|\r?\n|$)/.test(shadow.slice(end, end + 8));
  if (isAlone) sum += 0.5;
  if (boundaries > 0 && !isBehind && asks.test(shadow.slice(Math.max(0, word.start - 40), word.end) + gap)) sum += 1;
  if (isBehind) sum -= 0.5;
  // `UHC, 917263840`
  else if (/^[\s,:#(-]{1,3}$/.test(gap) && !/^[0-9]{10}$/.test(written)) sum += 1.5;
  return sum;
}

/** How much the word speaks for a number of the form; 0 for words of other numbers. */
function weightOfWord(shadow: string, { start, owner }: KeywordHit, written: string, form: number): number {
  const here = shadow.slice(start, start + 24);
  if (/^nhs/i.test(here)) {
    if (/^nhs (?:england|trust|digital|helpline|scotland|wales|app|dentist|111)/i.test(here)) return 0;
    return wholeNhs.test(written) && form > 0 ? 4 : /^[0-9]{10}$/.test(written) && isNhsNumber(written) ? 5 : 0;
  }
  if (wholeNhs.test(written) || owner === '') return 0;
  if (wholeAustralian.test(written)) return form > 0 && /^medicare/i.test(here) ? 4 : 0;
  if (wholeAlbertan.test(written)) return /^(?:health ?care (?:number|no|card)|phn(?![a-z])|ahcip)/i.test(here) ? 4 : 0;
  if (wholeBeneficiary.test(written)) return /^red/i.test(here) || ofPlan.test(here) || ofHealth.test(here) ? 3 : 0;
  if (/^red/i.test(here)) return 0;
  if (/^phn(?![a-z])/i.test(here) && isColumbian(written)) return 5;
  if (/^medicare/i.test(here) && !/^[A-Z]/.test(written)) return 0;
  if (wholeClient.test(written)) return /^medicaid/i.test(here) ? 3 : 0;
  if (wholeQuebec.test(written)) return ofCard.test(here) || ofHealth.test(here) ? 3 : 2;
  if (wholeOntario.test(written)) return ofOntario.test(here) ? 4 : form >= 4 && /^health/i.test(here) ? 2 : 0;
  if (noHealth.test(here)) return 0;
  if (/[a-z]/i.test(shadow.slice(Math.max(0, start - 1), start)) && !/^(?:insur|health)/i.test(here)) return 0;
  if (ofPlan.test(here)) return 3;
  return ofHealth.test(here) ? 1.5 : 0;
}

const australianWeights = [1, 3, 7, 9, 1, 3, 7, 9];

/** True for ten digits of which the ninth checks those before, as on the Medicare card of Australia. */
export function isAustralian(digits: string): boolean {
  return australianWeights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0) % 10 === Number(digits[8]);
}

const columbianWeights = [2, 4, 8, 5, 10, 9, 7, 3];

/** True for a personal health number of British Columbia: nine, and the last of its ten digits checks those between. */
function isColumbian(written: string): boolean {
  if (!wholeColumbian.test(written)) return false;
  const digits = written.replace(/[ -]/g, '');
  return (
    columbianWeights.reduce((sum, weight, i) => sum + ((weight * Number(digits[i + 1])) % 11), Number(digits[9])) %
      11 ===
    0
  );
}
