/**
 * A text that contains texts: plain, JSON, JSON in a JSON string, base64. Each kind lists its texts and writes changed
 * ones back with the required escaping. Everything else keeps its bytes.
 */

import { wireFormats } from '../formats/index.ts';
import type { WireFormats } from '../formats/wire-formats.ts';
import { typeOfHeading } from '../records/headings.ts';
import { AdjoiningParts } from './adjoining.ts';
import { codedWordsIn, dataUrlOf, dataUrlsIn, decodedBase64, isDocument, isTextInBase64, textInHex } from './base64.ts';
import { bytesToChars, type EncodedText, readText, readWideText } from './body-text.ts';
import { contentHeadLength, openContent } from './content.ts';
import { unfolded } from './folded-lines.ts';
import {
  isJson,
  type JsonEdit,
  type JsonMember,
  type JsonNode,
  jsonLiteral,
  looksLikeJson,
  scanJson,
  spliceJson,
} from './json-strings.ts';
import { isCodedText, isLabel, isPersonsName } from './labelled.ts';
import { decodedWords } from './mail.ts';
import type { UninspectableKind } from './media.ts';
import { percentDecoded, percentEncoded } from './percent.ts';
import { isSdp, openSdp } from './sdp.ts';
import { sealOf } from './sealed.ts';
import {
  besideSignatureOf,
  binaryString,
  isCredential,
  isInRecord,
  isOpaqueText,
  isStructuralMember,
  mayHoldNumbers,
} from './structure.ts';
import {
  type Changes,
  type Findings,
  noteLabel,
  openPlain,
  type Piece,
  plainText,
  rewritePieces,
  type TextDocument,
  type UninspectablePart,
} from './text-document.ts';

export type { Changes, Findings, Piece, Seal, TextDocument, UninspectablePart } from './text-document.ts';
export { noteLabel, openPlain, rewritePieces } from './text-document.ts';

// The deepest known body is JSON in JSON in JSON in a form field. Deeper text is treated as plain.
const nestingMax = 8;
// A number with this many digits in tool data may be a card or identity number. For shorter ones the name decides.
const longNumber = /^-?\d{12,}$/;
const labelledNumber = /^\d{7,}$/;

type Slot = {
  readonly start: number;
  readonly end: number;
  readonly document: TextDocument;
  readonly isNumber: boolean;
  /** True if the literal contains no escapes, so the leaf is the literal without its quotes. */
  readonly isBare: boolean;
};

/** How a JSON document is read. */
export type JsonView = {
  /** Number of strings that enclose the document; 0 for a body. */
  readonly level: number;
  /** False where names have no known meaning (tool arguments): only binary and opaque strings are skipped there. */
  readonly hasStructure: boolean;
  /** True if the document opens a connection, so its secrets are meant for the receiver. */
  readonly opensConnection?: boolean;
};

/** A JSON document and its strings. `checked`: JSON.parse has accepted the text. Throws `invalid_json`. */
export class JsonDocument implements TextDocument {
  readonly #json: string;
  readonly #slots: Slot[] = [];
  readonly #findings: Findings;

  constructor(json: string, findings: Findings, view: JsonView, checked = false) {
    this.#json = json;
    const formats = findings.formats ?? wireFormats;
    this.#findings = findings;
    let tokenArray: unknown;
    const adjoining = new AdjoiningParts(findings);
    for (const member of scanJson(json, checked, false)) {
      let document: TextDocument | undefined;
      if (member.isKey) {
        document = openPlain(member.value, findings);
      } else if (member.isString) {
        const at = findings.leaves.length;
        document = openMember(member, findings, view);
        if (document && findings.leaves.length === at + 1) adjoining.add(member, at);
        if (document) noteLabel(findings, at, nameOf(member), member.value, isData(member, view, formats));
        if (view.hasStructure && (view.opensConnection || isCredential(member, formats))) keepSecrets(findings, at);
      } else if (view.hasStructure && member.node.isArray && member.node !== tokenArray && isTokenIds(member)) {
        tokenArray = member.node;
        findings.uninspectable.push({ kind: 'binary', pointer: member.node.pointer });
      } else if (member.end - member.start >= 7 || isShortSecret(member)) {
        const value = wholeNumber(member.value);
        if (isPersonsNumber(member, value, view, formats)) {
          const at = findings.leaves.length;
          document = openPlain(value, findings);
          noteLabel(findings, at, nameOf(member), value, true);
        }
      }
      const isNumber = !member.isString && !member.isKey;
      if (!document) continue;
      const isBare = document === plainText && !member.hasEscape && findings.leaves.at(-1) === member.value;
      this.#slots.push({ start: member.start, end: member.end, document, isNumber, isBare });
    }
  }

