/**
 * The configuration in force: defaults, then the file, then the environment, then flags.
 * Every fault of all four is reported at once, with file, line and column.
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

/** `file`: default is the variable PROXY_CONFIG; without either only defaults, environment and flags count. */
export type LoadOptions = {
  readonly file?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags?: Flags;
};

export type Loaded = {
  readonly config: Config;
  readonly settings: Settings;
  /** Sentences about what works but is probably not meant. */
  readonly warnings: readonly string[];
  /** The file as it was parsed, to find the place of what is doubtful; undefined without a file. */
  readonly yaml?: YamlText;
};

/** What could be read, and what is wrong with the rest of it, which has its defaults in `loaded`. */
export type Attempt = {
  /** Undefined where nothing could be read. */
  readonly loaded: Loaded | undefined;
  readonly problems: readonly Problem[];
  /** Where a value of `loaded` stands in the file. */
  readonly pathInFile: (path: KeyPath) => KeyPath;
};

/**
 * Reads and checks the configuration. The result is frozen.
 * @throws ConfigError with every fault; also for a file that cannot be read.
 */
export function loadConfig(options: LoadOptions): Loaded {
  const { loaded, problems } = attemptConfig(options);
  if (loaded === undefined || problems.length > 0) throw new ConfigError(problems);
  return loaded;
}

/** As {@link loadConfig}, for whoever has more to check: its faults are told beside those found here. */
export function attemptConfig({ file, env, flags = {} }: LoadOptions): Attempt {
  const configFile = file ?? (env.PROXY_CONFIG === '' ? undefined : env.PROXY_CONFIG);
  const environment = readEnvironment(env, flags);
  const fromFile: Parsed = configFile === undefined ? parseConfig('', '') : readConfig(configFile);
  const problems = [...fromFile.problems, ...environment.problems];
  const { config: whole, rest } = fromFile;
  const { data: base, pathInFile } = whole === undefined ? (rest?.() ?? nothing) : { ...nothing, data: whole };
  if (base === undefined) return { loaded: undefined, problems, pathInFile };

  const { overrides } = environment;
  const proxy = {
    host: overrides.gatewayHost ?? base.listen.proxy.host,
    port: overrides.gatewayPort ?? base.listen.proxy.port,
  };
  const api = { host: overrides.host ?? base.listen.api.host, port: overrides.port ?? base.listen.api.port };
  const config: Config = deepFreeze({
    ...base,
    listen: { ...base.listen, proxy, api },
    workers: overrides.workers ?? base.workers,
    log: { ...base.log, level: overrides.logLevel ?? base.log.level },
  });
  const settings: Settings = deepFreeze({
    ...environment.settings,
    // Workers share tokens, and the smallest store that can be shared needs nothing installed.
    store: environment.settings.store ?? (config.workers === 1 ? 'memory' : 'sqlite'),
    ...(configFile === undefined ? {} : { configFile }),
    logLevel: config.log.level,
    host: api.host,
    port: api.port,
    gatewayHost: proxy.host,
    gatewayPort: proxy.port,
  });
  // Defaults in the place of what is wrong would be judged.
  if (!problems.some(({ key }) => openness.test(key))) problems.push(...openProxyProblems(config, configFile));
  const { yaml } = fromFile;
  if (!problems.some(({ key }) => listening.test(key))) {
    problems.push(...listenerProblems(config, { file: configFile, yaml, overrides, flags }));
  }
  const loaded = { config, settings, warnings: warningsOf(config), ...(yaml === undefined ? {} : { yaml }) };
  return { loaded, problems, pathInFile };
}

/** What says who may come in, in the file and the environment. */
const openness =
  /^(?:GATEWAY_HOST$|--gateway-host$|listen$|listen\.proxy(?:_tls)?\b|auth$|auth\.clients\b|auth\.proxy(?:$|\.(?:mode|exempt)\b))/;

/** What says where is listened. */
const listening =
  /^(?:(?:GATEWAY_)?(?:HOST|PORT)$|--(?:gateway-)?(?:host|port)$|listen$|listen\.(?:proxy|api|proxy_tls)\b)/;

const nothing = { data: undefined, pathInFile: (path: KeyPath) => path };

/**
 * Checks the text of a configuration file by itself, as for an editor or an API.
 * `config` is undefined when there are problems.
 */
export function parseConfig(text: string, file: string): { config?: Config; problems: Problem[] } {
  const { config, problems } = parsed(new YamlText(text, file), file);
  return config === undefined ? { problems } : { config, problems };
}

/** `rest`: what is left of a file with faults. */
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

/** A proxy that the whole internet may use is refused, whatever the listener: networks change around a process. */
function openProxyProblems(config: Config, configFile: string | undefined): Problem[] {
  const { listen, auth } = config;
  const tls = listen.proxy_tls;
  const isOpen = !isLoopback(listen.proxy.host);
  // Whoever shows a certificate of ours is known.
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
  const place = isRead ? new YamlText(text, configFile).placeOfValue(path) : { line: 0, column: 0 };
  const message = isSignedIn
    ? 'would make an open proxy: name the networks whose clients need no credentials'
    : 'would make an open proxy: name the client networks, or set auth.proxy.mode to basic';
  return [{ file: configFile ?? 'defaults', ...place, key, message }];
}

/**
 * Half of the internet twice is all of it, and 2000::/3 holds every public IPv6 address. No private network is so wide.
 * All of IPv4 may also be written inside IPv6.
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
    warnings.push('auth.proxy.mode is basic without any user: nobody can use the proxy.');
  }
  if (mode === 'none' && users.length > 0) {
    warnings.push('auth.proxy.users are not asked for, because auth.proxy.mode is none.');
  }
  if (!config.egress.deny_private) {
    warnings.push('egress.deny_private is false: clients reach every private address that the gateway reaches.');
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
