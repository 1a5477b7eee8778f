/**
 * Finds signed reasoning in a response, read-only. A client must send text and signature back unchanged, so recording
 * both proves later that the provider wrote the text. Supports Anthropic's thinking blocks, Bedrock's
 * `reasoningContent`, `reasoning_details` of OpenRouter, `thinking_blocks` of LiteLLM, and Gemini's thoughts, whose
 * signature is on the next part.
 */

import { isObject, type JsonObject, parseJson } from '../../../core/parsing.ts';
import { readFrame } from '../../../core/stream/aws-event-stream.ts';
import { joinBytes } from '../../../core/stream/frame.ts';
import { Pieces } from '../../../core/stream/pieces.ts';
import type { RestorePlan } from '../answer/restoring.ts';

/** Called with each text and its signature; again if a signature turns out to continue. */
export type OnSigned = (signature: string, text: string) => void;

/** A text so far, and its signature, which comes last. */
type Block = {
  text: string;
  signature: string;
  /** Length of the signature at the end of the last event, and how often it was reported. */
  length: number;
  reports: number;
};

// Every event with part of a signed text contains one of these.
const marks = ['ignature', 'thinking', 'reasoningContent', 'reasoning.text', '"thought"'];
/** Maximum size of a document or line; reading a larger one would delay others. */
const bytesMax = 2 * 1024 * 1024;
/** Maximum number of blocks in a response. */
const blocksMax = 500;
const textMax = 1024 * 1024;
/** Maximum length of all texts of a response that are kept at the same time. */
const textsMax = 8 * textMax;
/** Every report is a hash of the text; a signature with more interruptions is reported at the end. */
const reportsMax = 8;
/** Maximum number of signed texts in a response. */
const signedMax = 2_000;
const depthMax = 40;
const prelude = 12;
const decoder = new TextDecoder();
const copyOf = Uint8Array.prototype.slice;

/** Reads a response in arbitrary pieces. */
export class SignedReasoningReader {
  readonly #kind: RestorePlan;
  readonly #onSigned: OnSigned;
  readonly #isLines: boolean;
  readonly #isDocument: boolean;
  /** The document so far, one character per byte: faster than a copy of the bytes. */
  #document = '';
  #blocks: Map<string, Block> | undefined;
  #size = 0;
  /** Blocks whose signature has grown since it was reported. */
  readonly #grown = new Set<Block>();
  #signed = 0;
  readonly #rest = new Pieces(joinBytes);
  #isOver = false;

  constructor(kind: RestorePlan, onSigned: OnSigned) {
    this.#kind = kind;
    this.#onSigned = onSigned;
    this.#isDocument = kind === 'document' || kind === 'json' || kind === 'json-array';
    this.#isLines = kind === 'sse' || kind === 'ndjson' || kind === 'jsonl' || kind === 'text';
  }

