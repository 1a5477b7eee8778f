/**
 * A text with texts in it: plain, JSON, JSON in a string of JSON, base64 of text. Each kind lists its texts and
 * puts changed ones back, escaped for where they stand; what did not change keeps its bytes.
 */
import { typeOfHeading } from '../records/headings.ts';
import { codedWordsIn, dataUrlOf, dataUrlsIn, decodedBase64, isDocument, isTextInBase64 } from './base64.ts';
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
import { isLabel, isPersonsName, type TextLabel } from './labelled.ts';
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

/** A part of a body that cannot be read as text: where it stands (`messages[0].content[1].image_url.url`) and what it is. */
export type UninspectablePart = {
  readonly kind: UninspectableKind;
  readonly pointer: string;
  readonly mediaType?: string;
  readonly fileName?: string;
  /** Its content; absent for what has none that could be opened (token ids). */
  readonly bytes?: () => Uint8Array;
  /** It stands where any text may stand, so that another one can be put in its place: in the results of tools. */
  readonly isReplaceable?: boolean;
};

/** What is found while documents are opened. */
export type Findings = {
  /** Texts to inspect, in document order. */
  readonly leaves: string[];
  /** What is known of a text by its place, by position of {@link leaves}. */
  labels?: Map<number, TextLabel>;
  /** Which {@link leaves} a provider has signed, by position. */
  seals?: Map<number, Seal>;
  /** What of presigned URLs is no part of their signature: it can be inspected but not rewritten. */
  readonly sealed: string[];
  readonly uninspectable: UninspectablePart[];
  /** What was written in place of numbers, and in place of whole strings of JSON; known once the body is rewritten. */
  numbers?: Set<string>;
  strings?: Set<string>;
};

/** What is known of a text of reasoning that stands beside a signature. */
export type Seal = {
  /** Empty where the text itself is opaque to everybody but the provider. */
  readonly signature: string;
  readonly pointer: string;
  /** The provider refuses another text. Gemini's signature stands for thoughts that the text only sums up. */
  readonly isVerified: boolean;
};

/** What is new in a body. */
export type Changes = {
  /** Takes the new text of the next leaf; undefined when it did not change. */
  readonly text: () => string | undefined;
  /** New bytes of a part, by its position in {@link Findings.uninspectable}; undefined when they did not change. */
  readonly part: (index: number) => Uint8Array | undefined;
  /** The text in place of a part that is {@link UninspectablePart.isReplaceable}; undefined where it stays. */
  readonly replacement?: (index: number) => string | undefined;
};

/** An opened text. `rewrite` takes one text per leaf, in order; undefined when nothing changed. */
export interface TextDocument {
  rewrite(changes: Changes): string | undefined;
}

const plainText: TextDocument = { rewrite: (changes) => changes.text() };

/** Takes the whole text as one leaf. */
export function openPlain(text: string, findings: Findings): TextDocument {
  findings.leaves.push(text);
  return plainText;
}

// JSON in JSON in JSON in a form field is the deepest that is known (gemini.google.com); beyond this it is text.
const nestingMax = 8;
// A number of this many digits in a document that came as a string may be a card or an identity number; fewer are one where
// their name says so.
const longNumber = /^-?\d{12,}$/;
const labelledNumber = /^\d{7,}$/;

