/** The objects of a PDF, also those on no page. The only user of pdf-lib, with the files beside it. */
import {
  PDFArray,
  PDFContext,
  PDFDict,
  PDFDocument,
  PDFInvalidObject,
  type PDFObject,
  PDFObjectParser,
  PDFRawStream,
  PDFRef,
} from '@cantoo/pdf-lib';
import { PrivetError } from '../../../core/errors.ts';
import { isFontDisguised } from './fonts.ts';
import { PagePictures } from './pictures.ts';
import { hasTwoVersions } from './revisions.ts';
import { decoded } from './streams.ts';
import { decodedText, entryOf, isNamed, listOf, literalEnd, rawEntryOf, textOf } from './values.ts';

/** An object's text, bytes of metadata (XMP), the name of an attached file, or a note that it was not read. */
export type ObjectText = {
  readonly text?: string;
  readonly xmp?: string;
  readonly file?: string;
  readonly isUnread?: boolean;
};

/** The objects of one document. */
export class DocumentObjects {
  /** Undefined for a document that pdf-lib cannot open. */
  readonly context: PDFContext | undefined;
  readonly #all: readonly PDFObject[];
  /** Streams that cannot be decoded. */
  readonly #illegible = new Set<PDFObject>();

  readonly #bytes: Uint8Array;

  private constructor(bytes: Uint8Array, context?: PDFContext) {
    this.#bytes = bytes;
    this.context = context;
    this.#all = context?.enumerateIndirectObjects().map(([, object]) => object) ?? [];
  }

  /**
   * Reads the objects of a document without a password. Throws `body_too_large` if its streams, except images and
   * attached files, are larger than the limit.
   */
  static async open(bytes: Uint8Array, bytesMax: number): Promise<DocumentObjects> {
    checkPackedObjects(bytes, bytesMax);
    const options = { password: '', updateMetadata: false, preserveXFA: true, parseSpeed: Infinity };
    const document = await PDFDocument.load(bytes, options).catch(() => undefined);
    const objects = new DocumentObjects(bytes, document?.context);
    let left = bytesMax;
    for (const object of objects.#all) {
      if (!(object instanceof PDFRawStream) || isNamed(object.dict, 'Subtype', ['Image'])) continue;
      if (isNamed(object.dict, 'Type', ['EmbeddedFile'])) continue;
      const content = decoded(object, left);
      if (content === undefined) objects.#illegible.add(object);
      else left -= content.length;
    }
    return objects;
  }

