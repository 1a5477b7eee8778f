/**
 * CONNECT: decides by name before anything is opened, then tunnels or intercepts.
 * Opening a tunnel: admitted → decided → (tunnel: dialled) → 200 → first client bytes → TLS | plain HTTP | opaque.
 * The first bytes are inspected even in tunnels, because the server name or Host header inside may differ from the host
 * that was decided.
 */
import type { Socket } from 'node:net';
import type { LeafCache } from '../../../certs/leaf-cache.ts';
import { PrivetError } from '../../../core/errors.ts';
import type { Policy } from '../../../policy/decide.ts';
import type { PolicyDecision } from '../../../policy/decision.ts';
import { normalizeHost, parseAuthority } from '../../../policy/host.ts';
import { keepsConnection } from '../../http1/keep-alive.ts';
import { portalHost } from '../../portal/page.ts';
import type { Admission } from '../admit/admit.ts';
import { ConnectionLimitExceeded } from '../admit/connection-limits.ts';
import { looksLikeBrowser, sendRaw } from '../answer/answers.ts';
import type { ConnectionContext, ProxyParts } from '../exchange.ts';
import type { TunnelOpening } from '../listen/client-hello.ts';
import type { ConnectRequest } from '../listen/connect-head.ts';
import { readFirstBytes } from '../listen/first-bytes.ts';
import type { ClientTimeouts } from '../listen/http-server.ts';
import type { Inlet } from '../listen/inlet.ts';
import type { LiveConnection } from '../listen/live-connections.ts';
import type { QuietWatch, Watched } from '../listen/quiet-watch.ts';
import { relayHello } from '../listen/second-hello.ts';
import { headerValue } from '../request/headers.ts';
import { isPortalName } from '../request/local.ts';
import { askFor, type Client, newRecord, nextRequestId, type RequestRecord, recordRefusal } from '../request/record.ts';
import { checkHostMatches } from '../request/target.ts';
import type { Interceptor } from '../tls/intercept.ts';
import { upstreamError } from '../upstream/upstream.ts';
import { LiveTunnel } from './live-tunnel.ts';
import { Tunnel } from './tunnel.ts';

const established = 'HTTP/1.1 200 Connection established\r\n\r\n';
/** The dependencies of CONNECT besides the common parts. */
export type ConnectParts = ProxyParts & {
  readonly admission: Admission;
  readonly interceptor: Interceptor;
  readonly leaves: LeafCache;
  readonly timeouts: ClientTimeouts;
  readonly tunnels: QuietWatch<LiveConnection & Watched>;
};

/** The same with the listener's own: tunnels without data from the client so far. */
export type ListenerParts = ConnectParts & { readonly opening: QuietWatch<Socket> };

/**
 * Serves a CONNECT on a socket without a reader; never throws. `onRetry` gets the connection back after a 407, because
 * clients retry with credentials on the same one.
 */
export async function serveConnect(
  parts: ListenerParts,
  request: ConnectRequest,
  inlet: Inlet,
  head: Buffer,
  onRetry: (inlet: Inlet) => void,
): Promise<void> {
  const { socket } = inlet;
  let record: RequestRecord | undefined;
  let leave: (() => void) | undefined;
  try {
    let client = parts.admission.admit(socket);
    if (parts.admission.mustSignIn(client)) client = await signIn(parts, client, request);
    record = newRecord('connect', client, 'CONNECT', '', 0);
    const { host, kind, port } = connectTarget(request);
    record.host = host;
    record.port = port;
    // The close event that ends its count would not fire again.
    if (socket.destroyed) throw clientLeft();
    if (parts.portal !== undefined && isPortalName(host)) {
      leave = openPortal(parts, { record, inlet, head, tunnel: { host, hostKind: kind, port } });
      return;
    }
    const { policy } = parts.snapshot();
    const decision = policy.decide(askFor(client, host, port));
    record.decision = decision;
    const context: ConnectionContext = { client, tunnel: { scheme: 'https', host, hostKind: kind, port } };
    const blocked = decision.action === 'block';
    if (blocked && !showsPage(parts, request, context)) throw new PrivetError('blocked_by_policy', decision.reason);
    if (!blocked) parts.egress.checkTarget(host, kind, port);
    let isRead = blocked || decision.inspect !== 'tunnel';
    leave = parts.admission.enterTunnel(client, { isRead });
    if (!isRead && (await isToBeAsked(parts, request, { inlet, context, decision }))) {
      isRead = true;
      leave();
      leave = parts.admission.enterTunnel(client, { isRead });
    }
    const opening = { inlet, head, context, policy, decision, leave };
    if (isRead) {
      acceptInspected(parts, opening);
      return;
    }
    record.kind = 'tunnel';
    await openTunnel(parts, opening, record);
  } catch (error) {
    leave?.();
    const known = upstreamError(error);
    if (record) {
      record.status = known.status;
      record.error = known.code;
      record.exceededLimit = error instanceof ConnectionLimitExceeded;
      parts.observer.finished(record, performance.now() - record.startedAt);
    }
    const fields = parts.admission.auth?.answerFields(known);
    const isKept = known.code === 'proxy_auth_required' && head.length === 0 && mayFollow(request);
    const requestId = record?.requestId ?? nextRequestId();
    if (isKept) sendRaw(socket, known, requestId, fields, () => onRetry(inlet));
    else sendRaw(inlet.release(), known, requestId, fields);
  }
}

