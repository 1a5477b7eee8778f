/** Character escapes of XML, and Office's own escapes within XML. */

const entities: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }),
);

/** Decodes character references; unknown entities stay. */
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

/** Encodes a text for use between tags. */
export function encodeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Characters that XML cannot contain or would change; Office writes them as `_xHHHH_`. */
const unwritable = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Surrogate}/gu;
/** An underscore that would start an escape, also before a character that will be encoded. */
const beginning = /_(?=x[\da-f]{4}(?:[_\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Surrogate}))/giu;

/** Normalises line ends as XML does (XML 1.0 §2.11). Character references stay. */
export function withLineFeeds(raw: string): string {
  return raw.includes('\r') ? raw.replaceAll(/\r\n?/g, '\n') : raw;
}

/** Decodes escapes in a text of a workbook or slide (ECMA-376-1 §22.9.2.19). Inverse: {@link encodeEscapes}. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Encodes characters that cannot be written, and text that only looks like an escape. */
export function encodeEscapes(text: string): string {
  const escaped = (char: string) => `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
  return text.replaceAll(beginning, escaped).replaceAll(unwritable, escaped);
}