  /** Texts of all objects, including unreferenced ones, and the annotations that draw something. */
  read(): { readonly texts: readonly ObjectText[]; readonly notes: readonly PDFDict[] } {
    if (this.context === undefined) return { texts: [{ isUnread: true }], notes: [] };
    const walk = new Walk(this.context, this.#illegible);
    const texts: ObjectText[] = [];
    try {
      // The trailer may contain the catalog itself.
      for (const object of [...Object.values(this.context.trailerInfo), ...this.#all]) {
        for (const text of walk.textsOf(object)) texts.push(text);
      }
      if (hasTwoVersions(this.#bytes, this.#packed())) texts.push({ isUnread: true });
    } catch {
      // pdf-lib throws for entries of a wrong form.
      texts.push({ isUnread: true });
    }
    return { texts, notes: walk.notes };
  }

  /** The numbers of the objects in each object stream (ISO 32000-1 §7.5.7). */
  #packed(): Map<number, number[]> {
    const packed = new Map<number, number[]>();
    for (const [ref, object] of this.context?.enumerateIndirectObjects() ?? []) {
      if (!(object instanceof PDFRawStream) || !isNamed(object.dict, 'Type', ['ObjStm'])) continue;
      const first = Number(String(entryOf(object.dict, 'First')));
      const numbers = decoded(object)?.toString('latin1', 0, first).match(/\d+/g) ?? [];
      packed.set(ref.objectNumber, numbers.filter((_, i) => i % 2 === 0).map(Number));
    }
    return packed;
  }
}

const packedObjects = /\/(?:ObjStm|XRef)\b/g;

/** Checks the streams that pdf-lib decodes without a limit; those of an encrypted document are not legible yet. */
function checkPackedObjects(bytes: Uint8Array, bytesMax: number): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = file.toString('latin1');
  let left = bytesMax;
  for (const { index } of text.matchAll(packedObjects)) {
    const start = text.lastIndexOf(' obj', index) + 4;
    try {
      const object = PDFObjectParser.forBytes(file.subarray(start), PDFContext.create()).parseObject();
      if (!(object instanceof PDFRawStream)) continue;
      left -= decoded(object, left)?.length ?? 0;
    } catch (cause) {
      if (cause instanceof PrivetError) throw cause;
    }
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
/** Entries whose streams must be legible. */
const readKeys = new Set(['Contents', 'ToUnicode', 'FontFile', 'FontFile2', 'FontFile3']);

/** How a value is read: as an object, as page contents, or as private application data (§14.5). */
type Reading = 'object' | 'contents' | 'private';

/** Traverses values with an explicit stack, because they may be nested deeper than the call stack allows. */
class Walk {
  readonly #context: PDFContext;
  readonly #illegible: ReadonlySet<unknown>;
  /** The annotations that draw something. */
  readonly notes: PDFDict[] = [];
  /** Visited references from contents and private data, which many pages may share. */
  readonly #seen = new Set<string>();
  readonly #pictures = new PagePictures();
  readonly #open: { readonly values: Iterator<unknown>; readonly reading: Reading }[] = [];

  constructor(context: PDFContext, illegible: ReadonlySet<unknown>) {
    this.#context = context;
    this.#illegible = illegible;
  }

  /** The texts of an object. Objects that it references are visited separately. */
  *textsOf(object: PDFObject): Generator<ObjectText, void> {
    this.#enter([object], 'object');
    for (let top = this.#open.at(-1); top !== undefined; top = this.#open.at(-1)) {
      const { done, value } = top.values.next();
      if (done) this.#open.pop();
      else if (value instanceof PDFArray) this.#enter(value.asArray(), top.reading);
      else if (value instanceof PDFRef) this.#follow(value, top.reading);
      else if (value instanceof PDFRawStream) yield* this.#stream(value, top.reading);
      else if (value instanceof PDFDict) yield* this.#dict(value, top.reading);
      else if (value instanceof PDFInvalidObject) yield* this.#damaged(value);
      else if (top.reading === 'private') yield { text: textOf(value) ?? '' };
    }
  }

  #enter(values: readonly unknown[], reading: Reading): void {
    this.#open.push({ values: values.values(), reading });
  }

  #follow(ref: PDFRef, reading: Reading): void {
    const key = `${reading} ${ref}`;
    if (reading === 'object' || this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#enter([this.#context.lookup(ref)], reading);
  }

  /** Cross-references are not encrypted, so pdf-lib makes them illegible. */
  *#damaged(object: PDFInvalidObject): Generator<ObjectText, void> {
    const bytes = Buffer.alloc(object.sizeInBytes());
    object.copyBytesInto(bytes, 0);
    if (!/\/Type\s*\/XRef\b/.test(bytes.toString('latin1', 0, 2000))) yield { isUnread: true };
  }

  *#stream(stream: PDFRawStream, reading: Reading): Generator<ObjectText, void> {
    const { dict } = stream;
    if (reading === 'private') yield { isUnread: true };
    if (reading === 'contents' || isNamed(dict, 'Subtype', ['Form'])) yield* spokenTexts(stream);
    if (reading !== 'object') return;
    if (isNamed(dict, 'Type', ['Metadata'])) yield metadataOf(stream);
    // Letters that fill a shape.
    if (String(entryOf(dict, 'PatternType')) === '1' && entryOf(entryOf(dict, 'Resources'), 'Font')) {
      yield { isUnread: true };
    }
    this.#enter([dict], reading);
  }

  /** True for letters of one font drawn with those of another, and for words cut out by a mask. */
  #drawsHiddenText(dict: PDFDict): boolean {
    if (isNamed(dict, 'Subtype', ['Type3'])) return entryOf(entryOf(dict, 'Resources'), 'Font') !== undefined;
    const mask = entryOf(dict, 'SMask');
    const key = `mask ${rawEntryOf(mask, 'G')}`;
    const form = entryOf(mask, 'G');
    if (!(form instanceof PDFRawStream) || this.#seen.has(key)) return false;
    this.#seen.add(key);
    // Programs list the page's fonts even where they do not use them.
    return /\bT[jJ]\b/.test(decoded(form)?.toString('latin1') ?? 'Tj');
  }

  *#dict(dict: PDFDict, reading: Reading): Generator<ObjectText, void> {
    const entries = dict.entries().map(([key, value]) => [key.decodeText(), value] as const);
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
      const text = isText ? textOf(value) : undefined;
      if (text !== undefined) yield { text };
      if (key === 'PieceInfo') this.#enter([value], 'private');
      const needed = readKeys.has(key) ? listOf(dict, this.#context.lookup(value)) : [];
      if (needed.some((stream) => this.#illegible.has(stream))) yield { isUnread: true };
    }
    // Readers list files from the name tree and annotations; others belong to an object (PDF 2.0 §14.13).
    if (keys.has('EF')) yield { file: fileNameOf(dict) };
    if (keys.has('AP')) this.notes.push(dict);
    if (isFontDisguised(dict)) yield { isUnread: true };
    // A signature's certificate contains its owner's name.
    if (keys.has('ByteRange')) yield { isUnread: true };
    if (this.#drawsHiddenText(dict)) yield { isUnread: true };
    if (isNamed(dict, 'Type', ['Page'])) {
      if (this.#pictures.isCovered(dict)) yield { isUnread: true };
      this.#enter([rawEntryOf(dict, 'Contents')], 'contents');
    }
    this.#enter(
      entries.filter(([key]) => key !== 'PieceInfo').map(([, value]) => value),
      reading,
    );
  }
}

/** The name of a file specification (ISO 32000-1 §7.11.3). */
function fileNameOf(dict: PDFDict): string {
  return textOf(entryOf(dict, 'UF') ?? entryOf(dict, 'F')) ?? 'file';
}

function metadataOf(stream: PDFRawStream): ObjectText {
  const bytes = decoded(stream);
  return bytes === undefined ? { isUnread: true } : { xmp: bytes.toString('utf8') };
}

/** Start of the text in marked-content properties (ISO 32000-1 §14.9): a literal or hexadecimal string. */
const spoken = /\/(?:ActualText|Alt)\s*(?:\(|<(?!<))/g;
const hexDigits = /[\da-fA-F\s]*/y;

function* spokenTexts(stream: PDFRawStream): Generator<ObjectText, void> {
  const bytes = decoded(stream);
  if (bytes === undefined || !(bytes.includes('/ActualText') || bytes.includes('/Alt'))) return;
  const content = bytes.toString('latin1');
  let isNested = true;
  spoken.lastIndex = 0;
  for (let start = spoken.exec(content); start !== null; start = spoken.exec(content)) {
    const from = spoken.lastIndex;
    if (start[0].endsWith('<')) {
      hexDigits.lastIndex = from;
      const hex = (hexDigits.exec(content)?.[0] ?? '').replaceAll(/\s/g, '');
      yield { text: decodedText(Buffer.from(hex, 'hex')) };
      continue;
    }
    let end = literalEnd(content, from, isNested);
    // An unclosed bracket is searched to the end of the contents; do that only once.
    if (end === undefined && isNested) {
      isNested = false;
      end = literalEnd(content, from, isNested);
    }
    if (end === undefined) continue;
    yield { text: decodedText(Buffer.from(unescaped(content.slice(from, end)), 'latin1')) };
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
