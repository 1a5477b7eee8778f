/** Builds the gateway from its parts; the only file that knows all of them. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CertificateAuthority } from '../certs/ca.ts';
import { interceptedNames } from '../policy/intercepted-names.ts';
import { requireLicensePlan } from '../policy/license.ts';
import { AgentGuard } from './agents/agent-guard.ts';
import { anonymizerFinder } from './anonymizers.ts';
import { createApi } from './api/server.ts';
import { buildProxy } from './build-proxy.ts';
import { providersOf } from './chat-providers/providers.ts';
import { coachOf } from './coaching.ts';
import { type Configuration, filesOf, readConfiguration } from './configuration.ts';
import { prepareDataDir } from './data-folder.ts';
import { confidenceIn } from './discovery/confidence.ts';
import { Learning, pinEvent } from './discovery/learning.ts';
import { drain } from './drain.ts';
import { Feeds } from './feeds/feeds.ts';
import { greet, tellListeners } from './greeting.ts';
import { ConnectionSet } from './http1/connection-set.ts';
import { openLicense } from './license.ts';
import { LicenseState } from './license-state.ts';
import { AuditLog } from './observe/audit.ts';
import { EventRecorder } from './observe/event-recorder.ts';
import { createLog } from './observe/log.ts';
import { Metrics } from './observe/metrics.ts';
import { Observer } from './observe/observer.ts';
import { PolicyStore } from './policy-store.ts';
import { followCa, revocationBase, withPortal } from './portal/authority.ts';
import { Portal } from './portal/portal.ts';
import { Refusals } from './proxy/answer/refusals.ts';
import { BodyBuffers } from './proxy/body/body-buffers.ts';
import type { ProxyParts } from './proxy/exchange.ts';
import { closeBlocked } from './proxy/listen/live-connections.ts';
import { keptBytesMax, machineOf } from './proxy/listen/machine.ts';
import { SessionKeys } from './proxy/request/session.ts';
import { readClientTls } from './proxy/tls/client-tls.ts';
import { Outbound } from './proxy/upstream/outbound.ts';
import { prepareAll } from './reconfigurable.ts';
import { type Applied, Reloader, restartKeys } from './reload.ts';
import { Reports } from './report/reports.ts';
import { RunningConfig } from './running-config.ts';
import type { StartedGateway, StartOptions } from './running-gateway.ts';
import { ServiceLists } from './service-lists.ts';
import { Snapshots } from './snapshot.ts';
import { Accounts } from './stores/accounts.ts';
import { openAdminKey } from './stores/admin-key.ts';
import { Exceptions } from './stores/exceptions.ts';
import { keepInFile } from './stores/kept-in-file.ts';
import { openSoon, openStores } from './stores/open-stores.ts';
import { RegistryFile } from './stores/registry-file.ts';
import { RegistryStore } from './stores/registry-store.ts';
import { warmUpSoon } from './warm-up.ts';
import { WorkerLink } from './worker-link.ts';
import { firstWorker } from './workers.ts';

/**
 * Starts both listeners, and opens the store first if that is fast.
 * @throws PrivetError with a message for the operator, or the system's error for a port that cannot be used
 */
