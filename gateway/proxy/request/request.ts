/**
 * The path of one request, top to bottom: check the head, find the target, decide, then block it or send it on, masked
 * upstream and restored downstream where the decision says so. For plain http:// requests on the proxy port and for
 * requests inside intercepted tunnels, over HTTP/1.1 and HTTP/2.
 */
import type { Http2ServerRequest } from 'node:http2';
import type { Readable } from 'node:stream';
import { PrivetError } from '../../../core/errors.ts';
import { citedDocuments } from '../../../core/payload/cited-documents.ts';
import type { DocumentShifts } from '../../../core/payload/offsets.ts';
import { bodyKind } from '../../../core/payload/request.ts';
import type { TokenMap, TokenVault } from '../../../core/vault.ts';
import type { Policy } from '../../../policy/decide.ts';
import type { DecideInput, PolicyDecision } from '../../../policy/decision.ts';
import type { AgentGuard, Guarded, GuardInput } from '../../agents/agent-guard.ts';
import { agentOf } from '../../agents/agent-name.ts';
import { fileText } from '../../convert/kinds.ts';
import type { Probe, ProbeRequest } from '../../discovery/probe.ts';
import type { Roster } from '../../http1/roster.ts';
import type { ServerRequest } from '../../http1/server-request.ts';
import type { Portal } from '../../portal/portal.ts';
import { type Coach, isCoachPath, type Occasion } from '../admit/coach.ts';
import { type ClientResponse, errorAnswer, isNavigation, sendAnswer } from '../answer/answers.ts';
import { LiveMap } from '../answer/live-map.ts';
import type { Refusals } from '../answer/refusals.ts';
import { relayResponse } from '../answer/relay.ts';
import type { BodyBuffers } from '../body/body-buffers.ts';
import type { BodyMasker, MaskingInput, MaskingResult } from '../body/masking.ts';
import { bodySignature, keepSigned } from '../body/signed-bodies.ts';
import { bodyType, isPieceOfFile } from '../body/uploads.ts';
import type { Standing } from '../listen/live-connections.ts';
import type { Egress } from '../upstream/egress.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { headerValue } from './headers.ts';
import { type FieldValues, hasMaskedField, maskFields, maskMirrors, withValues } from './masked-fields.ts';
import { maskTarget, mayBePersonal } from './masked-target.ts';
import { changesOf, hasMirrorField } from './mirror-fields.ts';
import { mergeCounts } from './query.ts';
import { type Client, newRecord, type ProxyObserver, type RequestRecord, whoOf } from './record.ts';
import { checkInspectable, copiedBody, countedBody, hasBody, readForInspection, takeWhole } from './request-body.ts';
import { isNoIdentity, isServiceSignIn } from './service-sign-in.ts';
import type { SessionKeys } from './session.ts';
import { checkFraming, checkPath, type Framing, type Target } from './target.ts';
import { announcedSize, measureBody } from './upload-size.ts';
import { upstreamHeaders, viaOf } from './upstream-headers.ts';

/** The parts that a reload replaces; taken once per request, so that a reload never mixes two configurations. */
export type ProxySnapshot = { readonly policy: Policy; readonly masker: BodyMasker };

/** How blocked requests are answered: see `policy.blocked_answer`. */
export type BlockedAnswer = 'page' | 'refuse' | 'auto';

/** The dependencies of the proxy path. */
export type ProxyParts = {
  readonly snapshot: () => ProxySnapshot;
  readonly egress: Egress;
  readonly upstream: Upstream;
  readonly vault: TokenVault;
  readonly sessions: SessionKeys;
  readonly observer: ProxyObserver;
  /** The gateway's own pages. */
  readonly portal?: Pick<Portal, 'answer'>;
  /** Examines exchanges with unregistered hosts; undefined for nearly all. */
  readonly probe?: (request: ProbeRequest, decision: PolicyDecision) => Probe | undefined;
  /** Asks users before they use services in category `monitoring`. */
  readonly coach: Coach;
  readonly refusals: Refusals;
  /** WebSocket connections that stand: like tunnels they have no next request. */
  readonly webSockets: Roster<Standing>;
  /** `policy.blocked_answer`. */
  readonly blockedAnswer: () => BlockedAnswer;
  /** `policy.close_blocked_tunnels`. */
  readonly closesBlocked: () => boolean;
  /** Looks at injections, tools and MCP servers in what is read. */
  readonly agents: AgentGuard;
  /** Bodies that are read whole. */
  readonly bodies: BodyBuffers;
  /** Pseudonym in the Via field; random per group of instances. */
  readonly pseudonym: string;
};

