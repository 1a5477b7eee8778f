/** Detects a stream's format by its first bytes, in case its declared type is wrong. */

const line = /^(?:data|event|id|retry)?:/;
const lineStart = /^(?:d(?:a(?:t(?:a)?)?)?|e(?:v(?:e(?:n(?:t)?)?)?)?|i(?:d)?|r(?:e(?:t(?:r(?:y)?)?)?)?)?$/;

/** `0:"…"`, lines of JSON with a prefix. */
export const prefixedLine = /^[0-9a-f]{1,4}:(?:\{["}]|\[[[{"\]\d]|")/;

/** True if the text begins like a line of server-sent events; undefined if more is needed to decide. */
export function beginsEventStream(text: string): boolean | undefined {
  if (line.test(text)) return true;
  return lineStart.test(text) ? undefined : false;
}

const field = /^(?:(?:data|event|id|retry)?:|data$)/;
/** A beginning that no other text has: JSON after this name, or a comment. */
const certain = /^(?:data: ?(?:\{\s*["}]|\[\s*["[{D\d])|: )/;

/**
 * True for an event stream (HTML, section 9.2.5). Other texts may begin like one, so every line up to the first empty
 * one must be a field, and one of them data. Undefined if more is needed to decide; `isEnd`: there is no more.
 */
export function isEventStream(text: string, isEnd: boolean): boolean | undefined {
  const begins = beginsEventStream(text);
  if (begins !== true) return isEnd ? false : begins;
  let hasData = false;
  let at = 0;
  for (;;) {
    const end = /\r\n|\n|\r/g;
    end.lastIndex = at;
    const found = end.exec(text);
    const content = text.slice(at, found?.index);
    if (certain.test(content)) return true;
    if (!found) return isEnd || !(field.test(content) || lineStart.test(content)) ? false : undefined;
    if (content === '' && hasData) return true;
    if (content !== '' && !field.test(content)) return false;
    hasData ||= content.startsWith('data');
    at = found.index + found[0].length;
  }
}

const blanks: ReadonlySet<number> = new Set([0x20, 0x0a, 0x0d, 0x09]);
/** JSON never begins with a byte of the byte order mark. */
export const blanksAndMark: ReadonlySet<number> = new Set([...blanks, 0xef, 0xbb, 0xbf]);

/** Offset of the first byte that is not JSON whitespace (RFC 8259 §2). */
export function firstPlace(chunk: Uint8Array, passed = blanks): number {
  const start = chunk.findIndex((byte) => !passed.has(byte));
  return start < 0 ? chunk.length : start;
}
