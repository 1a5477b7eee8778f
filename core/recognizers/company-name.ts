/** Japanese company names: a legal form with a name before or after it. */

import { codesOf } from '../detect/code-set.ts';
import type { ScanText } from '../detect/scan.ts';
import words from '../lexicon/company-words.json' with { type: 'json' };
import { patternsOf } from '../pattern-data.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';

const patterns = patternsOf('company-name', words);

const nameLengthMax = 20;

const joint = "・&.'+-";

/** True for kanji, katakana of either width, Latin letters and digits. */
const isSolid = codesOf('0-9A-Za-z㐀-鿿ァ-ヺー々〆\uf900-\ufaffｦ-ﾟ');

const isHiragana = codesOf('ぁ-ゞ');

const name = 'company-name';
const type = 'COMPANY_NAME_JP';

/** Checks the text around every legal form. */
export const companyName: Recognizer = {
  name,
  type,
  anchors: ['会社', '法人', '株)', '有)', '同)', '㈱', '㈲'],
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    let done = 0;
    for (const [formStart, form] of legalForms(text)) {
      if (formStart < done) continue;
      const span = companyAt(text.shadow, formStart, formStart + form.length, done);
      if (span === undefined) continue;
      const [start, end] = span;
      found.push(detectionAt(text, start, end, { type, score: 0.95, recognizer: name, context: form }));
      done = end;
    }
    return found;
  },
};

/** Every legal form contains an anchor, with at most this many characters before (特定非営利活動法人) and after it. */
const beforeAnchor = 7;
const behindAnchor = 2;

function legalForms({ shadow, keywords }: ScanText): [start: number, form: string][] {
  const found: [start: number, form: string][] = [];
  let done = 0;
  for (const { start, end } of keywords.anchors(name)) {
    if (start < done) continue;
    const from = Math.max(done, start - beforeAnchor);
    const match = patterns.legalForm.exec(shadow.slice(from, end + behindAnchor));
    if (match === null) continue;
    found.push([from + match.index, match[0]]);
    done = from + match.index + match[0].length;
  }
  return found;
}

/** The company name around the legal form `formStart..formEnd`, not before `floor`. */
function companyAt(shadow: string, formStart: number, formEnd: number, floor: number): [number, number] | undefined {
  const end = nameEnd(shadow, formEnd);
  const start = nameStart(shadow, formStart, floor);
  // `株式会社2名`
  const isForward = end > formEnd && !patterns.counted.test(shadow.slice(formEnd, formEnd + 8));
  // `3　株式会社東雲運輸`: the number of the row.
  const isBackward = start < formStart && !patterns.rowNumber.test(shadow.slice(start, formStart));
  if (isForward && (!isBackward || patterns.leadNoun.test(shadow.slice(start, formStart)))) return [formStart, end];
  if (!isBackward) return undefined;
  const name = shadow.slice(start, formStart);
  if (
    name.length < 2 ||
    patterns.leadNoun.test(name) ||
    /^[0-9,.-]+$/.test(name) ||
    (shadow[formStart] === '(' && /(?:^数量|[数位額])$/.test(name))
  )
    return undefined;
  // One legal form between two names belongs to the adjacent name, first to the one after it.
  if (isForward && !'(㈱㈲'.includes(shadow[formStart] as string) && start > 0 && isOfSentence(shadow, start))
    return [formStart, end];
  return [start, formEnd];
}

/** True when the text before the form belongs to something else, so that the form starts a name. */
function isOfSentence(shadow: string, start: number): boolean {
  return /[、,・／/]/.test(shadow[start - 1] as string);
}

