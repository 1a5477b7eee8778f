/**
 * Numeric noise (dpMode): adds Laplace noise to the plain numbers of a text and keeps their format.
 *
 * Noise of the scale sensitivity / epsilon is that of Dwork and Roth, "The Algorithmic Foundations of Differential
 * Privacy" (2014), definition 3.3. A text gives no bounds for its numbers, so the default sensitivity is a number's order
 * of magnitude (1,000 for 4,200): the order stays visible, and the noise hides the rest.
 */

import { scanText } from './detect/scan.ts';
import { PrivetError } from './errors.ts';
import { anyOf } from './patterns.ts';
import type { Detection } from './recognizer.ts';
import { findTokens } from './tokens/tokens.ts';

/** Options of {@link addNoise}. */
export type NoiseOptions = {
  /** Privacy loss per number, above 0, at most 1,000: the smaller, the more noise. */
  readonly epsilon: number;
  /** Makes the noise repeatable, for tests and comparisons only. Default: random bytes of the system. */
  readonly seed?: number | string;
  /** How much one person can change a number. Default: the order of magnitude of each number. */
  readonly sensitivity?: number;
  /** Identifiers to leave unchanged; sorted, without overlaps. */
  readonly detections: readonly Detection[];
};

const epsilonMax = 1_000;

/**
 * The text with noise, and how many numbers changed. Unchanged: detections, tokens, URLs, and numbers that measure
 * nothing: dates, times, versions, list and page numbers, parts of names and codes, and runs of ten or more digits. Equal
 * numbers get equal noise, so a text stays consistent and averaging repetitions reveals nothing.
 * A number without a sign does not become negative.
 * @throws PrivetError `invalid_input` for an epsilon or a sensitivity out of range.
 */
export function addNoise(text: string, options: NoiseOptions): { text: string; changed: number } {
  const { epsilon, sensitivity } = options;
  if (!(epsilon > 0 && epsilon <= epsilonMax)) {
    throw new PrivetError('invalid_input', 'epsilon is out of range.', {
      hint: `Use a number above 0, at most ${epsilonMax}; 1 is usual.`,
      details: { field: 'epsilon' },
    });
  }
  if (sensitivity !== undefined && !(sensitivity > 0 && Number.isFinite(sensitivity))) {
    throw new PrivetError('invalid_input', 'sensitivity is out of range.', {
      hint: 'Use a number above 0.',
      details: { field: 'sensitivity' },
    });
  }
  const random = options.seed === undefined ? systemRandom : seededRandom(String(options.seed));
  const known = new Map<string, string>();
  let noisy = '';
  let done = 0;
  let changed = 0;
  for (const number of plainNumbers(text, options.detections)) {
    let digits = known.get(number.written);
    if (digits === undefined) {
      const scale = (sensitivity ?? magnitudeOf(number)) / epsilon;
      digits = write(number, number.value + laplace(random, scale));
      known.set(number.written, digits);
    }
    noisy += text.slice(done, number.start) + digits;
    done = number.end;
    if (digits !== text.slice(number.start, number.end)) changed++;
  }
  return { text: noisy + text.slice(done), changed };
}

/** A number of a text that counts or measures something. */
type PlainNumber = {
  readonly start: number;
  readonly end: number;
  /** As written in the text, sign included. */
  readonly written: string;
  readonly value: number;
  readonly decimals: number;
};

