/**
 * What notes and signatures of a PDF show. PDF.js reads the text of some kinds of them only and keeps their class to itself.
 */
import { baseWith, onFirst } from './pdf-classes.ts';

/** A note, link or form field as PDF.js describes it. */
export type Note = Readonly<Record<string, unknown>> & { readonly id: string };

/** Whether it shows something without text where a person may have written: a picture. */
export function isPicture({ subtype, fieldType, hasAppearance, textContent }: Note): boolean {
  const isWritten = subtype === 'Stamp' || subtype === 'FreeText' || fieldType === 'Sig';
  const hasText = Array.isArray(textContent) && textContent.some((line) => line !== '');
  return isWritten && hasAppearance === true && !hasText;
}

/** What PDF.js makes of each (`Annotation`). */
type Annotation = { readonly data: Note; readonly hasTextContent: boolean };

/** Has PDF.js read the text that notes of all kinds draw, without what their page draws; for this thread. */
export function readAppearances(): void {
  onFirst('_streams', readAll);
}

function readAll(first: Annotation): void {
  // Texts and notes on the page have an answer of their own. What boxes show is a tick.
  Object.defineProperty(baseWith(first, 'hasTextContent'), 'hasTextContent', {
    configurable: true,
    get(this: Annotation) {
      const { hasAppearance, checkBox, radioButton } = this.data;
      return hasAppearance === true && checkBox !== true && radioButton !== true;
    },
  });
}
