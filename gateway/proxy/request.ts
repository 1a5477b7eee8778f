/**
 * The path of one request, top to bottom: check the head, find the target, decide, then block or send it on, masked on
 * the way up and restored on the way down where the decision says so. Used for plain http:// requests of the proxy
 * port and for the requests inside intercepted tunnels, over HTTP/1.1 and HTTP/2.
 */
import type { Http2ServerRequest } from 'node:http2';
import { PassThrough, type Readable } from 'node:stream';
import { PrivetError } from '../../core/errors.ts';
import { bodyKind } from '../../core/payload/request.ts';
import type { TokenMap, TokenVault } from '../../core/vault.ts';
import type { Policy, PolicyDecision } from '../../policy/decide.ts';
import { fileText } from '../convert/kinds.ts';
import type { Probe, ProbeRequest } from '../discovery/probe.ts';
import { ServerRequest } from '../http1/server-request.ts';
import type { Portal } from '../portal/portal.ts';
import { type ClientResponse, errorAnswer, sendAnswer } from './answers.ts';
import { parseCodings } from './bodies.ts';
import { type Coach, isCoachPath, type Occasion } from './coach.ts';
import type { Egress } from './egress.ts';
import { endToEndHeaders, headerValue } from './headers.ts';
import type { BodyMasker, MaskingInput, MaskingResult } from './masking.ts';
import { maskQuery, mergeCounts } from './query.ts';
import { type Client, newRecord, type ProxyObserver, type RequestRecord, whoOf } from './record.ts';
import { relayResponse } from './relay.ts';
import type { Roster, Standing } from './roster.ts';
import type { SessionKeys } from './session.ts';
import { bodySignature } from './signed-bodies.ts';
import { watchRate } from './slow-bodies.ts';
import { checkFraming, type Framing, formatAuthority, parseHostPort, type Target, targetLengthMax } from './target.ts';
import { announcedSize, measureBody } from './upload-size.ts';
import { announcedLength, bodyType, fileNameFields, isPieceOfFile } from './uploads.ts';
import type { Upstream, UpstreamProtocol } from './upstream.ts';

/** What can be replaced while running; taken once per request, so that a reload never mixes two configurations. */
export type ProxySnapshot = { readonly policy: Policy; readonly masker: BodyMasker };

/** What the proxy path works with. */
export type ProxyParts = {
  readonly snapshot: () => ProxySnapshot;
  readonly egress: Egress;
  readonly upstream: Upstream;
  readonly vault: TokenVault;
  readonly sessions: SessionKeys;
  readonly observer: ProxyObserver;
  /** The pages of the gateway itself. */
  readonly portal?: Pick<Portal, 'answer'>;
  /** Looks at the shape of exchanges with hosts that no service claims; undefined for nearly all. */
  readonly probe?: (request: ProbeRequest, decision: PolicyDecision) => Probe | undefined;
  /** Asks people before they use a service that is only watched. */
  readonly coach: Coach;
  /** WebSocket connections that stand: like tunnels they have no next request. */
  readonly webSockets: Roster<Standing>;
  /** How long a body that is read whole may come as slowly as it likes, in milliseconds. */
  readonly bodyMs: number;
  /** Pseudonym in the Via field; random for each group of instances. */
  readonly pseudonym: string;
};

/** Where a connection stands: on the proxy port itself, or inside a tunnel to one host. */
export type ConnectionContext = {
  readonly client: Client;
  readonly tunnel?: {
    readonly scheme: 'http' | 'https';
    readonly host: string;
    readonly hostKind: Target['hostKind'];
    readonly port: number;
  };
};

/** A request of either protocol; the compatibility layer of http2 has the same fields. */
export type ClientRequest = ServerRequest | Http2ServerRequest;

