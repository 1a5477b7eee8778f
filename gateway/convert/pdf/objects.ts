/**
 * Texts in a PDF's objects outside its pages. PDF.js exposes few of them and keeps its object table private: the class
 * is captured when the first table is created.
 */
import { onFirst } from './classes.ts';
import { PagePictures } from './pictures.ts';
import {
  bytesOf,
  type Dict,
  entryOf,
  isDict,
  isNamed,
  isObject,
  isRef,
  isStream,
  literalEnd,
  type Ref,
  type Stream,
} from './values.ts';

/** The object table (`XRef`). */
type ObjectTable = {
  readonly entries: readonly (
    | { readonly gen: number; readonly free?: boolean; readonly uncompressed?: boolean }
    | undefined
  )[];
  readonly trailer: unknown;
  readonly _cacheMap: Map<number, unknown>;
  getNewTemporaryRef(): Ref;
  resetNewTemporaryRef(): void;
  parse(isRecovery?: boolean): void;
  fetch(ref: Ref): unknown;
};

/** An object's text, bytes of metadata (XMP), the name of an attached file, or a note that it was not read. */
export type ObjectText = {
  readonly text?: string;
  readonly xmp?: string;
  readonly file?: string;
  readonly isUnread?: boolean;
};

let current: { table?: ObjectTable | undefined } = {};

/** The objects of the next document opened by this thread. */
export class DocumentObjects {
  readonly #opened: { table?: ObjectTable | undefined } = {};

  constructor() {
    current = this.#opened;
    onFirst('_newPersistentRefNum', noteTables);
  }

  /** Releases the document. */
  close(): void {
    this.#opened.table = undefined;
  }

  /** Texts of all objects, including unreferenced ones. Throws if the library's internals have changed. */
  *texts(): Generator<ObjectText, void> {
    const { table } = this.#opened;
    if (table === undefined) throw new Error('The objects of the document are not found.');
    const refs = table.getNewTemporaryRef().constructor as unknown as { get(num: number, gen: number): Ref };
    table.resetNewTemporaryRef();
    const walk = new Walk(table);
    // The trailer may contain the catalog itself.
    yield* walk.textsOf(table.trailer);
    // A tiny file can use object numbers in the billions, so visit only existing ones.
    for (const key of Object.keys(table.entries)) {
      const num = Number(key);
      const entry = table.entries[num];
      if (entry === undefined || entry.free) continue;
      // For an object in an object stream, the second number is its index there.
      yield* walk.textsOf(fetched(table, refs.get(num, entry.uncompressed ? entry.gen : 0)));
      table._cacheMap.delete(num);
    }
  }
}

function noteTables(first: ObjectTable): void {
  const tables = Object.getPrototypeOf(first) as ObjectTable;
  const { parse } = tables;
  tables.parse = function (isRecovery) {
    current.table = this;
    parse.call(this, isRecovery);
  };
}

/** Placeholder for an object nested too deep for the library. */
const tooDeep = Symbol('too deep');

/** Fetches an object; the library skips damaged ones. */
function fetched(table: ObjectTable, ref: Ref): unknown {
  try {
    return table.fetch(ref);
  } catch (cause) {
    return cause instanceof RangeError ? tooDeep : undefined;
  }
}

/**
 * Keys of human-readable texts (ISO 32000-1): of structure (§14.9), layers (§8.11), signatures (§12.8), article threads
 * (§12.4.3), annotations with their buttons and files, links (§12.6.4.7); `P` of page labels (§12.4.2).
 */
const textKeys = new Set([
  ...['Alt', 'ActualText', 'E', 'Name', 'ContactInfo', 'Location', 'Reason'],
  ...['Title', 'Author', 'Subject', 'Keywords', 'Subj', 'CA', 'AC', 'Desc', 'P', 'URI', 'Base'],
]);

/** How a value is read: as an object, as page contents, or as private application data (§14.5). */
type Reading = 'object' | 'contents' | 'private';

/** Traverses values with an explicit stack, because they may be nested deeper than the call stack allows. */
class Walk {
  readonly #table: ObjectTable;
  /** Visited references from contents and private data, which many pages may share. */
  readonly #seen = new Set<string>();
  readonly #pictures = new PagePictures();
  readonly #open: { readonly values: Iterator<unknown>; readonly reading: Reading }[] = [];

  constructor(table: ObjectTable) {
    this.#table = table;
  }

