/** Responses of the gateway itself: a page for users, JSON for programs, and a status of gRPC or Connect. */
import type { Http2ServerResponse } from 'node:http2';
import type { Duplex, Readable } from 'node:stream';
import { rpcError } from '../../../core/agents/json-rpc.ts';
import type { PrivetError } from '../../../core/errors.ts';
import { typeLabel } from '../../../core/types.ts';
import { errorInJapanese } from '../../../core/wording/japanese-errors.ts';
import { wordingIn } from '../../../core/wording/names.ts';
import type { PolicyDecision } from '../../../policy/decision.ts';
import type { ServerResponse } from '../../http1/server-response.ts';
import { type Brand, plainBrand } from '../../portal/brand.ts';
import type { Language } from '../../portal/words.ts';
import { addField, headerValue, newFieldMap } from '../request/headers.ts';
import { blockPage } from './block-page.ts';
import { errorBody } from './error-bodies.ts';
import { languageOf, pageWordsOf } from './page-words.ts';
import { escapeHtml, pageHeaders, renderPage } from './pages.ts';
import type { RefusalFacts } from './refusals.ts';
import { rpcAnswer } from './rpc-answers.ts';

/** Responses of both protocols. */
export type ClientResponse = ServerResponse | Http2ServerResponse;

/** True for a page load in a browser: HTML is accepted and the request is a navigation (Fetch Metadata, W3C). */
export function isNavigation(rawHeaders: readonly string[]): boolean {
  const mode = headerValue(rawHeaders, 'sec-fetch-mode');
  if (mode !== undefined) return mode === 'navigate';
  return (headerValue(rawHeaders, 'accept') ?? '').includes('text/html');
}

/** True for a client that claims to be a browser; only for those is a tunnel opened to show a page. */
export function looksLikeBrowser(rawHeaders: readonly string[]): boolean {
  return (headerValue(rawHeaders, 'user-agent') ?? '').startsWith('Mozilla/');
}

/** When to retry after a connection limit was reached. */
const retryAfterSeconds = '10';

/** Status, headers and body for an error. */
export function errorAnswer(
  error: PrivetError,
  context: {
    requestId: string;
    rawHeaders: readonly string[];
    /** Path and query. */
    url?: string | undefined;
    host: string;
    decision?: PolicyDecision | undefined;
    /** False: users get the same response as programs. */
    mayBePage?: boolean;
    /** The page's branding. */
    brand?: Brand;
    /** For the page of a blocked service. */
    refusal?: RefusalFacts | undefined;
    /** Ids of the rejected MCP requests. */
    rpcIds?: readonly unknown[] | undefined;
    /** More headers, alternating names and values. */
    fields?: readonly string[] | undefined;
  },
): { status: number; headers: string[]; body: string | Buffer } {
  const extra = ['x-request-id', context.requestId, ...(context.fields ?? [])];
  if (error.code === 'too_many_requests' && context.fields === undefined) extra.push('Retry-After', retryAfterSeconds);
  const rpc = rpcAnswer(error, { rawHeaders: context.rawHeaders, url: context.url, fields: extra });
  if (rpc !== undefined) return rpc;
  const ids = context.rpcIds;
  if (ids !== undefined) {
    const reason = reasonOf(error);
    const asked = ids.filter((id) => id !== undefined);
    const errors = (asked.length === 0 ? [null] : asked).map((id) => rpcError(id, `Privet: ${error.message}`, reason));
    return {
      status: rpcStatus(error, ids, context),
      headers: ['Content-Type', 'application/json', 'Cache-Control', 'no-store', ...extra],
      body: JSON.stringify(errors.length === 1 ? errors[0] : errors),
    };
  }
  if (context.mayBePage === false || !isNavigation(context.rawHeaders)) {
    return {
      status: error.status,
      headers: ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store', ...extra],
      body: JSON.stringify(errorBody(error, context)),
    };
  }
  const body = errorPage(error, context, languageOf(context.rawHeaders));
  return { status: error.status, headers: [...pageHeaders, ...extra], body };
}

