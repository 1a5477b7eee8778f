/**
 * multipart bodies (RFC 2046, RFC 7578): text parts, file and field names are opened, binary parts are reported;
 * boundaries, part headers and unchanged parts keep their bytes. The body has one character per byte.
 */

import { PrivetError } from '../errors.ts';
import { anyOf } from '../patterns.ts';
import { bytesToChars, readText } from './body-text.ts';
import { charsetsIn, refuseOtherCharset } from './charsets.ts';
import { openContent, wholeContent } from './content.ts';
import { openBase64 } from './document.ts';
import { isCodedText } from './labelled.ts';
import { decodedWords } from './mail.ts';
import { percentDecoded, percentEncoded } from './percent.ts';
import { besideSignatureIn, binaryValue, isStructural } from './structure.ts';
import { type Findings, noteLabel, openPlain, type TextDocument } from './text-document.ts';

type Piece = { readonly start: number; readonly end: number; readonly document: TextDocument };

/** Opens a multipart body. Throws `bad_request` if the boundary is missing or the body does not match it. */
export function openMultipart(body: string, contentType: string, findings: Findings): TextDocument {
  const boundary = parameter(contentType, 'boundary');
  if (!boundary) throw new PrivetError('bad_request', 'The multipart body has no boundary parameter.');
  const pieces: Piece[] = [];
  const layout = splitParts(body, boundary);
  openAside(body, 0, layout.preambleEnd, pieces, findings);
  const charsets = [...charsetsIn(contentType), ...charsetFields(body, layout)];
  for (const part of layout.parts) openPart(body, part, charsets, pieces, findings);
  openAside(body, layout.epilogueStart, body.length, pieces, findings);
  return {
    rewrite(changes) {
      let result = '';
      let from = 0;
      let changed = false;
      for (const piece of pieces) {
        const chars = piece.document.rewrite(changes);
        if (chars === undefined) continue;
        changed = true;
        result += body.slice(from, piece.start) + chars;
        from = piece.end;
      }
      return changed ? result + body.slice(from) : undefined;
    },
  };
}

type Part = { readonly headStart: number; readonly start: number; readonly end: number };
type Layout = { readonly preambleEnd: number; readonly parts: readonly Part[]; readonly epilogueStart: number };

function splitParts(body: string, boundary: string): Layout {
  const delimiter = `--${boundary}`;
  const parts: Part[] = [];
  let mark = nextDelimiter(body, delimiter, 0);
  const preambleEnd = mark.at;
  while (!mark.isLast) {
    const headStart = mark.end;
    const start = endOfHead(body, headStart);
    const next = nextDelimiter(body, delimiter, start);
    // The line end before a delimiter belongs to it (RFC 2046 §5.1.1).
    let end = next.at - 1;
    if (body.charCodeAt(end - 1) === 0x0d) end--;
    parts.push({ headStart, start, end: Math.max(start, end) });
    mark = next;
  }
  return { preambleEnd, parts, epilogueStart: mark.end };
}

/** The next delimiter line. A line that only starts like one is content: readers must agree on where parts end. */
function nextDelimiter(body: string, delimiter: string, from: number): { at: number; end: number; isLast: boolean } {
  const lineRest = /(--)?[ \t]*(?:\r?\n|$)/y;
  for (let at = body.indexOf(delimiter, from); at >= 0; at = body.indexOf(delimiter, at + 1)) {
    if (at > 0 && body.charCodeAt(at - 1) !== 0x0a) continue;
    lineRest.lastIndex = at + delimiter.length;
    const match = lineRest.exec(body);
    const isLast = match?.[1] !== undefined;
    if (match && (isLast || lineRest.lastIndex < body.length)) return { at, end: lineRest.lastIndex, isLast };
  }
  throw broken();
}

function endOfHead(body: string, headStart: number): number {
  if (body.startsWith('\r\n', headStart)) return headStart + 2;
  if (body.startsWith('\n', headStart)) return headStart + 1;
  const blank = /\r?\n\r?\n/g;
  blank.lastIndex = headStart;
  if (!blank.test(body)) throw broken();
  return blank.lastIndex;
}

function broken(): PrivetError {
  return new PrivetError('bad_request', 'The multipart body does not follow its boundary.');
}

const isCharset = /;\s*name\s*=\s*"?_charset_"?\s*(?:;|$)/im;

