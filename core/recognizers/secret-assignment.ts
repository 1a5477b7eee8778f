/**
 * Reads backwards from a value to its name: `api_key = "…"`, `"token": "…"`, `--secret …`, `Authorization: Bearer …`,
 * `APIキーは…`.
 */

import { codesOf } from '../detect/code-set.ts';
import words from '../lexicon/secret-names.json' with { type: 'json' };
import { patternsOf } from '../pattern-data.ts';

const patterns = patternsOf('secret-assignment', words);

/** `strong` names a secret, `vendor` a service that issues keys. */
export type NameKind = 'strong' | 'vendor';

const nameLengthMax = 48;
const gapLengthMax = 8;

/** The kind of name before the value at `start`; undefined if it does not suggest a secret. */
export function nameKindOf(text: string, start: number): NameKind | undefined {
  const name = nameBefore(text, start);
  if (name === undefined || patterns.madeName.test(name)) return undefined;
  if (patterns.vendor.test(inWords(name)))
    return patterns.strong.test(name) && !patterns.weakKey.test(name) ? 'strong' : 'vendor';
  return patterns.strong.test(name) && !patterns.weakKey.test(name) ? 'strong' : undefined;
}

/** True for the name of a service whose keys look like UUIDs or hexadecimal. */
export function isVendorName(text: string, start: number): boolean {
  return patterns.vendor.test(inWords(nameBefore(text, start) ?? ''));
}

/** `hubSpot_apiKey` → `hub Spot api Key`. */
function inWords(name: string): string {
  if (/^[a-z]*$/.test(name)) return name;
  return name.replace(/[_.-]+/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2');
}

function nameBefore(text: string, start: number): string | undefined {
  let i = start - 1;
  let isQuoted = false;
  for (let n = 0; n < 3 && isQuote(text.charCodeAt(i)); n++) {
    isQuoted = true;
    i--;
  }
  const gap = i;
  while (i >= 0 && gap - i < gapLengthMax && isSpace(text.charCodeAt(i))) i--;
  const hasGap = i < gap;
  const marks = marksBehind(text, i);
  i -= marks.length;
  let operator = marks.startsWith('<') ? '>' : '';
  while (i >= 0 && operator.length < 3 && '=:>,|は：'.includes(text[i] as string)) {
    operator += text[i] as string;
    i--;
  }
  if (operator === '' && text[start - 1] !== '「') return hasGap ? spokenName(text, i, isQuoted) : undefined;
  if ((operator === ',' && !isQuoted) || operator === '|') return undefined;
  if (operator.endsWith(':') || operator.startsWith('=')) while ('.?+-:'.includes(text[i] ?? 'x')) i--;
  for (let n = 0; n < gapLengthMax && (isSpace(text.charCodeAt(i)) || isCloser(text.charCodeAt(i))); n++) i--;
  const end = i + 1;
  while (i >= 0 && end - i <= nameLengthMax && isNameCode(text.charCodeAt(i))) i--;
  const name = text.slice(i + 1, end);
  // A resource type: `AWS::KMS::Key`.
  if (text[i] === ':' && text[i - 1] === ':') return undefined;
  if (/^\s*(?:value|val|default|content)$/i.test(name)) return siblingName(text, i + 1) ?? name;
  return name === '' || patterns.fileName.test(name) ? undefined : name;
}

/** Markup between a value and its name: `**API key:** …`, `<td>API key</td><td>…`. */
function marksBehind(text: string, last: number): string {
  const c = text.charCodeAt(last);
  if (c !== 0x2a && c !== 0x5f && c !== 0x3e) return '';
  const before = text.slice(Math.max(0, last - marksReach), last + 1);
  return (c === 0x3e ? patterns.elementsBehind : patterns.emphasisBehind).exec(before)?.[0] ?? '';
}

const marksReach = 80;

/** The name in the sibling member: `key="ApiKey" value="…"`, `{ "name": "API_KEY", "value": "…" }`. */
function siblingName(text: string, end: number): string | undefined {
  const before = text.slice(Math.max(0, end - 80), end);
  return /(?:key|name|id)["']?\s{0,4}[=:]\s{0,4}["']?([A-Za-z][\w.-]{1,40})["']?[\s,;]{0,12}["']?$/i.exec(before)?.[1];
}

/** A name without an operator: a command option, an `Authorization` scheme, `key is …`. */
function spokenName(text: string, last: number, isQuoted: boolean): string | undefined {
  const before = text.slice(Math.max(0, last - nameLengthMax), last + 1);
  const nameBy = (pattern: RegExp) => pattern.exec(before)?.[1];
  return (
    (isQuoted ? nameBy(patterns.quotedName) : undefined) ??
    nameBy(patterns.option) ??
    nameBy(patterns.scheme)?.replace(/token/i, 'bearer') ??
    nameBy(patterns.keyName) ??
    nameBy(patterns.isName)?.replace(/^key/i, 'api key')
  );
}

const isQuote = codesOf('"\'`\\「');

const isSpace = codesOf(' \t\n\r');

const isCloser = codesOf('"\'`\\「)]}*');

/** Letters, digits, `_ . -`, the space, and katakana. */
const isNameCode = codesOf('A-Za-z0-9_. ァ-ー-');
