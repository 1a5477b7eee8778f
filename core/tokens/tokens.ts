/**
 * Finds tokens, even if a model has mangled them, and how much of the end of a text may still become one. Both use one
 * scanner, so any spelling that is recognised is also held back when a stream splits it. token-format.ts creates the
 * canonical spellings.
 */
import { isTokenId } from './token-format.ts';
import {
  type BracketStyle,
  type Candidate,
  type Cut,
  canonicalParameters,
  cutOf,
  formOf,
  identityOf,
  matchOf,
  type TokenMatch,
} from './token-identity.ts';

export type { TokenForm, TokenMatch } from './token-identity.ts';

/** Maximum length of a token's spelling, in UTF-16 code units, and of held text. */
export const tokenLengthMax = 128;

/** Options of {@link findTokens} and {@link heldSuffixLength}. */
export type TokenScanOptions = {
  /** Accept `EMAIL-1` without brackets between non-word characters; meant for tool arguments only. */
  readonly bare?: boolean;
  /** True if a token was issued. A bare token in brackets counts if the bracketed one was not issued. Default: all. */
  readonly isIssued?: (identity: string) => boolean;
};

const closers = new Map([
  ['\uFF3B', '\uFF3D'],
  ['\u3010', '\u3011'],
  ['\u3014', '\u3015'],
  ['\u300C', '\u300D'],
]);
const openEntities = ['&#91;', '&#x5b;', '&lsqb;', '&lbrack;'];
const closeEntities = ['&#93;', '&#x5d;', '&rsqb;', '&rbrack;'];
const percentBytes: readonly (readonly [string, string])[] = [
  ['20', ' '],
  ['2d', '-'],
  ['5f', '_'],
];
const anyOpening = /[[&%\uFF3B\u3010\u3014\u300C]/g;
const wideOpenings = [...'\uFF3B\u3010\u3014\u300C'];
const separator = 1;
const zeroWidth = 2;
const emphasis = 3;

/** All tokens of a text in order, in any tolerated spelling. The caller checks which of them were issued. */
export function findTokens(text: string, options: TokenScanOptions = {}): TokenMatch[] {
  const matches = hasOpening(text) ? findBracketed(text) : [];
  return options.bare ? withBare(text, matches, options.isIssued) : matches;
}

/** Converts a caller's map, whose keys may have any spelling of a token, to canonical spellings. */
export function canonicalMap(tokenMap: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(
    Object.entries(tokenMap).map(([token, value]) => {
      const matches = findTokens(token);
      return [matches.length === 1 ? (matches[0] as TokenMatch).identity : token, value];
    }),
  );
}

function findBracketed(text: string): TokenMatch[] {
  const matches: TokenMatch[] = [];
  let from = 0;
  while (from < text.length) {
    anyOpening.lastIndex = from;
    const opening = anyOpening.exec(text);
    if (opening === null) break;
    let at = opening.index;
    if (text[at] === '[' && at > from && text[at - 1] === '\\') at--;
    let found = scanAt(text, at);
    if ((found === undefined || found.cut) && at < opening.index) found = scanAt(text, opening.index);
    if (found !== undefined && !found.cut) {
      matches.push(found);
      from = found.end;
    } else {
      from = opening.index + 1;
    }
  }
  return matches;
}

/**
 * Number of code units at the end of `text` that may still become a token, in any tolerated spelling; 0 if none, always
 * below {@link tokenLengthMax}.
 * @param isIssuedPrefix true if an issued token starts with a canonical partial spelling such as `[EMA`; by default,
 * every beginning that the grammar allows is held
 */
export function heldSuffixLength(
  text: string,
  isIssuedPrefix?: (partial: string) => boolean,
  options: TokenScanOptions = {},
): number {
  const length = text.length;
  const lowest = Math.max(0, length - tokenLengthMax + 1);
  let held = 0;
  for (let at = length - 1; at >= lowest; at--) {
    const c = text.charCodeAt(at);
    if (isOpening(c) || c === 0x5c) {
      const found = scanAt(text, at);
      if (found?.cut && (isIssuedPrefix === undefined || isIssuedPrefix(found.partial))) held = length - at;
    } else if (classes[c] === 0) {
      break; // Nothing before this character can reach the end of the text.
    }
  }
  return options.bare ? Math.max(held, bareSuffixLength(text, isIssuedPrefix)) : held;
}

/** True if the text has a character that may start a bracketed spelling; nearly free if it has none. */
function hasOpening(text: string): boolean {
  // Several times as fast as a pattern: the engine knows that a Latin-1 string has no characters beyond Latin-1.
  if (text.length > 24) {
    if (text.includes('[') || text.includes('&') || text.includes('%')) return true;
    return wideOpenings.some((opening) => text.includes(opening));
  }
  for (let i = 0; i < text.length; i++) if (isOpening(text.charCodeAt(i))) return true;
  return false;
}

function isOpening(c: number): boolean {
  if (c < 0x80) return c === 0x5b || c === 0x26 || c === 0x25;
  return c === 0xff3b || c === 0x3010 || c === 0x3014 || c === 0x300c;
}

/** The ASCII code of a code unit within tokens (letters in capitals), a small class, or 0 for all others. */
const classes = buildClasses();

function buildClasses(): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (let c = 0x21; c < 0x7f; c++) {
    const character = String.fromCharCode(c);
    let value = 0;
    if (/[A-Za-z0-9]/.test(character)) value = character.toUpperCase().charCodeAt(0);
    else if (/[-_]/.test(character)) value = separator;
    else if (/[*`~]/.test(character)) value = emphasis;
    else if (/[\\\]&%#;:=,.]/.test(character)) value = c;
    table[c] = value;
    table[c + 0xfee0] = value === c && !/[A-Z0-9]/.test(character) ? 0 : value; // Full-width forms.
  }
  for (const c of [0xff1a, 0xff1d, 0xff0c, 0xff0e]) table[c] = c - 0xfee0;
  for (let c = 0x2010; c <= 0x2015; c++) table[c] = separator;
  for (const c of [0x20, 0xa0, 0x2007, 0x202f, 0x3000, 0x2212]) table[c] = separator;
  // NUL too: one service pads every piece of its streams with it, and its pages remove it.
  for (const c of [0, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff]) table[c] = zeroWidth;
  for (const c of [0xff3d, 0x3011, 0x3015, 0x300d]) table[c] = 0x5d;
  return table;
}

type OpenBracket = {
  readonly end: number;
  readonly style: BracketStyle;
  readonly close: string;
};

/** Reads a bracketed token whose spelling starts exactly at `at`. */
function scanAt(text: string, at: number): Candidate | Cut | undefined {
  if (text[at] === '[' && text[at + 1] === '[') return scanDoubled(text, at);
  const opening = readOpening(text, at);
  if (opening === undefined) return undefined;
  if (opening === 'cut') return { cut: true, partial: '[' };
  return scanBody(text, at, opening);
}

function scanDoubled(text: string, at: number): Candidate | Cut | undefined {
  if (text[at + 2] === '[') return undefined;
  const inner = scanAt(text, at + 1);
  if (inner === undefined || inner.cut) return inner;
  if (inner.end >= text.length) return { cut: true, partial: inner.identity.slice(0, -1) };
  if (text[inner.end] !== ']' || text[inner.end - 1] !== ']' || inner.end + 1 - at >= tokenLengthMax) return undefined;
  return { start: at, end: inner.end + 1, identity: inner.identity, form: 'doubled' };
}

function readOpening(text: string, at: number): OpenBracket | 'cut' | undefined {
  const character = text[at];
  if (character === '[') return { end: at + 1, style: 'plain', close: ']' };
  if (character === '\\') {
    if (at + 1 >= text.length) return 'cut';
    return text[at + 1] === '[' ? { end: at + 2, style: 'escaped', close: ']' } : undefined;
  }
  if (character === '&') {
    const end = readLiteral(text, at, openEntities);
    return typeof end === 'number' ? { end, style: 'entity', close: '' } : end;
  }
  if (character === '%') {
    for (const percent of ['%25', '%']) {
      const end = readLiteral(text, at, [`${percent}5b`]);
      if (typeof end === 'number') return { end, style: 'percent', close: percent };
      if (end === 'cut') return end;
    }
    return undefined;
  }
  const close = closers.get(character ?? '');
  return close === undefined ? undefined : { end: at + 1, style: 'fullwidth', close };
}

/** End of the literal at `at`, ignoring case; `cut` if the text ends within it. */
function readLiteral(text: string, at: number, literals: readonly string[]): number | 'cut' | undefined {
  let cut = false;
  for (const literal of literals) {
    const seen = text.slice(at, at + literal.length).toLowerCase();
    if (seen === literal) return at + literal.length;
    if (at + seen.length === text.length && literal.startsWith(seen)) cut = true;
  }
  return cut ? 'cut' : undefined;
}

function scanBody(text: string, start: number, opening: OpenBracket): Candidate | Cut | undefined {
  const { style } = opening;
  const limit = Math.min(text.length, start + tokenLengthMax - 1);
  let body = '';
  let escaped = style === 'escaped';
  let marked = false; // Emphasis was seen.
  let closing = false; // Only emphasis, spaces and the closer may follow.
  let spaced = false;
  let i = opening.end;
  const finish = (end: number) => matchOf(text, start, end, body, { style, escaped, marked, spaced });
  while (i < limit) {
    let kind = classes[text.charCodeAt(i)] as number;
    let width = 1;
    if (kind === 0) return undefined;
    if (kind === 0x5d) {
      return text[i] === opening.close && style !== 'escaped' ? finish(i + 1) : undefined;
    }
    if (kind === 0x5c) {
      if (i + 1 >= text.length) return cutOf(body);
      if (text[i + 1] === ']') {
        escaped = true;
        return style === 'plain' || style === 'escaped' ? finish(i + 2) : undefined;
      }
      if (!/[-_*`~:=,.]/.test(text[i + 1] as string)) return undefined;
      escaped = true;
      kind = classes[text.charCodeAt(i + 1)] as number;
      width = 2;
    } else if (kind === 0x26) {
      if (style !== 'entity') return undefined;
      const end = readLiteral(text, i, closeEntities);
      if (end === 'cut') return cutOf(body);
      return end === undefined ? undefined : finish(end);
    } else if (kind === 0x25) {
      if (style !== 'percent') return undefined;
      const end = readLiteral(text, i, [`${opening.close}5d`]);
      if (typeof end === 'number') return finish(end);
      const byte = percentBytes.find(([hex]) => typeof readLiteral(text, i, [opening.close + hex]) === 'number');
      if (byte === undefined) return end === 'cut' || text.length - i < 5 ? cutIfPercent(text, i, body) : undefined;
      kind = separator;
      width = opening.close.length + 2;
    }
    if (kind === emphasis) {
      marked = true;
      if (body !== '') closing = true;
    } else if (kind === zeroWidth) {
      spaced = true;
    } else if (kind === separator) {
      if (body !== '' && !body.endsWith('_')) body += '_';
      else if (body === '' || closing) spaced = true;
    } else if (kind === 0x3a && (body === 'SECURED' || body === 'SRAG')) {
      return scanParameters(text, start, i + width, limit, body, opening, escaped);
    } else if (closing || !isNameCode(kind) || (body === '' && kind < 0x41)) {
      return undefined;
    } else {
      body += String.fromCharCode(kind);
    }
    i += width;
  }
  return i >= text.length ? cutOf(body) : undefined;
}

