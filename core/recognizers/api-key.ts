/** API keys, by their published prefixes or by the name of the variable that holds them. */
import { isDigit } from '../characters.ts';
import { entropyOf } from '../checksums.ts';
import { codesOf } from '../detect/code-set.ts';
import { lengthAt, type ScanText, type WordRun } from '../detect/scan.ts';
import words from '../lexicon/secret-names.json' with { type: 'json' };
import { patternsOf } from '../pattern-data.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { familyKeyAt, markedPatterns } from './api-key-families.ts';
import { isVendorName, nameKindOf } from './secret-assignment.ts';

const patterns = patternsOf('api-key', words);

const name = 'api-key';
const valueLengthMax = 400;
/** Minimum length when the name is a vendor's; otherwise 16. */
const shortestLength = 12;
const shortLength = 20;
const prefixEntropyMin = 2.8;
const namedEntropyMin = 3.5;
const shortEntropyMin = 3;
/** `-----BEGIN ` in base64: opens public certificates and keys as well as private keys. */
const pemInBase64 = 'LS0tLS1CRUdJTi';

/** True for a base64 PEM block (RFC 7468) without a secret, such as `tls.crt` in Kubernetes. */
function isPublicPem(value: string): boolean {
  return value.startsWith(pemInBase64) && !atob(value.slice(0, 60)).includes('PRIVATE');
}

/** Maximum number of `=`-separated values in one run whose names are read; more are not assignments. */
const namedMax = 32;
const nameReach = 48;

/** Checks long runs of key characters. */
export const apiKey: Recognizer = {
  name,
  type: 'API_KEY',
  anchors: [...new Set(markedPatterns.map(({ anchor }) => anchor))],
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    let done = 0;
    const add = (start: number, end: number, score: number, context?: string) => {
      if (start < done) return;
      found.push(detectionAt(text, start, end, { type: 'API_KEY', score, recognizer: name, context }));
      done = end;
    };
    for (const hit of text.keywords.anchors(name)) {
      for (const { anchor, before, pattern } of markedPatterns) {
        if (anchor.length !== hit.end - hit.start) continue;
        const at = Math.max(0, hit.start - before);
        const end = at + lengthAt(pattern, text.shadow, at);
        if (entropyOf(text.shadow.slice(at, end)) >= 3) add(at, end, 0.95);
      }
    }
    done = 0;
    const read: Stretch = { from: 0, end: 0 };
    for (const word of text.longWords) {
      if (word.end <= done) continue;
      const joint = text.shadow.charCodeAt(word.start - 1);
      if (joint === 0x7c || (joint === 0x3a && text.shadow[word.start] === 'A')) {
        const start = numberStart(text.shadow, word.start - 1);
        const end = start + lengthAt(patterns.numbered, text.shadow, start);
        if (entropyOf(text.shadow.slice(start, end)) >= namedEntropyMin) {
          add(start, end, 0.95);
          continue;
        }
      }
      let named = 0;
      for (let start = firstStart(text.shadow, word, done); start >= 0; start = nextStart(text.shadow, start, word)) {
        if (start < done) continue;
        const key = familyKeyAt(text.shadow, start);
        if (key !== undefined) {
          if (isKeyBody(key)) add(start, start + key.length, 1);
          done = Math.max(done, start + key.length);
          break;
        }
        // A slash or a plus is never preceded by a name.
        const before = text.shadow.charCodeAt(start - 1);
        if (!word.hasDigit || before === 0x2f || before === 0x2b || ++named > namedMax) continue;
        const length = namedLength(text.shadow, start, word.end, read);
        if (length > 0) {
          add(start, start + length, 0.8, 'name of a secret');
          break;
        }
      }
    }
    return found.sort((a, b) => a.start - b.start);
  },
};

/** The first position in a run where a key may start, including dotted characters before it. */
function firstStart(shadow: string, { start }: WordRun, done: number): number {
  const before = shadow.charCodeAt(start - 1);
  if (before !== 0x2e && before !== 0x7e) return start;
  const floor = Math.max(done, start - 40);
  let i = start - 1;
  while (i > floor && isKeyCode(shadow.charCodeAt(i - 1))) i--;
  return i < start - 1 ? i : start;
}

function numberStart(shadow: string, end: number): number {
  let start = end;
  while (start > end - 16 && isDigit(shadow.charCodeAt(start - 1))) start--;
  return start;
}

/** The next position: the start of the run, or after `=`, `/` and `+`. */
function nextStart(shadow: string, from: number, { start, end }: WordRun): number {
  if (from < start) return start;
  for (let i = from; i < end - 10; i++) {
    const c = shadow.charCodeAt(i);
    if ((c === 0x3d || c === 0x2f || c === 0x2b) && isStartCode(shadow.charCodeAt(i + 1))) return i + 1;
  }
  return -1;
}

const isStartCode = codesOf('A-Za-z0-9_');

const isKeyCode = codesOf('A-Za-z0-9._~-');

