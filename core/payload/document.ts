/**
 * A text with texts in it: plain, JSON, JSON in a string of JSON, base64 of text. Each kind lists its texts and
 * puts changed ones back, escaped for where they stand; what did not change keeps its bytes.
 */

import { wireFormats } from '../formats/index.ts';
import type { WireFormats } from '../formats/wire-formats.ts';
import { typeOfHeading } from '../records/headings.ts';
import { dataUrlOf, dataUrlsIn, decodedBase64, isDocument, isTextInBase64 } from './base64.ts';
import { contentHeadLength, openContent } from './content.ts';
import { unfolded } from './folded-lines.ts';
import {
  isJson,
  type JsonEdit,
  type JsonMember,
  type JsonNode,
  jsonLiteral,
  scanJson,
  spliceJson,
} from './json-strings.ts';
import { isLabel, isPersonsName } from './labelled.ts';
import type { UninspectableKind } from './media.ts';
import { percentDecoded, percentEncoded } from './percent.ts';
import { isSdp, openSdp } from './sdp.ts';
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
  rewritePieces,
  type Seal,
  type TextDocument,
  type UninspectablePart,
} from './text-document.ts';

export type { Changes, Findings, Piece, Seal, TextDocument, UninspectablePart } from './text-document.ts';
export { noteLabel, openPlain, rewritePieces } from './text-document.ts';

// JSON in JSON in JSON in a form field is the deepest that is known; beyond this it is text.
const nestingMax = 8;
// A number of this many digits in a document that came as a string may be a card or an identity number; fewer are one where
// their name says so.
const longNumber = /^-?\d{12,}$/;
const labelledNumber = /^\d{7,}$/;

type Slot = {
  readonly start: number;
  readonly end: number;
  readonly document: TextDocument;
};

/** How a JSON document is looked at. */
export type JsonView = {
  /** Levels of strings around the document; 0 for a body. */
  readonly level: number;
  /** False where no name has a meaning for us (arguments of tools): then only binary and opaque strings are left out. */
  readonly hasStructure: boolean;
  /** The document opens a connection: secrets in it are for the receiver. */
  readonly opensConnection?: boolean;
};

/** A JSON document with its string leaves; `checked` when JSON.parse has accepted the text. Throws `invalid_json`. */
export class JsonDocument implements TextDocument {
  readonly #json: string;
  readonly #slots: Slot[] = [];

  constructor(json: string, findings: Findings, view: JsonView, checked = false) {
    this.#json = json;
    const formats = findings.formats ?? wireFormats;
    let tokenArray: unknown;
    for (const member of scanJson(json, checked, false)) {
      let document: TextDocument | undefined;
      if (member.isKey) {
        document = openPlain(member.value, findings);
      } else if (member.isString) {
        const at = findings.leaves.length;
        document = openMember(member, findings, view);
        if (document) noteLabel(findings, at, nameOf(member), member.value, isData(member, view, formats));
        if (view.hasStructure && (view.opensConnection || isCredential(member, formats))) keepSecrets(findings, at);
      } else if (view.hasStructure && member.node.isArray && member.node !== tokenArray && isTokenIds(member)) {
        tokenArray = member.node;
        findings.uninspectable.push({ kind: 'binary', pointer: member.node.pointer });
      } else if ((member.end - member.start >= 7 || isShortSecret(member)) && isPersonsNumber(member, view, formats)) {
        const at = findings.leaves.length;
        document = openPlain(member.value, findings);
        noteLabel(findings, at, nameOf(member), member.value, true);
      }
      if (document) this.#slots.push({ start: member.start, end: member.end, document });
    }
  }

