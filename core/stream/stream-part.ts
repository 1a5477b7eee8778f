/**
 * The framing of a stream.
 * - `json`: declared as JSON. A document, length-prefixed documents after `)]}'`, or an array: its first element's
 * names tell whether the elements are pieces of one response or independent.
 * - `json-array`: an array of pieces of one response.
 * - `ndjson`: a stream of events. `jsonl`: a file of independent documents. `event-stream`: frames with checksums.
 * - `text`: sniffed, because it may be SSE, NDJSON or one JSON document.
 * - `html` (and XML): originals are written with entities, so they cannot become markup.
 * - `file`: decided by its first bytes. `multipart`: responses in parts.
 */
export type StreamKind =
  | 'sse'
  | 'ndjson'
  | 'jsonl'
  | 'json'
  | 'json-array'
  | 'event-stream'
  | 'multipart'
  | 'file'
  | 'text'
  | 'html';

/** One framing; `out` receives the bytes to send. */
export interface StreamPart {
  push(chunk: Uint8Array, out: Uint8Array[]): void;
  /** Ends the stream. `isCut`: it broke off. */
  end(out: Uint8Array[], isCut?: boolean): void;
  flushHeld(out: Uint8Array[]): void;
  /** True while a suffix is held back. */
  readonly isHolding?: boolean;
  /** True while an event may be inserted. */
  readonly isBetweenEvents?: boolean;
}