export async function start(options: StartOptions): Promise<StartedGateway> {
  const { config, settings, worker, workers = 1 } = options;
  const isWorker = worker !== undefined;
  const isQuiet = isWorker && worker !== firstWorker;
  prepareDataDir(settings.dataDir);
  const logging = createLog({ level: settings.logLevel, sink: options.sink });
  const { log } = logging;
  for (const warning of options.warnings) log.warn({ event: 'config_warning' }, warning);

  const registryFile = settings.store === 'memory' ? RegistryFile.unsaved() : RegistryFile.open(settings.dataDir);
  const lists = new ServiceLists({ file: registryFile, services: options.services, log });
  const { registry } = lists;
  const adminKey = openAdminKey({
    dataDir: settings.dataDir,
    ...(settings.adminKey === undefined ? {} : { override: settings.adminKey }),
  });
  const permitted = interceptedNames({ registry, config: config.policy });
  let proxyPort = config.listen.proxy.port;
  const running = new RunningConfig(config);
  const ca = CertificateAuthority.open({
    dir: path.join(settings.dataDir, 'ca'),
    permittedDomains: withPortal(permitted),
    passphrase: settings.caPassphrase,
    revocationBase: () => revocationBase(running.config, proxyPort),
  });
  const stopFollowingCa = followCa(ca, log);
  const metrics = new Metrics({ caNotAfter: () => ca.notAfter });
  const link = isWorker
    ? new WorkerLink({
        ownMetrics: (how) => metrics.collect(how),
        onOrphaned: () => process.kill(process.pid, 'SIGTERM'),
      })
    : undefined;
  logging.onDropped(() => (metrics.auditDropped.with('stdout').value += 1));

  const license = await openLicense(settings);
  if (settings.store === 'postgres') requireLicensePlan(license, 'enterprise', 'The store postgres');
  const stores = await openStores(settings, {
    log,
    onEvicted: (sessions) => (metrics.storeEvictions.value += sessions),
    onError: () => (metrics.storeErrors.with(settings.store).value += 1),
    retention: () => ({ keep: running.config.events.keep, ms: running.config.events.days * 86_400_000 }),
  });
  stores.opened.catch(options.onFatal);
  const { vault } = stores;
  const policies = new PolicyStore({ stores, dataDir: settings.dataDir, log });
  running.prepare(policies.effective(config))();
  const recorder = new EventRecorder({
    events: stores.events,
    log,
    onDropped: (events) => (metrics.auditDropped.with('store').value += events),
  });
  const audit = new AuditLog({
    settings: config.log.audit,
    version: options.version,
    stdout: logging.line,
    log,
    onDropped: (sink, events) => (metrics.auditDropped.with(sink).value += events),
    onEvent: (fields) => recorder.take(fields),
  });
  const licenseState = new LicenseState({
    license,
    stores,
    log,
    dataDir: settings.dataDir,
    version: options.version,
    ...(settings.licenseReportUrl === undefined ? {} : { reportUrl: settings.licenseReportUrl }),
  });
  const learning = await Learning.open({
    stores,
    registry,
    config: running.config,
    dataDir: settings.dataDir,
    log,
    policy: () => snapshots.current.policy,
    onPinChange: (change) => audit.write(pinEvent(change)),
  });
  const endAgentFile = await keepInFile({ stores, kind: 'agent', dataDir: settings.dataDir, log });
  const agents = new AgentGuard({ stores, log, metrics });
  learning.measure(metrics);
  const snapshots = new Snapshots(
    {
      registry,
      learning,
      anonymizer: anonymizerFinder(),
      vault,
      tokenTtlMs: settings.tokenTtlMs,
      secret: stores.secret,
    },
    running.config,
  );
  const { timeouts } = config.upstream;
  const outbound = new Outbound({ config, env: options.env, log });
  const { egress, upstream } = outbound;
  const portal = new Portal({
    ca,
    registry,
    brand: () => running.brand,
    policy: () => snapshots.current.policy,
    stores,
    flushEvents: () => recorder.flush(),
    bypass: () => running.config.policy.bypass,
    publicUrl: () => running.config.ca.public_url,
    proxyPort: () => proxyPort,
    extraPem: () =>
      running.config.upstream.ca_file === null ? '' : readFileSync(running.config.upstream.ca_file, 'utf8'),
  });
  const { coach, acknowledgements } = coachOf({
    stores,
    registry,
    metrics,
    log,
    policy: () => running.config.policy,
    brand: () => running.brand,
  });
  const parts: ProxyParts = {
    snapshot: () => snapshots.current,
    egress,
    upstream,
    vault,
    sessions: new SessionKeys(stores.secret, stores.lineSecret),
    observer: learning.watching(new Observer({ metrics, audit, log })),
    portal,
    probe: (request, decision) => learning.discovery.probe(request, decision),
    webSockets: new ConnectionSet(),
    blockedAnswer: () => running.config.policy.blocked_answer,
    closesBlocked: () => running.config.policy.close_blocked_tunnels,
    agents,
    bodies: new BodyBuffers({ graceMs: timeouts.body, bytesMax: keptBytesMax(machineOf(workers)) }),
    coach,
    refusals: new Refusals({
      registry,
      exceptions: new Exceptions({ records: stores.records }),
      brand: () => running.brand,
    }),
    pseudonym: `privet-${randomBytes(6).toString('hex')}`,
  };
  const { proxy, connect, admission, users, proxyProtocol } = buildProxy({
    parts,
    config,
    ca,
    portal,
    metrics,
    log,
    workers,
    sharesPort: isWorker,
  });
  const closeBlockedTunnels = () => {
    if (!running.config.policy.close_blocked_tunnels) return;
    const closed = closeBlocked([...connect.tunnels.list(), ...connect.webSockets.list()], snapshots.current.policy);
    if (closed > 0)
      log.info({ event: 'tunnels_closed', tunnels: closed }, 'closed tunnels to hosts that are now blocked');
  };
  const onRegistryChange = () => {
    ca.cover(withPortal(interceptedNames({ registry, config: running.config.policy })));
    closeBlockedTunnels();
  };
  const accounts = new Accounts({
    records: stores.records,
    meter: stores.meter,
    changes: stores.changes,
    verifyAdminKey: adminKey.verify,
    get adminKeyPrint() {
      return adminKey.print;
    },
    get callsPerMinute() {
      return running.config.api.rate_limits;
    },
  });
  let lastRead: Configuration = options;
  const feeds = new Feeds({
    settings: () => running.config.feeds,
    stores,
    dataDir: settings.dataDir,
    log,
    fetching: () => ({ egress, upstream }),
    onChange: () => takeFeeds(),
  });
  const takeFeeds = () => {
    const replaceServices = lists.prepare(feeds.over(lastRead.services, running.config.feeds));
    if (replaceServices === undefined) return;
    replaceServices();
    onRegistryChange();
  };
  /** Does everything that can fail first, then switches all parts in one turn of the event loop. */
  const apply = (): Applied => {
    const read = readConfiguration(options, lastRead);
    const next = policies.effective(read.config);
    const needRestart = restartKeys(running.config, next);
    const replaceServices = lists.prepare(feeds.over(read.services, next.feeds));
    // The audit trail comes last: what it opens would stay open if another part failed after it.
    const following = [snapshots, users, outbound, proxy, admission, proxyProtocol, learning, running, audit];
    const commit = prepareAll(following, next);
    replaceServices?.();
    commit();
    lastRead = read;
    log.level = read.settings.logLevel;
    onRegistryChange();
    for (const warning of read.warnings) log.warn({ event: 'config_warning' }, warning);
    return { warnings: [...read.warnings, ...lists.warnings], services: registry.size, needRestart };
  };
  const reloader = new Reloader({
    apply,
    files: () => filesOf(lastRead),
    warnings: [...options.warnings, ...lists.warnings],
    stores,
    metrics,
    log,
  });
  const onPolicyChange = () => {
    prepareAll([snapshots, learning, running], policies.effective(lastRead.config))();
    onRegistryChange();
  };
  if (running.config !== config) onRegistryChange();
  policies.follow(onPolicyChange);
  const reports = new Reports({
    events: stores.events,
    registry,
    log,
    settings: () => running.config.report,
    confidenceOf: (host) => confidenceIn(learning.discovery.find(host)?.finding),
  });
  reports.start();
  let draining = false;
  const api = createApi({
    listen: config.listen.api,
    sharesPort: isWorker,
    ...(link === undefined ? {} : { metricsOfAll: () => link.metricsOfAll() }),
    registry,
    registryWriter: new RegistryStore({
      stores,
      registry,
      shipped: () => lists.services,
      file: registryFile,
      log,
      onChanged: onRegistryChange,
    }),
    policy: () => snapshots.current.policy,
    reports,
    policies: { store: policies, file: () => lastRead.config, current: () => running.config },
    users,
    metrics,
    log,
    stores,
    accounts,
    providers: providersOf(options.env),
    license: licenseState,
    demo: () => {
      const { demo: isOn, rate_limits: limits } = running.config.api;
      return { isOn, ...(limits.demo === undefined ? {} : { callsPerMinute: limits.demo }) };
    },
    reload: () => reloader.reloadAll(),
    checks: () => ({ accepting: !draining, store: stores.isReady() }),
    version: options.version,
    proxyAddress: () => ({ host: config.listen.proxy.host, port: proxyPort }),
    metricsAllow: () => running.metricsAllow,
    trustedProxies: () => running.trustedProxies,
    ca,
    learning,
    agents: agents.inventory,
    feeds,
    overview: { ca: () => ca, config: () => reloader.state, ...learning.proposed },
    uiOrigins: settings.uiOrigins,
  });

  const { proxy_tls: proxyTls } = config.listen;
  const clientTls = proxyTls === null ? undefined : readClientTls(proxyTls);
  await openSoon(stores);
  const proxyAddress = await proxy.listen(config.listen.proxy.host, config.listen.proxy.port);
  proxyPort = proxyAddress.port;
  egress.addOwnPort(proxyPort);
  const tlsAddress = proxyTls && (await proxy.listenTls(proxyTls.listen.host, proxyTls.listen.port, clientTls ?? {}));
  if (tlsAddress) egress.addOwnPort(tlsAddress.port);
  const apiAddress = await api.listen();
  egress.addOwnPort(apiAddress.port);
  link?.listening({ proxyPort: proxyAddress.port, apiPort: apiAddress.port });
  const apiListener = { address: apiAddress.host, port: apiAddress.port };
  tellListeners(log, { proxy: proxyAddress, proxy_tls: tlsAddress, api: apiListener }, { isQuiet });
  if (!isQuiet && !options.isSilent)
    greet({
      logging,
      settings,
      proxyPort,
      apiPort: apiAddress.port,
      adminKey: adminKey.create(),
      unconstrained: !ca.isLimited,
      rootName: ca.root.name,
      hasDemo: config.api.demo,
    });

  takeFeeds();
  feeds.start();
  warmUpSoon(() => void upstream.secureContextFor(''));
  reloader.start({ watch: config.reload.watch });

  return {
    ports: { proxy: proxyPort, api: apiAddress.port },
    reload: () => void reloader.reload('signal'),
    fault: (error) => log.error({ event: 'fault', error }, 'unhandled failure; the gateway keeps running'),
    async stop() {
      draining = true;
      reloader.close();
      feeds.close();
      log.info({ event: 'draining' }, 'waiting for running requests before the process exits');
      await drain({ proxy, api, timeouts });
      await upstream.close(true);
      licenseState.close();
      reports.close();
      await recorder.close();
      await learning.close();
      await agents.inventory.close();
      await endAgentFile();
      stopFollowingCa();
      acknowledgements.close();
      await stores.close();
      await audit.close();
      log.info({ event: 'stopped' }, 'stopped');
      logging.flush();
    },
  };
}
