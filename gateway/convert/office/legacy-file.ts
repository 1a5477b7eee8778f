/**
 * Masks text files that are not UTF-8 in place. Text between tokens keeps its bytes, so readers detect the same
 * encoding. Tokens are ASCII, which all of these encodings contain.
 */
import { legacyText } from '../encodings.ts';
import type { OpenedDocument, Span } from '../index.ts';

/** The length of a character in bytes, by its first byte. */
const widths: readonly (readonly [encoding: string, width: (first: number) => number])[] = [
  ['shift_jis', (first) => (first < 0x81 || (first > 0x9f && first < 0xe0) ? 1 : 2)],
  ['euc-jp', (first) => (first < 0x8e ? 1 : first === 0x8f ? 3 : 2)],
  ['windows-1252', () => 1],
];

type Reading = {
  readonly text: string;
  readonly widthAt: (byte: number) => number;
  /** Undefined if the encoding lacks a character. */
  readonly encode: (text: string) => Buffer | undefined;
};

/** Opens a text in UTF-16 with a byte order mark, Shift_JIS, EUC-JP or Windows-1252; undefined for other files. */
export function openLegacyText(bytes: Uint8Array): OpenedDocument | undefined {
  const reading = read(bytes);
  if (reading === undefined) return undefined;
  const { text, widthAt, encode } = reading;
  return {
    kind: 'txt',
    texts: [text],
    opaque: [],
    hasImages: false,
    rewrite: async (_texts, places) => splice(bytes, places?.[0] ?? [], { widthAt, encode }),
  };
}

/** Applies replacements to the file, except those that the encoding cannot express. */
export function replaceInLegacyText(
  bytes: Uint8Array,
  find: (text: string) => readonly Span[],
): Uint8Array | undefined {
  const reading = read(bytes);
  return reading && splice(bytes, find(reading.text), reading);
}

function read(bytes: Uint8Array): Reading | undefined {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('latin1');
  // Keep the byte order mark as a character, so that offsets in the text match those in the bytes.
  if (mark === '\xff\xfe') return wide(bytes, 'utf-16le');
  if (mark === '\xfe\xff') return wide(bytes, 'utf-16be');
  if (bytes.includes(0)) return undefined;
  const text = legacyText(bytes);
  if (text === undefined) return undefined;
  for (const [encoding, width] of widths) {
    if (decode(bytes, encoding) !== text) continue;
    const widthAt = (at: number) => width(bytes[at] ?? 0);
    let characters = 0;
    for (let at = 0; at < bytes.length; at += widthAt(at)) characters++;
    if (characters === text.length) return { text, widthAt, encode: encoderOf(encoding) };
  }
  return undefined;
}

function wide(bytes: Uint8Array, encoding: string): Reading | undefined {
  const text = decode(bytes, encoding);
  const encode = (token: string) => {
    const units = Buffer.from(token, 'utf16le');
    return encoding === 'utf-16be' ? units.swap16() : units;
  };
  return text === undefined ? undefined : { text, widthAt: () => 2, encode };
}

function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Applies replacements, which are in order, to the bytes. */
function splice(bytes: Uint8Array, places: readonly Span[], how: Pick<Reading, 'widthAt' | 'encode'>): Uint8Array {
  const pieces: Uint8Array[] = [];
  let byte = 0;
  let character = 0;
  let kept = 0;
  const moveTo = (place: number) => {
    for (; character < place; character++) byte += how.widthAt(byte);
  };
  for (const { start, end, text } of places) {
    moveTo(start);
    const encoded = how.encode(text);
    if (encoded === undefined) continue;
    pieces.push(bytes.subarray(kept, byte));
    pieces.push(encoded);
    moveTo(end);
    kept = byte;
  }
  pieces.push(bytes.subarray(kept));
  return Buffer.concat(pieces);
}

type Range = readonly [from: number, to: number];
type Area = { readonly lead: Range; readonly trail: Range };

const areas: Readonly<Record<string, { readonly single: Range; readonly double: readonly Area[] }>> = {
  // Without the rows 0xed and 0xee, which repeat characters of 0xfa to 0xfc (section 12.3.2).
  shift_jis: {
    single: [0xa1, 0xdf],
    double: [
      { lead: [0x81, 0x9f], trail: [0x40, 0xfc] },
      { lead: [0xe0, 0xec], trail: [0x40, 0xfc] },
      { lead: [0xef, 0xfc], trail: [0x40, 0xfc] },
    ],
  },
  'euc-jp': {
    single: [1, 0],
    double: [
      { lead: [0x8e, 0x8e], trail: [0xa1, 0xdf] },
      { lead: [0xa1, 0xfe], trail: [0xa1, 0xfe] },
    ],
  },
  'windows-1252': { single: [0x80, 0xff], double: [] },
};

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** Returns a function that encodes a text, or returns undefined if the encoding lacks one of its characters. */
function encoderOf(encoding: string): (text: string) => Buffer | undefined {
  return (text) => {
    if (!/[^\0-\x7f]/.test(text)) return Buffer.from(text, 'latin1');
    const table = tableOf(encoding);
    const bytes: number[] = [];
    for (const char of text) {
      const code = char.charCodeAt(0);
      const coded = code < 0x80 ? [code] : table.get(char);
      if (coded === undefined) return undefined;
      bytes.push(...coded);
    }
    return Buffer.from(bytes);
  };
}

function tableOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const decoder = new TextDecoder(encoding);
  const table = new Map<string, readonly number[]>();
  const add = (...bytes: number[]) => {
    const text = decoder.decode(Uint8Array.from(bytes));
    if (text.length === 1 && text !== '\ufffd' && !table.has(text)) table.set(text, bytes);
  };
  const { single, double } = areas[encoding] ?? { single: [1, 0], double: [] };
  for (let byte = single[0]; byte <= single[1]; byte++) add(byte);
  for (const { lead, trail } of double)
    for (let a = lead[0]; a <= lead[1]; a++) for (let b = trail[0]; b <= trail[1]; b++) add(a, b);
  tables.set(encoding, table);
  return table;
}
