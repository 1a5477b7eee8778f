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
type Annotation = {
  readonly data: Note & { textContent?: unknown; textPosition?: unknown };
  readonly hasTextContent: boolean;
  readonly appearance: { readonly dict?: { readonly objId?: string | null } } | null;
  extractTextContent(...context: unknown[]): Promise<void>;
};

/** Notes of the open document that were read first of those that show the same, by its reference. */
let first = new Map<string, { readonly data: Annotation['data']; readonly isRead: Promise<void> }>();

/** Has PDF.js read the text that notes of all kinds draw, without what their page draws; for the next document of this thread. */
export function readAppearances(): void {
  first = new Map();
  onFirst('_streams', (one: Annotation) => {
    readAll(one);
    readOnce(one);
  });
}

function readOnce(one: Annotation): void {
  const notes = baseWith(one, 'extractTextContent');
  const { extractTextContent } = notes;
  notes.extractTextContent = async function (...context) {
    const key = this.appearance?.dict?.objId;
    const same = key ? first.get(key) : undefined;
    if (same === undefined) {
      const isRead = extractTextContent.apply(this, context);
      if (key) first.set(key, { data: this.data, isRead });
      return isRead;
    }
    await same.isRead;
    const { textContent, textPosition } = same.data;
    if (textContent !== undefined) Object.assign(this.data, { textContent, textPosition });
  };
}

function readAll(one: Annotation): void {
  // Texts and notes on the page have an answer of their own. What boxes show is a tick.
  Object.defineProperty(baseWith(one, 'hasTextContent'), 'hasTextContent', {
    configurable: true,
    get(this: Annotation) {
      const { hasAppearance, checkBox, radioButton } = this.data;
      return hasAppearance === true && checkBox !== true && radioButton !== true;
    },
  });
}