/** Serves one request; never throws, every outcome is an answer and one record. */
export async function serveRequest(
  parts: ProxyParts,
  context: ConnectionContext,
  request: ClientRequest,
  response: ClientResponse,
  targetOf: (framing: Framing) => Target,
  expectsContinue = false,
): Promise<void> {
  const http1 = !('stream' in request);
  const record = newRecord(
    'request',
    context.client,
    request.method ?? '',
    context.tunnel?.host ?? '',
    context.tunnel?.port ?? 0,
  );
  record.intercepted = context.tunnel?.scheme === 'https';
  response.once('close', () => {
    if (record.status === 0) record.status = 499;
    parts.observer.finished(record, performance.now() - record.startedAt);
  });
  let decision: PolicyDecision | undefined;
  try {
    const framing = checkFraming(request);
    const target = targetOf(framing);
    record.host = target.host;
    record.port = target.port;
    if (request.method === 'TRACE' || request.method === 'CONNECT') {
      throw new PrivetError('method_not_allowed', `${request.method} is not served here.`);
    }
    if (target.path === '*' && (request.method !== 'OPTIONS' || !http1)) {
      throw new PrivetError('bad_request', 'The target * is served for OPTIONS over HTTP/1.1 only.');
    }
    const { policy, masker } = parts.snapshot();
    const raw = request.rawHeaders;
    const { host, port, path } = target;
    const method = request.method ?? 'GET';
    const asked = { host, port, path, method, now: new Date(), ...whoOf(context.client) };
    const body = { has: hasBody({ request, framing }), length: framing.length };
    // Messages that go both ways at once are no upload, and would wait for each other if one were measured first.
    const announced = announcedSize(raw, body);
    const isFramed = bodyKind(headerValue(raw, 'content-type')) === 'framed';
    const size = announced.exact === undefined && !isFramed ? undefined : announced.atLeast;
    decision = policy.decide(size === undefined ? asked : { ...asked, size });
    record.decision = decision;
    const decide = (other: Occasion) => policy.decide({ ...asked, ...other });
    if (isCoachPath(path)) {
      const who = { decision, client: context.client, target, method, rawHeaders: raw, decide };
      if (expectsContinue) (response as { writeContinue(): void }).writeContinue();
      const confirmed = await parts.coach.serve(who, request as Readable);
      record.decision = confirmed.decision;
      if (confirmed.justification !== undefined) {
        record.kind = 'acknowledgement';
        record.justification = confirmed.justification;
      }
      sendAnswer(request, response, confirmed.answer);
      record.status = confirmed.answer.status;
      return;
    }
    if (decision.action === 'block') throw new PrivetError('blocked_by_policy', decision.reason);
    parts.egress.checkTarget(target.host, target.hostKind, target.port);
    if (request.method === 'OPTIONS' && headerValue(request.rawHeaders, 'max-forwards') === '0') {
      sendAnswer(request, response, { status: 200, headers: [], body: '' });
      return;
    }
    let source = request as Readable;
    let decidedSize = size;
    if (decision.needsSize !== undefined) {
      if (expectsContinue) (response as { writeContinue(): void }).writeContinue();
      // Nobody has to keep more of a body than may be inspected; a longer one counts as over every limit.
      const limit = Math.min(decision.needsSize, masker.options.bodyBytesMax);
      const measured = await measureBody(source, limit, parts.bodyMs);
      source = measured.source;
      decidedSize = measured.size > limit ? decision.needsSize + 1 : Math.max(measured.size, announced.atLeast);
      decision = policy.decide({ ...asked, size: decidedSize, earlier: decision });
      record.decision = decision;
      if (decision.action === 'block') throw new PrivetError('blocked_by_policy', decision.reason);
    }
    let confirmAt: string | undefined;
    if (decision.coach !== undefined) {
      const who = { decision, client: context.client, target, method, rawHeaders: raw, decide };
      const verdict = await parts.coach.ask({ ...who, ...(decidedSize === undefined ? {} : { size: decidedSize }) });
      if (verdict !== undefined && 'answer' in verdict) {
        record.error = 'confirmation_required';
        record.status = verdict.answer.status;
        sendAnswer(request, response, verdict.answer);
        return;
      }
      confirmAt = verdict?.confirmAt;
    }
    if (expectsContinue && source === request) (response as { writeContinue(): void }).writeContinue();
    const probe = decision.service === undefined ? probeOf(parts, request, target, decision) : undefined;
    const exchange = {
      request,
      source,
      response,
      record,
      target,
      framing,
      decision,
      masker,
      context,
      probe,
      confirmAt,
    };
    if (decision.inspect === 'tunnel') await sendOn(parts, exchange);
    else await inspectAndSend(parts, exchange);
  } catch (error) {
    answerError(parts, request, response, record, decision, error);
  }
}