/** The charset of text parts that do not state one (RFC 7578 §4.6). */
function charsetFields(body: string, { parts }: Layout): string[] {
  return parts
    .filter(({ headStart, start }) => isCharset.test(body.slice(headStart, start)))
    .map(({ start, end }) => body.slice(start, end));
}

/** Opens text before the first and after the last delimiter: readers ignore it, but it is sent. */
function openAside(body: string, start: number, end: number, pieces: Piece[], findings: Findings): void {
  const chars = body.slice(start, end);
  if (chars.trim() === '') return;
  const document = openChars(chars, findings);
  if (document === undefined) throw broken();
  pieces.push({ start, end, document });
}

type PartHead = { name: string; fileName?: string; mediaType?: string; charsets: string[]; isEncoded: boolean };

/** A part's header field with its folded lines (RFC 5322 §2.2.3), without the last line end. */
const fieldPattern = /[^\n]*(?:\n[ \t]+[^\s][^\n]*)*/g;

/** Reads a part's header fields in order, so that pieces are in order too. */
function openHead(body: string, part: Part, pieces: Piece[], findings: Findings): PartHead {
  const head: PartHead = { name: '', charsets: [], isEncoded: false };
  for (const match of body.slice(part.headStart, part.start).matchAll(fieldPattern)) {
    const field = match[0].trimEnd();
    if (field === '') continue;
    const offset = part.headStart + match.index;
    const name = /^([\w-]+)[ \t]*:/.exec(field)?.[1]?.toLowerCase();
    if (name === 'content-disposition' || name === 'content-type') {
      openParameters(offset, field, name === 'content-type', head, pieces, findings);
      if (name === 'content-type') {
        head.mediaType ??= /:\s*([^\s;]+)/.exec(field)?.[1];
        head.charsets.push(...charsetsIn(field));
      }
    } else if (name === 'content-transfer-encoding') {
      head.isEncoded ||= /:\s*(?:base64|quoted-printable)/i.test(field);
    } else if (name !== 'content-length' && name !== 'content-id') {
      openField(offset, field, name === undefined ? 0 : field.indexOf(':') + 1, pieces, findings);
    }
  }
  return head;
}

/** Opens each line of other header fields (RFC 7578 §4.8): readers ignore them, but they are sent. */
function openField(offset: number, field: string, from: number, pieces: Piece[], findings: Findings): void {
  for (const match of field.matchAll(/[^\n]+/g)) {
    const lineStart = Math.max(match.index, from);
    const line = field.slice(lineStart, match.index + match[0].length);
    const text = line.trim();
    if (text === '') continue;
    const start = offset + lineStart + line.length - line.trimStart().length;
    const document = openChars(text, findings, /[\r\n]/g);
    if (document) pieces.push({ start, end: start + text.length, document });
  }
}

function openPart(
  body: string,
  part: Part,
  defaultCharsets: readonly string[],
  pieces: Piece[],
  findings: Findings,
): void {
  const { name, fileName, mediaType, charsets, isEncoded } = openHead(body, part, pieces, findings);
  if (part.start === part.end) return;
  const chars = body.slice(part.start, part.end);
  if (isEncoded) {
    findings.uninspectable.push({ kind: 'binary', pointer: name });
    return;
  }
  const isField = fileName === undefined && charsets.length === 0;
  refuseOtherCharset(isField ? defaultCharsets : charsets, chars);
  const binary = fileName === undefined ? binaryValue(name, chars, findings.formats) : undefined;
  const isCoded = fileName === undefined && isCodedText(name, chars.trim(), false);
  if (binary || isCoded) {
    const document = openBase64(chars, { ...binary, pointer: name }, findings, 0);
    if (document) pieces.push({ start: part.start, end: part.end, document });
    return;
  }
  if (fileName === undefined && isStructural(name, chars, findings.formats)) return;
  const besideSignature = fileName === undefined ? besideSignatureIn(name, chars, findings.formats) : undefined;
  if (besideSignature !== undefined) {
    findings.sealed.push(besideSignature);
    return;
  }
  const at = findings.leaves.length;
  const document = openContent(
    wholeContent(chars),
    { pointer: name, mediaType, fileName, isRequest: fileName === undefined },
    findings,
    1,
  );
  if (fileName === undefined) noteLabel(findings, at, name, findings.leaves[at] ?? '', false);
  pieces.push({ start: part.start, end: part.end, document });
}

