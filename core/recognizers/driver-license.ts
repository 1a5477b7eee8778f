/** Driving licence numbers by the word before them: Japan, North America, Europe, Australia and similar forms. */
import { numberLeft, numberRight } from '../boundaries.ts';
import { isJapaneseLicense } from '../checksums.ts';
import { type LabelledValue, labelledValues } from '../labels.ts';
import { isOtherNumber } from '../other-numbers.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';
import { stateBefore, stateBehind } from './us-states.ts';

const name = 'driver-license';
const number = new RegExp(
  `(?:${numberLeft}|(?<=N/))(?:${[
    '[0-9]{4}([ -])[0-9]{4}\\1[0-9]{4}',
    '[A-Z9]{5} ?[0-9]{6} ?[A-Z9]{2}[0-9A-Z]{3}(?: ?[0-9]{2})?',
    '[A-Z][0-9]{4} - [0-9]{5} - [0-9]{5}',
    // Not the small words before a number.
    '(?<![\\x27’])(?!(?:is|no|nr|num|id|it|my|was|the|of|for|and|ist|die|exp|iss|dob|st) )[A-Z]{1,3}[- ]?[0-9]{2,14}(?:[- ][0-9]{1,6}){0,4}',
    // Manitoba, Kentucky and others in groups.
    '[A-Z]{2}(?:-[A-Z]{2}){2}-[A-Z][0-9]{3}[A-Z]{2}',
    // Iowa, in groups.
    '[0-9]{3} [A-Z]{2} [0-9]{4}',
    '[0-9]{2,12}(?:[- ][0-9]{1,10}){0,4}',
    '(?=[A-Z*]*[0-9])[A-Z0-9*]{8,14}',
    // France since 2013, New Hampshire, Iowa, Vermont.
    '[0-9]{2,8}[A-Z]{1,3}[0-9]{0,5}',
  ].join('|')})(?:${numberRight}|(?=/[A-Z]{2}(?![0-9A-Za-z])))`,
  'gi',
);
const sentenceEnd =
  /[.!?;。！？]\s*(?=\S)(?<!\b(?:no|nr|lic|num)\.\s*)(?!(?:(?:and )?(?:it|mine|this)(?:'s| is| was) |(?:old|new|current|number)(?: (?:one|number))?(?: is)?:? )["']?$)|\b(?:expir\w+|until|issued|since|valid)\b|有効|交付|まで/i;
/** Digits alone are told by what stands between. */
const bareLink =
  /^[^A-Za-z]*(?:(?:no|num|number|nr|id|is|was|are|my|it|it's|s|its|the|a|for|of|in|on|file|from|with|to|as|new|old|current|state|card|and|holder|bearing|shown?|one|digits?|[A-Z]{2}|Texas|York|New|California|Utah|Georgia|Florida|Ohio|Oregon)(?![A-Za-z])[^A-Za-z]*){0,6}$/i;
/** In a sentence of small letters, whatever else it says, but for words that have numbers of their own. */
const prose =
  /^s?[,:]?(?: (?!(?:fees?|costs?|offices?|class|points?|appointment|queue|wallet|case|by|renewal|order|room|page|photo|form|template|statistics|database|requires?|required|or|if|when|before|after|within|than|about|at|over|service|center|exam|test|check|years?|days?|reader|scanner|software|code|section|version)\b)[a-z']{1,11},?){1,5}[:,]? ?["'(]?$/;
const counted =
  /^ ?(?:年|月|日|時|円|万|千|件|人|名|個|回|歳|か|ヶ|バイト|ビット|%|(?:years?|days?|months?|usd|bytes?|[kmgt]i?b|[kmg]?bps|bits?|ms|k?m|miles?|files?|items?|rows?|times|pcs|seats?|users?|samples?|downloads?)(?![a-z]))/i;
const dateLike = /^(?:[0-9]{4}[- ][0-9]{1,2}[- ][0-9]{1,2}|[0-9]{1,2}[- ][0-9]{1,2}[- ][0-9]{4})$/;
/** `DL` is short for other things too, so the number has to follow at once. */
const short = /^(?:d[./]?l|oln)/;
/** Behind a short word, in a sentence: the value has to have letters. */
const shortLink =
  /^,? ?(?:(?:number|no|that|which|it|is|was|hard|to|read|verified|checked|scanned|on|file|from|my|his|her|the|here|this)[,:;]? ){0,8}$/i;
const letterForm = /^[A-Z]{1,3}[0-9]{5,13}$/;
const linked =
  /^\/$|^ copy ?[(:] ?$|^[\s"'`*_:=#.>|{)\]}【】-]*(?:(?:no|num|number|id|is|nr|value|on file|from|番号は?)[\s"'`*_:=#.>|)-]*){0,2}$|^["']?, ?["']?(?:id|doc|document)?[ _]?(?:number|no|num|value)["']?: ?["']?$/i;

/** The value is of this: `a driver's license at gate B12345`. */
const otherThing =
  /(?<![A-Za-z])(?:gate|room|bay|form|flight|seat|error|route|badge|dock|zone|desk|counter|locker|unit|employee|staff|policy|claim|account|vin|section|page|request|req|application|session|event|record)(?: (?:no|number|id)\.?)?[ #"':(]*$/i;
const fileExtension = /^\.(?:[a-z]{3,4}|JPE?G|PNG|PDF|HEIC|TIFF?)(?![A-Za-z])/;
/** Of a company's drivers, most often. */
const driverId = /^driver(?:'?s)?[ _.-]?id$/;
/** There are licences for software and trades too. */
const plain = /^lic/;
const plainLink =
  /^(?:'?s)?[\s"'`*_:=#.>/|()（）,\]}-]*(?:,? ?(?:no|num|number|id|is|are|nr|on file|of (?:the )?driver|\(driver\))[\s"'`*_:=#.>|()（）-]*){0,2}$/i;
const memberLink = /^["']?:.{0,24}["'](?:number|no|id)["']?: ?["']?$/;
const ofDriver =
  /(?<![A-Za-z])driv(?:er|ing)(?:'?s)?(?:[ _]?(?:name|id|no))?(?![A-Za-z])|(?<![A-Za-z])dmv(?![A-Za-z])|(?<![A-Za-z])licen[cs]e[ _](?:class|state|expir)/i;
/** Words of a record about a person. */
const ofPerson =
  /(?<![A-Za-z])(?:birth(?:day|[ _]?date)?|dob|passport|insur(?:ed|ance)|claimant|vehicle|rental|hirer|full[ _]?name|last[ _]?name|surname|applicant)(?![A-Za-z])/i;
const driverReach = 90;
/** Documents of identity that a form asks the number of: `ID type: Driver License`, `documentNumber`. */
const ofLicence = /(?<![A-Za-z])driv(?:er|ing)(?:'?s)?[ _](?:lic|permit)/i;
/** A day as eight digits. */
const calendarDay = /^20[0-4][0-9](?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])$/;
const ownerBefore = /\b(?:my|his|her|your|their) (?:[a-z]+ )?$/i;
/** Forms that nothing else has: Washington's, and the German one. */
const plainForm = /^(?:WDL[A-Z0-9*]{9}|[A-Z0-9][0-9]{2}[0-9A-Z]{6}[0-9][0-9A-Z])$/;
/** A letter and groups: Illinois, Florida, Wisconsin, Michigan, Maryland, Ontario, Quebec and others. */
const groupedForm = /^[A-Z](?:[0-9]{3,4}|(?=-))(?:-[0-9]{2,6}){2,4}(?:-[0-9])?$/;
/** Licences that nobody drives with. */
const otherLicence =
  /(?:software|product|windows|office|oracle|adobe|server|site|user|trial|enterprise|volume|source|code|medical|nursing|rn|cpa|business|trade|liquor|contractor'?s?|real estate|professional|teaching|pharmac(?:y|ist)|law|bar|dental|veterinary|pilot'?s?|fishing|hunting|marriage|dog|pet|radio|tv|gun|firearms?|export|import|patent|music|media|film|stock|image|font|mining|gaming|alcohol|food|cosmetology|insurance|broker'?s?)[ _-]$/i;
/** `Oper. Lic.` */
/** In Britain, of a company with lorries. */
const ofGoods = /^O[A-Z][0-9]{7}$/;
const shortOfDriver = /(?<![A-Za-z])(?:dr|drv|drvr|oper|opr)[. ]{1,2}$/i;
/** A word of its own before `license` most often says whose trade it is. */
const ofTrade =
  /(?<![A-Za-z])(?!(?:my|your|his|her|their|our|the|this|that|state|valid|current|new|old|photo|photocard|full|probationary|and|with|class|renter|hirer|customer|insured|claimant|s)[ _-])[A-Za-z]+[ _-]$/i;
/** In French a permit is for many things. */
const permit = /^permis/;
const permitLink = /^(?: de conduire)?(?: \([A-Za-zÀ-ÿ]+\))?[ :]{0,3}(?:n(?:[°ºo]|um[ée]ro)\.?)?[ :]{0,3}$/i;
const frenchForm = /^(?:[0-9]{12}|[0-9]{2}[A-Z]{2}[0-9]{5})$/;

/** Words for the Japanese licence, the lines that are printed on it, and the people who show it. */
const japaneseSign = /免許(?!皆伝|返納|状)|有効|交付|優良|二・小・原|眼鏡|運転者|ドライバー/;
const japaneseReach = 80;
/** Licences of trades, `無線免許 免許番号`. */
const otherJapanese =
  /(?:無線|医師|調理師|看護師|美容師|理容師|宅建|酒類|狩猟|船舶|教員|販売業)(?:免許)?[ 、:：]{0,2}$/;
/** Another number with twelve digits. */
const japaneseOther =
  /(?:マイナンバー|個人番号|口座|年金|保険|法人|社員|会員|顧客|予約|契約|受付|電話|証券|講習|登録(?!が|を|は|に|して|済|必))[^\n0-9免]{0,8}$/;

/** The British form, and twelve digits with the check digit of Japan. */
function isNationalForm(written: string): boolean {
  return (
    /^[A-Z9]{5} ?[0-9][0156][0-9]{4} ?[A-Z9]{2}[0-9A-Z]{3}$/.test(written) ||
    (/^[0-9]{12}$/.test(written) && isJapaneseLicense(written))
  );
}

/** With the month and the day of birth. */
const britishForm =
  /^[A-Z]{2}[A-Z9]{3}[0-9](?:0[1-9]|1[0-2]|5[1-9]|6[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9][A-Z9]{2}[0-9A-Z]{3}$/;
/** The same with digits that are no date, as people make them up. */
const britishShape = /^[A-Z]{2}[A-Z9]{3}[0-9]{6}[A-Z9]{2}[0-9A-Z]{3}$/;
const britishSign = /driving|driver|licence|dvla|photocard/i;
const madeUpSign = /driv(?:ing|er)|dvla|licence(?! ?(?:key|code|server|file))/i;

/** The number of a document that is a driving licence: `Document title: Driver's license … Document number: 79281471`. */
const documentNumber =
  /^s?["']?[ :=#.]{0,3}(?:is )?["']?((?:[A-Z]{1,3}[0-9-]{5,}[A-Z]?|[0-9]{7,12}|[A-Z]{2}[A-Z9]{3}[0-9]{6}[A-Z9]{2}[0-9A-Z]{3})(?![0-9A-Za-z_]))/;
const documentIsLicence =
  /(?:driv(?:er|ing)(?:'?s)?[ _](?:licen[cs]e|lic)|type["']?[:=] ?["']?dl\b)(?![\s\S]*(?:passport|employee|member|badge|order|user))|(?<![a-z])lic(?:ense)? ?\/ ?$/i;
const documentReach = 110;

/** True when what stands around the number does not say that it is something else. */
function isLicence(shadow: string, value: LabelledValue): boolean {
  const { start, end, groups, context, gap, isBehind } = value;
  if (plain.test(context) && !isDriversOwn(shadow, value)) return false;
  const written = groups[0];
  const digits = written.replace(/[^0-9]/g, '');
  const isMixed = written.length === 12 && /^[A-Z*]{3}/.test(written);
  const fewest = isMixed ? 2 : /^[A-Z]{2}(?:-[A-Z]{2}){2}/.test(written) ? 3 : 5;
  if (digits.length < fewest || dateLike.test(written) || counted.test(shadow.slice(end, end + 10))) return false;
  if (/^免許/.test(context) && otherJapanese.test(shadow.slice(Math.max(0, value.labelStart - 8), value.labelStart)))
    return false;
  // `license and order number`: the last word counts.
  if (isBehind && /[A-Za-z]{2}/.test(gap) && (isOtherNumber(shadow, start) || otherThing.test(gap))) return false;
  if (fileExtension.test(shadow.slice(end, end + 6))) return false;
  if (context.startsWith('operator') && ofGoods.test(written)) return false;
  if (driverId.test(context) && /^[0-9 -]+$/.test(written)) return false;
  if (short.test(context) && calendarDay.test(written)) return false;
  // A list of definitions.
  if (/^<dl[^>]{0,40}>\s*</.test(shadow.slice(value.labelStart - 1, value.labelStart + 48))) return false;
  // `Order 12345678: driver's license holder`.
  if (!isBehind && isOtherNumber(shadow, start)) return false;
  if (isBehind && /\bby\b/.test(gap)) return false;
  if (!isBehind && short.test(context) && !/^ ?[(（]$/.test(gap)) return false;
  if (isBehind) {
    if (sentenceEnd.test(/(?:n(?:o|r|um)|lic|^d.l)$/.test(context) ? gap.replace(/^\./, '') : gap)) return false;
    if (short.test(context) && !linked.test(gap) && !(letterForm.test(written) && shortLink.test(gap))) return false;
  }
  if (/[a-z]/.test(written) && !(linked.test(gap) && /^[A-Za-z]{1,3}-?[0-9]{5,}[0-9 -]*$/.test(written))) return false;
  if (!/^[0-9 -]+$/.test(written)) return !/^[免運]/.test(context);
  if (
    digits.length < 7 ||
    digits.length > 13 ||
    (isBehind && !bareLink.test(gap) && !(prose.test(gap) && context.startsWith('driv')) && !permit.test(context))
  )
    return false;
  return !/^[免運]/.test(context) || (digits.length === 12 && !isOther(shadow, start));
}

/** A bare `license` speaks for a number only where a driver, a state or a form about a person is near. */
function isDriversOwn(shadow: string, { end, groups, gap, labelStart }: LabelledValue): boolean {
  if (!plainLink.test(gap) && !memberLink.test(gap)) return false;
  const written = groups[0];
  if (isNationalForm(written)) return true;
  const before = shadow.slice(Math.max(0, labelStart - 40), labelStart);
  if (otherLicence.test(before)) return false;
  if (groupedForm.test(written) || shortOfDriver.test(before)) return true;
  const isOfState = stateBefore.test(before) || stateBehind.test(shadow.slice(end, end + 24));
  const around = shadow.slice(Math.max(0, labelStart - driverReach), end + driverReach);
  const isDrivers = ofDriver.test(around);
  if (/^[0-9 -]+$/.test(written)) {
    const line = before.slice(before.lastIndexOf('\n') + 1) + (/^[^\n]*/.exec(shadow.slice(end, end + 40))?.[0] ?? '');
    if (ofLicence.test(line)) return true;
    if (isDrivers || ownerBefore.test(before)) return isOfState;
    return isOfState && /^[0-9]{8,10}$/.test(written) && (stateBefore.test(before) || !ofTrade.test(before));
  }
  if (plainForm.test(written)) return isOfState || isDrivers;
  if (!/^[A-Z]{1,3}[0-9-]{6,}[A-Z]?$/.test(written)) return false;
  return isDrivers || isOfState || (ofPerson.test(around) && !ofTrade.test(before)) || ownerBefore.test(before);
}

/** True when the word before the number names another one; `第` is only how numbers are opened. */
function isOther(shadow: string, start: number): boolean {
  const before = shadow.slice(Math.max(0, start - 40), start).replace(/第 ?$/, '');
  const own = japaneseLabel.exec(before)?.[1];
  if (own !== undefined && !ofPapers.test(own)) return true;
  return isOtherNumber(before, before.length) || japaneseOther.test(before);
}

/** The word nearby that makes twelve digits with the right check digit a Japanese licence: of a form, or of its card. */
function japaneseContext(shadow: string, start: number, end: number): string | undefined {
  if (!/^[0-9]{12}$/.test(shadow.slice(start, end)) || !isJapaneseLicense(shadow.slice(start, end))) return undefined;
  if (isOther(shadow, start)) return undefined;
  const before = shadow.slice(Math.max(0, start - japaneseReach), start);
  return (japaneseSign.exec(before) ?? japaneseSign.exec(shadow.slice(end, end + japaneseReach)))?.[0];
}

/** `事業番号 `: the number's own word, unless it is one for papers. */
const japaneseLabel = /([\u3400-\u9FFF\u30A1-\u30FC]{2,6})番号[は:：\s]{0,3}$/;
const ofPapers = /免許|証|書類?|記号|資料|確認|運転|文書/;

/** Looks around the words. */
export const driverLicense: Recognizer = {
  name,
  type: 'DRIVER_LICENSE',
  labels: [
    "(driver|driver's|drivers|drivers'|driving|operator|operator's) (license|licence|lic|permit)",
    "(driver|driver's|drivers|driving|operator|operator's|operators) (license|licence|lic) (no|num|number|id)",
    "(driver|driver's) id",
    "(instruction|instructional|driving|motorcycle|motorbike|moped|provisional|junior|learner|learner's|learners|international driving|chauffeur|chauffeur's) (license|licence|permit)",
    '(driving|driver) (credential|record) (number|no)',
    '(license|licence|lic) (no|num|number)',
    '(license|licence|lic)',
    'dl',
    '(drv|drvr) lic',
    '(drv|drvr) lic (no|num|number)',
    'dl/id',
    'dl / (state id|id)',
    'dl/state id',
    "(driver|driver's) number",
    'dln',
    'oln',
    'd/l',
    'dl (no|num|number|id)',
    'd.l',
    'cdl',
    'fuhrerschein',
    'führerschein',
    'permis de conduire',
    'permis',
    'fahrerlaubnis',
    '免許証',
    '免許証番号',
    '運転免許',
    '運転免許証',
    '運転免許証番号',
    '運転免許番号',
    '免許番号',
    '免許の番号',
    '免許証ナンバー',
    '運転経歴証明書',
    'ドライバーズライセンス',
    'ドライバーライセンス',
    'menkyo',
    'menkyosho',
    'menkyosho (bango|no|number)',
    'menkyo (bango|no|number)',
    '免許証の番号',
  ],
  anchors: [
    'document number',
    'documentnumber',
    'document no',
    ' id number',
    'id_number',
    'idnumber',
    ' id #',
    '/id #',
    'govt_id',
  ],
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    const add = (start: number, end: number, score: number, context: string, checksum = false) =>
      found.push(detectionAt(text, start, end, { type: 'DRIVER_LICENSE', score, recognizer: name, context, checksum }));
    for (const value of labelledValues(text, name, number)) {
      const { start, end, groups, context, gap } = value;
      if (!isLicence(text.shadow, value)) continue;
      const digits = groups[0].replace(/[^0-9]/g, '');
      const isBare = /^[0-9 -]+$/.test(groups[0]);
      const checksum = digits.length === 12 && isBare && isJapaneseLicense(digits);
      if (permit.test(context) && !(permitLink.test(gap) && frenchForm.test(groups[0])) && context === 'permis')
        continue;
      add(start, end, checksum ? 1 : isBare ? 0.8 : 0.9, context, checksum);
    }
    const known = new Set(found.map((hit) => hit.start));
    for (const hit of text.keywords.anchors(name)) {
      const value = documentNumber.exec(text.shadow.slice(hit.end, hit.end + 32));
      if (
        value === null ||
        !documentIsLicence.test(text.shadow.slice(Math.max(0, hit.start - documentReach), hit.start))
      )
        continue;
      const end = hit.end + value[0].length;
      const start = end - (value[1] ?? '').length;
      if (!known.has(start)) add(start, end, 0.8, 'license');
    }
    for (const { start, end, digits } of text.digitRuns) {
      if (digits !== 12 || known.has(start)) continue;
      const context = japaneseContext(text.shadow, start, end);
      if (context !== undefined) add(start, end, 0.9, context, true);
    }
    // The British form is seldom anything else.
    for (const { start, end, hasDigit } of text.longWords) {
      if (!hasDigit || end - start !== 16 || known.has(start)) continue;
      const written = text.shadow.slice(start, end);
      if (!britishShape.test(written)) continue;
      const around = text.shadow.slice(Math.max(0, start - driverReach), end + driverReach);
      const sign = (britishForm.test(written) ? britishSign : madeUpSign).exec(around)?.[0];
      if (sign !== undefined) add(start, end, 0.9, sign.toLowerCase());
    }
    return found.length > known.size ? found.sort((a, b) => a.start - b.start) : found;
  },
  samples: {
    match: [
      ['運転免許証番号：309012345620', '309012345620'],
      ['免許証の番号は第３０９０１２３４５６２０号', '３０９０１２３４５６２０'],
      ['DL# D1234567', 'D1234567'],
      ['免許の条件等 眼鏡等\n番号 第 309012345620 号', '309012345620'],
      ['My Colorado license number is 68-426-1287', '68-426-1287'],
      ['OLN: 79 281 471  State: PA', '79 281 471'],
      ['permis n° 824069134940', '824069134940'],
      ['5. MORGA657054SM9IJ\n7. signature\nDRIVING LICENCE', 'MORGA657054SM9IJ'],
      ["driver's license number: S530-4209-1234", 'S530-4209-1234'],
      ['driving licence MORGA657054SM9IJ', 'MORGA657054SM9IJ'],
      ['"driverLicense": "WDLABCD456DG"', 'WDLABCD456DG'],
      ["Driver's License 12345678 (TX)", '12345678'],
      ['運転免許証(普通)：309012345620', '309012345620'],
      ['DRIVER LICENSE NO ..... R5637478', 'R5637478'],
      ['D1234567 (driver license)', 'D1234567'],
      ["my driver's license is D1234567.Thanks for asking", 'D1234567'],
      ['drivers_license_no=A1234567', 'A1234567'],
      ['Hirer, licence no 044980315 (VIC), born', '044980315'],
      ['Driver number: MORGA657054SM9IJ', 'MORGA657054SM9IJ'],
      ['need DL copy (S5819174) today', 'S5819174'],
      ['my license number is M8800410', 'M8800410'],
      ['licence: MORGA657054SM9IJ', 'MORGA657054SM9IJ'],
      ['{"license_no":"309012345620"}', '309012345620'],
      ['birth_date: 1988-04-17, licence_no: S5819174', 'S5819174'],
      ['handed me a Nebraska DL, Q04556650, can', 'Q04556650'],
      ["update my driver's license. New: Y86135514", 'Y86135514'],
      ['a driver license bearing number 006632024', '006632024'],
      ['OLN/82783882.OLS/PA', '82783882'],
      ["Document: Driver's license\nState: TX\nDocument Number: 79281471", '79281471'],
      ["my driver's license? Number: 64179610", '64179610'],
    ],
    noMatch: [
      'part D1234567',
      'dl 12 files',
      'merge e0f9095aaa dl/show-ref later',
      "driver's license\nMIT license 12345678",
      'dl 20250301 backlog',
      'CPA license no. 45678123',
      '免許証入れ 商品番号 309012345620',
      '番号 第 309012345631 号 有効',
      '(merge b441717256 dl/test later)',
      'driver version 535.129.03',
      '免許証の有効期限は20271231',
      'driver license expires 2027-12-31',
      'NVIDIA driver 53512903',
      "driver's license office, room 1204567",
      'MIT license 12345678',
      'license_no: S5819174, seats 40, expires 2027',
      'license key: 309012345621',
      '309012345620',
      "driver's licenses by state: TX 17368513",
      "driver's license photo DSC01234567.JPG",
      "order 12345678: driver's license holder",
      'operator licence OK1234567',
      'Childcare license 123456789, Texas HHS',
      'document number 79281471',
    ],
  },
};
