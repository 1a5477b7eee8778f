/**
 * Builds the whole gateway out of its parts and runs it: the only place that knows them all.
 */

import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CertificateAuthority } from '../certs/ca.ts';
import { LeafCache } from '../certs/leaf-cache.ts';
import { environmentOf, type Flags } from '../config/environment.ts';
import { type Config, ConfigError, formatProblem, type Settings } from '../config/load.ts';
import { builtinTypes } from '../core/detection.ts';
import { PrivetError } from '../core/errors.ts';
import { allowedHosts } from '../core/url-guard.ts';
import { CidrSet } from '../policy/address.ts';
import { Policy } from '../policy/decide.ts';
import { interceptedNames } from '../policy/intercepted-names.ts';
import { requireEdition } from '../policy/licence.ts';
import { ServiceRegistry } from '../policy/registry.ts';
import type { Service } from '../policy/service.ts';
import { createApi } from './api/server.ts';
import { coachOf } from './coaching.ts';
import { type Configuration, filesOf, readConfiguration } from './configuration.ts';
import { confidenceIn } from './discovery/confidence.ts';
import { Learning, pinEvent } from './discovery/learning.ts';
import { Feeds } from './feeds/feeds.ts';
import { openLicence } from './licence.ts';
import { LicenceState } from './licence-state.ts';
import { AuditLog } from './observe/audit.ts';
import { EventRecorder } from './observe/event-recorder.ts';
import { createLog, type LogHandle } from './observe/log.ts';
import { Metrics } from './observe/metrics.ts';
import { Observer } from './observe/observer.ts';
import { PolicyStore } from './policy-store.ts';
import { followCa, revocationBase, withPortal } from './portal/authority.ts';
import { portalHost } from './portal/page.ts';
import { Portal } from './portal/portal.ts';
import { providersOf } from './providers/providers.ts';
import { Admission } from './proxy/admit.ts';
import { readClientTls } from './proxy/client-tls.ts';
import type { ConnectParts } from './proxy/connect.ts';
import { Interceptor } from './proxy/intercept.ts';
import { ProxyListener } from './proxy/listener.ts';
import { BodyMasker } from './proxy/masking.ts';
import { Outbound } from './proxy/outbound.ts';
import { ProxyProtocol } from './proxy/proxy-protocol.ts';
import type { ProxyParts, ProxySnapshot } from './proxy/request.ts';
import { Roster } from './proxy/roster.ts';
import { SessionKeys } from './proxy/session.ts';
import { type Applied, Reloader } from './reload.ts';
import { Reports } from './report/reports.ts';
import { Accounts } from './stores/accounts.ts';
import { openAdminKey } from './stores/admin-key.ts';
import { openStores } from './stores/open-stores.ts';
import { RegistryFile } from './stores/registry-file.ts';
import { RegistryStore } from './stores/registry-store.ts';
import { ProxyUsers } from './users/proxy-users.ts';
import { WorkerLink } from './worker-link.ts';
import { firstWorker, Workers, workerCount } from './workers.ts';

/** What a started gateway can be asked to do. */
export type RunningGateway = {
  stop(): Promise<void>;
  /** Reads the configuration again, soon. */
  reload(): void;
};

/** Reads the configuration, starts both listeners, and ends the process with one clear sentence when that fails. */
export async function serve(options: {
  env: Readonly<Record<string, string | undefined>>;
  flags?: Flags;
  version: string;
}): Promise<void> {
  // What is asked for during the start is done after it: the configuration may have been read before it changed.
  let isReloadWanted = false;
  process.on('SIGHUP', () => {
    isReloadWanted = true;
  });
  const onStarted = (gateway: RunningGateway) => {
    onSignals(gateway);
    if (isReloadWanted) gateway.reload();
  };
  let loaded: Configuration;
  try {
    loaded = readConfiguration(options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) process.stderr.write(`${formatProblem(problem)}\n`);
    process.exit(2);
  }
  try {
    const count = workerCount(loaded.config);
    const isWorker = process.send !== undefined && options.env.PRIVET_WORKER !== undefined;
    if (count > 1 && !isWorker)
      await superviseWorkers(count, loaded, { ...options.env, ...environmentOf(options.flags) });
    else onStarted(await start({ ...loaded, ...options, ...(isWorker ? { worker: options.env.PRIVET_WORKER } : {}) }));
  } catch (error) {
    endWith(error, loaded.config);
  }
}