const parameterPattern = /;\s*(name|filename)(\*?)\s*=\s*(?:"((?:[^"\\\r\n]|\\.)*)"|([^\s;"](?:[^;"\r\n]*[^\s;"])?))/gi;
const fieldEnd = String.raw`(?=\s*(?:;|$))`;
const mediaTypes = anyOf('application audio font image message model multipart text video');
/** A field's value before its parameters: needed by receivers and never typed by a person. */
const kindPattern = new RegExp(
  String.raw`^[\w-]+[ \t]*:\s*(?:form-data|attachment|inline|${mediaTypes}/(?!(?:[^\s;\d]*\d){9})[\w.+-]+)${fieldEnd}`,
  'i',
);
const charsetPattern = String.raw`charset\s*=\s*(?:[a-z][\w.:+-]*|"[a-z][\w.:+-]*")`;
const boundaryPattern = String.raw`boundary\s*=\s*(?:[\w'()+,./:=?-]+|"[\w'()+,./:=? -]+")`;
/** Parameters that readers need. */
const neededPattern = new RegExp(String.raw`;\s*(?:${charsetPattern}|${boundaryPattern})${fieldEnd}`, 'gi');

/**
 * Opens the names of a field and its file, which are text ("offer for Hana Morita.pdf"): also as in RFC 8187
 * (`filename*=UTF-8''…`), and as `name` of a Content-Type, as mail programs write it. The remainder is checked like
 * other fields.
 */
function openParameters(
  offset: number,
  field: string,
  isType: boolean,
  head: PartHead,
  pieces: Piece[],
  findings: Findings,
): void {
  // Some readers join the pieces (RFC 2231 §3); browsers and RFC 7578 have no such names.
  if ((field.match(/;\s*(?:file)?name\*\d/gi)?.length ?? 0) > 1)
    throw new PrivetError('bad_request', 'A name in the multipart body is split.');
  let from = kindPattern.exec(field)?.[0].length ?? field.indexOf(':') + 1;
  const openRest = (until: number) => {
    const remainder = field.slice(from, until);
    if (/[^\s;"]/.test(remainder.replaceAll(neededPattern, '')))
      openField(offset + from, remainder, 0, pieces, findings);
  };
  for (const match of field.matchAll(parameterPattern)) {
    openRest(match.index);
    from = match.index + match[0].length;
    const raw = match[3] ?? match[4] ?? '';
    const isFile = isType || match[1]?.toLowerCase() === 'filename';
    const end = offset + from - (match[3] === undefined ? 0 : 1);
    if (match[2] === '*') {
      if (/^[\w-]+'[^']*'/.test(raw)) {
        const text = percentDecoded(raw.slice(raw.lastIndexOf("'") + 1));
        if (isFile) head.fileName = text;
        const inner = openPlain(text, findings);
        const start = end - raw.length + raw.lastIndexOf("'") + 1;
        pieces.push({ start, end, document: mapped(inner, percentEncoded) });
        continue;
      }
    } else if (!isFile) {
      if (head.name === '') head.name = raw.replaceAll(/\\(.)/g, '$1');
      if (/^[\w.[\]-]*$/.test(raw)) continue;
    }
    const document = raw === '' ? undefined : openChars(raw, findings, /["\r\n]/g);
    if (document) pieces.push({ start: end - raw.length, end, document });
    if (isFile) head.fileName ??= raw.replaceAll(/\\(.)/g, '$1');
  }
  openRest(field.length);
}

/** Opens UTF-8 bytes, one per character; `forbidden` characters of the new text become `_`. */
function openChars(chars: string, findings: Findings, forbidden?: RegExp): TextDocument | undefined {
  const text = readText(chars);
  if (text === undefined) return undefined;
  return mapped(openPlain(decodedWords(text), findings), (changed) =>
    bytesToChars(new TextEncoder().encode(forbidden ? changed.replaceAll(forbidden, '_') : changed)),
  );
}

function mapped(inner: TextDocument, encode: (text: string) => string): TextDocument {
  return {
    rewrite(changes) {
      const changed = inner.rewrite(changes);
      return changed === undefined ? undefined : encode(changed);
    },
  };
}

/** The decoded value of a header parameter, quoted or not. */
function parameter(header: string, name: string): string | undefined {
  const match = new RegExp(`;[ \\t]*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(header);
  return match?.[1] !== undefined ? match[1].replaceAll(/\\(.)/g, '$1') : match?.[2];
}