function cutIfPercent(text: string, at: number, body: string): Cut | undefined {
  return /^%(?:2(?:5(?:[25][0-9a-f]?)?|[0d])?|5[df]?)?$/i.test(text.slice(at)) ? cutOf(body) : undefined;
}

function isNameCode(c: number): boolean {
  return (c >= 0x41 && c <= 0x5a) || (c >= 0x30 && c <= 0x39);
}

const withId = /^S[A-Z]+:(?:[a-z]+=[\w .-]+,)*id=[\w-]{1,64}$/;

/** With an id after its name, or on its own, as other implementations of the contract write it (`[SECURED:1f3a9c]`). */
function isWhole(parameters: string): boolean {
  return withId.test(parameters) || (parameters.startsWith('SECURED:') && isTokenId(parameters.slice(8)));
}

/** Reads the parameters of `[SECURED:type=…,id=…]` or `[SRAG:cat=…,name=…,id=…]`; ids keep their case. */
function scanParameters(
  text: string,
  start: number,
  from: number,
  limit: number,
  name: string,
  opening: OpenBracket,
  escapedBefore: boolean,
): Candidate | Cut | undefined {
  let raw = '';
  let escaped = escapedBefore;
  for (let i = from; i < limit; i++) {
    const c = text.charCodeAt(i);
    const kind = classes[c] as number;
    let end: number | 'cut' | undefined;
    if (kind === 0x5d) end = text[i] === opening.close && opening.style !== 'escaped' ? i + 1 : undefined;
    else if (kind === 0x26) end = opening.style === 'entity' ? readLiteral(text, i, closeEntities) : undefined;
    else if (kind === 0x25)
      end = opening.style === 'percent' ? readLiteral(text, i, [`${opening.close}5d`]) : undefined;
    else if (kind === 0x5c) {
      if (i + 1 >= text.length) end = 'cut';
      else if (text[i + 1] === ']' && (opening.style === 'plain' || opening.style === 'escaped')) end = i + 2;
      else if (/[-_:=,.]/.test(text[i + 1] as string)) {
        escaped = true;
        continue;
      }
    } else if (kind === zeroWidth || c === 0x20 || c === 0xa0) continue;
    else if (kind !== 0 && kind !== emphasis && kind !== 0x23 && kind !== 0x3b) {
      raw += kind === separator && c !== 0x5f ? '-' : c > 0x7f ? String.fromCharCode(c - 0xfee0) : text[i];
      continue;
    }
    if (end === 'cut') return { cut: true, partial: `[${name}:${canonicalParameters(raw)}` };
    if (end === undefined || raw === '') return undefined;
    const identity = `[${name}:${canonicalParameters(raw)}]`;
    if (!isWhole(identity.slice(1, -1))) return undefined;
    escaped ||= text[end - 2] === '\\';
    return {
      start,
      end,
      identity,
      form: formOf(text.slice(start, end), identity, { style: opening.style, escaped, marked: false, spaced: true }),
    };
  }
  return limit >= text.length ? { cut: true, partial: `[${name}:${canonicalParameters(raw)}` } : undefined;
}

