/** Opens upstream connections: to a checked or fixed address, or through a parent, with the host's TLS settings. */
import type { Socket } from 'node:net';
import type tls from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { buildConnector as Build } from 'undici';
import type { Connect } from '../../http1/pool.ts';
import type { ParentForm } from '../../http1/request-head.ts';
import { formatAuthority } from '../request/target.ts';
import { forgetOfferedProtocols } from '../tls/offered-protocols.ts';
import type { Egress } from './egress.ts';
import type { Way } from './parents.ts';
import type { UpstreamTls } from './trust.ts';
import { buildConnector } from './undici.ts';

/** `h2`: offers HTTP/2 first. `connectMs`: for TCP and TLS together. */
export type ConnectorOptions = {
  readonly egress: Egress;
  readonly tls: UpstreamTls;
  readonly connectMs: number;
  readonly h2: boolean;
};

/** Maximum number of cached connectors, one per port. */
const connectorsMax = 64;
/** Hosts whose certificate expiry is remembered; more than the sessions that a connector keeps. */
const hostsMax = 1_000;

/** Connections to parent proxies that accept plain requests. */
const parentForms = new WeakMap<Socket, ParentForm>();

/** A connector for our own HTTP/1.1 client. */
export function upstreamConnect(options: ConnectorOptions): Connect {
  const connector = upstreamConnector(options);
  return (origin, callback) => {
    const { protocol, hostname, host, port } = new URL(origin);
    connector({ hostname, host, protocol, port }, (...[error, socket]) => {
      if (error || !socket) callback(error ?? new Error('no connection'));
      else callback(null, socket as Socket, parentForms.get(socket as Socket));
    });
  };
}

/** A connector for undici; names rejected by the egress guard fail with its PrivetError. */
export function upstreamConnector({ egress, tls, connectMs, h2 }: ConnectorOptions): Build.connector {
  const connectors = new Map<string, Build.connector>();
  const validUntil = new LRUCache<string, number>({ max: hostsMax });
  // A connector caches TLS sessions, which belong to the client certificate with which they were opened.
  const keyOf = (port: number, host: string) =>
    tls.contextFor(host) === tls.context ? String(port) : `${port} ${host}`;
  const connectorOf = (port: number, host: string): Build.connector => {
    const secureContext = tls.contextFor(host);
    const key = keyOf(port, host);
    let connector = connectors.get(key);
    if (!connector) {
      connector = buildConnector({
        secureContext,
        keepAliveInitialDelay: 30_000,
        allowH2: h2,
        preferH2: h2,
        timeout: connectMs,
        lookup: egress.lookupFor(port),
      } as Build.BuildOptions);
      if (connectors.size < connectorsMax) connectors.set(key, connector);
    }
    return connector;
  };
  const through = async (ways: readonly Way[], target: Target, callback: Build.Callback): Promise<void> => {
    const { options, host, port } = target;
    try {
      if (options.protocol === 'https:') {
        const httpSocket = await egress.connect(host, port);
        secured({ ...options, hostname: host, port: String(port), httpSocket }, { host, port }, callback);
        return;
      }
      const { socket, parent } = await egress.connectPlain(ways, host, port);
      const origin = `http://${formatAuthority(host, port, 'http')}`;
      if (parent) parentForms.set(socket, { origin, authorization: parent.authorization });
      callback(null, socket);
    } catch (error) {
      callback(error as Error, null);
    }
  };
  const shaping =
    (callback: Build.Callback): Build.Callback =>
    (...result) => {
      const [error, socket] = result;
      // An alert after the handshake (TLS 1.3) gives the reason; otherwise only the end of the connection would be
      // seen.
      if (socket && 'encrypted' in socket) {
        socket.once('error', (alert) => socket.destroy(alert));
        forgetOfferedProtocols(socket as tls.TLSSocket);
      }
      (callback as (...all: unknown[]) => void)(error, socket);
    };
  /**
   * A resumed session shows no certificate, so an expired one would be accepted as long as the server takes its
   * tickets. After expiry the connector drops its sessions, so that the certificate is verified.
   */
  const secured = (options: Build.Options, { host, port }: Place, callback: Build.Callback): void => {
    const done = shaping(callback);
    const place = `${port} ${host}`;
    connectorOf(port, host)(options, (...result) => {
      const socket = result[1] as tls.TLSSocket | null;
      if (socket?.isSessionReused() && (validUntil.get(place) ?? 0) < Date.now()) {
        connectors.delete(keyOf(port, host));
        socket.destroy();
        if (options.httpSocket === undefined) secured(options, { host, port }, callback);
        else callback(Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' }), null);
        return;
      }
      const until = socket?.getPeerX509Certificate()?.validToDate.getTime();
      if (until !== undefined) validUntil.set(place, until);
      (done as (...all: unknown[]) => void)(...result);
    });
  };
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const isSecure = options.protocol === 'https:';
    const fixed = egress.fixedAddress(host);
    const asked = Number(options.port || (isSecure ? 443 : 80));
    const port = fixed?.port ?? asked;
    try {
      if (!fixed && /^[0-9.]+$|:/.test(host)) egress.checkAddress(host, port);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    const ways = egress.waysTo(host, asked);
    if (ways !== undefined) {
      void through(ways, { options, host, port: asked }, callback);
      return;
    }
    const mapped = fixed
      ? { ...options, hostname: fixed.host, port: String(port), ...(isSecure ? { servername: host } : {}) }
      : { ...options, hostname: host, port: String(port) };
    if (isSecure) secured(mapped, { host, port }, callback);
    else connectorOf(port, host)(mapped, shaping(callback));
  };
}

type Place = { readonly host: string; readonly port: number };
type Target = { readonly options: Build.Options; readonly host: string; readonly port: number };