  /** The texts of an object. Objects that it references are visited separately. */
  *textsOf(object: unknown): Generator<ObjectText, void> {
    this.#enter([object], 'object');
    for (let top = this.#open.at(-1); top !== undefined; top = this.#open.at(-1)) {
      const { done, value } = top.values.next();
      if (done) this.#open.pop();
      else if (Array.isArray(value)) this.#enter(value, top.reading);
      else if (isRef(value)) this.#follow(value, top.reading);
      else if (isStream(value)) yield* this.#stream(value, top.reading);
      else if (isDict(value)) yield* this.#dict(value, top.reading);
      else if (value === tooDeep) yield { isUnread: true };
      else if (typeof value === 'string' && top.reading === 'private') yield { text: decoded(value) };
    }
  }

  #enter(values: readonly unknown[], reading: Reading): void {
    this.#open.push({ values: values.values(), reading });
  }

  #follow(ref: Ref, reading: Reading): void {
    const key = `${reading} ${ref}`;
    if (reading === 'object' || this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#enter([fetched(this.#table, ref)], reading);
  }

  *#stream(stream: Stream, reading: Reading): Generator<ObjectText, void> {
    const { dict } = stream;
    if (reading === 'private') yield { isUnread: true };
    if (reading === 'contents' || isNamed(dict, 'Subtype', ['Form'])) yield* spokenTexts(stream);
    if (reading !== 'object') return;
    if (isNamed(dict, 'Type', ['Metadata'])) yield metadataOf(stream);
    // Letters that fill a shape.
    if (entryOf(dict, 'PatternType') === 1 && entryOf(entryOf(dict, 'Resources'), 'Font')) yield { isUnread: true };
    this.#enter([dict], reading);
  }

  /** True for letters of one font drawn with those of another, and for words cut out by a mask. */
  #drawsHiddenText(dict: Dict): boolean {
    if (isNamed(dict, 'Subtype', ['Type3'])) return entryOf(entryOf(dict, 'Resources'), 'Font') !== undefined;
    const mask = entryOf(dict, 'SMask');
    const key = `mask ${isDict(mask) ? mask.getRaw('G') : ''}`;
    const form = entryOf(mask, 'G');
    if (!isStream(form) || this.#seen.has(key)) return false;
    this.#seen.add(key);
    // Programs list the page's fonts even where they do not use them.
    return /\bT[jJ]\b/.test(bytesOf(form)?.toString('latin1') ?? 'Tj');
  }

  *#dict(dict: Dict, reading: Reading): Generator<ObjectText, void> {
    const entries = [...dict.getRawEntries()];
    if (reading === 'private' && !isNamed(dict, 'Type', ['Page', 'Pages', 'Catalog'])) {
      // All strings except dates.
      this.#enter(
        entries.filter(([key]) => key !== 'LastModified').map(([, value]) => value),
        reading,
      );
    }
    if (reading !== 'object') return;
    const keys = new Set(entries.map(([key]) => key));
    for (const [key, value] of entries) {
      // The title of a structure element.
      const isText = textKeys.has(key) || (key === 'T' && keys.has('S'));
      if (isText && typeof value === 'string') yield { text: decoded(value) };
      if (key === 'PieceInfo') this.#enter([value], 'private');
    }
    // Readers list files from the name tree and annotations; others belong to an object (PDF 2.0 §14.13).
    if (keys.has('EF')) yield { file: fileNameOf(dict) };
    if (isFontDisguised(dict)) yield { isUnread: true };
    // A signature's certificate contains its owner's name.
    if (keys.has('ByteRange')) yield { isUnread: true };
    if (this.#drawsHiddenText(dict)) yield { isUnread: true };
    if (isNamed(dict, 'Type', ['Page'])) {
      if (this.#pictures.isCovered(dict)) yield { isUnread: true };
      this.#enter([dict.getRaw('Contents')], 'contents');
    }
    this.#enter(
      entries.filter(([key]) => key !== 'PieceInfo').map(([, value]) => value),
      reading,
    );
  }
}

/** The name of a file specification (ISO 32000-1 §7.11.3). */
function fileNameOf(dict: Dict): string {
  const name = entryOf(dict, 'UF') ?? entryOf(dict, 'F');
  return typeof name === 'string' ? decoded(name) : 'file';
}

function metadataOf(stream: Stream): ObjectText {
  const bytes = bytesOf(stream);
  return bytes === undefined ? { isUnread: true } : { xmp: bytes.toString('utf8') };
}

