/** Vehicle registration plates: Japanese ones by their office, others by the words before them. */
import { numberLeft, numberRight } from '../boundaries.ts';
import type { KeywordHit } from '../keywords.ts';
import { labelledValues } from '../labels.ts';
import { isOtherNumber } from '../other-numbers.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';
import { WordBlocks } from '../word-blocks.ts';
import { addSmallPlates, japanesePlates } from './japanese-plate.ts';
import { numbersByEvidence } from './number-evidence.ts';
import {
  isExample,
  isNamedBehind,
  isPlate,
  isPlateForm,
  ofMachine,
  otherPlate,
  vehicleReach,
  withoutState,
  wordsOfVehicles,
} from './plate-context.ts';
import { addDescribed } from './plate-described.ts';
import { dictatedPlaces } from './plate-dictated.ts';
import { isOfTags, plates } from './plate-evidence.ts';
import { PlatePlaces } from './plate-places.ts';
import { platesByWeight } from './plate-weight.ts';
import { stateBehind } from './us-states.ts';
import { ofModel, plateLabels, vehicleAnchors } from './vehicle-plate-words.ts';

const name = 'vehicle-plate';
/** Of Germany, the town with its umlaut. */
const german = '[A-ZÄÖÜ]{1,3}(?:[ :·-]|- | -)[A-Z]{1,2}[ -]?[0-9]{1,4}[EH]?';
/** Of India, with the district in one or two digits, and of Ireland since 1987. */
const indian = '[A-Z]{2}[ -]?[0-9]{1,2}[ -]?[A-Z]{1,3}[ -]?[0-9]{4}';
const indianOffice =
  '(?:A[NPRS]|BR|C[GH]|D[DLN]|G[AJ]|H[PR]|J[HK]|K[AL]|L[AD]|M[HLNPZ]|NL|O[DR]|P[BY]|RJ|SK|T[NRS]|U[KP]|WB)[ -]?[0-9]{1,2}[A-Z]?[ -]?[A-Z]{1,3}[ -]?[0-9]{4}';
const irish = '[0-9]{2,3}-[A-Z]{1,2}-[0-9]{2,6}';
/** As people type them. */
const lowerCase = '[A-Za-z][a-z][0-9]{2} ?[A-Za-z][a-z]{2}|[0-9][a-z]{3}[0-9]{3}|[a-z]{3}[ -]?[0-9]{3,4}';
const plate = new RegExp(
  `(?<![0-9A-Za-z])(?=[A-ZÄÖÜa-z0-9])(?:${numberLeft}|(?<=(?:(?<![0-9A-Za-z])[A-Z]{2}|LIC|[Tt]es?)/))(?!LED |[GR]TX )(?=[A-ZÄÖÜa-z :·-]{0,6}[0-9])(?:${indian}|${irish}|${german}|[A-Z]{2} [0-9]{5,6}|[A-Z0-9]{1,4}(?:[ ·-](?!(?:MAKE|MODEL|YEAR|YR|STATE|ST|EXP|COLOR|TYPE|VIN|REG)(?![A-Z0-9])|[A-Z]{4})[A-Z0-9]{1,6}){1,2}|[A-Z0-9]{5,8}|${lowerCase})(?:${numberRight}|(?=/[A-Z]{2}(?![0-9A-Za-z])))`,
  'g',
);
/** Shapes that are a plate's wherever a vehicle is spoken of: of the United Kingdom, of California, of Germany, of France. */
const shapes = new RegExp(
  `${numberLeft}(?:[A-Z]{2}[0-9]{2} ?[A-Z]{3}|(?!F[1-6]50)[A-HJ-NPR-TV-Y][0-9]{3} (?!AMG|MAX|NEO|PRO|XLT|[LMS]WB|[CHT]DI|DCI|AWD)[A-Z]{3}|${indianOffice}|[1-9][A-Z]{3}[0-9]{3}|[A-Z]{2}-[0-9]{3}-[A-Z]{2}|[A-ZÄÖÜ]{1,3}[:·-][A-Z]{1,2} [0-9]{1,4}[EH]?)${numberRight}`,
  'g',
);
/** `ran the tag `, `TN tag `. */
const tagOfCar =
  /\b(?:ran|run|running|expired|stolen|[A-Z]{2}|Texas|Florida|Georgia|Virginia|Tennessee|Alabama|Maryland|Carolina|Oklahoma|Kansas|Delaware|Mississippi)(?: the| a| his| her)? tags? $/;
