/**
 * Offsets into a text whose length changes when it is restored: citations and annotations refer to the answer in UTF-16
 * code units, in some formats in UTF-8 bytes. Offsets into documents of the request follow their masking
 * (cited-documents.ts). Seconds (`segments[].start`) do not change.
 */
import type { WireFormats } from '../formats/wire-formats.ts';
import type { JsonEdit, JsonMember, JsonNode } from './json-strings.ts';

type Shift = { readonly start: number; readonly end: number; readonly length: number };

// Offsets beyond this many replacements are not adjusted.
const shiftsMax = 20_000;

/** The replacements in one text, in order: their offset and new length. */
export class TextShifts {
  readonly #shifts: Shift[] = [];

  get isEmpty(): boolean {
    return this.#shifts.length === 0;
  }

  /** Adds a replacement: `start` and `end` refer to the text before any replacement, `length` to the new text. */
  add(start: number, end: number, length: number): void {
    if (this.#shifts.length < shiftsMax) this.#shifts.push({ start, end, length });
  }

  /** Discards all replacements, because the text starts over. */
  clear(): void {
    this.#shifts.length = 0;
  }

  /** Maps an offset to the restored text; one inside a replacement moves to its start, or to its end for `isEnd`. */
  map(offset: number, isEnd: boolean): number {
    let grown = 0;
    for (const { start, end, length } of this.#shifts) {
      if (offset >= end) grown += length - (end - start);
      else if (offset > start) return start + grown + (isEnd ? length : 0);
      else break;
    }
    return offset + grown;
  }

  /** The replacements of a text, counted in UTF-8 bytes. */
  static inBytes(text: string, edits: readonly TextEdit[]): TextShifts {
    const shifts = new TextShifts();
    let at = 0;
    let bytes = 0;
    for (const { start, end, value } of edits) {
      bytes += utf8Length(text.slice(at, start));
      const size = utf8Length(text.slice(start, end));
      shifts.add(bytes, bytes + size, utf8Length(value));
      bytes += size;
      at = end;
    }
    return shifts;
  }
}

/** A replacement in a decoded text. */
export type TextEdit = { readonly start: number; readonly end: number; readonly value: string };

/** Length of a text in UTF-8 bytes. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    // Each half of a surrogate pair counts as two bytes, together four.
    length += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2;
  }
  return length;
}

/** The replacements in a request's documents, by number; undefined for an unmasked document. */
export type DocumentShifts = (index: number) => TextShifts | undefined;

/** Edits that map offsets in masked documents to the original documents. */
export function documentOffsets(
  members: readonly JsonMember[],
  shiftsOf: DocumentShifts,
  formats: WireFormats,
): JsonEdit[] {
  const edits: JsonEdit[] = [];
  for (const member of members) {
    const { key, node, start, end, value } = member;
    if (member.isString || member.isKey) continue;
    if (!/^\d{1,9}$/.test(value)) continue;
    const type = node.member('type')?.value ?? node.key;
    const cited = formats.offsets.documents.find((one) => one.type === type && (key === one.start || key === one.end));
    if (cited === undefined) continue;
    const literal = shiftsOf(Number(node.member(cited.number)?.value))?.map(Number(value), key === cited.end);
    if (literal !== undefined && String(literal) !== value) edits.push({ start, end, literal: String(literal) });
  }
  return edits;
}

const filterOffset = /^(?:check|start|end)_offset$/;
const indexKey = /^(?:start|end)(?:_index|_idx|Index|Idx)$/;

/** True for an offset into the answer's text. */
export function isTextOffset(member: JsonMember, formats: WireFormats): boolean {
  if (member.isKey) return false;
  const { key, node } = member;
  // Protobuf writes 64-bit numbers as strings.
  if (member.isString) return indexKey.test(key) && /^\d{1,15}$/.test(member.value);
  if (node.key === 'content_filter_offsets') return filterOffset.test(key) && /^\d{1,15}$/.test(member.value);
  // Next to a `start_index` it numbers the annotations.
  if (key === 'index')
    return formats.offsets.indexTypes.has(node.member('type')?.value ?? '') && !node.member('start_index');
  if (isTokenOffset(member, formats)) return /^\d{1,15}$/.test(member.value);
  if (!key.startsWith('start') && !key.startsWith('end')) return false;
  const isPlain = key === 'start' || key === 'end';
  return (isPlain ? formats.sources.test(member.node.path) : indexKey.test(key)) && /^\d{1,15}$/.test(member.value);
}

/** True for a token's offset, counted from the start of the prompt. */
export function isTokenOffset({ node }: JsonMember, formats: WireFormats): boolean {
  return node.isArray && formats.offsets.tokenLists.has(node.key);
}

/** An offset in the restored text as a literal, counted from `base`. */
export function shiftedOffset(offset: JsonMember, shifts: TextShifts, base = 0): string {
  const shifted = String(base + shifts.map(Number(offset.value) - base, offset.key.startsWith('end')));
  return offset.isString ? `"${shifted}"` : shifted;
}

/** True for text of the answer, rather than of a source it cites. */
export function isAnswerText(member: JsonMember, formats: WireFormats): boolean {
  if (!member.isString || member.isKey) return false;
  const { key, node } = member;
  const isText =
    key === 'text' ||
    key === 'content' ||
    key === 'answerText' ||
    (key === 'value' && node.key === 'text') ||
    (node.isArray && (node.key === 'parts' || node.key === 'content'));
  return isText && !formats.sources.test(node.path);
}

/**
 * The text that an offset refers to: the nearest one in the document, undefined if there is none. `texts` are in document
 * order.
 */
export function textOfOffset(
  offset: JsonMember,
  texts: readonly JsonMember[],
  formats: WireFormats,
): JsonMember | undefined {
  for (let node: JsonNode | undefined = offset.node; node; node = node.parent) {
    const first = firstFrom(texts, node.start);
    const end = node.end < 0 ? Number.POSITIVE_INFINITY : node.end;
    if ((texts[first]?.start ?? Number.POSITIVE_INFINITY) >= end) continue;
    const name = formats.partNumbers.find((candidate) => offset.node.member(candidate));
    const part = name === undefined ? 0 : Number(offset.node.member(name)?.value);
    const text = texts[first + part];
    return text !== undefined && part >= 0 && text.start < end ? text : texts[first];
  }
  return undefined;
}

/** The position of the first member that starts at `start` or later. */
function firstFrom(members: readonly JsonMember[], start: number): number {
  let low = 0;
  let high = members.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((members[middle] as JsonMember).start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Edits that adjust a document's offsets; `edited` maps its restored texts to their replacements, `elsewhere` are those of a
 * text outside the document.
 */
export function shiftOffsets(
  members: readonly JsonMember[],
  edited: ReadonlyMap<JsonMember, readonly TextEdit[]>,
  formats: WireFormats,
  elsewhere?: TextShifts,
): JsonEdit[] {
  if (edited.size === 0 && elsewhere === undefined) return [];
  const offsets = members.filter((member) => isTextOffset(member, formats));
  if (offsets.length === 0) return [];
  const texts = members.filter((member) => isAnswerText(member, formats));
  const known = new Map<string, TextShifts>();
  const edits: JsonEdit[] = [];
  // Token offsets count from the start of the prompt; the first one marks the start of the text.
  const bases = new Map<JsonNode, number>();
  for (const offset of offsets) {
    if (isTokenOffset(offset, formats) && !bases.has(offset.node)) bases.set(offset.node, Number(offset.value));
    const text = textOfOffset(offset, texts, formats);
    if (text === undefined && elsewhere !== undefined) {
      edits.push({ start: offset.start, end: offset.end, literal: shiftedOffset(offset, elsewhere) });
      continue;
    }
    const replaced = text && edited.get(text);
    if (!replaced) continue;
    const inBytes = formats.isByteOffset(offset.path);
    const name = `${text.start} ${inBytes}`;
    let shifts = known.get(name);
    if (!shifts) {
      shifts = inBytes ? TextShifts.inBytes(text.value, replaced) : new TextShifts();
      if (!inBytes) for (const { start, end, value } of replaced) shifts.add(start, end, value.length);
      known.set(name, shifts);
    }
    const literal = shiftedOffset(offset, shifts, bases.get(offset.node));
    if (literal !== offset.value) edits.push({ start: offset.start, end: offset.end, literal });
  }
  return edits;
}