/** The context of a connection: directly on the proxy port, or inside a tunnel to one host. */
export type ConnectionContext = {
  readonly client: Client;
  readonly tunnel?: {
    readonly scheme: 'http' | 'https';
    readonly host: string;
    readonly hostKind: Target['hostKind'];
    readonly port: number;
  };
};

/** A request of either protocol; the http2 compatibility layer has the same fields. */
export type ClientRequest = ServerRequest | Http2ServerRequest;

/** Serves one request; never throws: every outcome is a response and one record. */
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
  // Emitted only once; `once` would allocate two more functions.
  response.on('close', () => {
    if (record.status === 0) record.status = 499;
    const durationMs = performance.now() - record.startedAt;
    if (record.counting === undefined) parts.observer.finished(record, durationMs);
    else void record.counting.then(() => parts.observer.finished(record, durationMs));
  });
  let decision: PolicyDecision | undefined;
  try {
    const framing = (http1 ? (request as ServerRequest).framing : undefined) ?? checkFraming(request);
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
    const agent = agentOf(raw);
    const asked = { ...whoOf(context.client), host, port, path, method, agent, now: new Date() };
    checkPath(policy, asked);
    const body = { has: hasBody({ request, framing }), length: framing.length };
    // Bidirectional messages are not an upload; measuring one first would deadlock both sides.
    const announced = announcedSize(raw, body);
    const isOpen = announced.exact === undefined && bodyKind(headerValue(raw, 'content-type')) !== 'framed';
    const size = isOpen ? undefined : announced.atLeast;
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
      // No more than the inspection limit is buffered; a longer body counts as over every limit.
      const limit = Math.min(decision.needsSize, masker.options.bodyBytesMax);
      const measured = await measureBody(source, limit, parts.bodies);
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
    if (decision.inspect === 'mask') checkInspectable({ request, framing, masker });
    // A body that nobody reads here streams through: the origin decides whether it wants it (RFC 9110 §10.1.1).
    const expectsOrigin = expectsContinue && source === request && decision.inspect === 'tunnel';
    if (expectsContinue && source === request && !expectsOrigin)
      (response as { writeContinue(): void }).writeContinue();
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
      policy,
      asked,
      context,
      probe,
      confirmAt,
      expectsOrigin,
    };
    if (decision.inspect === 'tunnel') await sendOn(parts, exchange);
    else await inspectAndSend(parts, exchange);
  } catch (error) {
    await answerError(parts, { request, response, record, decision, client: context.client }, error);
  }
}

/** A request in progress, with what is known about it. */
export type Exchange = {
  readonly request: ClientRequest;
  /** Its body: the request itself, or a stream that restarts after part of it was read. */
  readonly source: Readable;
  readonly response: ClientResponse;
  readonly record: RequestRecord;
  readonly target: Target;
  readonly framing: Framing;
  readonly decision: PolicyDecision;
  readonly masker: BodyMasker;
  readonly policy: Policy;
  /** What the policy was asked. */
  readonly asked: DecideInput;
  readonly context: ConnectionContext;
  readonly probe?: Probe | undefined;
  /** Where a user can confirm the use of the service, reported to programs. */
  readonly confirmAt?: string | undefined;
  /** The client waits for the origin to accept the body. */
  readonly expectsOrigin?: boolean;
};

function probeOf(parts: ProxyParts, request: ClientRequest, target: Target, decision: PolicyDecision) {
  const { host, port, path } = target;
  return parts.probe?.({ host, port, path, method: request.method ?? '', rawHeaders: request.rawHeaders }, decision);
}

/** Not inspected: the body streams through. */
async function sendOn(
  parts: ProxyParts,
  exchange: Exchange,
  masked: { readonly path?: string; readonly fields?: FieldValues | undefined } = {},
): Promise<void> {
  const { request } = exchange;
  const { path = exchange.target.path, fields } = masked;
  const body = hasBody(exchange) ? countedBody(exchange, exchange.source) : null;
  await relayResponse(parts.upstream, {
    ...exchange,
    headers: withValues(upstreamHeaders(parts.pseudonym, exchange, false), fields),
    path,
    body,
    passesContinue: exchange.expectsOrigin === true,
    protocol: request.httpVersionMajor === 2 ? 'h2' : 'http/1.1',
    via: viaOf(parts.pseudonym, exchange, '1.1'),
    map: undefined,
    bytesMax: exchange.masker.options.bodyBytesMax,
  });
}

