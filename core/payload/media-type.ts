/** The media type of a `Content-Type` field (RFC 9110 §8.3.1). */
import { ownCopy } from '../own-copy.ts';

/** Recent values without parameters of their own, such as boundaries. */
const known = new Map<string, string>();
const knownMax = 500;
const keptUnitsMax = 80;

/** Type and subtype in lower case, without parameters; empty where the field is missing. */
export function mediaTypeOf(contentType: string | undefined): string {
  if (contentType === undefined) return '';
  const before = known.get(contentType);
  if (before !== undefined) return before;
  const type = (contentType.split(';', 1)[0] as string).trim().toLowerCase();
  if (contentType.length > keptUnitsMax || type.startsWith('multipart/')) return type;
  if (known.size >= knownMax) known.clear();
  known.set(ownCopy(contentType), ownCopy(type));
  return type;
}
