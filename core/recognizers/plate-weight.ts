/** Plates that no label speaks for, weighed: how rare the form is, which vehicle is spoken of, how the plate is told, what follows. */
import { countBefore, type KeywordHit } from '../keywords.ts';
import { isNamedOther, isOtherNumber } from '../other-numbers.ts';
import { matchesIn, type ScanText } from '../shadow.ts';
import { WordBlocks } from '../word-blocks.ts';
import { isInstead, isOfThing, spaced, weightOfTelling } from './number-telling.ts';
import { isExample, ofMachine, otherNumbers, otherPlate } from './plate-context.ts';
import { plates } from './plate-evidence.ts';
import { plateForms, plateFormsOfScripts, weightOfPlate } from './plate-forms.ts';
import type { PlatePlaces } from './plate-places.ts';
import type { Stretch } from './stretch.ts';
import { stateBefore, stateBehind } from './us-states.ts';
import { vehicleModels } from './vehicle-plate-words.ts';

/** What the evidence must weigh. */
const threshold = 6;
/** How far from a word for vehicles a plate is looked for, and how much around it is weighed; characters. */
const reach = 120;
const headMax = 56;
const tailMax = 32;
/** How far behind a word for plates it still speaks. */
const besideLabel = 12;
/** So much text is searched at once. */
const stretchMax = 2_048;

const makes =
  'ford|toyota|honda|nissan|bmw|audi|tesla|kia|hyundai|mazda|subaru|jeep|dodge|chevrolet|chevy|gmc|buick|lexus|volvo|vw|volkswagen|mercedes|merc|benz|acura|infiniti|cadillac|chrysler|mitsubishi|suzuki|skoda|fiat|opel|vauxhall|renault|peugeot|citro[eë]n|dacia|porsche|land rover|range rover|jaguar|isuzu|hino|scania|iveco|daf|freightliner|kenworth|peterbilt|yamaha|kawasaki|ducati|harley|vespa|ram|camry|corolla|prius|golf|leaf|tata|mahindra|maruti|bajaj|byd|polestar|alfa romeo|daihatsu';
const kinds =
  'cars?|vans?|trucks?|lorr(?:y|ies)|suvs?|sedan|saloon|hatchback|coupe|trailers?|tractor|semi|pickup|vehicles?|veh|automobile|motorbikes?|motorcycles?|motorhome|camper(?:van)?|caravan|scooters?|mopeds?|taxis?|cab|uber|lyft|minicab|minibus|minivan|ambulance|hgv|artic|bakkie|jeepney|rickshaw|bus|ute|rv|ev|rentals?|fahrzeug|wagen|[a-z]{3,8}wagen|lkw|pkw|wohnmobil|auflieger|anh[aä]nger|voiture|v[ée]hicule|camion|coche|carro|moto|motorino|ve[íi]culo|samoch[óo]d';
/** A vehicle, its make or model. */
const ofVehicle = `(?<![A-Za-zÀ-ÿ-])(?:${kinds}|${makes}|${vehicleModels.join('|')})(?:['’]s)?(?![A-Za-zÀ-ÿ])`;
const ofVehicleJapanese =
  'ナンバー|プレート|車両|車番|レンタカー|[社愛自営業用有送迎新旧黒白赤青]車|車(?:は|が|の|を|に|で|（|\\()|駐車|トヨタ|ホンダ|日産|ベンツ|プジョー|ワゴン|トラック|タクシー|バイク';