/** Start of the text in marked-content properties (ISO 32000-1 §14.9): a literal or hexadecimal string. */
const spoken = /\/(?:ActualText|Alt)\s*(?:\(|<(?!<))/g;
const hexDigits = /[\da-fA-F\s]*/y;

function* spokenTexts(stream: Stream): Generator<ObjectText, void> {
  const bytes = bytesOf(stream);
  if (bytes === undefined || !(bytes.includes('/ActualText') || bytes.includes('/Alt'))) return;
  const content = bytes.toString('latin1');
  let isNested = true;
  spoken.lastIndex = 0;
  for (let start = spoken.exec(content); start !== null; start = spoken.exec(content)) {
    const from = spoken.lastIndex;
    if (start[0].endsWith('<')) {
      hexDigits.lastIndex = from;
      const hex = (hexDigits.exec(content)?.[0] ?? '').replaceAll(/\s/g, '');
      yield { text: decoded(Buffer.from(hex, 'hex').toString('latin1')) };
      continue;
    }
    let end = literalEnd(content, from, isNested);
    // An unclosed bracket is searched to the end of the contents; do that only once.
    if (end === undefined && isNested) {
      isNested = false;
      end = literalEnd(content, from, isNested);
    }
    if (end === undefined) continue;
    yield { text: decoded(unescaped(content.slice(from, end))) };
    spoken.lastIndex = end;
  }
}

/** Decodes a literal string (ISO 32000-1 §7.3.4.2). */
function unescaped(literal: string): string {
  return literal.replaceAll(/\\(?:([0-7]{1,3})|(\r\n|.))/gs, (_all, octal?: string, sign = '') =>
    octal === undefined ? (escapes[sign] ?? sign) : String.fromCharCode(Number.parseInt(octal, 8) & 255),
  );
}

const escapes: Readonly<Record<string, string>> = {
  ...{ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' },
  ...{ '\n': '', '\r': '', '\r\n': '' },
};

/** Decodes a text string (ISO 32000-1 §7.9.2.2) as Latin-1, which is PDFDocEncoding in names and addresses. */
function decoded(bytes: string): string {
  const raw = Buffer.from(bytes, 'latin1');
  if (bytes.startsWith('\xfe\xff')) return new TextDecoder('utf-16be').decode(raw);
  if (bytes.startsWith('\xff\xfe')) return new TextDecoder('utf-16le').decode(raw);
  return bytes.startsWith('\xef\xbb\xbf') ? new TextDecoder().decode(raw) : bytes;
}

const standardEncodings = ['WinAnsiEncoding', 'MacRomanEncoding', 'StandardEncoding'];
/** The standard fonts of every reader (ISO 32000-1 §9.6.2.2), without the two symbol fonts. */
const standardFonts = /^(?:Helvetica|Arial|Times|TimesNewRoman|Courier|CourierNew)\b/;
/** `<61> <0078>` for a single code (ISO 32000-1 §9.10.3), with a third one for a range. */
const mapping = /<([\da-f]{2})>\s*(?:<([\da-f]{2})>\s*)?<((?:[\da-f]{4})+)>/gi;
const valueLetter = /[\p{L}\p{N}@]/u;

/**
 * True if `ToUnicode` maps to another letter than the one drawn: the text then hides what the page shows. Detectable
 * only if the code itself identifies the letter: a simple font with a standard encoding, or a standard font without
 * one.
 */
function isFontDisguised(dict: Dict): boolean {
  if (!isNamed(dict, 'Type', ['Font']) || !isNamed(dict, 'Subtype', ['Type1', 'TrueType', 'MMType1'])) return false;
  const map = entryOf(dict, 'ToUnicode');
  if (!isStream(map) || !isAscii(dict)) return false;
  const text = bytesOf(map)?.toString('latin1') ?? '';
  for (const [, from = '', to = from, unicode = ''] of text.matchAll(mapping)) {
    const shown = Number.parseInt(from, 16);
    const last = Math.min(Number.parseInt(to, 16), 0x7e);
    const mapped = Buffer.from(unicode, 'hex').swap16().toString('utf16le');
    for (let code = shown; code <= last; code++) {
      const letter = String.fromCharCode(code);
      // A range counts up from its first letter.
      const copied = mapped.slice(0, -1) + String.fromCharCode(mapped.charCodeAt(mapped.length - 1) + code - shown);
      if (code > 0x20 && valueLetter.test(letter) && !copied.normalize('NFKC').includes(letter)) return true;
    }
  }
  return false;
}

/** True if codes 32 to 126 draw their ASCII character. */
function isAscii(dict: Dict): boolean {
  const encoding = entryOf(dict, 'Encoding');
  if (isDict(encoding))
    return entryOf(encoding, 'Differences') === undefined && isNamed(encoding, 'BaseEncoding', standardEncodings);
  if (encoding !== undefined && encoding !== null) return isNamed(dict, 'Encoding', standardEncodings);
  const name = entryOf(dict, 'BaseFont');
  return (
    entryOf(dict, 'FontDescriptor') === undefined &&
    isObject(name) &&
    standardFonts.test(String((name as { name?: unknown }).name))
  );
}
