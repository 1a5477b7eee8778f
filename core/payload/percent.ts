/**
 * Percent-encoding (RFC 3986 §2.1) as used in practice: old pages encode charsets other than UTF-8, and programs leave
 * percent signs unencoded. Receivers decode the valid escapes anyway, so the text must be searched.
 */

// A UTF-8 character by its first byte (RFC 3629 §3), an invalid byte, or a UTF-16 unit as written by JavaScript's `escape`.
const escaped =
  /%u(?!d[89a-f])[\da-f]{4}|%[c-d][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}|%[\da-f]{2}/gi;

// Invalid bytes become lone surrogates, which no valid text contains (like Python's "surrogateescape").
const byteBase = 0xdc00;
const bytes = /([\udc80-\udcff])/u;

/** Decodes escapes. Other percent signs stay; {@link percentEncoded} restores every byte. */
export function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replaceAll(escaped, decodedEach);
  }
}

const octet = /%[\da-f]{2}/i;
const address = /(?:[a-z]:\/\/|\b(?:mailto|tel|sms):|\w=)[^\s"'<>`]+|(?<![\w.%+-])[\w.%+-]{1,128}%40[^\s"'<>`]+/gi;

/** The escapes in the addresses of a text, with their offsets. */
export function* percentEscapes(text: string): Generator<{ start: number; end: number; character: string }> {
  if (!text.includes('%') || !octet.test(text)) return;
  for (const { 0: url, index: from } of text.matchAll(address))
    for (const { 0: found, index } of url.matchAll(escaped)) {
      const character = decodedEach(found);
      const start = from + index;
      if (character.isWellFormed()) yield { start, end: start + found.length, character };
    }
}

function decodedEach(escapes: string): string {
  if (/^%u/i.test(escapes)) return String.fromCharCode(Number.parseInt(escapes.slice(2), 16));
  try {
    return decodeURIComponent(escapes);
  } catch {
    const codes = escapes.slice(1).split('%');
    return String.fromCharCode(...codes.map((code) => byteBase + Number.parseInt(code, 16)));
  }
}

/** Percent-encodes a text; bytes from {@link percentDecoded} are encoded as bytes. */
export function percentEncoded(text: string): string {
  if (text.isWellFormed()) return encodeURIComponent(text);
  const pieces = text.split(bytes).map((piece, at) => {
    if (at % 2 === 0) return encodeURIComponent(piece.toWellFormed());
    return `%${(piece.charCodeAt(0) - byteBase).toString(16).toUpperCase()}`;
  });
  return pieces.join('');
}
