/** Settings from the environment and the command line; flags win. */

import { z } from 'zod';
import { suggestion } from './nearest.ts';
import type { Problem } from './problem.ts';
import { logLevels, stores } from './schema.ts';

/** Variables that are also flags, with the flag's name. */
const flagOf = {
  HOST: 'host',
  PORT: 'port',
  GATEWAY_HOST: 'gatewayHost',
  GATEWAY_PORT: 'gatewayPort',
  PROXY_DATA_DIR: 'dataDir',
  WORKERS: 'workers',
  LOG_LEVEL: 'logLevel',
  PROXY_STORE: 'store',
  PROXY_STORE_URL: 'storeUrl',
} as const;
/** Settings available on the command line, unparsed. */
export type Flags = Partial<Record<(typeof flagOf)[keyof typeof flagOf], string>>;

/** Minimum length of a key in `PROXY_STORE_KEY`, in characters. */
export const storeKeyLengthMin = 16;

/** The environment variables equivalent to these flags. */
export function environmentOf(flags: Flags = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(flagOf).flatMap(([name, flag]) => (flags[flag] === undefined ? [] : [[name, flags[flag]]])),
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

const text = z.string().optional();
const nonBlank = (message: string) => z.string().trim().min(1, message);
const hostName = nonBlank('must be an address').regex(/^\S*$/, 'must be an address').optional();
const integer = (min: number, max: number, message: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,16}$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message));
const port = integer(0, 65535, 'must be a port from 0 to 65535').optional();
const workers = 'must be a number from 1 to 256, or auto';
const choice = <const T extends readonly string[]>(list: T) =>
  z
    .enum(list, { error: ({ input }) => `must be one of ${list.join(', ')}${suggestion(String(input), list)}` })
    .optional();
/** A base URL to which paths are appended, so it must not have a query or fragment. */
const baseUrl = z
  .string()
  .refine(
    (url) => /^https?:\/\/[^\s?#]+$/i.test(url) && URL.canParse(url),
    'must be an address like "https://llm.example/v1"',
  )
  .optional();

const variables = {
  HOST: hostName,
  PORT: port,
  GATEWAY_HOST: hostName,
  GATEWAY_PORT: port,
  WORKERS: z.union([z.literal('auto'), integer(1, 256, workers)], workers).optional(),
  LOG_LEVEL: choice(logLevels),
  PROXY_STORE: choice(stores),
  PROXY_STORE_URL: nonBlank('must not be blank').optional(),
  PROXY_DATA_DIR: nonBlank('must be a folder').default('./data'),
  NODE_ENV: z.string().default('production'),
  PROXY_ADMIN_KEY: z.string().min(24, 'must have at least 24 characters').optional(),
  PROXY_CA_PASSPHRASE: text,
  PROXY_LICENSE_KEY: text,
  PROXY_LICENSE_FILE: text,
  PROXY_LICENSE_ISSUER: text,
  PROXY_LICENSE_REPORT_URL: z
    .string()
    .refine(isReportUrl, 'must be an https:// address, or http:// to this machine')
    .optional(),
  PROXY_STORE_KEY: z
    .string()
    .refine(
      (keys) => keys.split(',').every((key) => key.trim().length >= storeKeyLengthMin),
      `must be keys of at least ${storeKeyLengthMin} characters, better 32 random bytes; a comma separates them`,
    )
    .optional(),
  // A hundred years at most: larger values lead to times outside the range of Date.
  PROXY_TOKEN_TTL: integer(0, Number.MAX_SAFE_INTEGER, 'must be a whole number of milliseconds, 0 = no expiry')
    .transform((ms) => Math.min(ms, 100 * 366 * 86_400_000))
    .default(86_400_000),
  // As browsers send them: scheme, host and port only. `*` is not accepted, since the API takes keys.
  UI_ORIGIN: z
    .string()
    .transform((list) => list.split(',').map((entry) => entry.trim().replace(/\/$/, '')))
    .transform((list) => list.filter((entry) => entry !== ''))
    .refine(
      (list) => list.every((entry) => URL.parse(entry)?.origin === entry),
      'must be origins like "https://ui.example", comma separated',
    )
    .default([]),
  // Addresses of the model providers of /chat, read by `providersOf`.
  OPENAI_BASE_URL: baseUrl,
  ANTHROPIC_BASE_URL: baseUrl,
  GOOGLE_GEMINI_BASE_URL: baseUrl,
  CUSTOM_LLM_BASE_URL: baseUrl,
};

/** The variables, parsed. */
export type Variables = { readonly [Name in keyof typeof variables]: z.output<(typeof variables)[Name]> };

/**
 * Reads environment and flags. An empty variable counts as not set. Errors are collected, and a wrong value is replaced
 * by the default.
 */
export function readEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  flags: Flags,
): { variables: Variables; problems: Problem[] } {
  const problems: Problem[] = [];
  const report = (key: string, message: string, file = 'environment') =>
    problems.push({ file, line: 0, column: 0, key, message });
  const values = Object.entries(variables).map(([name, type]) => {
    const option = flagOf[name as keyof typeof flagOf];
    const flag = option === undefined ? undefined : flags[option];
    const { success, data, error } = type.safeParse(flag ?? (env[name] || undefined));
    if (success) return [name, data];
    const message = error.issues[0]?.message ?? '';
    if (flag === undefined) report(name, message);
    else report(`--${kebab(option)}`, message, 'flags');
    return [name, type.parse(undefined)];
  });
  const read = Object.fromEntries(values) as Variables;
  const { PROXY_STORE: store, PROXY_STORE_URL: url } = read;
  const served = url === undefined ? undefined : serverOf(url);
  const isServer = store === 'redis' || store === 'postgres';
  if (isServer && url === undefined) report('PROXY_STORE_URL', `is required with the store ${store}`);
  else if (served !== undefined && served !== store)
    report('PROXY_STORE_URL', `is an address of ${served}; set PROXY_STORE=${served}`);
  else if (isServer && url !== undefined && !isAddressOf(url, store))
    report('PROXY_STORE_URL', `must be an address like ${storeAddresses[store]}`);
  return { variables: read, problems };
}

/** The report must not leave the machine unencrypted. */
function isReportUrl(address: string): boolean {
  const url = URL.parse(address);
  const isOwn = ['localhost', '127.0.0.1', '[::1]'].includes(url?.hostname ?? '');
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isOwn);
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
