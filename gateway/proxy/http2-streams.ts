/**
 * Six faults at the ends of requests over HTTP/2 (undici 8.12, Node 24.21), mended where node makes the stream;
 * `test/gateway/proxy/http2-streams.test.ts` shows them.
 *
 * Node ends the body of a stream that it resets: the origin gets END_STREAM ahead of RST_STREAM, and takes the part of an
 * upload that had come when the client left for all of it. RFC 9113 §8.1 calls a message complete that has END_STREAM.
 *
 * Node also ends the answer of a stream that the origin resets with NO_ERROR or CANCEL, so that its client would be told
 * that the part which came is all.
 *
 * undici ends the stream of a request that is given up with `close()`, which waits for the end of the body before it
 * resets the stream, and `destroy()`, after which the reset is never sent. Node then asks for the body of a stream that it
 * has forgotten, gets nothing, and goes on asking: the process hangs and fills its memory. A code other than NO_ERROR is
 * sent at once, and CANCEL is what tells the origin that nobody waits for the answer (RFC 9113 §7).
 *
 * Node clears the timer of a stream when it is closed, and not again when it is destroyed. undici sets it anew when the
 * client has room for more of an answer, also when the stream has been closed by then: stream, session and what they hold
 * stayed until the timer was over, ten minutes later. Nor does node clear the timer of a stream that is destroyed without
 * having been closed, as all are that a lost connection carried: it asks for that once the stream is destroyed, when
 * `setTimeout` does nothing.
 *
 * Node tells of trailers when they come, and of the NO_ERROR with which an origin asks for no more of the request behind a
 * complete answer (RFC 9113 §8.1), also ahead of what waits in a stream that is paused; undici takes no more of the answer
 * behind either. A client that read slowly got an answer with its tail cut off, and trailers that call it complete.
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

/** What is left to do when the writable side ends: END_STREAM, unless a reset is what ends it. */
const finalUnlessReset: Final = function (callback) {
  if (this.closed && this.rstCode !== constants.NGHTTP2_NO_ERROR) callback();
  else (finalOfNode as Final).call(this, callback);
};

/** Answers that have their END_STREAM. */
const whole = new WeakSet<ClientHttp2Stream>();

/** The end that node makes up comes when the stream is closed already; nobody listens once the request is given up. */
const pushUnlessReset: Push = function (chunk, encoding) {
  if (chunk === null && !this.closed) whole.add(this);
  if (chunk !== null || whole.has(this) || this.listenerCount('error') === 0)
    return (pushOfNode as Push).call(this, chunk, encoding);
  // Node looks at the stream once more behind this.
  process.nextTick(() => this.destroy(new Error('the stream was reset before its end')));
  return false;
};

/** What is told once the rest of a complete answer was read. */
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
 * From now on, streams of HTTP/2 clients of this process are cancelled when closed without a code, neither
 * way with an end that the body did not have, leave no timer, and tell of trailers behind the body.
 */
export function mendHttp2Streams(): void {
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
