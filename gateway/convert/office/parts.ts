/** Classifies the parts of a package by content and name: inspected, harmless, or unknown. */
import { utf8Text } from '../../../core/parsing.ts';
import { anyOf } from '../../../core/patterns.ts';
import { mediaTypeOfBytes, noTextByte } from '../../../core/payload/media.ts';
import { compoundFileKind, startsAsPdf } from '../kinds.ts';

/** `opaque` parts cannot be inspected: programs, objects of other applications, texts in a transfer encoding. */
export type PartKind = 'xml' | 'text' | 'package' | 'picture' | 'machinery' | 'opaque';

const xmlNames = /\.(?:xml|rels|vml|xhtml|html?|opf|ncx|rdf|svg)$/i;
const pictures = endsIn(`
  png jpe?g jpe jfif gif bmp dib tiff? emf wmf emz wmz svm svgz eps pict? pcx webp heic heif avif wdp hdp jxr ico jp2 jxl
  psd cgm tga`);
/** Fonts, audio, video and 3D models. */
const media = endsIn(`
  ttf otf ttc odttf fntdata woff2? eot mp[34] m4[av] mpe?g mov wav avi wm[av] aac og[agv] opus webm flac mid midi aiff?
  3g[p2] mk[va] glb`);
/** Printer settings, page breaks (OpenOffice), and files of file managers. */
const settings = /(?:^|\/)(?:printerSettings[^/]*\.bin|layout-cache|\.DS_Store|Thumbs\.db)$|^__MACOSX\//i;
const objects = /\.(?:bin|ole|docm?|xls|ppt|msg|pdf|mht|mhtml|eml|rtf)$/i;
/** Windows and StarView metafiles, which OpenDocument stores without an extension. */
const metafile = /^(?:VCLMTF|\x01\0\0\0[\s\S]{36} EMF|\xd7\xcd\xc6\x9a)/;
/** Messages, whose content may be encoded in base64 or quoted-printable. */
const message = new RegExp(
  '^MIME-Version:|' +
    String.raw`^(?:Content-Type|Message-ID|Received|From|Date|Subject):.*\n(?:.+\n)*?(?:Content-Type|Message-ID|To):`,
  'im',
);

function endsIn(extensions: string): RegExp {
  return new RegExp(String.raw`\.${anyOf(extensions)}$`, 'i');
}

/** Classifies a part. */
export function partKind(name: string, data: Uint8Array): PartKind {
  const head = Buffer.from(data.subarray(0, 1024));
  if (settings.test(name)) return 'machinery';
  if (xmlNames.test(name) || /^(?:\uFEFF)?<\?xml/.test(head.toString('utf8'))) return 'xml';
  if (isPackage(data)) return 'package';
  if (data.length === 0) return 'machinery';
  const chars = head.toString('latin1');
  const type = mediaTypeOfBytes(chars) ?? '';
  if (pictures.test(name) || type.startsWith('image/') || metafile.test(chars)) return 'picture';
  if (media.test(name) || /^(?:audio|video)\//.test(type)) return 'machinery';
  if (objects.test(name) || compoundFileKind(data) !== undefined || startsAsPdf(data)) return 'opaque';
  // Space left unused by Office, filled with one byte.
  if (name.startsWith('[trash]/') && data.every((byte) => byte === data[0])) return 'machinery';
  const text = plainText(data);
  if (text === undefined || isEncoded(text)) return 'opaque';
  return /^\uFEFF?\s*</.test(text) ? 'xml' : 'text';
}

/** A part's content as UTF-8 text; undefined if it is not. */
function plainText(data: Uint8Array): string | undefined {
  const text = utf8Text(data);
  return text === undefined || noTextByte.test(text) ? undefined : text;
}

function isEncoded(text: string): boolean {
  return text.startsWith('{\\rtf') || message.test(text.slice(0, 4096)) || /^content-transfer-encoding:/im.test(text);
}

function isPackage(data: Uint8Array): boolean {
  return data[0] === 0x50 && data[1] === 0x4b && data[2] === 0x03 && data[3] === 0x04;
}
