/** JSON in its natural spelling, so that the content of its strings can be searched. */
import { isJson } from '../../core/payload/json-strings.ts';

const escaped = /\\(?:u([0-9a-f]{4})|([\s\S]))/gi;

/**
 * The same JSON with unnecessary escapes decoded: many programs write every non-ASCII letter as `\u5c71`. Everything
 * else is unchanged, as is a text that is not JSON.
 */
export function plainJson(text: string): string {
  if (!text.includes('\\') || !isJson(text)) return text;
  const plain = text.replace(escaped, (whole, code?: string, one?: string) => {
    if (one === '/') return '/';
    if (code === undefined) return whole;
    const unit = Number.parseInt(code, 16);
    // Quotes, backslashes and controls must stay escaped. Surrogate halves rejoin when they are adjacent.
    return unit < 0x20 || unit === 0x22 || unit === 0x5c || unit === 0x7f ? whole : String.fromCharCode(unit);
  });
  // A lone surrogate cannot be written any other way.
  return plain.isWellFormed() ? plain : text;
}