const portalDecision: PolicyDecision = {
  action: 'allow',
  inspect: 'audit',
  rule: 'portal',
  ruleKind: 'bypass',
  reason: 'a page of the gateway',
};

/**
 * Opens a tunnel to the gateway's own pages: plain, or with TLS to the name that tests trust in the certificate. The
 * pages are not served over TLS, because they are for users who lack the certificate.
 */
function openPortal(
  parts: ListenerParts,
  {
    record,
    inlet,
    head,
    tunnel,
  }: {
    readonly record: RequestRecord;
    readonly inlet: Inlet;
    readonly head: Buffer;
    readonly tunnel: Omit<NonNullable<ConnectionContext['tunnel']>, 'scheme'>;
  },
): () => void {
  record.decision = portalDecision;
  if (tunnel.host === portalHost && tunnel.port !== 80)
    throw new PrivetError('not_found', `The pages of the gateway are at http://${portalHost}/, without TLS.`);
  const { policy } = parts.snapshot();
  const leave = parts.admission.enterTunnel(record.client, { isRead: true });
  const context: ConnectionContext = { client: record.client, tunnel: { scheme: 'https', ...tunnel } };
  acceptInspected(parts, { inlet, head, context, policy, decision: portalDecision, leave });
  return leave;
}

/** Authenticates the user. Wrong credentials are audited; missing ones are normal, as every client starts without. */
async function signIn(parts: ConnectParts, client: Client, request: ConnectRequest): Promise<Client> {
  try {
    return await parts.admission.signIn(client, request.rawHeaders);
  } catch (error) {
    // Report a malformed target before asking for a password.
    const { host, port } = connectTarget(request);
    recordRefusal(parts.observer, newRecord('connect', client, 'CONNECT', host, port), request.rawHeaders, error);
    throw error;
  }
}

/** True if another request may follow: the client keeps the connection, and this request has no unread data. */
function mayFollow({ httpVersionMinor, rawHeaders }: ConnectRequest): boolean {
  const length = headerValue(rawHeaders, 'content-length') ?? '0';
  const isRead = length === '0' && headerValue(rawHeaders, 'transfer-encoding') === undefined;
  return isRead && keepsConnection(httpVersionMinor, rawHeaders);
}

/** The authority of a CONNECT. Framing headers are ignored: bytes after the head belong to the tunnel. */
function connectTarget(request: ConnectRequest): ReturnType<typeof parseAuthority> {
  const target = parseAuthority(request.url ?? '');
  const hosts: string[] = [];
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts.push(request.rawHeaders[i + 1] as string);
  }
  if (hosts.length > 1) throw new PrivetError('bad_request', 'More than one Host field.');
  if (hosts.length === 0 && request.httpVersionMinor === 1)
    throw new PrivetError('bad_request', 'The Host field is missing.');
  if ((request.httpVersionMajor ?? 1) !== 1 || request.httpVersionMinor > 1)
    throw new PrivetError('bad_request', 'The HTTP version of the request is not supported.');
  // Clients sometimes omit the port here, so compare it only if present.
  if (hosts[0] !== undefined && hosts[0] !== request.url) {
    const { host, port } = target;
    const hasPort = /:[0-9]+$/.test(hosts[0].slice(hosts[0].lastIndexOf(']') + 1));
    const asked = hasPort ? hosts[0] : `${hosts[0].replace(/:$/, '')}:${port}`;
    checkHostMatches({ scheme: 'https', host, port }, [asked]);
  }
  return target;
}

