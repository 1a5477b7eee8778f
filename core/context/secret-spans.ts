/** Candidates for secrets that people choose: tokens, quoted texts, and the rest of a clause after a word for a phrase. */
import { isAsciiLetter, isDigit } from '../characters.ts';
import { tableOf } from '../detect/byte-marks.ts';
import type { KeywordHit } from '../detect/keywords.ts';
import { matchesIn, type ScanText } from '../detect/scan.ts';
import functionWords from '../lexicon/function-words.json' with { type: 'json' };
import labelWords from '../lexicon/label-words.json' with { type: 'json' };
import { patternsOf } from '../pattern-data.ts';
import type { FormSpan, Span } from './context-type.ts';
import { isBlank } from './gap.ts';

const { quoted, assigned, option, phrase, verdict, escaped } = patternsOf('secret-spans');

/** Forms of candidates. */
const forms = { token: 0, assigned: 1, quoted: 2, phrase: 3, digits: 4, option: 5, part: 6 } as const;
const lengthMin = 4;
const tokenMax = 100;
const lengthMax = 80;
/** A label shorter than this, such as `pw`, names no phrase. */
const phraseLabelMin = 5;
const small: ReadonlySet<string> = new Set([...Object.values(functionWords).flat(), ...labelWords.clause]);
/** Minimum number of words in a passphrase. */
const phraseWordsMin = 3;