/** Runs as the process that starts the workers and passes signals on. */
async function superviseWorkers(count: number, { config, settings }: Configuration, env: StartOptions['env']) {
  if (settings.store === 'memory')
    throw new PrivetError(
      'invalid_input',
      'Workers cannot share the store memory: set PROXY_STORE to sqlite (needs no server), redis or postgres.',
    );
  const { log, flush } = createLog({ level: settings.logLevel });
  const workers = new Workers({ env, log });
  const running: RunningGateway = {
    stop: () => workers.stop().then(flush),
    reload() {
      workers.signal('SIGHUP');
    },
  };
  onSignals(running, () => workers.kill());
  const exitCode = await workers.start(count, config.listen);
  if (exitCode !== undefined) process.exit(exitCode);
  log.info({ event: 'workers_started', workers: count }, 'each worker is a whole gateway on the same ports');
}

/** Ends the process with one sentence. */
function endWith(error: unknown, config: Config): never {
  const isLicence = error instanceof PrivetError && error.code === 'license_invalid';
  process.stderr.write(`${isLicence ? 'LICENSE ERROR' : 'privet'}: ${startError(error, config)}\n`);
  process.exit(1);
}

type StartOptions = Configuration & {
  /** The number of this process among the `workers` of one port. */
  readonly worker?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags?: Flags;
  readonly version: string;
};

