/**
 * WebSocket upgrades (RFC 6455), on the proxy port and inside tunnels: decided like requests. For inspected services,
 * text messages are masked upstream and restored downstream.
 */
import type { Agent } from 'node:http';
import https from 'node:https';
import type net from 'node:net';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { PrivetError } from '../../../core/errors.ts';
import type { Policy } from '../../../policy/decide.ts';
import { SocketGuard } from '../../agents/socket-guard.ts';
import { http } from '../../http1/node-http.ts';
import { sendRaw } from '../answer/answers.ts';
import { warningOf } from '../answer/warning.ts';
import type { ConnectionContext, ProxyParts } from '../exchange.ts';
import type { LiveConnection } from '../listen/live-connections.ts';
import { addField, endToEndHeaders, FieldNames, headerValue, newFieldMap } from '../request/headers.ts';
import { type FieldValues, hasMaskedField, maskFields, withValues } from '../request/masked-fields.ts';
import { maskTarget } from '../request/masked-target.ts';
import { newRecord, whoOf } from '../request/record.ts';
import {
  checkFraming,
  checkPath,
  type Framing,
  formatAuthority,
  type MessageHead,
  type Target,
} from '../request/target.ts';
import { forgetOfferedProtocols } from '../tls/offered-protocols.ts';
import type { Egress } from '../upstream/egress.ts';
import { type Upstream, upstreamError } from '../upstream/upstream.ts';
import { InspectedSocket } from './websocket-inspection.ts';
import { UpgradeProxy } from './ws-proxy.ts';

/** True for WebSocket requests; other upgrades are ignored, as RFC 9110 §7.8 allows. */
export function isWebSocketUpgrade({ method, rawHeaders }: Pick<UpgradeRequest, 'method' | 'rawHeaders'>): boolean {
  return method === 'GET' && headerValue(rawHeaders, 'upgrade')?.toLowerCase() === 'websocket';
}

/** An upgrade request in HTTP/1.1 form. */
export type UpgradeRequest = MessageHead & { readonly method: string };

/** Created for the first upgrade. */
let proxy: UpgradeProxy | undefined;
const keptExtensions = new FieldNames([]);
/** Inspected messages must not be transformed by extensions. */
const droppedExtensions = new FieldNames(['sec-websocket-extensions']);

/** Serves one upgrade; never throws. */
export async function serveUpgrade(
  parts: ProxyParts,
  context: ConnectionContext,
  request: UpgradeRequest,
  socket: Socket,
  head: Buffer,
  targetOf: (framing: Framing) => Target,
): Promise<void> {
  const record = newRecord(
    'websocket',
    context.client,
    request.method,
    context.tunnel?.host ?? '',
    context.tunnel?.port ?? 0,
  );
  record.intercepted = context.tunnel?.scheme === 'https';
  socket.on('error', () => {});
  let ended = false;
  const finish = (error?: PrivetError) => {
    if (ended) return;
    ended = true;
    if (error) {
      record.error = error.code;
      record.status = error.status;
    }
    if (record.status === 0) record.status = 101;
    parts.observer.finished(record, performance.now() - record.startedAt);
  };
  try {
    const framing = checkFraming(request);
    if (framing.hasBody) throw new PrivetError('bad_request', 'An upgrade request must not have a body.');
    const target = targetOf(framing);
    record.host = target.host;
    record.port = target.port;
    const { policy, masker } = parts.snapshot();
    const { host, port } = target;
    const asked = { host, port, path: target.path, method: 'GET', size: 0, ...whoOf(context.client) };
    checkPath(policy, asked);
    const decide = (by: Policy) => by.decide(asked);
    const decision = decide(policy);
    record.decision = decision;
    if (decision.action === 'block') throw new PrivetError('blocked_by_policy', decision.reason);
    parts.egress.checkTarget(target.host, target.hostKind, target.port);
    const { client: who } = context;
    const confirmAt = await parts.coach.askProgram({
      decision,
      client: who,
      target,
      decide: (other) => policy.decide({ host, port, ...other, ...whoOf(who) }),
    });

    checkIsThere(socket);
    const inspected = decision.inspect !== 'tunnel';
    let client: Duplex = socket;
    let { path } = target;
    let fields: FieldValues | undefined;
    if (inspected) {
      const mode = decision.inspect === 'mask' ? 'mask' : 'audit';
      const { types, service } = decision;
      const { rawHeaders } = request;
      const session = parts.sessions.sessionFor(context, { rawHeaders, target, service, policy });
      const common = { host: target.host, path, session, mode, types, service } as const;
      path = await maskTarget(masker, common, { path, rawHeaders: request.rawHeaders }, record);
      if (hasMaskedField(request.rawHeaders)) fields = await maskFields(masker, common, request.rawHeaders, record);
      const tokens = mode === 'mask' ? await parts.vault.tokens(session) : undefined;
      checkIsThere(socket);
      client = new InspectedSocket({
        socket,
        head,
        masker,
        vault: parts.vault,
        record,
        decision,
        target,
        session,
        bodies: parts.bodies,
        tokens,
        guard: new SocketGuard(parts.agents, {
          policy,
          decision,
          asked,
          rawHeaders,
          record,
          bytesMax: masker.options.bodyBytesMax,
          allowsHost: masker.options.allowsHost,
        }),
      });
    } else if (head.length > 0) {
      socket.unshift(head);
    }
    const live: LiveConnection = {
      closeIfBlocked(policy) {
        if (decide(policy).action !== 'block') return false;
        record.error = 'blocked_by_policy';
        client.destroy();
        return true;
      },
      destroy: () => client.destroy(),
    };
    const entry = parts.webSockets.add(live);
    parts.observer.connection('websocket', 1);
    client.once('close', () => {
      parts.webSockets.delete(entry);
      parts.observer.connection('websocket', -1);
      finish();
    });
    proxy ??= new UpgradeProxy();
    proxy.carry({
      client,
      path,
      answerFields: decision.action === 'warn' ? { 'x-privet-warning': warningOf(decision, confirmAt) } : {},
      origin: `${target.scheme}://${formatAuthority(target.host, target.port, target.scheme)}`,
      headers: upgradeHeaders(request, target, { inspected, fields }),
      agent: egressAgent(target, parts.egress, parts.upstream, client),
      answerMs: parts.upstream.firstByteMs,
      onError: (error) => {
        const known = upstreamError(error);
        finish(known);
        sendRaw(socket, known, record.requestId);
      },
    });
    // The host may have been blocked in the meantime.
    if (parts.closesBlocked()) live.closeIfBlocked(parts.snapshot().policy);
  } catch (error) {
    const known =
      error instanceof PrivetError
        ? error
        : new PrivetError('internal', 'The gateway failed to serve this upgrade.', { cause: error });
    if (known.code === 'internal') parts.observer.fault({ requestId: record.requestId, error });
    finish(known);
    sendRaw(socket, known, record.requestId);
  }
}

