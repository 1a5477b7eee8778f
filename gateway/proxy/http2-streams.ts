/**
 * Two faults at the ends of requests over HTTP/2 (undici 8.12, Node 24.21), both mended where node makes the stream;
 * `test/gateway/proxy/http2-streams.test.ts` shows them.
 *
 * undici ends the stream of a request that is given up with `close()`, which waits for the end of the body before it
 * resets the stream, and `destroy()`, after which the reset is never sent. Node then asks for the body of a stream that it
 * has forgotten, gets nothing, and goes on asking: the process hangs and fills its memory. A code other than NO_ERROR is
 * sent at once, and CANCEL is what tells the origin that nobody waits for the answer (RFC 9113 §7).
 *
 * Node clears the timer of a stream when it is closed, and not again when it is destroyed. undici sets it anew when the
 * client has room for more of an answer, also when the stream has been closed by then: stream, session and what they hold
 * stayed until the timer was over, ten minutes later.
 */
import { subscribe } from 'node:diagnostics_channel';
import { type ClientHttp2Stream, constants } from 'node:http2';

type Close = (this: ClientHttp2Stream, code?: number, callback?: () => void) => void;
type SetTimeoutOf = (this: ClientHttp2Stream, ms: number, callback?: () => void) => ClientHttp2Stream;

let isOn = false;
let closeOfNode: Close | undefined;
let setTimeoutOfNode: SetTimeoutOf | undefined;

const closeWithCode: Close = function (code = constants.NGHTTP2_CANCEL, callback) {
  (closeOfNode as Close).call(this, code, callback);
};

const setTimeoutWhileOpen: SetTimeoutOf = function (ms, callback) {
  return this.closed && ms > 0 ? this : (setTimeoutOfNode as SetTimeoutOf).call(this, ms, callback);
};

/** From now on, streams of HTTP/2 clients of this process are cancelled when closed without a code, and leave no timer. */
export function mendHttp2Streams(): void {
  if (isOn) return;
  isOn = true;
  subscribe('http2.client.stream.created', (message) => {
    const { stream } = message as { stream: ClientHttp2Stream };
    closeOfNode ??= stream.close as Close;
    setTimeoutOfNode ??= stream.setTimeout as SetTimeoutOf;
    stream.close = closeWithCode;
    stream.setTimeout = setTimeoutWhileOpen as ClientHttp2Stream['setTimeout'];
  });
}
