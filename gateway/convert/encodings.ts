/**
 * Text files that are not UTF-8: Japanese encodings (above all Shift_JIS, in which Excel saves CSV) and Western Windows
 * Latin. Such files do not state their encoding.
 */

/** Japanese encodings; the one whose decoding yields more words wins. */
const japanese = ['shift_jis', 'euc-jp'] as const;
/** The escape sequences of ISO-2022-JP (RFC 1468). */
const announcements = ['\u001b$@', '\u001b$B'];
/** Minimum share of adjacent non-ASCII letters: Japanese words have more than one. */
const wordShareMin = 0.6;
/** Maximum share of non-ASCII bytes in a Latin text. */
const latinShareMax = 0.3;

/** Decodes a text file; `charset` is declared by the sender. Undefined if the encoding cannot be determined. */
export function legacyText(bytes: Uint8Array, charset?: string): string | undefined {
  const declared = charset === undefined ? undefined : decode(bytes, charset);
  if (declared !== undefined) return declared;
  const readings = japanese.flatMap((name) => {
    const text = decode(bytes, name);
    return text === undefined ? [] : [{ text, share: wordShare(text) }];
  });
  const [best] = readings.sort((a, b) => b.share - a.share);
  if (best !== undefined && best.share >= wordShareMin) return best.text;
  const beyondAscii = bytes.reduce((count, byte) => count + (byte >> 7), 0);
  const latin = beyondAscii <= bytes.length * latinShareMax ? decode(bytes, 'windows-1252') : undefined;
  return latin === undefined || /[\u0000-\u0008\u000e-\u001a\u007f-\u009f]/.test(latin) ? undefined : latin;
}

/** Decodes the ISO-2022-JP sequences in an ASCII text. */
export function withJapaneseEscapes(text: string, bytes: Uint8Array): string {
  if (!announcements.some((mark) => text.includes(mark))) return text;
  return decode(bytes, 'iso-2022-jp') ?? text;
}

/** Decodes the text; undefined if the encoding is unknown or a byte is invalid in it. */
function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The share of non-ASCII characters in runs of two or more kana, kanji or full-width characters. */
function wordShare(text: string): number {
  const others = text.match(/[^\u0000-\u007f]/gu)?.length ?? 0;
  const inWords = text.match(/[\u3000-\u30ff\u4e00-\u9fff\uff00-\uff60]{2,}/gu)?.join('').length ?? 0;
  return others === 0 ? 0 : inWords / others;
}