/** The commonest of North America: only beside words for plates, tolls and parking, and not behind a word for something else. */
const americanShapes = new RegExp(
  `(?<![0-9A-Za-z])(?=[A-Z]{3}[ 0-9-])(?<=[(,;:=] ?|(?<![A-Za-z])(?:vehicles?|cars?|vans?|trucks?|plates?|tags?|for|is|was|remove|add|added|of|read|with|and|by|from|Ohio|Texas|Florida|Georgia|California|Nevada|Michigan|Illinois|Indiana|Virginia|Maryland|Oregon|Tennessee|Alabama|Arizona|Colorado|Kansas|Missouri|Utah|Jersey|York|Carolina|Pennsylvania) |, [A-Z]{2} |(?:[Vv]ehicle|[Vv]eh|[Cc]ar) [0-9]: )(?<![0-9A-Za-z]-)(?!(?:RFC|ISO|UTF|AES|SHA|CVE|CWE|ECU|DIN|IEC|API|CPU|GPU|USB)[ -])[A-Z]{3}[ -]?[0-9]{3,4}${numberRight}`,
  'g',
);
const ofVehicleBefore =
  /(?<![A-Za-z])(?:veh|vehicle|car) [0-9]: $|, (?:A[KLRZ]|C[AOT]|FL|GA|I[ADLN]|K[SY]|M[ADINOST]|N[CDEHJMVY]|O[HKR]|PA|S[CD]|T[NX]|UT|V[AT]|W[AIVY]) $/i;
const americanTraffic =
  /(?<![A-Za-z])(?:(?:licen[cs]e|number) plates?|tolls?|alpr|anpr|lpr|parked|parking|towed|hit and run)(?![A-Za-z])/i;
/** Behind `tag`, or before `/MI` and ` (MI)`. */
const stateShape = new RegExp(
  `(?<![0-9A-Za-z])(?:(?=[A-Z]*-?[0-9])(?:[A-Z0-9]{5,7}|[A-Z]{3}-[0-9]{3,4})(?<=(?<![A-Za-z])(?:[Tt]ags?|LP) [A-Z0-9-]{5,8})${numberRight}|${numberLeft}(?:[A-Z]{3}[0-9]{3,4}|[0-9][A-Z]{3}[0-9]{3})(?=/| [(]))`,
  'g',
);
/** Of the United Kingdom since 2001 with its space and a half-year that there was: little else looks so. */
const british = /(?<![0-9A-Za-z/-])[A-HK-PRSVWXY][A-Z](?:0[2-9]|[1257][0-9]|6[0-9]) [A-HJ-PR-Z]{3}(?![0-9A-Za-z/-])/g;
const britishReach = 160;
/** Words of traffic; they announce a plate without a word for it. */
const traffic =
  /(?<![A-Za-zÀ-ÿ])(?:cars?|vehicles?|registrations?|plates?|park|road tax|insured|third party|van|truck|lorry|suv|parked|parking|barrier|clamped|towed|tow|v5c?|mot|anpr|alpr|dvla|congestion charge|rc|rto|challan|scooty|scooter|taxis?|uber|keeper|mileage|pickup|prius|ford|toyota|honda|nissan|bmw|audi|tesla|vauxhall|volkswagen|vw|golf|mazda|hyundai|kia|renault|peugeot|opel|lexus|subaru|chevrolet|chevy|jeep|skoda|volvo|corolla|camry|dashcam|ulez|voiture|v[ée]hicule|fahrzeug[a-z]{0,10}|pkw|kfz|auto|mietwagen|unfallgegner|driver of|owner of|keeper of|cab|drives|drove|taxed|cctv|pcn|penalty charge|insurance for|renewal for|speeding|firmenwagen|dienstwagen|halter|halterauskunft|parkplatz|fastag|lpr)(?![A-Za-zÀ-ÿ])/i;
