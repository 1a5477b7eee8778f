/**
 * Postal addresses of Europe, Latin America and India. Evidence adds up: a street word, a house number, a postal code with its
 * town; two of them make an address, a town alone does not.
 */
import { isCapital, isDigit } from '../characters.ts';
import { matchesIn, type ScanText } from '../detect/scan.ts';
import words from '../lexicon/street-words.json' with { type: 'json' };
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';

const name = 'address-world';
/** The words in small letters and with a capital, as one alternative. */
const literal = (list: readonly string[]) =>
  list
    .flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1)])
    .map((word) => word.replace(/[./]/g, '\\$&'))
    .join('|');

const houseNumber = '\\d{1,5}(?: ?[a-zA-Z](?![\\p{L}]))?(?:[-\\/]\\d{1,4}[a-zA-Z]?|\\/[a-zA-Z])?';
/** A floor, a door, a staircase, a district, between the house number and the postal code. */
const units = '(?:[ ,]{1,2}[^\\n,;:|·\\d]{0,18}\\d{0,4}[ºª.°]{0,2}[^\\n,;:|·\\d]{0,18}){0,4}?';
const town =
  "[\\p{Lu}][\\p{L}\\p{M}.'’-]+(?:(?: (?:am|an|der|im|la|le|les|de|del|di|do|da|los|sur|en|aan|den|bei))*[ -](?:\\p{Lu}|\\d{1,2}(?!\\d))[\\p{L}\\p{M}.'’-]*){0,3}(?: ?\\([A-Z]{2}\\))?";
/** A postal code and its town: `50672 Köln`, `2013 DL Haarlem`, `D-01069 Dresden`. */
const place = new RegExp(`(?:[A-Z]{1,2}-)?\\d{4,5}(?: ?[A-Z]{2}(?= ))? ${town}`, 'uy');
/** Before a postal code: a street with its number behind or before it. */
const streetBefore = new RegExp(
  `(?:(?<![\\p{L}\\d])(?:(?:${literal(words.before)}) |\\p{Lu})[\\p{L}\\p{M}.'’ -]{1,40},? (?:n\\.?[º°]? ?)?${houseNumber}${units}` +
    `|(?<![\\p{L}\\d])\\d{1,4}(?: ?(?:bis|ter|quater|[A-D]))?,? (?:${literal(words.before)}) [^\\n;:|·]{2,60}?)(?:, ?| · | ?\\| ?|\\r?\\n[ \\t]*| [-–—] )$`,
  'u',
);
/** A street alone, told by its word and its number. */
const streetWordFirst = new RegExp(
  `(?<![\\p{L}\\d])(?:\\d{1,4}(?: ?bis| ?ter)?,? )?(?:${literal(words.before)}) ?(?:[\\p{L}\\p{M}.'’-]+ ){0,4}[\\p{Lu}\\d][\\p{L}\\p{M}.'’-]*,? (?:n\\.?[º°]? ?|# ?)?${houseNumber}(?![\\d€$%])`,
  'gu',
);
/** Behind a street and its number: parts up to a Brazilian postal code, or one or two that begin with a capital. */
const partsBehind = new RegExp(
  '(?:(?:, ?| [-–] )[^\\n,;:|·]{1,30}){0,5}?(?:, ?| [-–] )(?:CEP:? ?)?\\d{5}-\\d{3}(?![\\d-])' +
    '|(?:, (?:barrio |col\\. |colonia )?\\p{Lu}[\\p{L}\\p{M}]+(?: \\p{Lu}[\\p{L}\\p{M}]+){0,2}(?=[,.;\\n·)]| [·|–-]|$)){1,2}',
  'uy',
);
const ukPostcode = /(?<![A-Z0-9])[A-PR-UWYZ][A-HK-Y]?\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}(?![A-Z0-9])/y;
const ukStreet = new RegExp(`(?<![\\p{L}])(?:${literal(words.uk)})(?![\\p{L}])`, 'iu');
const indianPin = /(?<![0-9])[1-9]\d{2} ?\d{3}(?![0-9])/y;
const indianWord = new RegExp(`(?<![\\p{L}])(?:${literal(words.india)})(?![\\p{L}])`, 'iu');

const reach = 90;
const lineBreaksMax = 4;