/** A page can only be shown inside the tunnel, which costs a leaf; programs are rejected before it opens. */
function showsPage(parts: ConnectParts, request: ConnectRequest, { tunnel, client }: ConnectionContext): boolean {
  const mode = parts.blockedAnswer();
  if (mode === 'refuse' || (mode === 'auto' && !looksLikeBrowser(request.rawHeaders))) return false;
  return hasLeaf(parts, (tunnel as { host: string }).host, client.address);
}

/**
 * True if a tunnel is intercepted only to show the coaching page. That needs a certificate for the host; without one,
 * the tunnel is handled like a program's.
 * @throws PrivetError `confirmation_required` for programs that are rejected
 */
async function isToBeAsked(
  parts: ConnectParts,
  request: ConnectRequest,
  { context, decision, inlet }: Pick<AdmittedTunnel, 'context' | 'decision' | 'inlet'>,
): Promise<boolean> {
  if (decision.coach === undefined) return false;
  const { client, tunnel } = context;
  const { host, port } = tunnel as NonNullable<ConnectionContext['tunnel']>;
  const isAsked = looksLikeBrowser(request.rawHeaders) && hasLeaf(parts, host, client.address);
  const target = { scheme: 'https', host, port, path: '/' } as const;
  const isPending = isAsked && (await parts.coach.isPending(decision, client, host));
  if (!isAsked) await parts.coach.askProgram({ decision, client, target });
  if (inlet.socket.destroyed) throw clientLeft();
  return isPending;
}

function clientLeft(): PrivetError {
  return new PrivetError('bad_request', 'The client disconnected before the tunnel was open.');
}

function hasLeaf({ leaves }: ConnectParts, host: string, address: string): boolean {
  try {
    leaves.contextFor(host, address);
    return true;
  } catch {
    return false;
  }
}

type AdmittedTunnel = {
  readonly inlet: Inlet;
  readonly head: Buffer;
  readonly context: ConnectionContext;
  /** The policy that decided; the first client bytes are checked against the same one. */
  readonly policy: Policy;
  readonly decision: PolicyDecision;
  readonly leave: () => void;
};

/** Accepts a tunnel to be intercepted: TLS with our leaf, or plain HTTP. Nothing is dialled before a request. */
function acceptInspected(parts: ListenerParts, opening: AdmittedTunnel): void {
  const { inlet, context, leave } = opening;
  const { socket } = inlet;
  const tunnel = context.tunnel as NonNullable<ConnectionContext['tunnel']>;
  const done = countInspected(parts, leave);
  socket.write(established);
  let handed = false;
  const silence = parts.opening.add(socket);
  socket.on('close', () => {
    parts.opening.delete(silence);
    if (!handed) done();
  });
  readFirstBytes(inlet, opening.head, (kind, bytes) => {
    handed = true;
    parts.opening.delete(silence);
    if (kind.kind === 'tls') {
      parts.interceptor.secure(inlet.release(bytes), context, kind.ecdsa, done);
    } else if (kind.kind === 'http') {
      parts.interceptor.plain(inlet.release(), bytes, { ...context, tunnel: { ...tunnel, scheme: 'http' } }, done);
    } else {
      refuseOpaque(parts, opening);
      done();
    }
  });
}

/** Counts an intercepted connection; the returned function ends the count and releases the limit. */
function countInspected({ observer }: ConnectParts, leave: () => void): () => void {
  observer.connection('intercepted', 1);
  return () => {
    leave();
    observer.connection('intercepted', -1);
  };
}

/** Rejects data that is neither TLS nor HTTP: it cannot be inspected, so an inspected host must not receive it. */
function refuseOpaque(parts: ConnectParts, { inlet, context, decision }: AdmittedTunnel): void {
  const { host, port } = context.tunnel as NonNullable<ConnectionContext['tunnel']>;
  const record = newRecord('tunnel', context.client, 'CONNECT', host, port);
  record.decision = decision;
  record.status = 403;
  record.error = 'uninspectable';
  parts.observer.finished(record, 0);
  inlet.socket.destroy();
}

