/**
 * Workarounds for six faults at the end of HTTP/2 requests (undici 8.12, Node 24.21), applied where Node creates the
 * stream and shown by `test/gateway/proxy/listen/http2-streams.test.ts`.
 * Node ends the body of a stream that it resets: the origin gets END_STREAM before RST_STREAM, and a partial upload
 * looks complete (RFC 9113 §8.1). Node also ends the response of a stream that the origin resets with NO_ERROR or
 * CANCEL, so a partial response looks complete to the client.
 * undici ends the stream of an aborted request with `close()`, which waits for the end of the body before it resets the
 * stream, and `destroy()`, after which the reset is never sent. Node then keeps requesting the body of a forgotten
 * stream: the process hangs and fills its memory. A code other than NO_ERROR is sent at once; CANCEL tells the origin
 * that the response is no longer needed (RFC 9113 §7).
 * Node clears a stream's timer on close, but not again on destroy. undici sets it again when the client accepts more of
 * a response, even if the stream is closed by then: stream, session and everything they reference stay until the timer
 * fires ten minutes later. Node also leaves the timer of a stream destroyed without being closed, as on a lost
 * connection: it clears it only after the stream is destroyed, when `setTimeout` has no effect.
 * Node reports trailers when they arrive, and also the NO_ERROR with which an origin declines the remaining request
 * after a complete response (RFC 9113 §8.1), even before data still buffered in a paused stream. undici drops that data
 * after either, so a slow client got a truncated response with trailers that declare it complete.
 */
import { subscribe } from 'node:diagnostics_channel';
import { type ClientHttp2Stream, constants } from 'node:http2';

type Close = (this: ClientHttp2Stream, code?: number, callback?: () => void) => void;
type Final = (this: ClientHttp2Stream, callback: (error?: Error | null) => void) => void;
type Push = (this: ClientHttp2Stream, chunk: unknown, encoding?: BufferEncoding) => boolean;
type Destroy = (this: ClientHttp2Stream, error?: Error) => ClientHttp2Stream;
type Emit = (this: ClientHttp2Stream, event: string | symbol, ...values: unknown[]) => boolean;
type SetTimeoutOf = (this: ClientHttp2Stream, ms: number, callback?: () => void) => ClientHttp2Stream;

let isOn = false;
let closeOfNode: Close | undefined;
let finalOfNode: Final | undefined;
let pushOfNode: Push | undefined;
let destroyOfNode: Destroy | undefined;
let emitOfNode: Emit | undefined;
let setTimeoutOfNode: SetTimeoutOf | undefined;

const closeWithCode: Close = function (code = constants.NGHTTP2_CANCEL, callback) {
  (closeOfNode as Close).call(this, code, callback);
};

/** The final step of the writable end: END_STREAM, unless a reset ends it. */
const finalUnlessReset: Final = function (callback) {
  if (this.closed && this.rstCode !== constants.NGHTTP2_NO_ERROR) callback();
  else (finalOfNode as Final).call(this, callback);
};

/** Responses that have received END_STREAM. */
const whole = new WeakSet<ClientHttp2Stream>();

/** Node's artificial end arrives after the stream is closed; nobody listens once the request is aborted. */
const pushUnlessReset: Push = function (chunk, encoding) {
  if (chunk === null && !this.closed) whole.add(this);
  if (chunk !== null || whole.has(this) || this.listenerCount('error') === 0)
    return (pushOfNode as Push).call(this, chunk, encoding);
  // Node accesses the stream once more after this.
  process.nextTick(() => this.destroy(new Error('the stream was reset before its end')));
  return false;
};

/** Events to emit once all of a complete response has been read. */
const held = new WeakMap<ClientHttp2Stream, [event: 'trailers' | 'aborted', ...values: unknown[]][]>();

const emitInOrder: Emit = function (event, ...values) {
  const emit = emitOfNode as Emit;
  if ((event === 'trailers' || event === 'aborted') && this.readableLength > 0 && whole.has(this)) {
    held.set(this, [...(held.get(this) ?? []), [event, ...values]]);
    return true;
  }
  if (event === 'end') for (const late of held.get(this) ?? []) emit.apply(this, late);
  return emit.call(this, event, ...values);
};

const setTimeoutWhileOpen: SetTimeoutOf = function (ms, callback) {
  return this.closed && ms > 0 ? this : (setTimeoutOfNode as SetTimeoutOf).call(this, ms, callback);
};

const destroyWithTimer: Destroy = function (error) {
  (setTimeoutOfNode as SetTimeoutOf).call(this, 0);
  return (destroyOfNode as Destroy).call(this, error);
};

/**
 * Patches this process's HTTP/2 client streams: they are cancelled if closed without a code, never get an artificial
 * end in either direction, leave no timer, and report trailers after the body.
 */
export function workAroundHttp2Streams(): void {
  if (isOn) return;
  isOn = true;
  subscribe('http2.client.stream.created', (message) => {
    const { stream } = message as { stream: ClientHttp2Stream };
    closeOfNode ??= stream.close as Close;
    finalOfNode ??= stream._final as Final;
    pushOfNode ??= stream.push as Push;
    destroyOfNode ??= stream.destroy as Destroy;
    emitOfNode ??= stream.emit as Emit;
    setTimeoutOfNode ??= stream.setTimeout as SetTimeoutOf;
    stream.close = closeWithCode;
    stream._final = finalUnlessReset;
    stream.push = pushUnlessReset;
    stream.destroy = destroyWithTimer;
    stream.emit = emitInOrder as ClientHttp2Stream['emit'];
    stream.setTimeout = setTimeoutWhileOpen as ClientHttp2Stream['setTimeout'];
  });
}
