/** Decodes unnecessary JSON escapes, so that the content of strings can be searched. */
import { isJson } from '../../core/payload/json-strings.ts';

const escaped = /\\(?:u([0-9a-f]{4})|([\s\S]))/gi;

/** Decodes unnecessary escapes in JSON: many programs write every non-ASCII letter as `\u5c71`. */
export function plainJson(text: string): string {
  if (!text.includes('\\') || !isJson(text)) return text;
  const plain = text.replace(escaped, (sequence, code?: string, character?: string) => {
    if (character === '/') return '/';
    if (code === undefined) return sequence;
    const unit = Number.parseInt(code, 16);
    // Quotes, backslashes and control characters must stay escaped. Adjacent surrogate halves rejoin.
    return unit < 0x20 || unit === 0x22 || unit === 0x5c || unit === 0x7f ? sequence : String.fromCharCode(unit);
  });
  // A lone surrogate cannot be written any other way.
  return plain.isWellFormed() ? plain : text;
}
