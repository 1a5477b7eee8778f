/**
 * The upstream side: undici clients whose connections pass the egress guard and whose TLS is always verified.
 * undici writes Host, Connection and the framing fields itself, in lower case and at fixed places; a thin layer over
 * the socket puts them back where the client had them, so that an unchanged request is unchanged in its head, too.
 */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { PrivetError } from '../../core/errors.ts';
import type { Egress } from './egress.ts';

/** Time limits of the upstream side in milliseconds. */
export type UpstreamTimeouts = {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly bodyIdleMs: number;
  readonly keepAliveMs: number;
};

/** Prefix of the fields that mark where undici's own fields belong; stripped from what clients send. */
export const slotPrefix = 'privet-slot-';
const slotHost = `${slotPrefix}host`;
const slotConnection = `${slotPrefix}connection`;
const slotLength = `${slotPrefix}length`;
const slotTarget = `${slotPrefix}target`;

/** Path and fields for a target `*`, which undici would refuse. */
export function withServerTarget(headers: string[]): { path: string; headers: string[] } {
  return { path: '/', headers: [...headers, slotTarget, '*'] };
}

/**
 * Prepares end-to-end fields for undici: Host, Connection and Content-Length / Transfer-Encoding become place holders
 * that {@link shapeHead} fills in when the head is written.
 */
export function withSlots(raw: readonly string[], hostHeader: string): string[] {
  const out: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string;
    const length = name.length;
    const lower = length === 4 || length === 10 || length === 14 || length === 17 ? name.toLowerCase() : '';
    if (lower === 'host') out.push('host', hostHeader, slotHost, name);
    else if (lower === 'connection') out.push(slotConnection, name);
    else if (lower === 'content-length' || lower === 'transfer-encoding') out.push(slotLength, name);
    else out.push(name, raw[i + 1] as string);
  }
  return out;
}

/** Rewrites a head as undici writes it into the order and case of the client; exported for its test. */
export function shapeHead(head: string): string {
  const lines = head.split('\r\n');
  let host = '';
  let connection = '';
  let framing = '';
  const kept: string[] = [];
  let hostSlot = false;
  let connectionSlot = false;
  // The fields that undici writes itself: host and connection right after the request line, the framing field last.
  let at = 1;
  if (lines[at]?.startsWith('host: ')) host = (lines[at++] as string).slice(6);
  if (lines[at]?.startsWith('connection: ')) connection = (lines[at++] as string).slice(12);
  let end = lines.length;
  while (end > at && lines[end - 1] === '') end--;
  const last = lines[end - 1] as string;
  if (end > at && (last.startsWith('content-length: ') || last.startsWith('transfer-encoding: '))) {
    framing = last;
    end--;
  }
  for (; at < end; at++) {
    const line = lines[at] as string;
    if (!line.startsWith(slotPrefix)) kept.push(line);
    else if (line.startsWith(slotHost)) {
      hostSlot = true;
      kept.push(`${line.slice(slotHost.length + 2)}: ${host}`);
    } else if (line.startsWith(slotConnection)) {
      if (!connectionSlot) kept.push(`${line.slice(slotConnection.length + 2)}: ${connection}`);
      connectionSlot = true;
    } else if (line.startsWith(slotTarget)) {
      lines[0] = (lines[0] as string).replace(' / ', ` ${line.slice(slotTarget.length + 2)} `);
    } else if (line.startsWith(slotLength)) {
      const name = line.slice(slotLength.length + 2);
      if (framing === '') {
        // undici leaves a length of zero out where the method needs none.
        if (name.length === 14) kept.push(`${name}: 0`);
        continue;
      }
      const colon = framing.indexOf(':');
      const same = name.toLowerCase() === framing.slice(0, colon);
      kept.push(same ? name + framing.slice(colon) : framing);
      framing = '';
    }
  }
  let out = `${lines[0]}\r\n`;
  if (!hostSlot && host !== '') out += `host: ${host}\r\n`;
  for (const line of kept) out += `${line}\r\n`;
  if (!connectionSlot && connection === 'close') out += 'Connection: close\r\n';
  if (framing !== '') out += `${framing}\r\n`;
  return lines[lines.length - 1] === '' && lines[lines.length - 2] === '' ? `${out}\r\n` : out;
}

/** Lets every head that undici writes on this socket pass through {@link shapeHead}. */
function shapeHeadsOf(socket: Socket): void {
  const write = socket.write;
  socket.write = function (this: Socket, chunk: unknown, ...rest: unknown[]) {
    const shaped = typeof chunk === 'string' && chunk.includes(slotPrefix) ? shapeHead(chunk) : chunk;
    return (write as (...all: unknown[]) => boolean).call(this, shaped, ...rest);
  } as Socket['write'];
}

/** How a request is spoken upstream: as the client speaks, so that ALPN is mirrored. */
export type UpstreamProtocol = 'http/1.1' | 'h2';

/** Holds the upstream connection pools; one pool for each protocol, origin by origin. */
export class Upstream {
  private readonly agents: Record<UpstreamProtocol, Agent>;
  private readonly egress: Egress;
  /** Trust anchors and TLS settings, shared by all upstream connections. */
  readonly secureContext: tls.SecureContext;

  constructor(options: { egress: Egress; caFile?: string | null; timeouts: UpstreamTimeouts }) {
    this.egress = options.egress;
    this.secureContext = upstreamSecureContext(options.caFile);
    this.agents = { 'http/1.1': this.agent('http/1.1', options.timeouts), h2: this.agent('h2', options.timeouts) };
  }

  /** Sends a request; the handler gets the answer. Origin as `https://host:port`. */
  dispatch(protocol: UpstreamProtocol, request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.agents[protocol].dispatch(request, handler);
  }