function isKeyBody(key: string): boolean {
  const documented = patterns.documentedPrefix.exec(key)?.[0];
  if (documented !== undefined && key.length - documented.length >= 16) {
    const body = key.slice(documented.length);
    // Identifiers share the short prefixes: `hf_requiredCharacteristic`.
    const isWords = documented.length < 6 && /^[a-z]*(?:[A-Z][a-z]+)*$/.test(body) && /[a-z]{2}/.test(body);
    return !patterns.noKey.test(body) && !(isWords && !/(.)\1{7}|abcdefgh/i.test(body));
  }
  if (patterns.placeholder.test(key)) return false;
  const rest = key.replace(/^[A-Za-z0-9]+[-_.](?:(?:live|test|prod|proj|pat|v1|api)[-_])?/, '');
  const body = rest.length < key.length / 2 ? key : rest;
  // Camel case (no digit, no two capitals in a row) is an identifier.
  const isCamelCase = !/[0-9]/.test(body) && !/[A-Z]{2}.*[a-z]|[a-z].*[A-Z]{2}/.test(body);
  if (isCamelCase && !/^A[A-Z0-9]{19,}$/.test(key)) return false;
  return entropyOf(body) >= prefixEntropyMin || key.startsWith('AGE-');
}

/**
 * The length of the value at `start` if its name suggests a secret and it looks like one; else 0.
 * @param wordEnd end of the run of key characters that contains `start`
 */
function namedLength(shadow: string, start: number, wordEnd: number, read: Stretch): number {
  const before = shadow.charCodeAt(start - 1);
  // Preceded by a letter: part of a longer word.
  if ((before | 0x20) >= 0x61 && (before | 0x20) <= 0x7a && before < 0x80) return 0;
  const value = valueAt(shadow, start, wordEnd, read);
  if (value.length < shortestLength || !/[0-9]/.test(value)) return 0;
  // Most values start with a letter.
  const first = value.charCodeAt(0);
  const isNumeric = isDigit(first) || isJointCode(first);
  if (isNumeric && patterns.isTime.test(value)) return 0;
  if (isNumeric && /^[0-9.-]+$/.test(value))
    return patterns.clientId.test(shadow.slice(Math.max(0, start - nameReach), start)) && /^[0-9]{16,18}$/.test(value)
      ? value.length
      : 0;
  const end = start + value.length;
  // A call, a member, an index or a path follows: code.
  if (patterns.codeBehind.test(shadow.slice(end, end + 2))) return 0;
  const kind = nameKindOf(shadow, start);
  if (kind === undefined) return 0;
  if (patterns.uuid.test(value)) return isVendorName(shadow, start) ? value.length : 0;
  return isSecret(value, kind === 'vendor' || isVendorName(shadow, start)) ? value.length : 0;
}

/** A run of value characters that was already read, so that adjacent values are not read again. */
type Stretch = { from: number; end: number };

function valueAt(shadow: string, start: number, wordEnd: number, read: Stretch): string {
  const limit = start + valueLengthMax;
  if (wordEnd < read.from || wordEnd > read.end) {
    read.from = wordEnd;
    read.end = wordEnd;
  }
  while (read.end < limit && isValueCode(shadow.charCodeAt(read.end))) read.end++;
  let end = Math.min(read.end, limit);
  while (end > start && isJointCode(shadow.charCodeAt(end - 1))) end--;
  return shadow.slice(start, end);
}

const isValueCode = codesOf('A-Za-z0-9._~+/=-');

/** `.`, `~` and `-`. */
const isJointCode = codesOf('.~-');

/** The share of dictionary-like words, as in `x509Authentication`; 0 without a capital or separator. */
function wordShare(secret: string): number {
  if (/^[a-z0-9]+$/.test(secret)) return 0;
  let letters = 0;
  for (const word of secret.match(/[A-Z]?[a-z]{4,}/g) ?? []) letters += word.length;
  return letters / secret.length;
}

/** True for a random-looking value: letters and digits, but not a word, path or identifier. */
function isSecret(secret: string, isOfVendor: boolean): boolean {
  if (patterns.placeholder.test(secret) || secret.length < (isOfVendor ? shortestLength : shortLength - 4))
    return false;
  if (isPublicPem(secret)) return false;
  if (!/[0-9]/.test(secret) || !/[A-Za-z]/.test(secret)) return false;
  // Words with a trailing number, paths, versions, hosts.
  if (/^[a-z]+(?:[-_./][a-z]+)*[-_.]?[0-9]{0,4}$/i.test(secret) || /^(?:[a-z]+[./]){2}/i.test(secret)) return false;
  if (/^(?:sha(?:1|224|256|384|512)|md5)[-:]/.test(secret)) return false;
  // A member expression: `self._lib.name2`.
  if (/^[A-Za-z_]+\.[A-Za-z_][A-Za-z0-9_.]*$/.test(secret) || wordShare(secret) > 0.6) return false;
  const changes = secret.match(/[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])/g)?.length ?? 0;
  if (changes < 2) return false;
  if (/^[0-9a-f]+$/i.test(secret) && secret.length >= 24) return entropyOf(secret) >= shortEntropyMin;
  return entropyOf(secret) >= (secret.length < shortLength || isOfVendor ? shortEntropyMin : namedEntropyMin);
}
