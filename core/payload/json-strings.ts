/**
 * Lossless JSON: finds a document's string literals and replaces some of them. Everything else (numbers beyond 2^53,
 * order, spacing, escapes, duplicate keys) keeps its bytes, so signatures and prompt caches stay valid.
 */
import { PrivetError } from '../errors.ts';
import { type JsonPath, rootPath } from './json-path.ts';
import { endOfString, jsonDepthMax, weighJson } from './json-weight.ts';

/** Objects with more members are searched through an index. */
const searchedMax = 32;

/** An object or array of the document, and its position in its parent. */
export class JsonNode {
  readonly parent: JsonNode | undefined;
  /** Name in the parent object; empty below an array and at the root. */
  readonly key: string;
  /** Position in the parent array, -1 below an object and at the root. */
  readonly position: number;
  readonly isArray: boolean;
  /** Raw offsets of the container in the document; `end` is exclusive. */
  readonly start: number;
  end = -1;
  /** The string, number and literal members of this object. */
  members: JsonMember[] | undefined;
  /** The path without positions; see {@link JsonPath}. */
  readonly where: JsonPath;
  #pointer: string | undefined;
  #byKey: Map<string, JsonMember> | undefined;

  constructor(parent: JsonNode | undefined, key: string, position: number, isArray: boolean, start: number) {
    this.parent = parent;
    this.key = key;
    this.position = position;
    this.isArray = isArray;
    this.start = start;
    // The node around the document has no path.
    this.where = parent?.parent ? placeIn(parent, key) : rootPath();
  }

  /** `messages[].content`: positions as `[]`. */
  get path(): string {
    return this.where.text;
  }

  /** `messages[0].content`: with positions. */
  get pointer(): string {
    this.#pointer ??= this.parent ? pointerOf(this.parent.pointer, this.key, this.position) : '';
    return this.#pointer;
  }

  /** The member with that name; of several the last one, as in JSON.parse. */
  member(key: string): JsonMember | undefined {
    const { members } = this;
    if (members === undefined || members.length <= searchedMax)
      return members?.findLast((member) => member.key === key);
    this.#byKey ??= new Map(members.map((member) => [member.key, member]));
    return this.#byKey.get(key);
  }
}

/** The document that contains a node. */
export function rootOf(node: JsonNode): JsonNode {
  let root = node;
  while (root.parent?.parent) root = root.parent;
  return root;
}

function placeIn(node: JsonNode, key: string): JsonPath {
  return node.isArray ? node.where.element : node.where.member(key);
}

function pointerOf(parent: string, key: string, position: number): string {
  if (position >= 0) return `${parent}[${position}]`;
  return parent === '' ? key : `${parent}.${key}`;
}