  rewrite(changes: Changes): string | undefined {
    const edits: JsonEdit[] = [];
    for (const slot of this.#slots) {
      const text = slot.document.rewrite(changes);
      if (text === undefined) continue;
      // Tokens need no escapes either.
      const literal = slot.isBare && !slot.isNumber && changes.isTokensOnly ? `"${text}"` : jsonLiteral(text);
      edits.push({ start: slot.start, end: slot.end, literal });
      if (slot.isNumber || wholeToken.test(text)) this.#note(slot.isNumber ? 'numbers' : 'strings', text);
    }
    return edits.length === 0 ? undefined : spliceJson(this.#json, edits);
  }

  #note(kind: 'numbers' | 'strings', text: string): void {
    const noted = this.#findings[kind] ?? new Set<string>();
    noted.add(text);
    this.#findings[kind] = noted;
  }
}

const wholeToken = /^\[[A-Z][A-Z_]*-\d+\]$/;

/** Marks the texts from an index on as containing secrets meant for the receiver. */
function keepSecrets(findings: Findings, from: number): void {
  for (let at = from; at < findings.leaves.length; at++) {
    const name = findings.labels?.get(at);
    findings.labels ??= new Map();
    findings.labels.set(at, { name: typeof name === 'object' ? name.name : name });
  }
}

/** Names of lists of column headings, whose rows are in a sibling member. */
const listOfHeads = /^(?:columns|headers?|heads|header_?row|fields|names|cols|keys|column_?names)$/i;
/** The first row of a list of rows, or the headings of an object, and the texts in it. */
const heads = new WeakMap<JsonNode, { readonly row: JsonNode; readonly texts: string[] }>();
const columnsMax = 500;

/** The heading of a cell's column: `[["phone",…],["030…",…]]`, `{"columns":["phone",…],"rows":[["030…",…]]}`. */
function headOf({ node, position, value, isString }: JsonMember): string | undefined {
  const { parent } = node;
  if (!node.isArray || parent === undefined || position >= columnsMax) return undefined;
  let own = heads.get(parent) ?? (parent.isArray && parent.parent ? heads.get(parent.parent) : undefined);
  if (own === undefined && (parent.isArray || listOfHeads.test(node.key))) {
    own = { row: node, texts: [] };
    heads.set(parent, own);
  }
  if (own === undefined || !parent.isArray || own.row === node) {
    if (own?.row === node && isString) own.texts[position] = value;
    return undefined;
  }
  return own.texts[position];
}

/** The nearest name: an array element takes the array's name, a table cell its column heading. */
function nameOf(member: JsonMember): string {
  const { node, key } = member;
  const head = headOf(member);
  if (head !== undefined) return head;
  let name = node.isArray ? '' : key;
  for (let at: JsonNode | undefined = node; name === '' && at !== undefined; at = at.parent) name = at.key;
  return name;
}

/** True for a short numeric secret: `"cvv": 737`. */
function isShortSecret(member: JsonMember): boolean {
  if (member.end - member.start < 3) return false;
  const type = typeOfHeading(nameOf(member));
  return type === 'CARD_CVV' || type === 'OTP_CODE';
}

/** A number as its digits: programs write tables with gaps as `4111111111111111.0`. */
function wholeNumber(value: string): string {
  return /[.e]/i.test(value) && Number.isSafeInteger(Number(value)) ? String(Number(value)) : value;
}

function isPersonsNumber(member: JsonMember, value: string, view: JsonView, formats: WireFormats): boolean {
  const isNamed = (labelledNumber.test(value) || isShortSecret(member)) && isLabel(nameOf(member), value, true);
  if (isData(member, view, formats)) return isNamed || longNumber.test(value);
  return isNamed && isInRecord(member, formats) && isPersonsName(nameOf(member));
}

