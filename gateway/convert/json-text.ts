/** JSON as people would write it, so that what its strings say can be found. */
import { isJson } from '../../core/payload/json-strings.ts';

const escaped = /\\(?:u([0-9a-f]{4})|([\s\S]))/gi;

/**
 * The same JSON with characters in place of escapes that need not be there: many programs write every letter beyond ASCII
 * as `\u5c71`. All else stays as it is; so does a text that is no JSON.
 */
export function plainJson(text: string): string {
  if (!text.includes('\\') || !isJson(text)) return text;
  const plain = text.replace(escaped, (whole, code?: string, one?: string) => {
    if (one === '/') return '/';
    if (code === undefined) return whole;
    const unit = Number.parseInt(code, 16);
    // Quotes, backslashes and controls have to stay escaped. Halves of a pair come together again beside each other.
    return unit < 0x20 || unit === 0x22 || unit === 0x5c || unit === 0x7f ? whole : String.fromCharCode(unit);
  });
  // Half of a pair alone cannot be written otherwise.
  return plain.isWellFormed() ? plain : text;
}