/** A bare token is found by its number, because few texts have a number after these characters. */
const bareNumber = /[-_][1-9][0-9]{0,8}(?![\w\]-])/g;
const bareName = /(?<![\w[\\-])[A-Z][A-Z0-9_]{0,59}$/;
const bareNameMax = 60;
const bareStart = /(?<![\w[\\-])[A-Z](?:[A-Z0-9_]|-(?=[0-9]|$)){0,69}$/;

function withBare(
  text: string,
  bracketed: TokenMatch[],
  isIssued: (identity: string) => boolean = () => true,
): TokenMatch[] {
  // Much faster for the many texts with neither character.
  if (!text.includes('-') && !text.includes('_')) return bracketed;
  let matches: TokenMatch[] | undefined;
  let next = 0;
  bareNumber.lastIndex = 0;
  for (let found = bareNumber.exec(text); found !== null; found = bareNumber.exec(text)) {
    const name = bareName.exec(text.slice(Math.max(0, found.index - bareNameMax - 1), found.index))?.[0];
    if (name === undefined) continue;
    const start = found.index - name.length;
    const end = found.index + found[0].length;
    const identity = identityOf(`${name}${found[0]}`.replaceAll('-', '_'));
    while (next < bracketed.length && (bracketed[next] as TokenMatch).end <= start) next++;
    const around = bracketed[next];
    const isInside = around !== undefined && around.start < end && isIssued(around.identity);
    if (identity === undefined || isInside) continue;
    matches ??= [...bracketed];
    matches.push({ start, end, identity, form: 'bare' });
  }
  if (matches === undefined) return bracketed;
  return matches.sort((a, b) => a.start - b.start);
}

function bareSuffixLength(text: string, isIssuedPrefix?: (partial: string) => boolean): number {
  const found = bareStart.exec(text.slice(-tokenLengthMax + 1));
  if (found === null) return 0;
  const { partial } = cutOf(found[0].replaceAll('-', '_'));
  return isIssuedPrefix === undefined || isIssuedPrefix(partial) ? found[0].length : 0;
}
