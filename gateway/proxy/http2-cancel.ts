/**
 * Requests over HTTP/2 that are given up. undici ends their streams with `close()`, which waits for the end of the body
 * before it resets the stream, and `destroy()`, after which the reset is never sent. Node then asks for the body of a
 * stream that it has forgotten, gets nothing, and goes on asking: the process hangs and fills its memory (undici 8.12,
 * Node 24.21; `test/gateway/proxy/http2-cancel.test.ts` shows it). A code other than NO_ERROR is sent at once, and
 * CANCEL is what tells the origin that nobody waits for the answer (RFC 9113 §7).
 */
import { subscribe } from 'node:diagnostics_channel';
import { type ClientHttp2Stream, constants } from 'node:http2';

type Close = (this: ClientHttp2Stream, code?: number, callback?: () => void) => void;

let isOn = false;
let closeOfNode: Close | undefined;

const closeWithCode: Close = function (code = constants.NGHTTP2_CANCEL, callback) {
  (closeOfNode as Close).call(this, code, callback);
};

/** From now on, streams of HTTP/2 clients of this process that are closed without a code are cancelled. */
export function cancelClosedStreams(): void {
  if (isOn) return;
  isOn = true;
  subscribe('http2.client.stream.created', (message) => {
    const { stream } = message as { stream: ClientHttp2Stream };
    closeOfNode ??= stream.close as Close;
    stream.close = closeWithCode;
  });
}