/** Bits by byte: part of a token; makes a token a candidate; separates the parts of a token. */
const inToken = 1;
const ofSecret = 2;
const endsPart = 4;
const tokenKinds = tableOf((c) => {
  if (!/[!-~]/.test(c)) return 0;
  return inToken | (/[0-9!#$%&*@^+=_-]/.test(c) ? ofSecret : 0) | (/[&<>/|:("'`,;=]/.test(c) ? endsPart : 0);
});

/** Secrets near the words of the type. */
export function secretSpans(text: ScanText, stretches: readonly Span[], labels: readonly KeywordHit[]): FormSpan[] {
  const { original, shadow, bytes } = text;
  const isFolded = original !== shadow;
  const found: FormSpan[] = [];
  const add: Add = (start, end, form) => {
    if (end - start >= lengthMin && end - start <= lengthMax) found.push({ start, end, form });
  };
  for (const { start: from, end: to } of stretches) {
    /** Ends of sentences by their starts. */
    const prose = new Map<number, number>();
    // One sign on each side.
    for (const { start, end } of matchesIn(shadow.slice(from, to), quoted, { start: 0, end: to - from }))
      if (verdict.test(shadow.slice(Math.max(0, from + start - 8), from + end + 80)))
        prose.set(from + start, from + end);
      else add(from + start + 1, from + end - 1, forms.quoted);
    for (let start = from; start < to; ) {
      let kinds = 0;
      let end = start;
      for (; end < to && end - start < tokenMax && !prose.has(end); end++) {
        const kind = tokenKinds[bytes[end] as number] as number;
        if (kind === 0) break;
        kinds |= kind;
      }
      if (end - start >= lengthMin && (kinds & ofSecret) !== 0) {
        const hasParts = (kinds & endsPart) !== 0;
        let rest = start;
        // Full-width signs belong to the sentence.
        for (let i = start; isFolded && i < end; i++) {
          const c = bytes[i] as number;
          if (original.charCodeAt(i) <= 0x7f || isDigit(c) || isAsciiLetter(c)) continue;
          addPiece(rest, shadow.slice(rest, i), hasParts, add);
          rest = i + 1;
        }
        addPiece(rest, shadow.slice(rest, end), hasParts, add);
      }
      start = prose.get(end) ?? Math.max(end, start + 1);
    }
  }
  for (const { start, end } of labels) {
    if (end - start < phraseLabelMin) continue;
    const match = phrase.exec(shadow.slice(end, end + 100));
    const [first, last] = match?.indices?.[1] ?? [0, 0];
    if (last === first) continue;
    add(end + first, end + last, forms.phrase);
    const inner = beforeSmallWord(match?.[1] ?? '');
    if (inner > 0) add(end + first, end + first + inner, forms.phrase);
  }
  return found;
}

/** The length of a phrase before the sentence continues: `correct horse battery staple | in case you forget`; 0 if not. */
function beforeSmallWord(written: string): number {
  const words = written.split(' ');
  const count = words.findIndex((word) => small.has(word.toLowerCase()));
  return count < phraseWordsMin ? 0 : words.slice(0, count).join(' ').length;
}

type Add = (start: number, end: number, form: number) => void;

function addPiece(at: number, piece: string, hasParts: boolean, add: Add): void {
  if (piece.length < lengthMin) return;
  const parts: [number, number, number][] = [[0, piece.length, forms.token]];
  const name = hasParts ? (assigned.exec(piece)?.[0].length ?? 0) : 0;
  const flag = piece.startsWith('-p') ? (option.exec(piece)?.[0].length ?? 0) : 0;
  if (name > 0) parts.push([name, piece.length, forms.assigned]);
  if (flag > 0) parts.push([flag, piece.length, forms.option]);
  // `user/secret`, `user:secret`, `a=1&pw=secret`, `<tag>secret</tag>`, `("secret")`.
  for (const match of hasParts ? piece.matchAll(/[&<>/|:("'`,;=]+/g) : []) {
    const start = match.index + match[0].length;
    const next = piece.slice(start).search(/[&<>"'`,;]/);
    if (start < piece.length) parts.push([start, next < 0 ? piece.length : start + next, forms.part]);
    if (parts.length > 12) break;
  }
  const seen = new Set<string>();
  for (const [first, last, form] of parts) {
    let start = first;
    let end = last;
    while (start < end && '([{*=:"\'`<>|/'.includes(piece[start] as string)) start++;
    while (start < end && '.,;:?)]}"\'`<>|*'.includes(piece[end - 1] as string)) end--;
    if (end - start < lengthMin || seen.has(`${start} ${end}`)) continue;
    seen.add(`${start} ${end}`);
    const value = piece.slice(start, end);
    // Escapes of code and markup start with a backslash.
    if (escaped.test(value) || !/[0-9!#$%&*@^+=_-]/.test(value)) continue;
    add(at + start, at + end, /^[0-9-]+$/.test(value) ? forms.digits : form);
    // A sign that ends a sentence may end a secret.
    if (/^[!?]/.test(piece.slice(end))) add(at + start, at + end + 1, form);
    if (value.endsWith('!')) add(at + start, at + end - 1, form);
  }
}

/** Features of a secret: its kinds of characters, length and words, and signs of code and placeholders. */
export function describeSecret(value: string): string[] {
  const signs: string[] = [];
  const counts = { a: 0, A: 0, 9: 0 };
  let shape = '';
  let before = '';
  let hasBlank = false;
  let hasSign = false;
  for (let i = 0; i < value.length; i++) {
    const c = value.charCodeAt(i);
    const kind = kindOf(c);
    const sign = kind === '' ? String.fromCodePoint(value.codePointAt(i) as number) : '';
    if (kind === '') {
      if (!signs.includes(sign)) signs.push(sign);
      if (isBlank(c)) hasBlank = true;
      else hasSign = true;
      i += sign.length - 1;
    } else counts[kind]++;
    if (kind === '' || kind !== before) shape += kind || sign;
    before = kind;
  }
  const words = counts.a + counts.A > 1 ? (value.match(/[A-Za-z]{2,}/g) ?? []).slice(0, wordsMax) : [];
  const kinds = [counts.a > 0, counts.A > 0, Math.min(3, counts[9]), hasSign, hasBlank].map(Number).join('');
  const out = [`v${kinds}`, `vn${Math.min(20, value.length)}`, `v0:${value.charAt(0)}`, `v9:${value.slice(-1)}`];
  out.push(`vs:${shape.slice(0, shapeMax)}`);
  for (const word of words) out.push(`vw:${word.toLowerCase()}`);
  if (hasBlank) {
    const parts = value.toLowerCase().split(/\s+/);
    out.push(`vf${Math.min(2, parts.filter((word) => small.has(word)).length)}`, `vp${parts.length}`);
  }
  for (const sign of signs) out.push(`vc:${sign}`);
  if (hasSign) {
    if (/^[a-z_$][\w$]*(?:[.[(][\w$.)(\]]*)+$/i.test(value)) out.push('vcode');
    if (/^\d{4}-\d\d-\d\d|^\d{1,2}[:/]\d/.test(value)) out.push('vdate');
    if (/^v?\d+(?:\.\d+)+$/.test(value)) out.push('vversion');
    if (signs.includes('@') && /@.+\./.test(value)) out.push('vmail');
  }
  if (value.charCodeAt(0) === value.charCodeAt(1) && /^(.)\1+$/.test(value)) out.push('vsame');
  return out;
}

function kindOf(c: number): '' | 'a' | 'A' | '9' {
  if (isDigit(c)) return '9';
  return isAsciiLetter(c) ? (c < 0x61 ? 'A' : 'a') : '';
}

/** Maximum number of words that become features, and maximum length of a shape. */
const wordsMax = 6;
const shapeMax = 14;
