/** Decodes a JSON string that arrives in pieces, and maps decoded offsets to the raw text. */

/** Decoded offset → raw offset: a table if escapes were decoded, else a shift. */
export type Offsets = { readonly base: number; readonly table?: readonly number[] };

type DecodedPart = {
  readonly text: string;
  readonly offsets: Offsets;
  readonly end: number;
  readonly isClosed: boolean;
};

/** Decodes a JSON string from `from` up to its closing quote, an unfinished escape, or the end. */
export function decodeString(text: string, from: number, offsets: Offsets): DecodedPart {
  const stop = /["\\]/g;
  stop.lastIndex = from;
  let found = stop.exec(text);
  if (!found || found[0] === '"') {
    const end = found ? found.index : text.length;
    return { text: text.slice(from, end), offsets: shift(offsets, from), end, isClosed: found !== null };
  }
  let decoded = '';
  const table: number[] = [];
  let at = from;
  for (;;) {
    const end = found ? found.index : text.length;
    for (let i = at; i < end; i++) table.push(rawAt(offsets, i));
    decoded += text.slice(at, end);
    at = end;
    if (!found || found[0] === '"') break;
    const escapes = /\\(?:u([0-9a-fA-F]{4})|([^u]))/y;
    escapes.lastIndex = at;
    const match = escapes.exec(text);
    if (!match) {
      // Unfinished at the end of the data; elsewhere it is invalid JSON and passes unchanged.
      if (/^\\(?:u[0-9a-fA-F]{0,3})?$/.test(text.slice(at, at + 6)) && at + 6 > text.length) break;
      table.push(rawAt(offsets, at));
      decoded += '\\';
      at++;
    } else {
      table.push(rawAt(offsets, at));
      decoded +=
        match[1] !== undefined ? String.fromCharCode(Number.parseInt(match[1], 16)) : decodeShort(match[2] ?? '');
      at += match[0].length;
    }
    stop.lastIndex = at;
    found = stop.exec(text);
  }
  table.push(rawAt(offsets, at));
  return { text: decoded, offsets: { base: 0, table }, end: at, isClosed: found !== null && found[0] === '"' };
}

const shortEscapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function decodeShort(char: string): string {
  return shortEscapes[char] ?? char;
}

/** The raw offset of a decoded one; negative within text already sent. */
export function rawAt(offsets: Offsets, index: number): number {
  return offsets.table ? (offsets.table[offsets.base + index] ?? offsets.table.at(-1) ?? 0) : offsets.base + index;
}

/** The offsets from a later position. */
export function shift(offsets: Offsets, by: number): Offsets {
  if (by === 0) return offsets;
  return offsets.table ? { base: offsets.base + by, table: offsets.table } : { base: offsets.base + by };
}