/** Opens a text as JSON (including a quoted string), SDP, text with `data:` URLs, or plain text. */
export function openText(raw: string, findings: Findings, level: number): TextDocument {
  const plain = unfolded(raw);
  if (level < nestingMax && looksLikeJson(plain) && isJson(plain)) {
    return new JsonDocument(plain, findings, { level, hasStructure: false }, true);
  }
  // Only after JSON: a decoded quote would end its strings.
  const text = plain.includes('=?') ? decodedWords(plain) : plain;
  if (isSdp(text)) return openSdp(text, findings);
  const files = level < nestingMax ? filesIn(text) : [];
  return files.length === 0 ? openPlain(text, findings) : new TextWithFiles(text, files, findings, level);
}

/** Opens a hexadecimal word; undefined if it does not encode text. */
function openHex(word: string, findings: Findings, level: number): TextDocument | undefined {
  const bytes = textInHex(word);
  if (bytes === undefined) return undefined;
  const wide = readWideText(bytes);
  const inner = openText(wide?.text ?? readText(bytes) ?? '', findings, level + 1);
  return {
    rewrite(changes) {
      const changed = inner.rewrite(changes);
      if (changed === undefined) return undefined;
      const chars = wide?.encode(changed) ?? bytesToChars(new TextEncoder().encode(changed));
      const hex = Array.from(chars, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
      return (word.startsWith('0x') ? '0x' : '') + (/[A-F]/.test(word) ? hex.toUpperCase() : hex);
    },
  };
}

/** The base64 and hexadecimal content of a text, with or without a `data:` prefix. */
function filesIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  const urls = dataUrlsIn(text);
  const words = codedWordsIn(text);
  if (words.length === 0) return urls;
  const apart = words.filter((word) => !urls.some((url) => word.start < url.end && url.start < word.end));
  return [...urls, ...apart].sort((a, b) => a.start - b.start);
}

/** A text that contains base64 texts and documents. */
class TextWithFiles implements TextDocument {
  readonly #pieces: Piece[] = [];

  constructor(text: string, urls: readonly { start: number; end: number }[], findings: Findings, level: number) {
    let from = 0;
    const addText = (until: number) => {
      const raw = text.slice(from, until);
      if (raw !== '') this.#pieces.push({ raw, document: raw.trim() === '' ? undefined : openPlain(raw, findings) });
    };
    for (const { start, end } of urls) {
      addText(start);
      const raw = text.slice(start, end);
      const document = openHex(raw, findings, level) ?? openBase64(raw, { pointer: 'data:' }, findings, level);
      this.#pieces.push({ raw, document });
      from = end;
    }
    addText(text.length);
  }

