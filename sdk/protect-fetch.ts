/** A `fetch` for the option of that name in AI packages: masks requests and restores responses. */

import { PrivetError } from '../core/errors.ts';
import { joinBytes } from '../core/stream/frame.ts';
import { comesInPieces } from '../core/stream/json-part.ts';
import type { TokenMap } from '../core/vault.ts';
import { checkFetch } from './option-values.ts';
import { checkOptions } from './options.ts';
import type { Privet, ProtectFetchOptions } from './privet-types.ts';
import { newSessionId } from './session.ts';
import { answerKind, restoreAnswerText, restoredBody } from './streams.ts';

export type { ProtectFetchOptions } from './privet-types.ts';

type Fetch = typeof globalThis.fetch;

/** `protectFetch` with the Privet to use. */
export function protectFetchWith(
  privet: Privet,
  fetch: Fetch = globalThis.fetch,
  options: Omit<ProtectFetchOptions, 'privet'> = {},
): Fetch {
  checkFetch('protectFetch', fetch);
  checkOptions('protectFetch', options, ['sessionId', 'uninspectable', 'privet']);
  const sessionId = options.sessionId ?? newSessionId();
  const { uninspectable } = options;
  return async (input, init) => {
    const outgoing = await readBody(input, init);
    if (outgoing === undefined) return restoreResponse(await fetch(input, init), await privet.tokens(sessionId));
    let body: string | Uint8Array;
    let numbers: ReadonlySet<string> | undefined;
    try {
      ({ body, numbers } = await privet.maskBody(outgoing.body, {
        sessionId,
        // The session is known here, so tokens can be short, which models copy best.
        tokenFormat: 'counter',
        ...(outgoing.contentType === undefined ? {} : { contentType: outgoing.contentType }),
        ...(uninspectable === undefined ? {} : { uninspectable }),
      }));
    } catch (error) {
      if (error instanceof PrivetError)
        return refusedResponse(error, input instanceof Request ? input.url : String(input));
      throw error;
    }
    const response =
      body === outgoing.body && outgoing.isReusable
        ? await fetch(input, init)
        : await fetch(...withBody(input, init, outgoing, body));
    return restoreResponse(response, await privet.tokens(sessionId), numbers);
  };
}

type Outgoing = {
  readonly body: string | Uint8Array;
  readonly contentType: string | undefined;
  /** True if the body can be sent as it is; reading consumes a body, so otherwise a copy is sent. */
  readonly isReusable: boolean;
};

/** The complete body of a call; undefined if there is none. */
async function readBody(input: Parameters<Fetch>[0], init: RequestInit | undefined): Promise<Outgoing | undefined> {
  const request = input instanceof Request ? input : undefined;
  const declared = new Headers(init?.headers ?? request?.headers).get('content-type') ?? undefined;
  const body = init?.body;
  if (typeof body === 'string') return { body, contentType: declared, isReusable: true };
  if (body === undefined || body === null) {
    if (!request?.body) return undefined;
    return { body: new Uint8Array(await request.clone().arrayBuffer()), contentType: declared, isReusable: true };
  }
  // Encoding a form chooses its boundary, so send exactly these bytes.
  const made = new Response(body);
  const contentType = declared ?? made.headers.get('content-type') ?? undefined;
  return { body: new Uint8Array(await made.arrayBuffer()), contentType, isReusable: false };
}

/** The arguments of the call with a new body. */
function withBody(
  input: Parameters<Fetch>[0],
  init: RequestInit | undefined,
  { contentType }: Outgoing,
  body: string | Uint8Array,
): Parameters<Fetch> {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.delete('content-length');
  if (contentType !== undefined) headers.set('content-type', contentType);
  // A text with a declared type must not be declared as text/plain.
  const sent = { ...init, headers, body: body as RequestInit['body'] };
  return [input, sent];
}

/** The response with tokens restored, `numbers` in tool data as numbers. Non-text responses, and all responses before any token exists, are unchanged. */
export async function restoreResponse(
  response: Response,
  map: TokenMap | undefined,
  numbers?: ReadonlySet<string>,
): Promise<Response> {
  const kind = answerKind(response.headers.get('content-type'), response.url);
  if (kind === undefined || map === undefined || map.size === 0 || response.body === null) return response;
  const reader = response.body.getReader();
  if (kind !== 'json') return like(response, restoredBody(reader, { kind, map, numbers }));
  const pieces: Uint8Array[] = [];
  let isDocument = false;
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    pieces.push(value);
    if (!isDocument && comesInPieces(value)) {
      const first = joinBytes(pieces);
      return like(response, restoredBody(reader, { kind, map, numbers, first }));
    }
    isDocument ||= comesInPieces(value) === false;
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(joinBytes(pieces));
  return like(response, restoreAnswerText(kind, text, map, numbers));
}

/** A response with a new body; drops the declared length and coding. */
function like(response: Response, body: ReadableStream<Uint8Array> | string | null): Response {
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  headers.delete('content-encoding');
  const made = new Response(body as RequestInit['body'], {
    status: response.status,
    statusText: response.statusText,
    headers,
  });
  for (const name of ['url', 'redirected', 'type'] as const) {
    Object.defineProperty(made, name, { value: response[name], configurable: true });
  }
  return made;
}

/** Codes of Google's errors, which its package shows (google.rpc.Code). */
const googleStatus: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  503: 'UNAVAILABLE',
};

/**
 * A response in the provider's error format. AI packages treat an error thrown by `fetch` as a connection error: they
 * retry, and then report only "Connection error.".
 */
function refusedResponse({ code, status, message, hint, details }: PrivetError, url: string): Response {
  const text = `Privet: ${message} ${hint}`;
  const isGoogle = /\/\/[^/]*\.googleapis\.com\/|:(?:stream)?(?:generate|embed|count)\w*(?:\?|$)/i.test(url);
  const error = isGoogle
    ? { code: status, message: text, status: googleStatus[status] ?? 'FAILED_PRECONDITION', reason: code }
    : { type: 'privet_error', code, message: text, hint, param: null, ...(details === undefined ? {} : { details }) };
  const response = Response.json(
    // Anthropic has a type next to the error; others ignore it.
    { type: 'error', error },
    { status, headers: { 'x-should-retry': String(status >= 500), 'x-privet-refused': code } },
  );
  Object.defineProperty(response, 'url', { value: url, configurable: true });
  return response;
}