/** A plate that no vehicle has. */
const plateOfOther = new RegExp(`${otherPlate.source.replace(/\$$/, '')}plates?`, 'gi');
const partNumber =
  /(?:part|sku|item|order|flight|ref|réf|article|room|code|promo|coupon|voucher|booking|reference|pnr|model|typ|art|catalog(?:ue)?)[ .:#-]{0,3}$/i;

/** Plates by their shape alone, near the words of traffic; starts and ends. */
function placesOfVehicles({ shadow, keywords, digitStarts }: ScanText, places: PlatePlaces): [number, number][] {
  const found: [number, number][] = [];
  const anchors = keywords.anchors(name);
  let passed = 0;
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
    if (isJapanese) {
      while ((digitStarts[passed] ?? to) < from) passed++;
      if ((digitStarts[passed] ?? Number.POSITIVE_INFINITY) < to + plateMax) addSmallPlates(shadow, from, to, found);
    } else if (places.mayHave(from, to)) {
      for (let at = from; at < to; at += stretchMax)
        addShapes(shadow, places, at, Math.min(to, at + stretchMax), found);
    }
  }
  return found;
}

/** British plates further from the words for vehicles; starts and ends. */
function britishPlaces({ shadow, keywords }: ScanText, places: PlatePlaces): [number, number][] {
  const found: [number, number][] = [];
  let done = 0;
  for (const { start, end } of keywords.anchors(name)) {
    const from = Math.max(done, start - britishReach);
    const to = end + britishReach;
    if (from >= to) continue;
    for (const place of places.matches(british, { start: from, end: to, before: 2, after: 2 })) {
      const head = shadow.slice(Math.max(0, place.start - 24), place.start);
      const near = shadow.slice(Math.max(0, place.start - britishReach), place.end + britishReach);
      if (
        (traffic.test(near.replace(plateOfOther, '')) || ofModel.test(near)) &&
        !ofMachine.test(near) &&
        !isOtherNumber(shadow, place.start) &&
        !partNumber.test(head.slice(-12)) &&
        !isExample.test(head)
      )
        found.push([place.start, place.end]);
    }
    done = to;
  }
  return found;
}

function isWide(shadow: string, { start }: KeywordHit): boolean {
  return shadow.charCodeAt(start) > 0x2fff;
}

/** So much text is searched at once. */
const stretchMax = 2_048;
/** No plate is longer. */
const plateMax = 16;
/** No evidence reaches further than so many characters from a label. */
const evidenceReach = 192;