async function start(options: StartOptions): Promise<RunningGateway> {
  const { config, settings, worker } = options;
  const isWorker = worker !== undefined;
  const isQuiet = isWorker && worker !== firstWorker;
  prepareDataDir(settings.dataDir);
  const logging = createLog({ level: settings.logLevel });
  const { log } = logging;
  for (const warning of options.warnings) log.warn({ event: 'config_warning' }, warning);

  const registryFile = RegistryFile.open(settings.dataDir);
  let shipped: readonly Service[] = options.services;
  const services = registryFile.apply(shipped);
  for (const warning of services.warnings) log.warn({ event: 'registry_warning' }, warning);
  const registry = new ServiceRegistry(services.services);
  const adminKey = openAdminKey({
    dataDir: settings.dataDir,
    ...(settings.adminKey === undefined ? {} : { override: settings.adminKey }),
  });
  const permitted = interceptedNames({ registry, config: config.policy });
  let proxyPort = config.listen.proxy.port;
  const ca = CertificateAuthority.open({
    dir: path.join(settings.dataDir, 'ca'),
    permittedDomains: withPortal(permitted),
    revocationBase: () => revocationBase(current, proxyPort),
  });
  const stopFollowingCa = followCa(ca, log);
  const metrics = new Metrics({ caNotAfter: () => ca.notAfter });
  const link = isWorker
    ? new WorkerLink({ ownMetrics: () => metrics.collect(), onOrphaned: () => process.kill(process.pid, 'SIGTERM') })
    : undefined;
  const audit = new AuditLog({
    settings: config.log.audit,
    version: options.version,
    stdout: logging.line,
    log,
    onDropped: (sink, events) => (metrics.auditDropped.with(sink).value += events),
    onEvent: (fields) => recorder.take(fields),
  });
  logging.onDropped(() => (metrics.auditDropped.with('stdout').value += 1));

  let current = config;
  const licence = await openLicence(settings);
  if (settings.store === 'postgres') requireEdition(licence, 'enterprise', 'The store postgres');
  const stores = await openStores(settings, {
    log,
    onEvicted: (sessions) => (metrics.storeEvictions.value += sessions),
    onError: () => (metrics.storeErrors.with(settings.store).value += 1),
    retention: () => ({ keep: current.events.keep, ms: current.events.days * 86_400_000 }),
  });
  stores.opened.catch((error: unknown) => endWith(error, config));
  const { vault } = stores;
  const policies = new PolicyStore({ stores, dataDir: settings.dataDir, log });
  let fileConfig = config;
  current = policies.effective(config);
  const recorder = new EventRecorder({
    events: stores.events,
    log,
    onDropped: (events) => (metrics.auditDropped.with('store').value += events),
  });
  const licenceState = new LicenceState({
    licence,
    stores,
    log,
    dataDir: settings.dataDir,
    version: options.version,
    ...(settings.licenseReportUrl === undefined ? {} : { reportUrl: settings.licenseReportUrl }),
  });
  const learning = await Learning.open({
    stores,
    registry,
    config,
    dataDir: settings.dataDir,
    log,
    policy: () => snapshot.policy,
    onPinChange: (change) => audit.write(pinEvent(change)),
  });
  const snapshotOf = (next: Config): ProxySnapshot => ({
    policy: new Policy({ registry, config: next.policy, networks: next.auth.networks, exempt: learning.exempt }),
    masker: new BodyMasker({
      vault,
      types: next.masking.types,
      dictionary: next.masking.dictionary,
      bodyBytesMax: next.masking.max_body,
      uninspectable: next.masking.uninspectable,
      batchTtlMs: next.masking.batch_ttl,
      hints: next.masking.hints,
      allowsHost: allowedHosts(next.masking.link_hosts),
      tokenTtlMs: settings.tokenTtlMs,
      builtinTypes,
    }),
  });
  learning.measure(metrics);
  let snapshot = snapshotOf(current);
  const { timeouts } = config.upstream;
  const outbound = new Outbound({ config, env: options.env, log });
  const { egress, upstream } = outbound;
  const leaves = new LeafCache({ ca, onResult: (result) => (metrics.leafCerts.with(result).value += 1) });
  const portal = new Portal({
    ca,
    registry,
    policy: () => snapshot.policy,
    stores,
    bypass: () => current.policy.bypass,
    publicUrl: () => current.ca.public_url,
    proxyPort: () => proxyPort,
    extraPem: () => (current.upstream.ca_file === null ? '' : readFileSync(current.upstream.ca_file, 'utf8')),
  });
  const parts: ProxyParts = {
    snapshot: () => snapshot,
    egress,
    upstream,
    vault,
    sessions: new SessionKeys(stores.secret),
    observer: learning.watching(new Observer({ metrics, audit, log })),
    portal,
    probe: (request, decision) => learning.discovery.probe(request, decision),
    webSockets: new Roster(),
    coach: coachOf({ stores, registry, metrics, log, policy: () => current.policy }),
    pseudonym: `privet-${randomBytes(6).toString('hex')}`,
  };
  const clientTimeouts = {
    headerMs: timeouts.header,
    keepAliveMs: timeouts.keep_alive,
    handshakeMs: timeouts.tls,
  };
  const interceptor = new Interceptor({ parts, leaves, timeouts: clientTimeouts });
  const admission = new Admission({ clients: config.auth.clients });
  const users = new ProxyUsers({ settings: config.auth.proxy, admission, log });
  const connect: ConnectParts = {
    ...parts,
    admission,
    interceptor,
    leaves,
    blockedAnswer: () => current.policy.blocked_answer,
    tunnelIdleMs: timeouts.tunnel_idle,
    timeouts: clientTimeouts,
    tunnels: new Roster(),
  };
  const proxyProtocol = new ProxyProtocol(config.listen.proxy_protocol_from);
  const proxy = new ProxyListener({
    sharesPort: isWorker,
    parts: connect,
    proxyProtocol,
    portal,
  });
  const onRegistryChange = () => {
    ca.cover(withPortal(interceptedNames({ registry, config: current.policy })));
    closeBlockedTunnels();
  };
  const closeBlockedTunnels = () => {
    if (!current.policy.close_blocked_tunnels) return;
    const standing = [...connect.tunnels.list(), ...connect.webSockets.list()];
    const closed = standing.filter((connection) => connection.closeIfBlocked(snapshot.policy)).length;
    if (closed > 0) log.info({ event: 'tunnels_closed', tunnels: closed }, 'tunnels to hosts that are blocked now');
  };
  const accounts = new Accounts({
    records: stores.records,
    meter: stores.meter,
    changes: stores.changes,
    verifyAdminKey: adminKey.verify,
    adminKeyPrint: adminKey.print,
    get callsPerMinute() {
      return current.api.rate_limits;
    },
  });
  let lastRead: Configuration = options;
  let registryWarnings = services.warnings;
  const feeds = new Feeds({
    settings: () => current.feeds,
    stores,
    dataDir: settings.dataDir,
    log,
    fetching: () => ({ egress, upstream }),
    onChange: () => takeFeeds(),
  });
  const takeFeeds = () => {
    const laid = feeds.over(lastRead.services, current.feeds);
    if (laid.services === shipped) return;
    const next = registryFile.apply(laid.services);
    registry.replaceAll(next.services);
    shipped = laid.services;
    registryWarnings = [...laid.warnings, ...next.warnings];
    for (const warning of registryWarnings) log.warn({ event: 'registry_warning' }, warning);
    onRegistryChange();
  };
  /** All that can be refused comes first; then everything is swapped in one turn. */
  const apply = (): Applied => {
    const read = readConfiguration(options, lastRead);
    const next = policies.effective(read.config);
    const nextSnapshot = snapshotOf(next);
    const laid = feeds.over(read.services, next.feeds);
    const nextServices = laid.services === shipped ? undefined : registryFile.apply(laid.services);
    const nextRegistry = nextServices && new ServiceRegistry(nextServices.services);
    const nextUsers = users.read(next.auth.proxy);
    const nextOutbound = outbound.read(next);
    const nextTls = next.listen.proxy_tls === null ? undefined : readClientTls(next.listen.proxy_tls);
    audit.replace(next.log.audit);
    if (nextRegistry !== undefined) registry.replaceAll(nextRegistry);
    if (nextServices !== undefined) registryWarnings = [...laid.warnings, ...nextServices.warnings];
    shipped = laid.services;
    snapshot = nextSnapshot;
    learning.configure(next);
    const needRestart = restartKeys(current, next);
    current = next;
    fileConfig = read.config;
    lastRead = read;
    admission.replaceClients(next.auth.clients);
    users.replace(next.auth.proxy, nextUsers);
    proxyProtocol.replace(next.listen.proxy_protocol_from);
    if (nextTls !== undefined) proxy.replaceTls(nextTls);
    outbound.replace(nextOutbound);
    metricsAllow = new CidrSet(next.api.metrics_allow);
    log.level = read.settings.logLevel;
    onRegistryChange();
    for (const warning of read.warnings) log.warn({ event: 'config_warning' }, warning);
    for (const warning of nextServices?.warnings ?? []) log.warn({ event: 'registry_warning' }, warning);
    return { warnings: [...read.warnings, ...registryWarnings], services: registry.size, needRestart };
  };
  const reloader = new Reloader({
    apply,
    files: () => filesOf(lastRead),
    warnings: [...options.warnings, ...services.warnings],
    stores,
    metrics,
    log,
  });
  const onPolicyChange = () => {
    const next = policies.effective(fileConfig);
    snapshot = snapshotOf(next);
    current = next;
    onRegistryChange();
  };
  if (current !== config) onRegistryChange();
  policies.follow(onPolicyChange);
  const reports = new Reports({
    events: stores.events,
    registry,
    log,
    settings: () => current.report,
    confidenceOf: (host) => confidenceIn(learning.discovery.find(host)?.finding),
  });
  reports.start();
  let metricsAllow = new CidrSet(config.api.metrics_allow);
  let draining = false;
  const api = createApi({
    listen: config.listen.api,
    sharesPort: isWorker,
    ...(link === undefined ? {} : { metricsOfAll: () => link.metricsOfAll() }),
    registry,
    registryWriter:
      stores.kind === 'memory'
        ? registryFile.writer(registry)
        : new RegistryStore({
            stores,
            registry,
            shipped: () => shipped,
            file: registryFile,
            log,
            onChanged: onRegistryChange,
          }),
    policy: () => snapshot.policy,
    reports,
    policies: { store: policies, file: () => fileConfig, current: () => current },
    users,
    metrics,
    log,
    stores,
    accounts,
    providers: providersOf(options.env),
    licence: licenceState,
    demo: () => {
      const { demo: isOn, rate_limits: limits } = current.api;
      return { isOn, ...(limits.demo === undefined ? {} : { callsPerMinute: limits.demo }) };
    },
    reload: () => reloader.reloadAll(),
    isReady: () => {
      const checks = { accepting: !draining, store: stores.isReady() };
      return { ready: checks.accepting && checks.store, checks };
    },
    version: options.version,
    proxyAddress: () => ({ host: config.listen.proxy.host, port: proxyPort }),
    metricsAllow: () => metricsAllow,
    onRegistryChange,
    ca,
    learning,
    feeds,
    overview: { ca: () => ca, config: () => reloader.state, ...learning.proposed },
    uiOrigins: settings.uiOrigins,
  });

  const { proxy_tls: proxyTls } = config.listen;
  const clientTls = proxyTls === null ? undefined : readClientTls(proxyTls);
  const proxyAddress = await proxy.listen(config.listen.proxy.host, config.listen.proxy.port);
  proxyPort = proxyAddress.port;
  egress.addOwnPort(proxyPort);
  const tlsAddress = proxyTls && (await proxy.listenTls(proxyTls.listen.host, proxyTls.listen.port, clientTls ?? {}));
  if (tlsAddress) egress.addOwnPort(tlsAddress.port);
  const apiAddress = await api.listen();
  egress.addOwnPort(apiAddress.port);
  link?.listening({ proxyPort: proxyAddress.port, apiPort: apiAddress.port });
  const level = isQuiet ? 'debug' : 'info';
  log[level](
    { event: 'listening', listener: 'proxy', host: proxyAddress.address, port: proxyAddress.port },
    'listening',
  );
  if (tlsAddress) {
    const { address: host, port } = tlsAddress;
    log[level]({ event: 'listening', listener: 'proxy_tls', host, port }, 'listening');
  }
  log[level]({ event: 'listening', listener: 'api', host: apiAddress.host, port: apiAddress.port }, 'listening');
  if (!isQuiet)
    greet({
      logging,
      settings,
      proxyPort,
      apiPort: apiAddress.port,
      adminKey: adminKey.created,
      unconstrained: permitted === null,
      rootName: ca.root.name,
    });

  takeFeeds();
  feeds.start();
  reloader.start({ watch: config.reload.watch });

  return {
    reload: () => void reloader.reload('signal'),
    async stop() {
      draining = true;
      reloader.close();
      feeds.close();
      log.info({ event: 'draining' }, 'finishing what runs');
      // A load balancer asks /ready every now and then, and sends new connections until it has heard.
      if (timeouts.drain_delay > 0) await new Promise((resolve) => setTimeout(resolve, timeouts.drain_delay));
      // The API goes last: until then /ready answers 503, which takes this process out of a load balancer.
      await proxy.drain(timeouts.drain);
      await api.close();
      await parts.upstream.close(true);
      licenceState.close();
      reports.close();
      await recorder.close();
      await learning.close();
      stopFollowingCa();
      await stores.close();
      await audit.close();
      log.info({ event: 'stopped' }, 'stopped');
      logging.flush();
    },
  };
}