  rewrite(changes: Changes): string | undefined {
    const edits: JsonEdit[] = [];
    for (const slot of this.#slots) {
      const text = slot.document.rewrite(changes);
      if (text !== undefined) edits.push({ start: slot.start, end: slot.end, literal: jsonLiteral(text) });
    }
    return edits.length === 0 ? undefined : spliceJson(this.#json, edits);
  }
}

/** Secrets in the texts from a position on are for the receiver. */
function keepSecrets(findings: Findings, from: number): void {
  for (let at = from; at < findings.leaves.length; at++) {
    const name = findings.labels?.get(at);
    findings.labels ??= new Map();
    findings.labels.set(at, { name: typeof name === 'object' ? name.name : name });
  }
}

/** Names of lists of heads, whose rows are another member beside them. */
const listOfHeads = /^(?:columns|headers?|heads|header_?row|fields|names|cols|keys|column_?names)$/i;
/** Of a list of rows, or of an object with one, the row or list that was seen first, and the texts in it. */
const heads = new WeakMap<JsonNode, { readonly row: JsonNode; readonly texts: string[] }>();
const columnsMax = 500;

/** The head of the column of a cell: `[["phone",…],["030…",…]]`, `{"columns":["phone",…],"rows":[["030…",…]]}`. */
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

/** The nearest name: elements of an array are what the array is named after, and cells of a row what their column is. */
function nameOf(member: JsonMember): string {
  const { node, key } = member;
  const head = headOf(member);
  if (head !== undefined) return head;
  let name = node.isArray ? '' : key;
  for (let at: JsonNode | undefined = node; name === '' && at !== undefined; at = at.parent) name = at.key;
  return name;
}

/** `"cvv": 737`. */
function isShortSecret(member: JsonMember): boolean {
  if (member.end - member.start < 3) return false;
  const type = typeOfHeading(nameOf(member));
  return type === 'CARD_CVV' || type === 'OTP_CODE';
}

function isPersonsNumber(member: JsonMember, view: JsonView, formats: WireFormats): boolean {
  const { value } = member;
  const isNamed = (labelledNumber.test(value) || isShortSecret(member)) && isLabel(nameOf(member), value, true);
  if (isData(member, view, formats)) return isNamed || longNumber.test(value);
  return isNamed && isInRecord(member, formats) && isPersonsName(nameOf(member));
}

/**
 * Opens a text as JSON where it is JSON (also a quoted string of it), as what files in `data:` addresses and it stand for,
 * else takes it as plain text.
 */
export function openText(raw: string, findings: Findings, level: number): TextDocument {
  const text = unfolded(raw);
  if (level < nestingMax && looksLikeJson(text) && isJson(text)) {
    return new JsonDocument(text, findings, { level, hasStructure: false }, true);
  }
  if (isSdp(text)) return openSdp(text, findings);
  const urls = level < nestingMax ? dataUrlsIn(text) : [];
  return urls.length === 0 ? openPlain(text, findings) : new TextWithFiles(text, urls, findings, level);
}

/** A text with `data:` addresses of texts and documents in it. */
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
      this.#pieces.push({ raw, document: openBase64(raw, { pointer: 'data:' }, findings, level) });
      from = end;
    }
    addText(text.length);
  }

  rewrite(changes: Changes): string | undefined {
    return rewritePieces(this.#pieces, changes);
  }
}

