/** Sends the request upstream, retrying or rerouting if that is safe; {@link AnswerRelay} relays the response. */
import { Readable } from 'node:stream';
import { PrivetError } from '../../../core/errors.ts';
import { citedDocuments } from '../../../core/payload/cited-documents.ts';
import type { DocumentShifts } from '../../../core/payload/offsets.ts';
import { percentDecoded } from '../../../core/payload/percent.ts';
import type { TokenMap } from '../../../core/vault.ts';
import { signsInConnection } from '../admit/connection-auth.ts';
import { AnswerRelay, askForHttp1 } from '../answer/answer-relay.ts';
import { hasLeft } from '../answer/answers.ts';
import { LiveMap } from '../answer/live-map.ts';
import type { RelayInput } from '../answer/relay-input.ts';
import { ExchangeNumbers } from '../body/number-tokens.ts';
import { andThen, type Exchange, type StageInput } from '../exchange.ts';
import { withValues } from '../request/masked-fields.ts';
import { originOf } from '../request/target.ts';
import { carriesVia, upstreamHeaders } from '../request/upstream-headers.ts';
import { ParentUnusable } from '../upstream/parents.ts';
import { type Upstream, upstreamError } from '../upstream/upstream.ts';

/** Sends the request upstream; the response is relayed, and restored with the session's tokens. */
export function send(exchange: Exchange): Exchange | Promise<Exchange> {
  const { parts, input } = exchange;
  const isRestored = input?.mode === 'mask' && !exchange.streamsBothWays;
  const tokens = isRestored ? parts.vault.tokens(input.session) : undefined;
  return andThen(tokens, (map) => {
    const known = map !== undefined && map.size > 0 ? exchange.masker.numbers.of(input?.session as string) : undefined;
    return andThen(known, (numbers) => relay(exchange, map, numbers));
  });
}

function relay(exchange: Exchange, tokens: TokenMap | undefined, known?: ReadonlySet<string>): Promise<Exchange> {
  const { parts, request, response, record, target, decision, masker, masked, guarded, input, path } = exchange;
  const { allowsHost, linkHosts, bodyBytesMax } = masker.options;
  const body = Buffer.isBuffer(exchange.body) && exchange.body.length === 0 ? null : exchange.body;
  const isJson = input?.mode === 'mask' && Buffer.isBuffer(exchange.body) && exchange.kind === 'json';
  const headers = upstreamHeaders(parts.pseudonym, exchange, (guarded?.changed ?? masked?.changed) === true);
  // On a stream that an MCP client opens by GET, servers answer calls that are sent later.
  const live = input?.mode === 'mask' && guarded?.answer?.isStream ? new LiveMap(tokens) : undefined;
  const numbers = live || known?.size ? new ExchangeNumbers() : undefined;
  if (masked) numbers?.note(masked);
  if (known) numbers?.add(known);
  const follow =
    live &&
    (async () => {
      const { session } = input as StageInput;
      live.current = await parts.vault.tokens(session);
      numbers?.add(await masker.numbers.of(session));
    });
  const map = live ?? (tokens && tokens.size > 0 ? tokens : undefined);
  const resumed = map === undefined ? undefined : resumedStream(request.method ?? '', path);
  const relayed = relayResponse(parts.upstream, {
    request,
    response,
    record,
    target,
    decision,
    probe: exchange.probe,
    confirmAt: exchange.confirmAt,
    headers: withValues(headers, exchange.fields),
    path: resumed?.path ?? path,
    resumesAfter: resumed?.resumesAfter,
    body,
    passesContinue: exchange.expectsOrigin,
    protocol: request.httpVersionMajor === 2 ? 'h2' : 'http/1.1',
    via: carriesVia(exchange) ? parts.pseudonym : undefined,
    map,
    follow,
    // Only JSON requests get reasoning in the response.
    reasoning: isJson ? { seen: masker.reasoning, session: input.session } : undefined,
    allowsHost,
    documents: isJson && masked?.changed && tokens ? documentsOf(exchange.body as Buffer, tokens) : undefined,
    numbers: numbers?.tokens ?? masked?.numbers,
    linkHosts,
    bytesMax: bodyBytesMax,
    guard: guarded?.answer,
    warning: guarded?.warning,
  });
  return relayed.then(() => exchange);
}

/** The documents of a body that requests citations. */
function documentsOf(body: Buffer, map: TokenMap): DocumentShifts | undefined {
  return body.includes('"citations"') && body.includes('"document"')
    ? citedDocuments(() => body.toString(), map)
    : undefined;
}

/** Methods that may be retried if a reused connection died before any byte of the response (RFC 9110 §9.2.2). */
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Resolves when the response was relayed or aborted; rejects while an error response is still possible. */
async function relayResponse(upstream: Upstream, input: RelayInput): Promise<void> {
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

/** Reroutes a request. A parent that rejected it has not forwarded it, so any method may be sent another way. */
function relayByAnother(upstream: Upstream, input: RelayInput, error: ParentUnusable): Promise<void> {
  const { target, body, response } = input;
  const hasOther = upstream.parentRefused(target.host, target.port, error.message);
  if (hasOther && !(body instanceof Readable) && !hasLeft(response)) return relayResponse(upstream, input);
  if (hasOther === undefined) {
    throw new PrivetError('upstream_failed', 'The host responded with 407, as only a proxy may.', { cause: error });
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

/** The target without the resume point, and the resume point. */
type ResumedStream = { readonly path: string; readonly resumesAfter: number | string };

const streams = /\/(?:responses|interactions)\/[^/?]+\?/;
const parameter = /[?&](starting_after|last_event_id)=([^&]*)/g;

/**
 * Parses `GET /v1/responses/{id}?stream=true&starting_after=…` (OpenAI, Azure) and `GET
 * /v1beta/interactions/{id}?stream=true&last_event_id=…` (Gemini), which without that parameter start at the start.
 * Undefined for other requests.
 */
export function resumedStream(method: string, path: string): ResumedStream | undefined {
  if (method !== 'GET' || !streams.test(path) || !/[?&]stream=true(?:&|$)/i.test(path)) return undefined;
  const [found, second] = path.matchAll(parameter);
  if (found === undefined || second !== undefined) return undefined;
  const [whole, name, written = ''] = found;
  const value = percentDecoded(written);
  if (name === 'starting_after' ? !/^\d{1,9}$/.test(value) : value === '') return undefined;
  const rest = path.slice(found.index + whole.length);
  const start = path.slice(0, found.index);
  return {
    path: start + (whole.startsWith('?') && rest.startsWith('&') ? `?${rest.slice(1)}` : rest),
    resumesAfter: name === 'starting_after' ? Number(value) : value,
  };
}
