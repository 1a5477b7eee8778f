/** What annotations draw. */
import { PDFDict, PDFNumber, PDFRawStream, PDFRef } from '@cantoo/pdf-lib';
import { entryOf, inherited, isNamed, listOf, nameOf, rawEntryOf } from './values.ts';

/** What an annotation draws; `isWritten` if it should contain text. */
export type Appearance = { readonly form: PDFRef; readonly isWritten: boolean };

/** Field flag of a button that is not a check box or radio button, which only show a tick (ISO 32000-1 §12.7.4.2). */
const pushButton = 0x1_0000;

/** The normal appearance of an annotation (ISO 32000-1 §12.5.5). */
export function appearanceOf(note: PDFDict): Appearance | undefined {
  // Only widgets are fields.
  const kind = isNamed(note, 'Subtype', ['Widget']) ? nameOf(inherited(note, 'FT')) : undefined;
  const flags = inherited(note, 'Ff');
  if (kind === 'Btn' && !(flags instanceof PDFNumber && flags.asNumber() & pushButton)) return undefined;
  let form = rawEntryOf(entryOf(note, 'AP'), 'N');
  const states = note.context.lookup(form);
  if (states instanceof PDFDict) form = rawEntryOf(states, nameOf(entryOf(note, 'AS')) ?? '');
  if (!(form instanceof PDFRef && note.context.lookup(form) instanceof PDFRawStream)) return undefined;
  return { form, isWritten: kind === 'Sig' || isNamed(note, 'Subtype', ['Stamp', 'FreeText']) };
}

/** The annotations of a page. */
export function notesOf(page: unknown): PDFDict[] {
  if (!(page instanceof PDFDict)) return [];
  return listOf(page, entryOf(page, 'Annots')).filter((note) => note instanceof PDFDict);
}