  rewrite(changes: Changes): string | undefined {
    return rewritePieces(this.#pieces, changes);
  }
}

function openMember(member: JsonMember, findings: Findings, view: JsonView): TextDocument | undefined {
  const value = member.value;
  if (value === '') return undefined;
  const formats = findings.formats ?? wireFormats;
  const seal = sealOf(member, formats);
  if (seal !== undefined) {
    if (!isOpaqueText(value)) {
      findings.seals ??= new Map();
      findings.seals.set(findings.leaves.length, seal);
      return openPlain(value, findings);
    }
    // The name suggests that only the provider can read it; a readable text or file proves otherwise.
    if (!isTextInBase64(value) && !isDocument(value)) return undefined;
  }
  const binary = binaryString(member, view.hasStructure, formats);
  if (binary) {
    const hints = { ...binary, pointer: member.pointer };
    return isData(member, view, formats)
      ? openReplaceable(value, hints, findings, view.level)
      : openBase64(value, hints, findings, view.level);
  }
  if (isStructuralMember(member, view.hasStructure, formats)) return undefined;
  const besideSignature = view.hasStructure ? besideSignatureOf(member, formats) : undefined;
  if (besideSignature !== undefined) {
    findings.sealed.push(besideSignature);
    return undefined;
  }
  if (view.level < nestingMax && isCodedText(nameOf(member), value, isData(member, view, formats))) {
    return openBase64(value, { pointer: member.pointer }, findings, view.level);
  }
  const parts = findings.uninspectable.length;
  const document = openText(value, findings, view.level + 1);
  for (let at = parts; at < findings.uninspectable.length; at++) {
    const part = findings.uninspectable[at] as UninspectablePart;
    findings.uninspectable[at] = { ...part, pointer: `${member.pointer}: ${part.pointer}` };
  }
  return document;
}

function isTokenIds(member: JsonMember): boolean {
  const key = member.node.key === '' ? member.node.parent?.key : member.node.key;
  return (key === 'prompt' || key === 'input') && /^\d/.test(member.value);
}

function isData(member: JsonMember, view: JsonView, formats: WireFormats): boolean {
  return view.level > 0 || !view.hasStructure || mayHoldNumbers(member, formats);
}

type Base64Hints = { readonly pointer: string; readonly mediaType?: string; readonly otherwise?: UninspectableKind };

/** Opens base64 with or without a `data:` prefix, whatever it contains. */
export function openBase64(
  value: string,
  hints: Base64Hints,
  findings: Findings,
  level: number,
): TextDocument | undefined {
  const start = dataUrlOf(value)?.start ?? 0;
  const encoded = value.slice(start);
  const head = start === 0 ? undefined : openDataHead(value.slice(0, start), findings);
  let inner: TextDocument | undefined;
  let wide: EncodedText | undefined;
  try {
    // Four characters encode three bytes; line breaks among them shorten the head.
    const first = encoded.slice(0, (contentHeadLength / 3) * 4).replaceAll(/\s/g, '');
    const source = { head: decoded(first.slice(0, first.length & ~3)), all: () => decoded(encoded) };
    wide = isTextInBase64(encoded) ? readWideText(source.all()) : undefined;
    inner = wide ? openText(wide.text, findings, level + 1) : openContent(source, hints, findings, level + 1);
  } catch {
    findings.uninspectable.push({ kind: hints.otherwise ?? 'binary', pointer: hints.pointer });
  }
  return {
    rewrite(changes) {
      const newHead = head?.rewrite(changes);
      const text = inner?.rewrite(changes);
      const changed = text === undefined ? undefined : (wide?.encode(text) ?? text);
      if (newHead === undefined && changed === undefined) return undefined;
      const coded = changed === undefined ? encoded : btoa(changed);
      const isUrlSafe = changed !== undefined && /[-_]/.test(encoded);
      const body = isUrlSafe ? coded.replaceAll('+', '-').replaceAll('/', '_') : coded;
      return (newHead ?? value.slice(0, start)) + body;
    },
  };
}

/** Like {@link openBase64}, for a value that any text may replace. */
function openReplaceable(
  value: string,
  hints: Base64Hints,
  findings: Findings,
  level: number,
): TextDocument | undefined {
  const { uninspectable } = findings;
  const first = uninspectable.length;
  // A member named `file` may contain anything; its bytes show whether it is a document we can open.
  const otherwise = hints.otherwise === 'document' ? 'binary' : hints.otherwise;
  const inner = openBase64(value, otherwise === undefined ? hints : { ...hints, otherwise }, findings, level);
  const part = uninspectable[first];
  if (part === undefined) return inner;
  uninspectable[first] = { ...part, isReplaceable: true };
  return {
    rewrite(changes) {
      // Rewrite even if replaced: texts are consumed in order.
      const changed = inner?.rewrite(changes);
      return changes.replacement?.(first) ?? changed;
    },
  };
}

/** Decodes base64; throws if it is invalid. */
function decoded(encoded: string): string {
  const bytes = decodedBase64(encoded);
  if (bytes === undefined) throw new RangeError('The base64 is damaged.');
  return bytes;
}

const namesNothing =
  /^\s*data:(?:[a-z]+\/(?!(?:[^\s;\d]*\d){9})[\w.+-]+)?\s*(?:;\s*(?:charset="?[\w-]+"?|base64)\s*)*,?$/i;

/** The head of a `data:` URL, where some programs put the percent-encoded file name. */
function openDataHead(head: string, findings: Findings): TextDocument | undefined {
  if (namesNothing.test(head)) return undefined;
  const inner = openPlain(percentDecoded(head), findings);
  const isEncoded = head.includes('%');
  return {
    rewrite(changes) {
      const changed = inner.rewrite(changes);
      if (changed === undefined || !isEncoded) return changed;
      return percentEncoded(changed).replaceAll(/%(3A|2F|3B|3D|2B|2C(?=$))/g, (sign) => decodeURIComponent(sign));
    },
  };
}
