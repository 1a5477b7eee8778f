/**
 * Upstream requests: over connections that pass the egress guard, always with verified TLS. HTTP/1.1 uses our own
 * client (gateway/http1), which preserves heads; HTTP/2 uses undici, which gets no other connections.
 */
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type tls from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { Dispatcher, Agent as Http2Agent } from 'undici';
import { PrivetError } from '../../../core/errors.ts';
import { headBytesMax } from '../../http1/head.ts';
import { Pools } from '../../http1/pool.ts';
import type { WireRequest } from '../../http1/request-head.ts';
import { workAroundHttp2Streams } from '../listen/http2-streams.ts';
import { headerValue } from '../request/headers.ts';
import { upstreamConnect, upstreamConnector } from './connector.ts';
import type { Egress } from './egress.ts';
import { Attempt, http1Connection, http2Only, refusesHttp1 } from './http2-first.ts';
import type { UpstreamTls } from './trust.ts';
import { Agent } from './undici.ts';

/** Upstream time limits in milliseconds. */
export type UpstreamTimeouts = {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly bodyIdleMs: number;
  readonly keepAliveMs: number;
};

/** The parts that a reload replaces. */
export type UpstreamSettings = { readonly tls: UpstreamTls; readonly timeouts: UpstreamTimeouts };

/** The upstream protocol: the same as the client's, mirroring ALPN. */
export type UpstreamProtocol = 'http/1.1' | 'h2';

/** The owner of an authenticated connection: a client connection and its subject. */
export type Owner = { readonly client: Socket; readonly subject: string };

/** Private connections per client connection; the oldest one is evicted. */
const pinnedMax = 32;

function pinnedKey({ subject }: Owner, origin: string): string {
  return `${origin} ${subject}`;
}

/** Connections per origin. */
const connectionsMax = 256;

/** Number of origins remembered as HTTP/1.1-only, and for how long; then HTTP/2 is offered again. */
const [http1OriginsMax, http1OriginsMs] = [1_000, 600_000];

function newHttp1Origins(): LRUCache<string, true> {
  return new LRUCache({ max: http1OriginsMax, ttl: http1OriginsMs });
}

/** In HTTP/1.1 TE must be nominated in Connection (RFC 9110 §10.1.4), which an HTTP/2 request does not have. */
function withTeNominated(request: WireRequest): WireRequest {
  const { fields } = request;
  return headerValue(fields, 'te') === undefined ? request : { ...request, fields: [...fields, 'Connection', 'TE'] };
}

/**
 * A body for an HTTP/2 request. An origin that has responded in full may reset the remaining request (RFC 9113 §8.1);
 * undici would pipe a stream, and the pipe would treat that as a failure and drop the end of the response.
 */
async function* piecewise(body: Readable): AsyncGenerator<Buffer> {
  yield* body.iterator({ destroyOnReturn: false });
}

/** Owns the upstream connection pools: one per protocol, by origin. */
export class Upstream {
  private readonly egress: Egress;
  private settings: UpstreamSettings;
  private http1: Pools;
  private http2: Http2Agent;
  /** Origins that have recently chosen HTTP/1.1. */
  private http1Origins = newHttp1Origins();
  /** Connections private to one client connection, because the origin authenticates the user by connection. */
  private pinned = new WeakMap<Socket, Map<string, Pools>>();

  constructor(options: UpstreamSettings & { egress: Egress }) {
    workAroundHttp2Streams();
    this.egress = options.egress;
    this.settings = options;
    this.http1 = this.newPools(connectionsMax);
    this.http2 = this.newAgent();
  }

  /** Applies new settings; open connections finish their requests and are not reused. */
  replace(settings: UpstreamSettings): void {
    const { http1, http2 } = this;
    this.settings = settings;
    this.http1 = this.newPools(connectionsMax);
    this.http2 = this.newAgent();
    this.http1Origins = newHttp1Origins();
    this.pinned = new WeakMap();
    void http1.close();
    void http2.close().catch(() => {});
  }

  /** How long an origin may take to respond, in milliseconds. */
  get firstByteMs(): number {
    return this.settings.timeouts.firstByteMs;
  }

  /** The TLS settings for a host. */
  secureContextFor(host: string): tls.SecureContext {
    return this.settings.tls.contextFor(host);
  }