function nameEnd(shadow: string, formEnd: number): number {
  let i = formEnd;
  const isApart = shadow[i] === ' ' && i + 1 < shadow.length;
  if (isApart && (isSolid(shadow.charCodeAt(i + 1)) || isHiraganaName(shadow.slice(i + 1, i + 13)))) i++;
  if (patterns.noName.test(shadow.slice(i, i + 6)) || patterns.functionWordAhead.test(shadow.slice(i, i + 8)))
    return formEnd;
  const from = i;
  const limit = Math.min(shadow.length, from + nameLengthMax);
  let end = formEnd;
  while (i < limit) {
    const c = shadow.charCodeAt(i);
    if (isSolid(c)) {
      // A title or department ends the name.
      if (i > from && patterns.closing.test(shadow.slice(i, i + 5))) break;
      end = ++i;
    } else if (i > from && joint.includes(shadow[i] as string)) i++;
    else if (c === 0x20 && i > from && isLatinAround(shadow, i)) i++;
    else if (
      isHiragana(c) &&
      (!patterns.particle.test(shadow.slice(i, i + 4)) ||
        (i === from &&
          (patterns.opensName.test(shadow.slice(i, i + 5)) || patterns.ofBusiness.test(shadow.slice(i, i + 12)))))
    ) {
      let next = i;
      while (next < limit && isHiragana(shadow.charCodeAt(next))) next++;
      // Trailing hiragana belongs only to a name that is all hiragana, such as a shop's.
      const isInside = next < limit && isSolid(shadow.charCodeAt(next));
      const run = shadow.slice(i, next);
      if (isInside && next - i <= 6) i = next;
      else if (i === from && next - i >= 2) {
        const opening = i === from ? (patterns.opensName.exec(run)?.[0].length ?? 0) : 0;
        const behind = run.slice(opening).search(/(?:[はがをにへ]|と|で|から|の|です|さん|さま|など)/);
        end = behind < 0 ? next : i + opening + behind;
        return end - from >= 2 ? end : formEnd;
      } else break;
    } else break;
  }
  return end - from >= 1 && end > formEnd ? end : formEnd;
}

/** True for a hiragana name after a legal form and a space. */
function isHiraganaName(ahead: string): boolean {
  if (patterns.ofBusiness.test(ahead)) return true;
  return (
    /^[ぁ-ん]{3}/.test(ahead) &&
    (patterns.opensName.test(ahead) || !patterns.particle.test(ahead)) &&
    !patterns.verb.test(ahead)
  );
}

/** True for a space in a Latin name. A full stop before it belongs to the name only after `J` or `Co`; else a sentence ends. */
function isLatinAround(shadow: string, i: number): boolean {
  return /(?:[A-Za-z0-9&]|\b[A-Z][a-z]{0,3}\.) [A-Za-z0-9&]$/.test(shadow.slice(Math.max(0, i - 6), i + 2));
}

function nameStart(shadow: string, formStart: number, floor: number): number {
  let i = formStart;
  if (
    shadow[i - 1] === ' ' &&
    /^[(㈱㈲株有合]/.test(shadow[i] as string) &&
    i - 2 >= floor &&
    isSolid(shadow.charCodeAt(i - 2))
  )
    i = /[\s、。]/.test(shadow[formStart + 4] ?? ' ') ? i - 1 : i;
  const limit = Math.max(floor, i - nameLengthMax);
  let start = i;
  while (i > limit) {
    const c = shadow.charCodeAt(i - 1);
    if (isSolid(c)) start = --i;
    else if (joint.includes(shadow[i - 1] as string)) i--;
    else if (c === 0x20 && /[A-Za-z0-9] [A-Za-z0-9]/.test(shadow.slice(i - 2, i + 1))) i--;
    else if (isHiragana(c)) {
      let run = i;
      while (run > limit && isHiragana(shadow.charCodeAt(run - 1))) run--;
      const text = shadow.slice(run, i);
      const known = patterns.hiraganaName.exec(text)?.[0].length ?? 0;
      if (known > 0) start = i - known;
      break;
    } else break;
  }
  if (start === formStart) return start;
  if (patterns.functionWord.test(shadow.slice(start, formStart))) return formStart;
  const lead = patterns.leadNoun.exec(shadow.slice(start, formStart))?.[0].length ?? 0;
  // `会社名　株式会社 架空`: nothing but a space is left.
  if (lead > 0 && shadow.slice(start + lead, formStart).trim() === '') return formStart;
  return start + lead;
}
