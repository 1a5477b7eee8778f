/** What stands around a registration plate that is none of Japan: its forms, the words that link it to its label, other plates. */
import type { LabelledValue } from '../labels.ts';
import { isNamedOther } from '../other-numbers.ts';
import type { WordBlocks } from '../word-blocks.ts';
import { stateBefore, stateBehind, stateWithin } from './us-states.ts';
import { ofModel } from './vehicle-plate-words.ts';

const linked =
  /^(?:'?s)?[\s"'`*_:;?=#.>|)\]}{[（(）【】」,/-]*(?:(?:no|num|number|id|is|are|was|reads|text|reg|value|val|on file|and|of|the|auto|do carro|del coche|st|state|n[°º]|ist|lautet|は|が|の)[\s"'`*_:=#.>|/)（(）【】「-]*){0,3}$|^s? (?:of|for|on) (?:[a-z']+ ){1,4}(?:is|was):? $|^ (?:des|der|vom|von) [A-ZÄÖÜa-zäöüß]{3,16}(?: ist|:)? $/i;
/** The same further off, for forms that little else has: a sentence that goes on, with nothing else that has a number. */
const looselyLinked =
  /^s?[,:]?(?: (?!(?:format|pattern|like|such|example|frame|bracket|holder|light|lamp|bulb|cover|part|model|room|flight|order|mount|screws?|bolts?|sku|item|ticket|invoice|code|ref|bay|gate|level|permit|lookup|reader|key|file|query|software|api|heat|no longer|test|load|count|kit|set|game)\b)[a-z']+,?){1,6}[:,]? ?["'(]?$/;
/** The plate is the example of a rule. */
export const isExample = /\b(?:formats?|patterns?|samples?|looks? like|e\.g\.|for example|regex)[^\n]{0,20}$/i;
/** Plates are also of steel, of names and of laboratories; a registration may be anybody's. */
export const ofVehicle =
  /(?<![A-Za-z])(?:car|cars|vehicle|truck|trailer|lorry|van|sedan|suv|bike|motorcycle|motorbike|taxi|veh|driver|driving|parking|parked|licen[cs]e|toll|speed|speeding|dmv|placard|odometer|make|model|ford|toyota|honda|nissan|bmw|tesla|garage|gate|kfz|auto|insur\w+|claimant|accident|collision|fine|dl|hit and run|rental|registered keeper)(?:'?s)?(?![A-Za-z])|車|駐車/i;
const british = /^[A-Z]{2}[0-9]{2}[A-Z]{3}$/;
/** A registration of this form is a car's: British, Irish, Indian. */
export const ofCars =
  /^(?:[A-Z]{2}[0-9]{2} ?[A-Z]{3}|[A-Z][0-9]{1,3} [A-Z]{3}|[0-9]{2,3}-[A-Z]{1,2}-[0-9]{2,6}|[A-Z]{2}[ -]?[0-9]{1,2}[ -]?[A-Z]{1,3}[ -]?[0-9]{4})$/;
/** The commonest forms of North America and Australia, told from the numbers of parts and samples. */
export const american =
  /^(?:[A-Z]{3}[ ·-]?[0-9]{3,4}|[0-9][A-Z]{3}[0-9]{3}|[0-9]{3,4}[ ·-]?[A-Z]{3}|[A-Z]{3}[ -]?[0-9]{2}[A-Z]|[A-Z]{3} [0-9]{1,3}[A-Z]|[A-Z][0-9]{2}[ -]?[A-Z]{3}|[A-Z]{3}[ -]?[A-Z][0-9]{2}|[0-9][A-Z]{2}[ -]?[0-9][A-Z]{2})$/i;
const wideContext = /^(?:plates?|reg|registration|kennzeichen|tag|plaque)$/;
/** Over the columns of other tables, too. */
const wideHeading = /^(?:plates?|reg|regn|rego|registration|tags?|lp|lic(?:en[cs]e)?|reg(?:istration)? (?:no|number))$/;
/** Short for other things too. */
const shortContext = /^(?:tag|lp)(?::|[ _]?(?:#|no|number))?$/;
/** Tags that no vehicle has. */
const otherTag =
  /(?<![a-z])(?:towel|price|name|dog|pet|bag|luggage|baggage|asset|service|key|ear|rfid|nfc|git|gene|gift|locker|laundry|shoe|coat)[ -]$/i;
/** True for forms that numbers of parts seldom have. */
export const isPlateForm = (written: string) => american.test(written) || ofCars.test(written);
/** Countries before the word: `Italian plate`. */
const nationality =
  /(?<![A-Za-z])(?:german|french|italian|spanish|dutch|belgian|austrian|swiss|polish|czech|hungarian|romanian|bulgarian|greek|portuguese|danish|swedish|norwegian|finnish|irish|british|uk|gb|english|scottish|welsh|indian|us|american|canadian|mexican|australian|singapore|malaysian|european|eu|turkish|ukrainian|estonian|latvian|lithuanian|hong kong|new zealand|south african|nigerian|kenyan|ghanaian|ugandan|egyptian|hk|taiwanese|thai|japanese|jersey|guernsey|manx|israeli|chilean|argentin(?:e|ian)|brazilian|colombian|pakistani|philippine|indonesian|vietnamese|foreign|diplomatic|dealer|trade|temporary|temp|personali[sz]ed|private|vanity|custom|front|rear|stolen|cloned) $/i;
/** `PL-1234 of the bridge`. */
const ofOther =
  /^ (?:of|on|in) (?:the|this|our) (?:bridge|building|machine|engine|motor|pump|wall|door|book|atlas|manual|catalog|switch|cabinet|rack|house|ship|crane|tank|floor|table)/i;
/** Plates that no vehicle has. */
export const otherPlate =
  /(?:name|serial|rating|motor|pump|machine|gear|type|back|base|steel|metal|alumini?um|copper|brass|gold|glass|well|heat|home|dinner|side|face|hot|cover|pressure|end|top|bottom|wall|key|switch|printing|golf|sample|assay|elisa|pcr|culture|agar|petri|micro|titer|test|floor|fish|clutch|boiler|armou?r|photo|book|growth|tectonic|skid|bash|kick|sump|splash|scuff|strike|mounting|adapter)[ -]?$/i;
/** Of Germany with the joint written, of France since 2009. */
export const european =
  /^(?:[A-ZÄÖÜ]{1,3}(?:[:·-] ?| )[A-Z]{1,2}[ -]?[0-9]{1,4}[EH]?|[A-Z]{2}[- ]?[0-9]{3}[- ]?[A-Z]{2}|[0-9]{4}[ -]?[B-DF-HJ-NP-TV-Z]{3}|[0-9A-Z]{1,3}-[0-9A-Z]{2,3}-[0-9A-Z]{1,2})$/;
export const europeanContext =
  /^(?:(?:amtliches |kfz-|wunsch|auto)?kennzeichen|nummernschild|immat|plaque|carte grise|targa|matr[ií]cula|kenteken)/;
/** Behind a word that is said of graphics cards, too. */
const latinAmerican = /^[A-Z]{3}(?:-[0-9]{3,4}|[0-9][A-Z][0-9]{2}|-[0-9]{2}-[0-9]{2}|-[0-9]{3}-[A-Z])$/;
/** Of companies, courses and aeroplanes too. */
export const otherRegistration =
  /(?:company|course|trademark|drone|boat|vessel|ship|animal|pet|patient|student|aircraft|flight|charity|product|voter|domain|tax|vat|conference|webinar|event) $/i;
/** How far from a plate the vehicle may be spoken of. */
export const vehicleReach = 48;
/** Headings of tables of vehicles and of people with vehicles, and of tables of parts, samples and programs. */
const rowsOfVehicles =
  /(?<![a-z])(?:vehicle|veh|car|make|model|driver|owner|resident|tenant|visitor|keeper|name|state|prov|mot|permit|lot|bay|colou?r|contact|phone|mobile|cell|renter|member|towed|called|flat|apt|insurance)|車|氏名|名前|契約者|連絡先/;
const rowsOfThings =
  /(?<![a-z])(?:qty|quantity|asset|sample|well|count|commit|branch|version|mass|grade|serial|sku|part|price|value|meaning|location|element|thickness|material|supplier)(?![a-z])|数量|単価/;
/** A plate of a machine: `plate on the gearbox: `. */
export const onMachine =
  /^s? (?:on|of|for|from) (?:the|this|that|our|its|each|every|a|an) (?:[a-z]+ )?(?:pump|gear ?box|gear unit|motor|engine|compressor|generator|transformer|turbine|machine|boiler|unit|drive|valve|cabinet|panel|fan|chiller|press|lathe|conveyor|crane|lift|elevator|tank|battery|charger|instrument|meter)s?(?![a-z])/i;
/** What is written beside the numbers of machines. */
export const ofMachine =
  /(?<![A-Za-z])(?:rpm|min-1|IP[2-6][0-9]|gear ?box|gear unit|gearmotor|name ?plate|S\/N|serial)(?![A-Za-z])/i;
const strongVehicle =
  /(?<![A-Za-z])(?:car|vin|veh|vehicle|truck|van|trailer|sedan|suv|motorcycle|motorbike|taxi|rental|hire|parked|towed|make|model|ford|toyota|honda|hyundai|kia|nissan|mazda|bmw|audi|tesla|volkswagen|vw|mercedes|renault|vauxhall)(?:'?s)?(?![A-Za-z])/i;
/** A vehicle or a model of one. */
export const wordsOfVehicles = new RegExp(`${strongVehicle.source}|${ofModel.source}`, 'i');

/** ナンバー of other things. */
export const otherNumbers =
  /(?:会議室|部屋|座席|棚|区画|ロッカー|ラック|シリアル|ロット|電話|会員|バック|ルーム|整理|製造|口座|注文|マイ|エントリー|部品|パーツ|モデル|アカウント|カード|トラッキング|チケット|フライト|便|法人|契約|顧客|管理|受付|予約|製品|商品|通し|ゼッケン|受験|学籍|社員|患者|診察|追跡|案件|ID)の?$/;
/** The words of a sentence that ends with the label: `7ABC123 is the license plate`. */
const sentenceBefore =
  /^(?:,? (?:is|was)|,? ?[-:] ?(?:that(?:'s| is)|it(?:'s| is)|this is)|, (?:that(?:'s| is)|it(?:'s| is)|which is))(?: (?:the|my|our|his|her|their|its|your|a|car|vehicle|correct|new|old|full)){0,3} $|^(?:が|は)(?:[\u3040-\u9FFF]{1,6}の)?$/;

/** `7ABC123 CA` → `7ABC123`. */
export function withoutState(written: string): string {
  const plate = /^(.{5,9}) [A-Z]{2,3}$/.exec(written)?.[1];
  const isWhole = plate !== undefined && /[0-9]/.test(plate) && /[A-Z]/.test(plate);
  return isWhole && stateBehind.test(written.slice(plate.length)) ? plate : written;
}

const mixed = /^(?=.*[A-Z])(?=.*[0-9].*[0-9])[A-Z0-9]/;

/** `SGX1234A (licence plate)`, `LD68 KXW, reg`, `7ABC123 is my plate`. */
export function isNamedBehind(written: string, gap: string, context: string): boolean {
  if (/^ ?[(（]$/.test(gap))
    return /plate|ナンバー|reg/.test(context) || (europeanContext.test(context) && european.test(written));
  if (isPlateForm(written) && /^[ ,|/-]{1,3}(?:[A-Z]{2} )?$/.test(gap) && /^[ ,]{0,2}[|/(-]| [A-Z]{2} $/.test(gap))
    return /plate/.test(context);
  if (sentenceBefore.test(gap)) return /plate|ナンバー|番号|reg|tag|vr[nm]/.test(context) && mixed.test(written);
  if (gap === ', ' && europeanContext.test(context)) return european.test(written);
  return gap === ', ' && /^(?:reg|plate)/.test(context) && british.test(written.replace(' ', ''));
}
type WrittenPlate = {
  readonly written: string;
  readonly end: number;
  /** Where {@link wordsOfVehicles} stand. */
  readonly vehicles: WordBlocks;
};

/** True when the label, its link and the form of the value agree. */
export function isPlate(shadow: string, value: LabelledValue, { written, end, vehicles }: WrittenPlate): boolean {
  const { context, labelStart, isBehind } = value;
  const gap = isBehind && /[A-Z]{2}|[A-Z][a-z]{3}/.test(value.gap) ? value.gap.replace(stateWithin, '') : value.gap;
  const plain = written.replace(/[ :·-]/g, '');
  if (!/[0-9]/.test(plain) || !/[A-Z]/i.test(plain)) return false;
  if (plain.length < (european.test(written) ? 3 : 5) || plain.length > 10) return false;
  if (value.headings !== undefined && wideHeading.test(context))
    return rowsOfVehicles.test(value.headings) && !rowsOfThings.test(value.headings) && plain.length <= 10;
  if (onMachine.test(shadow.slice(labelStart + context.length, labelStart + context.length + 40))) return false;
  if (
    isBehind &&
    !linked.test(gap) &&
    !(looselyLinked.test(gap) && (isPlateForm(written) || (european.test(written) && europeanContext.test(context))))
  )
    return false;
  const isEuropean = european.test(written) && europeanContext.test(context);
  if (/^(?:immat|carte|targa|matr|kenteken)/.test(context) && !isEuropean) return false;
  if ((isBehind && isExample.test(gap)) || isNamedOther(shadow, end) || ofOther.test(shadow.slice(end, end + 24)))
    return false;
  if (context.startsWith('placa') && !latinAmerican.test(written)) return false;
  const isOfCars = ofCars.test(written.toUpperCase());
  const before = shadow.slice(Math.max(0, labelStart - vehicleReach), labelStart);
  // A serial number is a ナンバー, too.
  if (context === 'ナンバー' && (otherNumbers.test(before) || (gap === '' && /^[0-9]/.test(written)))) return false;
  if (isOfCars || isEuropean) return !otherRegistration.test(before) && !otherPlate.test(before.slice(-12));
  if (context === '車両番号' && /(?:電車|列車|鉄道|新幹線|気動車|客車)の?$/.test(before)) return false;
  // Of the driver or of the car.
  if (/^lic(?:en[cs]e)?$/.test(context)) {
    // Of the records of the police, `LIC/ABC1234.LIS/TX`.
    if (gap === '/') return /^\. ?LI/.test(shadow.slice(end, end + 4));
    return american.test(written) && (stateBefore.test(before.slice(-24)) || strongVehicle.test(before));
  }
  if (shortContext.test(context)) {
    if (otherTag.test(before)) return false;
    if (plain.length > 8 || !mixed.test(plain) || !/^[ #:=]{0,3}$/.test(gap)) return false;
    // Programs have tags, too.
    const isTold = context !== 'tag:' && american.test(written);
    if (isTold && !/^(?:tag|lp)$/.test(context)) return true;
    if (stateBehind.test(shadow.slice(end, end + 16)) || stateBefore.test(before.slice(-24))) return true;
    if (!isTold && !context.startsWith('tag')) return false;
    if (!vehicles.mayHave(labelStart - vehicleReach, end + vehicleReach)) return false;
    const around = `${before} ${shadow.slice(end, end + vehicleReach)}`;
    return strongVehicle.test(around) || ofModel.test(around);
  }
  // Companies and courses have registration numbers too; some forms are a car's.
  if (/^reg(?!o|istr[^a])/.test(context) && !/plate|mark/.test(context)) {
    if (plain.length > 8 || otherRegistration.test(before)) return false;
    const isOfPlace = nationality.test(before.slice(-24)) || stateBefore.test(before.slice(-24));
    if (
      isOfPlace ||
      (/^reg(?:[ .]nr)?$/.test(context) && american.test(written)) ||
      /^[A-Z]{3} [0-9]{3,4}$/.test(written)
    )
      return true;
    if (!strongVehicle.test(before)) return false;
  }
  if (!wideContext.test(context) || stateBehind.test(shadow.slice(end, end + 16))) return true;
  if (/^["']?[:=]/.test(gap)) return !otherPlate.test(before.slice(-12));
  const adjective = before.slice(-24);
  if (context.startsWith('plate')) {
    if (otherPlate.test(adjective)) return false;
    if (american.test(written)) return true;
  }
  if (nationality.test(adjective) || stateBefore.test(adjective)) return true;
  return ofVehicle.test(`${before} ${shadow.slice(labelStart, end + vehicleReach).replace(/^plates?/i, '')}`);
}
