/**
 * Quoted-printable (RFC 2045 §6.7) in the source of a mail, anywhere in a text. `=` has other meanings in the text around
 * it (`card=4111`), so callers also search the text as it is.
 */
const header = /^content-transfer-encoding:[ \t]*"?quoted-printable"?[ \t]*\r?$/im;
const escaped = /=\r?\n|(?:=[\da-f]{2})+/gi;
/** The most octets of a character: UTF-8, GB 18030. */
const octetsMax = 4;

type Decoder = InstanceType<typeof TextDecoder>;
type Escape = { readonly start: number; readonly end: number; readonly character: string };

/** The escapes and soft line breaks in a text, with their offsets; none without the header of such a part. */
export function* quotedEscapes(text: string): Generator<Escape> {
  if (!header.test(text)) return;
  const decoder = decoderOf(/charset="?([\w-]+)/i.exec(text)?.[1] ?? 'utf-8');
  for (const { 0: found, index } of text.matchAll(escaped)) {
    if (found.endsWith('\n')) yield { start: index, end: index + found.length, character: '' };
    else yield* characters(found, index, decoder);
  }
}

function* characters(run: string, index: number, decoder: Decoder): Generator<Escape> {
  const octets = Uint8Array.from(run.slice(1).split('='), (hex) => Number.parseInt(hex, 16));
  for (let at = 0; at < octets.length; ) {
    let length = 1;
    let character = characterOf(octets.subarray(at, at + 1), decoder);
    while (character === undefined && length < octetsMax) {
      length++;
      character = characterOf(octets.subarray(at, at + length), decoder);
    }
    if (character === undefined) length = 1;
    else yield { start: index + 3 * at, end: index + 3 * (at + length), character };
    at += length;
  }
}

function characterOf(octets: Uint8Array, decoder: Decoder): string | undefined {
  try {
    return decoder.decode(octets);
  } catch {
    return undefined;
  }
}

function decoderOf(charset: string): Decoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return new TextDecoder('utf-8', { fatal: true });
  }
}
