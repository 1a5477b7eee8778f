/** Settings from the environment and the command line; flags win. */

import { suggestion } from './nearest.ts';
import type { Problem } from './problem.ts';
import { logLevels, stores } from './schema.ts';

/** Settings available on the command line, under the same names. Values are unparsed. */
const flagNames = [
  'host',
  'port',
  'gatewayHost',
  'gatewayPort',
  'dataDir',
  'workers',
  'logLevel',
  'store',
  'storeUrl',
] as const;
export type Flags = Partial<Record<(typeof flagNames)[number], string>>;

/** Minimum length of a key in `PROXY_STORE_KEY`, in characters. */
export const storeKeyLengthMin = 16;

/** Environment variable → the flag for the same setting. */
const variables = {
  HOST: 'host',
  PORT: 'port',
  GATEWAY_HOST: 'gatewayHost',
  GATEWAY_PORT: 'gatewayPort',
  PROXY_DATA_DIR: 'dataDir',
  WORKERS: 'workers',
  LOG_LEVEL: 'logLevel',
  PROXY_STORE: 'store',
  PROXY_STORE_URL: 'storeUrl',
} as const satisfies Record<string, keyof Flags>;

/** The environment variables equivalent to these flags. */
export function environmentOf(flags: Flags = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, flag]) => (flags[flag] === undefined ? [] : [[name, flags[flag]]])),
  );
}

/** Settings outside the configuration file. Secrets are undefined when not set. */
export type Settings = {
  readonly configFile?: string;
  readonly dataDir: string;
  readonly nodeEnv: string;
  readonly adminKey?: string;
  /** Encrypts the root keys in the data folder. */
  readonly caPassphrase?: string;
  readonly licenseKey?: string;
  readonly licenseFile?: string;
  /** File with the public keys of trusted license issuers, replacing the one in the data folder. */
  readonly licenseIssuer?: string;
  /** Where to send the usage report, instead of the address in the license. */
  readonly licenseReportUrl?: string;
  readonly store: (typeof stores)[number];
  readonly storeUrl?: string;
  readonly storeKey?: string;
  /** How long a token lives after its session was last used; 0 = no expiry. */
  readonly tokenTtlMs: number;
  readonly logLevel: (typeof logLevels)[number];
  /** Origins that may call the API from a browser. */
  readonly uiOrigins: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly gatewayHost: string;
  readonly gatewayPort: number;
};

/** Settings of the environment and flags that can also be set in the file. */
export type Overrides = {
  readonly host?: string;
  readonly port?: number;
  readonly gatewayHost?: string;
  readonly gatewayPort?: number;
  readonly workers?: number | 'auto';
  readonly logLevel?: Settings['logLevel'];
};

export type OwnSettings = Omit<
  Settings,
  'configFile' | 'host' | 'port' | 'gatewayHost' | 'gatewayPort' | 'logLevel' | 'store'
> & {
  /** Undefined: none was chosen. */
  readonly store: Settings['store'] | undefined;
};

/** Addresses of the model providers of /chat, read by `providersOf`. */
const providerAddresses = [
  'OPENAI_BASE_URL',
  'ANTHROPIC_BASE_URL',
  'GOOGLE_GEMINI_BASE_URL',
  'CUSTOM_LLM_BASE_URL',
] as const;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Reads environment and flags. An empty variable counts as not set. Errors are collected, and a wrong value is replaced
 * by the default.
 */
