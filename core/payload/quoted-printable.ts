/**
 * Quoted-printable (RFC 2045 §6.7) in the source of a mail, anywhere in a text. `=` has other meanings in the text around
 * it (`card=4111`), so callers also search the text as it is.
 */
const header = /^content-transfer-encoding:[ \t]*"?quoted-printable"?[ \t]*\r?$/im;
/** Signs of such a text without its header: characters of UTF-8, a quote behind `=`, a last blank, a full line, an address. */
const signs =
  /=(?:C[23]|E[23]=[89AB][\dA-F])=[89AB][\dA-F]|=3D["']|=20\r?$|^.{60,75}=\r?$|[\w.+-]=40[\w-]{1,63}(?:\.|=2E)[A-Za-z]/m;
const escaped = /=\r?\n|(?:=[\da-f]{2})+/gi;
/** The most octets of a character: UTF-8, GB 18030. */
const octetsMax = 4;

type Decoder = InstanceType<typeof TextDecoder>;
type Escape = { readonly start: number; readonly end: number; readonly character: string };

/** The escapes and soft line breaks in a text, with their offsets; none without the header of such a part or signs of it. */
export function* quotedEscapes(text: string): Generator<Escape> {
  if (!header.test(text) && !signs.test(text)) return;
  const decoder = decoderOf(/charset="?([\w-]+)/i.exec(text)?.[1] ?? 'utf-8');
  for (const { 0: found, index } of text.matchAll(escaped)) {
    if (found.endsWith('\n')) yield { start: index, end: index + found.length, character: '' };
    else yield* characters(found, index, decoder);
  }
}

function* characters(run: string, index: number, decoder: Decoder): Generator<Escape> {
  const octets = Uint8Array.from(run.slice(1).split('='), (hex) => Number.parseInt(hex, 16));
  for (let at = 0; at < octets.length; at++) {
    for (let length = 1; length <= octetsMax && at + length <= octets.length; length++) {
      const character = decoder.decode(octets.subarray(at, at + length));
      // An incomplete or invalid character; a decoder that throws would take ten times as long.
      if (character.includes('\ufffd')) continue;
      yield { start: index + 3 * at, end: index + 3 * (at + length), character };
      at += length - 1;
      break;
    }
  }
}

function decoderOf(charset: string): Decoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