/** A sign, digits with or without groups of three, decimals; on the shadow text. */
const numberShape = /(?<![\d.])[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?/g;
const linkShape = /\b(?:https?|ftp|file|wss?):\/\/\S+|\bwww\.\S+/gi;

function* plainNumbers(text: string, detections: readonly Detection[]): Generator<PlainNumber> {
  const { shadow } = scanText(text);
  const taken = [...detections, ...findTokens(text), ...linksOf(shadow)].sort((a, b) => a.start - b.start);
  let next = 0;
  let fieldEnd = -2;
  for (const match of shadow.matchAll(numberShape)) {
    let start = match.index;
    let digits = match[0];
    const end = start + digits.length;
    // A hyphen after a letter or digit is not a sign.
    if (/^[-+]/.test(digits) && /[\p{L}\p{N}_)\]]/u.test(text[start - 1] ?? '')) {
      if (digits.startsWith('-')) continue;
      digits = digits.slice(1);
      start++;
    }
    while (next < taken.length && (taken[next] as Detection).end <= start) next++;
    if (next < taken.length && (taken[next] as Detection).start < end) continue;
    const isField = fieldOfRow.test(shadow.slice(Math.max(0, start - 2), start)) || start === fieldEnd + 1;
    if (isField && shadow[end] === ',') fieldEnd = end;
    if (!isQuantity(shadow, { start, end, digits, isField })) continue;
    const value = Number(digits.replaceAll(',', ''));
    const decimals = digits.includes('.') ? digits.length - digits.indexOf('.') - 1 : 0;
    yield { start, end, written: text.slice(start, end), value, decimals };
  }
}

function linksOf(shadow: string): { start: number; end: number }[] {
  return [...shadow.matchAll(linkShape)].map((link) => ({ start: link.index, end: link.index + link[0].length }));
}

const numbered = anyOf(`
  v ver version nos? numbers? nr ids? pages? pp? chapters? ch sections? sec steps? figures? figs? tables? lines? ports?
  rooms? floors? builds? releases? rfc iso iec issues? tickets? orders? invoices? cases? refs? references? codes? models?
  skus? types? class levels? grades? phases? parts? volumes? vol questions? q items? articles? rules? bugs? pr http
  errors? status python node windows ios android java route highway flights? gates? tracks? channels? apartment apt
  suite unit zip sprints? stages? versions?`);
