/** The media type of a `Content-Type` field (RFC 9110 §8.3.1). */
import { remembering } from '../remembered.ts';

/** Maximum length of a cached field; fields with a boundary are longer. */
const typeOf = remembering((field) => (field.split(';', 1)[0] as string).trim().toLowerCase(), {
  max: 500,
  unitsMax: 60,
});

/** Type and subtype in lower case, without parameters; empty if the header is missing. */
export function mediaTypeOf(contentType: string | undefined): string {
  return contentType === undefined ? '' : typeOf(contentType);
}