/**
 * Inspected: the body is read whole, masked and sent; the response is restored with the session's tokens. In mode
 * `audit` nothing changes, so an incomplete body streams through and a copy of it is counted.
 */
async function inspectAndSend(parts: ProxyParts, exchange: Exchange): Promise<void> {
  const { request, record, target, decision, masker, context } = exchange;
  const mode = decision.inspect === 'mask' ? 'mask' : 'audit';
  const raw = request.rawHeaders;
  const { types, service } = decision;
  const session = parts.sessions.sessionFor(context, { rawHeaders: raw, target, service, policy: exchange.policy });
  const client = context.client.subject;
  const common = { host: target.host, path: target.path, session, client, mode, types, service } as const;
  const asked = { path: target.path, rawHeaders: raw };
  const isSignIn = mode === 'mask' && isServiceSignIn(target, hasBody(exchange) ? plainLength(exchange) : 0);
  const said = isSignIn ? { ...common, accepts: isNoIdentity, passesBinary: true } : common;
  const path = mayBePersonal(target.path) ? await maskTarget(masker, said, asked, record) : target.path;
  let fields = hasMaskedField(raw) ? await maskFields(masker, common, raw, record) : undefined;
  // Messages go both ways at once there; a body that is collected first would never end.
  if (mode === 'mask' && bodyKind(headerValue(raw, 'content-type')) === 'framed')
    return sendOn(parts, exchange, { path, fields });

  let body: Buffer | Readable | null = null;
  const guarding = guardInput(exchange);
  let masked: MaskingResult | undefined;
  let guarded: Partial<Guarded> = {};
  let changes: ReadonlyMap<string, string> = new Map();
  if (hasBody(exchange)) {
    const isWhole = mode === 'mask' || parts.agents.reads(guarding) || parts.agents.enforces(guarding);
    const read = takeWhole(exchange) ?? (isWhole ? await readForInspection(exchange, parts.bodies) : undefined);
    if (read === undefined) {
      const copied = copiedBody(exchange, parts.bodies);
      body = copied.body;
      record.counting = copied.copy.then((copy) => count(parts, exchange, said, copy)).catch(() => {});
    } else {
      body = read;
      record.bytesIn = read.length;
      exchange.probe?.requestData(read);
      const contentType = bodyType(raw);
      const contentEncoding = headerValue(raw, 'content-encoding');
      const mayBeText = () => contentEncoding !== undefined || fileText(read) !== undefined;
      if (mode === 'mask' && isPieceOfFile(raw, target.path) && mayBeText()) {
        throw new PrivetError('uninspectable', 'Step inspect: a piece of a text file cannot be masked by itself.', {
          hint: 'Send the file in one piece.',
        });
      }
      const started = performance.now();
      const opening = parts.agents.open(guarding, read);
      const opened = opening instanceof Promise ? await opening : opening;
      const wantsDocuments = opened?.wantsDocuments ?? true;
      const masking = masker.mask({ ...said, body: read, contentType, contentEncoding, wantsDocuments });
      masked = masking instanceof Promise ? await masking : masking;
      record.maskMs = performance.now() - started;
      const signature = masked.changed ? bodySignature(raw) : undefined;
      if (signature !== undefined) masked = keepSigned(masker, signature, masked, read);
      if (hasMirrorField(raw)) changes = changesOf(read, masked.body) ?? changes;
      body = masked.body;
      if (opened !== undefined) {
        const finishing = opened.finish(masked);
        guarded = finishing instanceof Promise ? await finishing : finishing;
        body = guarded.body ?? body;
      }
    }
  } else guarded = { answer: parts.agents.openStream(guarding) };
  record.piiTypes = mergeCounts(record.piiTypes, masked?.counts);
  record.masked += masked?.masked ?? 0;
  if (hasMirrorField(raw)) fields = await maskMirrors(masker, common, { raw, changes, fields }, record);

  const held = mode === 'mask' ? parts.vault.tokens(session) : undefined;
  const map: TokenMap | undefined = held instanceof Promise ? await held : held;
  // On a stream that a client of MCP opens by GET, servers answer calls that are sent later.
  const live = mode === 'mask' && guarded.answer?.isStream ? new LiveMap(map) : undefined;
  const follow =
    live &&
    (async () => {
      live.current = await parts.vault.tokens(session);
    });
  await relayResponse(parts.upstream, {
    request,
    response: exchange.response,
    record,
    target,
    decision,
    probe: exchange.probe,
    confirmAt: exchange.confirmAt,
    headers: withValues(
      upstreamHeaders(parts.pseudonym, exchange, (guarded.changed ?? masked?.changed) === true),
      fields,
    ),
    path,
    body: Buffer.isBuffer(body) && body.length === 0 ? null : body,
    protocol: request.httpVersionMajor === 2 ? 'h2' : 'http/1.1',
    via: viaOf(parts.pseudonym, exchange, '1.1'),
    map: live ?? (map && map.size > 0 ? map : undefined),
    follow,
    // Only JSON requests get reasoning in the response.
    reasoning:
      mode === 'mask' && Buffer.isBuffer(body) && isJson(raw) ? { seen: masker.reasoning, session } : undefined,
    allowsHost: masker.options.allowsHost,
    documents: masked?.changed && map && Buffer.isBuffer(body) && isJson(raw) ? documentsOf(body, map) : undefined,
    linkHosts: masker.options.linkHosts,
    bytesMax: masker.options.bodyBytesMax,
    guard: guarded.answer,
    warning: guarded.warning,
  });
}

