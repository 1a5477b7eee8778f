/** Health insurance numbers: US Medicare, UK NHS, Japanese insurers and their insured, other plans by the words. */
import { numberLeft, numberRight } from '../boundaries.ts';
import { isInsurerNumber, isNhsNumber } from '../checksums.ts';
import type { KeywordHit } from '../keywords.ts';
import { type LabelledValue, labelledValues } from '../labels.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { matchesIn, type ScanText } from '../shadow.ts';
import { healthByEvidence, isAustralian } from './health-evidence.ts';
import { healthAnchors, healthPlanIds, isOtherMember } from './health-plan-id.ts';
import { insuredAnchors, insuredCells, insuredNumbers, isOfInsurance } from './insured-number.ts';

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
    '[0-9]{3,6}-[A-Z]-[0-9]{3,6}',
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
/** Letters before many digits; in data of health care its members have other names. */
const isInsurersForm = /^[A-Z]{1,4} ?[0-9](?: ?[0-9]){7,}$/;
const ofHealthData =
  /(?<![a-z])(?:cpt|npi|icd[ -]?10|payer|payor|group ?(?:no|number|id)|dependents?|diagnosis|patients?|copay|prescriber|pharmacy|subscriber|coverage|eligibility|deductible|(?:plan|health|dental|insurance)[_ ](?:members?|enrollees?|subscribers?))(?![a-z])|groupNumber|planName|serviceDate/i;
const dataReach = 300;
const around = (shadow: string, at: number) => shadow.slice(Math.max(0, at - dataReach), at + dataReach);
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