type Exchange = {
  readonly request: ClientRequest;
  /** Its body: the request itself, or a stream that begins anew after a part of it was read. */
  readonly source: Readable;
  readonly response: ClientResponse;
  readonly record: RequestRecord;
  readonly target: Target;
  readonly framing: Framing;
  readonly decision: PolicyDecision;
  readonly masker: BodyMasker;
  readonly context: ConnectionContext;
  readonly probe?: Probe | undefined;
  /** Where a person can confirm the use of the service, for programs to be told. */
  readonly confirmAt?: string | undefined;
};

function probeOf(parts: ProxyParts, request: ClientRequest, target: Target, decision: PolicyDecision) {
  const { host, port, path } = target;
  return parts.probe?.({ host, port, path, method: request.method ?? '', rawHeaders: request.rawHeaders }, decision);
}

/** Not inspected: the body streams through. */
async function sendOn(parts: ProxyParts, exchange: Exchange): Promise<void> {
  const { request } = exchange;
  const body = hasBody(exchange) ? countedBody(exchange, exchange.source) : null;
  await relayResponse(parts.upstream, {
    ...exchange,
    headers: upstreamHeaders(parts, exchange, undefined),
    path: exchange.target.path,
    body,
    protocol: protocolOf(request),
    via: viaOf(parts, exchange),
    map: undefined,
    bytesMax: exchange.masker.options.bodyBytesMax,
  });
}

/** Inspected: the body is read whole, masked, sent; the answer is restored with the tokens of the session. */
async function inspectAndSend(parts: ProxyParts, exchange: Exchange): Promise<void> {
  const { request, record, target, decision, masker, context } = exchange;
  const mode = decision.inspect === 'mask' ? 'mask' : 'audit';
  const raw = request.rawHeaders;
  const session = parts.sessions.sessionFor(context, decision.service?.id ?? target.host, raw);
  const { types, service } = decision;
  const common = { host: target.host, path: target.path, session, mode, types, service } as const;
  if (bodyKind(headerValue(raw, 'content-type')) === 'framed') {
    // Messages go both ways at once there; a body that is collected first would never end.
    masker.refuseFramed(mode);
    return sendOn(parts, exchange);
  }

  let body: Buffer | Readable | null = null;
  let masked: MaskingResult | undefined;
  if (hasBody(exchange)) {
    const read = await readForInspection(exchange, mode, parts.bodyMs);
    body = read;
    if (Buffer.isBuffer(read)) {
      record.bytesIn = read.length;
      exchange.probe?.requestData(read);
      const contentType = bodyType(raw);
      const contentEncoding = headerValue(raw, 'content-encoding');
      if (mode === 'mask' && isPieceOfFile(raw, target.path) && fileText(read) !== undefined) {
        throw new PrivetError('uninspectable', 'Step inspect: a piece of a text file cannot be masked by itself.', {
          hint: 'Send the file in one piece.',
        });
      }
      const started = performance.now();
      masked = await masker.mask({ ...common, body: read, contentType, contentEncoding });
      record.maskMs = performance.now() - started;
      const signature = masked.changed ? bodySignature(raw) : undefined;
      if (signature !== undefined) masked = keepSigned(masker, signature, masked, read);
      body = masked.body;
    }
  }
  const path = await maskQuery(masker, common, target.path, record);
  const fileNames = await maskFileNames(masker, common, raw, record);
  record.piiTypes = mergeCounts(record.piiTypes, masked?.counts);
  record.masked += masked?.masked ?? 0;

  const held = mode === 'mask' ? parts.vault.tokens(session) : undefined;
  const map: TokenMap | undefined = held instanceof Promise ? await held : held;
  await relayResponse(parts.upstream, {
    ...exchange,
    headers: withFileNames(upstreamHeaders(parts, exchange, masked), fileNames),
    path,
    body: Buffer.isBuffer(body) && body.length === 0 ? null : body,
    protocol: protocolOf(request),
    via: viaOf(parts, exchange),
    map: map && map.size > 0 ? map : undefined,
    allowsHost: masker.options.allowsHost,
    bytesMax: masker.options.bodyBytesMax,
  });
}

