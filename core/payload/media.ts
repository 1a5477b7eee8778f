/** The kind of content, by media type, file name or first bytes. */
import { anyOf } from '../patterns.ts';

/** A part of a body that cannot be read as text. */
export type UninspectableKind = 'image' | 'audio' | 'document' | 'binary';

/** Coarse kind of a media type that is not text. Video counts as audio, because policies are about the speech in it. */
export function kindOfMediaType(mediaType: string): UninspectableKind {
  const type = mediaType.toLowerCase();
  if (type.startsWith('image/')) return 'image';
  if (type.startsWith('audio/') || type.startsWith('video/')) return 'audio';
  return documentType.test(type) ? 'document' : 'binary';
}

const documentType = /pdf|officedocument|msword|ms-excel|ms-powerpoint|ms-word|opendocument|rtf|epub|zip|^text\//;

/** True for media types whose content is text that can be masked in place, such as SVG. */
export function isTextType(mediaType: string): boolean {
  return textType.test(mediaType);
}

const textSubtypes = anyOf(`
  json json5 jsonl ndjson jsonlines json-lines xml xhtml yaml csv javascript ecmascript typescript graphql sdp
  trickle-ice-sdpfrag sql sh toml markdown python tex latex http mbox subrip`);
const textType = new RegExp(
  String.raw`^text/|^message/|^image/svg\+xml|^application/(?:x-)?(?:[\w.-]*\+)?${textSubtypes}\b`,
  'i',
);

const byExtension: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  heic: 'image/heic',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  mp3: 'audio/mpeg',
  mpga: 'audio/mpeg',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  webm: 'video/webm',
  mp4: 'video/mp4',
  mpeg: 'video/mpeg',
  mov: 'video/quicktime',
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  rtf: 'application/rtf',
  epub: 'application/epub+zip',
  zip: 'application/zip',
};

/** The media type of a binary file by its extension; undefined for text files and unknown extensions. */
export function mediaTypeOfName(fileName: string): string | undefined {
  const extension = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
}

/** Control bytes that no text contains, whatever its charset. */
export const noTextByte = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

type Magic = readonly [bytes: string, mediaType: string, at?: number];

// First bytes, one character each; the last column is an offset.
const magics: readonly Magic[] = [
  ['\x89PNG', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF8', 'image/gif'],
  ['WEBP', 'image/webp', 8],
  ['WAVE', 'audio/wav', 8],
  ['II*\0', 'image/tiff'],
  ['MM\0*', 'image/tiff'],
  ['%PDF', 'application/pdf'],
  ['PK\x03\x04', 'application/zip'],
  ['\xd0\xcf\x11\xe0', 'application/msword'],
  ['{\\rtf', 'application/rtf'],
  ['ID3', 'audio/mpeg'],
  ['OggS', 'audio/ogg'],
  ['fLaC', 'audio/flac'],
  ['\x1aE\xdf\xa3', 'video/webm'],
  ['ftyp', 'video/mp4', 4],
];

// Signatures of images and audio that may also begin a text ("GIF8…", "ID3;…").
const readableMark = /^\w+$/;

/** The media type by the first bytes (one character per byte). After letter signatures, a NUL excludes text. */
export function mediaTypeOfBytes(head: string): string | undefined {
  for (const [magic, type, at = 0] of magics) {
    if (head.startsWith(magic, at) && (!readableMark.test(magic) || head.includes('\0'))) return type;
  }
  // PDF readers search the first 1,024 bytes for the header (ISO 32000-1, implementation note 13).
  if (head.slice(0, 1024).includes('%PDF-')) return 'application/pdf';
  // An MPEG audio frame without tags: eleven set bits, layer not reserved. FF FE is a UTF-16 byte order mark.
  const second = head.charCodeAt(1);
  if (second === 0xfe) return undefined;
  return head.charCodeAt(0) === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) !== 0 ? 'audio/mpeg' : undefined;
}
