/**
 * Event streams in the strings of messages: SSE lines, plain or in base64. The pieces of one conversation form one
 * stream, regardless of other traffic on the connection.
 */
import type { WireFormats } from '../formats/wire-formats.ts';
import { bytesToChars, charsToBytes } from '../payload/body-text.ts';
import { type JsonMember, type JsonNode, jsonLiteral, scanJson, spliceJson } from '../payload/json-strings.ts';
import { formatsOf, type RestoreContext } from '../payload/response.ts';
import { EventPart } from './event-part.ts';
import { joinBytes } from './frame.ts';

type Inner = {
  readonly part: EventPart;
  /** The last message with a piece of the stream: its text before and after the string literal. */
  template: readonly [before: string, after: string];
  isBase64: boolean;
};

// Complete events only: a partial one would have to wait for the next message.
const lines = /^(?:event|data|id|retry)?:.*\n\r?\n$/s;
// The same in base64: "event:", "data:", "id:", "retry", ": ".
const encodedLines = /^(?:ZXZlbnQ6|ZGF0YT|aWQ6|cmV0cn|Oi)[A-Za-z0-9+/]*={0,2}$/;
// More concurrent conversations than a user can have.
const streamsMax = 100;

/** Restores the messages of one connection. */
export class NestedEvents {
  readonly #context: RestoreContext;
  readonly #nested: WireFormats['nested'];
  readonly #streams = new Map<string, Inner>();

  constructor(context: RestoreContext) {
    this.#context = context;
    this.#nested = formatsOf(context).nested;
  }

  /** The message with its events restored; undefined if it has none. The text must be JSON. */
  restore(json: string): string | undefined {
    const { mark, members } = this.#nested;
    if (!mark.test(json)) return undefined;
    const edits = [];
    let found = false;
    for (const member of scanJson(json, true)) {
      if (!member.isString || member.isKey || !members.has(member.key)) continue;
      const isBase64 = encodedLines.test(member.value);
      const text = isBase64 ? charsOf(member.value) : member.value;
      if (!lines.test(isBase64 ? text : member.value)) continue;
      found = true;
      const inner = this.#streamOf(member);
      inner.isBase64 = isBase64;
      inner.template = [json.slice(0, member.start), json.slice(member.end)];
      const out: Uint8Array[] = [];
      inner.part.push(isBase64 ? charsToBytes(text) : encoder.encode(text), out);
      const literal = jsonLiteral(textOf(out, isBase64));
      if (literal !== jsonLiteral(member.value)) edits.push({ start: member.start, end: member.end, literal });
    }
    return found ? spliceJson(json, edits) : undefined;
  }

  /** Returns held text as messages. */
  flush(): string[] {
    const messages: string[] = [];
    for (const { part, template, isBase64 } of this.#streams.values()) {
      const out: Uint8Array[] = [];
      part.flushHeld(out);
      if (out.length > 0) messages.push(template[0] + jsonLiteral(textOf(out, isBase64)) + template[1]);
    }
    return messages;
  }

  #streamOf(member: JsonMember): Inner {
    const key = `${member.path}|${scopeOf(member.node, this.#nested.scopes)}`;
    let inner = this.#streams.get(key);
    if (!inner) {
      if (this.#streams.size >= streamsMax) this.#streams.delete(this.#streams.keys().next().value as string);
      inner = { part: new EventPart('sse', this.#context), template: ['', ''], isBase64: false };
      this.#streams.set(key, inner);
    }
    return inner;
  }
}

const encoder = new TextEncoder();

function charsOf(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return '';
  }
}

function textOf(pieces: Uint8Array[], isBase64: boolean): string {
  const bytes = joinBytes(pieces);
  return isBase64 ? btoa(bytesToChars(bytes)) : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Identifies a conversation by the fields around the string. */
function scopeOf(node: JsonNode, scopes: readonly string[]): string {
  const found: string[] = [];
  for (let at: JsonNode | undefined = node; at; at = at.parent) {
    for (const name of scopes) {
      const member = at.member(name);
      if (member) found.push(`${name}=${member.value}`);
    }
  }
  return found.join();
}