function hasBody({ request, framing }: Pick<Exchange, 'request' | 'framing'>): boolean {
  if (request.httpVersionMajor === 1) return framing.hasBody;
  return !(request as Http2ServerRequest).stream.endAfterHeaders;
}

function countedBody({ record, probe }: Exchange, body: Readable): Readable {
  body.on('data', (chunk: Buffer) => {
    record.bytesIn += chunk.length;
  });
  if (probe?.wantsBody) body.on('data', (chunk: Buffer) => probe.requestData(chunk));
  body.pause();
  return body;
}

/**
 * Reads a body up to the limit. Over it, mode `mask` refuses (a body that was not looked at is not sent); mode `audit`
 * gets a stream of what was read and of the rest.
 */
function readForInspection(exchange: Exchange, mode: 'mask' | 'audit', bodyMs: number): Promise<Buffer | Readable> {
  const { framing, masker, record, source: request } = exchange;
  const bytesMax = masker.options.bodyBytesMax;
  const tooLarge = () => {
    request.pause();
    return new PrivetError(
      'body_too_large',
      `Step read: the body is over the limit of ${bytesMax} bytes (masking.max_body).`,
    );
  };
  if (mode === 'mask' && (framing.length ?? 0) > bytesMax) return Promise.reject(tooLarge());
  if (request instanceof ServerRequest) return collectForInspection(exchange, request, { mode, bodyMs, tooLarge });
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isRead = false;
    const stopWatch = watchRate(
      () => size,
      bodyMs,
      (error) => {
        request.pause();
        reject(error);
      },
    );
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= bytesMax) return;
      request.off('data', onData);
      stopWatch();
      isRead = true;
      if (mode === 'mask') return reject(tooLarge());
      const rest = new PassThrough();
      record.bytesIn = size;
      rest.on('error', () => {});
      for (const part of chunks) rest.write(part);
      request.on('data', (part: Buffer) => {
        record.bytesIn += part.length;
      });
      request.pipe(rest);
      request.once('close', () => !rest.writableEnded && rest.destroy(new Error('the client left')));
      resolve(rest);
    };
    request.on('data', onData);
    request.once('end', () => {
      stopWatch();
      isRead = true;
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    });
    request.once('error', (cause) => reject(new PrivetError('bad_request', 'The body could not be read.', { cause })));
    request.once('close', () => {
      stopWatch();
      if (!isRead) reject(new PrivetError('bad_request', 'The client left before the end of the body.'));
    });
  });
}

/** The same over HTTP/1.1, without the cost of a stream. */
async function collectForInspection(
  exchange: Exchange,
  request: ServerRequest,
  how: { readonly mode: 'mask' | 'audit'; readonly bodyMs: number; readonly tooLarge: () => PrivetError },
): Promise<Buffer | Readable> {
  const collected = request.collect(exchange.masker.options.bodyBytesMax);
  let stopWatch: (() => void) | undefined;
  try {
    const { isWhole, body } = request.complete
      ? await collected
      : await new Promise<Awaited<typeof collected>>((resolve, reject) => {
          stopWatch = watchRate(() => request.received, how.bodyMs, reject);
          collected.then(resolve, reject);
        });
    if (isWhole) return body;
  } catch (cause) {
    if (cause instanceof PrivetError) throw cause;
    throw new PrivetError('bad_request', 'The body could not be read.', { cause });
  } finally {
    stopWatch?.();
  }
  if (how.mode === 'mask') throw how.tooLarge();
  return countedBody(exchange, request);
}

/** What goes out in place of a masked body that is signed: by policy the body as it came, else nothing. */
function keepSigned(masker: BodyMasker, signature: string, masked: MaskingResult, body: Buffer): MaskingResult {
  if (masker.options.uninspectable.signed === 'allow') return { ...masked, body, changed: false, masked: 0 };
  const types = masked.counts ?? {};
  throw new PrivetError(
    'uninspectable',
    `Step rewrite: the body holds ${Object.keys(types).join(', ')} and is signed (${signature}), so it cannot be masked.`,
    { hint: 'Use a bearer API key for this service, or remove the personal data.', details: { types } },
  );
}

