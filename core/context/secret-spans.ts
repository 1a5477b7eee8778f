/** Candidates for secrets that people choose: tokens, quoted texts, the rest of a clause behind a word for a phrase. */
import type { ScanText } from '../detect/scan.ts';
import functionWords from '../lexicon/function-words.json' with { type: 'json' };
import labelWords from '../lexicon/label-words.json' with { type: 'json' };
import type { FormSpan, Span } from './context-type.ts';

/** How a candidate stands in its text. */
const forms = { token: 0, assigned: 1, quoted: 2, phrase: 3, digits: 4, word: 5, option: 6, part: 7 } as const;
const lengthMin = 4;
const lengthMax = 80;
/** A plain word is a candidate only so near behind a label; characters. */
const linkMax = 40;
const token = /[!-~]{4,100}/g;
const quoted = /"[^"\n]{4,80}"|'[^'\n]{4,80}'|`[^`\n]{4,80}`|「[^「」\n]{4,80}」|“[^”\n]{4,80}”|【[^【】\n]{4,80}】/g;
/** Joins a name to its value: `pw=`, `"password":`, `--password=`. */
const assigned = /^["'`]?[A-Za-z_][\w.-]{0,40}["'`]?(?:=>|[=:])["'`]?/;
const option = /^-p(?=[^\s-])/;
/** Shorter labels, such as `pw`, stand before one word. */
const phraseLabelMin = 5;
const small: ReadonlySet<string> = new Set([...Object.values(functionWords).flat(), ...labelWords.clause]);
/** A passphrase has so many words at least. */
const phraseWordsMin = 3;
const phrase =
  /^["' :=は]*(?:(?:is|was|ist|war|est|es|era|è|é)(?= )|になります|:|=|は|：)?["' ]*((?:[^\s.,;"'。、\n]{2,16}[ ]){1,9}[^\s.,;"'。、\n]{1,16})/d;

/** Secrets near the words of the type. */
export function secretSpans(text: ScanText, stretches: readonly Span[], labels: readonly Span[]): FormSpan[] {
  const { shadow } = text;
  const found: FormSpan[] = [];
  const add = (start: number, end: number, form: number) => {
    if (end - start >= lengthMin && end - start <= lengthMax) found.push({ start, end, form });
  };
  for (const { start: from, end: to } of stretches) {
    const window = shadow.slice(from, to);
    for (const match of window.matchAll(quoted)) {
      // One sign on each side.
      add(from + match.index + 1, from + match.index + match[0].length - 1, forms.quoted);
    }
    for (const { index, 0: written } of window.matchAll(token)) addToken(text, from + index, written, labels, add);
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

/** Where a sentence goes on behind a phrase: `correct horse battery staple | in case you forget`; 0 where it does not. */
function beforeSmallWord(written: string): number {
  const words = written.split(' ');
  const count = words.findIndex((word) => small.has(word.toLowerCase()));
  return count < phraseWordsMin ? 0 : words.slice(0, count).join(' ').length;
}

type Add = (start: number, end: number, form: number) => void;

function addToken({ original }: ScanText, at: number, written: string, labels: readonly Span[], add: Add): void {
  // Full-width signs are those of the sentence.
  let piece = written;
  let from = at;
  for (let i = 0; i < written.length; i++) {
    const c = original.charCodeAt(at + i);
    if (c <= 0x7f || /[0-9A-Za-z]/.test(written[i] as string)) continue;
    addPiece(from, written.slice(from - at, i), labels, add);
    from = at + i + 1;
    piece = written.slice(i + 1);
  }
  addPiece(from, piece, labels, add);
}

function addPiece(at: number, piece: string, labels: readonly Span[], add: Add): void {
  const name = assigned.exec(piece)?.[0].length ?? 0;
  const flag = option.exec(piece)?.[0].length ?? 0;
  const parts: [number, number, number][] = [[0, piece.length, forms.token]];
  if (name > 0) parts.push([name, piece.length, forms.assigned]);
  if (flag > 0) parts.push([flag, piece.length, forms.option]);
  // `user/secret`, `user:secret`, `a=1&pw=secret`, `<tag>secret</tag>`, `("secret")`.
  for (const match of piece.matchAll(/[&<>/|:("'`,;=]+/g)) {
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
    const bare = piece.slice(start, end);
    end = start + bare.replace(/[.,;:?)\]}"'`<>|*]+$/, '').length;
    if (end - start < lengthMin || seen.has(`${start} ${end}`)) continue;
    seen.add(`${start} ${end}`);
    const value = piece.slice(start, end);
    if (/^[A-Za-z'-]+$/.test(value) && !/[a-z][A-Z]/.test(value) && !value.includes('-')) {
      if (isLinked(labels, at + start)) add(at + start, at + end, forms.word);
    } else if (/[0-9!#$%&*@^+=_-]/.test(value)) {
      const isNumber = /^[0-9-]+$/.test(value);
      add(at + start, at + end, isNumber ? forms.digits : form);
      // A sign that ends a sentence may end a secret.
      if (/^[!?]/.test(piece.slice(end))) add(at + start, at + end + 1, form);
      if (value.endsWith('!')) add(at + start, at + end - 1, form);
    }
  }
}

/** A label ends shortly before the place. */
function isLinked(labels: readonly Span[], at: number): boolean {
  let low = 0;
  for (let high = labels.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((labels[middle] as Span).end <= at) low = middle + 1;
    else high = middle;
  }
  const last = labels[low - 1];
  return last !== undefined && at - last.end < linkMax;
}

/** What a secret is made of: kinds of characters, its length, the words in it, what gives away code and stand-ins. */
export function describeSecret(value: string): string[] {
  const out: string[] = [];
  const has = (pattern: RegExp) => (pattern.test(value) ? 1 : 0);
  const digits = value.replace(/[^0-9]/g, '').length;
  const kinds = `${has(/[a-z]/)}${has(/[A-Z]/)}${Math.min(digits, 3)}${has(/[^A-Za-z0-9\s]/)}${has(/\s/)}`;
  out.push(`v${kinds}`, `vn${Math.min(20, value.length)}`, `v0:${value.slice(0, 1)}`, `v9:${value.slice(-1)}`);
  out.push(
    `vs:${value
      .replace(/[a-z]+/g, 'a')
      .replace(/[A-Z]+/g, 'A')
      .replace(/[0-9]+/g, '9')
      .slice(0, 14)}`,
  );
  for (const word of value.match(/[A-Za-z]{2,}/g)?.slice(0, 6) ?? []) out.push(`vw:${word.toLowerCase()}`);
  if (/\s/.test(value)) {
    const words = value.toLowerCase().split(/\s+/);
    out.push(`vf${Math.min(2, words.filter((word) => small.has(word)).length)}`, `vp${words.length}`);
  }
  for (const sign of new Set(value.match(/[^A-Za-z0-9]/g))) out.push(`vc:${sign}`);
  if (/^[a-z_$][\w$]*(?:[.[(][\w$.)(\]]*)+$/i.test(value)) out.push('vcode');
  if (/^\d{4}-\d\d-\d\d|^\d{1,2}[:/]\d/.test(value)) out.push('vdate');
  if (/^v?\d+(?:\.\d+)+$/.test(value)) out.push('vversion');
  if (/@.+\./.test(value)) out.push('vmail');
  if (/^(.)\1+$/.test(value)) out.push('vsame');
  return out;
}