function addShapes(shadow: string, places: PlatePlaces, from: number, to: number, found: [number, number][]): void {
  for (const { start, end } of places.matches(shapes, { start: from, end: to, before: 4, after: 16 })) {
    const near = `${shadow.slice(Math.max(0, start - vehicleReach), start)} ${shadow.slice(end, end + vehicleReach)}`;
    if (isExample.test(shadow.slice(Math.max(0, start - 20), start))) continue;
    if (ofMachine.test(near)) continue;
    if (
      (!traffic.test(near.replace(plateOfOther, '')) && !ofModel.test(near)) ||
      partNumber.test(shadow.slice(Math.max(0, start - 12), start))
    )
      continue;
    found.push([start, end]);
  }
  for (const { start, end } of places.matches(stateShape, { start: from, end: to, before: 8, after: 8 })) {
    const before = shadow.slice(Math.max(0, start - 24), start);
    if (
      stateBehind.test(shadow.slice(end, end + 24).replace(/^ (?=[A-Z])/, ', ')) ||
      (tagOfCar.test(before) && isPlateForm(shadow.slice(start, end)))
    )
      found.push([start, end]);
  }
  for (const { start, end } of places.matches(americanShapes, { start: from, end: to, before: 12, after: 16 })) {
    const near = shadow.slice(Math.max(0, start - vehicleReach), end + vehicleReach);
    if (
      (americanTraffic.test(near) || ofVehicleBefore.test(shadow.slice(Math.max(0, start - 24), start))) &&
      !isOtherNumber(shadow, start) &&
      !isExample.test(shadow.slice(Math.max(0, start - 20), start))
    )
      found.push([start, end]);
  }
  addDescribed(shadow, places, { from, to, found });
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

/** Labels and anchors in one list. */
function inOrder(labels: readonly KeywordHit[], anchors: readonly KeywordHit[]): readonly KeywordHit[] {
  if (labels.length === 0 || anchors.length === 0) return labels.length === 0 ? anchors : labels;
  return [...labels, ...anchors].sort((a, b) => a.start - b.start);
}

/** Looks behind the names of offices, and behind the words for plates. */
export const vehiclePlate: Recognizer = {
  name,
  type: 'VEHICLE_PLATE',
  labels: plateLabels,
  anchors: vehicleAnchors,
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    const { shadow } = text;
    for (const [start, end] of japanesePlates(text))
      found.push(detectionAt(text, start, end, { type: 'VEHICLE_PLATE', score: 0.95, recognizer: name }));
    const { keywords } = text;
    if (!keywords.has(name)) return found;
    const labels = keywords.labels(name).filter((label) => !isOfTags(shadow, label));
    const anchors = keywords.anchors(name);
    if (labels.length === 0 && anchors.length === 0) return found;
    // A label speaks for cells and answers far off, too.
    const places = new PlatePlaces(text, keywords.labels(name).length > 0 ? undefined : anchors);
    const used = new Set<number>();
    if (labels.length > 0 && (!places.isEmpty || places.hasLowerCase)) {
      const vehicles = new WordBlocks(shadow, wordsOfVehicles);
      for (const value of labelledValues(text, name, plate, { reach: 36, back: 24, valueMax: 12 })) {
        const { start, groups, gap, isBehind, context } = value;
        const written = withoutState(groups[0]);
        if (!isBehind && !isNamedBehind(written, gap, context)) continue;
        const end = start + written.length;
        if (!isPlate(shadow, value, { written, end, vehicles })) continue;
        used.add(value.labelStart);
        found.push(detectionAt(text, start, end, { type: 'VEHICLE_PLATE', score: 0.8, recognizer: name, context }));
      }
    }
    for (const [start, end] of placesOfVehicles(text, places))
      found.push(detectionAt(text, start, end, { type: 'VEHICLE_PLATE', score: 0.7, recognizer: name }));
    for (const [start, end] of dictatedPlaces(text, keywords.labels(name), places))
      found.push(detectionAt(text, start, end, { type: 'VEHICLE_PLATE', score: 0.7, recognizer: name }));
    if (!places.isEmpty) {
      for (const [start, end] of britishPlaces(text, places))
        found.push(detectionAt(text, start, end, { type: 'VEHICLE_PLATE', score: 0.65, recognizer: name }));
    }
    if (!places.isEmpty || places.hasOtherScript) {
      for (const [start, end] of platesByWeight(text, { words: inOrder(labels, anchors), places, taken: found }))
        found.push(detectionAt(text, start, end, { type: 'VEHICLE_PLATE', score: 0.6, recognizer: name }));
    }
    const certain = withoutRepeats(found);
    const isNear =
      labels.length > 0 &&
      keywords.labels(name).some(({ start, end }) => places.mayHave(start - evidenceReach, end + evidenceReach));
    const further = isNear ? numbersByEvidence(text, plates, { found: certain, used }) : [];
    if (further.length === 0) return certain;
    for (const [start, end, context] of further)
      certain.push(detectionAt(text, start, end, { type: 'VEHICLE_PLATE', score: 0.6, recognizer: name, context }));
    return certain.sort((a, b) => a.start - b.start);
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
      ['LIC/MJA9594.LIS/TX', 'MJA9594'],
      ['PLATE NO. OXP-8776 MAKE TOYT', 'OXP-8776'],
      ['violation, tag XOIW46 Florida', 'XOIW46'],
      ["my reg's LK10 HNO", 'LK10 HNO'],
      ['Tag: RJ3128 State: SC', 'RJ3128'],
      ['remove PTM6951 from my toll account', 'PTM6951'],
      ['Swedish reg WXV 34M', 'WXV 34M'],
      ['オートバイ 多摩 る 56-84', '多摩 る 56-84'],
      ['二輪：品川 C あ 12-34', '品川 C あ 12-34'],
      ['原付：さいたま市 あ 1218', 'さいたま市 あ 1218'],
      ['vehicle no DL 3C AB 3056', 'DL 3C AB 3056'],
      ['State/Plate: TX/UVN6432', 'UVN6432'],
      ['LIC PLATE STATE: NV  NUMBER: 426V91', '426V91'],
      ['black Chevy Malibu TAG3449/MI occupied twice', 'TAG3449'],
      ['ran the tag FOQ4260, comes back', 'FOQ4260'],
      ['Vehicle 1: RDF8403', 'RDF8403'],
      ['placa GIW5T37', 'GIW5T37'],
      ['Plate on file: OCD0895', 'OCD0895'],
      ['Plate • HSZ1146 • NY', 'HSZ1146'],
      ['Registration\n============\nOI63 ACH', 'OI63 ACH'],
      ['Kennzeichen des Unfallgegners: HH-GE 3924', 'HH-GE 3924'],
      ['500-す-12-34', '500-す-12-34'],
      ['Ola cab KA 01 AL 7712 arriving', 'KA 01 AL 7712'],
      ['Please check whether BV15 RLK is taxed', 'BV15 RLK'],
      ['横浜-500-す-12-34', '横浜-500-す-12-34'],
      ['PCN for YK70 TLR last week', 'YK70 TLR'],
      ['Insurance renewal for LP21 XNV', 'LP21 XNV'],
      ['the driver of EO62 TRK shouted', 'EO62 TRK'],
      ['Parkplatz 12: MTK-R 482 (Kennzeichen)', 'MTK-R 482'],
      ['Virginia tags UKR-8820', 'UKR-8820'],
      ['Fastag linked with RJ14 CK 8204', 'RJ14 CK 8204'],
      ['違反車両 宮崎 300 て 90-42 時速 82km', '宮崎 300 て 90-42'],
      ['Operator: reg please\nCaller: IL16 JMJ', 'IL16 JMJ'],
      ['The plate on my car changed. New one: KMC-1184.', 'KMC-1184'],
      ['2020 Nissan Rogue  Tag RWJ5526', 'RWJ5526'],
      ['crushed 2016 Silverado, LP KTB 7716. Insured', 'KTB 7716'],
      ['\nName          Tag        State\nLena Brandt   RKT4417    OH\nA. Poe                   TX', 'RKT4417'],
      ['a silver Altima, KLB4402 per caller', 'KLB4402'],
      ['2009 Camry, FL Y41 BKT, driver', 'Y41 BKT'],
      ['Plates seen in the alley\n\nMon  KTR 2218', 'KTR 2218'],
      ['He drives the Corsa, SL20 DNV.', 'SL20 DNV'],
      ['Odo:      48221\nRego:     CKB 41T\nDriver:   Aroha', 'CKB 41T'],
      ['ST NC LIC HKP-8817 OWNER SAME', 'HKP-8817'],
      ['VIN 1FTEW1EP5KFA00000, tag RHT 7718 exp 06/25', 'RHT 7718'],
      ['Vehicle returned: Nissan Versa, FL QZR C41, fuel', 'QZR C41'],
      ['a silver van hit the front. He did not stop but my son wrote the index down on a bag: CX18 FGU.', 'CX18 FGU'],
      ['the parking fine was wrong. I did pay by the app on the day but typed LV19 HPK by mistake', 'LV19 HPK'],
      ['DJ drives a black Tahoe, UKB 2093. The', 'UKB 2093'],
      ['Kenworth unit 9, KY apportioned B37144', 'B37144'],
      ['gray Tacoma NVK 201 contractor', 'NVK 201'],
      ['Neues Kennzeichen seit gestern: HB PL 447.', 'HB PL 447'],
      ['wrong reg entered at the kiosk. I typed YS11 UCN', 'YS11 UCN'],
      ['could u check if wp19 kxe has a valid mot?', 'wp19 kxe'],
      ['Mein Wagen (HH-ZK 8812) wurde abgeschleppt', 'HH-ZK 8812'],
      ['a black Camry, T684512C, around 11 pm', 'T684512C'],
      ['the trailer WX 4471P is empty', 'WX 4471P'],
      ['my plate is kilo victor six eight, mike tango golf', 'kilo victor six eight, mike tango golf'],
      ['Plate read by phone: H-R-4-4-1-7-K.', 'H-R-4-4-1-7-K'],
      ['El coche es un Seat gris, 7743 KPN, en el garaje', '7743 KPN'],
      ['レンタカーはジープ、プレートTM 4821', 'TM 4821'],
      ['Polish truck, unpaid tolls: WGM 48213.', 'WGM 48213'],
      ['韓国の車両番号：12가 3456', '12가 3456'],
      ['レンタカー（プジョー208、FK-402-ZD）の駐禁', 'FK-402-ZD'],
      ['赤い車、番号は330 ふ 44-18、地名は読めず', '330 ふ 44-18'],
    ],
    noMatch: [
      'locker K204 and towel tag TWL 204. My car is outside',
      'the KLM 482 bracket for the van fleet',
      'hotel parking PRK 120 per night',
      'The van is in bay KTR 412.',
      'my Golf has fault P0299, ECU 906018, colour code LC9X',
      'taxi to the airport, flight KLM 1024',
      'Dell service tag 7XYZ123, driver update',
      'DEV-4412 vehicle service',
      '会議室ナンバー B12-04、車で来る方は守衛へ',
      '車は点検中。福岡 500 の 12 のうち 3 つ',
      'Skid plate SP2024A fits the Jeep',
      'Use plate P00419 for the repeat.',
      'Registration code RLK7710 for the conference, parking is free',
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
      'number plates have the format AB12 CDE.',
      'Tag: AB12CD on the printer',
      '札幌 330 は 12 月',
      'parking ticket ABC1234',
      'placa RTX 4090',
      'Code AB12CDE for the car wash',
      'A320 NEO towed to the hangar',
      'vehicle: Ford F150 XLT 2019',
      '96-well plate ID AB12CDE',
      'シリアルナンバー AB12CDE',
      'git tag ABC1234 pushed',
      'license plate LED T10',
      'plate no. PL-1234 of the bridge',
      'Lab inventory: plate P96-0417 (Caco-2, day 21), deep well plate DWP-2207. The nameplate says model 5810R',
      'Serial plate: LR 7710',
      'USB C100 CAB cable',
      'Halter für Handy, Art. H-AB 4471',
      '資料 331-さ-4 を参照',
      '棚札は北500-あ-12-34 です',
      'the van brought the parts, among them two of article LV19 HPK for the pump',
      'van hire desk. Booking reference CX18 FGU',
      'HTML tags H1 and B44',
      'Motor nameplate: 1465 rpm, IP55, S/N BR24 KLM, the car lift',
      'the plate on the gearbox: SEW R77',
      '\nItem      Tag        Qty\nPump      PMP4410    2',
      'Ford Transit T350 LWB, a van',
      'grey Golf, GTD 184 on the road',
      '2016 Silverado, 1500 LTZ with towing package',
    ],
  },
};
