/**
 * Loads the configuration: defaults, then the file, then the environment, then flags. Errors in all four are reported
 * together, with file, line and column.
 */
import { type KeyPath, YamlText } from './document.ts';
import { type Flags, readEnvironment, type Settings } from './environment.ts';
import { problemsOfIssues } from './issues.ts';
import { listenerProblems } from './listeners.ts';
import { ConfigError, type Problem, readTextFile } from './problem.ts';
import { type Remainder, remainderOf } from './remainder.ts';
import { type Config, configSchema } from './schema.ts';
import { withEmptySections } from './shape.ts';

export type { Flags, Settings } from './environment.ts';
export { ConfigError, formatProblem, type Problem } from './problem.ts';
export type { Config, Listen } from './schema.ts';

/** `file` defaults to the variable PROXY_CONFIG; without either, only defaults, environment and flags apply. */
export type LoadOptions = {
  readonly file?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags?: Flags;
};

export type Loaded = {
  readonly config: Config;
  readonly settings: Settings;
  /** Warnings about settings that work but are probably not intended. */
  readonly warnings: readonly string[];
  /** The parsed file, to locate warnings; undefined without a file. */
  readonly yaml?: YamlText;
};

/** The settings that could be read, with defaults for the rest, and all problems. */
export type Attempt = {
  /** Undefined if nothing could be read. */
  readonly loaded: Loaded | undefined;
  readonly problems: readonly Problem[];
  /** The position in the file of a value in `loaded`. */
  readonly pathInFile: (path: KeyPath) => KeyPath;
};

/**
 * Loads and validates the configuration. The result is frozen.
 * @throws ConfigError with every error; also for a file that cannot be read.
 */
export function loadConfig(options: LoadOptions): Loaded {
  const { loaded, problems } = attemptConfig(options);
  if (loaded === undefined || problems.length > 0) throw new ConfigError(problems);
  return loaded;
}

/** Like {@link loadConfig}, for callers with further checks: they report their errors together with these. */
export function attemptConfig({ file, env, flags = {} }: LoadOptions): Attempt {
  const configFile = file ?? (env.PROXY_CONFIG === '' ? undefined : env.PROXY_CONFIG);
  const environment = readEnvironment(env, flags);
  const fromFile: Parsed = configFile === undefined ? parseConfig('', '') : readConfig(configFile);
  const problems = [...fromFile.problems, ...environment.problems];
  const { config: whole, rest } = fromFile;
  const { data: base, pathInFile } = whole === undefined ? (rest?.() ?? nothing) : { ...nothing, data: whole };
  if (base === undefined) return { loaded: undefined, problems, pathInFile };

  const { variables } = environment;
  const proxy = {
    host: variables.GATEWAY_HOST ?? base.listen.proxy.host,
    port: variables.GATEWAY_PORT ?? base.listen.proxy.port,
  };
  const api = { host: variables.HOST ?? base.listen.api.host, port: variables.PORT ?? base.listen.api.port };
  const config: Config = deepFreeze({
    ...base,
    listen: { ...base.listen, proxy, api },
    workers: variables.WORKERS ?? base.workers,
    log: { ...base.log, level: variables.LOG_LEVEL ?? base.log.level },
  });
  const settings: Settings = deepFreeze({
    configFile,
    dataDir: variables.PROXY_DATA_DIR,
    nodeEnv: variables.NODE_ENV,
    adminKey: variables.PROXY_ADMIN_KEY,
    caPassphrase: variables.PROXY_CA_PASSPHRASE,
    licenseKey: variables.PROXY_LICENSE_KEY,
    licenseFile: variables.PROXY_LICENSE_FILE,
    licenseIssuer: variables.PROXY_LICENSE_ISSUER,
    licenseReportUrl: variables.PROXY_LICENSE_REPORT_URL,
    // Workers share tokens; sqlite is the smallest store that can be shared without installing anything.
    store: variables.PROXY_STORE ?? (config.workers === 1 ? 'memory' : 'sqlite'),
    storeUrl: variables.PROXY_STORE_URL,
    storeKey: variables.PROXY_STORE_KEY,
    tokenTtlMs: variables.PROXY_TOKEN_TTL,
    uiOrigins: variables.UI_ORIGIN,
    logLevel: config.log.level,
    host: api.host,
    port: api.port,
    gatewayHost: proxy.host,
    gatewayPort: proxy.port,
  });
  // Skip this check when the defaults, not the operator's values, would be judged.
  if (!concern(problems, openness)) problems.push(...openProxyProblems(config, configFile));
  const { yaml } = fromFile;
  if (!concern(problems, listening)) {
    problems.push(...listenerProblems(config, { file: configFile, yaml, variables, flags }));
  }
  const loaded = { config, settings, warnings: warningsOf(config), yaml };
  return { loaded, problems, pathInFile };
}