/** The keys that differ and are read at a start only. */
function restartKeys(before: Config, after: Config): string[] {
  const parts = ({ listen, workers, upstream }: Config): [string, unknown][] => [
    ['workers', workers],
    ['listen', [listen.proxy, listen.api, listen.proxy_tls?.listen]],
    ['upstream.timeouts', upstream.timeouts],
  ];
  const old = new Map(parts(before));
  return parts(after).flatMap(([key, value]) => (isDeepStrictEqual(value, old.get(key)) ? [] : [key]));
}

/** Step by step, because node's own `recursive` never returns where the system refuses a name, as in /proc. */
function makeFolder(dir: string): void {
  if (existsSync(dir)) return;
  const parent = path.dirname(dir);
  if (parent !== dir) makeFolder(parent);
  mkdirSync(dir, { mode: 0o700 });
}

function prepareDataDir(dir: string): void {
  try {
    makeFolder(path.resolve(dir));
    accessSync(dir, constants.W_OK);
  } catch (cause) {
    throw new PrivetError(
      'unavailable',
      `The data folder ${dir} cannot be written; choose another with PROXY_DATA_DIR.`,
      { cause },
    );
  }
}

/** One sentence for the operator. */
function startError(error: unknown, config: Config): string {
  const { code, port } = error as { code?: string; port?: number };
  if (error instanceof PrivetError) return error.message;
  if (code === 'EADDRINUSE') {
    const name = port === config.listen.api.port ? 'PORT' : 'GATEWAY_PORT';
    return `Port ${port} is in use by another program; choose another with ${name}.`;
  }
  if (code === 'EACCES') return `Port ${port} may not be used by this user; choose one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'The address to listen on does not belong to this machine; check listen.proxy and listen.api.';
  return (error as Error).stack ?? String(error);
}

/** What a person who starts the gateway for the first time needs to see; nothing of it on a JSON log but the key event. */
function greet(facts: {
  logging: LogHandle;
  settings: Settings;
  proxyPort: number;
  apiPort: number;
  adminKey: string | undefined;
  unconstrained: boolean;
  rootName: string;
}): void {
  const { settings } = facts;
  const caFile = path.join(settings.dataDir, 'ca', `${facts.rootName}.pem`);
  const proxyUrl = `http://${settings.gatewayHost}:${facts.proxyPort}`;
  if (facts.unconstrained) {
    facts.logging.log.warn(
      { event: 'ca_unconstrained' },
      'the policy may intercept any host, so the issuing CA has no name constraints',
    );
  }
  const lines = [
    '',
    `  Proxy      ${proxyUrl}`,
    `  CA file    ${caFile}`,
    `  API        http://${settings.host}:${facts.apiPort}`,
    `  Console    http://${settings.host}:${facts.apiPort}/console/   (administrators: /admin/)`,
    `  People     http://${portalHost}/   (through the proxy: certificate, what is allowed, what was masked)`,
    ...(facts.adminKey ? [`  Admin key  ${facts.adminKey}   (shown this once)`] : []),
    '',
    '  See it mask something:',
    `    echo 'Write to ana@example.com' | npx privet mask`,
    `    curl --proxy ${proxyUrl} --cacert ${caFile} https://api.openai.com/v1/models`,
    '',
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** `kill`: called at a second signal to end, before the process ends without waiting. */
function onSignals(gateway: RunningGateway, kill = () => {}): void {
  let stopping = false;
  const stop = () => {
    if (stopping) {
      kill();
      process.exit(1);
    }
    stopping = true;
    void gateway.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', () => gateway.reload());
}

/** The version of the package. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string })
    .version;
}
