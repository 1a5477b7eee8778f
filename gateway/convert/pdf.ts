/** The text of PDF documents. Only here is unpdf used; it is loaded when the first PDF comes. */
import { PrivetError } from '../../core/errors.ts';
import { CharacterMaps, unknownCharacters } from './character-maps.ts';
import { type DocumentLimits, decodedBytesMax } from './limits.ts';
import { limitDecoding } from './pdf-decoding.ts';
import { damaged, tooLarge, unpackedTooLarge } from './refusals.ts';
import type { Section } from './sections.ts';
import { xmlTexts } from './xml-texts.ts';

/** Keys of the information dictionary (ISO 32000-1 §14.3.3) for people, and those that no person has written. */
const ownWords = ['Title', 'Author', 'Subject', 'Keywords'];
const noWords = new Set([...ownWords, 'PDFFormatVersion', 'Language', 'EncryptFilterName', 'CreationDate', 'ModDate']);
/** Entries that name a program; its version may look like an address of a computer. */
const programKeys = /Creator|Producer|banner|software/i;
const programs = /((?:CreatorTool|Producer|softwareAgent)(?:>|=["']))([^<"']*)/g;
const version = /(?<!\d)\d+(?:\.\d+)+/g;
/** Small pictures of pages, in base64. */
const thumbnails = /(xmpGImg:image(?:>|=["']))[^<"']*/g;

/** What is read of a PDF. */
export type PdfContent = {
  /** One per page, with its notes and form fields, and one with the title and author of the document. */
  readonly sections: Section[];
  /** What no page shows: bookmarks, other properties, form fields that stand on no page, programs. */
  readonly others: string[];
  /** Names of attached files, and forms that cannot be read. */
  readonly opaque: string[];
};

/**
 * Reads a PDF.
 * Throws `body_too_large` for too many pages and for streams that are too large when decoded, `invalid_input` for what
 * cannot be read or asks for a password.
 */
export async function readPdf(bytes: Uint8Array, limits: DocumentLimits): Promise<PdfContent> {
  const { getDocumentProxy } = await import('unpdf');
  // `BinaryDataFactory` is an option of this PDF.js that its types do not name yet.
  const options = { stopAtErrors: false, verbosity: 0, cMapPacked: false, BinaryDataFactory: CharacterMaps };
  const decoded = limitDecoding(decodedBytesMax(bytes.length, limits));
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
    const said = new Set<string>();
    let chars = 0;
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const content = await page.getTextContent();
      let text = '';
      for (const item of content.items)
        if ('str' in item) text += item.str.replace(unknownCharacters, '') + (item.hasEOL ? '\n' : '');
      for (const note of (await page.getAnnotations()) as Record<string, unknown>[]) {
        for (const word of annotationTexts(note)) {
          text += `\n${word}`;
          said.add(word);
        }
        opaque.push(...words((note.file as { filename?: unknown } | undefined)?.filename));
      }
      page.cleanup();
      // The library goes on without what it could not decode.
      if (decoded.isOver) throw unpackedTooLarge();
      chars += text.length;
      if (chars > limits.charsMax) throw tooLarge('The PDF document holds too much text.');
      sections.push({ title: `Page ${number}`, text });
    }
    const { info, metadata } = await pdf.getMetadata();
    const properties = info as Record<string, unknown>;
    const about = ownWords.flatMap((key) => words(properties[key]));
    if (about.length > 0) sections.push({ title: 'Properties', text: about.join('\n') });
    opaque.push(...((await pdf.getAttachments())?.keys() ?? []));
    const fields = (await pdf.getFieldObjects()) as FormFields | null;
    // The library does not read the former, and tells nothing of fields that no page could show.
    if (properties.IsXFAPresent === true || (properties.IsAcroFormPresent === true && fields === null)) {
      opaque.push('form');
    }
    const others = [
      ...propertyTexts(properties),
      ...xmlTexts(xmpOf(metadata?.getRaw())).map(({ text }) => text),
      ...fieldTexts(fields ?? {}, said),
      ...outlineTexts(await pdf.getOutline()),
      ...words(await pdf.getJSActions()),
    ];
    if (decoded.isOver) throw unpackedTooLarge();
    for (const { length } of others) chars += length;
    if (chars > limits.charsMax) throw tooLarge('The PDF document holds too much text.');
    // One by one, none is taken for the label of the next.
    return { sections, others: others.flatMap((text) => ['', text]), opaque };
  } catch (cause) {
    if (cause instanceof PrivetError) throw cause;
    if (decoded.isOver) throw unpackedTooLarge();
    throw damaged('The PDF document cannot be read.', cause);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

function annotationTexts(note: Record<string, unknown>): string[] {
  const { contentsObj, titleObj, richText } = note as Record<string, { str?: unknown } | undefined>;
  const { url, unsafeUrl, fieldValue, defaultFieldValue, options, alternativeText, actions } = note;
  const values = [contentsObj?.str, titleObj?.str, richText?.str, url, unsafeUrl, fieldValue, defaultFieldValue];
  return [...new Set(words([...values, options, alternativeText, actions]))];
}

/** Entries that people or programs have added, with their names, and the names of the programs without their versions. */
function propertyTexts({ Custom, ...properties }: Record<string, unknown>): string[] {
  const entries = Object.entries({ ...properties, ...(Custom as Record<string, unknown> | undefined) });
  return entries
    .filter(([key, value]) => typeof value === 'string' && value !== '' && !noWords.has(key))
    .map(([key, value]) => `${key}: ${programKeys.test(key) ? (value as string).replaceAll(version, '') : value}`);
}

/** The metadata stream (XMP, ISO 16684-1) without what is no text of people. */
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

/** Bookmarks without the names of their places in the document, which look like versions and addresses. */
function outlineTexts(bookmarks: readonly Bookmark[] | null): string[] {
  return (bookmarks ?? []).flatMap(({ title, unsafeUrl, items }) => [
    ...words([title, unsafeUrl]),
    ...outlineTexts(items),
  ]);
}

type FormFields = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Fields with their names, which say what they hold; those that a page has `said` are left out. */
function fieldTexts(fields: FormFields, said: ReadonlySet<string>): string[] {
  return Object.entries(fields).flatMap(([name, widgets]) => {
    const values = widgets.flatMap(({ value, defaultValue, items, actions }) =>
      words([value, defaultValue, items, actions]),
    );
    // A box that is not ticked.
    return [...new Set(values)]
      .filter((value) => value !== 'Off' && !said.has(value))
      .map((value) => `${name}: ${value}`);
  });
}

/** All strings in a value, however deep. */
function words(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  return Object.values(value).flatMap(words);
}