  /** Adds decoded bytes of the response. */
  push(chunk: Uint8Array): void {
    if (this.#isOver) return;
    if (this.#isDocument) {
      this.#document += bytesOf(chunk).toString('latin1');
      if (this.#document.length > bytesMax) this.#stop();
      return;
    }
    const end = this.#isLines ? chunk.lastIndexOf(0x0a) : -1;
    if (end >= 0) {
      this.#rest.push(chunk.subarray(0, end));
      this.#readLines(this.#rest.takeWhole());
    }
    // The caller reuses the chunk's memory for the next read.
    this.#rest.push(copyOf.call(chunk, end + 1));
    if (this.#rest.size > bytesMax) this.#stop();
    else if (this.#kind === 'event-stream') this.#readFrames();
  }

  /** Completes the response. */
  end(): void {
    if (this.#isOver) return;
    if (this.#isDocument) {
      if (hasMark(this.#document)) this.#readText(decoder.decode(Buffer.from(this.#document, 'latin1')));
    } else if (this.#kind !== 'event-stream') this.#readLines(this.#rest.takeWhole());
    for (const block of this.#grown) this.#report(block.signature, block.text);
    this.#stop();
  }

  #stop(): void {
    this.#isOver = true;
    this.#document = '';
    this.#rest.take();
    this.#blocks = undefined;
    this.#grown.clear();
  }

  #readLines(bytes: Uint8Array): void {
    if (!mayHoldReasoning(bytes)) return;
    for (const line of decoder.decode(bytes).split(/[\r\n]+/)) {
      if (this.#kind === 'jsonl') this.#blocks = undefined;
      this.#readText(line.replace(/^data:/, ''));
    }
  }

  #readFrames(): void {
    if (this.#rest.size < prelude) return;
    let bytes = this.#rest.takeWhole();
    while (bytes.length >= prelude) {
      const total = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
      if (total < prelude + 4 || total > bytesMax) {
        this.#stop();
        return;
      }
      if (bytes.length < total) break;
      const payload = readFrame(bytes.subarray(0, total))?.payload;
      if (payload !== undefined) this.#readPayload(payload);
      bytes = bytes.subarray(total);
    }
    this.#rest.push(bytes);
  }

  /** A Converse event, or a provider event in base64. */
  #readPayload(payload: Uint8Array): void {
    const event = parseJson(decoder.decode(payload));
    if (!isObject(event)) return;
    if (typeof event.bytes !== 'string') this.#readEvent(event);
    else this.#read(Uint8Array.from(atob(event.bytes), (char) => char.charCodeAt(0)));
  }

  #read(bytes: Uint8Array): void {
    if (mayHoldReasoning(bytes)) this.#readText(decoder.decode(bytes));
  }

  #readText(text: string): void {
    if (/^\s*[[{]/.test(text)) this.#readEvent(parseJson(text));
  }

  #readEvent(event: unknown): void {
    this.#walk(event, '', '', 0);
    for (const block of this.#grown) {
      // A signature may come in pieces, one per event.
      if (block.length < block.signature.length) block.length = block.signature.length;
      else if (block.reports < reportsMax) {
        block.reports++;
        this.#grown.delete(block);
        this.#report(block.signature, block.text);
      }
    }
  }

  #report(signature: string, text: string): void {
    if (this.#signed++ < signedMax) this.#onSigned(signature, text);
  }

  /** `at` identifies the block, `around` is the list that contains its object, `name` the object's key. */
  #walk(value: unknown, at: string, around: string, depth: number, name = ''): void {
    if (depth > depthMax || typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) {
        const index = isObject(item) && typeof item.index === 'number' ? item.index : i;
        this.#walk(item, `${at}/${index}`, at, depth + 1);
      }
      return;
    }
    const object = value as JsonObject;
    // Events of a block state its number under different names.
    const number = at === '' ? (object.contentBlockIndex ?? object.index) : undefined;
    const key = typeof number === 'number' ? `#${number}` : at;
    this.#readObject(object, { key, around, name });
    for (const [own, member] of Object.entries(object)) {
      this.#walk(member, key.startsWith('#') ? key : `${key}.${own}`, around, depth + 1, own);
    }
  }

  #readObject(object: JsonObject, { key, around, name }: { key: string; around: string; name: string }): void {
    const isThought = object.thought === true;
    const place = isThought ? around : key;
    const text = reasoningOf(object, isThought || /^reasoning(?:Content|Text)$/.test(name));
    if (text !== undefined) this.#add(place, text);
    const { signature } = object;
    if (typeof signature === 'string') this.#sign(place, signature, text);
    const ofThought = object.thoughtSignature ?? object.thought_signature;
    if (typeof ofThought === 'string') this.#sign(around, ofThought, isThought ? text : undefined);
  }

  #add(place: string, text: string): void {
    let block = this.#blocks?.get(place);
    // Text after a signature starts a new block.
    if (block === undefined || block.signature !== '') {
      if (this.#blocks === undefined || this.#blocks.size >= blocksMax || this.#size > textsMax) {
        this.#blocks = new Map();
        this.#size = 0;
      }
      block = { text: '', signature: '', length: 0, reports: 0 };
      this.#blocks.set(place, block);
    }
    if (block.text.length > textMax) return;
    block.text += text;
    this.#size += text.length;
  }

  #sign(place: string, signature: string, own: string | undefined): void {
    if (signature === '') return;
    const block = this.#blocks?.get(place);
    if (block !== undefined) {
      block.signature += signature;
      if (block.text !== '' && block.text.length <= textMax) this.#grown.add(block);
    }
    if (own !== undefined && own !== '' && own !== block?.text) this.#report(signature, own);
  }
}

/** The reasoning text, or a piece of it, in an object; `isReasoning`: its path identifies it as such. */
function reasoningOf(object: JsonObject, isReasoning: boolean): string | undefined {
  const { thinking, text, summary, type } = object;
  if (typeof thinking === 'string') return thinking;
  if (!isReasoning && !(typeof type === 'string' && /^(?:reasoning|thinking)/.test(type))) return undefined;
  if (typeof text === 'string') return text;
  return typeof summary === 'string' ? summary : undefined;
}

function mayHoldReasoning(bytes: Uint8Array): boolean {
  return hasMark(bytesOf(bytes).toString('latin1'));
}

function hasMark(text: string): boolean {
  return marks.some((mark) => text.includes(mark));
}

function bytesOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
