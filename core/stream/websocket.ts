/** WebSocket frames (RFC 6455, section 5) without extensions: the gateway removes `permessage-deflate`. */
import { PrivetError } from '../errors.ts';
import { joinBytes } from './frame.ts';
import { Pieces } from './pieces.ts';

/** A complete message from a peer. `payload` of `text` is UTF-8; of `close` a code and a reason, or nothing. */
export type WebSocketMessage = {
  readonly kind: 'text' | 'binary' | 'close' | 'ping' | 'pong';
  readonly payload: Uint8Array;
};

/** Raw frame bytes of a message too large to be read, to be passed on unchanged. */
export type WebSocketRawBytes = { readonly kind: 'raw'; readonly payload: Uint8Array };

/** Options of {@link WebSocketParser}. */
export type WebSocketParserOptions = {
  /** True if the peer is a client: a client must mask its frames, a server must not (section 5.1). */
  readonly fromClient: boolean;
  /** Maximum message size in bytes, over all of its fragments. */
  readonly messageBytesMax: number;
  /** Pass a server's oversized message as `raw` frame bytes instead of failing. */
  readonly passesLarge?: boolean;
};

const kinds = new Map([
  [0x1, 'text'],
  [0x2, 'binary'],
  [0x8, 'close'],
  [0x9, 'ping'],
  [0xa, 'pong'],
] as const);
const opcodes = { text: 0x1, binary: 0x2, close: 0x8, ping: 0x9, pong: 0xa } as const;
const empty: Uint8Array = new Uint8Array(0);

type Header = {
  /** True if the message exceeds the maximum. */
  readonly isLarge: boolean;
  readonly final: boolean;
  readonly opcode: number;
  readonly mask: Uint8Array | undefined;
  readonly start: number;
  readonly length: number;
};

/** Parses frames across reads, joins fragments and lets control frames pass between them. */
export class WebSocketParser {
  readonly #options: WebSocketParserOptions;
  readonly #unread = new Pieces(joinBytes);
  /** Bytes needed to continue; avoids joining at every read of a large frame. */
  #needed = 2;
  readonly #fragments = new Pieces(joinBytes);
  #fragmentKind: 'text' | 'binary' | undefined;
  /** Remaining payload bytes of a large frame, and whether fragments of its message follow. */
  #passing = 0;
  #isPassing = false;

  constructor(options: WebSocketParserOptions) {
    this.#options = options;
  }

  /** Buffered bytes of an incomplete message. */
  get pending(): number {
    return this.#unread.size + this.#fragments.size;
  }

  /** Discards the buffered bytes; do not read after that. */
  forget(): void {
    this.#unread.take();
    this.#fragments.take();
  }

