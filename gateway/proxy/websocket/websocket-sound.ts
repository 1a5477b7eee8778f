/**
 * Binary WebSocket messages with audio. Raw samples have no signature, so the connection must show that it carries
 * audio: by its service, its URL, or a client message with the format. Then everything follows the audio policy unless
 * it is text or another kind of file.
 */
import { utf8Text } from '../../../core/parsing.ts';
import { anyOf } from '../../../core/patterns.ts';
import { kindOfMediaType, mediaTypeOfBytes } from '../../../core/payload/media.ts';

const pathWords = anyOf('listen speech speak stt tts asr transcri(?:be|ption)s? audio voice dictation realtime');
const inPath = new RegExp(
  `(?:^|[/_.-])${pathWords}(?=[/_.?-]|$)|[?&](?:encoding|sample_?rate|codec|audio_?format|input_audio_format)=`,
  'i',
);
const inMessage =
  /"(?:audio_?format|input_audio_format|sample_?rate(?:_?hertz)?|audio_?encoding|media_?encoding)"\s*:/i;

/** Azure's frames: the length of their headers in two bytes, then the headers, one of which names the content. */
const soundHeader = /^(?:[\w-]+: ?[^\r\n]*\r\n)*path: ?audio\r\n/i;
const framed = /^(?:[\w-]+: ?[^\r\n]*\r\n)+$/;

/** An e-mail address, or four words in a row. */
const readable = /[\w.%+-]{2,}@[a-z\d-]{2,}\.[a-z]{2,}|(?:[a-z]{2,}[ ,.]+){4}/i;
const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;
/** Minimum size; fewer bytes may be readable by chance. */
const textBytesMin = 8;

/** The state of one connection. */
export class SoundConnection {
  #isSound: boolean;

  constructor(path: string, serviceKind: string | undefined) {
    this.#isSound = serviceKind === 'audio' || inPath.test(path);
  }

  /** Reads a client's text message: many services get the sample format in the first one. */
  noteText(text: string): void {
    this.#isSound ||= inMessage.test(text.slice(0, 16_384));
  }

  /** True if a binary message that is not JSON is audio. */
  carries(bytes: Uint8Array): boolean {
    const chars = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    const header = headerOf(chars);
    if (header !== undefined) return soundHeader.test(header) && isNoText(chars.slice(2 + header.length));
    const known = mediaTypeOfBytes(chars.slice(0, 1_024));
    if (known !== undefined) return kindOfMediaType(known) === 'audio';
    return this.#isSound && isNoText(chars);
  }
}

function headerOf(chars: string): string | undefined {
  const length = chars.charCodeAt(0) * 256 + chars.charCodeAt(1);
  const header = chars.slice(2, 2 + length);
  return header.length === length && framed.test(header) ? header : undefined;
}

/** True unless the bytes are text, including UTF-16, in which every other byte is zero. */
function isNoText(chars: string): boolean {
  if (readable.test(chars) || readable.test(chars.replaceAll('\0', ''))) return false;
  return chars.length < textBytesMin || control.test(chars) || utf8Text(Buffer.from(chars, 'latin1')) === undefined;
}
