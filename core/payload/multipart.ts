/**
 * multipart bodies (RFC 2046, RFC 7578): text parts are opened, binary parts are named as not inspectable,
 * boundaries, part headers and untouched parts keep their bytes. The body is given with one character per byte.
 */
import { PrivetError } from '../errors.ts';
import { bytesToChars, charsToBytes } from './body-text.ts';
import { type Findings, JsonDocument, type NextText, openText, PlainDocument, type TextDocument } from './document.ts';
import { isJson } from './json-strings.ts';
import { isStructural, kindOfMediaType } from './structure.ts';

type Piece = { readonly start: number; readonly end: number; readonly document: TextDocument };

const textTypes =
  /^text\/|^application\/(?:x-)?(?:.*\+)?(?:json|jsonl|ndjson|jsonlines|xml|yaml|csv|javascript|typescript|sql|sh|toml|markdown|python)\b/i;
const mediaTypeByExtension: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  webm: 'video/webm',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument',
  odt: 'application/vnd.oasis.opendocument.text',
  rtf: 'application/rtf',
  epub: 'application/epub+zip',
  zip: 'application/zip',
};

/** Opens a multipart body. Throws `bad_request` when there is no boundary or the body does not follow it. */
export function openMultipart(body: string, contentType: string, findings: Findings): TextDocument {
  const boundary = parameter(contentType, 'boundary');
  if (!boundary) throw new PrivetError('bad_request', 'The multipart body has no boundary parameter.');
  const pieces: Piece[] = [];
  for (const part of splitParts(body, boundary)) openPart(body, part, pieces, findings);
  return {
    rewrite(next: NextText) {
      let result = '';
      let from = 0;
      for (const piece of pieces) {
        const text = piece.document.rewrite(next);
        if (text === undefined) continue;
        result += body.slice(from, piece.start) + bytesToChars(new TextEncoder().encode(text));
        from = piece.end;
      }
      return from === 0 ? undefined : result + body.slice(from);
    },
  };
}

type Part = { readonly headStart: number; readonly start: number; readonly end: number };

function splitParts(body: string, boundary: string): Part[] {
  const delimiter = `--${boundary}`;
  const parts: Part[] = [];
  let at = body.startsWith(delimiter) ? 0 : body.indexOf(`\n${delimiter}`) + 1;
  if (at === 0 && !body.startsWith(delimiter)) throw broken();
  for (;;) {
    let headStart = at + delimiter.length;
    if (body.startsWith('--', headStart)) return parts;
    const lineEnd = body.indexOf('\n', headStart);
    if (lineEnd < 0) throw broken();
    headStart = lineEnd + 1;
    const blank = /\r?\n\r?\n|^\r?\n/g;
    blank.lastIndex = headStart;
    let start: number;
    if (body.startsWith('\r\n', headStart)) start = headStart + 2;
    else if (body.startsWith('\n', headStart)) start = headStart + 1;
    else {
      const match = blank.exec(body);
      if (!match) throw broken();
      start = match.index + match[0].length;
    }
    const next = body.indexOf(`\n${delimiter}`, start - 1);
    if (next < 0) throw broken();
    const end = body.charCodeAt(next - 1) === 0x0d ? next - 1 : next;
    parts.push({ headStart, start, end: Math.max(start, end) });
    at = next + 1;
  }
}

function broken(): PrivetError {
  return new PrivetError('bad_request', 'The multipart body does not follow its boundary.');
}

function openPart(body: string, part: Part, pieces: Piece[], findings: Findings): void {
  const head = body.slice(part.headStart, part.start);
  const disposition = /^content-disposition:[^\r\n]*/im.exec(head);
  const name = disposition ? (parameter(disposition[0], 'name') ?? '') : '';
  const declared = /^content-type:[ \t]*([^\s;]+)/im.exec(head)?.[1]?.toLowerCase();
  const fileName = openFileName(part.headStart, disposition, pieces, findings);
  const extension = /\.(\w+)$/.exec(fileName ?? '')?.[1]?.toLowerCase() ?? '';
  const mediaType = mediaTypeByExtension[extension] ?? declared;
  if (part.start === part.end) return;
  const isEncoded = /^content-transfer-encoding:[ \t]*(?:base64|quoted-printable)/im.test(head);
  const bytes = charsToBytes(body.slice(part.start, part.end));
  const text = isEncoded ? undefined : readText(bytes);
  const isBinary = mediaType !== undefined && !textTypes.test(mediaType) && mediaType !== 'application/octet-stream';
  if (text === undefined || isBinary) {
    const kind = mediaType ? kindOfMediaType(mediaType) : 'binary';
    findings.uninspectable.push({ kind, pointer: name, ...(mediaType ? { mediaType } : {}) });
    return;
  }
  if (fileName === undefined && isStructural(name, name, text)) return;
  const document = openPartText(text, `${mediaType ?? ''} ${extension}`, findings);
  pieces.push({ start: part.start, end: part.end, document });
}

/** The name of an uploaded file is text as well ("offer for Hana Morita.pdf"). */
function openFileName(
  offset: number,
  disposition: RegExpExecArray | null,
  pieces: Piece[],
  findings: Findings,
): string | undefined {
  const match = disposition && /;[ \t]*filename="((?:[^"\\\r\n]|\\.)*)"/i.exec(disposition[0]);
  if (!disposition || !match) return disposition ? parameter(disposition[0], 'filename') : undefined;
  const raw = match[1] ?? '';
  const decoded = readText(charsToBytes(raw));
  if (decoded === undefined || decoded === '') return raw;
  const start = offset + disposition.index + match.index + match[0].length - 1 - raw.length;
  const inner = new PlainDocument(decoded, findings);
  const document: TextDocument = {
    rewrite: (next) => inner.rewrite(next)?.replaceAll(/["\r\n]/g, '_'),
  };
  pieces.push({ start, end: start + raw.length, document });
  return decoded;
}

function openPartText(text: string, hint: string, findings: Findings): TextDocument {
  if (/json/.test(hint)) {
    // Batch files: each line is a request of its own, with the structure of a body.
    if (isJson(text)) return new JsonDocument(text, findings, { level: 0, hasStructure: true }, true);
    const lines = text.split(/(\r?\n)/);
    if (lines.every((line) => line.trim() === '' || isJson(line))) {
      const documents = lines.map((line) =>
        line.trim() === '' ? undefined : new JsonDocument(line, findings, { level: 0, hasStructure: true }, true),
      );
      return {
        rewrite(next) {
          let changed = false;
          const result = lines.map((line, at) => {
            const rewritten = documents[at]?.rewrite(next);
            if (rewritten !== undefined) changed = true;
            return rewritten ?? line;
          });
          return changed ? result.join('') : undefined;
        },
      };
    }
  }
  return openText(text, findings, 1);
}

function readText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Value of a parameter of a header field, quoted or not. */
function parameter(header: string, name: string): string | undefined {
  const match = new RegExp(`;[ \\t]*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(header);
  return match?.[1] !== undefined ? match[1].replaceAll(/\\(.)/g, '$1') : match?.[2];
}
