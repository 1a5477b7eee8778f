/** Extracts the text of PDF documents. The only user of unpdf, which is loaded for the first PDF. */
import type { PDFPageProxy } from 'unpdf/pdfjs';
import { PrivetError } from '../../../core/errors.ts';
import { CharacterMaps, hasUnknownWords, readable } from '../character-maps.ts';
import { type DocumentLimits, decodedBytesMax } from '../limits.ts';
import type { Section } from '../office/sections.ts';
import { xmlTexts } from '../office/xml-texts.ts';
import { damaged, tooLarge, unpackedTooLarge } from '../refusals.ts';
import { isPicture, type Note, readAppearances } from './appearances.ts';
import { onFirst } from './classes.ts';
import { limitDecoding } from './decoding.ts';
import { placedLines } from './lines.ts';
import { DocumentObjects } from './objects.ts';
import { otherReadings, withoutSpacing } from './readings.ts';
import { pageLines } from './text.ts';

/** Keys of the information dictionary (ISO 32000-1 §14.3.3) with human-written values. */
const ownWords = ['Title', 'Author', 'Subject', 'Keywords'];
const noWords = new Set([...ownWords, 'PDFFormatVersion', 'Language', 'EncryptFilterName', 'CreationDate', 'ModDate']);
/** Entries that name a program, whose version may look like an IP address. */
const programKeys = /Creator|Producer|banner|software/i;
const programs = /((?:CreatorTool|Producer|softwareAgent)(?:>|=["']))([^<"']*)/g;
const version = /(?<!\d)\d+(?:\.\d+)+/g;
/** Numbers in an identifier, such as the chapter in `section.1.2.3.4`. */
const numbers = /\d+(?:\.\d+)*/g;
/** Page thumbnails in base64. */
const thumbnails = /(xmpGImg:image(?:>|=["']))[^<"']*/g;

export type PdfContent = {
  /** One per page, with its annotations and form fields, and one with the document's title and author. */
  readonly sections: Section[];
  /**
   * Text on no page: bookmarks and destinations, other properties, form fields outside pages, scripts, alternative
   * texts, layers, signatures, metadata of parts. Also alternative readings of lines whose values are displayed in
   * pieces.
   */
  readonly others: string[];
  /** Names of attached files, and of unreadable forms. */
  readonly opaque: string[];
  /**
   * True for pages without text or covered by an image (scans), undecodable words, annotations without text, signature
   * certificates, and private data of drawing programs.
   */
  readonly hasImages: boolean;
};

/**
 * Reads a PDF, including earlier revisions left in the file by incremental updates. Throws `body_too_large` for too
 * many pages or too large streams, `invalid_input` for a file that is damaged or needs a password.
 */
export async function readPdf(bytes: Uint8Array, limits: DocumentLimits): Promise<PdfContent> {
  const older = olderRevisions(bytes);
  // The library takes ownership of the bytes.
  const copies = older.map((revision) => revision.slice());
  const content = await readRevision(bytes, limits);
  if (older.length === 0) return content;
  const known = new Set([...content.sections.map(({ text }) => text), ...content.others]);
  const others = [...content.others];
  let chars = 0;
  let { hasImages } = content;
  const opaque = [...content.opaque];
  for (const copy of copies) {
    const { sections, ...rest } = await readRevision(copy, limits);
    hasImages ||= rest.hasImages;
    opaque.push(...rest.opaque);
    for (const text of [...sections.map((section) => section.text), ...rest.others]) {
      if (known.has(text)) continue;
      known.add(text);
      chars += text.length;
      others.push('', text);
    }
    if (chars > limits.charsMax) throw tooLarge('The PDF document contains too much text.');
  }
  return { sections: content.sections, others, opaque, hasImages };
}

async function readRevision(bytes: Uint8Array, limits: DocumentLimits): Promise<PdfContent> {
  const { getDocumentProxy } = await import('unpdf');
  // The types of this PDF.js version lack the option `BinaryDataFactory`.
  const reading = { stopAtErrors: false, verbosity: 0, cMapPacked: false, BinaryDataFactory: CharacterMaps };
  // Decode no images.
  const options = { ...reading, maxImageSize: 0 };
  const decoded = limitDecoding(decodedBytesMax(bytes.length, limits));
  const objects = new DocumentObjects();
  readAppearances();
  readBeyondEdges();
  const pdf = await getDocumentProxy(bytes, options).catch((cause: unknown) => {
    if (decoded.isOver) throw unpackedTooLarge();
    throw damaged('The PDF document cannot be opened; it is damaged or has a password.', cause);
  });
  try {
    if (pdf.numPages > limits.pagesMax) {
      throw tooLarge(`The PDF document has more than ${limits.pagesMax} pages.`);
    }
    const sections: Section[] = [];
    const opaque: string[] = [];
    const known = new Set<string>();
    const readings: string[] = [];
    let chars = 0;
    let hasImages = false;
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const drawn = await drawnText(page);
      hasImages ||= drawn.hasUnknown;
      for (const line of drawn.others) readings.push(line);
      let { text } = drawn;
      const notes = (await page.getAnnotations({ intent: 'any' })) as Note[];
      for (const note of notes) {
        hasImages ||= isPicture(note) || hasUnknownWords(words(note.textContent).join('\n'));
        for (const word of annotationTexts(note)) {
          text += `\n${word}`;
          known.add(word);
        }
        opaque.push(...words((note.file as { filename?: unknown } | undefined)?.filename));
      }
      page.cleanup();
      hasImages ||= text.trim() === '';
      // The library skips what it could not decode.
      if (decoded.isOver) throw unpackedTooLarge();
      chars += text.length;
      if (chars > limits.charsMax) throw tooLarge('The PDF document contains too much text.');
      sections.push({ title: `Page ${number}`, text });
    }
    const { info, metadata } = await pdf.getMetadata();
    const properties = info as Record<string, unknown>;
    const about = ownWords.flatMap((key) => words(properties[key]));
    if (about.length > 0) sections.push({ title: 'Properties', text: about.join('\n') });
    opaque.push(...((await pdf.getAttachments())?.keys() ?? []));
    const fields = (await pdf.getFieldObjects()) as FormFields | null;
    // The library does not read XFA forms, and does not report fields that are on no page.
    if (properties.IsXFAPresent === true || (properties.IsAcroFormPresent === true && fields === null)) {
      opaque.push('form');
    }
    const others = [
      ...propertyTexts(properties),
      ...xmlTexts(xmpOf(metadata?.getRaw())).map(({ text }) => text),
      ...fieldTexts(fields ?? {}, known),
      ...outlineTexts(await pdf.getOutline()),
      ...placeTexts(Object.keys(await pdf.getDestinations())),
      ...words(await pdf.getJSActions()),
      ...readings,
    ];
    for (const { length } of others) chars += length;
    for (const word of [...about, ...words(Object.values(properties)), ...others]) known.add(word);
    for (const { text, file } of furtherTexts(objects, known)) {
      // Files that were already listed appear again here.
      if (file !== undefined) opaque.push(...(opaque.length === 0 ? [file] : []));
      else if (text === undefined) hasImages = true;
      else others.push(text);
      chars += text?.length ?? 0;
      if (chars > limits.charsMax) break;
    }
    if (decoded.isOver) throw unpackedTooLarge();
    if (chars > limits.charsMax) throw tooLarge('The PDF document contains too much text.');
    // Separated by empty texts, so that none is read as the label of the next.
    return { sections, others: others.flatMap((text) => ['', text]), opaque, hasImages };
  } catch (cause) {
    if (cause instanceof PrivetError) throw cause;
    if (decoded.isOver) throw unpackedTooLarge();
    throw damaged('The PDF document cannot be read.', cause);
  } finally {
    objects.close();
    await pdf.loadingTask.destroy();
  }
}

/** The text drawn on a page, alternative readings of its lines, and whether words cannot be decoded. */
async function drawnText(
  page: PDFPageProxy,
): Promise<{ readonly text: string; readonly others: readonly string[]; readonly hasUnknown: boolean }> {
  const { items, styles } = await page.getTextContent();
  const vertical = Object.entries(styles).flatMap(([font, style]) => (style.vertical ? [font] : []));
  const lines = pageLines(items, new Set(vertical));
  const shown = lines.map(({ text }) => text);
  const raw = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
  const others = [
    ...lines.flatMap(({ apart }) => apart ?? []),
    ...placedLines(items),
    ...(await otherReadings(shown)),
    ...words(await page.getJSActions()),
  ];
  return { text: shown.join('\n'), others, hasUnknown: hasUnknownWords(withoutSpacing(raw)) };
}

/** Texts of the objects that are not `known`, and attached files; neither for unreadable objects. */
function* furtherTexts(
  objects: DocumentObjects,
  known: Set<string>,
): Generator<{ text?: string; file?: string }, void> {
  for (const { text, xmp, file, isUnread } of objects.texts()) {
    if (isUnread) yield {};
    if (file !== undefined) yield { file };
    for (const word of [...words(text), ...xmlTexts(xmpOf(xmp)).map((group) => group.text)]) {
      if (!known.has(word)) yield { text: word };
      known.add(word);
    }
  }
}

function annotationTexts(note: Note): string[] {
  const { contentsObj, titleObj, richText } = note as Record<string, { str?: unknown } | undefined>;
  const { url, unsafeUrl, fieldValue, defaultFieldValue, options, alternativeText, actions, textContent } = note;
  const shown = Array.isArray(textContent) ? readable(textContent.join('\n')).trim() : '';
  const values = [contentsObj?.str, titleObj?.str, richText?.str, url, unsafeUrl, fieldValue, defaultFieldValue];
  return [...new Set(words([...values, options, alternativeText, actions, shown]))];
}

/** Properties added by people or programs, with their names, but without program versions. */
function propertyTexts({ Custom, ...properties }: Record<string, unknown>): string[] {
  const entries = Object.entries({ ...properties, ...(Custom as Record<string, unknown> | undefined) });
  return entries
    .filter(([key, value]) => typeof value === 'string' && value !== '' && !noWords.has(key))
    .map(([key, value]) => `${key}: ${programKeys.test(key) ? (value as string).replaceAll(version, '') : value}`);
}

/** The metadata stream (XMP, ISO 16684-1), without parts that are not human-readable. */
function xmpOf(raw: unknown): string {
  if (typeof raw !== 'string') return '';
  return raw
    .replaceAll(thumbnails, '$1')
    .replaceAll(programs, (_all, before: string, program: string) => before + program.replaceAll(version, ''));
}

type Bookmark = {
  readonly title: string;
  readonly unsafeUrl?: string | undefined;
  readonly items: readonly Bookmark[];
};

/** Names of destinations. Most are generated, with numbers that look like versions and addresses. */
function placeTexts(names: readonly string[]): string[] {
  return words([...new Set(names.map((name) => (/[\s@]/.test(name) ? name : name.replaceAll(numbers, ''))))]);
}

/** Bookmarks; the names of their destinations are read separately. */
function outlineTexts(bookmarks: readonly Bookmark[] | null): string[] {
  return (bookmarks ?? []).flatMap(({ title, unsafeUrl, items }) => [
    ...words([title, unsafeUrl]),
    ...outlineTexts(items),
  ]);
}

type FormFields = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Fields with their names, which describe their content, except those already on a page (`known`). */
function fieldTexts(fields: FormFields, known: ReadonlySet<string>): string[] {
  return Object.entries(fields).flatMap(([name, widgets]) => {
    const values = widgets.flatMap(({ value, defaultValue, items, actions }) =>
      words([value, defaultValue, items, actions]),
    );
    // "Off": an unticked box.
    return [...new Set(values)]
      .filter((value) => value !== 'Off' && !known.has(value))
      .map((value) => `${name}: ${value}`);
  });
}

/** All strings in a value, at any depth. */
function words(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  return Object.values(value).flatMap(words);
}

/** The worker-side `Page` of PDF.js. */
type Page = { extractTextContent(...options: unknown[]): Promise<unknown> };

const everywhere = [-Infinity, -Infinity, Infinity, Infinity];

/** Makes PDF.js read all contents of pages; by default it omits text outside their boxes. */
function readBeyondEdges(): void {
  onFirst('nonBlendModesSet', (first: Page) => {
    const pages = Object.getPrototypeOf(first) as Page;
    const { extractTextContent } = pages;
    pages.extractTextContent = function (...options) {
      Object.defineProperty(this, 'view', { configurable: true, value: everywhere });
      return extractTextContent.apply(this, options);
    };
  });
}

/** Maximum number of revisions: each costs as much as a document. Signed and annotated files have a handful. */
const revisionsMax = 20;
const trailer = /startxref\s+(\d{1,12})\s+%%EOF/g;

/**
 * The bytes of each earlier revision, oldest first. Skips the first part of a linearized file (Annex F), which ends
 * like a revision but has an incomplete table. Throws `uninspectable` for too many revisions.
 */
function olderRevisions(bytes: Uint8Array): Uint8Array[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const ends: number[] = [];
  for (const match of text.matchAll(trailer)) {
    if (match[1] !== '0' && !/^0+$/.test(match[1] ?? '')) ends.push(match.index + match[0].length);
  }
  const older = ends.slice(0, -1);
  if (older.length > revisionsMax) {
    throw new PrivetError('uninspectable', `The PDF document was changed more than ${revisionsMax} times.`, {
      hint: 'Print it to a new PDF and send that.',
    });
  }
  return older.map((end) => bytes.subarray(0, end));
}
