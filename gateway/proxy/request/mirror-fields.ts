/**
 * Headers that mirror part of the body: `Mcp-Name` and `Mcp-Param-*` of MCP since 2026-07-28, whose servers reject a
 * request if the two differ (HeaderMismatch, −32020). They are updated to match the masked body.
 */

/** Encodes a value that is not plain ASCII, or that looks like this encoding. */
const encodedWord = /^=\?base64\?([A-Za-z\d+/]*={0,2})\?=$/;
const plainValue = /^(?!=\?base64\?)[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** True for a header that mirrors part of the body. */
export function isMirrorField(name: string): boolean {
  return name.length > 7 && (name.charCodeAt(0) | 0x20) === 0x6d && /^mcp-(?:name$|param-)/i.test(name);
}

/** True if a request has such a header. */
export function hasMirrorField(raw: readonly string[]): boolean {
  for (let i = 0; i < raw.length; i += 2) if (isMirrorField(raw[i] as string)) return true;
  return false;
}

/** The decoded text of a header. */
export function mirrorText(value: string): string {
  const encoded = encodedWord.exec(value)?.[1];
  if (encoded !== undefined) return Buffer.from(encoded, 'base64').toString();
  return Buffer.from(value, 'latin1').toString();
}

/** The header for a text. */
export function mirrorValue(text: string): string {
  return plainValue.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** The new text of each body value, by its original text; undefined if either body is not JSON. */
export function changesOf(before: Buffer, after: Buffer): Map<string, string> | undefined {
  const changes = new Map<string, string>();
  try {
    collect(JSON.parse(before.toString()), JSON.parse(after.toString()), changes, 0);
  } catch {
    return undefined;
  }
  return changes;
}

const depthMax = 100;

function collect(before: unknown, after: unknown, changes: Map<string, string>, depth: number): void {
  if (depth > depthMax || before === null || after === null) return;
  if (typeof before !== 'object' || typeof after !== 'object') {
    if (typeof before !== 'object' && typeof after !== 'object') changes.set(String(before), String(after));
    return;
  }
  // Member names may be masked too, but never move.
  const others = Object.values(after);
  for (const [i, value] of Object.values(before).entries()) collect(value, others[i], changes, depth + 1);
}
