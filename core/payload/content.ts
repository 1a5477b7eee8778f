/**
 * The content of a file: a multipart part, base64 inside JSON, or a complete body. Text is masked in place. Other
 * content is reported with its kind and bytes, so that the caller can open documents and replace their bytes.
 */

import { bytesToChars, charsToBytes, readNarrowText, readWideText } from './body-text.ts';
import { JsonDocument, openText } from './document.ts';
import { isFormText, openForm } from './form.ts';
import { isJson } from './json-strings.ts';
import { openMail } from './mail.ts';
import {
  isTextType,
  kindOfMediaType,
  mediaTypeOfBytes,
  mediaTypeOfName,
  noTextByte,
  type UninspectableKind,
} from './media.ts';
import { opensConnection, type Packet, packetSeparator, splitPackets } from './packets.ts';
import { isModelRequest } from './structure.ts';
import {
  type Changes,
  type Findings,
  openPlain,
  type Piece,
  rewritePieces,
  type TextDocument,
} from './text-document.ts';

/** Metadata of the content. */
export type ContentHints = {
  /** Path of the content, for display. */
  readonly pointer: string;
  readonly mediaType?: string | undefined;
  readonly fileName?: string | undefined;
  /** The kind to report if type, name and bytes do not show it. */
  readonly otherwise?: UninspectableKind;
  /** True if the content is a request or a value in one, where names have a meaning, not a file. */
  readonly isRequest?: boolean;
};

// Types that clients use for unknown files.
const unknownType =
  /^(?:application\/(?:octet-stream|binary|unknown|x-download|force-download)|binary\/octet-stream|unknown\/unknown)$/i;

/** The byte order mark of UTF-16. */
const wideMark = /^(?:\xff\xfe|\xfe\xff)/;

/** Content with one character per byte: the head, and all of it on demand. */
export type ContentSource = { readonly head: string; readonly all: () => string };

/** Length of the head. */
export const contentHeadLength = 3 * 1024;

/** A {@link ContentSource} for content that is already in memory. */
export function wholeContent(chars: string): ContentSource {
  return { head: chars.slice(0, contentHeadLength), all: () => chars };
}

/** Opens content, or adds it to the findings with its bytes. `rewrite` returns one character per byte. */
export function openContent(
  source: ContentSource,
  hints: ContentHints,
  findings: Findings,
  level: number,
): TextDocument {
  const declared = hints.mediaType?.toLowerCase();
  const named = hints.fileName === undefined ? undefined : mediaTypeOfName(hints.fileName);
  const known = mediaTypeOfBytes(source.head);
  const isOpaque = known === 'application/pdf' || known === 'application/rtf';
  // Nearly all binary content has an early NUL, so most images are never decoded completely.
  const isWide = wideMark.test(source.head);
  const isBinary = isOpaque || !mayBeText(declared) || (source.head.includes('\0') && !isWide);
  const read = isBinary ? undefined : isWide ? readWideText(source.all()) : readNarrowText(source.all());
  if (read !== undefined) {
    const inner = openFileText(read.text, findings, level, hints.isRequest ?? false);
    return {
      rewrite(changes) {
        const changed = inner.rewrite(changes);
        return changed === undefined ? undefined : read.encode(changed);
      },
    };
  }
  // The bytes take precedence over the declared type, except for a zip, whose format only the declaration shows.
  const declaredType = declared === undefined || unknownType.test(declared) ? undefined : declared;
  // An audio recording may have the extension `.webm`.
  const byWords =
    declaredType?.startsWith('audio/') && named?.startsWith('video/') ? declaredType : (named ?? declaredType);
  const mediaType = known === 'application/zip' ? (byWords ?? known) : (known ?? byWords);
  const kind =
    known === 'application/zip' ? 'document' : mediaType ? kindOfMediaType(mediaType) : (hints.otherwise ?? 'binary');
  const isAsTold = known !== undefined || !isTextUnder(kind, mediaType, source.head);
  const index = findings.uninspectable.push({
    kind: isAsTold ? kind : 'binary',
    pointer: hints.pointer,
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(hints.fileName === undefined ? {} : { fileName: hints.fileName }),
    bytes: () => charsToBytes(source.all()),
  });
  return {
    rewrite(changes) {
      const bytes = changes.part(index - 1);
      return bytes === undefined ? undefined : bytesToChars(bytes);
    },
  };
}

/**
 * True if bytes declared as an image or video may be text in another charset (browsers declare TypeScript as video).
 * Audio is excluded: raw samples look like text.
 */
function isTextUnder(kind: UninspectableKind, told: string | undefined, head: string): boolean {
  if (kind !== 'image' && !(kind === 'audio' && /^video/i.test(told ?? ''))) return false;
  return !noTextByte.test(head) || wideMark.test(head);
}

function mayBeText(declared: string | undefined): boolean {
  return (
    declared === undefined ||
    unknownType.test(declared) ||
    isTextType(declared) ||
    kindOfMediaType(declared) !== 'binary'
  );
}