const vehicle = new RegExp(ofVehicle, 'i');
const vehicleJapanese = new RegExp(ofVehicleJapanese);
/** Directly before, but for a word or two that say more of it. */
const directly = new RegExp(
  `(?:${ofVehicle})(?:,? [A-Za-z0-9-]{1,10}){0,3}(?:,? (?:with|plates?|reg|tags?|number|no|is|was|in))?[.:]?(?: ?[,;(:–—|-]{1,2} ?| )["'“]?$`,
  'i',
);
/** Nothing in between. */
const immediately = new RegExp(
  `(?<![A-Za-zÀ-ÿ-])(?:${kinds})(?: (?:with|plates?|reg|tags?|number|no))?[.:]? ?["'“(]?$`,
  'i',
);
/** What one looks like. */
const described =
  /(?<![A-Za-z])(?:silver|gr[ae]y|black|white|blue|red|green|gold|maroon|orange|yellow|beige|brown|purple|blk|wht|dark|(?:19[89]|20[0-3])[0-9])(?: [A-Za-z0-9-]{2,12}){1,3}[,:]? ?[(–—-]{0,2} ?$/i;
/** Directly before, in Japanese. */
const japaneseLabel = /(?:ナンバー|プレート|車番)(?:は|が|の番号は|[:：「（( ]){0,2}$/;
/** What a plate follows without being named. */
const links =
  /(?<![A-Za-zÀ-ÿ])(?:if|whether|for|from|with|by|and|about|re|add|added|remove|removed|cancel|check|saw|spotted|returned|called|had|on|behind|hit|owns|drives?|drove|took|that|because|although|when|while|obwohl|dass|weil|wenn|bitte|hat|für|von|mit|und|auf|pour|de|per|para|con|et|y|e) ["'“(]?$/i;
/** A state of the United States before the plate, as part of its form. */
const stateOfForm =
  /^(?:A[KLRZ]|C[AOT]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]|ON|QC|BC|AB) (?=.{5})/;
/** What only plates are for, or asked with. */
const ofPlates =
  /(?<![A-Za-zÀ-ÿ])(?:(?:licen[cs]e |number |registration )?plates?|reg|regs|rego|registered|vr[mn]|kennzeichen|zulassung|halter|kfz|immatricul[a-zé]+|plaque|targa|matr[íi]cula|placa|kenteken|rejestracyjny|anpr|alpr|dvla|mot(?! de| pour)|v5c?|rto|fastag|tolls?|car ?park|towed|tow|towing|clamped|dashcam|doorbell cam|speeding|vignette|hit and run|rear-ended|strafzettel|knöllchen|bu(?:ß|ss)geld|geblitzt|weighbridge|congestion charge|green card|parkplatz|stellplatz|parkhaus)(?![A-Za-zÀ-ÿ])/i;
const ofPlatesJapanese = /ナンバー|プレート|車両番号|車番|駐車|駐禁/;
/** What is also said of other things. */
const ofTraffic =
  /(?<![A-Za-zÀ-ÿ])(?:registration|tags?|lp|rc|parking|parked|permits?|barrier|garage|whitelist|taxed|valet|driver|drives|driving|drove|keeper|fleet|diesel|petrol|unleaded|mileage|odometer|charger|kwh|renter|hirer|insured|car wash|blocking|collision|witness(?:es)?|stolen|werkstatt|abgeschleppt|expire[sd]?|alquiler|aparcamiento|garaje|multa|noleggio|parcheggio|stationnement|garé)(?![A-Za-zÀ-ÿ])/i;
const german = /(?<![A-Za-zÀ-ÿ])(?:kennzeichen|zulassung|halter|kfz|fahrzeug|pkw|lkw)(?![A-Za-zÀ-ÿ])/i;
const ofGermany = /^[A-ZÄÖÜ]{1,3} [A-Z]{1,2} [0-9]{1,4}$/;
/** May be the label of a plate, beside its own words. */
const ownWord = new RegExp(
  `${plates.ownWord.source}|^(?:cameras?|gate|garage|barrier|permit|parking|whitelist|list|tolls?|tenant|owner|visitor|guest|driver|keeper|wagen|fahrzeug|lkw|pkw|voiture|coche|moto)$`,
  'i',
);
/** Of other things with plates, registrations and tags. */
const ofOther =
  /(?<![A-Za-z])(?:wells?|assay|elisa|pcr|reagents?|freezer|tail (?:no|number)|aircraft|airliner|boeing|airbus|firmware|commit|git|docker|css|html|regex|drones?|paint code|engine code|part numbers?|oem)(?![A-Za-z])/i;
/** Named directly before: of the vehicle's parts and papers. */
const ofPart =
  /(?<![A-Za-z])(?:code|part|parts|sku|item|engine|gearbox|paint|trim|stock|tyres?|tires?|filter|belt|bulbs?|oil|battery|chassis|frame|vin|flight|tail|bay|row|level|dock|room|seat|zone|sector|road|exit|junction|route|postcode|zip|booking|ref|reference|ticket|contract|invoice|policy|claim|order|po|id|identification|box|price tag|service tag|key|voucher|promo|coupon|pnr|serial|s\/n|model|type|typ|art|art\.|article|artikel|catalog(?:ue)?|unit code|dtc|codes?|firmware|imei|sim|evb|permit|badge|report|case|account|licen[cs]e no|dl|driver'?s? licen[cs]e|company|charity|course|conference|aircraft|boat|vessel|product|trademark|student)s?(?: (?:no|num|number|id|nr))?\.?(?: (?:is|was))?[ :#=.-]{0,3}["'(]?$/i;
/** A part or an amount that the value is the name of. */
const partBehind =
  /^['"”]? (?:brackets?|kits?|filters?|belts?|bulbs?|seals?|cables?|adapters?|modules?|sensors?|pumps?|valves?|units?|parts?|series|models?|machines?|printers?|connectors?|batter(?:y|ies)|chargers?|tyres?|tires?|box(?:es)?|boards?|scanners?|software|version|engine|motor|gearbox|per|each|x|pcs|off)(?![A-Za-z])/i;
const endOfLine = /^[ \t]*(?:\n|$)/;
/** A row that names somebody and ends with the plate. */
const row = /^[^\n0-9]{2,40}(?: ?[/,;|–—:-] ?|\t| {2,})$/;
/** Between a list's last plate and the next. */
const nextMax = 60;

type Found = [start: number, end: number];
/** What has the form of a plate, with what {@link weightOfPlate} says of it. */
type Form = Stretch & { readonly weight: number };

type Near = {
  /** Words for vehicles and plates, in order. */
  readonly words: readonly KeywordHit[];
  readonly places: PlatePlaces;
  /** The plates that were found already. */
  readonly taken: readonly Stretch[];
};

/** Plates near words for vehicles and plates, beside those that were found already; starts and ends, in order. */
export function platesByWeight(text: ScanText, { words, places, taken }: Near): Found[] {
  const { shadow } = text;
  const found: Found[] = [];
  const before = taken.toSorted((a, b) => a.start - b.start);
  const near = new WordBlocks(shadow, plates.wordsNear ?? vehicle);
  let passed = 0;
  for (const place of placesNear(shadow, words, places)) {
    while ((before[passed]?.end ?? Number.POSITIVE_INFINITY) <= place.start) passed++;
    const last = found.at(-1);
    if ((before[passed]?.start ?? Number.POSITIVE_INFINITY) < place.end || (last?.[1] ?? 0) > place.start) continue;
    if (place.weight === 0 || isUnlikeLabel(text, place, near)) continue;
    const previous = before[passed - 1];
    const isLater = last !== undefined && last[1] > (previous?.end ?? 0);
    if (isTold(text, place, isLater ? { start: last[0], end: last[1] } : previous))
      found.push([place.start, place.end]);
  }
  return found;
}

/** What may be a plate around the words, in order. */
function* placesNear(shadow: string, words: readonly KeywordHit[], places: PlatePlaces): Generator<Form> {
  let done = 0;
  for (let i = 0; i < words.length; ) {
    const from = Math.max(done, (words[i] as KeywordHit).start - reach);
    done = (words[i] as KeywordHit).end + reach;
    for (i++; i < words.length && (words[i] as KeywordHit).start - reach <= done; i++)
      done = (words[i] as KeywordHit).end + reach;
    if (!places.mayHave(from, done) && !places.hasOtherScript) continue;
    for (let at = from; at < done; at += stretchMax)
      yield* formsIn(shadow, places, at, Math.min(done, at + stretchMax));
  }
}

/** True directly behind a word for plates that here speaks of something else: `skid plate SP2024A`, `service tag 7XYZ123`. */
function isUnlikeLabel(text: ScanText, { start, end }: Stretch, near: WordBlocks): boolean {
  const { shadow, keywords } = text;
  const labels = keywords.labels(plates.owner);
  const last = labels[countBefore(labels, start) - 1];
  if (last === undefined || start - last.end > besideLabel) return false;
  if (shadow.charCodeAt(last.start) > 0x2fff)
    return otherNumbers.test(shadow.slice(Math.max(0, last.start - besideLabel), last.start));
  if (/^ (?:expire[sd]?|exp)(?![a-z])/i.test(shadow.slice(end, end + 9))) return false;
  if (plates.weightOfWord(shadow, last, near) === 0) return true;
  const around = `${shadow.slice(Math.max(0, last.start - reach), last.start)} ${shadow.slice(end, end + reach)}`;
  return !isOfVehicle(text, around);
}

function formsIn(shadow: string, places: PlatePlaces, start: number, end: number): Form[] {
  const range = { start, end, before: 4, after: 16 };
  const found = places.matches(plateForms, range).map((place) => plateOf(shadow, place));
  if (!places.hasOtherScript) return found;
  for (const place of matchesIn(shadow, plateFormsOfScripts, range)) found.push(plateOf(shadow, place));
  return found.sort((a, b) => a.start - b.start);
}

/** What of a few words in capitals and digits is the plate: `TX SXB-4471` → `SXB-4471`, `EV EL 48213` → `EL 48213`. */
function plateOf(shadow: string, { start, end }: Stretch): Form {
  const written = shadow.slice(start, end);
  const weight = weightOfPlate(written);
  const joint = weight > 3 ? -1 : written.search(/[ -]/);
  if (joint < 0 || (weight > 0 && !stateOfForm.test(written))) return { start, end, weight };
  const behind = weightOfPlate(written.slice(joint + 1));
  if (behind > 1) return { start: start + joint + 1, end, weight: behind };
  const last = Math.max(written.lastIndexOf(' '), written.lastIndexOf('-'));
  const before = last > joint && weight === 0 ? weightOfPlate(written.slice(0, last)) : 0;
  return before > 1 ? { start, end: start + last, weight: before } : { start, end, weight };
}

/** True when all that speaks for a plate weighs enough. */
function isTold(text: ScanText, place: Form, last: Stretch | undefined): boolean {
  const { shadow } = text;
  const { start, end } = place;
  const tail = shadow.slice(end, end + tailMax);
  if (partBehind.test(tail)) return false;
  const head = spaced(shadow.slice(Math.max(0, start - headMax), start));
  const ofState = head.endsWith(' ') ? head.replace(stateBefore, '') : head;
  const line = ofState.slice(ofState.lastIndexOf('\n') + 1);
  let { weight } = place;
  if (ofState !== head || stateBehind.test(tail)) weight += 1.5;
  if (last !== undefined && isNext(shadow, last, place)) weight += 3;
  if (endOfLine.test(tail) && row.test(line)) weight += 1;
  // Most that have the form of a plate stand among words for nothing of the kind; these are looked for first.
  const beside = weightOfVehicle(text, line, tail);
  const around = shadow.slice(Math.max(0, start - reach), end + reach);
  weight += beside + weightOfTraffic(text, around);
  if (ofGermany.test(shadow.slice(start, end)) && german.test(around)) weight += 1;
  if (weight + (beside > 0 ? 0 : 1) + 1 + headWeightMax < threshold) return false;
  if (beside === 0 && isOfVehicle(text, around)) weight += 1;
  if (weight + 1 + headWeightMax < threshold) return false;
  if (described.test(line) || (text.hasJapanese && japaneseLabel.test(line))) weight += 1;
  if (weight + headWeightMax < threshold || weight + weightOfHead(ofState) < threshold) return false;
  return !isOfOther(shadow, place, { head, tail, around });
}

type Context = { readonly head: string; readonly tail: string; readonly around: string };

/** True for the number of another thing, or of a part. */
function isOfOther(shadow: string, { start, end }: Stretch, { head, tail, around }: Context): boolean {
  return (
    isOtherNumber(shadow, start) ||
    isNamedOther(shadow, end) ||
    isExample.test(head) ||
    ofPart.test(head) ||
    otherPlate.test(head.replace(/plates? ?$/i, '')) ||
    isOfThing(head, plates.ownWord) ||
    ofOther.test(around) ||
    ofMachine.test(head + tail)
  );
}

function isOfVehicle({ hasJapanese }: ScanText, words: string): boolean {
  return vehicle.test(words) || (hasJapanese && vehicleJapanese.test(words));
}

/** The weight of a vehicle that is spoken of in the line. */
function weightOfVehicle(text: ScanText, line: string, tail: string): number {
  if (isOfVehicle(text, line)) return immediately.test(line) ? 4 : directly.test(line) ? 3 : 2;
  return isOfVehicle(text, tail.replace(/\n.*/s, '')) ? 1.5 : 0;
}

/** Two different words of traffic weigh as much as one for plates. */
function weightOfTraffic({ hasJapanese }: ScanText, around: string): number {
  const first = ofTraffic.exec(around);
  if (ofPlates.test(around) || (hasJapanese && ofPlatesJapanese.test(around))) return first === null ? 1.5 : 2;
  if (first === null) return 0;
  const rest = around.slice(first.index + first[0].length).replaceAll(first[0], '');
  return ofTraffic.test(rest) ? 1.5 : 1;
}

/** `Mine's `, `Tom's is ` */
const ofWhom = /(?<![A-Za-z])(?:mine|hers|his|ours|theirs|yours|[A-Z][a-z]+['’]s)(?:['’]s| is| was)? $/i;

/** What stands before a plate weighs no more. */
const headWeightMax = 1.5;

function weightOfHead(head: string): number {
  if (links.test(head) || head.trim() === '') return 0.5;
  return ofWhom.test(head) ? headWeightMax : Math.min(headWeightMax, weightOfTelling(head, ownWord));
}

/** True for the next of a list, a correction, the old and the new one. */
function isNext(shadow: string, last: Stretch, { start, end }: Stretch): boolean {
  return (
    start - last.end <= nextMax &&
    shape(shadow.slice(last.start, last.end)) === shape(shadow.slice(start, end)) &&
    isInstead(shadow.slice(last.end, start), 0)
  );
}

const shape = (written: string) => written.replace(/[A-Z]/gi, 'A').replace(/[0-9]/g, '0');