/** A string, number, `true`, `false` or `null`, or the name of a member (`isKey`). */
export class JsonMember {
  readonly node: JsonNode;
  readonly key: string;
  readonly position: number;
  /** Raw offsets of the literal, quotes included; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly isString: boolean;
  readonly isKey: boolean;
  readonly hasEscape: boolean;
  readonly #json: string;
  #value: string | undefined;

  constructor(
    json: string,
    node: JsonNode,
    key: string,
    position: number,
    start: number,
    end: number,
    kind: 'string' | 'key' | 'other',
    hasEscape: boolean,
  ) {
    this.#json = json;
    this.node = node;
    this.key = key;
    this.position = position;
    this.start = start;
    this.end = end;
    this.isString = kind !== 'other';
    this.isKey = kind === 'key';
    this.hasEscape = hasEscape;
  }

  /** The decoded text of a string; the raw literal of other values. */
  get value(): string {
    if (this.#value === undefined) {
      this.#value = this.hasEscape
        ? (JSON.parse(this.#json.slice(this.start, this.end)) as string)
        : this.isString
          ? this.#json.slice(this.start + 1, this.end - 1)
          : this.#json.slice(this.start, this.end);
    }
    return this.#value;
  }

  /** The path without positions; see {@link JsonPath}. */
  get where(): JsonPath {
    return this.node.parent ? placeIn(this.node, this.key) : this.node.where;
  }

  get path(): string {
    return this.where.text;
  }

  get pointer(): string {
    return pointerOf(this.node.pointer, this.key, this.position);
  }
}

/** Replaces a raw range of a document by a literal. */
export type JsonEdit = { readonly start: number; readonly end: number; readonly literal: string };

/**
 * All scalars and member names in document order. Throws `PrivetError('invalid_json')` for invalid JSON (RFC 8259) and
 * for nesting beyond {@link jsonDepthMax}. `checked` skips the validity check for text that JSON.parse has accepted;
 * without `plainKeys`, names that only protocols use ({@link plainKeyEnd}) are left out.
 */
export function scanJson(json: string, checked = false, plainKeys = true): JsonMember[] {
  if (!checked) checkJson(json);
  return walk(json, plainKeys);
}

/** Characters of protocol names: 1 (capitals) and 2 (other letters) may start one; 4 (digits) and 8 (signs) follow. */
const keyCodes = buildKeyCodes();
const upperOrDigit = 1 | 4;

function buildKeyCodes(): Uint8Array {
  const codes = new Uint8Array(128);
  for (let code = 0; code < 128; code++) {
    const character = String.fromCharCode(code);
    if (/[A-Z]/.test(character)) codes[code] = 1;
    else if (/[a-z_$]/.test(character)) codes[code] = 2;
    else if (/\d/.test(character)) codes[code] = 4;
    else if (/[./:-]/.test(character)) codes[code] = 8;
  }
  return codes;
}

// The longest known protocol name has 27 characters; API keys have at least 32 ("sk_live_" and 24).
const plainKeyMax = 31;
// An IBAN has at least 15 letters and digits; nine digits may be a phone or identity number.
const codeMin = 15;
const plainDigitsMax = 8;

/**
 * The end of the member name at `from` if it is a protocol name: letters, digits and `_ $ . / : -`, or a number of up
 * to six digits. -1 for names that may be personal (an e-mail address), a secret or an account number.
 */
function plainKeyEnd(json: string, from: number): number {
  let at = from;
  let digits = 0;
  let seen = 0;
  const isWord = ((keyCodes[json.charCodeAt(at)] ?? 0) & 3) !== 0;
  for (const end = from + (isWord ? plainKeyMax : 6); at <= end; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x22) {
      const isCode = (seen & ~upperOrDigit) === 0 && at - from >= codeMin;
      return at > from && !isCode && digits <= plainDigitsMax ? at : -1;
    }
    const kind = keyCodes[code];
    if (!kind || !(isWord || kind === 4)) return -1;
    if (kind === 4) digits++;
    seen |= kind;
  }
  return -1;
}

/** The start of a JSON document, as opposed to prose that opens with a bracket. */
export const jsonOpening = /^\s*(?:\{|\[\s*["{])/;

/** True if the text is one JSON document. One too heavy to be parsed counts as text. */
export function isJson(json: string): boolean {
  if (weighJson(json) !== 'light') return false;
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

// The native parser checks validity, faster than a strict scanner of our own (4 KiB chat body: 9 against 30 µs). The
// walk over accepted text then only needs quotes and brackets.
function checkJson(json: string): void {
  const weight = weighJson(json);
  if (weight === 'deep') throw tooDeep();
  if (weight === 'heavy') {
    throw new PrivetError('body_too_large', 'The JSON body contains too many values, names, lists and objects.', {
      hint: 'Send it in smaller parts.',
    });
  }
  try {
    JSON.parse(json);
  } catch {
    // The engine's message quotes the text, so it is not kept as the cause.
    throw new PrivetError('invalid_json', 'The body is not valid JSON.');
  }
}

function tooDeep(): PrivetError {
  return new PrivetError('invalid_json', `The JSON body is nested deeper than ${jsonDepthMax} levels.`);
}

function walk(json: string, plainKeys: boolean): JsonMember[] {
  const found: JsonMember[] = [];
  const root = new JsonNode(undefined, '', -1, false, 0);
  let node = root;
  let depth = 0;
  let key = '';
  let position = -1;
  let expectsKey = false;
  let at = 0;
  const length = json.length;
  while (at < length) {
    const code = json.charCodeAt(at);
    switch (code) {
      case 0x22: {
        const start = at;
        if (expectsKey && !plainKeys) {
          const end = plainKeyEnd(json, at + 1);
          if (end >= 0) {
            key = json.slice(at + 1, end);
            at = end + 1;
            expectsKey = false;
            break;
          }
        }
        let escaped = false;
        at = json.indexOf('"', at + 1);
        if (json.charCodeAt(at - 1) === 0x5c || hasBackslash(json, start + 1, at)) {
          escaped = true;
          at = endOfString(json, start + 1);
        }
        at++;
        if (expectsKey) {
          const member = new JsonMember(json, node, '', -1, start, at, 'key', escaped);
          key = member.value;
          found.push(member);
          expectsKey = false;
        } else {
          const member = new JsonMember(json, node, key, position, start, at, 'string', escaped);
          found.push(member);
          if (!node.isArray) {
            if (node.members) node.members.push(member);
            else node.members = [member];
          }
        }
        break;
      }
      case 0x7b:
      case 0x5b: {
        depth++;
        if (depth > jsonDepthMax) throw tooDeep();
        const isArray = code === 0x5b;
        node = new JsonNode(node, key, position, isArray, at);
        key = '';
        position = isArray ? 0 : -1;
        expectsKey = !isArray;
        at++;
        break;
      }
      case 0x7d:
      case 0x5d: {
        depth--;
        at++;
        node.end = at;
        key = node.key;
        position = node.position;
        node = node.parent ?? root;
        expectsKey = false;
        break;
      }
      case 0x2c:
        if (node.isArray) position++;
        else expectsKey = true;
        at++;
        break;
      case 0x20:
      case 0x0a:
      case 0x0d:
      case 0x09:
      case 0x3a:
        at++;
        break;
      default: {
        const start = at;
        at++;
        while (at < length && isScalarCode(json.charCodeAt(at))) at++;
        const member = new JsonMember(json, node, key, position, start, at, 'other', false);
        found.push(member);
        if (!node.isArray) {
          if (node.members) node.members.push(member);
          else node.members = [member];
        }
      }
    }
  }
  return found;
}

function isScalarCode(code: number): boolean {
  return code > 0x2d ? code !== 0x5d && code !== 0x7d : code === 0x2b || code === 0x2d;
}

// Cheaper than indexOf for short literals: that would search to the document's next backslash.
function hasBackslash(json: string, from: number, to: number): boolean {
  if (to - from > 64) return json.slice(from, to).includes('\\');
  for (let at = from; at < to; at++) if (json.charCodeAt(at) === 0x5c) return true;
  return false;
}

/** Replaces ranges of the document. Edits must be in order and must not overlap. */
export function spliceJson(json: string, edits: readonly JsonEdit[]): string {
  if (edits.length === 0) return json;
  let result = '';
  let from = 0;
  for (const edit of edits) {
    result += json.slice(from, edit.start) + edit.literal;
    from = edit.end;
  }
  return result + json.slice(from);
}

/** The text as a JSON string literal. Escapes U+2028 and U+2029 for clients that read events as JavaScript. */
export function jsonLiteral(text: string): string {
  const literal = JSON.stringify(text);
  return /[\u2028\u2029]/.test(literal)
    ? literal.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
    : literal;
}

/** The text escaped for `levels` nested JSON strings, without quotes. */
export function jsonEscape(text: string, levels = 1): string {
  let escaped = text;
  for (let level = 0; level < levels; level++) escaped = jsonLiteral(escaped).slice(1, -1);
  return escaped;
}

/** Length of the literal that encodes the UTF-16 code unit at `at`. */
export function literalLength(json: string, at: number): number {
  return json[at] !== '\\' ? 1 : json[at + 1] === 'u' ? 6 : 2;
}

/** True if a text may be a JSON document; a cheap check before parsing. */
export function looksLikeJson(text: string): boolean {
  if (text.length < 2) return false;
  const first = text.charCodeAt(0);
  // Most texts start with a letter.
  if (first > 0x22 && first !== 0x5b && first !== 0x7b) return false;
  const head = text.trimStart().charCodeAt(0);
  const tail = text.trimEnd().slice(-1);
  return (head === 0x7b && tail === '}') || (head === 0x5b && tail === ']') || (head === 0x22 && tail === '"');
}
