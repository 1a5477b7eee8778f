/** Characters as XML writes them, and as Office writes them within XML. */

const entities: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }),
);

/** Characters and character references as text; an unknown entity stays as it is. */
export function decodeXml(raw: string): string {
  if (!raw.includes('&')) return raw;
  return raw.replaceAll(
    /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return entities.get(name) ?? whole;
      const code = Number.parseInt(hex ?? decimal ?? '', hex === undefined ? 10 : 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

/** A text as it stands between tags. */
export function encodeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** What XML cannot hold, or would read as another character: Office writes it as `_xHHHH_`. */
const unwritable = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Surrogate}/gu;
/** An underscore that would begin an escape, where one follows as well. */
const beginning = /_(?=x[\da-f]{4}(?:[_\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Surrogate}))/giu;

/** What stands in a part, with line ends as XML reads them (XML 1.0 §2.11). Those in references are kept. */
export function withLineFeeds(raw: string): string {
  return raw.includes('\r') ? raw.replaceAll(/\r\n?/g, '\n') : raw;
}

/** A text of a workbook or slide without its escapes (ECMA-376-1 §22.9.2.19). {@link encodeEscapes} is the way back. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** A text with escapes: for what cannot be written, and so that none comes about where none was meant. */
export function encodeEscapes(text: string): string {
  const escaped = (char: string) => `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
  return text.replaceAll(beginning, escaped).replaceAll(unwritable, escaped);
}
