/** What stands around a driving licence number: the words that link it to its label, its forms, other documents. */
import { isJapaneseLicense } from '../checksums.ts';
import type { LabelledValue } from '../labels.ts';
import { isNamedOther, isOtherNumber } from '../other-numbers.ts';
import { isNamedThing } from './number-telling.ts';
import { stateBefore, stateBehind, stateWithin } from './us-states.ts';

/** The link of a list is that of its first value. */
const linkMax = 160;
const sentenceEnd =
  /[.!?;。！？]\s*(?=\S)(?<!\b(?:no|nr|lic|num|4d)\.\s*)(?!(?:(?:and )?(?:it|mine|this)(?:'s| is| was| should be) |(?:old|new|current|number)(?: (?:one|number))?(?: is)?:? )["']?$)|\b(?:expir\w+|until|issued|since|valid)\b|有効|交付|まで/i;
/** Digits alone are told by what stands between. */
const bareLink =
  /^[^A-Za-z]*(?:(?:no|num|number|nr|nummer|num[eé]ro|número|numer|id|is|was|are|my|it|it's|s|its|the|a|for|of|in|on|file|from|with|to|as|new|old|current|state|card|info|information|details|and|holder|bearing|shown?|run|given|listed|verified|checked|copy|copied|received|swiped|presented|suspended|revoked|expired|seen|sighted|value|answer|one|digits?|[A-Z]{2}|Texas|York|New|California|Utah|Georgia|Florida|Ohio|Oregon)(?![A-Za-z])[^A-Za-z]*){0,6}$/i;
/** In a sentence of small letters, whatever else it says, but for words that have numbers of their own. */
const prose =
  /^s?[,:]?(?: (?!(?:fees?|costs?|offices?|class|points?|appointment|queue|wallet|case|by|renewal|order|room|page|photo|form|template|statistics|database|requires?|required|or|if|when|before|after|within|than|about|at|over|service|center|exam|test|check|years?|days?|reader|scanner|software|code|section|version)\b)[a-z']{1,11},?){1,5}[:,]? ?["'(]?$/;
const counted =
  /^ ?(?:年|月|日|時|円|万|千|件|人|名|個|回|歳|か|ヶ|バイト|ビット|%|(?:years?|days?|months?|usd|bytes?|[kmgt]i?b|[kmg]?bps|bits?|ms|k?m|miles?|files?|items?|rows?|times|pcs|seats?|users?|samples?|downloads?|tons?|packets|views|lines|hits|requests)(?![a-z]))/i;
const dateLike = /^(?:[0-9]{4}[- ][0-9]{1,2}[- ][0-9]{1,2}(?: [0-9]{1,2})?|[0-9]{1,2}[- ][0-9]{1,2}[- ][0-9]{4})$/;
/** `DL` is short for other things too, so the number has to follow at once. */
const short = /^(?:d[./]?l|oln|cnh|[a-z]{2}dl)/;
/** Behind a short word, in a sentence: the value has to have letters. */
const shortLink =
  /^,? ?(?:(?:number|no|that|which|it|is|was|of|applicant|driver|customer|renter|hirer|employee|client|hard|to|read|verified|checked|scanned|swiped|copied|received|sighted|seen|presented|on|file|from|my|his|her|the|here|this|run|given|listed|as)[,:;]? ){0,8}[(（]?$|^(?: [a-z']{1,12}){1,5}[.,;] (?:it's|it is|number:?|number is) $/i;
const letterForm = /^[A-Z]{1,3}[0-9]{5,13}$/;
/** A value before its label: `D1234567 - Virginia DL`, `D1234567 appears on his driver's license`. */
const beforeLabel =
  /^(?: ?(?:[,=(:<]|-{1,2}>?|<-+) ?| (?=an? valid )| (?:is|was|appears|appeared|shown|printed|listed)(?: on)? | (?:on|from|for) )(?:(?:the|my|our|his|her|their|your|a|an|valid|new|old|current) ){0,2}$/i;
const linked =
  /^\/$|^ copy ?[(:] ?$|^s?[\s"'`*_:=#№°º.>|{[)\]}【】/-]*(?:(?:no|num|number|id|is|stays|remains|nr|value|val|text|info|details|data|on file|from|state|st|exp|class [A-Z]{1,2}|番号は?)[\s"'`*_:=#.>|)/&{-]*){0,3}$|^["']?, ?["']?(?:id|doc|document)?[ _]?(?:number|no|num|value)["']?: ?["']?$/i;

/** The value is of this: `a driver's license at gate B12345`. */
const otherThing =
  /(?<![A-Za-z])(?:gate|room|bay|form|flight|seat|error|route|badge|dock|zone|desk|counter|locker|unit|employee|staff|policy|claim|account|vin|section|page|request|req|application|session|event|(?<!on )record|bag|box|memo|drawer|shelf|confirmation|reference)(?: (?:no|number|id|code)\.?)?(?: (?:is|was))?[ #"':(]*$/i;
/** `"driver_license_no";"49280754"` */
const nextCell = /^["']?[;,|\t]["']?$/;
const fileExtension = /^\.(?:[a-z]{3,4}|JPE?G|PNG|PDF|HEIC|TIFF?)(?![A-Za-z])/;
/** Of a company's drivers, most often. */
const driverId = /^(?:driver(?:'?s)?|dl)[ _.-]?id$/;
/** There are licences for software and trades too. */
const plain = /^lic(?!encia)/;
const plainLink =
  /^(?:'?s)?[\s"'`*_:=#.>/|()（）,\]}-]*(?:,? ?(?:no|num|number|id|is|are|as|& state|and state|nr|nbr|st|state|suspended|revoked|expired|verified|seen|sighted|on file|of (?:the )?driver|\(driver\))[\s"'`*_:=#.>|()（）-]*){0,3}$/i;
const memberLink = /^["']?:.{0,24}["'](?:number|no|id)["']?: ?["']?$/;
/** `license: {type: driver, id: …` */
const driversMember = /^[a-z]{3,7}["']?\s?:\s?\{[^{}]{0,24}(?:type|kind|class)["']?\s?[:=]\s?["']?driv/i;
const ofDriver =
  /(?<![A-Za-z])driv(?:er|ing)(?:'?s)?(?:[ _]?(?:name|id|no))?(?![A-Za-z])|(?<![A-Za-z])(?:dmv|mvr|dvla|motor vehicle re(?:port|cord))(?![A-Za-z])|(?<![A-Za-z])licen[cs]e[ _](?:class|state|expir)/i;
/** Programs have licences, too. */
const ofSoftware =
  /(?<![A-Za-z])(?:api|software|servers?|seats|users|plugins?|subscription|workstation|edition|activat(?:e|ed|ion)|saas|sdk|app)(?![A-Za-z])/i;
/** Words of a record about a person. */
const ofPerson =
  /(?<![A-Za-z])(?:birth(?:day|[ _]?date)?|dob|passport|insur(?:ed|ance)|claimant|vehicle|rental|renter|hirer|kyc|identity|verification|suspended|revoked|guest|shuttle|courier|trip|to drive|scanned|mismatch|full[ _]?name|last[ _]?name|surname|applicant)(?![A-Za-z])/i;
const driverReach = 90;
/** What a form asks next to it. */
const besideLicence =
  /(?<![A-Za-z])(?:state of issue|issuing state|rego|registration of (?:the )?vehicle|vehicle reg\w*|licen[cs]e class)(?![A-Za-z])/i;
/** Documents of identity that a form asks the number of: `ID type: Driver License`, `documentNumber`. */
const ofLicence = /(?<![A-Za-z])driv(?:er|ing)(?:'?s)?[ _](?:lic|permit)/i;
/** A day as eight digits. */
const calendarDay = /^20[0-4][0-9](?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])$/;
const ownerBefore =
  /\b(?:my|his|her|your|their|our) (?:[a-z]+['’]s )?(?:(?:old|new|current|valid|full|expired|suspended|temporary|provisional|own|actual|real|uk|us|state|foreign|photo|plastic|digital|paper|original|renewed) )?$/i;
/** Forms that nothing else has: of Washington, Germany, New Hampshire, Iowa, India, Nova Scotia. */
const plainForm =
  /^(?:WDL[A-Z0-9*]{9}|(?=.*[A-Z].*[A-Z])[A-Z0-9][0-9]{2}[0-9A-Z]{6}[0-9][0-9A-Z]|[0-9]{2}[A-Z]{3}[0-9]{5}|[0-9]{3} ?[A-Z]{2} ?[0-9]{4}|[A-Z]{2}[0-9]{2} ?(?:19|20)[0-9]{2} ?[0-9]{7}|[A-Z]{5}[0-9]{9})$/;
/** A letter and groups: Illinois, Florida, Wisconsin, Michigan, Maryland, Ontario, Quebec, Manitoba and others. */
const groupedForm =
  /^[A-Z]{5}-[A-Z]{2}[0-9]{3}[A-Z]{2}$|^[A-Z][0-9]{2}-[0-9]{2,3}-[0-9]{3,4}$|^[A-Z](?:[0-9]{3,4}|(?=[- ]))(?:(?:-[0-9]{2,6}){2,4}|(?: [0-9]{3,5}){2,4})(?:[- ][0-9])?$/;
/** Licences that nobody drives with. */
const otherLicence =
  /(?:software|product|windows|office|oracle|adobe|server|site|user|trial|enterprise|volume|source|code|medical|nursing|rn|cpa|business|trade|liquor|contractor'?s?|real estate|professional|teaching|pharmac(?:y|ist)|law|bar|dental|veterinary|pilot'?s?|fishing|hunting|marriage|dog|pet|radio|tv|gun|firearms?|export|import|patent|music|media|film|stock|image|font|mining|gaming|alcohol|food|cosmetology|insurance|broker'?s?)[ _-]$/i;
/** `Kiwi licence`, and of whom it is in other lands. */
const nationBefore =
  /(?<![A-Za-z])(?:UK|GB|British|Irish|NZ|New Zealand|Kiwi|Aussie|Australian|Victorian|Tasmanian|Queenslander|Canadian|German|French|Italian|Spanish|Dutch|Polish|Indian|Singapore|Hong Kong|South African|foreign|overseas|full|photocard|provisional|learner) $/i;
/** In Britain, of a company with lorries. */
const ofGoods = /^O[A-Z][0-9]{7}$/;
/** `a licensed electrician, license ` */
const ofLicensed = /\blicensed (?!driver|renter)[a-z]{3,16},? (?:with )?$/i;
/** `Oper. Lic.` */
const shortOfDriver = /(?<![A-Za-z])(?:dr|drv|drvr|oper|opr)[. ]{1,2}$/i;
/** A word of its own before `license` most often says whose trade it is. */
const ofTrade =
  /(?<![A-Za-z])(?!(?:op|oper|operator|keep|get|got|hold|holds|held|carry|need|want|renew|lose|use|used|have|take|took|check|copy|scan|show|bring|upload|send|see|enter|type|verify|update|reinstate|swap|exchange|surrender|replace|issue|different|two|both|same|actual|correct|wrong|right|original|physical|real|latest|updated|following|second|first|other|another|any|each|whose|which|what|invalid|fake|stolen|lost|expired|suspended|revoked|unrestricted|regular|standard|foreign|international|digital|mobile|plastic|supplied|given|provided|out|me|us|him|them|replacement|renewed|to|or|if|as|but|me|whether|driving|uk|gb|us|provisional|learner|my|your|his|her|their|our|the|this|that|state|valid|current|new|old|photo|photocard|full|probationary|commercial|temporary|provisional|duplicate|and|with|on|under|for|of|in|at|by|from|is|was|a|an|show|shows|showed|gave|has|have|had|class|renter|hirer|customer|insured|claimant|s)[ _-])[A-Za-z]+[ _-]$/i;
/** Where a licence has seven digits. */
const sevenDigits = /(?<![A-Za-z])(?:BC|British Columbia|ME|Maine|RI|Rhode Island|AK|Alaska|DE|Delaware|Oregon|NB) $/;
const coloradoForm = /^[0-9]{2}-[0-9]{3}-[0-9]{4}$/;
/** In French a permit is for many things. */
const permit = /^permis/;
const permitLink =
  /^(?: de conduire)?(?: \([A-Za-zÀ-ÿ]+\)| (?:porte|est|a|avec|sous)(?: le)?| [A-E][1E]?)?[ :]{0,3}(?:n(?:[°ºo]|um[ée]ro)\.?)?[ :]{0,3}$/i;
const frenchForm = /^(?:[0-9]{12}|[0-9]{2}[A-Z]{2}[0-9]{5})$/;

const italianForm = /^(?:[A-Z]{2}[0-9]{7}|U1[0-9A-Z]{7})[A-Z]$/;
/** Behind the bare word 免許, which is for many trades. */
const shortJapanese =
  /^(?:[（(][^（()）0-9]{1,8}[)）])?[（(「\s]?(?:番号|ナンバー|No\.?|№)?(?:は、?|が|の番号は?)?[:：=#「（(\s第]{0,4}$/i;

const drivers = /(?:^|[^\u3400-\u9FFF\u30A1-\u30FC]|普通|[大中]型|二輪|原付|自動車|特殊|[一二]種|本人)$/;

/** Words for the Japanese licence, the lines that are printed on it, and the people who show it. */
const japaneseSign = /免許(?!皆伝|返納|状)|有効|交付|優良|二・小・原|眼鏡|運転者|ドライバー/;
const japaneseReach = 80;
/** Licences of trades, `無線免許 免許番号`. */
const otherJapanese = /(?:(?<!運転)[師士者]|無線|宅建|酒類|狩猟|船舶|教員|販売業)(?:免許)?[ 、:：の]{0,2}$/;
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

/** As people type it. */
const lowerForm = /^(?:[A-Za-z]{1,3}-?[0-9]{5,}[0-9 -]*|[a-z]{5}[0-9]{6}[a-z0-9]{5})$/i;
/** With the month and the day of birth. */
const britishForm =
  /^[A-Z]{2}[A-Z9]{3}[0-9](?:0[1-9]|1[0-2]|5[1-9]|6[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9][A-Z9]{2}[0-9A-Z]{3}$/;
/** The same with digits that are no date, as people make them up. */
const britishShape = /^[A-Z]{2}[A-Z9]{3}[0-9]{6}[A-Z9]{2}[0-9A-Z]{3}$/;
/** In small letters a form of sixteen is rarer; `licence number` alone may be of a program. */
const typedSign = /driving|driver|dvla|photocard|(?<![a-z])(?:my|his|her|your) licence/i;
const britishSign = /driving|driver|licence|dvla|photocard/i;
const madeUpSign = /driv(?:ing|er)|dvla|licence(?! ?(?:key|code|server|file))/i;

/** The number of a document that is a driving licence: `Document title: Driver's license … Document number: 79281471`. */
const documentNumber =
  /^s?["']?[\s:=#.]{0,3}(?:is )?["']?((?:[A-Z]{1,3}[0-9-]{5,}[A-Z]?|[0-9]{7,12}|[A-Z]{2}[A-Z9]{3}[0-9]{6}[A-Z9]{2}[0-9A-Z]{3})(?![0-9A-Za-z_]))/;
const documentIsLicence =
  /(?:driv(?:er|ing)(?:'?s)?[ _](?:licen[cs]e|lic)|type["']?[:=] ?["']?dl\b)(?![\s\S]*(?:passport|employee|member|badge|order|user))|(?<![a-z])lic(?:ense)? ?\/ ?$/i;
const documentReach = 110;

/** Start and end of the number behind `document number` at `labelStart..labelEnd`, when the document is a licence. */
export function numberOfDocument(shadow: string, labelStart: number, labelEnd: number): [number, number] | undefined {
  const value = documentNumber.exec(shadow.slice(labelEnd, labelEnd + 32));
  if (value === null || !documentIsLicence.test(shadow.slice(Math.max(0, labelStart - documentReach), labelStart)))
    return undefined;
  const end = labelEnd + value[0].length;
  return [end - (value[1] ?? '').length, end];
}

/** The word nearby that makes sixteen characters a British licence; the form is seldom anything else. */
export function britishContext(shadow: string, start: number, end: number): string | undefined {
  const typed = shadow.slice(start, end);
  // As people type it.
  const written = /^[a-z0-9]+$/.test(typed) ? typed.toUpperCase() : typed;
  if (!britishShape.test(written)) return undefined;
  const around = shadow.slice(Math.max(0, start - driverReach), end + driverReach);
  const sign = typed === written ? britishSign : typedSign;
  return (britishForm.test(written) ? sign : madeUpSign).exec(around)?.[0];
}

/** True for a day, with joints or as eight digits. */
export const isDate = (written: string) =>
  dateLike.test(written) ||
  calendarDay.test(written) ||
  /^(?:0[1-9]|[12][0-9]|3[01]){2}(?:19|20)[0-9]{2}$/.test(written);

/** Words that a licence to drive is spoken of with. */
export const ofDriving =
  /(?<![A-Za-z])(?:driv(?:e|es|er|ers|ing|en)(?:'?s)?|drove|motorists?|dmv|bmv|dvla|mvr|dps|rmv|icbc|saaq|vicroads|rta|rto|car|cars|vehicle|rental|rent(?:ed|ing)?|renters?|hirers?|hire|test drive|learner'?s?|provisional|photocard|endorsements?|cdl|hgv|lgv|haul|truck|trucker|courier|chauffeur|traffic|officer|trooper|pulled over|speeding|dui|insured|policyholder|claimant|passenger|background check|onboarding|i-9|kyc|identity|identification|photo id|proof of id|dob|date of birth|birth ?date|born|expir(?:y|es|ed|ation)|suspended|revoked|reinstated|renewed|class [a-dm]|categor(?:y|ies) b|issued)(?![A-Za-z])/i;
const ownedBefore =
  /(?<![a-z])(?:(?:my|his|her|their|your|our|(?:[A-Z][a-z]+|driver|renter|customer|applicant|tenant|guest|holder)['’]s)(?: (?:own|old|new|current|valid|full|expired|temporary|first|real|actual|physical|updated))?|(?:check|verify|confirm) the|dl|driver'?s?|driving|state|uk|foreign|out[- ]of[- ]state|new|old|valid|current|expired) $/i;
/** Other trades and programs, in the sentence of a bare `license`. */
const ofOtherTrade =
  /(?<![A-Za-z])(?:software|servers?|seats|plugins?|subscription|workstation|edition|activat\w+|saas|sdk|api|fonts?|patent|windows|office 365|adobe|photoshop|autocad|arcgis|esri|agency|nurs\w+|rn|lpn|physician|dentist|dental|pharmac\w+|attorney|lawyer|cpa|accountant|contractor'?s?|electrician|plumb\w+|hvac|builder|realtor|real estate|broker|producer|teacher|teaching|cosmetolog\w+|barber|salon|massage|therap\w+|social worker|engineer|architect|notary|security guard|guard card|liquor|alcohol|food|restaurant|business|tobacco|cannabis|dispensary|gaming|casino|hunting|fishing|boating|pilot'?s?|aircraft|aviation|amateur radio|radio|firearms?|gun|marriage|dog|pet|kennel|daycare|child ?care|day care|veterinar\w+|vet|doctor|surgeon|midwife|facility|export|import|mining|quarry|mit|apache|gpl|open[- ]source|proprietary|vendor|dealer|goods vehicle operator|o-licence|taxi operator|private hire operator)(?![A-Za-z])/i;

/** How strong a word for a licence is, by itself and by what stands around it: 0 for one of another trade, 3 for `driver's license`. */
export function weightOfWord(shadow: string, { start, end }: { readonly start: number; readonly end: number }): number {
  const word = shadow.slice(start, end).toLowerCase();
  const before = shadow.slice(Math.max(0, start - 40), start);
  if (/^[\u3000-\u9FFF]/.test(word)) {
    if (otherJapanese.test(before)) return 0;
    return /運転|証|ドライバー/.test(word) || drivers.test(before) ? 3 : 0;
  }
  // `softwareLicense`
  if (/[A-Za-z]$/.test(before)) return 0;
  const around = shadow.slice(Math.max(0, start - driverReach), end + driverReach);
  if (!/^(?:lic|permis$|patente)/.test(word)) {
    if (/^(?:d[./]?l|oln|cnh|fs-)/.test(word))
      return ofDriving.test(`${before} ${shadow.slice(end, end + driverReach)}`) || stateBefore.test(before) ? 2.5 : 2;
    if (/^operator'?s? ?licence/.test(word)) return 0;
    return /id$|number$/.test(word) && !/li[cs]/.test(word) ? 0 : 3;
  }
  if (otherLicence.test(before) || ofLicensed.test(before) || ofOtherTrade.test(around)) return 0;
  if (word === 'permis') return 2.5;
  const isStates = stateBefore.test(before) || nationBefore.test(before);
  if (!isStates && ofTrade.test(before) && !ownedBefore.test(before)) return 0;
  return 1.5 + (isStates || ofDriving.test(around) ? 1 : 0) + (isStates || ownedBefore.test(before) ? 0.5 : 0);
}

/** True when the words before twelve digits name another number of Japan. */
export const isJapaneseOther = (shadow: string, start: number) => isOther(shadow, start);

/** True when what stands around the number does not say that it is something else. */
export function isLicence(shadow: string, value: LabelledValue): boolean {
  const { start, end, groups, context, isBehind, headings } = value;
  const gap = isBehind ? value.gap.replace(stateWithin, '') : value.gap;
  const written = groups[0];
  if (headings !== undefined && /^(?:lic|d[./]?l)/.test(context))
    return rowsOfDrivers.test(headings) && !rowsOfGoods.test(headings) && isDriversCell(written);
  if (plain.test(context) && !isDriversOwn(shadow, value)) return false;
  if (
    context === '免許' &&
    !(
      isBehind &&
      shortJapanese.test(gap) &&
      drivers.test(shadow.slice(Math.max(0, value.labelStart - 4), value.labelStart))
    )
  )
    return false;
  if (context.includes('patente') && context !== 'patente di guida' && !italianForm.test(written)) return false;
  if (context.startsWith('fs') && !plainForm.test(written)) return false;
  if (written.includes('/') && !/^(?:praw|driv)/.test(context)) return false;
  if (context === 'permis' && !(permitLink.test(gap) && frenchForm.test(written))) return false;
  const digits = written.replace(/[^0-9]/g, '');
  const isMixed = written.length === 12 && /^[A-Z*]{3}/.test(written);
  const fewest = isMixed
    ? 2
    : /^(?:[A-Z]{2}(?:-[A-Z]{2}){2}|[A-Z]{5}-[A-Z]{2}[0-9])/.test(written)
      ? 3
      : /^[0-9]{4}[A-Z]{2}$/.test(written)
        ? 4
        : 5;
  if (digits.length < fewest || dateLike.test(written) || counted.test(shadow.slice(end, end + 10))) return false;
  if (/^免許/.test(context) && otherJapanese.test(shadow.slice(Math.max(0, value.labelStart - 8), value.labelStart)))
    return false;
  // `license and order number`: the last word counts.
  if (
    isBehind &&
    /[A-Za-z]{2}/.test(gap) &&
    (isOtherNumber(shadow, start) || otherThing.test(gap) || isNamedThing(gap))
  )
    return false;
  if (fileExtension.test(shadow.slice(end, end + 6)) || isNamedOther(shadow, end)) return false;
  if (context.startsWith('operator') && ofGoods.test(written)) return false;
  if (
    driverId.test(context) &&
    (context.startsWith('driver') || /^[0-9 -]+$/.test(written)) &&
    !isOfState(shadow, value)
  )
    return false;
  if (short.test(context) && calendarDay.test(written)) return false;
  // A list of definitions.
  if (/^<dl[^>]{0,40}>\s*</.test(shadow.slice(value.labelStart - 1, value.labelStart + 48))) return false;
  // `Order 12345678: driver's license holder`.
  if (!isBehind && (isOtherNumber(shadow, start) || namesOther(shadow.slice(Math.max(0, start - 28), start))))
    return false;
  if (isBehind && /\bby\b/.test(gap)) return false;
  if (!isBehind && (short.test(context) || gap.length > 10) && !isBeforeLabel(written, gap)) return false;
  if (isBehind && !nextCell.test(gap)) {
    const isForm = letterForm.test(written) || groupedForm.test(written);
    // `Is this number valid: D1234567?`
    const asked = isForm ? gap.replace(/ valid: ?$/, ' ') : gap;
    if (sentenceEnd.test(/(?:n(?:o|r|um)|lic|^d.l)$/.test(context) ? asked.replace(/^\./, '') : asked)) return false;
    const isTold = isForm || stateBehind.test(shadow.slice(end, end + 24));
    if (short.test(context) && !linked.test(gap) && !(isTold && shortLink.test(gap))) return false;
  }
  if (/[a-z]/.test(written) && !(linked.test(gap) && lowerForm.test(written))) return false;
  if (!/^[0-9 -]+$/.test(written)) return !/^[免運]/.test(context);
  if (
    digits.length < 7 ||
    digits.length > 13 ||
    (isBehind &&
      !bareLink.test(gap) &&
      !memberLink.test(gap) &&
      !(prose.test(gap) && context.startsWith('driv')) &&
      !permit.test(context))
  )
    return false;
  return !/^[免運]/.test(context) || (digits.length === 12 && !isOther(shadow, start));
}

/** Headings of tables of people who drive, and of tables of other things with licences. */
const rowsOfDrivers =
  /(?<![a-z])(?:driver|employee|first|last|given|surname|family|full|renter|hirer|holder|customer|member|staff|crew)|(?<![a-z])(?:name|dob|birth|date of birth|class|state|province|prov|plate|reg|rego|mobile|phone|cell|contact)(?![a-z])|氏名|名前|運転|生年月日|連絡先/;
const rowsOfGoods =
  /(?<![a-z])(?:product|software|seats?|vendor|version|application|publisher|business|trade|profession|specialty|breed|keys?|package|spdx|url|repository|users)(?![a-z])|製品|ソフト|業種/;

/** A cell with letters and digits, or digits of no date and no day of the month. */
function isDriversCell(written: string): boolean {
  const digits = written.replace(/[^0-9]/g, '').length;
  return digits >= 5 && written.length <= 20 && !dateLike.test(written) && !calendarDay.test(written);
}

/** True when the words before a number are for another thing. */
const namesOther = (head: string) => otherThing.test(head) || isNamedThing(head);

/** A state is named before the label or behind the value. */
function isOfState(shadow: string, { labelStart, end }: LabelledValue): boolean {
  return (
    stateBefore.test(shadow.slice(Math.max(0, labelStart - 40), labelStart)) ||
    stateBehind.test(shadow.slice(end, end + 24))
  );
}

function isBeforeLabel(written: string, gap: string): boolean {
  if (/^ ?[(（]$/.test(gap)) return !/^[0-9]{5,11}$/.test(written);
  const rest = gap.replace(stateWithin, '').replace(/ {2,}$/, ' ');
  const isForm = letterForm.test(written) || groupedForm.test(written) || isNationalForm(written);
  return beforeLabel.test(rest) && (isForm || rest !== gap);
}

/** A bare `license` speaks for a number only where a driver, a state or a form about a person is near. */
function isDriversOwn(shadow: string, { start, end, groups, gap: link, labelStart, isBehind }: LabelledValue): boolean {
  const gap = isBehind ? link.replace(stateWithin, '') : link;
  if (!plainLink.test(gap) && !memberLink.test(gap)) return false;
  const written = ownerBefore.test(shadow.slice(Math.max(0, labelStart - 12), labelStart))
    ? groups[0].toUpperCase()
    : groups[0];
  if (isNationalForm(written) || /^WDL/.test(written)) return true;
  const before = shadow.slice(Math.max(0, labelStart - 40), labelStart);
  if (otherLicence.test(before) || ofLicensed.test(before)) return false;
  if (groupedForm.test(written) || shortOfDriver.test(before)) return true;
  const isBefore = stateBefore.test(before.replace(/[\n|,;/][ \t]{0,3}$| (?:class|cl) [A-Z0-9]{1,2} $/i, ' '));
  const valueAt = Math.min(start, labelStart + linkMax);
  const between = shadow.slice(labelStart, valueAt).replace(/(?<![A-Za-z])ID(?![A-Za-z])/g, '');
  const isState = isBefore || stateWithin.test(between) || stateBehind.test(shadow.slice(end, end + 24));
  const around = shadow.slice(Math.max(0, labelStart - driverReach), valueAt) + shadow.slice(start, end + driverReach);
  const isDrivers = ofDriver.test(around);
  if (driversMember.test(shadow.slice(labelStart, valueAt + 1))) return true;
  if (nationBefore.test(before)) return true;
  if (/^[0-9 -]+$/.test(written)) {
    const line = before.slice(before.lastIndexOf('\n') + 1) + (/^[^\n]*/.exec(shadow.slice(end, end + 40))?.[0] ?? '');
    if (ofLicence.test(line)) return true;
    if (isOwnNumber(shadow, labelStart, valueAt, written)) return true;
    if (
      /^[0-9 ]{8,11}$/.test(written) &&
      /(?<![a-z])(?:number|no)(?![a-z])/i.test(between) &&
      besideLicence.test(shadow.slice(end, end + driverReach)) &&
      !ofTrade.test(before)
    )
      return true;
    if (
      isDrivers ||
      ownerBefore.test(before) ||
      (isBefore && /\b(?:my|his|her|your|their|our) /i.test(before.slice(-24)))
    )
      return isState || coloradoForm.test(written);
    return (
      isState &&
      (/^(?:[0-9]{8,10}|[0-9]{4} [0-9]{4}|[0-9]{6}-[0-9]{3}|[0-9]{2,3} [0-9]{3} [0-9]{3})$/.test(written) ||
        (isBefore && /^[0-9]{7}$/.test(written) && (/#|no|num/i.test(gap) || sevenDigits.test(before)))) &&
      (isBefore || !ofTrade.test(before))
    );
  }
  if (plainForm.test(written)) return isState || isDrivers;
  if (!/^[A-Z]{1,3}[0-9-]{6,}[A-Z]?$/.test(written)) return false;
  return (
    isDrivers ||
    (isState && (isBefore || !ofTrade.test(before) || /^[^\n]{0,6}state/i.test(shadow.slice(end, end + 12)))) ||
    (ofPerson.test(around) && !ofTrade.test(before) && !ofSoftware.test(around)) ||
    ownerBefore.test(before)
  );
}

/** `my license number is 77103948` */
function isOwnNumber(shadow: string, labelStart: number, start: number, written: string): boolean {
  return (
    /^(?:[0-9]{8,9}|[0-9]{2,3} [0-9]{3} [0-9]{3})$/.test(written) &&
    /(?<![a-z])(?:number|no\.?|#)(?: is|:)? ?$/i.test(shadow.slice(labelStart, start)) &&
    /(?<![a-z])(?:my|his|her) (?:new |old |current )?$/i.test(shadow.slice(Math.max(0, labelStart - 16), labelStart))
  );
}

/** True when the word before the number names another one; `第` is only how numbers are opened. */
function isOther(shadow: string, start: number): boolean {
  const before = shadow.slice(Math.max(0, start - 40), start).replace(/第 ?$/, '');
  const own = japaneseLabel.exec(before)?.[1];
  if (own !== undefined && !ofPapers.test(own)) return true;
  return isOtherNumber(before, before.length) || japaneseOther.test(before);
}

/** `…は運転免許証ではなく` */
const denied = /^[^。\n]{0,16}免許証?(?:の?番号)?(?:では(?:な|あり)|じゃな)/;

/** The word nearby that makes twelve digits a Japanese licence, when their check digit is right. */
export function japaneseContext(shadow: string, start: number, end: number): string | undefined {
  const written = shadow.slice(start, end);
  if (
    !/^[0-9]{12}$/.test(written) ||
    !isJapaneseLicense(written) ||
    isOther(shadow, start) ||
    denied.test(shadow.slice(end, end + japaneseReach / 2))
  )
    return undefined;
  const before = shadow.slice(Math.max(0, start - japaneseReach), start);
  return (japaneseSign.exec(before) ?? japaneseSign.exec(shadow.slice(end, end + japaneseReach)))?.[0];
}

/** `事業番号 `: the number's own word, unless it is one for papers. */
const japaneseLabel = /([\u3400-\u9FFF\u30A1-\u30FC]{2,6})番号[は:：\s]{0,3}$/;
const ofPapers = /[表裏]面|[上下]記|[新旧正]|免許|証|書類?|記号|資料|確認|運転|文書/;