/** Masks the fields that hold the name of an uploaded file; the masked values by field, in lower case. */
async function maskFileNames(
  masker: BodyMasker,
  common: Omit<MaskingInput, 'body' | 'contentType' | 'contentEncoding'>,
  raw: readonly string[],
  record: RequestRecord,
): Promise<Map<string, string> | undefined> {
  let names: Map<string, string> | undefined;
  for (let i = 0; i < raw.length; i += 2) {
    const field = (raw[i] as string).toLowerCase();
    if (!fileNameFields.has(field)) continue;
    const result = await masker.maskText(
      { ...common, body: Buffer.alloc(0), contentType: 'text/plain' },
      raw[i + 1] ?? '',
    );
    record.piiTypes = mergeCounts(record.piiTypes, result.counts);
    if (!result.changed) continue;
    record.masked += result.masked;
    names ??= new Map();
    names.set(field, result.body.toString('latin1'));
  }
  return names;
}

function withFileNames(headers: string[], names: ReadonlyMap<string, string> | undefined): string[] {
  if (!names) return headers;
  return headers.map((value, i) =>
    i % 2 === 0 ? value : (names.get((headers[i - 1] as string).toLowerCase()) ?? value),
  );
}

function protocolOf(request: ClientRequest): UpstreamProtocol {
  return request.httpVersionMajor === 2 ? 'h2' : 'http/1.1';
}

/** Fields that no longer hold once the body was rewritten (RFC 9530, RFC 1864, checksums of blob stores), and the coding that was undone. */
const bodyFields = new Set([
  'content-encoding',
  'content-md5',
  'digest',
  'content-digest',
  'repr-digest',
  'x-amz-content-sha256',
  'x-amz-checksum-crc32',
  'x-amz-checksum-crc32c',
  'x-amz-checksum-crc64nvme',
  'x-amz-checksum-sha1',
  'x-amz-checksum-sha256',
  'x-goog-hash',
  'x-ms-blob-content-md5',
  'expect',
]);
const plainFields = new Set(['expect']);

/**
 * The header fields that go upstream, in the client's order and case. Only what must change does: the rewritten body's
 * fields, an Accept-Encoding that names a coding we could not undo, Range on inspected hosts, Via on plain http.
 */
function upstreamHeaders(parts: ProxyParts, exchange: Exchange, masked: MaskingResult | undefined): string[] {
  const { request, target, decision } = exchange;
  const inspected = decision.inspect === 'mask';
  const announced = inspected ? announcedLength(request.rawHeaders) : undefined;
  const kept = endToEndHeaders(request.rawHeaders, announced ?? (masked?.changed ? bodyFields : plainFields));
  const out: string[] = [];
  let cookies: string | undefined;
  for (let i = 0; i < kept.length; i += 2) {
    const name = kept[i] as string;
    let value = kept[i + 1] as string;
    const lower =
      name.length === 14 || name.length === 15 || name.length === 5 || name.length === 8 || name.length === 12
        ? name.toLowerCase()
        : '';
    // Framing is made anew for the body that is sent; in HTTP/1.1 it keeps the client's place (gateway/http1).
    if (request.httpVersionMajor === 2 && lower === 'content-length') continue;
    if (lower === 'max-forwards' && request.method === 'OPTIONS' && /^[1-9][0-9]{0,8}$/.test(value))
      value = String(Number(value) - 1);
    if (inspected && (lower === 'range' || lower === 'if-range')) continue;
    if (inspected && lower === 'accept-encoding' && !decodable(value)) value = 'gzip, deflate, br, zstd';
    if (request.httpVersionMajor === 2 && name === 'cookie') {
      cookies = cookies === undefined ? value : `${cookies}; ${value}`;
      continue;
    }
    out.push(name, value);
  }
  if (cookies !== undefined) out.push('cookie', cookies);
  // gRPC servers ask for it, and HTTP/2 allows it with this value (RFC 9113 §8.2.2).
  if (request.httpVersionMajor === 2 && request.headers.te === 'trailers') out.push('te', 'trailers');
  const via = viaOf(parts, exchange);
  if (via !== undefined) out.push('Via', via);
  const host = formatAuthority(target.host, target.port, target.scheme);
  if (request.httpVersionMajor === 2) return ['host', host, ...out];
  const given = headerValue(request.rawHeaders, 'host');
  return given === undefined ? ['Host', host, ...out] : out;
}

