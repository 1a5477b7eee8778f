/** Health insurance numbers: US Medicare, UK NHS, Japanese insurers and their insured, other plans by the words. */
import { numberLeft, numberRight } from '../boundaries.ts';
import { isInsurerNumber, isNhsNumber } from '../checksums.ts';
import { type LabelledValue, labelledValues } from '../labels.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { matchesIn, type ScanText } from '../shadow.ts';
import { healthAnchors, healthPlanIds, isOtherMember } from './health-plan-id.ts';

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
    '[0-9]{1,8} ?[-・] ?[0-9]{1,8}',
    '[2-6][0-9]{3} [0-9]{5} [0-9]',
    '(?:[A-Z]{1,4}[- ]?)?[0-9]{1,4}(?:[- ]?[0-9A-Z]{2,6}){1,4}',
    '[0-9]{1,12}',
  ].join('|')})${numberRight}`,
  'g',
);
const japanese = /[^ -~]/;
const counted = /^ ?(?:年|月|日|時|円|万|千|件|人|名|個|回|歳|割|%|％|years?|days?|dollars?|usd)/i;
const date =
  /^(?:(?:19|20)[0-9]{2}[-/ .]?(?:0?[1-9]|1[0-2])[-/ .]?(?:0?[1-9]|[12][0-9]|3[01])|[0-9]{1,2}[-/ .][0-9]{1,2}[-/ .][0-9]{4})$/;
const linked =
  /^[\s"'`*_:=#.>|,/)\]}（(）【】」-]*(?:(?:no|num|number|id|identifier|code|card|is|was|as|nr|which|it|reads|says|on file|番号|は|が|の|：)[\s"'`*_:=#.>|,)（(）-]*){0,4}$/i;
/** Words of other plans and clubs too, so health has to be spoken of. */
const shared = /^(?:member|policy|subscriber|card|group|plan|insurance|enrollee)/;
/** Directly, or of a sentence: `NHS England published`. */
const nhsLink =
  /^[^a-z0-9]*(?:(?:no|num|number|nr|id|is|was|which|value|of|the|for|my|her|his|patient|番号|は)[^a-z0-9]*){0,5}$/i;
const health =
  /health|medical|medicaid|medicare|medi-cal|dental|insur|(?<![a-z])(?:hmo|ppo|epo|uhc|rx|bupa|eob)(?![a-z])|blue ?(?:cross|shield)|bcbs|aetna|cigna|humana|kaiser|anthem|tricare|copay|deductible|clinic|hospital|健康保険|被保険者|保険証|健保|国保|社保|共済|組合/i;