/** Dials, answers 200 and relays; client data flows once its first bytes were inspected. */
async function openTunnel(parts: ConnectParts, opening: AdmittedTunnel, record: RequestRecord): Promise<void> {
  const { inlet, context, leave } = opening;
  const { socket } = inlet;
  const { host, port } = context.tunnel as NonNullable<ConnectionContext['tunnel']>;
  let isServed = false;
  const tunnel: Tunnel = new Tunnel(({ bytesUp, bytesDown }) => {
    record.bytesIn = bytesUp;
    record.bytesOut = bytesDown;
    if (record.status === 0) record.status = 200;
    parts.tunnels.delete(noted);
    parts.observer.connection('tunnel', -1);
    if (!isServed) leave();
    parts.observer.finished(record, performance.now() - record.startedAt);
  });
  const live = new LiveTunnel(tunnel, record);
  const upstream = await parts.egress.connect(host, port, tunnel.upstreamOnread);
  if (socket.destroyed) {
    upstream.destroy();
    throw clientLeft();
  }
  parts.observer.connection('tunnel', 1);
  const noted = parts.tunnels.add(live);
  socket.write(established);
  tunnel.startDown(upstream, inlet);
  // The host may have been blocked while it was dialled.
  if (parts.closesBlocked()) live.closeIfBlocked(parts.snapshot().policy);
  readFirstBytes(
    inlet,
    opening.head,
    (kind, bytes) => {
      const { verdict, name, inner } = checkOpening(opening, kind);
      live.innerName = name;
      // An audited service is audited under any name.
      if (inner?.service !== undefined) record.decision = inner;
      const refuse = () => {
        record.status = 403;
        record.error = 'blocked_by_policy';
        tunnel.destroy();
      };
      if (verdict === 'tunnel') {
        if (kind.kind === 'tls') relayHello(inlet, tunnel, { hello: kind, bytes, onOther: refuse });
        else tunnel.startUp(bytes);
      } else if (verdict === 'serve') {
        // Plain HTTP: each request is decided separately, so the dialled connection is not used. The count continues.
        isServed = true;
        tunnel.release();
        upstream.destroy();
        parts.interceptor.plain(
          inlet.release(),
          bytes,
          { ...context, tunnel: { ...context.tunnel, scheme: 'http' } as ConnectionContext['tunnel'] & object },
          countInspected(parts, leave),
        );
      } else {
        refuse();
      }
    },
    tunnel,
  );
}

/**
 * A tunnel was decided for the CONNECT host. Decides again about a different server name inside, and rejects it if it
 * would evade a block, an inspection or a confirmation.
 */
function checkOpening(
  { policy, decision, context }: AdmittedTunnel,
  opening: TunnelOpening,
): { readonly verdict: 'tunnel' | 'serve' | 'refuse'; readonly name?: string; readonly inner?: PolicyDecision } {
  const { tunnel, client } = context;
  if (opening.kind === 'unclear') return { verdict: 'refuse' };
  if (opening.kind === 'http') return { verdict: decision.ruleKind === 'bypass' ? 'tunnel' : 'serve' };
  // Without TLS, each of its requests names a host, and nothing reads them here.
  if (opening.kind === 'h2') return { verdict: decision.ruleKind === 'bypass' ? 'tunnel' : 'refuse' };
  if (opening.kind !== 'tls' || opening.serverName === undefined) return { verdict: 'tunnel' };
  const { host, port } = tunnel as NonNullable<ConnectionContext['tunnel']>;
  let name: string;
  try {
    name = normalizeHost(opening.serverName).host;
  } catch {
    return { verdict: 'refuse' };
  }
  if (name === host) return { verdict: 'tunnel' };
  const inner = policy.decide(askFor(client, name, port));
  const isAsked = inner.coach !== undefined && inner.service?.key !== decision.service?.key;
  const isRefused = inner.action === 'block' || inner.inspect !== 'tunnel' || isAsked;
  return { verdict: isRefused ? 'refuse' : 'tunnel', name, inner };
}