/** Via is a duty of a proxy on plain http (RFC 9110 §7.6.3); inside tunnels it would only give the gateway away. */
function viaOf(parts: ProxyParts, { target, context }: Exchange): string | undefined {
  return target.scheme === 'http' && !context.tunnel ? `1.1 ${parts.pseudonym}` : undefined;
}

function decodable(acceptEncoding: string): boolean {
  const names = acceptEncoding
    .split(',')
    .map((part) => (part.split(';', 1)[0] as string).trim())
    .filter((name) => name !== '' && name !== 'identity');
  return (
    parseCodings(names.slice(0, 3).join(',')) !== undefined && names.every((name) => parseCodings(name) !== undefined)
  );
}

/** The one place where an error of this listener becomes an answer. */
function answerError(
  parts: ProxyParts,
  request: ClientRequest,
  response: ClientResponse,
  record: RequestRecord,
  decision: PolicyDecision | undefined,
  error: unknown,
): void {
  const known =
    error instanceof PrivetError
      ? error
      : new PrivetError('internal', 'The gateway failed to serve this request.', { cause: error });
  if (known.code === 'internal') parts.observer.fault({ requestId: record.requestId, error });
  record.error = known.code;
  if (record.status === 0) record.status = known.status;
  const answer = errorAnswer(known, {
    requestId: record.requestId,
    rawHeaders: request.rawHeaders,
    host: record.host,
    decision,
  });
  sendAnswer(request, response, answer, known.code === 'bad_request');
}

/** The target of a request inside a tunnel: Host or `:authority` must name the host of the CONNECT (421 otherwise). */
export function tunnelTarget(context: ConnectionContext, request: ClientRequest, framing: Framing): Target {
  const tunnel = context.tunnel as NonNullable<ConnectionContext['tunnel']>;
  let path = request.url ?? '/';
  if (path.length > targetLengthMax) throw new PrivetError('uri_too_long', 'The request target is too long.');
  const names = [...framing.hosts];
  const authority = request.headers[':authority'];
  if (typeof authority === 'string') names.push(authority);
  const absolute = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)/.exec(path);
  if (absolute) {
    if ((absolute[1] as string).toLowerCase() !== tunnel.scheme) {
      throw new PrivetError('misdirected_request', `This tunnel carries ${tunnel.scheme}:// requests only.`);
    }
    names.push(absolute[2] as string);
    const rest = path.slice(absolute[0].length);
    if (rest === '') path = request.method === 'OPTIONS' ? '*' : '/';
    else path = rest.startsWith('?') ? `/${rest}` : rest;
  } else if (!path.startsWith('/') && path !== '*') {
    throw new PrivetError('bad_request', 'The request target is malformed.');
  }
  if (path.includes('#')) throw new PrivetError('bad_request', 'The request target holds a fragment.');
  // In HTTP/1.1 the parser refuses them; they would stand in a request line upstream.
  if (request.httpVersionMajor === 2 && /[^!-~]/.test(path))
    throw new PrivetError('bad_request', 'The request target is malformed.');
  const isPlain = tunnel.hostKind === 'name';
  const expected = formatAuthority(tunnel.host, tunnel.port, tunnel.scheme);
  for (const name of names) {
    if (isPlain && name === expected) continue;
    let named: { host: string; port: number };
    try {
      named = parseHostPort(name, tunnel.scheme);
    } catch (cause) {
      throw new PrivetError('bad_request', 'The Host field is malformed.', { cause });
    }
    if (named.host !== tunnel.host || named.port !== tunnel.port) {
      throw new PrivetError('misdirected_request', 'The host of this request is not the host of its tunnel.');
    }
  }
  return { scheme: tunnel.scheme, host: tunnel.host, hostKind: tunnel.hostKind, port: tunnel.port, path };
}
