/** Plain text that arrives in arbitrary pieces. */
import type { RestoreContext } from '../payload/response.ts';
import { joinBytes } from './frame.ts';
import type { StreamPart } from './stream-part.ts';
import { TextRun } from './text-run.ts';

const encoder = new TextEncoder();

/** Options of {@link TextPart}. */
export type TextPartOptions = {
  /** Encodes an original for the surrounding text. */
  readonly encode?: (value: string) => string;
  /** True if the text may be JSON, in which originals are escaped; default false. */
  readonly mayBeJson?: boolean;
  /** A page, whose browser may read it in another charset than UTF-8; default false. */
  readonly isPage?: boolean;
};

/**
 * Restores plain text as one run. After the first invalid UTF-8 (another charset), bytes pass unchanged; in a page also
 * after NUL (UTF-16) and ESC (ISO-2022-JP), where a browser may read tags and addresses that are not seen here.
 */
export class TextPart implements StreamPart {
  readonly #run: TextRun;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** The bytes of a split character. */
  #cut: Uint8Array = new Uint8Array(0);
  readonly #isPage: boolean;
  #isPassing = false;

  constructor(context: RestoreContext, { encode, mayBeJson = false, isPage = false }: TextPartOptions = {}) {
    this.#isPage = isPage;
    this.#run = new TextRun({ ...context, bare: false, plainOnly: !mayBeJson, ...(encode && { encode }) });
  }

  get isHolding(): boolean {
    return this.#run.carry !== '';
  }

  push(chunk: Uint8Array, out: Uint8Array[]): void {
    if (this.#isPassing) {
      out.push(chunk);
      return;
    }
    const bytes = this.#cut.length === 0 ? chunk : joinBytes([this.#cut, chunk]);
    const ends = this.#isPage ? [bytes.indexOf(0), bytes.indexOf(0x1b)].filter((at) => at >= 0) : [];
    const { length, isBroken } = soundLength(bytes, Math.min(bytes.length, ...ends));
    this.#send(this.#run.push(this.#decoder.decode(bytes.subarray(0, length))), out);
    this.#cut = bytes.slice(length);
    if (isBroken) this.#pass(out);
  }

  end(out: Uint8Array[]): void {
    if (!this.#isPassing) this.#pass(out);
  }

  flushHeld(out: Uint8Array[]): void {
    if (this.#run.carry !== '') this.#send(this.#run.push('', true), out);
  }

  #pass(out: Uint8Array[]): void {
    this.#isPassing = true;
    this.#send(this.#run.push('', true), out);
    if (this.#cut.length > 0) out.push(this.#cut);
  }

  #send(text: string, out: Uint8Array[]): void {
    if (text !== '') out.push(encoder.encode(text));
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Number of bytes before `end` that form complete UTF-8 characters (RFC 3629 §4). `isBroken`: the bytes after them are
 * invalid or beyond the end.
 */
function soundLength(whole: Uint8Array, end: number): { length: number; isBroken: boolean } {
  const bytes = whole.subarray(0, end);
  let lead = bytes.length - 1;
  while (lead >= 0 && lead > bytes.length - 4 && ((bytes[lead] as number) & 0xc0) === 0x80) lead--;
  const length = lead >= 0 && sequenceLength(bytes, lead) > bytes.length - lead ? lead : bytes.length;
  try {
    strict.decode(bytes.subarray(0, length));
    return { length, isBroken: end < whole.length };
  } catch {
    let at = 0;
    for (let step = sequenceLength(bytes, 0); step > 0 && at + step <= length; step = sequenceLength(bytes, at))
      at += step;
    return { length: at, isBroken: true };
  }
}

/** Length of the character at a position; 0 if the available bytes do not start one. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0xff;
  if (first < 0x80) return 1;
  const length = first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const second = bytes[at + 1];
  // No overlong forms, no surrogates, nothing above U+10FFFF.
  if (second !== undefined) {
    if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f)) return 0;
    if ((first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f)) return 0;
  }
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i];
    if (byte !== undefined && (byte & 0xc0) !== 0x80) return 0;
  }
  return length;
}
