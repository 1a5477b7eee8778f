/**
 * A text with texts in it: plain, JSON, JSON in a string of JSON, base64 of text. Each kind lists its texts and
 * puts changed ones back, escaped for where they stand; what did not change keeps its bytes.
 */
import { isJson, type JsonEdit, type JsonMember, jsonLiteral, scanJson, spliceJson } from './json-strings.ts';
import { isStructuralKey, isStructuralMember, type UninspectablePart, uninspectablePart } from './structure.ts';

/** What is found while documents are opened. */
export type Findings = {
  /** Texts to inspect, in document order. */
  readonly leaves: string[];
  /** Texts that are signed by the provider: they can be inspected but not rewritten. */
  readonly sealed: string[];
  readonly uninspectable: UninspectablePart[];
};

/** Takes the new text of the next leaf; undefined when it did not change. */
export type NextText = () => string | undefined;

/** An opened text. `rewrite` calls `next` once per leaf, in order; undefined when nothing changed. */
export interface TextDocument {
  rewrite(next: NextText): string | undefined;
}

/** A document that is one text. */
export class PlainDocument implements TextDocument {
  constructor(text: string, findings: Findings) {
    findings.leaves.push(text);
  }

  rewrite(next: NextText): string | undefined {
    return next();
  }
}

// JSON in JSON in JSON in a form field is the deepest that is known (gemini.google.com); beyond this it is text.
const nestingMax = 8;
// A number of this many digits in a document that came as a string may be a card or an identity number.
const longNumber = /^-?\d{12,}$/;

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
};

/** A JSON document with its string leaves; `checked` when JSON.parse has accepted the text. Throws `invalid_json`. */
export class JsonDocument implements TextDocument {
  readonly #json: string;
  readonly #slots: Slot[] = [];

  constructor(json: string, findings: Findings, view: JsonView, checked = false) {
    this.#json = json;
    let tokenArray: unknown;
    for (const member of scanJson(json, checked)) {
      let document: TextDocument | undefined;
      if (member.isKey) {
        if (!isStructuralKey(member.value)) document = new PlainDocument(member.value, findings);
      } else if (member.isString) {
        document = openMember(member, findings, view);
      } else if (member.node.isArray && member.node !== tokenArray && isTokenIds(member)) {
        tokenArray = member.node;
        findings.uninspectable.push({ kind: 'binary', pointer: member.node.pointer });
      } else if (view.level > 0 && longNumber.test(member.value)) {
        document = new PlainDocument(member.value, findings);
      }
      if (document) this.#slots.push({ start: member.start, end: member.end, document, isNumber: !member.isString });
    }
  }

  rewrite(next: NextText): string | undefined {
    const edits: JsonEdit[] = [];
    for (const slot of this.#slots) {
      const text = slot.document.rewrite(next);
      if (text !== undefined) edits.push({ start: slot.start, end: slot.end, literal: jsonLiteral(text) });
    }
    return edits.length === 0 ? undefined : spliceJson(this.#json, edits);
  }
}

/** Opens a text as JSON where it is JSON (also a quoted string of it), else takes it as plain text. */
export function openText(text: string, findings: Findings, level: number): TextDocument {
  if (level < nestingMax && looksLikeJson(text) && isJson(text)) {
    return new JsonDocument(text, findings, { level, hasStructure: false }, true);
  }
  return new PlainDocument(text, findings);
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
  const part = uninspectablePart(member);
  if (part) {
    const document =
      part.mediaType && isTextType(part.mediaType) ? Base64Document.open(value, findings, view) : undefined;
    if (!document) findings.uninspectable.push(part);
    return document;
  }
  if (isSealed(member)) {
    findings.sealed.push(value);
    return undefined;
  }
  if (isStructuralMember(member, view.hasStructure)) return undefined;
  return openText(value, findings, view.level + 1);
}

/** True for text that a provider has signed: it must come back as it was sent (thinking blocks). */
export function isSealed(member: JsonMember): boolean {
  const { node, key } = member;
  if (node.isArray || !node.members || node.members.length < 2) return false;
  if (key !== 'thinking' && key !== 'text' && key !== 'data' && key !== 'summary') return false;
  const signature = node.member('signature') ?? (node.member('thought') ? node.member('thoughtSignature') : undefined);
  const type = node.member('type');
  if (type?.value === 'redacted_thinking') return true;
  if (!signature?.isString) return false;
  if (key === 'thinking') return true;
  return (
    (type !== undefined && /^(?:thinking|reasoning)/.test(type.value)) ||
    /reasoning|thought/i.test(node.path) ||
    node.member('thought')?.value === 'true'
  );
}

function isTextType(mediaType: string): boolean {
  return /^text\/|^application\/(?:.*\+)?(?:json|xml|yaml|csv|javascript)$/i.test(mediaType);
}

function isTokenIds(member: JsonMember): boolean {
  const key = member.node.key === '' ? member.node.parent?.key : member.node.key;
  return (key === 'prompt' || key === 'input') && /^\d/.test(member.value);
}

/** Base64 of text, with or without a `data:` prefix. */
class Base64Document implements TextDocument {
  readonly #prefix: string;
  readonly #inner: TextDocument;

  private constructor(prefix: string, inner: TextDocument) {
    this.#prefix = prefix;
    this.#inner = inner;
  }

  static open(value: string, findings: Findings, view: JsonView): Base64Document | undefined {
    const comma = value.startsWith('data:') ? value.indexOf(',') + 1 : 0;
    const prefix = value.slice(0, comma);
    if (comma > 0 && !/;base64,$/i.test(prefix)) return undefined;
    let text: string;
    try {
      const binary = atob(value.slice(comma));
      const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
      text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return undefined;
    }
    return new Base64Document(prefix, openText(text, findings, view.level + 1));
  }

  rewrite(next: NextText): string | undefined {
    const text = this.#inner.rewrite(next);
    if (text === undefined) return undefined;
    let binary = '';
    for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
    return this.#prefix + btoa(binary);
  }
}