/**
 * Opens the text of a file or body: JSON, lines that may be JSON (batch files, SignalR), a form, or plain text. Names
 * in a JSON file have a meaning only if the file is made for a model (a batch, training examples).
 */
export function openFileText(text: string, findings: Findings, level: number, isRequest = true): TextDocument {
  const packets = level === 0 ? splitPackets(text) : undefined;
  if (packets !== undefined) return openPackets(packets, findings, isRequest);
  if (level === 0 && isFormText(text) && !isJsonText(text)) return openForm(text, findings, false);
  // A field of a request is not a file.
  const isFile = level === 0 || !isRequest;
  if (!startsAsJson(text))
    return (isFile ? openMail(text, findings, level) : undefined) ?? openText(text, findings, level);
  const open = (piece: string) => openJsonIfAny(piece, findings, isRequest);
  return open(text) ?? new LinesDocument(text, findings, open, isJsonLine);
}

// Namespaces and packet numbers.
const plainPrefix = /^(?!.*\d{9})[\w/.:,-]*$/;

function openPackets(packets: readonly Packet[], findings: Findings, isRequest: boolean): TextDocument {
  const pieces: Piece[] = [];
  for (const { prefix, rest } of packets) {
    if (pieces.length > 0) pieces.push({ raw: packetSeparator, document: undefined });
    pieces.push({ raw: prefix, document: plainPrefix.test(prefix) ? undefined : openPlain(prefix, findings) });
    const view = { level: 0, hasStructure: isRequest, opensConnection: opensConnection(prefix) };
    if (rest === '') continue;
    const document =
      prefix === '' ? openFileText(rest, findings, 1, isRequest) : new JsonDocument(rest, findings, view, true);
    pieces.push({ raw: rest, document });
  }
  return { rewrite: (changes) => rewritePieces(pieces, changes) };
}

/** True for JSON and for lines of JSON. */
export function isJsonText(text: string): boolean {
  return (
    startsAsJson(text) &&
    (isJsonLine(text) || text.split(lineEnd).every((line) => noText.test(line) || isJsonLine(line)))
  );
}

function startsAsJson(text: string): boolean {
  const first = /\S/.exec(text)?.[0];
  return first === '{' || first === '[';
}

function isJsonLine(line: string): boolean {
  return isJson(line.replace(/^\uFEFF/, ''));
}

function openJsonIfAny(text: string, findings: Findings, isRequest: boolean): TextDocument | undefined {
  const open = (json: string) => {
    if (!isJson(json)) return undefined;
    const hasStructure = isRequest || isModelRequest(JSON.parse(json));
    return new JsonDocument(json, findings, { level: 0, hasStructure }, true);
  };
  return text.startsWith('\uFEFF') ? withMark(text, open) : open(text);
}

/** Opens the text after a byte order mark, which JSON.parse rejects. */
export function withMark<T extends TextDocument | undefined>(
  text: string,
  open: (rest: string) => T,
): TextDocument | Extract<T, undefined> {
  const inner = open(text.slice(1));
  return inner === undefined ? (undefined as Extract<T, undefined>) : behind('\uFEFF', inner);
}

function behind(prefix: string, inner: TextDocument): TextDocument {
  return {
    rewrite(changes) {
      const changed = inner.rewrite(changes);
      return changed === undefined ? undefined : prefix + changed;
    },
  };
}

// Also the separator of JSON text sequences (RFC 7464 §2.2) and of SignalR messages (0x1E).
const lineEnd = /(\r?\n|\x1e)/;

const noText = /^[\s\x1e]*$/;

/** Lines that pass `opens` (default all) are opened separately; adjacent other lines form one text. */
export class LinesDocument implements TextDocument {
  readonly #pieces: Piece[] = [];

  constructor(
    body: string,
    findings: Findings,
    open: (line: string) => TextDocument | undefined,
    opens: (line: string) => boolean = () => true,
  ) {
    const pieces = body.split(lineEnd);
    let plain = '';
    let isBlank = true;
    const closePlain = () => {
      if (plain !== '') this.#add(plain, isBlank ? undefined : openPlain(plain, findings));
      plain = '';
      isBlank = true;
    };
    for (let i = 0; i < pieces.length; i++) {
      const piece = pieces[i] as string;
      const isEnd = i % 2 === 1;
      const mayOpen = !isEnd && piece.trim() !== '';
      // Texts are numbered in the order in which they are opened.
      if (mayOpen && !isBlank && opens(piece)) closePlain();
      const document = mayOpen ? open(piece) : undefined;
      if (document === undefined) {
        plain += piece;
        isBlank &&= noText.test(piece);
        continue;
      }
      closePlain();
      this.#add(piece, document);
    }
    closePlain();
  }

  rewrite(changes: Changes): string | undefined {
    return rewritePieces(this.#pieces, changes);
  }

  #add(raw: string, document: TextDocument | undefined): void {
    this.#pieces.push({ raw, document });
  }
}