function guardInput({ policy, decision, asked, request, record, masker }: Exchange): GuardInput {
  const { bodyBytesMax: bytesMax, allowsHost } = masker.options;
  return { policy, decision, asked, rawHeaders: request.rawHeaders, record, bytesMax, allowsHost };
}

/** Counts what a body holds that went on as it came; undefined for one of which no copy could be kept. */
async function count(
  parts: ProxyParts,
  exchange: Exchange,
  input: Omit<MaskingInput, 'body' | 'contentType' | 'contentEncoding'>,
  body: Buffer | undefined,
): Promise<void> {
  if (body === undefined) return;
  const { masker, request, record } = exchange;
  const { rawHeaders } = request;
  const contentEncoding = headerValue(rawHeaders, 'content-encoding');
  const opened = await parts.agents.open(guardInput(exchange), body);
  const wantsDocuments = opened?.wantsDocuments ?? true;
  const masked = await masker.mask({
    ...input,
    body,
    contentType: bodyType(rawHeaders),
    contentEncoding,
    wantsDocuments,
  });
  record.piiTypes = mergeCounts(record.piiTypes, masked.counts);
  await opened?.finish(masked);
}

/** The documents of a body that asks for citations. */
function documentsOf(body: Buffer, map: TokenMap): DocumentShifts | undefined {
  return body.includes('"citations"') && body.includes('"document"')
    ? citedDocuments(() => body.toString(), map)
    : undefined;
}

function isJson(raw: readonly string[]): boolean {
  return bodyKind(headerValue(raw, 'content-type')) === 'json';
}

/** Length of the decoded body; undefined if unknown, as for compressed bodies. */
function plainLength({ request, framing }: Exchange): number | undefined {
  return headerValue(request.rawHeaders, 'content-encoding') === undefined ? framing.length : undefined;
}

/** The one place where an error of this listener becomes an answer. */
async function answerError(
  parts: ProxyParts,
  failed: {
    readonly request: ClientRequest;
    readonly response: ClientResponse;
    readonly record: RequestRecord;
    readonly decision: PolicyDecision | undefined;
    readonly client: Client;
  },
  error: unknown,
): Promise<void> {
  const { request, response, record, decision, client } = failed;
  const known =
    error instanceof PrivetError
      ? error
      : new PrivetError('internal', 'The gateway failed to serve this request.', { cause: error });
  if (known.code === 'internal') parts.observer.fault({ requestId: record.requestId, error });
  record.error = known.code;
  // The findings that caused the refusal count too.
  const kept = (known.details as { types?: Record<string, number> } | undefined)?.types;
  record.piiTypes = mergeCounts(record.piiTypes, kept);
  if (kept) record.masked = 0;
  if (record.status === 0) record.status = known.status;
  const mayBePage = known.code !== 'blocked_by_policy' || parts.blockedAnswer() !== 'refuse';
  const { refusals } = parts;
  const { host } = record;
  const isBlockPage = decision?.action === 'block' && mayBePage && isNavigation(request.rawHeaders);
  const answer = errorAnswer(known, {
    requestId: record.requestId,
    rawHeaders: request.rawHeaders,
    url: request.url,
    host,
    decision,
    mayBePage,
    brand: refusals.brand(),
    refusal: isBlockPage
      ? await refusals.factsFor({ service: decision.service, subject: client.subject, host })
      : undefined,
    rpcIds: record.rpcIds,
  });
  if (record.rpcIds !== undefined && known.code === 'blocked_by_policy') record.status = answer.status;
  sendAnswer(request, response, answer, known.code === 'bad_request');
}
