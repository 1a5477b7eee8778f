/** The forms of licence numbers, how seldom numbers of other things have them, and which words may speak for them. */
import { isCapital, isDigit } from '../characters.ts';
import { isOtherNumber } from '../other-numbers.ts';
import { isDate, isJapaneseOther, ofDriving, weightOfWord } from './license-context.ts';
import type { NumberKind } from './number-evidence.ts';
import type { DigitForms } from './number-forms.ts';
import type { Stretch } from './stretch.ts';
import { stateBefore, stateBehind, stateWithin } from './us-states.ts';

/** All forms; one global pattern. Numbers alone with at least seven digits. */
const forms =
  /(?<![À-ÿ$€£¥])(?:(?<![0-9A-Za-z_/-])|(?<=(?<![0-9A-Za-z])[A-Z]{2}\/))(?<![0-9],)(?:(?<!\.)|(?<=(?<![0-9.])[45][a-d]?\.))(?:[A-Z]{2}[A-Z9]{3} ?[0-9]{6} ?[A-Z9]{2}[0-9A-Z]{3}(?: [0-9]{2}(?![0-9A-Za-z]))?|WDL[A-Z0-9*]{9}|[A-Z]{2}[0-9]{2}[- ]?(?:19|20)[0-9]{2}[- ]?[0-9]{7}|[A-Z][0-9]{4} - [0-9]{5} - [0-9]{5}|[A-Z](?:[0-9]{2,4}|(?=[ -]))(?:-[0-9]{2,6}){2,4}(?:-[0-9])?|[A-Z](?:[0-9]{2,4}|(?=[ -]))(?: [0-9]{2,5}){2,4}(?: [0-9](?![0-9]))?|[A-Z]{5}[0-9]{9}|[A-Z]{5}-[A-Z]{2}[0-9]{3}[A-Z]{2}|[0-9]{3} ?[A-Z]{2} ?[0-9]{4}|(?!(?:ID|NO|NR|DL|OK|IN|IS|AT|BY|TO|OR|AS|IT|OF|MY|AM|PM) )[A-Z]{1,2}[- ]?[0-9]{5,14}[A-Z]{0,2}|[A-Z][0-9]{2}[0-9A-Z]{6}[0-9][0-9A-Z]|[0-9]{2}[A-Z]{2,3}[0-9]{5}|[0-9]{8}-?[A-Z]|[0-9]{7,10}[A-Z]{2}|(?![0-9]{3}[- ][0-9]{2,3}[- ][0-9]{4}(?![0-9]))[0-9]{2,4}([ -])[0-9]{2,4}\1[0-9]{2,4}|[0-9]{5}\/[0-9]{2}\/[0-9]{4}|[0-9]{6}-[0-9]{3}|[0-9]{7,13})(?![0-9A-Za-zÀ-ÿ_/-]|\.[0-9]|,[0-9]{3})/g;

/** In each form there are at least two digits, and five, or what joins groups or letters to them. */
const digits: DigitForms = {
  forms: new RegExp(forms.source, 'y'),
  leadMax: 8,
  mayBe(bytes, at) {
    let end = at + 1;
    while (isDigit(bytes[end])) end++;
    if (end === at + 1) return false;
    if (end - at >= 5) return true;
    const next = bytes[end];
    if (next !== 0x20) return next === 0x2d || next === 0x2f || isCapital(next);
    const behind = bytes[end + 1];
    return behind === 0x2d || isDigit(behind) || isCapital(behind);
  },
};

