/** Text shown by annotations and signatures of a PDF. PDF.js reads only some kinds and keeps their class private. */
import { baseWith, onFirst } from './classes.ts';

/** An annotation, link or form field of PDF.js. */
export type Note = Readonly<Record<string, unknown>> & { readonly id: string };

/** True for an image without text. */
export function isPicture({ subtype, fieldType, hasAppearance, textContent }: Note): boolean {
  const isWritten = subtype === 'Stamp' || subtype === 'FreeText' || fieldType === 'Sig';
  const hasText = Array.isArray(textContent) && textContent.some((line) => line !== '');
  return isWritten && hasAppearance === true && !hasText;
}

/** The PDF.js class (`Annotation`). */
type Annotation = {
  readonly data: Note & { textContent?: unknown; textPosition?: unknown };
  readonly hasTextContent: boolean;
  readonly appearance: { readonly dict?: { readonly objId?: string | null } } | null;
  extractTextContent(...context: unknown[]): Promise<void>;
};

/** Annotations of the open document by the reference of their appearance, of which only the first is read. */
let first = new Map<string, { readonly data: Annotation['data']; readonly isRead: Promise<void> }>();

/** Makes PDF.js read the text drawn by annotations of all kinds in this thread's next document. */
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
  // Free text and widget annotations have their own implementation. A check box only shows a tick.
  Object.defineProperty(baseWith(one, 'hasTextContent'), 'hasTextContent', {
    configurable: true,
    get(this: Annotation) {
      const { hasAppearance, checkBox, radioButton } = this.data;
      return hasAppearance === true && checkBox !== true && radioButton !== true;
    },
  });
}
