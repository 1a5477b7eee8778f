/**
 * Loads the configuration with everything it refers to: its registry file and dictionary. Start, reload and `privet
 * config check` all use this, so that none accepts what another rejects.
 */
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Fault, problemOf } from '../config/fault.ts';
import {
  attemptConfig,
  type Config,
  ConfigError,
  type Loaded,
  type LoadOptions,
  type Problem,
} from '../config/load.ts';
import { whyUnreadable } from '../config/problem.ts';
import { readServices, type ServicesFile } from '../config/services.ts';
import { type CustomRecognizer, customRecognizers } from '../core/dictionary/custom-recognizers.ts';
import { dictionaryProblems } from '../core/dictionary/dictionary.ts';
import { PrivetError } from '../core/errors.ts';
import type { ServiceList } from '../policy/service-table.ts';
import { sinkFaults } from './observe/sinks/open-sinks.ts';
import { recognizersOf } from './own-recognizers.ts';
import { ruleWarnings } from './policy-lint.ts';
import { logoFault } from './portal/brand.ts';
import { clientTlsFaults } from './proxy/tls/client-tls.ts';
import { upstreamFaults } from './proxy/upstream/trust.ts';
import { sqliteFile } from './stores/sqlite/file-name.ts';
import { knownTypes, unknownTypes, unknownTypesOfRules } from './unknown-types.ts';
import { hashKinds, isPasswordHash } from './users/password-forms.ts';

/** A validated configuration, and the services of its registry file (without changes made over the API). */
export type Configuration = Loaded & { readonly services: ServiceList; readonly registryFile: ServicesFile };

/** Marks a file as intentionally empty. */
const noSettings = '{}';

/** With more services than this, service names in rules are not checked at start: that would take half a second. */
const largeRegistry = 200_000;

export type ReadOptions = LoadOptions & {
  /** Whether to check certificates, users and the audit file as well; not needed to show the settings. */
  readonly triesFiles?: boolean;
};

/**
 * Loads and validates everything. `warnings` also list names that refer to nothing, which a later registry may define.
 * `before`: the last result; its services are reused while the registry file is unchanged.
 * @throws ConfigError with every error
 */
export function readConfiguration(options: ReadOptions, before?: Configuration): Configuration {
  const { loaded, problems: found, pathInFile } = attemptConfig(options);
  if (loaded === undefined) throw new ConfigError(found);
  const { config, settings, yaml } = loaded;
  const file = settings.configFile ?? 'configuration';
  const faults = [
    ...termFaults(config),
    ...hashFaults(config),
    // If the dictionary has errors, types named after its labels would be reported as unknown.
    ...(found.some(({ key }) => /^masking(?:$|\.dictionary)/.test(key)) ? [] : typeFaults(config)),
    ...(options.triesFiles === false ? [] : fileFaults(config, options.env)),
  ];
  const { registryFile, faults: ofRegistry, problems: inRegistry } = registryOf(config, before);
  const problems = [
    ...found,
    ...emptied(loaded, before),
    ...unsharedStore(loaded, options),
    ...(options.triesFiles === false ? [] : unusableStore(loaded, options)),
    ...[...faults, ...ofRegistry].map((fault) => problemOf({ ...fault, path: pathInFile(fault.path) }, { file, yaml })),
    ...inRegistry,
  ];
  if (problems.length > 0 || registryFile === undefined) throw new ConfigError(inOrder(problems, file));
  const { services } = registryFile;
  // Unknown names are checked only where that is cheap.
  const known = services.length > largeRegistry ? undefined : services;
  const ofRules = ruleWarnings({ config, services: known, file, yaml });
  const warnings = [...withoutSettings(loaded), ...loaded.warnings, ...ofRules];
  return { ...loaded, warnings, services, registryFile };
}

/** Problems of the file by line, then those of the environment and other files. */
function inOrder(problems: readonly Problem[], file: string): Problem[] {
  const own = problems.filter((problem) => problem.file === file);
  const others = problems.filter((problem) => problem.file !== file);
  return [...own.sort((a, b) => a.line - b.line || a.column - b.column), ...others];
}

/** The services, or the problems: in their file, or with its name if it cannot be read. */
type ReadRegistry = {
  readonly registryFile?: ServicesFile;
  readonly faults: readonly Fault[];
  readonly problems: readonly Problem[];
};

