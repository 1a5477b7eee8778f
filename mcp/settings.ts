/** Settings of the MCP server from the environment. */
import { z } from 'zod';
import { PrivetError } from '../core/errors.ts';
import { languages } from './words.ts';

const keyLength = 'must have 24 to 512 characters';
const ttl = 'must be a whole number of milliseconds, at most 31536000000 (a year); 0 = until the server ends';
const schema = z.object({
  SERVICE_LANG: z.enum(languages, `must be ${languages.join(' or ')}`).default('en'),
  SERVICE_BASE_URL: z.url({ protocol: /^https?$/, error: 'must be an address like https://privet.example' }).optional(),
  SERVICE_KEY: z.string().min(24, keyLength).max(512, keyLength).optional(),
  PRIVET_HASH_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
  PROXY_TOKEN_TTL: z.coerce.number(ttl).int(ttl).min(0, ttl).max(31_536_000_000, ttl).default(86_400_000),
});
type Env = Readonly<Record<string, string | undefined>>;

/** The parsed environment; an empty variable counts as not set. */
export type ServiceSettings = {
  readonly lang: (typeof languages)[number];
  readonly baseUrl?: string;
  /** Bearer key for HTTP. */
  readonly key?: string;
  /** Key of the action `hash`. */
  readonly hashKey?: string;
  readonly ttlMs: number;
};

/** Errors in the environment: the requirement by variable. */
export function settingsFaults(env: Env): Readonly<Record<string, string>> {
  const { error } = parsed(env);
  return Object.fromEntries(error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []);
}

/** @throws PrivetError `invalid_input` with every invalid variable and its requirement */
export function settingsFrom(env: Env): ServiceSettings {
  const { data } = parsed(env);
  if (data === undefined) {
    const faults = Object.entries(settingsFaults(env)).map(([name, message]) => `${name} ${message}`);
    throw new PrivetError('invalid_input', `${faults.join('. ')}.`, { hint: 'Correct the environment.' });
  }
  const {
    SERVICE_LANG: lang,
    SERVICE_BASE_URL: baseUrl,
    SERVICE_KEY: key,
    PRIVET_HASH_KEY: hashKey,
    PROXY_TOKEN_TTL: ttlMs,
  } = data;
  return {
    lang,
    ttlMs,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(key === undefined ? {} : { key }),
    ...(hashKey === undefined ? {} : { hashKey }),
  };
}

function parsed(env: Env) {
  const given = Object.keys(schema.shape).flatMap((name) => (env[name] ? [[name, env[name].trim()]] : []));
  return schema.safeParse(Object.fromEntries(given));
}