/** `claim number CLM4820193`, `of the licence? 482019377` */
const ofOther =
  /(?<![a-z])(?:(?<!medicare )claims?(?: (?:no|num|number|id|#))?\.?(?: is)?[ :#]{0,3}|(?:driv(?:er|ing)[a-z'’]{0,2} |the |my |dl )licen[cs]e(?: (?:no|number))?[?.:]?[ \n]{1,2})$/i;

const cardLabel = /^(?:nhs|ohip|medicare)/i;
const romanized = /^(?:hoken|kigo|bango|insurer|health_?insurance|(?:health )?insurance(?=.{0,40} symbol(?![a-z])))/is;

const romanizedFirsts: ReadonlySet<number> = new Set([...'hkbi'].map((letter) => letter.charCodeAt(0)));

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
    'gesundheitskarte',
    'versichertennr',
    'versicherten-nr',
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
    '(健保|国保)(記号|番号)',
    'kigo',
    'bango',
  ],
  anchors: [...healthAnchors, ...insuredAnchors],
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    const add = (start: number, end: number, score: number, context?: string, checksum = false) =>
      found.push(
        detectionAt(text, start, end, { type: 'HEALTH_INSURANCE', score, recognizer: name, context, checksum }),
      );
    const { shadow, bytes, keywords } = text;
    const anchors = keywords.anchors(name);
    for (const { start, end } of healthPlanIds(text, anchors)) add(start, end, 0.7, 'health');
    for (const { start: from, end: to, hasDigit } of text.longWords) {
      if (!hasDigit || to - from < mbiLength || bytes[to - 5] !== 0x2d) continue;
      for (const { start, end } of matchesIn(shadow, dashedMbi, { start: to - mbiLength, end: to }))
        add(start, end, 0.85);
    }
    if (found.length === 0 && !keywords.has(name)) return found;
    // The symbol of an insured person comes with a number.
    const addNumberOf = ({ end, labelStart, context }: LabelledValue) => {
      const isColumn = numberHeading.test(shadow.slice(labelStart + context.length, labelStart + 24));
      const number = (isColumn ? cellBehind : numberBehindSign).exec(shadow.slice(end, end + 24));
      if (number === null) return;
      const start = end + number[0].length - (number[1] as string).length;
      add(start, end + number[0].length, 0.8, context);
    };
    let last = { end: 0, labelStart: -1, letters: 0 };
    for (const value of labelledValues(text, name, number, { reach: 40, back: 10, valueMax: 30 })) {
      const { start, end, groups, context, gap, isBehind } = value;
      const written = groups[0].toUpperCase();
      const digits = written.replace(/[^0-9]/g, '');
      if (digits === '' || date.test(written) || counted.test(shadow.slice(end, end + 8))) continue;
      // `K204819377, IK 104212505`
      const isListed = value.labelStart === last.labelStart && shadow.slice(last.end, start) === ', ';
      const letters = /^[A-Z]*/.exec(written)?.[0].length ?? 0;
      if (isListed && letters !== last.letters) continue;
      last = { end, labelStart: value.labelStart, letters };
      const near = () => shadow.slice(Math.max(0, start - 60), end + 40);
      if (japanese.test(context)) {
        if (/[A-Z]/.test(written) || !isBehind) continue;
        if (!linked.test(gap) && !(digits.length > 5 && sentenceLink.test(gap))) continue;
        if (/^(?:記号|番号)/.test(context)) {
          if (!japaneseHealth.test(shadow.slice(Math.max(0, value.labelStart - 120), end + 60))) continue;
          if (!isOfInsurance(shadow, value.labelStart)) continue;
          if (/(?:整理|証券|事業所|通帳)$/.test(shadow.slice(Math.max(0, value.labelStart - 4), value.labelStart)))
            continue;
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
        const speaks =
          health.test(near()) || (isInsurersForm.test(written) && ofHealthData.test(around(shadow, start)));
        if (shared.test(context) && (!speaks || isOtherMember(shadow, start, end))) continue;
        add(start, end, 0.75, context);
      }
    }
    const all = [...found, ...furtherFrom(text)];
    return withoutRepeats(all.filter(({ start }) => !ofOther.test(shadow.slice(Math.max(0, start - 24), start))));
  },
  samples: {
    match: [
      ['health insurance policy number 7718-B-4420 on a letter', '7718-B-4420'],
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
      ['Our insurance is Aetna, ID is W190 44 7281.', 'W190 44 7281'],
      ['her Humana card shows ID H58291746 but', 'H58291746'],
      ['{"firstName":"Rosalind","memberId":"W248170936","groupNumber":"0872415-010","cpt":["99213"]}', 'W248170936'],
      ['{"payer":"Anthem","subscriber":{"id":"XDP882M10427","relation":"self"}}', 'XDP882M10427'],
      ['insurance:\n  provider: UnitedHealthcare\n  type: EPO\n  id: "948201736"\n  group: "0755120"', '948201736'],
      ['My health card from Ontario, 8028 881 178 XF, still works', '8028 881 178 XF'],
      ['bring his OHIP card, the number we have on file is 5843-441-915-KT but', '5843-441-915-KT'],
      ['transferred from Sudbury, HCN 4419 027 386 version code LM', '4419 027 386'],
      ["No d'assurance maladie (RAMQ) : GAUL 7710 0918", 'GAUL 7710 0918'],
      ["So I read it again, 943 476 5919, and she'd typed a 4. This was for Dad's NHS number.", '943 476 5919'],
      ['NHS numbers in the second column\nHughes, Brenda  943 476 5919  bed 4', '943 476 5919'],
      ["Medicare card (Australia), Dad's: 2428 77813 2", '2428 77813 2'],
      ['Agent: member services, may I have the ID off your card?\nCaller: hold on\nCaller: H61840275', 'H61840275'],
      ['Kaiser now. Card shows 11048273650. Copay $25.', '11048273650'],
      ["mom's plan, UHC, 917263840, DOB of mom", '917263840'],
      ['via anthem, rx bin 020099, my id is 827M61930.', '827M61930'],
      ['Carte Soleil de mon fils : ROYL 1503 2214 (exp. 2028-03)', 'ROYL 1503 2214'],
      ['the NHS no on the back of the sheet: 9434765919. Can you', '9434765919'],
      ['{"payer_id":"60054","member_id":"W81726 3940"}', 'W81726 3940'],
      ['国民健康保険\n記号番号：川5-281736', '川5-281736'],
      ['資格確認書 記号・番号・枝番：1182・5063・02', '1182・5063・02'],
      ['介護保険の被保険者番号が変わり、今の市では0001827364、です', '0001827364'],
      ['「記号・番号の誤り」。保険証を見ると4127-88です', '4127-88'],
      ['職員：被保険者番号はおわかりですか。\n市民：はい、封筒に。\n市民：08172639', '08172639'],
      ['moved from Anthem to Kaiser, the Kaiser one says 1100 4827 361. Thanks', '1100 4827 361'],
      ['EHIC/GHIC number: 80826000120482917364', '80826000120482917364'],
      ['保険証の番号が読めません。たぶん28-91730だと思う', '28-91730'],
      ['hoken_no,kigo,bango\n06139463,x,y', '06139463'],
      ['wants the Medi-Cal number. The BIC shows 90817263D, issued', '90817263D'],
      ["The wrong person: I'm W40 9182 7364 on Aetna, she is 02", 'W40 9182 7364'],
      ['国保の保険証、私のが番号1048273で', '1048273'],
      ['国保で、記号が横3と書いてあります', '横3'],
      ['<保険者情報><記号>公立3</記号></保険者情報>', '公立3'],
      ['保険証の写しです。本人の番号は41-20938', '41-20938'],
      ['保険証は組合のもの、67132357、本人', '67132357'],
      ["UPDATE employees SET hoken_kigo = '73200154' WHERE id = 1", '73200154'],
      ["INSERT INTO hoken (id, kigo, memo) VALUES (1, '218', 'x');", '218'],
      ['受付：被保険者番号をお願いします。\nお客様：ちょっと待ってくださいね。\nお客様：12804736です。', '12804736'],
      ['"保険": {"種別": "国保", "記号": "世田谷", "番号": ""}', '世田谷'],
      ['Primary: Ridge Plan, ID 84402917-03', '84402917-03'],
      ['My Alberta health care number is 48291-7364', '48291-7364'],
      ['OHIP renewal: new version code. 4829 173 645 KT', '4829 173 645 KT'],
      ['Explanation of benefits. Subscriber: K. Tan. ID: XWJ482917364. Paid', 'XWJ482917364'],
      ["Client's PHN is 9120 922 353, on file", '9120 922 353'],
      ['my Aetna card (W2209 48173), two cards and my gym fob', 'W2209 48173'],
      ['Humana part D\nLou: red white and blue card too\nLou: 8FM1UG0FC57', '8FM1UG0FC57'],
      ["INSERT INTO plan_members (name, member_no) VALUES ('Falk', 'W284410937');", 'W284410937'],
      ['国保に切替予定、保険者番号は市のもの06139463', '06139463'],
      ['健康保険の記号千代田イ、番号x', '千代田イ'],
      ['「記号」が横3、「番号」は不明です。これは国民健康保険ですよね', '横3'],
      ['健康保険です。「被保険者の記号は」「1077、もう一つは」', '1077'],
      ['通帳の写しあり。本人確認：保険証　記号５１８', '５１８'],
      ['協会けんぽですね。カードの番号を」\n「ええと、上の段が37010042です」', '37010042'],
      ['保険証はあります。番号の前の記号は5102です', '5102'],
      ['My Medicaid ID changed to AB48201K last month', 'AB48201K'],
      ['Gesundheitskarte: K204819377, IK 104212505', 'K204819377'],
    ],
    noMatch: [
      'Claim number CLM4820193, health insurance denied it',
      'for the insurance\nTeen: of the licence? 482019377',
      '生命保険の証券記号番号 204-8193377 です',
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
      'Your order W203881947 has shipped. Health tip of the week: drink water.',
      'our insurance agent filed claim W190448271 for the house',
      'Kaiser Vallejo, MRN 110048273',
      'Optum, 8005550142',
      'My yoga membership W81726394 lapsed; also health insurance',
      'the blue cross on it, carton number B8172639-40',
      '保険証の被保険者番号の件、電話は08172639です',
      '保険証の番号の件、郵便物は231-0017に',
      'Slack: <@U48201936> look at the insurance ticket',
      'the Aetna form has NPI 1548293746 and group 0866123010',
      'car insurance: Ontario, 8028 881 178 XF',
      'the NHS helpline gave me 943 476 5918',
      'health app: serial GAUL 7713 0918',
      '{"user":{"memberId":"M482017365","tier":"gold"}}',
      '国保の保険料をゆうちょに。記号10180、番号4820171です。',
      '型番の記号はAB-105、番号は24871です。',
      '健康保険組合の受付番号は48213です。',
      '保険証は次回、診察券番号 67132357',
      '生命保険の証券記号番号は48-2017365です',
      "UPDATE parts SET bango = '7320' WHERE id = 5",
      "Client's PHN is missing, old chart 9120922354",
      'health insurance office, Springfield 48291-7364',
      'Primary: Ridge Street, room 84402917',
      '協会けんぽの棚。上の段が37010042です',
      '保険者番号は市のもの06139464',
      '健保の記号・番号の印字位置を左に25mm、上は12mm移す',
      'the health insurance market: stock symbol 20417',
      '保険証のコピーと通帳。銀行の記号10180',
      '健保の方：電話番号をお願いします。\nお客様：12804736です。',
    ],
  },
};

/** Numbers that stand away from their label. */
function furtherFrom(text: ScanText): Detection[] {
  const { shadow, keywords } = text;
  const labels = keywords.labels(name);
  const anchors = keywords.anchors(name);
  const isOfJapan = ({ start, end }: KeywordHit) => {
    const first = shadow.charCodeAt(start);
    return first > 0x2fff || (romanizedFirsts.has(first | 0x20) && romanized.test(shadow.slice(start, end + 48)));
  };
  const ofJapan = [...anchors.filter(isOfJapan), ...labels.filter(isOfJapan)];
  if (ofJapan.length > 1) ofJapan.sort((a, b) => a.start - b.start);
  const ofPlans = anchors.filter(({ start }) => shadow.charCodeAt(start) < 0x3000);
  const ofCards = labels.filter(({ start }) => cardLabel.test(shadow.slice(start, start + 8)));
  const places = [
    ...(ofJapan.length === 0 ? [] : [...insuredNumbers(text, ofJapan), ...insuredCells(text, labels)]),
    ...(ofPlans.length + ofCards.length === 0 ? [] : healthByEvidence(text, ofPlans, ofCards)),
  ];
  return places.map(({ start, end }) =>
    detectionAt(text, start, end, { type: 'HEALTH_INSURANCE', score: 0.7, recognizer: name, context: 'health' }),
  );
}

/** In order, those inside of others left out. */
function withoutRepeats(found: Detection[]): Detection[] {
  const kept: Detection[] = [];
  let end = 0;
  for (const detection of found.sort((a, b) => a.start - b.start || b.end - a.end || b.score - a.score)) {
    if (detection.end <= end) continue;
    end = detection.end;
    kept.push(detection);
  }
  return kept;
}
