/** Passport numbers: Japan, the United States, and other countries' when a word says so. */
import { numberLeft, numberRight } from '../boundaries.ts';
import { isDigit } from '../characters.ts';
import { labelledValues } from '../labels.ts';
import { isOtherNumber } from '../other-numbers.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';
import { calendarDate } from './calendar-date.ts';
import { type NumberKind, numbersByEvidence } from './number-evidence.ts';
import { type DigitForms, wordLength } from './number-forms.ts';
import {
  isAnswerToOther,
  ofOtherThing,
  otherType,
  passportAnchors,
  passportsByEvidence,
  speaksOfNumber,
} from './passport-evidence.ts';
import { isOfOther } from './passport-others.ts';

const name = 'passport';
/** Letters before digits, digits alone, or a mix with at least five digits; a space may part the letters. */
const number = new RegExp(
  `(?:${numberLeft}|(?<=T/))(?:[A-Z]{1,2} ?[0-9]{6,8}|[0-9]{7,9}|(?=[A-Z0-9]*[0-9][A-Z0-9]*[0-9])[A-Z0-9]{6,9}|[0-9]{2} [0-9]{7})(?:${numberRight}|(?=/(?:[A-Z]{3}(?![0-9A-Za-z])|20[0-9]{2}[^0-9])))`,
  'gi',
);
const digitsMin = 5;
/** Digits alone may be an amount, a date or another number, so they need a plain link to the label. */
const sentenceEnd = /[.!?;。！？]\s*(?=\S)(?<!\bn[or]\.\s*)/i;
/** Directly behind its label a number of nine characters needs fewer digits: those of Germany have letters throughout. */
const linked = /^[\s"'`*_:=#.,>|)\]-]*(?:(?:no|num|number|nr|id|is|番号|は)[\s"'`*_:=#.,>|)-]*){0,2}$/i;
/** A member of the object that the label names. */
const memberNumber = /[{,]\s*"?(?:number|no|id|value)"?\s*:\s*"?$/i;
/** Beyond, a sign has to stand before the value. */
const plainReach = 30;
/** `passport number for the visa application:` */
const purpose = /^ (?:for|of|on|from) [^\n:;.0-9]{2,44}(?:: ?| is )$/i;
/** Digits alone are told by what stands between. */
const bareLink =
  /^[\s"'`*_:=#.,>|/()（）「【】、\]-]*(?:(?:s|no|num|number|nr|id|is|was|were|it|its|book|card|document|details|info|code|of|and|the|my|his|her|us|usa|uk|u\.s|issued|by|in|to|country|番号|旅券|パスポート|米国|[は｜がの])[\s"'`*_:=#.,>|()（）「【】、\]-]*){0,5}$/i;
/** `Passport seen: British, ` */
const ofCountry =
  /^(?: (?:seen|checked|shown|held|presented|used|on file|copy|details?))?[:,]? ?[(]?[A-Z][a-z]{2,12}(?: [A-Z][a-z]{2,12})?[,:;)] ?(?:no\.? ?)?$/;
const counted = /^ ?(?:冊|件|人|円|号|部|枚|stamps|pages)/;
const ofVoucher = /(?<![a-z])(?:vouchers?|coupons?|promo(?: code)?|tags?)[ :#]{0,3}$/i;
/** A label and its value stand side by side. */
const directMax = 2;

const forms =
  /(?<![0-9A-Za-zÀ-ÿ_./$-])(?:[A-Z]{1,2}[0-9]{7,8}|[A-Z]{2}[0-9]{6}|(?=[A-Z0-9]*[0-9][A-Z0-9]*[0-9])[CFGHJK][A-Z0-9]{8}|[0-9]{9})(?![0-9A-Za-zÀ-ÿ_/-]|\.[0-9])/g;
/** All are one word. */
const digits: DigitForms = {
  forms: new RegExp(forms.source, 'y'),
  leadMax: 7,
  mayBe(bytes, at) {
    const length = wordLength(bytes, at, 11);
    return length >= 8 && length <= 10;
  },
};

/** Further from its word. */
const kind: NumberKind = {
  owner: name,
  context: 'passport',
  forms,
  digits: () => digits,
  weightOfForm: (written) =>
    /^[A-Z]{1,2}[0-9]{7,8}$|^[A-Z]{2}[0-9]{6}$/.test(written) ? 3 : /^[A-Z]/.test(written) ? 2 : 1,
  weightOfWord: (shadow, word) => (speaksOfNumber(shadow, word) ? 3 : 0),
  maySpeak: (_shadow, _word, { form, told }) => form >= 3 || told > 0,
  isOther: (shadow, { start, end }) =>
    calendarDate.test(shadow.slice(start, end)) || isOfOther(shadow, start) || isAnswerToOther(shadow, start),
  ownWord: /^(?:passports?|reisepass|passeport|pasaporte|passaporto|travel|document)$/i,
};

function countDigits(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let i = start; i < end; i++) if (isDigit(bytes[i])) count++;
  return count;
}

/** A kanji, or `s` and `p`, begins what is counted. */
function isCounted(shadow: string, end: number): boolean {
  const c = shadow.charCodeAt(shadow.charCodeAt(end) === 0x20 ? end + 1 : end);
  return (c > 0x7f || c === 0x73 || c === 0x70) && counted.test(shadow.slice(end, end + 8));
}

/** Looks behind the word passport, in several languages, and for a value with the word in brackets behind it. */
export const passport: Recognizer = {
  name,
  type: 'PASSPORT',
  labels: [
    'passport',
    'passport (no|num|number|id|code)',
    '(pp|ppt) (no|nr|num|number|#)',
    'ppt',
    'pp',
    'travel (document|doc)',
    'travel (document|doc) (no|num|number)',
    'reisepassnummer',
    'reisepass nr',
    'numéro de passeport',
    'reisepass',
    'passeport',
    'pasaporte',
    'passaporto',
    'パスポート',
    '旅券',
    '(旅券|パスポート)(番号|の番号|記号番号|の記号番号|、記号番号)',
  ],
  anchors: passportAnchors,
  trigger: ({ keywords }) => keywords.has(name),
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    const used = new Set<number>();
    for (const { start, end, groups, context, gap, isBehind, labelStart } of labelledValues(text, name, number, {
      reach: 50,
    })) {
      const digitCount = countDigits(text.bytes, start, end);
      const isBare = digitCount === end - start;
      if (digitCount < digitsMin && (digitCount < 2 || !/^[A-Z][A-Z0-9]{8}$/.test(groups[0]) || !linked.test(gap)))
        continue;
      if (
        isBare &&
        (sentenceEnd.test(/n(?:o|r|um)$/.test(context) ? gap.replace(/^\./, '') : gap) || calendarDate.test(groups[0]))
      )
        continue;
      const word = { start: labelStart, end: labelStart + context.length };
      // Between a label and a value directly behind it there is no word.
      const hasWords = !isBehind || gap.length > directMax;
      if (isBehind && /[.!?;。！？\n]/.test(gap) && !speaksOfNumber(text.shadow, word)) continue;
      if (hasWords && (otherType.test(gap) || (isBehind && ofOtherThing.test(gap)) || ofVoucher.test(gap))) continue;
      // Short for other things, too.
      if (context === 'pp' && !(isBehind && /^[ :#.]{0,3}$/.test(gap) && /^[A-Z]{1,2}[0-9]{7,8}$/.test(groups[0])))
        continue;
      // A library: `passport.use(…)`.
      if (isBehind && /^\.[a-z]/i.test(gap) && context === 'passport') continue;
      if (isOfOther(text.shadow, start)) continue;
      if ((hasWords && isOtherNumber(text.shadow, start)) || isCounted(text.shadow, end)) continue;
      if (
        isBare &&
        isBehind &&
        !bareLink.test(gap) &&
        !ofCountry.test(gap) &&
        !purpose.test(gap) &&
        !memberNumber.test(gap)
      )
        continue;
      if (gap.length > plainReach && !/(?:[:：]|is|は)\s?["']?$/.test(gap)) continue;
      // A word of lower case with digits in it is no passport number; one in lower case as a whole may be.
      if (/[a-z]/.test(groups[0]) && !/^[a-z]{1,2}[0-9]{7,8}$/.test(groups[0])) continue;
      used.add(labelStart);
      found.push(
        detectionAt(text, start, end, { type: 'PASSPORT', score: isBare ? 0.8 : 0.9, recognizer: name, context }),
      );
    }
    for (const [start, end, context] of numbersByEvidence(text, kind, { found, used }))
      found.push(detectionAt(text, start, end, { type: 'PASSPORT', score: 0.7, recognizer: name, context }));
    // In order, as the next step wants them.
    found.sort((a, b) => a.start - b.start);
    const known = found.length;
    const starts = new Set(found.map(({ start }) => start));
    for (const { start, end } of passportsByEvidence(text, name, found)) {
      if (starts.has(start)) continue;
      starts.add(start);
      found.push(
        detectionAt(text, start, end, { type: 'PASSPORT', score: 0.7, recognizer: name, context: 'passport' }),
      );
    }
    return known === found.length ? found : found.sort((a, b) => a.start - b.start);
  },
  samples: {
    match: [
      ['パスポート番号：TK1234567', 'TK1234567'],
      ['旅券番号はＭＺ７６５４３２１です', 'ＭＺ７６５４３２１'],
      ['Passport No. 512345678', '512345678'],
      ['my passport no for the booking: C63354989', 'C63354989'],
      ['passport no. is 512345678', '512345678'],
      ['my passport number is E12345678.', 'E12345678'],
      ['"passportNumber": "C01X00T47"', 'C01X00T47'],
      ['passport_no=K8234561', 'K8234561'],
      ['TK1234567 (passport)', 'TK1234567'],
      ['| Passport | TR4839201 |', 'TR4839201'],
      ['Passport:\nTK7654321', 'TK7654321'],
      ['passport-number,C4VPMKJ78', 'C4VPMKJ78'],
      ['PP no. C1437157', 'C1437157'],
      ['Ppt # AK8244985', 'AK8244985'],
      ['Passport number for the visa application: 839276674', '839276674'],
      ['Passport details for the visa invitation letter: C01X7742K, German', 'C01X7742K'],
      ['Reisepassnummer: C01X00T45', 'C01X00T45'],
      ['旅券の記号番号：ED7377654', 'ED7377654'],
      ['<passport country="ES">\n  <number>PAB482017</number>', 'PAB482017'],
      ['<document type="P" issuer="GHA">\n <number>G3107462</number>', 'G3107462'],
      ['{"旅券":{"番号":"TS8204173","発行国":"JPN"}}', 'TS8204173'],
      ['Assistant: passport number, please?\nUser: one sec\nUser: ok found it\nUser: 567204918', '567204918'],
      ['[10:02] Marta: need passport nos by noon\n[10:03] Jo: ok\n[10:05] Lars: 34829107', '34829107'],
      ["copied my passport and my mother's passport. Hers is older: L5061724. Now", 'L5061724'],
      ['my passport is Indian and she has a French one (23AK81726).', '23AK81726'],
      ['DOCS P/USA/590283716/USA/04JUL80/M/12MAR29/WARNER/COLE', '590283716'],
      ['Agent: Pls share the PP no\nRitu: sure\nRitu: Self S9028173', 'S9028173'],
      ['The old passport was stolen. Police report 2024-118273. It was GH4820173, issued in', 'GH4820173'],
      ["Torvald's passport – the scan is blurred. I read 538204716, is that right?", '538204716'],
      ['passport number on file: A1234567', 'A1234567'],
      ['Mr Oyelaran, PP B50482917, visa V4482019', 'B50482917'],
      ['Passport seen: British, 548820193. NI given', '548820193'],
    ],
    noMatch: [
      'ホテルの予約確認番号は HB88204417、パスポートはチェックイン時に提示。',
      'Her passport ends in May. Requisition RQ482019.',
      'The passport printer PP4482019 is offline.',
      'パスポートセンターの整理券はA4820193でした。',
      '旅券番号は半角で。例：TK1234567 の形式',
      'part TK1234567',
      'order 512345678',
      'my passport expires on 2027-03-14',
      'passport photo 35x45mm',
      'I lost my passport. Invoice 512345678 is paid.',
      'パスポートの申請は20241120までに',
      'npm i passport@0.7.0',
      'passport-jwt v4.0.1',
      'passport.deserializeUser(function(id1234567, done) {})',
      'passport scanner model PR1234567',
      'パスポート発行数は2024年に3820000冊',
      'Passports issued in 2024: 24021257',
      '<part type="P1"><number>G3107462</number></part>',
      '{"passport":true,"document":{"type":"invoice","number":"G3107462"}}',
      'Do you need a passport?\nAssistant: your order number?\nUser: 567204918',
      'Please bring your passport. Lars Berg: RM3098175',
      'パスポートは各自持参。\n2-A 03 安西ひなた　RM3098175\n2-A 04 伊庭 颯　　RM2846610',
      'Passport photos: order L5061724',
      'ack: your passport application AP90481726 was received',
      'Passport to adventure game: seed CV4817263',
      'The passport chip spec is ICAO 9303, doc AB904817.',
      'Guests (bring passport):\nRoom A9028371 Greta\nRoom A9028372 Ola',
      'docs p/usa/590283716',
      'The city museum passport costs 12 euros, voucher VX8172639.',
      'Do I need a passport?\nAgent: no. What is your booking number?\nCustomer: LT8172639',
      'Passport and visa. Visa number: A1234567.',
      'Scan passport at gate, flight BA1234567.',
      'The visa in his passport, V1234567, is expired.',
      'HKID A1234567, no passport',
      'My passport is ready; pickup code P4829173',
      'パスポートの受取、引換番号はK4829173',
      'パスポート申請の受理票番号 A4829173',
      'His passport was lost. The police report is R7482913.',
      'passport copy attached to claim C7482913',
      'パスポートとビザ。ビザ番号：V7482913',
      'パスポートは更新中。便名はNH1234567',
      'passport list\nLars Berg, ticket TT3098175\nAnna Berg, ticket TT3098176',
    ],
  },
};
