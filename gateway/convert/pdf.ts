/** The text of PDF documents. Only here is unpdf used; it is loaded when the first PDF comes. */
import { PrivetError } from '../../core/errors.ts';
import { CharacterMaps, unknownCharacters } from './character-maps.ts';
import type { DocumentLimits } from './limits.ts';
import { damaged, tooLarge } from './refusals.ts';
import type { Section } from './sections.ts';

/**
 * One section per page, with its notes and form fields, and one with the title and author of the document; `opaque`
 * are the names of attached files.
 * Throws `body_too_large` for too many pages, `invalid_input` for what cannot be read or asks for a password.
 */
export async function readPdf(
  bytes: Uint8Array,
  limits: DocumentLimits,
): Promise<{ readonly sections: Section[]; readonly opaque: string[] }> {
  const { getDocumentProxy } = await import('unpdf');
  // `BinaryDataFactory` is an option of this PDF.js that its types do not name yet.
  const options = { stopAtErrors: false, verbosity: 0, cMapPacked: false, BinaryDataFactory: CharacterMaps };
  const pdf = await getDocumentProxy(bytes, options).catch((cause: unknown) => {
    throw damaged('The PDF document cannot be opened; it is damaged or has a password.', cause);
  });
  try {
    if (pdf.numPages > limits.pagesMax) {
      throw tooLarge(`The PDF document has more than ${limits.pagesMax} pages.`);
    }
    const sections: Section[] = [];
    let chars = 0;
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const content = await page.getTextContent();
      let text = '';
      for (const item of content.items)
        if ('str' in item) text += item.str.replace(unknownCharacters, '') + (item.hasEOL ? '\n' : '');
      for (const note of (await page.getAnnotations()) as Record<string, unknown>[]) {
        for (const word of annotationTexts(note)) text += `\n${word}`;
      }
      page.cleanup();
      chars += text.length;
      if (chars > limits.charsMax) throw tooLarge('The PDF document holds too much text.');
      sections.push({ title: `Page ${number}`, text });
    }
    const info = (await pdf.getMetadata()).info as Record<string, unknown> | undefined;
    const about = ['Title', 'Author', 'Subject', 'Keywords']
      .map((key) => info?.[key])
      .filter((value) => typeof value === 'string' && value !== '');
    if (about.length > 0) sections.push({ title: 'Properties', text: about.join('\n') });
    const attachments = (await pdf.getAttachments()) as Record<string, unknown> | null;
    return { sections, opaque: Object.keys(attachments ?? {}) };
  } catch (cause) {
    if (cause instanceof PrivetError) throw cause;
    throw damaged('The PDF document cannot be read.', cause);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

function annotationTexts(note: Record<string, unknown>): string[] {
  const contents = note.contentsObj as { str?: unknown } | undefined;
  const title = note.titleObj as { str?: unknown } | undefined;
  const values = [contents?.str, title?.str, note.url, note.unsafeUrl];
  const field = note.fieldValue;
  values.push(...(Array.isArray(field) ? field : [field]));
  return [...new Set(values.filter((value): value is string => typeof value === 'string' && value !== ''))];
}
