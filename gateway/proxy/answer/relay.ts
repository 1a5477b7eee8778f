/** Sends one request upstream, again or another way where that is safe; {@link AnswerRelay} passes on the answer. */
import { Readable } from 'node:stream';
import { PrivetError } from '../../../core/errors.ts';
import { signsInConnection } from '../admit/connection-auth.ts';
import { originOf } from '../request/target.ts';
import { ParentUnusable } from '../upstream/parents.ts';
import { type Upstream, upstreamError } from '../upstream/upstream.ts';
import { AnswerRelay, askForHttp1, type RelayInput } from './answer-relay.ts';
import { hasLeft } from './answers.ts';

/** Methods that may be retried when a reused connection died before any byte of the response (RFC 9110 §9.2.2). */
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Resolves when the response was relayed or aborted; rejects with PrivetError while an error response is still
 * possible.
 */
export async function relayResponse(upstream: Upstream, input: RelayInput): Promise<void> {
  try {
    await relayOnce(upstream, input);
  } catch (error) {
    if (error instanceof ParentUnusable) return relayByAnother(upstream, input, error);
    const retry = repeatable.has(input.request.method ?? '') && input.body === null && isStaleConnection(error);
    if (!retry || input.response.headersSent || hasLeft(input.response)) throw upstreamError(error);
    await relayOnce(upstream, input).catch((again) => {
      throw upstreamError(again);
    });
  }
}

/** A parent that refused a request has not forwarded it, so it may be sent another way, whatever its method. */
function relayByAnother(upstream: Upstream, input: RelayInput, error: ParentUnusable): Promise<void> {
  const { target, body, response } = input;
  const hasOther = upstream.parentRefused(target.host, target.port, error.message);
  if (hasOther && !(body instanceof Readable) && !hasLeft(response)) return relayResponse(upstream, input);
  if (hasOther === undefined) {
    throw new PrivetError('upstream_failed', 'The host asks for credentials as a proxy does (407).', { cause: error });
  }
  const message = `The parent proxy cannot be used: ${error.message}.`;
  throw new PrivetError('upstream_failed', message, {
    hint: 'Check upstream.parent and upstream.parents.',
    cause: error,
  });
}

function isStaleConnection(error: unknown): boolean {
  const code = (error as { code?: string }).code;
  return code === 'HTTP1_CLOSED' || code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

function relayOnce(upstream: Upstream, input: RelayInput): Promise<void> {
  return new Promise((resolve, reject) => {
    const { target, request } = input;
    const origin = originOf(target);
    const wire = { method: request.method as string, path: input.path, fields: input.headers, body: input.body };
    const relay = new AnswerRelay(input, resolve, reject);
    const by = { client: request.socket, subject: input.record.client.subject };
    const signsIn = signsInConnection(input.headers);
    if (input.protocol === 'h2' && signsIn) {
      // Pooled connections are shared, even those to HTTP/1.1-only hosts.
      input.record.status = 421;
      askForHttp1(input.response);
      resolve();
    } else if (input.protocol === 'h2') {
      upstream.dispatchHttp2(origin, wire, relay);
    } else {
      if (signsIn || upstream.isPinned(by, origin)) upstream.dispatchPinned(by, origin, wire, relay);
      else upstream.dispatch(origin, wire, relay);
    }
  });
}
