/** Vehicle registration plates: Japanese ones by their office, others by the words before them. */
import { numberLeft, numberRight } from '../boundaries.ts';
import type { KeywordHit } from '../keywords.ts';
import { type LabelledValue, labelledValues } from '../labels.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { matchesIn, type ScanText } from '../shadow.ts';
import { stateBefore, stateBehind, stateWithin } from './us-states.ts';

const name = 'vehicle-plate';
/** Names of the transport offices and the regional ones, as on plates (自動車登録番号標, 国土交通省). */
const offices = (
  '札幌 函館 室蘭 帯広 釧路 北見 旭川 知床 苫小牧 十勝 青森 八戸 弘前 岩手 盛岡 平泉 奥州 宮城 仙台 秋田 山形 庄内 福島 会津 郡山 白河 いわき ' +
  '水戸 土浦 つくば 宇都宮 那須 とちぎ 日光 群馬 前橋 高崎 大宮 川口 所沢 川越 熊谷 春日部 越谷 草加 千葉 成田 習志野 市川 船橋 袖ヶ浦 市原 野田 柏 松戸 ' +
  '品川 世田谷 練馬 杉並 板橋 足立 江東 葛飾 江戸川 八王子 多摩 横浜 川崎 湘南 相模 山梨 富士山 新潟 長岡 上越 富山 石川 金沢 福井 長野 松本 諏訪 南信州 安曇野 ' +
  '岐阜 飛騨 静岡 浜松 沼津 伊豆 富士 名古屋 豊橋 三河 岡崎 豊田 尾張小牧 一宮 春日井 三重 鈴鹿 四日市 伊勢志摩 滋賀 京都 大阪 なにわ 和泉 堺 神戸 姫路 奈良 飛鳥 和歌山 ' +
  '鳥取 島根 出雲 岡山 倉敷 広島 福山 山口 下関 徳島 香川 高松 愛媛 高知 福岡 北九州 久留米 筑豊 佐賀 長崎 佐世保 厳原 熊本 大分 宮崎 都城 鹿児島 奄美 沖縄 八重山'
).split(' ');
// Hiragana without お し へ ん; the letters E H K M T Y (forces stationed in Japan) are left to the words. ・ fills the
// places of a number of fewer than four digits.
const plateKana = 'あいうえかきくけこさすせそたちつてとなにぬねのはひふほまみむめもやゆよらりるれろわを';
const joint = new RegExp(`[${plateKana}]`, 'y');
const head = /([\u3040-\u30FF\u3400-\u9FFF]{1,4}) ?[1-9][0-9A-HJ-NPR-Z]{1,2} ?$/;
const tail = /^ ?(?:[0-9]{1,2}[- ][0-9]{2}|[・･.]{1,3}[- ]?[0-9]{1,2}|[・･.][0-9]{2,3}|[1-9][0-9]{0,3})(?![0-9])/;
/** Behind these words the place need not be known: towns stand where offices should, and old offices have other names. */
const labelBefore =
  /(?:ナンバー|ナンバープレート|プレート|車両番号|車輌番号|車番|登録番号|標識)(?:番号)?(?:は|が|の|[\s:：「『(（【|=,、"'）)】]){0,4}$/;
/** Of Germany, the town with its umlaut. */
const german = '[A-ZÄÖÜ]{1,3}(?:[ :·-]|- | -)[A-Z]{1,2}[ -]?[0-9]{1,4}[EH]?';
/** Of India, with the district in one or two digits, and of Ireland since 1987. */
const indian = '[A-Z]{2}[ -]?[0-9]{1,2}[ -]?[A-Z]{1,3}[ -]?[0-9]{4}';
const irish = '[0-9]{2,3}-[A-Z]{1,2}-[0-9]{2,6}';
/** As people type them. */
const lowerCase = '[a-z]{2}[0-9]{2} ?[a-z]{3}|[0-9][a-z]{3}[0-9]{3}|[a-z]{3}[ -]?[0-9]{3,4}';
/** Behind an amount. */
const counter = /^ ?(?:円|人|名|件|個|回|歳|万|年|時|分|%)/;
const plate = new RegExp(
  `${numberLeft}(?:${indian}|${irish}|${german}|[A-Z]{2} [0-9]{5}|[A-Z0-9]{1,4}(?:[ ·-][A-Z0-9]{1,5}){1,2}|[A-Z0-9]{5,8}|${lowerCase})(?:${numberRight}|(?=/[A-Z]{2}(?![0-9A-Za-z])))`,
  'g',
);
const linked =
  /^s?[\s"'`*_:=#.>|)\]}{[（(）【】」,/-]*(?:(?:no|num|number|id|is|are|was|reads|reg|value|and|of|the|st|state|n[°º]|ist|lautet|は|が|の)[\s"'`*_:=#.>|/)（(）【】「-]*){0,3}$|^s? (?:of|for|on) (?:[a-z']+ ){1,4}(?:is|was):? $/i;
/** The same further off, for forms that little else has. */
const looselyLinked =
  /^s?,? (?:of|for|on|in|at|from|seen|noted|recorded|registered|reading|beginning|begins|given|is now|was)(?: [a-z']+){0,4}(?: as)?[:,]? ?["']?$/;
/** Plates are also of steel, of names and of laboratories; a registration may be anybody's. */
const ofVehicle =
  /(?<![A-Za-z])(?:car|cars|vehicle|truck|trailer|lorry|van|sedan|suv|bike|motorcycle|motorbike|taxi|driver|driving|parking|parked|licen[cs]e|toll|speed|speeding|dmv|make|model|ford|toyota|honda|nissan|bmw|tesla|garage|gate|kfz|auto|insur\w+|claimant|accident|collision|fine|dl|hit and run|rental|registered keeper)(?:'?s)?(?![A-Za-z])|車|駐車/i;
const british = /^[A-Z]{2}[0-9]{2}[A-Z]{3}$/;
/** A registration of this form is a car's: British, Irish, Indian. */
const ofCars =
  /^(?:[A-Z]{2}[0-9]{2} ?[A-Z]{3}|[0-9]{2,3}-[A-Z]{1,2}-[0-9]{2,6}|[A-Z]{2}[ -]?[0-9]{1,2}[ -]?[A-Z]{1,3}[ -]?[0-9]{4})$/;
/** The commonest forms of North America and Australia, told from the numbers of parts and samples. */
const american =
  /^(?:[A-Z]{3}[ -]?[0-9]{3,4}|[0-9][A-Z]{3}[0-9]{3}|[0-9]{3}[ -]?[A-Z]{3}|[A-Z]{3}[ -]?[0-9]{2}[A-Z])$/i;
const wideContext = /^(?:plates?|reg|registration|kennzeichen|tag|plaque)$/;
/** True for forms that numbers of parts seldom have. */
const isPlateForm = (written: string) => american.test(written) || ofCars.test(written);
/** Countries before the word: `Italian plate`. */
const nationality =
  /(?<![A-Za-z])(?:german|french|italian|spanish|dutch|belgian|austrian|swiss|polish|czech|hungarian|romanian|bulgarian|greek|portuguese|danish|swedish|norwegian|finnish|irish|british|uk|gb|english|scottish|welsh|indian|us|american|canadian|mexican|australian|singapore|malaysian|european|eu|turkish|ukrainian|estonian|latvian|lithuanian|hong kong|new zealand|south african|foreign|diplomatic|dealer|trade|temporary|temp|personali[sz]ed|private|vanity|custom|front|rear|stolen|cloned) $/i;
/** Plates that no vehicle has. */
const otherPlate =
  /(?:name|back|base|steel|metal|alumini?um|copper|brass|gold|glass|well|heat|home|dinner|side|face|hot|cover|pressure|end|top|bottom|wall|key|switch|printing|golf|sample|assay|elisa|pcr|culture|agar|petri|micro|titer|test|floor|fish|clutch|boiler|armou?r|photo|book|growth|tectonic)[ -]?$/i;
/** Of Germany with the joint written, of France since 2009. */
const european = /^(?:[A-ZÄÖÜ]{1,3}[:·-] ?[A-Z]{1,2}[ -]?[0-9]{1,4}[EH]?|[A-Z]{2}[- ][0-9]{3}[- ][A-Z]{2})$/;
const europeanContext = /^(?:(?:amtliches |kfz-)?kennzeichen|immatricul|plaque|carte grise)/;
/** Of companies, courses and aeroplanes too. */
const otherRegistration =
  /(?:company|course|trademark|drone|boat|vessel|ship|animal|pet|patient|student|aircraft|flight|charity|product|voter|domain|tax|vat|conference|webinar|event) $/i;
const vehicleReach = 48;
const strongVehicle =
  /(?<![A-Za-z])(?:car|vehicle|truck|van|trailer|sedan|suv|motorcycle|motorbike|taxi|rental|hire|parked|towed|make|model|ford|toyota|honda|hyundai|kia|nissan|mazda|bmw|audi|tesla|volkswagen|vw|mercedes|renault|vauxhall)(?:'?s)?(?![A-Za-z])/i;

/** Shapes that are a plate's wherever a vehicle is spoken of: of the United Kingdom, of California, of Germany, of France. */
const shapes = new RegExp(
  `${numberLeft}(?:[A-Z]{2}[0-9]{2} ?[A-Z]{3}|[A-HJ-NPR-TV-Y][0-9]{3} [A-Z]{3}|[1-9][A-Z]{3}[0-9]{3}|[A-Z]{2}-[0-9]{3}-[A-Z]{2}|[A-ZÄÖÜ]{1,3}[:·-][A-Z]{1,2} [0-9]{1,4}[EH]?)${numberRight}`,
  'g',
);
/** Words of traffic; they announce a plate without a word for it. */
const traffic =
  /(?<![A-Za-zÀ-ÿ])(?:car|vehicle|registrations?|plates?|park|road tax|insured|third party|van|truck|lorry|suv|parked|parking|barrier|clamped|towed|tow|v5c?|mot|anpr|alpr|dvla|congestion charge|keeper|mileage|pickup|prius|ford|toyota|honda|nissan|bmw|audi|tesla|vauxhall|volkswagen|vw|golf|mazda|hyundai|kia|renault|peugeot|opel|voiture|v[ée]hicule|fahrzeugs?|pkw|kfz|auto|mietwagen|unfallgegner)(?![A-Za-zÀ-ÿ])/i;
const partNumber = /(?:part|sku|item|order|flight|ref|réf|article|room|model|typ|catalog(?:ue)?)[ .:#-]{0,3}$/i;

/** Plates of motorcycles and mopeds, and of foreign forces: only where a vehicle is spoken of. */
const smallTail = new RegExp(
  `(?:[${plateKana}EHKMTY] ?[0-9]{1,2}-[0-9]{2}|[${plateKana}] ?[・･]{1,3}[0-9]{1,2}|(?![にをはのともや])[${plateKana}] ?[1-9][0-9]{2,3})(?![0-9-])`,
  'g',
);
const smallHead = new RegExp(
  `(?:(?<![0-9A-Za-z])[1-9A-Z] ?)?(?:OFFICE ?(?:[1-9][0-9]{1,2})?|[\\u4E00-\\u9FFF]{1,4}市(?:[\\u4E00-\\u9FFF]{1,3}区)?|[\\u4E00-\\u9FFF]{1,4}[区町村]) ?$`.replaceAll(
    'OFFICE',
    `(?:${offices.join('|')})`,
  ),
);
const smallHeadMax = 14;
const smallVehicle = /バイク|原付|二輪|ナンバー|プレート|スクーター|車両|車番|米軍|標識/;

/** ナンバー of other things. */
const otherNumbers =
  /(?:シリアル|ロット|電話|会員|バック|ルーム|整理|製造|口座|注文|マイ|エントリー|部品|パーツ|モデル|アカウント|カード|トラッキング|チケット|フライト|便|法人|契約|顧客|管理|受付|予約|製品|商品|通し|ゼッケン|受験|学籍|社員|患者|診察|追跡|案件|ID)の?$/;
/** The words of a sentence that ends with the label: `7ABC123 is the license plate`. */
const sentenceBefore =
  /^(?:,? (?:is|was)|,? ?[-:] ?(?:that(?:'s| is)|it(?:'s| is)|this is)?|, (?:that(?:'s| is)|it(?:'s| is)|which is))(?: (?:the|my|our|his|her|their|its|your|a|car|vehicle|correct|new|old|full)){0,3} $|^(?:が|は)(?:[\u3040-\u9FFF]{1,6}の)?$/;

/** `7ABC123 CA` → `7ABC123`. */
function withoutState(written: string): string {
  const plate = /^(.{5,9}) [A-Z]{2,3}$/.exec(written)?.[1];
  const isWhole = plate !== undefined && /[0-9]/.test(plate) && /[A-Z]/.test(plate);
  return isWhole && stateBehind.test(written.slice(plate.length)) ? plate : written;
}

const mixed = /^(?=.*[A-Z])(?=.*[0-9].*[0-9])[A-Z0-9]/;

/** `SGX1234A (licence plate)`, `LD68 KXW, reg`, `7ABC123 is my plate`. */
function isNamedBehind(written: string, gap: string, context: string): boolean {
  if (/^ ?[(（]$/.test(gap)) return /plate|ナンバー|reg/.test(context);
  if (sentenceBefore.test(gap)) return /plate|ナンバー|番号|reg|tag|vr[nm]/.test(context) && mixed.test(written);
  if (gap === ', ' && europeanContext.test(context)) return european.test(written);
  return gap === ', ' && /^(?:reg|plate)/.test(context) && british.test(written.replace(' ', ''));
}

/** Plates by their shape alone, near the words of traffic; starts and ends. */
function placesOfVehicles({ shadow, keywords }: ScanText): [number, number][] {
  const found: [number, number][] = [];
  const anchors = keywords.anchors(name);
  for (let i = 0; i < anchors.length; ) {
    // Words near each other share one search.
    const first = anchors[i] as KeywordHit;
    const isJapanese = isWide(shadow, first);
    let to = first.end + vehicleReach;
    for (i++; i < anchors.length; i++) {
      const next = anchors[i] as KeywordHit;
      if (next.start - vehicleReach > to || isWide(shadow, next) !== isJapanese) break;
      to = next.end + vehicleReach;
    }
    const from = Math.max(found.at(-1)?.[1] ?? 0, first.start - vehicleReach);
    if (isJapanese) addSmallPlates(shadow, from, to, found);
    else addShapes(shadow, from, to, found);
  }
  return found;
}

function isWide(shadow: string, { start }: KeywordHit): boolean {
  return shadow.charCodeAt(start) > 0x2fff;
}

function addShapes(shadow: string, from: number, to: number, found: [number, number][]): void {
  for (const { start, end } of matchesIn(shadow, shapes, { start: from, end: to, before: 4, after: 16 })) {
    const near = shadow.slice(Math.max(0, start - vehicleReach), end + vehicleReach);
    if (!traffic.test(near) || partNumber.test(shadow.slice(Math.max(0, start - 12), start))) continue;
    found.push([start, end]);
  }
}

/** Looks for the kana with its digits first: towns are many. */
function addSmallPlates(shadow: string, from: number, to: number, found: [number, number][]): void {
  for (const { start: kana, end } of matchesIn(shadow, smallTail, { start: from, end: to, before: 0, after: 12 })) {
    const floor = Math.max(found.at(-1)?.[1] ?? 0, kana - smallHeadMax);
    const before = smallHead.exec(shadow.slice(floor, kana));
    if (before === null || counter.test(shadow.slice(end, end + 4))) continue;
    // The letters of forces need their class.
    if (shadow.charCodeAt(kana) < 0x80 && !/[0-9] ?$/.test(before[0])) continue;
    const start = floor + before.index;
    if (smallVehicle.test(shadow.slice(Math.max(0, start - vehicleReach), end + vehicleReach)))
      found.push([start, end]);
  }
}

/** The place at the end of the words that start at `at`, when a label stands before it. */
function labelledOffice(shadow: string, at: number, words: string): string | undefined {
  const place = /[\u3400-\u9FFF]{2,4}$/.exec(words)?.[0];
  if (place === undefined) return undefined;
  const end = at + words.length - place.length;
  return labelBefore.test(shadow.slice(Math.max(0, end - 16), end)) ? place : undefined;
}

/** In order, and of those that overlap the first. */
function withoutRepeats(found: Detection[]): Detection[] {
  let done = 0;
  return found
    .sort((a, b) => a.start - b.start || b.score - a.score)
    .filter(({ start, end }) => {
      if (start < done) return false;
      done = end;
      return true;
    });
}

/** True when the label, its link and the form of the value agree. */
function isPlate(shadow: string, value: LabelledValue, written: string, end: number): boolean {
  const { context, labelStart, isBehind } = value;
  const gap = isBehind && /[A-Z]{2}|[A-Z][a-z]{3}/.test(value.gap) ? value.gap.replace(stateWithin, '') : value.gap;
  const plain = written.replace(/[ :·-]/g, '');
  if (!/[0-9]/.test(plain) || !/[A-Z]/i.test(plain)) return false;
  if (plain.length < (european.test(written) ? 3 : 5) || plain.length > 10) return false;
  if (isBehind && !linked.test(gap) && !(looselyLinked.test(gap) && isPlateForm(written))) return false;
  const isEuropean = european.test(written) && europeanContext.test(context);
  if (/^(?:immatricul|carte)/.test(context) && !isEuropean) return false;
  const isOfCars = ofCars.test(written);
  const before = shadow.slice(Math.max(0, labelStart - vehicleReach), labelStart);
  if (isOfCars || isEuropean) return !otherRegistration.test(before) && !otherPlate.test(before.slice(-12));
  if (context === '車両番号' && /(?:電車|列車|鉄道|新幹線|気動車|客車)の?$/.test(before)) return false;
  // Of the driver or of the car.
  if (/^lic(?:en[cs]e)?$/.test(context)) {
    return american.test(written) && (stateBefore.test(before.slice(-24)) || strongVehicle.test(before));
  }
  if (/^(?:tag|lp) ?#$/.test(context)) return american.test(written);
  // A serial number is a ナンバー, too.
  if (context === 'ナンバー' && otherNumbers.test(before)) return false;
  // Companies and courses have registration numbers too; some forms are a car's.
  if (/^reg(?!o)/.test(context) && !/plate|mark/.test(context)) {
    if (plain.length > 8 || !strongVehicle.test(before) || otherRegistration.test(before)) return false;
  }
  if (!wideContext.test(context)) return true;
  if (/^["']?[:=]/.test(gap)) return !otherPlate.test(before.slice(-12));
  const adjective = before.slice(-24);
  if (context.startsWith('plate')) {
    if (otherPlate.test(adjective)) return false;
    if (american.test(written)) return true;
  }
  if (nationality.test(adjective) || stateBefore.test(adjective)) return true;
  return ofVehicle.test(`${before} ${shadow.slice(labelStart, end + vehicleReach).replace(/^plates?/i, '')}`);
}

/** Looks behind the names of offices, and behind the words for plates. */
export const vehiclePlate: Recognizer = {
  name,
  type: 'VEHICLE_PLATE',
  labels: [
    '(license|licence|lic|number|vehicle|registration|car) plate',
    '(license|licence|lic|number|vehicle|registration|car) plate (number|no|num|#)',
    '(florida|texas|california|georgia|ohio|fl|tx|ca|ga|ny) tag',
    'car license',
    '(alpr|anpr|lpr) (hit|read|match)',
    '(car|vehicle) (registration|reg)',
    '(car|vehicle) (registration|reg) (number|no|num|mark)',
    'registration (mark|plate|number|no)',
    'reg (number|no|plate)',
    'plate (number|no|num|#)',
    // Not the My Number.
    'my number plate',
    'plate',
    'plates',
    'reg',
    'rego',
    'registration',
    'kennzeichen',
    'kfz-kennzeichen',
    'amtliches kennzeichen',
    'immatricul(ation|e|ee)',
    'immatriculé',
    'plaque',
    'carte grise',
    'vrn',
    'lpn',
    'lp (#|no|number)',
    'tag #',
    '(lic|license|licence)',
    'vrm',
    'tag (number|no)',
    '(license|licence|registration|vehicle|car|truck|trailer|temporary|temp|dealer|paper) tag',
    '(vehicle|car) (number|no)',
    'ナンバープレート',
    'ナンバー',
    '車のナンバー',
    '車両ナンバー',
    '車両番号',
    '車輌番号',
    '車両No',
    '登録番号標',
    'プレート番号',
    '標識番号',
    '車両登録番号',
    '自動車登録番号',
    '車番',
  ],
  anchors: [
    'vehicle',
    ' car ',
    ' car,',
    ' car:',
    'car (',
    'car:',
    'parked',
    'parking',
    'barrier',
    'clamped',
    'towed',
    'tow request',
    'v5c',
    'mot due',
    'anpr',
    'alpr',
    'dvla',
    'congestion charge',
    'pickup',
    'prius',
    'ford ',
    'toyota',
    'honda',
    'bmw ',
    'audi',
    'tesla',
    'vauxhall',
    'volkswagen',
    'vw ',
    'voiture',
    'véhicule',
    'fahrzeug',
    'pkw',
    'kfz',
    'mietwagen',
    'unfallgegner',
    'registration',
    'plate ',
    'plates ',
    'please park',
    'road tax',
    'vehicle tax',
    'mot reminder',
    'mot expire',
    'mot test',
    'lorry',
    'van ',
    'courtesy car',
    'third party',
    'バイク',
    '原付',
    '二輪',
    'スクーター',
    '米軍',
  ],
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    const { shadow } = text;
    for (const kana of text.kanaJoints) {
      joint.lastIndex = kana;
      const behind = joint.test(shadow) ? tail.exec(shadow.slice(kana + 1, kana + 9)) : null;
      const before = behind && head.exec(shadow.slice(Math.max(0, kana - 9), kana));
      if (!behind || !before) continue;
      const words = before[1] ?? '';
      if (counter.test(shadow.slice(kana + 1 + behind[0].length, kana + 4 + behind[0].length))) continue;
      const office =
        offices.find((candidate) => words.endsWith(candidate)) ??
        labelledOffice(shadow, kana - before[0].length, words);
      if (office === undefined) continue;
      const start = kana - before[0].length + words.length - office.length;
      const end = kana + 1 + behind[0].length;
      found.push(detectionAt(text, start, end, { type: 'VEHICLE_PLATE', score: 0.95, recognizer: name }));
    }
    for (const value of labelledValues(text, name, plate, { reach: 36, back: 24, valueMax: 12 })) {
      const { start, groups, gap, isBehind } = value;
      const written = withoutState(groups[0]);
      if (!isBehind && !isNamedBehind(written, gap, value.context)) continue;
      const end = start + written.length;
      if (!isPlate(shadow, value, written, end)) continue;
      const { context } = value;
      found.push(detectionAt(text, start, end, { type: 'VEHICLE_PLATE', score: 0.8, recognizer: name, context }));
    }
    for (const [start, end] of placesOfVehicles(text)) {
      found.push(detectionAt(text, start, end, { type: 'VEHICLE_PLATE', score: 0.7, recognizer: name }));
    }
    return withoutRepeats(found);
  },
  samples: {
    match: [
      ['Kennzeichen M-AB 3997', 'M-AB 3997'],
      ['le véhicule immatriculé WY-607-TR a été', 'WY-607-TR'],
      ['Parked without a ticket: AK91 FTR, black', 'AK91 FTR'],
      ['バイク（1横浜 か 12-34）の盗難', '1横浜 か 12-34'],
      ['原付のナンバー 八王子市 あ 12-34', '八王子市 あ 12-34'],
      ['plate 7ABC123 CA, parked', '7ABC123'],
      ['車両ナンバー：神戸500た 72-25', '神戸500た 72-25'],
      ['品川 300 あ 12-34', '品川 300 あ 12-34'],
      ['なにわ５８０さ・・１２', 'なにわ５８０さ・・１２'],
      ['横浜33Aす1234の車', '横浜33Aす1234'],
      ['License plate XW15 YNJ was seen', 'XW15 YNJ'],
      ['plate number: 7ABC123', '7ABC123'],
      ['ナンバーはABC-1234です', 'ABC-1234'],
      ['vehicle registration LB07 SEO', 'LB07 SEO'],
      ['registration number BD51 SMR', 'BD51 SMR'],
      ['my car SGX1234A (licence plate)', 'SGX1234A'],
      ['our car (LD68 KXW, reg) broke down', 'LD68 KXW'],
      ['Rego 1XK 9QT. Driver', '1XK 9QT'],
      ['DL S5819174 (TX); plate LKP4471; adjuster', 'LKP4471'],
    ],
    noMatch: [
      'article AB-123-CD in the catalogue',
      'aircraft registration N123AB',
      'Aktenzeichen B-AB 1234/24',
      '宮崎 500 の 1234 円',
      '品川 300 人',
      '横浜 1234',
      '品川300し1234',
      'plate 3 of 12',
      'license 7ABC123',
      'ナンバー2',
      'XW15 YNJ',
      'plates of size A4',
      'name plate PN12345',
      '96-well plate B12345',
      'reg add HKCU /v ABC123',
    ],
  },
};