export function readEnvironment(
  env: Env,
  flags: Flags,
): { settings: OwnSettings; overrides: Overrides; problems: Problem[] } {
  const problems: Problem[] = [];
  const report = (file: string, key: string, message: string) =>
    problems.push({ file, line: 0, column: 0, key, message });

  const read = <T>(
    name: keyof typeof variables,
    parse: (text: string) => T | undefined,
    expected: string,
  ): T | undefined => {
    const flag = flags[variables[name]];
    const text = flag ?? textOf(env, name);
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value !== undefined) return value;
    if (flag === undefined) report('environment', name, expected);
    else report('flags', `--${kebab(variables[name])}`, expected);
    return undefined;
  };
  const own = <T>(name: string, parse: (text: string) => T | undefined, expected: string): T | undefined => {
    const text = textOf(env, name);
    const value = text === undefined ? undefined : parse(text);
    if (text !== undefined && value === undefined) report('environment', name, expected);
    return value;
  };
  const oneOf =
    <T extends string>(list: readonly T[]) =>
    (text: string) =>
      list.find((entry) => entry === text);
  const choice = (name: 'PROXY_STORE' | 'LOG_LEVEL', list: readonly string[]) =>
    `must be one of ${list.join(', ')}${suggestion(flags[variables[name]] ?? env[name] ?? '', list)}`;

  const port = 'must be a port from 0 to 65535';
  const overrides: Overrides = {
    host: read('HOST', hostName, 'must be an address'),
    port: read('PORT', integer(0, 65535), port),
    gatewayHost: read('GATEWAY_HOST', hostName, 'must be an address'),
    gatewayPort: read('GATEWAY_PORT', integer(0, 65535), port),
    workers: read(
      'WORKERS',
      (text) => (text === 'auto' ? text : integer(1, 256)(text)),
      'must be a number from 1 to 256, or auto',
    ),
    logLevel: read('LOG_LEVEL', oneOf(logLevels), choice('LOG_LEVEL', logLevels)),
  };
  const store = read('PROXY_STORE', oneOf(stores), choice('PROXY_STORE', stores));
  const storeUrl = read('PROXY_STORE_URL', nonBlank, 'must not be blank');
  if ((store === 'redis' || store === 'postgres') && storeUrl === undefined) {
    report('environment', 'PROXY_STORE_URL', `is required with the store ${store}`);
  }
  const served = storeUrl === undefined ? undefined : serverOf(storeUrl);
  if (served !== undefined && served !== store) {
    report('environment', 'PROXY_STORE_URL', `is an address of ${served}; set PROXY_STORE=${served}`);
  } else if (storeUrl !== undefined && (store === 'redis' || store === 'postgres') && !isAddressOf(storeUrl, store)) {
    report('environment', 'PROXY_STORE_URL', `must be an address like ${storeAddresses[store]}`);
  }
  const settings: OwnSettings = {
    dataDir: read('PROXY_DATA_DIR', nonBlank, 'must be a folder') ?? './data',
    nodeEnv: textOf(env, 'NODE_ENV') ?? 'production',
    adminKey: own(
      'PROXY_ADMIN_KEY',
      (text) => (text.length >= 24 ? text : undefined),
      'must have at least 24 characters',
    ),
    caPassphrase: textOf(env, 'PROXY_CA_PASSPHRASE'),
    licenseKey: textOf(env, 'PROXY_LICENSE_KEY'),
    licenseFile: textOf(env, 'PROXY_LICENSE_FILE'),
    licenseIssuer: textOf(env, 'PROXY_LICENSE_ISSUER'),
    licenseReportUrl: own(
      'PROXY_LICENSE_REPORT_URL',
      reportUrl,
      'must be an https:// address, or http:// to this machine',
    ),
    store,
    storeUrl,
    storeKey: own(
      'PROXY_STORE_KEY',
      storeKeys,
      `must be keys of at least ${storeKeyLengthMin} characters, better 32 random bytes; a comma separates them`,
    ),
    tokenTtlMs: own('PROXY_TOKEN_TTL', tokenTtl, 'must be a whole number of milliseconds, 0 = no expiry') ?? 86_400_000,
    uiOrigins: own('UI_ORIGIN', origins, 'must be origins like "https://ui.example", comma separated') ?? [],
  };
  for (const name of providerAddresses) own(name, baseUrl, 'must be an address like "https://llm.example/v1"');
  return { settings, overrides, problems };
}

function textOf(env: Env, name: string): string | undefined {
  const text = env[name];
  return text === undefined || text === '' ? undefined : text;
}

function nonBlank(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}

function hostName(text: string): string | undefined {
  const host = nonBlank(text);
  return host === undefined || /\s/.test(host) ? undefined : host;
}

function integer(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    if (!/^\d{1,16}$/.test(text.trim())) return undefined;
    const value = Number(text);
    return value >= min && value <= max ? value : undefined;
  };
}

function storeKeys(text: string): string | undefined {
  return text.split(',').every((key) => key.trim().length >= storeKeyLengthMin) ? text : undefined;
}

/** A hundred years at most: larger values lead to times outside the range of Date. */
function tokenTtl(text: string): number | undefined {
  const ms = integer(0, Number.MAX_SAFE_INTEGER)(text);
  return ms === undefined ? undefined : Math.min(ms, 100 * 366 * 86_400_000);
}

/** The report must not leave the machine unencrypted. */
function reportUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname } = new URL(text);
  const isOwn = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isOwn) ? text : undefined;
}

/** A base URL to which paths are appended, so it must not have a query or fragment. */
function baseUrl(text: string): string | undefined {
  return /^https?:\/\/[^\s?#]+$/i.test(text) && URL.canParse(text) ? text : undefined;
}

/** Origins as browsers send them: scheme, host and port only. `*` is not accepted, since the API takes keys. */
function origins(text: string): string[] | undefined {
  const list = text
    .split(',')
    .map((entry) => entry.trim().replace(/\/$/, ''))
    .filter((entry) => entry !== '');
  return list.every((entry) => URL.canParse(entry) && new URL(entry).origin === entry) ? list : undefined;
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const storeAddresses = { redis: 'redis://host:6379/0', postgres: 'postgres://user@host:5432/privet' } as const;

/** The server type of a store URL; undefined for a file. */
function serverOf(url: string): 'redis' | 'postgres' | undefined {
  if (/^rediss?:/i.test(url)) return 'redis';
  return /^postgres(?:ql)?:/i.test(url) ? 'postgres' : undefined;
}

/**
 * Whether the driver can parse the URL. The PostgreSQL driver also accepts a URL with a user but no host, for a Unix
 * socket.
 */
export function isAddressOf(url: string, server: keyof typeof storeAddresses): boolean {
  if (server === 'postgres') {
    if (!/^postgres(?:ql)?:\/\//i.test(url)) return false;
    const address = URL.parse(url) ?? URL.parse(url.replace('@/', '@host/'));
    return address !== null && [address.username, address.password, address.pathname].every(isDecodable);
  }
  const address = /^rediss?:\/\//i.test(url) ? URL.parse(url) : null;
  if (address === null || !isDecodable(address.username) || !isDecodable(address.password)) return false;
  return !Number.isNaN(Number(address.pathname.slice(1)));
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