  /** Closes the pools after running requests, or at once. */
  async close(now = false): Promise<void> {
    await Promise.all(Object.values(this.agents).map((agent) => (now ? agent.destroy() : agent.close())));
  }

  private agent(protocol: UpstreamProtocol, timeouts: UpstreamTimeouts): Agent {
    const h2 = protocol === 'h2';
    const tlsOptions = { secureContext: this.secureContext, keepAliveInitialDelay: 30_000 };
    const connectors = new Map<number, buildConnector.connector>();
    const connectorFor = (port: number): buildConnector.connector => {
      let connector = connectors.get(port);
      if (!connector) {
        connector = buildConnector({
          ...tlsOptions,
          allowH2: h2,
          preferH2: h2,
          timeout: timeouts.connectMs,
          lookup: this.egress.lookupFor(port),
        } as buildConnector.BuildOptions);
        if (connectors.size < 64) connectors.set(port, connector);
      }
      return connector;
    };
    const connect: buildConnector.connector = (options, callback) => {
      const host = options.hostname.replace(/^\[|\]$/g, '');
      const fixed = this.egress.fixedAddress(host);
      const port = fixed?.port ?? Number(options.port || (options.protocol === 'https:' ? 443 : 80));
      try {
        if (!fixed && /^[0-9.]+$|:/.test(host)) this.egress.checkAddress(host, port);
      } catch (error) {
        callback(error as Error, null);
        return;
      }
      const mapped = fixed
        ? {
            ...options,
            hostname: fixed.host,
            port: String(port),
            ...(options.protocol === 'https:' ? { servername: host } : {}),
          }
        : { ...options, hostname: host, port: String(port) };
      connectorFor(port)(mapped, (...result) => {
        const [error, socket] = result;
        if (!error && socket && !(h2 && (socket as tls.TLSSocket).alpnProtocol === 'h2')) shapeHeadsOf(socket);
        (callback as (...all: unknown[]) => void)(error, socket);
      });
    };
    return new Agent({
      connect,
      allowH2: h2,
      pipelining: h2 ? 100 : 1,
      connections: 256,
      keepAliveTimeout: timeouts.keepAliveMs,
      keepAliveMaxTimeout: 600_000,
      headersTimeout: timeouts.firstByteMs,
      bodyTimeout: timeouts.bodyIdleMs,
      maxHeaderSize: 65_536,
      strictContentLength: true,
    } as Agent.Options);
  }
}

/** System roots, Mozilla's roots and the roots of `upstream.ca_file`. Throws when the file cannot be read. */
function upstreamSecureContext(caFile: string | null | undefined): tls.SecureContext {
  const roots = new Set(tls.rootCertificates);
  for (const pem of tls.getCACertificates('system')) roots.add(pem);
  if (caFile) {
    let extra: string;
    try {
      extra = readFileSync(caFile, 'utf8');
    } catch (cause) {
      throw new PrivetError('internal', `upstream.ca_file cannot be read: ${caFile}`, { cause });
    }
    const own = extra.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
    if (own.length === 0) throw new PrivetError('internal', `upstream.ca_file holds no PEM certificate: ${caFile}`);
    for (const pem of own) roots.add(pem);
  }
  try {
    return tls.createSecureContext({ ca: [...roots], minVersion: 'TLSv1.2' });
  } catch (cause) {
    throw new PrivetError('internal', `upstream.ca_file holds a damaged certificate: ${caFile}`, { cause });
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

/** Turns an error of the upstream side into what the client is told; the class never depends on user text. */
export function upstreamError(error: unknown): PrivetError {
  if (error instanceof PrivetError) return error;
  const cause = error as { code?: string; cause?: unknown; errors?: unknown[] };
  if (cause?.cause instanceof PrivetError) return cause.cause;
  for (const one of cause?.errors ?? []) if (one instanceof PrivetError) return one;
  const code = cause?.code ?? '';
  const certificate = certificateReasons[code];
  if (certificate)
    return new PrivetError('upstream_certificate', `The certificate of the host is ${certificate}.`, { cause: error });
  // What node has no code of its own for, as keys that are too weak.
  if (code === 'UNSPECIFIED') {
    const text = (error as Error).message;
    const reason = /key too (?:weak|small)/i.test(text)
      ? 'using a weak key'
      : /algorithm too weak/i.test(text)
        ? 'signed with a weak algorithm'
        : 'not acceptable';
    return new PrivetError('upstream_certificate', `The certificate of the host is ${reason}.`, { cause: error });
  }
  if (/^(?:ERR_SSL|ERR_TLS|EPROTO)/.test(code)) {
    return new PrivetError('upstream_certificate', 'No secure connection to the host: TLS protocol error.', {
      cause: error,
    });
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return new PrivetError('upstream_timeout', 'The connection to the host took too long.', { cause: error });
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return new PrivetError('upstream_timeout', 'The host did not answer in time.', { cause: error });
  }
  const reasons: Readonly<Record<string, string>> = {
    ENOTFOUND: 'The host name cannot be resolved.',
    EAI_AGAIN: 'The host name cannot be resolved now.',
    ECONNREFUSED: 'The host refused the connection.',
    ECONNRESET: 'The host closed the connection.',
    UND_ERR_SOCKET: 'The host closed the connection.',
    EHOSTUNREACH: 'The host is unreachable.',
    ENETUNREACH: 'The network of the host is unreachable.',
    UND_ERR_HEADERS_OVERFLOW: 'The header fields of the answer are too large.',
  };
  const message =
    reasons[code] ??
    (code.startsWith('HPE_') ? 'The host answered with malformed HTTP.' : 'The host could not be reached.');
  return new PrivetError('upstream_failed', message, { cause: error });
}
