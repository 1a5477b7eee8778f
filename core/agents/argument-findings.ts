/**
 * Finds secrets and our tokens in call arguments that would leave the machine: in or next to a URL, in a command that
 * sends data, or (only secrets) in a message. A call that keeps them on the machine, or passes them to their own tool,
 * is not a finding.
 */

import { Detector } from '../detect/detector.ts';
import { parseJson } from '../parsing.ts';
import { besideSignature, isPresigned } from '../payload/signed-url.ts';
import { addTexts } from './turns.ts';
import words from './words.json' with { type: 'json' };

export type ArgumentFinding = {
  readonly kind: 'secret' | 'token';
  /** Type of the value: `API_KEY`. */
  readonly type: string;
  readonly way: 'url' | 'command' | 'message';
};

/** Types of values that authenticate or pay. */
export const secretTypes = ['API_KEY', 'PASSWORD', 'PRIVATE_KEY', 'JWT', 'CREDIT_CARD', 'SESSION_TOKEN', 'SEED_PHRASE'];

const token = /\[([A-Z][A-Z_]{1,40})-\d{1,9}\]|%5B([A-Z][A-Z_]{1,40})-\d{1,9}%5D|\[SECURED:type=([A-Z_]+)/gi;
/** A URL; one without a scheme occurs in markup. */
const url = /(?:\b(?:https?|wss?|ftps?|sftp|s3|gs):|(?<=["'(=]))\/\/[^\s"'<>`]+/gi;
/** A host name as the complete argument, as for DNS lookup tools. */
const hostAlone = /^(?:[\w-]{1,63}\.){2,}[a-z]{2,24}\.?$/i;
/** The local machine. */
const ownHost = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;
const shellTools = new Set(words.shellTools);
const shellMembers = new Set(words.shellMembers);
const recipientMembers = new Set(words.recipientMembers);
const network = new RegExp(
  `(?:^|[\\s;&|(\`$"'/.])(?:${words.networkCommands.join('|')})(?:\\.exe)?(?:[\\s.(:'"\`]|$)`,
  'i',
);
/** Maximum word of a shell (Linux, MAX_ARG_STRLEN); servers accept no longer URL. */
const partMax = 131_072;
/** Maximum outgoing text per call. A longer text is itself a finding, because only the start is checked. */
const leavingMax = 262_144;
const decodedMax = 64;
/** Maximum decoded text per part; more is a finding as well. */
const decodedLengthMax = 262_144;

/** Checks arguments: JSON text, or any other text that a tool takes. */
export class ArgumentCheck {
  readonly #detector: Pick<Detector, 'detect'>;
  readonly #allowsHost: (host: string) => boolean;
  readonly #inflate: Inflate;

  /** `allowsHost`: hosts whose addresses may contain values. `inflate`: decompresses bytes, otherwise not read. */
  constructor(options: {
    readonly types: readonly string[];
    readonly allowsHost?: (host: string) => boolean;
    readonly inflate?: Inflate;
  }) {
    this.#detector = new Detector({ types: secretTypes.filter((type) => options.types.includes(type)) });
    this.#allowsHost = options.allowsHost ?? (() => false);
    this.#inflate = options.inflate ?? (() => undefined);
  }

  find(toolName: string, argumentsText: string): ArgumentFinding[] {
    const findings = new Map<string, ArgumentFinding>();
    let left = leavingMax;
    for (const { part, way } of this.#leaving(toolName, namedTexts(parseJson(argumentsText) ?? argumentsText))) {
      const read = part.slice(0, partMax);
      left -= read.length;
      const found = left < 0 ? [{ kind: 'secret' as const, type: 'TOO_LARGE' }] : this.#valuesIn(read);
      for (const finding of found) {
        // Tools that send messages receive the values of our tokens; that is their purpose.
        if (way === 'message' && finding.kind === 'token') continue;
        findings.set(`${finding.kind} ${finding.type} ${way}`, { ...finding, way });
      }
      if (left < 0) break;
    }
    return [...findings.values()];
  }

  /** The arguments that leave the machine: all of them if one is a URL. */
  *#leaving(toolName: string, texts: readonly NamedText[]): Generator<{ part: string; way: ArgumentFinding['way'] }> {
    const isShell = shellTools.has(toolName.toLowerCase());
    let goesTo: ArgumentFinding['way'] | undefined;
    for (const { text, name = '' } of texts) {
      const isCommand = isShell || shellMembers.has(name.toLowerCase());
      for (const [address] of text.matchAll(url)) {
        if (!this.#isOutside(address)) continue;
        yield { part: this.#withoutSignature(address), way: 'url' };
        if (address.length === text.trim().length) goesTo = 'url';
      }
      if (hostAlone.test(text)) yield { part: text, way: 'url' };
      if (isCommand && sends(text)) yield { part: text, way: 'command' };
      if (recipientMembers.has(name.toLowerCase()) && text.includes('@')) goesTo ??= 'message';
    }
    if (goesTo === undefined || texts.length < 2) return;
    const all = texts
      .filter(({ isJoined }) => !isJoined)
      .map(({ text }) => (isPresigned(text) ? this.#withoutSignature(text) : text));
    yield { part: all.join('\n'), way: goesTo };
    // A value may be split across several arguments.
    yield { part: all.join(''), way: goesTo };
  }

  #isOutside(address: string): boolean {
    const host = URL.parse(address.startsWith('//') ? `https:${address}` : address)?.hostname;
    return host === undefined || !(this.#allowsHost(host) || ownHost.test(host));
  }

  /** Removes a signed link's signature, which returns to the host that created it. Other secrets there still count. */
  #withoutSignature(address: string): string {
    const beside = besideSignature(address);
    if (beside !== undefined || !isPresigned(address)) return beside ?? address;
    return address.replace(/([?&](?:signature|sig)=)([^&#]*)/gi, (whole, name: string, value: string) =>
      this.#detector.detect(value).length > 0 ? whole : name,
    );
  }

  #valuesIn(text: string): Omit<ArgumentFinding, 'way'>[] {
    const found: Omit<ArgumentFinding, 'way'>[] = [];
    let left = decodedLengthMax;
    const inflate: Inflate = (bytes) => {
      const decoded = left > 0 ? this.#inflate(bytes) : undefined;
      left -= decoded?.length ?? 0;
      return decoded;
    };
    const all = readings(text, inflate);
    if (left <= 0) return [{ kind: 'secret', type: 'TOO_LARGE' }];
    for (const reading of all) {
      for (const match of reading.matchAll(token)) {
        found.push({ kind: 'token', type: (match[1] ?? match[2] ?? match[3] ?? '').toUpperCase() });
      }
      // A variable is not the value itself.
      for (const { type, value } of this.#detector.detect(reading) as { type: string; value: string }[])
        if (!/^[$%{<]|^\*+$/.test(value)) found.push({ kind: 'secret', type });
    }
    return found;
  }
}

/** True if a command sends data to another machine. */
function sends(command: string): boolean {
  const lower = command.toLowerCase();
  return network.test(command) || words.uploads.some((word) => lower.includes(word));
}

/** Minimum length of a run that can encode a secret or one of our tokens. */
const encodedMin = 14;
const base64Run = /[A-Za-z0-9+/_-]{14,}={0,2}/g;
const base32Run = /\b(?:[A-Z2-7]{24,}|[a-z2-7]{24,})\b/g;
const hexRun = /(?:[0-9a-f]{2}){12,}/gi;
const hexPairs = /\b(?:[0-9a-f]{2}[:\-., ]){11,}[0-9a-f]{2}\b/gi;
const percentDepth = 3;

/** Decompresses bytes (one character each), at least their start; undefined if they are not compressed. */
export type Inflate = (bytes: string) => string | undefined;

/** The text in every form that may hide a value, with decoded contents. */
function readings(text: string, inflate: Inflate): string[] {
  const plain = percentDecodings(text);
  const last = plain.at(-1) ?? text;
  const shown = [...plain, reversed(last), rot13(last), ...joinedWords(last)];
  for (const [run] of last.matchAll(hexPairs)) shown.push(run.replace(/[^0-9a-f]/gi, ''));
  const all = new Set(shown);
  for (const form of shown) for (const inner of decodings(form, inflate)) all.add(inner);
  return [...all];
}

/** The text, and the results of decoding its percent escapes repeatedly. */
function percentDecodings(text: string): string[] {
  const all = [text];
  for (let depth = 0; depth < percentDepth; depth++) {
    const last = all.at(-1) as string;
    if (!/%[0-9a-f]{2}/i.test(last)) break;
    try {
      all.push(decodeURIComponent(last.replace(/\+/g, ' ')));
    } catch {
      // Invalid escapes: not part of a URL.
      break;
    }
  }
  return all;
}

/** The decoded contents of a text, and the contents decoded once more. */
function decodings(text: string, inflate: Inflate, depth = 0): string[] {
  if (depth > 1) return [];
  const all: string[] = [];
  const add = (decoded: string | undefined) => {
    if (decoded === undefined || all.length >= decodedMax) return;
    const shown = printable(decoded) ?? printable(inflate(decoded));
    if (shown !== undefined) all.push(shown, ...decodings(shown, inflate, depth + 1));
  };
  for (const [run] of text.matchAll(base64Run)) {
    // A slash is both a base64 character and a path separator.
    for (const part of run.includes('/') ? [run, ...run.split('/')] : [run])
      if (part.length >= encodedMin) add(fromBase64(part));
  }
  for (const [run] of text.matchAll(base32Run)) add(fromBase32(run));
  for (const [run] of text.matchAll(hexRun))
    add(run.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))));
  return all;
}

const wordMin = 8;
const separatorMax = 3;

/**
 * Joins adjacent long words: host labels, path segments, values of several parameters. Words as short as a parameter
 * name do not separate them. The last piece may be short.
 */
function joinedWords(text: string): string[] {
  const joined: string[] = [];
  let run = '';
  let count = 0;
  const close = (last = '') => {
    if (count > 1) joined.push(run);
    if (count > 0 && last !== '') joined.push(run + last);
    run = '';
    count = 0;
  };
  for (const [word] of text.matchAll(/[\w-]+/g)) {
    if (word.length >= wordMin) {
      run += word;
      count++;
    } else if (word.length > separatorMax) close(word);
  }
  close();
  return joined.slice(0, decodedMax);
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(base + ((letter.charCodeAt(0) - base + 13) % 26));
  });
}

function fromBase64(run: string): string | undefined {
  try {
    return atob(run.replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, ''));
  } catch {
    return undefined;
  }
}

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Decodes base32 (RFC 4648, section 6). */
function fromBase32(run: string): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const letter of run.toUpperCase()) {
    value = ((value << 5) | base32.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    text += String.fromCharCode((value >> bits) & 0xff);
  }
  return text;
}

function printable(text: string | undefined): string | undefined {
  return text !== undefined && text.length >= 8 && /^[\t\r\n\x20-\x7e]+$/.test(text) ? text : undefined;
}

/** A text in the arguments, with its member name. */
type NamedText = { readonly text: string; readonly name: string | undefined; readonly isJoined?: true };

function namedTexts(value: unknown): NamedText[] {
  if (typeof value === 'string') return [{ text: value, name: undefined }];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    // The words of a command may be separate arguments.
    const isWords = value.length > 1 && value.every((word) => typeof word === 'string');
    const each = value.flatMap(namedTexts);
    return isWords ? [{ text: value.join(' '), name: undefined, isJoined: true }, ...each] : each;
  }
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member === 'string') return [{ text: member, name }];
    return namedTexts(member).map((text) => ({ ...text, name: text.name ?? name }));
  });
}

/** True if a server requests a secret from the user (elicitation), which requires a separate page (`mode: url`). */
export function asksForSecret(params: Readonly<Record<string, unknown>>): boolean {
  if (params.mode === 'url') return false;
  const schema = params.requestedSchema as { properties?: Record<string, unknown> } | undefined;
  const texts = [params.message, ...Object.keys(schema?.properties ?? {})];
  addTexts((text) => texts.push(text), schema?.properties, []);
  const lower = texts
    .filter((text) => typeof text === 'string')
    .join('\n')
    .toLowerCase();
  return words.secretFields.some((word) => new RegExp(`(?<![a-z])${word}(?:s|_|\\b|$)`, 'i').test(lower));
}