/** Looks at digits that may be a postal code, and at street words. */
export const addressWorld: Recognizer = {
  name,
  type: 'ADDRESS',
  // `via` is too common in other languages to be looked at everywhere.
  anchors: words.before.filter((word) => (word.length > 2 && word !== 'via') || word.endsWith('/')),
  trigger: ({ digitStarts }) => digitStarts.length > 0,
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    const add = (start: number, end: number, score: number) => {
      found.push(detectionAt(text, start, end, { type: 'ADDRESS', score, recognizer: name }));
    };
    const { shadow } = text;
    let done = 0;
    for (const at of text.digitStarts) {
      if (at < done) continue;
      const digits = digitsAt(shadow, at);
      const address =
        digits === 4 || digits === 5
          ? atPostalCode(shadow, at, done)
          : digits === 3 || digits === 6
            ? atIndianPin(shadow, at, done)
            : digits < 3 && isCapital(shadow.charCodeAt(at - 1))
              ? atUkPostcode(shadow, at, done)
              : undefined;
      if (address === undefined) continue;
      add(...address, 0.85);
      done = address[1];
    }
    for (const { start } of text.keywords.anchors(name)) {
      if (/[\p{L}\d]/u.test(shadow[start - 1] ?? ' ')) continue;
      const range = { start: Math.max(0, start - 9), end: start + 1, before: 1, after: reach };
      const match = matchesIn(shadow, streetWordFirst, range).find((one) => one.end > start);
      if (match === undefined || !/[\p{Lu}#]/u.test(match.groups[0])) continue;
      partsBehind.lastIndex = match.end;
      add(match.start, match.end + (partsBehind.exec(shadow)?.[0].length ?? 0), 0.75);
    }
    return found.sort((a, b) => a.start - b.start);
  },
  samples: {
    match: [
      ['Venloer Wall 203, 50672 Köln', 'Venloer Wall 203, 50672 Köln'],
      ['piso de C/ Ancha, 44, 3.º B, 24003 León.', 'C/ Ancha, 44, 3.º B, 24003 León'],
      ['residente in Via dei Gelsi 44/b, 20135 Milano.', 'Via dei Gelsi 44/b, 20135 Milano'],
      ['ons adres wordt Zijlsingel 139-2, 2013 DL Haarlem.', 'Zijlsingel 139-2, 2013 DL Haarlem'],
      ['12 bis, rue des Lilas, 75011 Paris', '12 bis, rue des Lilas, 75011 Paris'],
      [
        'Endereço: Rua da Figueira, 412, apto 31, Graça, Salvador - BA, 40150-080. Obrigado',
        'Rua da Figueira, 412, apto 31, Graça, Salvador - BA, 40150-080',
      ],
      ['vecina de Cali, carrera 9 # 12-34, barrio San Luis, pide', 'carrera 9 # 12-34, barrio San Luis'],
      ['The Old Forge, Llanfair Road, Abergavenny NP7 8AR', 'The Old Forge, Llanfair Road, Abergavenny NP7 8AR'],
    ],
    noMatch: ['50672 Köln', 'Am 3. Mai 2024 in 50672 Köln', 'im Jahr 2024 Berlin', 'Serial B33 0CI'],
  },
};

/** Digits in a row from the place, up to seven. */
function digitsAt(shadow: string, at: number): number {
  let i = at;
  while (i < at + 7 && isDigit(shadow.charCodeAt(i))) i++;
  return i - at;
}

type Span = [start: number, end: number];

function atPostalCode(shadow: string, at: number, floor: number): Span | undefined {
  const start = /[A-Z]-$/.test(shadow.slice(Math.max(0, at - 2), at)) ? at - 2 : at;
  place.lastIndex = start;
  const match = place.exec(shadow);
  if (match === null) return undefined;
  const from = Math.max(floor, start - reach);
  if (!mayFollowStreet(shadow, from, start)) return undefined;
  const street = streetBefore.exec(shadow.slice(from, start));
  return street === null ? undefined : [from + street.index, start + match[0].replace(/[.-]+$/, '').length];
}

/** A number, and at the end one of the signs that {@link streetBefore} ends with: most numbers with a word behind have neither. */
function mayFollowStreet(shadow: string, from: number, to: number): boolean {
  let end = to;
  while (end > from && (shadow.charCodeAt(end - 1) === 0x20 || shadow.charCodeAt(end - 1) === 0x09)) end--;
  if (end === from || !',·|\n-–—'.includes(shadow.charAt(end - 1))) return false;
  for (let i = from; i < end; i++) if (isDigit(shadow.charCodeAt(i))) return true;
  return false;
}

/** From the postcode back over the lines or parts before it, to the first with a number or the name of a house. */
function atUkPostcode(shadow: string, at: number, floor: number): Span | undefined {
  let start = at;
  while (start > at - 2 && /[A-Z]/.test(shadow[start - 1] ?? '')) start--;
  ukPostcode.lastIndex = start;
  const match = ukPostcode.exec(shadow);
  if (match === null) return undefined;
  return withParts(shadow, start, start + match[0].length, { floor, words: ukStreet });
}

function atIndianPin(shadow: string, at: number, floor: number): Span | undefined {
  indianPin.lastIndex = at;
  const match = indianPin.exec(shadow);
  if (
    match === null ||
    !/(?:\p{L}{3}\)?[ ]?[-–:,] ?|PIN(?: code)?[ :]{1,2})$/iu.test(shadow.slice(Math.max(0, at - 12), at))
  )
    return undefined;
  return withParts(shadow, at, at + match[0].length, { floor, words: indianWord });
}

/** Parts before a postal code, apart by commas or line breaks, that begin like an address and hold a street word. */
function withParts(
  shadow: string,
  at: number,
  end: number,
  of: { readonly floor: number; readonly words: RegExp },
): Span | undefined {
  const from = Math.max(of.floor, at - reach);
  const window = shadow.slice(from, at);
  // Where the window starts on a line of its own, that line is a part, too.
  const opening = from === 0 || shadow[from - 1] === '\n' ? '^|' : '';
  const cuts = [...window.matchAll(new RegExp(`${opening}, ?|\\r?\\n[ \\t]*|: ?|; ?|(?<=\\p{L}{3})\\. |。 ?`, 'gu'))];
  let best: number | undefined;
  let lines = 0;
  for (const cut of cuts.reverse()) {
    if (cut[0].includes('\n') && ++lines > lineBreaksMax) break;
    const start = cut.index + cut[0].length;
    const part = window.slice(start);
    if (of.words.test(part) && /^(?:\d|[A-Z]{1,2}-?\d|Flat|Unit|Apt|Plot|H\.|House|The|\p{Lu}\p{L}+ \p{L})/u.test(part))
      best = start;
    if (/[:;.]/.test(cut[0])) break;
  }
  return best === undefined ? undefined : [from + best, end];
}
