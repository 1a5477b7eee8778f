/** Texts of a PDF's properties, bookmarks, form fields and annotations, as PDF.js reports them. */
/** Keys of the information dictionary (ISO 32000-1 §14.3.3) with human-written values. */
export const ownWords = ['Title', 'Author', 'Subject', 'Keywords'];
const noWords = new Set([...ownWords, 'PDFFormatVersion', 'Language', 'EncryptFilterName', 'CreationDate', 'ModDate']);
/** Entries that name a program, whose version may look like an IP address. */
const programKeys = /Creator|Producer|banner|software/i;
const programs = /((?:CreatorTool|Producer|softwareAgent)(?:>|=["']))([^<"']*)/g;
const version = /(?<!\d)\d+(?:\.\d+)+/g;
/** Numbers in an identifier, such as the chapter in `section.1.2.3.4`. */
const numbers = /\d+(?:\.\d+)*/g;
/** Page thumbnails in base64. */
const thumbnails = /(xmpGImg:image(?:>|=["']))[^<"']*/g;

/** An annotation, link or form field. */
export type Note = Readonly<Record<string, unknown>>;

/** The texts of an annotation, except what it draws. */
export function annotationTexts(note: Note): string[] {
  const { contentsObj, titleObj, richText } = note as Record<string, { str?: unknown } | undefined>;
  const { url, unsafeUrl, fieldValue, defaultFieldValue, options, alternativeText, actions } = note;
  const values = [contentsObj?.str, titleObj?.str, richText?.str, url, unsafeUrl, fieldValue, defaultFieldValue];
  return [...new Set(words([...values, options, alternativeText, actions]))];
}

/** Properties added by people or programs, with their names, but without program versions. */
export function propertyTexts({ Custom, ...properties }: Record<string, unknown>): string[] {
  const entries = Object.entries({ ...properties, ...(Custom as Record<string, unknown> | undefined) });
  return entries
    .filter(([key, value]) => typeof value === 'string' && value !== '' && !noWords.has(key))
    .map(([key, value]) => `${key}: ${programKeys.test(key) ? (value as string).replaceAll(version, '') : value}`);
}

/** The metadata stream (XMP, ISO 16684-1), without parts that are not human-readable. */
export function xmpOf(raw: unknown): string {
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
export function placeTexts(names: readonly string[]): string[] {
  return words([...new Set(names.map((name) => (/[\s@]/.test(name) ? name : name.replaceAll(numbers, ''))))]);
}

/** Bookmarks; the names of their destinations are read separately. */
export function outlineTexts(bookmarks: readonly Bookmark[] | null): string[] {
  return (bookmarks ?? []).flatMap(({ title, unsafeUrl, items }) => [
    ...words([title, unsafeUrl]),
    ...outlineTexts(items),
  ]);
}

export type FormFields = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Fields with their names, which describe their content, except those already on a page (`known`). */
export function fieldTexts(fields: FormFields, known: ReadonlySet<string>): string[] {
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
export function words(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  return Object.values(value).flatMap(words);
}
