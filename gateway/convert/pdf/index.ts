/** Extracts the text of PDF documents: PDF.js reads the pages, pdf-lib the objects. */
import { PDFRef } from '@cantoo/pdf-lib';
import type { PDFPageProxy } from 'unpdf/pdfjs';
import { PrivetError } from '../../../core/errors.ts';
import { readable } from '../character-maps.ts';
import { type DocumentLimits, decodedBytesMax } from '../limits.ts';
import type { Section } from '../office/sections.ts';
import { xmlTexts } from '../office/xml-texts.ts';
import { damaged, tooLarge } from '../refusals.ts';
import { type Appearance, appearanceOf, notesOf } from './appearances.ts';
import {
  annotationTexts,
  type FormFields,
  fieldTexts,
  type Note,
  outlineTexts,
  ownWords,
  placeTexts,
  propertyTexts,
  words,
  xmpOf,
} from './document-texts.ts';
import { DocumentObjects, type ObjectText } from './objects.ts';
import { drawnText, openDocument, pageContent } from './pages.ts';
import { Redrawn } from './redrawn.ts';
import { olderRevisions } from './revisions.ts';

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

/** What was found in one revision besides its pages. */
type Findings = {
  hasImages: boolean;
  readonly opaque: string[];
  readonly others: string[];
  readonly known: Set<string>;
};

async function readRevision(bytes: Uint8Array, limits: DocumentLimits): Promise<PdfContent> {
  const objects = await DocumentObjects.open(bytes, decodedBytesMax(bytes.length, limits));
  const { texts, notes } = objects.read();
  const pdf = await openDocument(bytes).catch((cause: unknown) => {
    throw damaged('The PDF document cannot be opened; it is damaged or has a password.', cause);
  });
  let copy: Redrawn | undefined;
  try {
    if (pdf.numPages > limits.pagesMax) {
      throw tooLarge(`The PDF document has more than ${limits.pagesMax} pages.`);
    }
    const pages = await Promise.all(Array.from({ length: pdf.numPages }, (_, i) => pdf.getPage(i + 1)));
    const appearances = notes.flatMap((note) => appearanceOf(note) ?? []);
    const drawings = [...appearances.map(({ form }) => form), ...pages.flatMap((page) => refOf(page) ?? [])];
    copy = await Redrawn.open(objects.context, new Set(drawings));
    const found: Findings = { hasImages: false, opaque: [], others: [], known: new Set() };
    const shown = await appearanceTexts(copy, appearances, found);
    const unplaced = new Map(shown);
    const sections: Section[] = [];
    let chars = 0;
    for (const [i, page] of pages.entries()) {
      let text = await pageText(page, copy, found);
      const { texts: own, appearances: drawn } = await readNotes(page, found);
      for (const word of own) text += `\n${word}`;
      const known = new Set(own);
      let seen = 0;
      const ref = refOf(page);
      for (const note of notesOf(ref && objects.context?.lookup(ref))) {
        const form = appearanceOf(note)?.form;
        const word = (form && shown.get(form)) ?? '';
        if (form !== undefined) {
          unplaced.delete(form);
          seen++;
        }
        // A field shows its value.
        if (word !== '' && !known.has(word)) text += `\n${word}`;
      }
      page.cleanup();
      // If pdf-lib sees fewer drawings, the two libraries read the file differently.
      found.hasImages ||= text.trim() === '' || seen < drawn;
      chars += text.length;
      if (chars > limits.charsMax) throw tooLarge('The PDF document contains too much text.');
      sections.push({ title: `Page ${i + 1}`, text });
    }
    const { info, metadata } = await pdf.getMetadata();
    const properties = info as Record<string, unknown>;
    const about = ownWords.flatMap((key) => words(properties[key]));
    if (about.length > 0) sections.push({ title: 'Properties', text: about.join('\n') });
    const { opaque, known } = found;
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
      ...words([await pdf.getJSActions(), found.others, ...unplaced.values()]),
    ];
    for (const { length } of others) chars += length;
    for (const word of [...about, ...words(Object.values(properties)), ...others]) known.add(word);
    for (const { text, file } of furtherTexts(texts, known)) {
      // Files that were already listed appear again here.
      if (file !== undefined) opaque.push(...(opaque.length === 0 ? [file] : []));
      else if (text === undefined) found.hasImages = true;
      else others.push(text);
      chars += text?.length ?? 0;
      if (chars > limits.charsMax) break;
    }
    if (chars > limits.charsMax) throw tooLarge('The PDF document contains too much text.');
    // Separated by empty texts, so that none is read as the label of the next.
    return { sections, others: others.flatMap((text) => ['', text]), opaque, hasImages: found.hasImages };
  } catch (cause) {
    if (cause instanceof PrivetError) throw cause;
    throw damaged('The PDF document cannot be read.', cause);
  } finally {
    await copy?.close();
    await pdf.loadingTask.destroy();
  }
}

function refOf({ ref }: PDFPageProxy): PDFRef | undefined {
  return ref ? PDFRef.of(ref.num, ref.gen) : undefined;
}

/** The text of each appearance, which annotations may share. */
async function appearanceTexts(
  copy: Redrawn,
  appearances: readonly Appearance[],
  found: Findings,
): Promise<Map<PDFRef, string>> {
  const shown = new Map<PDFRef, string>();
  for (const { form, isWritten } of appearances) {
    const content = shown.has(form) ? undefined : await copy.contentOf(form);
    if (content !== undefined) {
      const drawn = await drawnText(content);
      shown.set(form, readable(drawn.text).trim());
      found.others.push(...drawn.others);
      found.hasImages ||= drawn.hasUnknown;
    }
    found.hasImages ||= isWritten && (shown.get(form) ?? '') === '';
  }
  return shown;
}

/** The text of a page, also beyond its edges. */
async function pageText(page: PDFPageProxy, copy: Redrawn, found: Findings): Promise<string> {
  const ref = refOf(page);
  const inside = await pageContent(page);
  const whole = ref && (await copy.contentOf(ref));
  const { text, others, hasUnknown } = await drawnText(whole && whole.letters > inside.letters ? whole : inside);
  // If the copy has less, the two libraries read the file differently.
  found.hasImages ||= hasUnknown || inside.letters > (whole?.letters ?? 0);
  found.others.push(...others, ...words(await page.getJSActions()));
  return text;
}

/** The texts of a page's annotations, except what they draw, and the number of those that draw something. */
async function readNotes(page: PDFPageProxy, found: Findings) {
  const notes = (await page.getAnnotations({ intent: 'any' })) as Note[];
  for (const { file } of notes) found.opaque.push(...words((file as { filename?: unknown } | undefined)?.filename));
  const texts = notes.flatMap(annotationTexts);
  for (const word of texts) found.known.add(word);
  const drawing = notes.filter(
    ({ hasAppearance, checkBox, radioButton }) => hasAppearance && !checkBox && !radioButton,
  );
  return { texts, appearances: drawing.length };
}

/** Texts of the objects that are not `known`, and attached files; neither for unreadable objects. */
function* furtherTexts(
  objects: readonly ObjectText[],
  known: Set<string>,
): Generator<{ text?: string; file?: string }, void> {
  for (const { text, xmp, file, isUnread } of objects) {
    if (isUnread) yield {};
    if (file !== undefined) yield { file };
    for (const word of [...words(text), ...xmlTexts(xmpOf(xmp)).map((group) => group.text)]) {
      if (!known.has(word)) yield { text: word };
      known.add(word);
    }
  }
}
