/**
 * Text files that are not UTF-8: what Japanese programs write to this day (Shift_JIS above all, which is what Excel saves
 * a CSV as), and the Latin letters of Western Windows. Nothing in such a file says which it is.
 */

/** Encodings of Japanese texts; the one whose reading makes more words is taken. */
const japanese = ['shift_jis', 'euc-jp'] as const;
/** ISO-2022-JP announces its characters by these (RFC 1468). */
const announcements = ['\u001b$@', '\u001b$B'];
/** The share of letters beyond ASCII that have to stand beside each other: Japanese words have more than one. */
const wordShareMin = 0.6;
/** Bytes beyond ASCII in a text in Latin letters, at most. */
const latinShareMax = 0.3;

/** The text of a file that is known to be one; `charset` is what its sender says. Undefined when it cannot be told. */
export function legacyText(bytes: Uint8Array, charset?: string): string | undefined {
  const told = charset === undefined ? undefined : decode(bytes, charset);
  if (told !== undefined) return told;
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

/** An ASCII text that holds Japanese in ISO-2022-JP, read as such. */
export function withJapaneseEscapes(text: string, bytes: Uint8Array): string {
  if (!announcements.some((mark) => text.includes(mark))) return text;
  return decode(bytes, 'iso-2022-jp') ?? text;
}

/** The text; undefined where a byte has no meaning in the encoding, or the encoding is not known. */
function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Which share of what is not ASCII stands in runs of two or more kana, kanji or full-width characters. */
function wordShare(text: string): number {
  const others = text.match(/[^\u0000-\u007f]/gu)?.length ?? 0;
  const inWords = text.match(/[\u3000-\u30ff\u4e00-\u9fff\uff00-\uff60]{2,}/gu)?.join('').length ?? 0;
  return others === 0 ? 0 : inWords / others;
}
