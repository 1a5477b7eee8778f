/** What a framing of a stream is and does. */

/**
 * The framing of a stream.
 * - `json`: declared as JSON. A document, or an array whose elements are pieces of one response if the names in the
 *   first one say so, else independent; `)]}'` starts a framing with lengths.
 * - `json-array`: an array whose elements are pieces of one response.
 * - `ndjson`: a stream of events. `jsonl`: a file of independent documents. `event-stream`: frames with checksums.
 * - `text`: sniffed, because it may be SSE, NDJSON or one JSON document.
 * - `html` (and XML): originals are written with entities, so that they cannot become markup.
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

/** One framing; `out` receives what can be sent. */
export interface StreamPart {
  push(chunk: Uint8Array, out: Uint8Array[]): void;
  /** `isCut`: the stream broke off. */
  end(out: Uint8Array[], isCut?: boolean): void;
  flushHeld(out: Uint8Array[]): void;
  /** True while a suffix is held back. */
  readonly isHolding?: boolean;
  /** True while an event may be inserted. */
  readonly isBetweenEvents?: boolean;
}