  /** Sends a request over HTTP/1.1; the handler gets the response. Origin as `https://host:port`. */
  dispatch(origin: string, request: WireRequest, handler: Dispatcher.DispatchHandler): void {
    this.http1.dispatch(origin, request, handler);
  }

  /** Like {@link dispatch}, over HTTP/2 if the origin supports it. */
  dispatchHttp2(origin: string, request: WireRequest, handler: Dispatcher.DispatchHandler): void {
    const { http1, http1Origins } = this;
    // If no connection is left, offer both protocols again.
    const isKnown = http1Origins.has(origin) && http1.has(origin);
    if (!isKnown && origin.startsWith('https:')) {
      this.negotiate(origin, request, handler);
      return;
    }
    const attempt = new Attempt(handler, (error) => {
      http1Origins.delete(origin);
      const isRefused = refusesHttp1(error);
      // An origin's servers may differ.
      if (isRefused) this.negotiate(origin, request, handler);
      return isRefused;
    });
    http1.dispatch(origin, withTeNominated(request), attempt);
  }

  /** Offers the origin both protocols. */
  private negotiate(origin: string, request: WireRequest, handler: Dispatcher.DispatchHandler): void {
    const { http1, http1Origins } = this;
    const attempt = new Attempt(handler, (error) => {
      const socket = http1Connection(error);
      if (socket === undefined) return false;
      // The connection must not be used under settings that have been replaced.
      const isCurrent = http1 === this.http1;
      if (isCurrent) http1Origins.set(origin, true);
      if (isCurrent && socket !== null) http1.adopt(origin, socket);
      else socket?.destroy();
      this.http1.dispatch(origin, withTeNominated(request), handler);
      return true;
    });
    const { method, path, fields, body } = request;
    this.http2.dispatch(
      {
        origin,
        path,
        method: method as Dispatcher.HttpMethod,
        headers: fields as string[],
        body: (body instanceof Readable ? piecewise(body) : body) as Dispatcher.DispatchOptions['body'],
      },
      attempt,
    );
  }

  /** Records that a target's parent refused a request; true if another route now comes first, undefined without one. */
  parentRefused(host: string, port: number, reason: string): boolean | undefined {
    return this.egress.parentRefused(host, port, reason);
  }

  /**
   * Like {@link dispatch}, over a connection used only by this user of this client connection, and closed with it: NTLM
   * and Negotiate authenticate a connection, not a request (RFC 4559 §6). A client connection may serve several users
   * if a proxy in front of us multiplexes them.
   */
  dispatchPinned(by: Owner, origin: string, request: WireRequest, handler: Dispatcher.DispatchHandler): void {
    const { client } = by;
    let all = this.pinned.get(client);
    if (!all) {
      const made = new Map<string, Pools>();
      all = made;
      this.pinned.set(client, made);
      client.once('close', () => {
        for (const pools of made.values()) pools.destroy();
      });
    }
    const key = pinnedKey(by, origin);
    let pinned = all.get(key);
    if (!pinned) {
      for (const [oldest, one] of all.size < pinnedMax ? [] : all) {
        all.delete(oldest);
        void one.close();
        break;
      }
      pinned = this.newPools(1);
      all.set(key, pinned);
    }
    pinned.dispatch(origin, request, handler);
  }

  /** True if this user of a client connection has a private connection to the origin. */
  isPinned(by: Owner, origin: string): boolean {
    return this.pinned.get(by.client)?.has(pinnedKey(by, origin)) === true;
  }

  /** Closes the pools after running requests, or immediately. */
  async close(now = false): Promise<void> {
    if (now) {
      this.http1.destroy();
      await this.http2.destroy();
    } else {
      // Requests waiting for HTTP/2 may fall back to HTTP/1.1.
      await this.http2.close();
      await this.http1.close();
    }
  }

  private newPools(max: number): Pools {
    return new Pools({
      ...this.settings.timeouts,
      connect: upstreamConnect(this.connectorOptions(false)),
      connectionsMax: max,
    });
  }

  private newAgent(): Http2Agent {
    const { timeouts } = this.settings;
    return new Agent({
      keepAliveTimeout: timeouts.keepAliveMs,
      keepAliveMaxTimeout: 600_000,
      headersTimeout: timeouts.firstByteMs,
      bodyTimeout: timeouts.bodyIdleMs,
      maxHeaderSize: headBytesMax,
      strictContentLength: true,
      connect: http2Only(upstreamConnector(this.connectorOptions(true))),
      allowH2: true,
      pipelining: 100,
      connections: connectionsMax,
    } as Http2Agent.Options);
  }