  /**
   * Messages completed by these bytes. Throws `bad_request` for a protocol violation and `body_too_large` for an
   * oversized message; close the connection with 1002 or 1009.
   */
  push(chunk: Uint8Array): WebSocketMessage[];
  push(chunk: Uint8Array, raw: true): (WebSocketMessage | WebSocketRawBytes)[];
  push(chunk: Uint8Array): (WebSocketMessage | WebSocketRawBytes)[] {
    const messages: (WebSocketMessage | WebSocketRawBytes)[] = [];
    const passed = chunk.subarray(0, this.#passing);
    if (passed.length > 0) messages.push({ kind: 'raw', payload: passed });
    this.#passing -= passed.length;
    // Copy: payloads are unmasked in place, and `slice` of a Node Buffer would share the caller's memory.
    this.#unread.push(new Uint8Array(chunk.subarray(passed.length)));
    if (this.#unread.size < this.#needed) return messages;
    let bytes = this.#unread.takeWhole();
    for (;;) {
      const header = this.#readHeader(bytes);
      if (!header) break;
      const end = header.start + header.length;
      if (header.isLarge) {
        if (this.#fragmentKind !== undefined) messages.push({ kind: 'raw', payload: this.#fragmentsAsFrame() });
        messages.push({ kind: 'raw', payload: bytes.subarray(0, end) });
        this.#passing = Math.max(0, end - bytes.length);
        this.#isPassing = !header.final;
        bytes = bytes.subarray(end);
        this.#needed = 2;
        continue;
      }
      if (bytes.length < end) {
        this.#needed = end;
        break;
      }
      const payload = bytes.subarray(header.start, end);
      if (header.mask) applyMask(payload, header.mask);
      const message = this.#take(header, payload);
      if (message) messages.push(message);
      bytes = bytes.subarray(end);
      this.#needed = 2;
    }
    this.#unread.push(bytes.slice());
    return messages;
  }

  #readHeader(bytes: Uint8Array): Header | undefined {
    if (bytes.length < 2) return undefined;
    const [first = 0, second = 0] = bytes;
    if ((first & 0x70) !== 0) throw broken('uses an extension that was not agreed');
    const opcode = first & 0x0f;
    const final = (first & 0x80) !== 0;
    const isMasked = (second & 0x80) !== 0;
    if (isMasked !== this.#options.fromClient)
      throw broken(isMasked ? 'is masked by a server' : 'of a client is not masked');
    let length = second & 0x7f;
    if (opcode !== 0 && !kinds.has(opcode as 0x1)) throw broken('has an unknown opcode');
    if (opcode >= 0x8 && (!final || length > 125)) throw broken('is a control frame that is fragmented or too long');
    let start = 2;
    const extra = length === 126 ? 2 : length === 127 ? 8 : 0;
    const headerLength = start + extra + (isMasked ? 4 : 0);
    if (bytes.length < headerLength) {
      this.#needed = headerLength;
      return undefined;
    }
    if (extra > 0) {
      length = 0;
      for (let at = 0; at < extra; at++) length = length * 256 + (bytes[start + at] ?? 0);
      start += extra;
    }
    const isLarge = opcode < 0x8 && (this.#isPassing || length + this.#fragments.size > this.#options.messageBytesMax);
    if (isLarge && !this.#options.passesLarge) {
      throw new PrivetError('body_too_large', 'A WebSocket message is larger than the maximum.');
    }
    return {
      isLarge,
      final,
      opcode,
      mask: isMasked ? bytes.slice(start, start + 4) : undefined,
      start: headerLength,
      length,
    };
  }

  /** Encodes the fragments so far as a first frame, once the message proves too large. */
  #fragmentsAsFrame(): Uint8Array {
    const frame = encodeWebSocketFrame(this.#fragmentKind ?? 'text', this.#fragments.takeWhole());
    frame[0] = (frame[0] as number) & 0x7f;
    this.#fragmentKind = undefined;
    return frame;
  }

  #take(header: Header, payload: Uint8Array): WebSocketMessage | undefined {
    const { opcode, final } = header;
    if (opcode >= 0x8) return { kind: kinds.get(opcode as 0x8) ?? 'close', payload };
    if ((opcode === 0) !== (this.#fragmentKind !== undefined)) {
      throw broken(opcode === 0 ? 'continues nothing' : 'starts a message within another one');
    }
    const kind = this.#fragmentKind ?? (opcode === 0x1 ? 'text' : 'binary');
    if (final && opcode !== 0) return { kind, payload };
    this.#fragments.push(payload);
    this.#fragmentKind = kind;
    if (!final) return undefined;
    this.#fragmentKind = undefined;
    return { kind, payload: this.#fragments.takeWhole() };
  }
}

function broken(what: string): PrivetError {
  return new PrivetError('bad_request', `A WebSocket frame ${what}.`);
}

/** Encodes an unfragmented frame. `maskingKey` (4 unpredictable bytes): only for frames to a server. */
export function encodeWebSocketFrame(
  kind: WebSocketMessage['kind'],
  payload: Uint8Array = empty,
  maskingKey?: Uint8Array,
): Uint8Array {
  const { length } = payload;
  const extra = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const frame = new Uint8Array(2 + extra + (maskingKey ? 4 : 0) + length);
  frame[0] = 0x80 | opcodes[kind];
  frame[1] = (maskingKey ? 0x80 : 0) | (extra === 0 ? length : extra === 2 ? 126 : 127);
  let rest = length;
  for (let at = 1 + extra; at > 1 && extra > 0; at--) {
    frame[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  let at = 2 + extra;
  if (maskingKey) {
    frame.set(maskingKey.subarray(0, 4), at);
    at += 4;
  }
  frame.set(payload, at);
  if (maskingKey) applyMask(frame.subarray(at), maskingKey);
  return frame;
}

/** Masks or unmasks in place (section 5.3). */
function applyMask(payload: Uint8Array, mask: Uint8Array): void {
  for (let at = 0; at < payload.length; at++) payload[at] = (payload[at] as number) ^ (mask[at & 3] as number);
}