const british =
  /^[A-Z]{2}[A-Z9]{3} ?[0-9](?:0[1-9]|1[0-2]|5[1-9]|6[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9] ?[A-Z9]{2}[0-9A-Z]{3}(?: [0-9]{2})?$/;
/** Of Washington and of India. */
const national = /^(?:WDL[A-Z0-9*]{9}|[A-Z]{2}[0-9]{2}[- ]?(?:19|20)[0-9]{2}[- ]?[0-9]{7})$/;
/** A letter and groups: of Illinois, Florida, Wisconsin, Michigan, Kentucky, Ontario, Quebec; of Nova Scotia. */
const grouped =
  /^(?:[A-Z][0-9]{3,4}(?:[- ]{1,3}[0-9]{2,6}){2,4}(?:[- ][0-9])?|[A-Z](?:[- ][0-9]{3}){3,4}(?:[- ][0-9])?|[A-Z][0-9]{2}-[0-9]{2,3}-[0-9]{3,4}|[A-Z]{5}[0-9]{9}|[A-Z]{5}-[A-Z]{2}[0-9]{3}[A-Z]{2})$/;

/** 6 for forms that nothing else has, 4.5 for a letter and groups, 3 for a letter or two and digits, 2 for other mixtures, 1.5 for digits in groups, 1 for digits. */
function weightOfForm(written: string): number {
  if (british.test(written) || national.test(written)) return 6;
  if (grouped.test(written)) return 4.5;
  // Of Poland.
  if (written.includes('/')) return 4;
  if (/^[A-Z][0-9]{7,14}$|^[A-Z]{2}[0-9]{6,7}$|^[A-Z]{2}[A-Z9]{3} ?[0-9]{6}/.test(written)) return 3;
  if (/[A-Z]/.test(written)) return 2;
  return /[ -]|^[0-9]{12}$/.test(written) ? 1.5 : 1;
}

/** Before `, class A`. */
const ofClass =
  /(?<![0-9A-Za-z-])(?:[A-Z][0-9]{2}-[0-9]{2,3}-[0-9]{3,4}|[A-Z][0-9]{3,4}(?:-[0-9]{2,6}){2,4}|[A-Z][0-9]{7,12})$/;
const ofFile = /(?<![A-Za-z])(?:drivers?|driving|mvr|licen[cs]es?|cdl|dmv|dot|dispatch|haul)(?![A-Za-z])/i;
const fileReach = 240;

/** Start and end of the number before `, class A` at the place, in the file of a driver. */
export function numberOfClass(shadow: string, start: number, end: number): [number, number] | undefined {
  if (/[A-Za-z0-9]/.test(shadow[end] ?? '')) return undefined;
  const length = ofClass.exec(shadow.slice(Math.max(0, start - 24), start))?.[0].length ?? 0;
  const isOfFile = length > 0 && ofFile.test(shadow.slice(Math.max(0, start - fileReach), start - length));
  return isOfFile && !isOtherNumber(shadow, start - length) ? [start - length, start] : undefined;
}

const isTwelve = (shadow: string, { start, end }: Stretch) =>
  end - start === 12 && /^[0-9]+$/.test(shadow.slice(start, end));
const reach = 100;

/** Driving licences. */
export const licences: NumberKind = {
  owner: 'driver-license',
  context: 'license',
  forms,
  // Those of Washington may be letters alone.
  digits: (shadow) => (shadow.includes('WDL') ? undefined : digits),
  weightOfForm,
  weightOfWord,
  maySpeak(shadow, word, { start, end, form, told }) {
    if (shadow.charCodeAt(word.start) > 0x2fff)
      return isTwelve(shadow, { start, end }) && !isJapaneseOther(shadow, start);
    if (form < 3 && told <= 0) return false;
    if (!/^(?:c?d[./]?l|oln|cnh)/i.test(shadow.slice(word.start, word.start + 3))) return true;
    // `DL` is short for other things too.
    const [low, high] = word.start < start ? [word.end, start] : [end, word.start];
    const isOfState =
      stateBehind.test(shadow.slice(end, end + 28)) ||
      stateWithin.test(shadow.slice(low, high)) ||
      stateBefore.test(shadow.slice(Math.max(0, word.start - 24), word.start));
    return (
      isOfState ||
      (told > 0 &&
        (form >= 3 ||
          ofDriving.test(`${shadow.slice(Math.max(0, word.start - reach), word.start)} ${shadow.slice(low, high)}`)))
    );
  },
  isOther: (shadow, { start, end }) => isDate(shadow.slice(start, end)),
  ownWord:
    /^(?:licen[cs]es?|lic|licens|dl|dln|oln|cdl|driver'?s?|drivers|operator'?s?|permit|photocard|dmv|bmv|dvla|führerscheins?|permis|patente|carnet|conducir|conduire|guida|rijbewijs)$/i,
};