/** Words before a number that make it a name: `page 5`, `version 3`, `第3`. */
const namesBefore = new RegExp(
  String.raw`(?:(?:^|[^a-z])${numbered}["']?[ \t]*[.:=#]?[ \t]*["']?|[#№§第^_@\\]\s?|` +
    String.raw`(?:バージョン|番号|ページ|項番|平成|令和|昭和)[ \t:.]*)$`,
  'i',
);
/** `userId`, and names with a capital inside: iPhone 15. */
const wordBefore = /(?:[a-z]I[dD]["']?[ \t]*[:=]?[ \t]*["']?|[a-z][A-Z][A-Za-z]* )$/;
const months = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*';
const monthBefore = new RegExp(`(?:^|[^a-z])${months}\\.?[ \\t]+(?:\\d{1,2}(?:st|nd|rd|th)?,?[ \\t]+)?$`, 'i');
const monthBehind = new RegExp(`^(?:st|nd|rd|th)?[ \\t]+(?:of[ \\t]+)?${months}(?![a-z])`, 'i');
/** Counters that number rather than count, and parts of dates and times; `間` makes a duration of them. */
const namesBehind =
  /^[ \t]*(?:(?:年|月|日|時|分|秒)(?!間)|(?:年度|月度|号|番|条|章|節|項|版|巻|話|丁目|階|期|級|位|世紀|th\b|st\b|nd\b|rd\b))/;
const units = anyOf(`
  % ‰ ° ℃ k K M G T m bn mn kg g mg µg t km cm mm nm ft in lb lbs oz l L ml dl [kKMGT]i?[Bb] [kMG]?bps [kMG]?Hz [kM]?Wh?
  kWh [mk]?V m?A kcal cal ms s sec min h hr hrs d days? weeks? months? years? yrs? x pt pts px em USD EUR GBP JPY CHF yen`);
const unitBehind = new RegExp(`^${units}(?![A-Za-z0-9_])`);

const joinedBefore = /[A-Za-z0-9_'\\~^]$|[\d.]:$|[\w)]\/$|[A-Za-z0-9_][-.]$|,$/;
/** A field of a CSV row that begins with text; elsewhere `1,2,3` is an enumeration. */
const fieldOfRow = /[\p{L}"],$/u;
const joinedBehind = /^(?:[-/.,:'][A-Za-z0-9]|[_\\~^])/;

type Place = { readonly start: number; readonly end: number; readonly digits: string; readonly isField: boolean };

function isQuantity(shadow: string, { start, end, digits, isField }: Place): boolean {
  const before = shadow.slice(Math.max(0, start - 48), start);
  const behind = shadow.slice(end, end + 16);
  const plain = digits.replace(/^[-+]/, '');
  if (/^0\d/.test(plain) || /^\d{10,}/.test(plain) || plain.length > 18) return false;
  // Parts of words, codes, ranges, dates, times, versions, paths, enumerations.
  if (joinedBefore.test(before) && !isField && !/(?:USD|EUR|GBP|JPY|CHF)$/.test(before)) return false;
  if (joinedBehind.test(behind) && !(isField && behind.startsWith(','))) return false;
  if (/^[A-Za-z]/.test(behind) && !unitBehind.test(behind)) return false;
  // `3.` and `(3)` at the start of a line.
  if (/(?:^|\n)[ \t]*[([]?$/.test(before) && /^[.):\]](?:\s|$)|^．/.test(behind) && !plain.includes('.')) return false;
  if (
    /^(?:19|20)\d\d$/.test(plain) &&
    !/[$€£¥￥=]\s?$/.test(before) &&
    !/^(?:\s?[%円元個人件名台万億兆千]|[ \t]*[a-z]{3,})/.test(behind)
  ) {
    return false;
  }
  return !(
    namesBefore.test(before) ||
    wordBefore.test(before) ||
    monthBefore.test(before) ||
    namesBehind.test(behind) ||
    monthBehind.test(behind)
  );
}

/** 1,000 for 4,200; at least the last written decimal place. */
function magnitudeOf({ value, decimals }: PlainNumber): number {
  const lastPlace = 10 ** -decimals;
  if (value === 0) return lastPlace;
  return Math.max(lastPlace, 10 ** Math.floor(Math.log10(Math.abs(value))));
}

/** Formats a number like another one: decimals, groups of three, sign, full-width characters. */
function write({ written, value, decimals }: PlainNumber, noisy: number): string {
  const isSigned = /^[-+－＋−]/.test(written);
  const bounded = !isSigned && noisy < 0 ? 0 : noisy;
  let [whole = '', fraction = ''] = Math.abs(bounded).toFixed(decimals).split('.');
  if (/[,，]/.test(written)) whole = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  const digits = decimals > 0 ? `${whole}.${fraction}` : whole;
  let sign = '';
  if (isSigned) sign = bounded < 0 ? '-' : value < 0 ? '' : '+';
  const plain = sign + digits;
  if (!/[０-９]/.test(written)) return plain;
  return plain.replace(/[-+.,0-9]/g, (character) =>
    written.includes(character) ? character : String.fromCharCode(character.charCodeAt(0) + 0xfee0),
  );
}

/** Numbers from 0 to 1, both excluded. */
type Random = () => number;

/** Samples the inverse of the distribution function. */
function laplace(random: Random, scale: number): number {
  const u = random() - 0.5;
  return -scale * Math.sign(u) * Math.log(1 - 2 * Math.abs(u));
}

function systemRandom(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return fraction(high, low);
}

/** 52 bits, centred between two steps so that neither end is reached. */
function fraction(high: number, low: number): number {
  return (high * 2 ** 20 + (low >>> 12) + 0.5) / 2 ** 52;
}

/** sfc32 of Chris Doty-Humphrey's PractRand, seeded with FNV-1a hashes of the seed. */
function seededRandom(seed: string): Random {
  let [a, b, c] = [hash(`${seed}a`), hash(`${seed}b`), hash(`${seed}c`)];
  let counter = 1;
  const next = () => {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return t >>> 0;
  };
  for (let i = 0; i < 12; i++) next();
  return () => fraction(next(), next());
}

function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h | 0;
}
