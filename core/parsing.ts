/** Parsers for input that may be invalid without being an error. */

/** A JSON object of unknown shape. */
export type JsonObject = { readonly [name: string]: unknown };

/** True for a JSON object, but not for an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The value of a JSON text; undefined for other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON text with line breaks; any other text unchanged. */
export function prettyJson(text: string): string {
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** The text of UTF-8 bytes with its byte order mark; undefined for other bytes. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The text with percent escapes decoded; unchanged if they are invalid. */
export function decodedText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
