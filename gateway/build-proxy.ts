/** Builds the proxy listener and its parts: admission, users, interception and tunnels. */
import type { CertificateAuthority } from '../certs/ca.ts';
import { LeafCache } from '../certs/leaf-cache.ts';
import type { Config } from '../config/load.ts';
import type { Log } from './observe/log.ts';
import type { Metrics } from './observe/metrics.ts';
import type { Portal } from './portal/portal.ts';
import { Admission } from './proxy/admit/admit.ts';
import type { ProxyParts } from './proxy/exchange.ts';
import { ProxyListener } from './proxy/listen/listener.ts';
import { ProxyProtocol } from './proxy/listen/proxy-protocol.ts';
import { QuietWatch } from './proxy/listen/quiet-watch.ts';
import { Interceptor } from './proxy/tls/intercept.ts';
import type { ConnectParts } from './proxy/tunnel/connect.ts';
import { ProxyUsers } from './users/proxy-users.ts';

/** The listener, and those of its parts that others use. */
export type BuiltProxy = {
  readonly proxy: ProxyListener;
  readonly connect: ConnectParts;
  readonly admission: Admission;
  readonly users: ProxyUsers;
  readonly proxyProtocol: ProxyProtocol;
};

/** See the head of this file. @throws PrivetError `unavailable` when the users file cannot be read */
export function buildProxy(given: {
  readonly parts: ProxyParts;
  readonly config: Config;
  readonly ca: CertificateAuthority;
  readonly portal: Portal;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly workers: number;
  readonly sharesPort: boolean;
}): BuiltProxy {
  const { parts, config, ca, portal, metrics, log, workers, sharesPort } = given;
  const { header: headerMs, keep_alive: keepAliveMs, tls: handshakeMs, tunnel_idle: idleMs } = config.upstream.timeouts;
  const timeouts = { headerMs, keepAliveMs, handshakeMs };
  const leaves = new LeafCache({ ca, onResult: (result) => (metrics.leafCerts.with(result).value += 1) });
  const interceptor = new Interceptor({ parts, leaves, timeouts });
  const admission = new Admission({ clients: config.auth.clients, limits: config.auth.limits, workers });
  admission.measure(metrics);
  const users = new ProxyUsers({ settings: config.auth.proxy, admission, log });
  const connect: ConnectParts = { ...parts, admission, interceptor, leaves, timeouts, tunnels: new QuietWatch(idleMs) };
  const proxyProtocol = new ProxyProtocol(config.listen.proxy_protocol_from);
  const proxy = new ProxyListener({ sharesPort, parts: connect, proxyProtocol, portal });
  return { proxy, connect, admission, users, proxyProtocol };
}