/** Throws if the client has already left: its close event fired before there was a listener. */
function checkIsThere(socket: Socket): void {
  if (socket.destroyed) throw new PrivetError('bad_request', 'The client disconnected.');
}

/** The upstream headers: end-to-end ones in the client's case, the two for the upgrade, and Host. */
function upgradeHeaders(
  request: UpgradeRequest,
  target: Target,
  { inspected, fields }: { readonly inspected: boolean; readonly fields: FieldValues | undefined },
): Record<string, string | string[]> {
  const kept = endToEndHeaders(request.rawHeaders, inspected ? droppedExtensions : keptExtensions);
  const raw = withValues(kept, fields);
  const headers = Object.assign(newFieldMap(), {
    Host: headerValue(request.rawHeaders, 'host') ?? formatAuthority(target.host, target.port, target.scheme),
    // Lower case, as http-proxy expects.
    connection: 'Upgrade',
    upgrade: 'websocket',
  });
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string;
    if (name.toLowerCase() !== 'host') addField(headers, name, raw[i + 1] as string);
  }
  return headers;
}

/**
 * An agent for one connection, opened through the egress guard and, for https, verified like all upstream TLS. A client
 * that leaves during the handshake aborts it.
 */
function egressAgent(target: Target, egress: Egress, upstream: Upstream, client: Duplex): Agent {
  const agent = target.scheme === 'https' ? new https.Agent() : new http.Agent();
  const connect = async (): Promise<net.Socket> => {
    const socket = await egress.connect(target.host, target.port);
    // A WebSocket closes both directions; only tunnels can be half-open.
    socket.allowHalfOpen = false;
    if (target.scheme === 'http') return socket;
    const secured = tls.connect({
      socket,
      ...(target.hostKind === 'name' ? { servername: target.host } : { host: target.host }),
      secureContext: upstream.secureContextFor(target.host),
      ALPNProtocols: ['http/1.1'],
    });
    const end = () => void secured.destroy(new PrivetError('upstream_failed', 'The client disconnected.'));
    if (client.destroyed) end();
    client.once('close', end);
    secured.once('secureConnect', () => {
      client.off('close', end);
      forgetOfferedProtocols(secured);
    });
    return egress.connected(secured, 'secureConnect');
  };
  (agent as { createConnection: unknown }).createConnection = (_options: unknown, done: OnSocket) => {
    connect().then((socket) => done(null, socket), done);
  };
  return agent;
}

type OnSocket = (error: Error | null, socket?: net.Socket) => void;
