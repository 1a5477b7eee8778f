/** Plates behind the description of a vehicle or the name of a state: `a silver Altima, KLB4402`, `2009 Camry, FL Y41 BKT`. */
import { isPlateForm, ofMachine } from './plate-context.ts';
import type { PlatePlaces } from './plate-places.ts';
import { stateBefore } from './us-states.ts';
import { vehicleModels } from './vehicle-plate-words.ts';

/** Capitals and digits, both, with one joint at most. */
const forms =
  /(?=[A-Z0-9])(?<![0-9A-Za-z$#/.-])(?=[A-Z -]{0,6}[0-9])(?=[0-9 -]{0,5}[A-Z])(?!(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]|AB|BC|ON|QC) )(?:[A-Z0-9]{2,4}[ -][A-Z0-9]{2,4}|[A-Z0-9]{5,7})(?![0-9A-Za-z/-]|\.[0-9]| (?:lb|kg|mi|km|hp|cc)(?![a-z]))/g;
const colours =
  'silver|gr[ae]y|black|white|blue|red|green|gold|tan|maroon|orange|yellow|beige|brown|burgundy|teal|purple|blk|whi|sil|gry|blu';
/** A year or a colour, and a few words with a capital. */
const described = new RegExp(
  `(?:(?<![0-9])(?:19[89]|20[0-3])[0-9] |(?<![a-z])(?:${colours}),? )(?:[A-Z][A-Za-z0-9-]{1,14} ){0,3}[A-Za-z][A-Za-z0-9-]{1,14}(?:,? (?:${colours}|sedan|suv|coupe|van|truck|pickup|hatchback|wagon|4-door|2-door)){0,2} ?[,;:(–-]{1,2} ?$`,
  'i',
);
/** The name of a model and no more. */
const model = new RegExp(`(?<![A-Za-z])(?:${vehicleModels.join('|')})(?: [a-z]{3,9}){0,2} ?[,:(–-] ?$`, 'i');
/** What ends a description; the patterns for one are long. */
const opening = /[,;:(–-] ?$/;
/** A colour and what has it, with the plate directly behind. */
const directly = new RegExp(
  `(?<![a-z])(?:${colours}),? (?:[a-z]{2,12} ){0,2}(?:${vehicleModels.join('|')}|truck|van|suv|pickup|trailer|motorcycle|car) $`,
  'i',
);
const vehicle =
  /(?<![A-Za-z])(?:car|veh|vehicle|truck|van|suv|sedan|motorcycle|motorbike|trailer|pickup|semi|tractor|ford|toyota|honda|nissan|bmw|audi|tesla|kia|hyundai|mazda|subaru|jeep|dodge|chevrolet|chevy|gmc|buick|lexus|volvo|vw|volkswagen|mercedes|acura|infiniti|cadillac|chrysler|mitsubishi)(?![A-Za-z])/i;
/** Editions, engines and sizes. */
const noPlate =
  /^(?:[A-Z]{1,4}[ -]?[0-9]{1,2}|[0-9]{3,4}[ -]?(?:XLT|LTZ|LTE|AWD|4WD|FWD|RWD|SEL|SLT|LX|EX|EXL|TDI|TSI|TFSI|CDI|HDI|MSRP|USD|MPH|RPM)|(?:XLT|LTZ|AWD|FWD|TDI|TSI|RAM|GT[DEI]|AMG|CDI|HDI|DCI)[ -]?[0-9]+|[0-9]+(?:K|KM|MI|MPG|HP|CC|L|ST|ND|RD|TH|AM|PM|KWH?)|[A-Z]{3} [0-9]{1,2}|(?:19[5-9]|20[0-4])[0-9][ -]?[A-Z]+|[A-Z]+[ -]?(?:19[5-9]|20[0-4])[0-9]|(?:MM|MP|EXIT|UNIT|BAY|LOT|APT|STE|BLK|HWY|RTE|US|SR|CR)[ -]?[0-9]+)$/;
/** Of trucks and trailers. */
const twoLetters = /^[A-Z]{2}[ -]?[0-9]{5}$/;
const headMax = 64;

/** Adds the plates between two places near a word for vehicles; starts and ends. */
export function addDescribed(
  shadow: string,
  places: PlatePlaces,
  { from, to, found }: { readonly from: number; readonly to: number; readonly found: [number, number][] },
): void {
  for (const { start, end } of places.matches(forms, { start: from, end: to, before: 4, after: 8 })) {
    const written = shadow.slice(start, end);
    const plain = written.replace(/[ -]/g, '');
    if (plain.length < 5 || noPlate.test(written)) continue;
    const head = shadow.slice(Math.max(0, start - headMax), start);
    const isOfState = head.endsWith(' ') && stateBefore.test(head);
    const before = isOfState ? head.replace(stateBefore, '') : head;
    const isForm = isPlateForm(written);
    if (!isOfState && !isForm && !twoLetters.test(written)) continue;
    const isDescribed = opening.test(before) && (described.test(before) || model.test(before));
    const isMeant = isOfState
      ? /[0-9].*[0-9]/.test(written) && /[A-Z].*[A-Z]/.test(plain) && (isDescribed || vehicle.test(before.slice(-32)))
      : (isForm && isDescribed) || (head.endsWith(' ') && directly.test(head));
    if (isMeant && !ofMachine.test(head)) found.push([start, end]);
  }
}