/** Where the official packages let clients of 2024-11-05 post their messages: `/messages/?session_id=…`. */
const streamEndpoint = /\/messages?\/?(?:\?|$)|[?&]session_?id=/i;

/** False for an MCP client that reads the response to its request on another connection (2024-11-05). */
export function readsAnswer(rawHeaders: readonly string[], url: string): boolean {
  if (headerValue(rawHeaders, 'mcp-session-id') !== undefined) return true;
  return headerValue(rawHeaders, 'accept')?.includes('text/event-stream') === true || !streamEndpoint.test(url);
}

/**
 * The HTTP status of an MCP error. Clients of 2026-07-28 and later read a JSON-RPC error from a 400, older ones only
 * from a 200; any other status looks like a broken connection. Those of 2024-11-05 read responses on another
 * connection, so only the status reaches them. A message that is not a request gets no JSON-RPC response.
 */
function rpcStatus(
  { code, status }: PrivetError,
  ids: readonly unknown[],
  { rawHeaders, url = '' }: { readonly rawHeaders: readonly string[]; readonly url?: string | undefined },
): number {
  if (code !== 'blocked_by_policy' || !ids.some((id) => id !== undefined)) return status;
  if (!readsAnswer(rawHeaders, url)) return status;
  return (headerValue(rawHeaders, 'mcp-protocol-version') ?? '') >= '2026-07-28' ? 400 : 200;
}

/** Why an MCP request is rejected, in one word: the finding, else the error code. */
function reasonOf({ code, details }: PrivetError): string {
  const { tools, injection } = (details ?? {}) as { tools?: { kind: string }; injection?: object };
  return tools?.kind ?? (injection === undefined ? code : 'injection');
}

type PageContext = Pick<Parameters<typeof errorAnswer>[1], 'requestId' | 'host' | 'decision' | 'brand' | 'refusal'>;

/** A page with the language's words for the code, and the error's own sentence as a detail. */
function errorPage(error: PrivetError, context: PageContext, language: Language): string {
  const { requestId, host, decision, refusal, brand = plainBrand } = context;
  if (refusal !== undefined && decision?.action === 'block')
    return blockPage({ ...refusal, language, decision, host, requestId });
  const words = pageWordsOf(language);
  const { title, text, hint } = words.errors[error.code] ?? words.otherError;
  const { types, injection } = (error.details ?? {}) as { types?: object; injection?: object };
  const found = types && Object.keys(types).map((type) => typeLabel(type, language));
  const what = found ? words.foundTypes(found.join(words.between)) : injection ? words.foundInjection : text;
  const facts: [string, string][] = [[words.address, host]];
  if (decision?.service) facts.push([words.service, decision.service.service_name]);
  if (decision) facts.push([words.rule, wordingIn(language).rule(decision.rule)]);
  facts.push([words.details, language === 'ja' ? errorInJapanese(error.message) : error.message]);
  facts.push([words.code, error.code], [words.request, requestId]);
  return renderPage({ language, brand, title, paragraphs: [escapeHtml(what), escapeHtml(hint)], facts });
}

/** Writes a flat list of headers to a response of either protocol. */
export function writeHead(response: ClientResponse, status: number, message: string, headers: readonly string[]): void {
  if (!('stream' in response)) {
    response.writeHead(status, message, headers);
    return;
  }
  (response as Http2ServerResponse).sendDate = false;
  // Some sites answer 999 or the like; over HTTP/2 Node accepts only the status codes of RFC 9110 §15.
  (response as Http2ServerResponse).writeHead(status > 599 ? 502 : status, http2Fields(status, headers));
}

function http2Fields(status: number, headers: readonly string[]): ReturnType<typeof newFieldMap> {
  const fields = newFieldMap();
  for (let i = 0; i < headers.length; i += 2) {
    const name = (headers[i] as string).toLowerCase();
    if (
      name === 'connection' ||
      name === 'keep-alive' ||
      name === 'transfer-encoding' ||
      name === 'proxy-connection' ||
      name === 'upgrade' ||
      // These have no body over HTTP/2, and a client would wait for the announced bytes (RFC 9110 §8.6).
      (name === 'content-length' && (status === 204 || status === 205))
    ) {
      continue;
    }
    addField(fields, name, headers[i + 1] as string);
  }
  return fields;
}

