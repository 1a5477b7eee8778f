/** Health insurance numbers: US Medicare, UK NHS, Japanese insurers and their insured, other plans by the words. */
import { numberLeft, numberRight } from '../boundaries.ts';
import { isInsurerNumber, isNhsNumber } from '../checksums.ts';
import { labelledValues } from '../labels.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { matchesIn, type ScanText } from '../shadow.ts';

const name = 'health-insurance';
// Medicare beneficiary identifier, CMS: position classes, without S L O I B Z.
const letter = '[AC-HJKMNP-RT-Y]';
const either = '[0-9AC-HJKMNP-RT-Y]';
const mbi = (dash: string) => `[1-9]${letter}${either}[0-9]${dash}${letter}${either}[0-9]${dash}${letter}{2}[0-9]{2}`;
const mbiLength = 13;
const wholeMbi = new RegExp(`^${mbi('[- ]?')}$`);
const dashedMbi = new RegExp(`(?<![0-9A-Za-z-])${mbi('-')}(?![0-9A-Za-z-])`, 'g');
const number = new RegExp(
  `${numberLeft}(?:${[
    mbi('[- ]?'),
    mbi('[- ]?').toLowerCase(),
    '[0-9]{3}([ -])[0-9]{3}\\1[0-9]{4}',
    '[0-9]{1,8}(?: ?[-・] ?|[ 、,・の]{0,3}番号[:は ]{0,3})[0-9]{1,8}',
    '(?:[A-Z]{1,4}[- ]?)?[0-9]{1,4}(?:[- ]?[0-9A-Z]{2,6}){1,4}',
    '[0-9]{1,12}',
  ].join('|')})${numberRight}`,
  'g',
);
const japanese = /[^ -~]/;
const counted = /^ ?(?:年|月|日|時|円|万|千|件|人|名|個|回|歳|割|%|％|years?|days?|dollars?|usd)/i;
const date = /^(?:(?:19|20)[0-9]{2}[-/ .]?[0-9]{1,2}[-/ .]?[0-9]{1,2}|[0-9]{1,2}[-/ .][0-9]{1,2}[-/ .][0-9]{4})$/;
const linked =
  /^[\s"'`*_:=#.>|/)\]}（(）【】」-]*(?:(?:no|num|number|id|is|was|nr|番号|は|が|の|：)[\s"'`*_:=#.>|)（(）-]*){0,3}$/i;
/** Words of other plans and clubs too, so health has to be spoken of. */
const shared = /^(?:member|policy|subscriber|group|plan|insurance|記号|番号|plan member)/;
const health =
  /health|medical|medicaid|medicare|dental|insur|hmo|ppo|blue cross|aetna|cigna|humana|kaiser|健康保険|被保険者|保険証|健保|国保|社保|共済|組合/i;
const notHealth = /\b(?:car|auto|home|life|travel|vehicle|motor|pet)\b/i;

/** Looks for the dashed Medicare form, and around the words. */
export const healthInsurance: Recognizer = {
  name,
  type: 'HEALTH_INSURANCE',
  labels: [
    'medicare',
    'mbi',
    'medicare (beneficiary|number|id|no|card)',
    'medicare beneficiary (id|identifier|number)',
    'medicaid',
    'medicaid (id|number|no)',
    'nhs',
    'nhs (number|no|num)',
    'health insurance',
    'health insurance (id|number|no|policy|card|claim number|member id|policy number)',
    'health card',
    'health (card|plan) (number|no|id)',
    'health plan',
    'medical insurance',
    'insurance (id|number|no|member id|policy number)',
    'member (id|number|no|#)',
    'membership (id|number|no)',
    'subscriber (id|number|no)',
    'policy (number|no|id)',
    'hicn',
    '保険者番号',
    '被保険者番号',
    '被保険者',
    '被保険者証',
    '被保険者証番号',
    '被保険者記号',
    '被保険者記号・番号',
    '健康保険',
    '健康保険証',
    '国民健康保険',
    '保険証',
    '保険証番号',
    '保険証記号番号',
    '(健康保険|保険証)の?番号',
    '記号',
    '記号・番号',
    '記号番号',
    '被保険者記号番号',
    '保険証記号',
  ],
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    const add = (start: number, end: number, score: number, context?: string, checksum = false) =>
      found.push(
        detectionAt(text, start, end, { type: 'HEALTH_INSURANCE', score, recognizer: name, context, checksum }),
      );
    for (const { start: from, end: to, hasDigit } of text.longWords) {
      if (!hasDigit || to - from < mbiLength || text.shadow[to - 5] !== '-') continue;
      for (const { start, end } of matchesIn(text.shadow, dashedMbi, { start: to - mbiLength, end: to }))
        add(start, end, 0.85);
    }
    for (const value of labelledValues(text, name, number, { reach: 40, back: 10, valueMax: 30 })) {
      const { start, end, groups, context, gap, isBehind } = value;
      const written = groups[0].toUpperCase();
      const digits = written.replace(/[^0-9]/g, '');
      if (digits === '' || date.test(written) || counted.test(text.shadow.slice(end, end + 8))) continue;
      const near = () => text.shadow.slice(Math.max(0, start - 60), end + 40);
      if (japanese.test(context)) {
        if (/[A-Z]/.test(written) || !linked.test(gap) || !isBehind) continue;
        if (/^(?:記号|番号)/.test(context)) {
          if (!/健康保険|保険者|保険証|健保|国保|社保/.test(near())) continue;
          add(start, end, 0.8, context);
        } else if (context.includes('保険者番号') && !context.startsWith('被')) {
          if (isInsurerNumber(digits)) add(start, end, 1, context, true);
        } else if (digits.length >= 4 && digits.length <= 16) add(start, end, 0.8, context);
        continue;
      }
      if (wholeMbi.test(written)) add(start, end, 1, context);
      else if (/^nhs/.test(context)) {
        if (isNhsNumber(digits) && digits.length === written.replace(/[ -]/g, '').length)
          add(start, end, 1, context, true);
      } else if (/^(?:medicare|mbi)/.test(context)) {
      } else if (digits.length >= 5 && written.length >= 6 && linked.test(gap)) {
        if (shared.test(context) && (!health.test(near()) || notHealth.test(near()))) continue;
        add(start, end, 0.75, context);
      }
    }
    return found;
  },
  samples: {
    match: [
      ['Medicare number: 1EG4TE5MK73', '1EG4TE5MK73'],
      ['MBI 1EG4-TE5-MK73', '1EG4-TE5-MK73'],
      ['保険者番号：06139463', '06139463'],
      ['NHS number 943 476 5919', '943 476 5919'],
      ['NHS No: 9434765919', '9434765919'],
      ['health insurance member ID: XYZ123456789', 'XYZ123456789'],
      ['Health plan policy number W2345 67890', 'W2345 67890'],
      ['健康保険証 記号：12345678', '12345678'],
      ['被保険者番号は12345678です', '12345678'],
      ['保険者番号／06139463', '06139463'],
    ],
    noMatch: [
      '保険者番号：06139464',
      'NHS number 943 476 5918',
      'member id 12345678',
      'gym membership number 12345678',
      'car insurance policy number 12345678',
      'Medicare spending grew 12345678',
      '健康保険法は1922年に制定',
      'part 1EG4TE5MK73',
      '電話番号 1234',
    ],
  },
};
