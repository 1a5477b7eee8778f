/** The forms of registration plates other than those of Japan, and which words may speak for them further off. */
import type { WordBlocks } from '../word-blocks.ts';
import type { NumberKind } from './number-evidence.ts';
import {
  american,
  european,
  europeanContext,
  ofCars,
  ofVehicle,
  onMachine,
  otherNumbers,
  otherPlate,
  otherRegistration,
} from './plate-context.ts';
import type { Stretch } from './stretch.ts';
import { stateBefore } from './us-states.ts';

/** Capitals and digits, both, with at most one joint; those of Germany with their town. */
const forms =
  /(?=[A-ZÄÖÜ0-9])(?<![0-9A-Za-zÀ-ÿ_./$#-])(?=[A-ZÄÖÜ -]{0,7}[0-9])(?=[0-9 -]{0,5}[A-ZÄÖÜ])(?:[A-ZÄÖÜ]{1,3}[-·: ][A-Z]{1,2}[ -]?[0-9]{1,4}[EH]?|[A-Z]{2}[ -]?[0-9]{1,2}[ -]?[A-Z]{1,3}[ -]?[0-9]{4}|[0-9]{2,3}-[A-Z]{1,2}-[0-9]{2,6}|[A-Z]{2}-[0-9]{3}-[A-Z]{2}|[A-Z]{2}[0-9]{2} ?[A-Z]{3}|[A-Z0-9]{2,4}[ ·-](?!(?:MPH|KM|AM|PM|EST|PST|UTC|GMT|USD|EUR|GBP|LBS|KG|CA|TX|NY|FL|OH|PA|IL|GA|NC|MI|NJ|VA|WA|AZ|MA|TN|IN|MO|MD|WI|CO|MN|SC|AL|LA|KY|OR|OK|CT|UT|IA|NV|AR|MS|KS|NM|NE|ID|WV|HI|NH|ME|MT|RI|DE|SD|ND|AK|VT|WY|DC)(?![A-Z0-9]))[A-Z0-9]{2,5}(?! [0-9]{3,4}(?![0-9A-Za-z]))|[A-Z0-9]{5,7})(?![0-9A-Za-zÀ-ÿ_/-]|\.[0-9])/g;
/** Of the United Kingdom, Germany, France, India, Ireland, California. */
const own =
  /^(?:[A-Z]{2}[0-9]{2} ?[A-Z]{3}|[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} ?[0-9]{1,4}[EH]?|[A-Z]{2}-[0-9]{3}-[A-Z]{2}|[A-Z]{2}[ -]?[0-9]{1,2}[ -]?[A-Z]{1,3}[ -]?[0-9]{4}|[0-9]{2,3}-[A-Z]{1,2}-[0-9]{2,6}|[1-9][A-Z]{3}[0-9]{3})$/;
/** Signs of code, of parts and of measures. */
const noPlate =
  /^(?:(?:RFC|ISO|UTF|AES|SHA|CVE|CWE|ECU|DIN|IEC|API|CPU|GPU|USB|RTX|GTX|LED|HTTP|ICD|ASTM|ANSI|IEEE|PO|CAM|UNIT|APT|BAY|GATE|ROOM|LEVEL|ZONE|ROW|LOT|SUV|VIN|MY|USD|EUR|GBP|JPY|CASE|ID|DL|NO|EXP|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|JAN|FEB|MAR|APR|Q[1-4]|H[12]|F|E|X|A|M|S|C)[ -]?[0-9]{1,5}|[0-9]{1,2}(?:ST|ND|RD|TH|AM|PM|H|MM|CM|KG|LB|LBS|KM|MPH|MI|HP|CC|GB|MB|TB|KW|KWH|V|W|MIN|SEC)|[0-9]{1,3}[ -](?:HP|CC|MI|KM|MPH|KWH|MIN|SEC|LBS|KG|MM|CM)|[A-F0-9]{6}|[0-9]{4}[A-Z]{0,2}|(?:19|20)[0-9]{2}[ -][A-Z0-9]+|[A-Z]+[ -]?(?:19|20)[0-9]{2})$/;
const reach = 90;
const besideLabel = 12;
/** `skid plate`: of what it is. */
const modified =
  /(?<![A-Za-z])(?!(?:licen[cs]e|number|the|my|his|her|their|our|your|its|a|an|this|that|which|what|car|vehicle|truck|trailer|rental|front|rear|back|new|old|current|correct|wrong|full|partial|temp|temporary|dealer|paper|farm|handicap|disabled|trade|vanity|personali[sz]ed|state|with|and|or|on|of|no|stolen|expired|registered|veh|suspect|same|both|two|s|read|ran|run|for|to|[A-Z][a-z]+|[A-Z]{2,3})[ -])[a-z]+[ -]$|[a-z]ing [ -]?$/;

/** Plates with wells. */
const ofLaboratory =
  /(?<![A-Za-z])(?:lab inventory|laborator(?:y|ies)|assays?|elisa|pcr|caco-2|hela|incubat[a-z]+|centrifuge|reagents?|specimens?|cultures?|cell line|inoculat[a-z]+|pipett[a-z]+|wells)(?![A-Za-z])/i;

const ofList = /^s?["']?\s?[:=]\s?[[{]/;

/** `"tags":[`, of which data is full. */
export function isOfTags(shadow: string, { start, end }: Stretch): boolean {
  return end - start === 3 && ofList.test(shadow.slice(end, end + 6));
}

/** A list of plates that somebody wrote down. */
const isSeen = /^plates (?:seen|spotted|noted|logged|recorded|captured)(?![a-z])/;

/** Plates and registrations are of other things, too. */
function isOfVehicle(shadow: string, { start, end }: Stretch, vehicles: WordBlocks): boolean {
  const before = shadow.slice(Math.max(0, start - reach), start);
  return (
    (vehicles.mayHave(start - reach, end + reach) &&
      ofVehicle.test(`${before} ${shadow.slice(end, end + reach)}`.replace(/plates?|tags?/gi, ''))) ||
    isSeen.test(shadow.slice(start, end + 12).toLowerCase()) ||
    stateBefore.test(before) ||
    /^(?:licen[cs]e|number|vehicle|car) plate|^registration (?:mark|plate)/i.test(shadow.slice(start, end))
  );
}

/** 0 for signs of other things. */
function weightOfForm(written: string): number {
  if (!/[0-9]/.test(written) || !/[A-Z]/.test(written) || written.replace(/[ :·-]/g, '').length < 4) return 0;
  if (own.test(written) || ofCars.test(written)) return 4;
  if (american.test(written)) return 3;
  return /[0-9].*[0-9]/.test(written) ? 2 : 0;
}

/** Registration plates. */
export const plates: NumberKind = {
  owner: 'vehicle-plate',
  context: 'plate',
  forms,
  needsWord: true,
  wordsNear: ofVehicle,
  weightOfForm,
  weightOfWord(shadow, { start, end }, near) {
    const word = shadow.slice(start, end).toLowerCase();
    if (isOfTags(shadow, { start, end })) return 0;
    const before = shadow.slice(Math.max(0, start - 48), start);
    if (/^lic(?:en[cs]e)?$/.test(word) || otherRegistration.test(before) || otherNumbers.test(before)) return 0;
    if (/(?:plates?|tags?)$/.test(word) && (otherPlate.test(before) || modified.test(before))) return 0;
    const behind = shadow.slice(end, end + 40);
    if (/^plates?$/.test(word) && ofLaboratory.test(before + behind)) return 0;
    if (onMachine.test(behind)) return 0;
    if (isSeen.test(word + behind)) return 4;
    if (/^(?:licen[cs]e|number|vehicle|car) plate|^registration (?:mark|plate)/.test(word)) return 3;
    if (europeanContext.test(word)) return 2.5;
    const isWide = /^(?:plates?|reg|rego|registration|car|vehicle)(?![a-z])/.test(word);
    if (isOfVehicle(shadow, { start, end }, near)) return isWide ? 3 : 2;
    return isWide ? 2 : 0;
  },
  maySpeak(shadow, word, { start, end, form, told, near }) {
    const context = shadow.slice(word.start, word.end).toLowerCase();
    if (europeanContext.test(context)) return european.test(shadow.slice(start, end));
    // What stands beside the word was weighed already.
    if (start > word.end && start - word.end < besideLabel) return false;
    return form >= 4 || ((form === 3 || (form === 2 && told > 0)) && isOfVehicle(shadow, word, near));
  },
  isOther(shadow, { start, end }) {
    const written = shadow.slice(start, end);
    return weightOfForm(written) === 0 || noPlate.test(written);
  },
  ownWord:
    /^(?:plates?|tags?|reg|rego|registration|regn|registered|vehicle|veh|car|cars|van|truck|lorry|trailer|tractor|bike|motorcycle|taxi|cab|bus|licen[cs]e|lic|number plate|kennzeichen|immatriculation|placa|matrícula|targa|fleet|unit|vrm|vrn|auto|suv|sedan)$/i,
};