type Slot = {
  readonly start: number;
  readonly end: number;
  readonly document: TextDocument;
  readonly isNumber: boolean;
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
  readonly #findings: Findings;

  constructor(json: string, findings: Findings, view: JsonView, checked = false) {
    this.#json = json;
    this.#findings = findings;
    let tokenArray: unknown;
    for (const member of scanJson(json, checked, false)) {
      let document: TextDocument | undefined;
      if (member.isKey) {
        document = openPlain(member.value, findings);
      } else if (member.isString) {
        const at = findings.leaves.length;
        document = openMember(member, findings, view);
        if (document) noteLabel(findings, at, nameOf(member), member.value, isData(member, view));
        if (view.hasStructure && (view.opensConnection || isCredential(member))) keepSecrets(findings, at);
      } else if (view.hasStructure && member.node.isArray && member.node !== tokenArray && isTokenIds(member)) {
        tokenArray = member.node;
        findings.uninspectable.push({ kind: 'binary', pointer: member.node.pointer });
      } else if ((member.end - member.start >= 7 || isShortSecret(member)) && isPersonsNumber(member, view)) {
        const at = findings.leaves.length;
        document = openPlain(member.value, findings);
        noteLabel(findings, at, nameOf(member), member.value, true);
      }
      const isNumber = !member.isString && !member.isKey;
      if (document) this.#slots.push({ start: member.start, end: member.end, document, isNumber });
    }
  }

  rewrite(changes: Changes): string | undefined {
    const edits: JsonEdit[] = [];
    for (const slot of this.#slots) {
      const text = slot.document.rewrite(changes);
      if (text === undefined) continue;
      edits.push({ start: slot.start, end: slot.end, literal: jsonLiteral(text) });
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

/** Keeps the name of a text that is one leaf as it is. */
export function noteLabel(findings: Findings, at: number, name: string, value: string, isData: boolean): void {
  if (findings.leaves.length !== at + 1 || findings.leaves[at] !== value || !isLabel(name, value, isData)) return;
  findings.labels ??= new Map();
  findings.labels.set(at, name);
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

function isPersonsNumber(member: JsonMember, view: JsonView): boolean {
  const { value } = member;
  const isNamed = (labelledNumber.test(value) || isShortSecret(member)) && isLabel(nameOf(member), value, true);
  if (isData(member, view)) return isNamed || longNumber.test(value);
  return isNamed && isInRecord(member) && isPersonsName(nameOf(member));
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
  const files = level < nestingMax ? filesIn(text) : [];
  return files.length === 0 ? openPlain(text, findings) : new TextWithFiles(text, files, findings, level);
}

/** What stands in a text in base64, with or without `data:` before it. */
function filesIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  const urls = dataUrlsIn(text);
  const words = codedWordsIn(text);
  if (words.length === 0) return urls;
  const apart = words.filter((word) => !urls.some((url) => word.start < url.end && url.start < word.end));
  return [...urls, ...apart].sort((a, b) => a.start - b.start);
}

/** A piece of a text as it came, opened where there is something to look at. */
export type Piece = { readonly raw: string; readonly document: TextDocument | undefined };

/** The pieces in a row with what is new in them; undefined when nothing changed. */
export function rewritePieces(pieces: readonly Piece[], changes: Changes): string | undefined {
  let changed = false;
  const texts = pieces.map(({ raw, document }) => {
    const text = document?.rewrite(changes);
    if (text !== undefined) changed = true;
    return text ?? raw;
  });
  return changed ? texts.join('') : undefined;
}

/** A text with texts and documents in base64 in it. */
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
  const seal = sealOf(member);
  if (seal !== undefined) {
    if (!isOpaqueText(value)) {
      findings.seals ??= new Map();
      findings.seals.set(findings.leaves.length, seal);
      return openPlain(value, findings);
    }
    // Whatever is called so: a text or a file that anybody can read is none that only the provider can.
    if (!isTextInBase64(value) && !isDocument(value)) return undefined;
  }
  const binary = binaryString(member, view.hasStructure);
  if (binary) {
    const hints = { ...binary, pointer: member.pointer };
    return isData(member, view)
      ? openReplaceable(value, hints, findings, view.level)
      : openBase64(value, hints, findings, view.level);
  }
  if (isStructuralMember(member, view.hasStructure)) return undefined;
  const besideSignature = view.hasStructure ? besideSignatureOf(member) : undefined;
  if (besideSignature !== undefined) {
    findings.sealed.push(besideSignature);
    return undefined;
  }
  if (view.level < nestingMax && isCodedText(nameOf(member), value, isData(member, view))) {
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
export function isSealed(member: JsonMember): boolean {
  return sealOf(member) !== undefined;
}

const opaqueReasoning = /^(?:redacted_thinking|reasoning\.encrypted)$/;

/** What seals a text of reasoning; undefined for any other text. */
function sealOf(member: JsonMember): Seal | undefined {
  const { node, key } = member;
  if (key !== 'thinking' && key !== 'text' && key !== 'data' && key !== 'summary') return undefined;
  if (node.isArray || !node.members || node.members.length < 2) return undefined;
  const type = node.member('type')?.value;
  if (opaqueReasoning.test(type ?? '')) return { signature: '', pointer: member.pointer, isVerified: true };
  const isThought = node.member('thought')?.value === 'true';
  const ofThought = isThought ? (node.member('thoughtSignature') ?? node.member('thought_signature')) : undefined;
  const signature = node.member('signature') ?? ofThought;
  if (!signature?.isString) return undefined;
  const isReasoning =
    key === 'thinking' || /^(?:thinking|reasoning)/.test(type ?? '') || /reasoning|thought/i.test(node.path);
  if (!isReasoning && !isThought) return undefined;
  return { signature: signature.value, pointer: member.pointer, isVerified: signature !== ofThought };
}

function isTokenIds(member: JsonMember): boolean {
  const key = member.node.key === '' ? member.node.parent?.key : member.node.key;
  return (key === 'prompt' || key === 'input') && /^\d/.test(member.value);
}

function isData(member: JsonMember, view: JsonView): boolean {
  return view.level > 0 || !view.hasStructure || mayHoldNumbers(member);
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
