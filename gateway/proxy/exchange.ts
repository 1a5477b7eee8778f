/** A request in progress: its input, and the results of the stages. */
import type { Http2ServerRequest } from 'node:http2';
import type { Readable } from 'node:stream';
import { type BodyKind, bodyKind } from '../../core/payload/request.ts';
import type { TokenVault } from '../../core/vault.ts';
import type { Policy } from '../../policy/decide.ts';
import type { DecideInput, PolicyDecision } from '../../policy/decision.ts';
import type { AgentGuard } from '../agents/agent-guard.ts';
import type { Guarded } from '../agents/opened-request.ts';
import type { Probe, ProbeRequest } from '../discovery/probe.ts';
import type { ConnectionSet } from '../http1/connection-set.ts';
import type { Portal } from '../portal/portal.ts';
import type { Coach } from './admit/coach.ts';
import type { ClientResponse } from './answer/answers.ts';
import type { Refusals } from './answer/refusals.ts';
import type { BodyBuffers } from './body/body-buffers.ts';
import type { BodyMasker, MaskingInput, MaskingResult } from './body/masking.ts';
import type { LiveConnection } from './listen/live-connections.ts';
import type { ClientRequest } from './request/client-request.ts';
import { headerValue } from './request/headers.ts';
import type { FieldValues } from './request/masked-fields.ts';
import type { Client, ProxyObserver, RequestRecord } from './request/record.ts';
import type { SessionKeys } from './request/session.ts';
import type { Framing, Target } from './request/target.ts';
import type { AnnouncedSize } from './request/upload-size.ts';
import type { Egress } from './upstream/egress.ts';
import type { Upstream } from './upstream/upstream.ts';

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
  /** Examines requests to unregistered hosts; undefined for most requests. */
  readonly probe?: (request: ProbeRequest, decision: PolicyDecision) => Probe | undefined;
  /** Asks users for confirmation before they use services in category `monitoring`. */
  readonly coach: Coach;
  readonly refusals: Refusals;
  /** Live WebSocket connections; like tunnels they have no next request. */
  readonly webSockets: ConnectionSet<LiveConnection>;
  /** `policy.blocked_answer`. */
  readonly blockedAnswer: () => BlockedAnswer;
  /** `policy.close_blocked_tunnels`. */
  readonly closesBlocked: () => boolean;
  /** Checks bodies for injections, tools and MCP servers. */
  readonly agents: AgentGuard;
  /** Limits for bodies that are read completely. */
  readonly bodies: BodyBuffers;
  /** Pseudonym in the Via header, random per group of instances. */
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

/** A response of the gateway itself, which ends the exchange. */
export type Answer = {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string | Buffer;
};

/** How a part of a request is inspected. */
export type StageInput = Omit<MaskingInput, 'body' | 'contentType' | 'contentEncoding'>;

/** A stage of a request; returns a promise only if it waits for something. */
export type Stage = (exchange: Exchange) => Exchange | Answer | Promise<Exchange | Answer>;

/** Applies `next` to a value, or to a promise's result. Without waiting, the path of a request has no promise. */
export function andThen<T, Next>(
  value: T | Promise<T>,
  next: (value: T) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** How an exchange begins. */
export type ExchangeStart = {
  readonly parts: ProxyParts;
  readonly context: ConnectionContext;
  readonly request: ClientRequest;
  readonly response: ClientResponse;
  readonly record: RequestRecord;
  readonly targetOf: (framing: Framing) => Target;
  /** True if the client waits for 100 (Continue) before it sends the body. */
  readonly expectsContinue: boolean;
};

/** A request in progress; each field is set by the stage named in its comment. */
export class Exchange {
  readonly parts: ProxyParts;
  readonly context: ConnectionContext;
  readonly request: ClientRequest;
  readonly response: ClientResponse;
  readonly record: RequestRecord;
  readonly targetOf: ExchangeStart['targetOf'];
  readonly rawHeaders: readonly string[];
  /** True while the client waits for 100 (Continue). */
  expectsContinue: boolean;
  /** The body: the request itself, or (`size`) a stream that starts again after part of it was read. */
  source: Readable;
  /** Set by `frame` and `target`. */
  framing!: Framing;
  target!: Target;
  /** Set by `policy`, with the policy's input. */
  policy!: Policy;
  masker!: BodyMasker;
  asked!: DecideInput & { readonly host: string; readonly port: number; readonly path: string };
  announced!: AnnouncedSize;
  /** The body size used for the decision; undefined while unknown. */
  size: number | undefined = undefined;
  /** Set by `policy`, and again by `size`. */
  decision!: PolicyDecision;
  /** Set by `coach`: the URL for confirming the use of the service, reported to programs. */
  confirmAt: string | undefined = undefined;
  /** Set by `accept`: true if the client waits for the origin to accept the body. */
  expectsOrigin = false;
  probe: Probe | undefined = undefined;
  /** Set by `fields`: how headers, and how URL and body are inspected; undefined if they are not. */
  fieldInput: StageInput | undefined = undefined;
  input: StageInput | undefined = undefined;
  /** The path as sent, and the headers with changed values. */
  path = '';
  fields: FieldValues | undefined = undefined;
  /** Set by `read`: the received body, and the body to send. */
  received: Buffer | undefined = undefined;
  body: Buffer | Readable | null = null;
  /** Set by `mask`. */
  masked: MaskingResult | undefined = undefined;
  guarded: Partial<Guarded> | undefined = undefined;
  #contentType: string | undefined;
  #kind: BodyKind | undefined;

  constructor({ parts, context, request, response, record, targetOf, expectsContinue }: ExchangeStart) {
    this.parts = parts;
    this.context = context;
    this.request = request;
    this.response = response;
    this.record = record;
    this.targetOf = targetOf;
    this.rawHeaders = request.rawHeaders;
    this.expectsContinue = expectsContinue;
    this.source = request as Readable;
  }

  /** The declared media type of the body, and its kind. */
  get contentType(): string | undefined {
    this.#contentType ??= headerValue(this.rawHeaders, 'content-type');
    return this.#contentType;
  }

  get kind(): BodyKind {
    this.#kind ??= bodyKind(this.contentType);
    return this.#kind;
  }

  /** True if the request has a body, or may have one. */
  get hasBody(): boolean {
    const { request, framing } = this;
    if (request.httpVersionMajor === 1) return framing.hasBody;
    return !(request as Http2ServerRequest).stream.endAfterHeaders;
  }

  /** True if both peers send messages: a body that is collected first would never end. */
  get streamsBothWays(): boolean {
    return this.input?.mode === 'mask' && this.kind === 'framed';
  }

  /** Tells the client to send the body. */
  sayContinue(): void {
    if (!this.expectsContinue) return;
    this.expectsContinue = false;
    (this.response as { writeContinue(): void }).writeContinue();
  }
}