/** `保険証番号が変わりました。新しい番号は` */
const sentenceLink = /^[^0-9A-Za-z\n]{0,24}番号(?:は|が|:) ?$|^[をはが][^0-9A-Za-z\n。]{0,16}[「『]$/;
const japaneseHealth = /健康保険|保険者|保険証|健保|国保|社保|けんぽ|共済|後期高齢|資格(?:情報|確認)/;
/** `番号` behind the value of `記号`, with its own value; in a row of a table only the value. */
const numberBehindSign = /^[\s"'、,，・／/|]{0,4}(?:及び)?番号[\s"'|：:はが]{0,4}([0-9]{1,8})(?![0-9A-Za-z-])/;
const cellBehind = /^["']?\s{0,2}[,\t|;]\s{0,2}["']?([0-9]{1,8})(?![0-9A-Za-z-])/;
const numberHeading = /^[)）]?["']?\s{0,2}[,\t|;]\s{0,2}["']?(?:[a-z_ ]{1,12}[(（])?番号/i;
/** Of Australia: ten digits, the ninth of which checks those before. */
const australian = /^[2-6][0-9]{3} ?[0-9]{5} ?[0-9]$/;
const australianLink = /^[^a-z0-9]*(?:(?:card|australian?|no|num|number|id|is|was|my|the)[^a-z0-9]*){0,5}$/i;
const australianWeights = [1, 3, 7, 9, 1, 3, 7, 9];

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
    'subscriber (id|number|no|#)',
    "(insured|insured's) (id|number|no|i.d. number)",
    '(policyholder|policy holder|cardholder|card holder|enrollee) (id|number|no)',
    'insurance card',
    'insurance card (id|number|no)',
    'medi cal (id|number|no)',
    'ohip',
    'ohip (number|no)',
    'kvnr',
    '(versicherten|krankenversicherungs|krankenversicherten)nummer',
    'policy (number|no|id|#)',
    'hicn',
    'insurer (no|number)',
    '保険者番号',
    '保険者no',
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
  anchors: healthAnchors,
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    const add = (start: number, end: number, score: number, context?: string, checksum = false) =>
      found.push(
        detectionAt(text, start, end, { type: 'HEALTH_INSURANCE', score, recognizer: name, context, checksum }),
      );
    for (const { start, end } of healthPlanIds(text, text.keywords.anchors(name))) add(start, end, 0.7, 'health');
    for (const { start: from, end: to, hasDigit } of text.longWords) {
      if (!hasDigit || to - from < mbiLength || text.shadow[to - 5] !== '-') continue;
      for (const { start, end } of matchesIn(text.shadow, dashedMbi, { start: to - mbiLength, end: to }))
        add(start, end, 0.85);
    }
    // The symbol of an insured person comes with a number.
    const addNumberOf = ({ end, labelStart, context }: LabelledValue) => {
      const isColumn = numberHeading.test(text.shadow.slice(labelStart + context.length, labelStart + 24));
      const number = (isColumn ? cellBehind : numberBehindSign).exec(text.shadow.slice(end, end + 24));
      if (number === null) return;
      const start = end + number[0].length - (number[1] as string).length;
      add(start, end + number[0].length, 0.8, context);
    };
    for (const value of labelledValues(text, name, number, { reach: 40, back: 10, valueMax: 30 })) {
      const { start, end, groups, context, gap, isBehind } = value;
      const written = groups[0].toUpperCase();
      const digits = written.replace(/[^0-9]/g, '');
      if (digits === '' || date.test(written) || counted.test(text.shadow.slice(end, end + 8))) continue;
      const near = () => text.shadow.slice(Math.max(0, start - 60), end + 40);
      if (japanese.test(context)) {
        if (/[A-Z]/.test(written) || !isBehind) continue;
        if (!linked.test(gap) && !(digits.length > 5 && sentenceLink.test(gap))) continue;
        if (/^(?:記号|番号)/.test(context)) {
          if (!japaneseHealth.test(text.shadow.slice(Math.max(0, value.labelStart - 120), end + 60))) continue;
          add(start, end, 0.8, context);
          addNumberOf(value);
        } else if (context.includes('保険者番号') && !context.startsWith('被')) {
          if (isInsurerNumber(digits)) add(start, end, 1, context, true);
        } else if (/記号$/.test(context)) {
          add(start, end, 0.8, context);
          addNumberOf(value);
        } else if (digits.length >= 4 && digits.length <= 16) add(start, end, 0.8, context);
        continue;
      }
      if (wholeMbi.test(written)) add(start, end, 1, context);
      else if (/^nhs/.test(context)) {
        if (
          isNhsNumber(digits) &&
          digits.length === written.replace(/[ -]/g, '').length &&
          (digits.length < written.length || nhsLink.test(gap))
        )
          add(start, end, 1, context, true);
      } else if (/^insurer/.test(context)) {
        if (isInsurerNumber(digits) && japaneseHealth.test(near())) add(start, end, 0.9, context, true);
      } else if (/^(?:medicare|mbi)/.test(context)) {
        if (australian.test(written) && australianLink.test(gap) && isAustralian(digits))
          add(start, end, 0.9, context, true);
      } else if (digits.length >= 5 && written.length >= 6 && linked.test(gap)) {
        if (shared.test(context) && (!health.test(near()) || isOtherMember(text.shadow, start, end))) continue;
        add(start, end, 0.75, context);
      }
    }
    return found.sort((a, b) => a.start - b.start);
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
      ['Aetna ID: W123456789, group 0083311', 'W123456789'],
      ["Insured's I.D. number: XYZ123456789, plan: Premera Health", 'XYZ123456789'],
      ['the health insurance card says "Identification Number XYZ123456789"', 'XYZ123456789'],
      ['Insurance card: Member XYZ123456789, Grp 0044182', 'XYZ123456789'],
      ['Coverage: PPO\nCardholder ID: 12345678901\nRxBIN 003858', '12345678901'],
      ['Medicare card (Australia) number 2428 77813 2', '2428 77813 2'],
      ['協会けんぽ 記号 12345678', '12345678'],
      ['保険者No.06139463', '06139463'],
      ['{"insurer_no":"06139463","memo":"健康保険"}', '06139463'],
      ['"health insurance member id not on file". It is DNX4420718', 'DNX4420718'],
      ['Travel health insurance: policy number THI-2044718-01', 'THI-2044718-01'],
      ['my insurance (Blue Shield). The number under my name is XEH123456789', 'XEH123456789'],
      ['Subscriber number on the dental plan is 123456789', '123456789'],
      ['do you have your Medicaid card handy?\nPt: yes, 12345678', '12345678'],
      ['保険証番号が変わりました。新しい番号は12345678です。', '12345678'],
      ['My new health card came, number 1234 567 890 VD, Ontario.', '1234 567 890 VD'],
      ['please type your health plan member number\nUser: 1234567890', '1234567890'],
      ["claim for member 123456789? It's a UnitedHealthcare plan.", '123456789'],
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
      'NHS England published 9434765919 rows',
      'gym: member ID 12345678, health drinks at the bar',
      'health check returned order number 12345678',
      'patient ID 12345678 at the dental clinic',
      'your insurance claim no. is ABC123456789',
      'my insurance card is fine, order number ABC123456789',
      'the insurance industry grew; report 12345678',
      '記号 12345678 番号 12',
      '電話番号 1234',
    ],
  },
};

function isAustralian(digits: string): boolean {
  return australianWeights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0) % 10 === Number(digits[8]);
}