/** Keys that control who may use the proxy, in the file and the environment. */
const openness = [
  /^(?:GATEWAY_HOST|--gateway-host|listen|auth|auth\.proxy)$/,
  /^(?:listen\.proxy(?:_tls)?|auth\.(?:clients|proxy\.(?:mode|exempt)))\b/,
];

/** Keys that control the listening addresses. */
const listening = [
  /^(?:(?:GATEWAY_)?(?:HOST|PORT)|--(?:gateway-)?(?:host|port)|listen)$/,
  /^listen\.(?:proxy|api|proxy_tls)\b/,
];
/** Whether one of the problems is about these keys. */
const concern = (problems: readonly Problem[], keys: readonly RegExp[]) =>
  problems.some(({ key }) => keys.some((one) => one.test(key)));

const nothing = { data: undefined, pathInFile: (path: KeyPath) => path };

/**
 * Validates the text of a configuration file on its own, for an editor or an API. `config` is undefined when there are
 * problems.
 */
export function parseConfig(text: string, file: string): { config?: Config; problems: Problem[] } {
  const { config, problems } = parsed(new YamlText(text, file), file);
  return config === undefined ? { problems } : { config, problems };
}

/** `rest`: the valid remainder of a file with errors. */
type Parsed = { config?: Config; problems: Problem[]; yaml?: YamlText; rest?: () => Remainder<Config> | undefined };

function parsed(yaml: YamlText, file: string): Parsed {
  if (yaml.problems.length > 0) return { problems: [...yaml.problems] };
  const value = withEmptySections(configSchema, yaml.value);
  const result = configSchema.safeParse(value);
  if (result.success) return { config: deepFreeze(result.data), problems: [], yaml };
  const { issues } = result.error;
  const problems = problemsOfIssues(issues, { yaml, file, schema: configSchema });
  return { problems, yaml, rest: () => remainderOf(configSchema, value, issues) };
}

function readConfig(file: string): Parsed {
  const read = readTextFile(file);
  return typeof read === 'string' ? parsed(new YamlText(read, file), file) : { problems: [read] };
}

/** Rejects a proxy open to the whole internet, on any listener: the network around a process may change. */
function openProxyProblems(config: Config, configFile: string | undefined): Problem[] {
  const { listen, auth } = config;
  const tls = listen.proxy_tls;
  const isOpen = !isLoopback(listen.proxy.host);
  // Clients that present a certificate from our CA are authenticated.
  const isOpenToo = tls !== null && tls.client_cert !== 'required' && !isLoopback(tls.listen.host);
  if (!isOpen && !isOpenToo) return [];
  const everybody = auth.clients.findIndex(isEverybody);
  if (everybody === -1) return [];
  const isSignedIn = auth.proxy.mode !== 'none';
  const exempt = isSignedIn ? auth.proxy.exempt.findIndex(isEverybody) : -1;
  if (isSignedIn && exempt === -1) return [];
  const [key, path] = isSignedIn
    ? [`auth.proxy.exempt[${exempt}]`, ['auth', 'proxy', 'exempt', exempt]]
    : [`auth.clients[${everybody}]`, ['auth', 'clients', everybody]];
  const text = configFile === undefined ? undefined : readTextFile(configFile);
  const isRead = configFile !== undefined && typeof text === 'string';
  const position = isRead ? new YamlText(text, configFile).positionOfValue(path) : { line: 0, column: 0 };
  const message = isSignedIn
    ? 'would make an open proxy: name the networks whose clients need no credentials'
    : 'would make an open proxy: name the client networks, or set auth.proxy.mode to basic';
  return [{ file: configFile ?? 'defaults', ...position, key, message }];
}

/**
 * Two halves of the internet are all of it, and 2000::/3 contains every public IPv6 address. No private network is that
 * large. All of IPv4 can also be written as IPv4-mapped IPv6.
 */
function isEverybody(network: string): boolean {
  return /\/0*[0-4]$/.test(network) || /^[0:]*:ffff:.*\/0*(?:9[6-9]|100)$/i.test(network);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}

function warningsOf(config: Config): string[] {
  const warnings: string[] = [];
  const { unknown, inspect } = config.policy;
  if (unknown !== 'block' && inspect.unknown !== 'tunnel') {
    warnings.push(
      'policy.inspect.unknown is not tunnel: every host is intercepted, so the issuing CA has no name constraints.',
    );
  }
  const { mode, users, users_file: usersFile } = config.auth.proxy;
  if (mode === 'basic' && users.length === 0 && usersFile === null) {
    warnings.push('auth.proxy.mode is basic, but there are no users: nobody can use the proxy.');
  }
  if (mode === 'none' && users.length > 0) {
    warnings.push('auth.proxy.users has no effect, because auth.proxy.mode is none.');
  }
  if (!config.egress.deny_private) {
    warnings.push('egress.deny_private is false: clients can reach every private address that the gateway can reach.');
  }
  return warnings;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}