/** Cheap test before a parser is asked. */
export function looksLikeJson(text: string): boolean {
  if (text.length < 2) return false;
  const first = text.charCodeAt(0);
  // Most texts start with a letter.
  if (first > 0x22 && first !== 0x5b && first !== 0x7b) return false;
  const head = text.trimStart().charCodeAt(0);
  const tail = text.trimEnd().slice(-1);
  return (head === 0x7b && tail === '}') || (head === 0x5b && tail === ']') || (head === 0x22 && tail === '"');
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
    // Whatever is called so: a text or a file that anybody can read is none that only the provider can.
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

/** As a whole, since other names begin in the same way: `page_content`, `statement`. */
const cursorName =
  /(?:cursor(?:_?(?:mark|id|token))?|(?:page|pagination|next|prev|sync|resume|continuation)_?token|next_?marker|continuation)$|^(?:(?:next|prev(?:ious)?)(?:_?page)?|page|after|before|since|offset|state|checkpoint)(?:_?(?:id|key|token))?$/i;

/**
 * True for a value that is base64 of a text. What has a name for itself (a key, a password) is looked at with it; a cursor is a
 * service's own.
 */
export function isCodedText(name: string, value: string, isData: boolean): boolean {
  return isTextInBase64(value) && !cursorName.test(name) && !isLabel(name, value, isData);
}

/** True for text that a provider has signed: it must come back as it was sent (thinking blocks). */
export function isSealed(member: JsonMember, formats = wireFormats): boolean {
  return sealOf(member, formats) !== undefined;
}

/** What seals a text of reasoning; undefined for any other text. */
function sealOf(member: JsonMember, formats: WireFormats): Seal | undefined {
  const { node, key, pointer } = member;
  if (key !== 'thinking' && key !== 'text' && key !== 'data' && key !== 'summary') return undefined;
  if (node.isArray || !node.members || node.members.length < 2) return undefined;
  if (formats.opaqueTypes.has(node.member('type')?.value ?? '')) return { signature: '', pointer, isVerified: true };
  for (const signatureOf of formats.signatures) {
    const found = signatureOf(member);
    if (found) return found.signature.isString ? { ...found, signature: found.signature.value, pointer } : undefined;
  }
  return undefined;
}

function isTokenIds(member: JsonMember): boolean {
  const key = member.node.key === '' ? member.node.parent?.key : member.node.key;
  return (key === 'prompt' || key === 'input') && /^\d/.test(member.value);
}

function isData(member: JsonMember, view: JsonView, formats: WireFormats): boolean {
  return view.level > 0 || !view.hasStructure || mayHoldNumbers(member, formats);
}

type Base64Hints = { readonly pointer: string; readonly mediaType?: string; readonly otherwise?: UninspectableKind };

/** Base64, with or without a `data:` prefix, of whatever it holds. */
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
  try {
    // Four characters stand for three bytes; line ends between them shorten the head.
    const first = encoded.slice(0, (contentHeadLength / 3) * 4).replaceAll(/\s/g, '');
    const source = { head: decoded(first.slice(0, first.length & ~3)), all: () => decoded(encoded) };
    inner = openContent(source, hints, findings, level + 1);
  } catch {
    findings.uninspectable.push({ kind: hints.otherwise ?? 'binary', pointer: hints.pointer });
  }
  return {
    rewrite(changes) {
      const newHead = head?.rewrite(changes);
      const changed = inner?.rewrite(changes);
      if (newHead === undefined && changed === undefined) return undefined;
      const coded = changed === undefined ? encoded : btoa(changed);
      const isUrlSafe = changed !== undefined && /[-_]/.test(encoded);
      const body = isUrlSafe ? coded.replaceAll('+', '-').replaceAll('/', '_') : coded;
      return (newHead ?? value.slice(0, start)) + body;
    },
  };
}

/** The same where any text may stand in its place. */
function openReplaceable(
  value: string,
  hints: Base64Hints,
  findings: Findings,
  level: number,
): TextDocument | undefined {
  const { uninspectable } = findings;
  const first = uninspectable.length;
  // A member that is called a file may hold anything; its bytes tell documents that can be opened.
  const otherwise = hints.otherwise === 'document' ? 'binary' : hints.otherwise;
  const inner = openBase64(value, otherwise === undefined ? hints : { ...hints, otherwise }, findings, level);
  const part = uninspectable[first];
  if (part === undefined) return inner;
  uninspectable[first] = { ...part, isReplaceable: true };
  return {
    rewrite(changes) {
      // Also where its own new text is not needed: texts are taken in order.
      const changed = inner?.rewrite(changes);
      return changes.replacement?.(first) ?? changed;
    },
  };
}

/** Throws when it is damaged. */
function decoded(encoded: string): string {
  const bytes = decodedBase64(encoded);
  if (bytes === undefined) throw new RangeError('The base64 is damaged.');
  return bytes;
}

const namesNothing =
  /^\s*data:(?:[a-z]+\/(?!(?:[^\s;\d]*\d){9})[\w.+-]+)?\s*(?:;\s*(?:charset="?[\w-]+"?|base64)\s*)*,?$/i;

/** What stands before the content of a `data:` address: programs write the name of the file there, percent-encoded. */
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
