/**
 * Mail and contacts with encoded text: base64 and quoted-printable parts (RFC 2045 §6), encoded words in headers (RFC
 * 2047), mailboxes (RFC 4155), vCard 2.1. Parts are opened like files and re-encoded.
 */

import { decodedBase64 } from './base64.ts';
import { bytesToChars, charsToBytes } from './body-text.ts';
import { openContent, wholeContent } from './content.ts';
import { type Findings, openPlain, type Piece, rewritePieces, type TextDocument } from './text-document.ts';

const contactStart = /^\uFEFF?begin:vcard\r?\n/i;
const mailboxStart = /^\uFEFF?From \S+ .*\r?\n[A-Za-z][\w-]*:/;
const headStart = /^\uFEFF?[A-Za-z][\w-]*:(?:[ \t]|\r?\n[ \t])/;
const hasParts = /^content-type:\s*(?:multipart|message)\//im;
const encoded = /^content-transfer-encoding:\s*"?(?:base64|quoted-printable)"?[ \t]*(?:[;(].*)?\r?$/im;
const encodedWord = /=\?([\w-]+)(?:\*[\w-]+)?\?([bq])\?([^?\s]*)\?=/i;
/** Maximum nesting of parts and mails. */
const depthMax = 8;

/** Opens encoded mail and contacts; undefined for other text. */
export function openMail(text: string, findings: Findings, level: number): TextDocument | undefined {
  if (contactStart.test(text)) {
    return /;encoding=quoted-printable[;:]/i.test(text) ? openPlain(decodedContacts(text), findings) : undefined;
  }
  const isMailbox = mailboxStart.test(text);
  if (!isMailbox && !headStart.test(text)) return undefined;
  const head = text.slice(0, endOfHead(text));
  const isCoded = encoded.test(isMailbox || hasParts.test(head) ? text : head);
  if (!isCoded && !(/^(?:from|to|subject):/im.test(head) && encodedWord.test(head))) return undefined;
  const mail = new Mail(findings, level);
  if (isMailbox) mail.addMailbox(text);
  else mail.addEntity(text, 0);
  return { rewrite: (changes) => rewritePieces(mail.pieces, changes) };
}

/** The parts of a mail, in order. */
class Mail {
  readonly pieces: Piece[] = [];
  readonly #findings: Findings;
  readonly #level: number;

  constructor(findings: Findings, level: number) {
    this.#findings = findings;
    this.#level = level;
  }

  addMailbox(text: string): void {
    const starts = [...text.matchAll(/(?:^\uFEFF?|\n\r?\n)From \S+ .*\r?\n/g)].map(({ 0: line, index }) => ({
      index,
      end: index + line.length,
    }));
    for (const [i, { index, end }] of starts.entries()) {
      this.#addText(text.slice(index, end));
      this.addEntity(text.slice(end, starts[i + 1]?.index ?? text.length), 0);
    }
  }

  /** Adds a header and its body. */
  addEntity(text: string, depth: number): void {
    const start = endOfHead(text);
    const head = text.slice(0, start);
    const body = text.slice(start);
    this.#addHead(head);
    const type = fieldOf(head, 'content-type') ?? 'text/plain';
    const boundary = /^multipart\//i.test(type) ? /;\s*boundary="?([^";]+)"?/i.exec(type)?.[1] : undefined;
    const coding = fieldOf(head, 'content-transfer-encoding')
      ?.replaceAll(/"|[;(].*/g, '')
      .trim()
      .toLowerCase();
    if (boundary !== undefined && depth < depthMax) this.#addParts(body, boundary.trimEnd(), depth);
    else if (coding === 'base64' || coding === 'quoted-printable') this.#addCoded(body, { head, type, coding });
    else if (/^message\/rfc822/i.test(type) && depth < depthMax) this.addEntity(body, depth + 1);
    else this.#addText(body);
  }

  #addParts(body: string, boundary: string, depth: number): void {
    const delimiter = new RegExp(
      `(?:^|\\r?\\n)--${boundary.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?:--)?[ \\t]*(?:\\r?\\n|$)`,
      'g',
    );
    let from = 0;
    // There is text around the parts, and the last one may lack an end.
    let isPart = false;
    for (const { 0: line, index } of body.matchAll(delimiter)) {
      this.#addPart(body.slice(from, index), isPart, depth);
      this.pieces.push({ raw: line, document: undefined });
      from = index + line.length;
      isPart = !line.trim().endsWith(`${boundary}--`);
    }
    this.#addPart(body.slice(from), isPart, depth);
  }

  #addPart(text: string, isPart: boolean, depth: number): void {
    if (isPart) this.addEntity(text, depth + 1);
    else this.#addText(text);
  }

  #addHead(head: string): void {
    if (!encodedWord.test(head)) {
      this.#addText(head);
      return;
    }
    const inner = openPlain(decodedWords(head), this.#findings);
    this.pieces.push({
      raw: head,
      document: {
        rewrite(changes) {
          const changed = inner.rewrite(changes);
          return changed === undefined ? undefined : codedWords(changed);
        },
      },
    });
  }

  #addCoded(raw: string, of: { readonly head: string; readonly type: string; readonly coding: string }): void {
    const { head, type, coding } = of;
    const isBase64 = coding === 'base64';
    const chars = bytesToChars(new TextEncoder().encode(raw));
    const mediaType = type.replace(/;.*/s, '').trim();
    const fileName = /;\s*(?:file)?name="?([^";\r\n]+)"?/i.exec(
      `${type};${fieldOf(head, 'content-disposition') ?? ''}`,
    )?.[1];
    const decoded = isBase64 ? decodedBase64(raw.trim()) : unquoted(chars);
    const hints = { pointer: 'mail', mediaType, ...(fileName === undefined ? {} : { fileName }) };
    if (decoded === undefined) {
      this.#findings.uninspectable.push({ kind: 'document', ...hints, bytes: () => charsToBytes(chars) });
      this.pieces.push({ raw, document: undefined });
      return;
    }
    const inner = openContent(wholeContent(decoded), hints, this.#findings, this.#level + 1);
    const lineEnd = raw.includes('\r\n') ? '\r\n' : '\n';
    const end = isBase64 ? (/\s*$/.exec(raw)?.[0] ?? '') : '';
    this.pieces.push({
      raw,
      document: {
        rewrite(changes) {
          const changed = inner.rewrite(changes);
          if (changed === undefined) return undefined;
          return isBase64 ? (btoa(changed).match(/.{1,76}/g) ?? []).join(lineEnd) + end : quoted(changed, lineEnd);
        },
      },
    });
  }

  #addText(raw: string): void {
    if (raw === '') return;
    this.pieces.push({ raw, document: raw.trim() === '' ? undefined : openPlain(raw, this.#findings) });
  }
}

/** The offset of the body. A part may have no header at all. */
function endOfHead(text: string): number {
  const none = /^\r?\n/.exec(text);
  if (none !== null) return none[0].length;
  const blank = /\r?\n\r?\n/.exec(text);
  return blank === null ? text.length : blank.index + blank[0].length;
}

function fieldOf(head: string, name: string): string | undefined {
  const unfolded = head.replaceAll(/\r?\n[ \t]+/g, ' ');
  return new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(unfolded)?.[1]?.trim();
}

/** Decodes quoted-printable, one character per byte. */
function unquoted(text: string): string {
  return text
    .replaceAll(/[ \t]+(?=\r?\n|$)/g, '')
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const lineMax = 73;

function quoted(chars: string, lineEnd: string): string {
  return chars
    .split(/\r?\n/)
    .map((line) => {
      const signs = line.replaceAll(/[^!-<>-~ \t]|[ \t]$/g, hexOf).match(/=[0-9A-F]{2}|./gs) ?? [];
      let text = '';
      let length = 0;
      for (const sign of signs) {
        if (length + sign.length > lineMax) {
          text += `=${lineEnd}`;
          length = 0;
        }
        text += sign;
        length += sign.length;
      }
      return text;
    })
    .join(lineEnd);
}

function hexOf(char: string): string {
  return `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Decodes encoded words in a header; adjacent ones are one word (RFC 2047 §6.2). */
export function decodedWords(head: string): string {
  const word = new RegExp(encodedWord, 'gi');
  const decoders = new Map<string, ReturnType<typeof decoderOf>>();
  return head
    .replaceAll(/(\?=)(?:\r?\n)?[ \t]+(?==\?[\w-]+(?:\*[\w-]+)?\?[bq]\?)/gi, '$1')
    .replaceAll(word, (all, charset: string, coding: string, coded: string) => {
      const chars = coding.toLowerCase() === 'b' ? decodedBase64(coded) : unquoted(coded.replaceAll('_', ' '));
      if (!decoders.has(charset)) decoders.set(charset, decoderOf(charset));
      return (chars === undefined ? undefined : decoders.get(charset)?.decode(charsToBytes(chars))) ?? all;
    });
}

/** Encodes non-ASCII words in UTF-8. */
function codedWords(head: string): string {
  return head.replaceAll(
    /[^\s<>,"()]*[^\0-\x7f][^\s<>,"()]*(?:[ \t]+[^\s<>,"()]*[^\0-\x7f][^\s<>,"()]*)*/g,
    (words) => `=?utf-8?B?${btoa(bytesToChars(new TextEncoder().encode(words)))}?=`,
  );
}

/** Undefined for an unknown charset. */
function decoderOf(charset: string) {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

/** Decodes the quoted-printable values of contacts. */
function decodedContacts(text: string): string {
  const line = /^([^:\r\n]*);encoding=quoted-printable((?:;[^:\r\n]*)?):((?:[^\r\n]*=\r?\n)*[^\r\n]*)/gim;
  return text.replaceAll(line, (all, name: string, others: string, value: string) => {
    const charset = /;charset=([\w-]+)/i.exec(name + others)?.[1] ?? 'utf-8';
    const decoded = decoderOf(charset)?.decode(charsToBytes(unquoted(bytesToChars(new TextEncoder().encode(value)))));
    if (decoded === undefined) return all;
    const parameters = (name + others).replace(/;charset=[\w-]+/i, '');
    return `${parameters};CHARSET=UTF-8:${decoded.replaceAll(/\r?\n/g, '\\n')}`;
  });
}