function registryOf({ policy: { registry } }: Config, before: Configuration | undefined): ReadRegistry {
  const message = registry === null ? undefined : whyUnreadable(registry);
  if (message !== undefined) return { faults: [{ path: ['policy', 'registry'], message }], problems: [] };
  try {
    return { registryFile: readServices(registry ?? undefined, before?.registryFile), faults: [], problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { faults: [], problems: error.problems };
  }
}

/** Files that a start opens. A file of users may be made later. */
function fileFaults({ listen, upstream, auth, log, pages }: Config, env: LoadOptions['env']): Fault[] {
  const users = auth.proxy.users_file;
  const ofLogo = logoFault(pages);
  const ofUsers = users === null || isMissing(users) ? undefined : whyUnreadable(users);
  return [
    ...(listen.proxy_tls === null ? [] : clientTlsFaults(listen.proxy_tls)),
    ...upstreamFaults({ caFile: upstream.ca_file, clientCertificates: upstream.client_certs, env }),
    ...(ofUsers === undefined ? [] : [{ path: ['auth', 'proxy', 'users_file'], message: ofUsers }]),
    ...sinkFaults(log.audit),
    ...(ofLogo === undefined ? [] : [{ path: ['pages', 'logo_file'], message: ofLogo }]),
  ];
}

function isMissing(file: string): boolean {
  try {
    statSync(file);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** Processes that share a port must share a store; the default does. */
function unsharedStore({ config, settings }: Loaded, { flags }: LoadOptions): Problem[] {
  const workers = config.workers === 'auto' ? availableParallelism() : config.workers;
  if (workers === 1 || settings.store !== 'memory') return [];
  const [file, key] = flags?.store === undefined ? ['environment', 'PROXY_STORE'] : ['flags', '--store'];
  const message = 'workers cannot share the store memory: choose sqlite (needs no server), redis or postgres';
  return [{ file, line: 0, column: 0, key, message }];
}

/** A SQLite file that cannot be opened, such as a directory, or a file named in a PostgreSQL URL that is missing. */
function unusableStore({ settings: { store, storeUrl } }: Loaded, { flags }: LoadOptions): Problem[] {
  if (storeUrl === undefined) return [];
  const message = store === 'sqlite' ? ofSqlite(storeUrl) : store === 'postgres' ? ofPostgres(storeUrl) : undefined;
  if (message === undefined) return [];
  const [file, key] = flags?.storeUrl === undefined ? ['environment', 'PROXY_STORE_URL'] : ['flags', '--store-url'];
  return [{ file, line: 0, column: 0, key, message }];
}

/** A missing file is created. */
function ofSqlite(url: string): string | undefined {
  const name = sqliteFile(url);
  const message = isMissing(name) ? undefined : whyUnreadable(name);
  return message === undefined ? undefined : `${message}; name a file`;
}

/** Certificates and keys that the driver reads (libpq, "Parameter Key Words"). */
function ofPostgres(url: string): string | undefined {
  const options = URL.parse(url)?.searchParams;
  const files = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => options?.get(name) ?? '');
  return files.flatMap((file) => (file === '' ? [] : (whyUnreadable(file) ?? [])))[0];
}

/** Starting with an empty file is allowed, but may be a mistake. */
function withoutSettings({ yaml, settings }: Loaded): string[] {
  if (yaml === undefined || yaml.value !== undefined) return [];
  return [
    `${settings.configFile} contains no settings, so the defaults apply; write ${noSettings} if that is intended`,
  ];
}

/** A file that has lost all its settings is being written, or the disk is full. Its defaults would let everybody in. */
function emptied({ yaml, settings }: Loaded, before: Configuration | undefined): Problem[] {
  if (before?.yaml?.value === undefined || yaml?.value !== undefined) return [];
  const message = `no longer contains any settings; write ${noSettings} if that is intended`;
  return [{ file: settings.configFile ?? 'configuration', line: 1, column: 1, key: '', message }];
}

/** Dictionary entries that only the engine can reject, such as look-around or a label equal to a built-in type. */
export function refusedTerms({ config, settings, yaml }: Loaded): Problem[] {
  const file = settings.configFile ?? 'configuration';
  return termFaults(config).map((fault) => problemOf(fault, { file, yaml }));
}

function termFaults({ masking }: Config): Fault[] {
  const ofDictionary = dictionaryProblems(masking.dictionary).map(({ index, field = '', position, message }): Fault => {
    const where = position === undefined ? '' : ` (at ${position})`;
    return { path: ['masking', 'dictionary', index], message: `${field}${where} ${message}`.trim() };
  });
  return [...ofDictionary, ...recognizersOf(masking).flatMap(recognizerFaults)];
}

function recognizerFaults(recognizer: CustomRecognizer, index: number): Fault[] {
  try {
    customRecognizers([recognizer]);
    return [];
  } catch (error) {
    if (!(error instanceof PrivetError)) throw error;
    return [{ path: ['masking', 'recognizers', index], message: error.message.replace(/^recognizers\[0\]\.?/, '') }];
  }
}

/** Password hashes of an unsupported kind: the user could never sign in. */
function hashFaults({ auth }: Config): Fault[] {
  return auth.proxy.users.flatMap(({ password_hash: hash }, i): Fault[] => {
    if (isPasswordHash(hash)) return [];
    const message = `must be ${hashKinds}; "privet users hash" makes one`;
    return [{ path: ['auth', 'proxy', 'users', i, 'password_hash'], message }];
  });
}

/** Types that no recognizer finds: `block` for one of them would block nothing. */
function typeFaults({ masking, policy }: Config): Fault[] {
  const known = knownTypes(masking);
  return [...unknownTypes(masking.types, known, ['masking', 'types']), ...unknownTypesOfRules(policy, known)];
}

/** The files a configuration consists of, its own first. A change of any of them triggers a reload. */
export function filesOf({ config, settings }: Pick<Configuration, 'config' | 'settings'>): string[] {
  const { listen, upstream, auth, policy } = config;
  const tls = listen.proxy_tls;
  const named = [
    settings.configFile,
    policy.registry,
    auth.proxy.users_file,
    ...(tls === null ? [] : [tls.cert_file, tls.key_file, tls.client_ca_file]),
    upstream.ca_file,
    ...upstream.client_certs.flatMap(({ cert_file: cert, key_file: key }) => [cert, key]),
  ];
  return named.filter((file) => file !== null && file !== undefined);
}