  private connectorOptions(h2: boolean) {
    return { egress: this.egress, tls: this.settings.tls, connectMs: this.settings.timeouts.connectMs, h2 };
  }
}

const certificateReasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not yet valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'issued for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'signed by an unknown issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'signed by an unknown issuer',
  UNABLE_TO_GET_ISSUER_CERT: 'signed by an unknown issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'signed by an unknown issuer',
  CERT_REVOKED: 'revoked',
  INVALID_PURPOSE: 'not meant for servers',
  CERT_UNTRUSTED: 'not trusted',
  CA_MD_TOO_WEAK: 'signed with a weak algorithm',
  EE_KEY_TOO_SMALL: 'using a weak key',
  CERT_SIGNATURE_FAILURE: 'not validly signed',
};

/** Converts an upstream error to the client's; its class never depends on user text. */
export function upstreamError(error: unknown): PrivetError {
  if (error instanceof PrivetError) return error;
  const cause = error as { code?: string; cause?: unknown; errors?: unknown[] };
  if (cause?.cause instanceof PrivetError) return cause.cause;
  for (const inner of cause?.errors ?? []) if (inner instanceof PrivetError) return inner;
  const code = cause?.code ?? '';
  const certificate = certificateReasons[code];
  if (certificate)
    return new PrivetError('upstream_certificate', `The certificate of the host is ${certificate}.`, { cause: error });
  // Errors for which Node has no code of its own, such as weak keys.
  if (code === 'UNSPECIFIED') {
    const text = (error as Error).message;
    const reason = /key too (?:weak|small)/i.test(text)
      ? 'using a weak key'
      : /algorithm too weak/i.test(text)
        ? 'signed with a weak algorithm'
        : 'not acceptable';
    return new PrivetError('upstream_certificate', `The certificate of the host is ${reason}.`, { cause: error });
  }
  // A host that requires a certificate says so in TLS 1.3 (RFC 8446 §6.2); earlier versions report only a failed
  // handshake.
  if (/ALERT_(?:CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE)/.test(code)) {
    const message = code.endsWith('REQUIRED')
      ? 'The host asks for a client certificate.'
      : 'The host refused the TLS handshake; it may ask for a client certificate.';
    const hint = 'If the host asks for a client certificate, name one in upstream.client_certs.';
    return new PrivetError('upstream_certificate', message, { cause: error, hint });
  }
  if (/^(?:ERR_SSL|ERR_TLS|EPROTO)/.test(code)) {
    return new PrivetError('upstream_certificate', 'No secure connection to the host: TLS protocol error.', {
      cause: error,
    });
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return new PrivetError('upstream_timeout', 'The connection to the host took too long.', { cause: error });
  }
  if (/^(?:UND_ERR_(?:HEADERS|BODY)|HTTP1_(?:HEAD|BODY))_TIMEOUT$/.test(code)) {
    return new PrivetError('upstream_timeout', 'The host did not answer in time.', { cause: error });
  }
  if (code === 'HTTP1_STALLED')
    return new PrivetError('request_timeout', 'The request stalled while others needed the connection.');
  if (code === 'HTTP1_BUSY')
    return new PrivetError('unavailable', 'All connections to the host are in use.', { cause: error });
  const reasons: Readonly<Record<string, string>> = {
    ENOTFOUND: 'The host name cannot be resolved.',
    EAI_AGAIN: 'The host name cannot be resolved now.',
    ECONNREFUSED: 'The host refused the connection.',
    ECONNRESET: 'The host closed the connection.',
    UND_ERR_SOCKET: 'The host closed the connection.',
    HTTP1_CLOSED: 'The host closed the connection.',
    HTTP1_MALFORMED: 'The host answered with malformed HTTP.',
    HTTP1_HEAD_TOO_LARGE: 'The header fields of the answer are too large.',
    EHOSTUNREACH: 'The host is unreachable.',
    ENETUNREACH: 'The network of the host is unreachable.',
    UND_ERR_HEADERS_OVERFLOW: 'The header fields of the answer are too large.',
  };
  const message =
    reasons[code] ??
    (code.startsWith('HPE_') ? 'The host answered with malformed HTTP.' : 'The host could not be reached.');
  return new PrivetError('upstream_failed', message, { cause: error });
}