/**
 * True if a response's connection or stream is gone. Node's HTTP/2 responses have no `destroyed`, and are
 * `writableFinished` as soon as either end closes the stream.
 */
export function hasLeft(response: ClientResponse): boolean {
  return 'stream' in response ? response.stream.destroyed : response.destroyed;
}

/**
 * Sends a complete response. If the request body was not read, an HTTP/1.1 connection is closed afterwards, because the
 * body cannot be told apart from the next request.
 */
export function sendAnswer(
  request: Pick<Readable, 'resume'> & { readonly complete: boolean; readonly method: string },
  response: ClientResponse,
  answer: { status: number; headers: readonly string[]; body: string | Buffer },
  closes = false,
): void {
  if (response.headersSent || hasLeft(response) || response.writableEnded) {
    response.destroy();
    return;
  }
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
  const http1 = !('stream' in response);
  if (!http1 && body.length === 0) {
    sendHeadOnly(response as Http2ServerResponse, answer);
    return;
  }
  const close = http1 && (closes || !request.complete);
  const headers = ['Date', httpDate(), ...answer.headers, 'Content-Length', String(body.length)];
  if (close) headers.push('Connection', 'close');
  writeHead(response, answer.status, '', headers);
  (response as ServerResponse).end(request.method === 'HEAD' ? undefined : body);
  if (close) request.resume();
}

/** The current time for the Date header, which a server with a clock must send (RFC 9110 §6.6.1). */
const httpDate = (): string => new Date().toUTCString();

/** Ends the stream with the head: only then does gRPC read its status as the complete response ("Trailers-Only"). */
function sendHeadOnly(response: Http2ServerResponse, answer: { status: number; headers: readonly string[] }): void {
  const headers = ['Date', httpDate(), ...answer.headers];
  response.sendDate = false;
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(http2Fields(answer.status, headers)))
    if (value !== undefined) response.setHeader(name, value);
  response.end();
}

const reasonPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  405: 'Method Not Allowed',
  407: 'Proxy Authentication Required',
  414: 'URI Too Long',
  408: 'Request Timeout',
  413: 'Content Too Large',
  421: 'Misdirected Request',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  508: 'Loop Detected',
};

/** The status line's phrase: all that programs show if a tunnel is refused (Go, Java, Python). */
function phraseOf({ status, message }: PrivetError): string {
  const phrase = reasonPhrases[status] ?? 'Error';
  if (status < 403 || status === 407) return phrase;
  return `${phrase} (Privet: ${message.replace(/[^ -~]/g, '?').slice(0, phraseUnitsMax)})`;
}

const phraseUnitsMax = 160;

/** Responds on a bare socket (a refused CONNECT or upgrade, a parse error), then closes it or passes it to `keep`. */
export function sendRaw<S extends Duplex>(
  socket: S,
  error: PrivetError,
  requestId: string,
  extra: readonly string[] = [],
  keep?: (socket: S) => void,
): void {
  if (socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(errorBody(error, { requestId }));
  let head = `HTTP/1.1 ${error.status} ${phraseOf(error)}\r\n`;
  head += `Date: ${httpDate()}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  head += `x-request-id: ${requestId}\r\nConnection: ${keep ? 'keep-alive' : 'close'}\r\n`;
  if (error.code === 'too_many_requests' && !extra.includes('Retry-After'))
    head += `Retry-After: ${retryAfterSeconds}\r\n`;
  for (let i = 0; i < extra.length; i += 2) head += `${extra[i]}: ${extra[i + 1]}\r\n`;
  // Field values are bytes, one per character, as in node:http.
  const bytes = Buffer.concat([Buffer.from(`${head}\r\n`, 'latin1'), Buffer.from(body)]);
  if (keep) {
    socket.write(bytes);
    keep(socket);
    return;
  }
  socket.on('error', () => {});
  socket.end(bytes);
  socket.resume();
  // The client may keep the connection open forever, so discard its data only briefly.
  const timer = setTimeout(() => socket.destroy(), 2_000);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}
