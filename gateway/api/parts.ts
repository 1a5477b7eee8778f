/** The dependencies of the API and its endpoint groups. */
import type { CertificateAuthority } from '../../certs/ca.ts';
import type { Config } from '../../config/schema.ts';
import type { CidrSet } from '../../policy/address.ts';
import type { Policy } from '../../policy/decide.ts';
import type { ServiceRegistry } from '../../policy/registry.ts';
import type { Inventory } from '../agents/inventory.ts';
import type { Provider, ProviderName } from '../chat-providers/provider.ts';
import type { Learning } from '../discovery/learning.ts';
import type { Feeds } from '../feeds/feeds.ts';
import type { LicenseState } from '../license-state.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Replicas } from '../observe/replicas.ts';
import type { PolicyStore } from '../policy-store.ts';
import type { Reports } from '../report/reports.ts';
import type { Accounts } from '../stores/accounts.ts';
import type { RegistryStore } from '../stores/registry-store.ts';
import type { Stores } from '../stores/stores.ts';
import type { ProxyUsers } from '../users/proxy-users.ts';
import type { Callers } from './auth.ts';
import type { Billing } from './billing.ts';
import type { Detectors } from './detectors.ts';
import type { ConsoleSessions } from './sign-in.ts';

/** Sources of the overview; absent ones are not counted. */
export type OverviewSources = {
  readonly ca: () => { readonly notAfter: Date; readonly fingerprint256: string };
  readonly config: () => ConfigState;
  /** Unregistered hosts that are proposed as services. */
  readonly discoveryProposed?: () => number | Promise<number>;
  /** Hosts that are proposed for bypass. */
  readonly pinsProposed?: () => number | Promise<number>;
};

/** When the configuration was last loaded, its warnings, and why a later one was rejected. */
export type ConfigState = {
  readonly loadedAt: Date;
  readonly warnings: readonly string[];
  readonly problems: readonly string[];
};

export type PolicyParts = {
  readonly store: PolicyStore;
  /** The configuration of the file, and the effective one. */
  readonly file: () => Config;
  readonly current: () => Config;
};

/** The API's dependencies; functions return what the last reload swapped in. */
export type ApiDeps = {
  readonly listen: { readonly host: string; readonly port: number };
  /** Whether other processes listen on the same port (SO_REUSEPORT). */
  readonly sharesPort?: boolean;
  readonly registry: ServiceRegistry;
  readonly registryWriter: RegistryStore;
  readonly policy: () => Policy;
  /** The policy as a document that can be read and replaced. */
  readonly policies?: PolicyParts;
  readonly reports: Reports;
  /** The users that may sign in at the proxy. */
  readonly users?: ProxyUsers;
  readonly metrics: Metrics;
  /** The metrics of all processes on this port, in Prometheus text format; absent for a single process. */
  readonly metricsOfAll?: () => Promise<string>;
  readonly log: Log;
  readonly stores: Stores;
  readonly accounts: Accounts;
  readonly providers: ReadonlyMap<ProviderName, Provider>;
  readonly license: Pick<LicenseState, 'view' | 'refresh' | 'callsThisMonth'>;
  /** Whether /demo is enabled, and its limit per minute and address (default 30). */
  readonly demo: () => { readonly isOn: boolean; readonly callsPerMinute?: number };
  /** Reloads the configuration; returns the errors, empty on success. */
  readonly reload: () => readonly string[] | Promise<readonly string[]>;
  /** Readiness checks of this process: name → whether it passes. */
  readonly checks: () => Readonly<Record<string, boolean>>;
  /** The roots that clients trust. */
  readonly ca?: CertificateAuthority;
  /** Learned by observation: unknown AI services, and clients that reject our certificate. */
  readonly learning?: Learning;
  /** Tools, MCP servers and programs that were seen. */
  readonly agents?: Inventory;
  /** Lists that change the registry. */
  readonly feeds?: Feeds;
  /** Further data of /admin/overview. */
  readonly overview: OverviewSources;
  /** The proxy's address, once it listens; shown by the test console. */
  readonly proxyAddress?: () => { readonly host: string; readonly port: number } | undefined;
  readonly version: string;
  /** Who may read /metrics without a key. */
  readonly metricsAllow: () => CidrSet;
  /** Proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: () => CidrSet;
  /** Origins of browser pages that may read responses. */
  readonly uiOrigins: readonly string[];
};

/** The dependencies of the endpoint groups. */
export type ApiParts = ApiDeps & {
  readonly billing: Billing;
  readonly detectors: Detectors;
  readonly consoleSessions: ConsoleSessions;
  readonly callers: Callers;
  readonly replicas: Pick<Replicas, 'list'>;
  /** Aborted when the listener closes, to end responses that would otherwise never end. */
  readonly closing: AbortSignal;
};
