/** Settings of the tool server out of the environment. */
import { z } from 'zod';
import { PrivetError } from '../core/errors.ts';
import { languages } from './words.ts';

const schema = z.object({
  SERVICE_LANG: z.enum(languages).default('en'),
  SERVICE_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  SERVICE_KEY: z.string().min(24).max(512).optional(),
  PROXY_TOKEN_TTL: z.coerce.number().int().min(0).max(31_536_000_000).default(86_400_000),
});

/** What the environment says; an empty variable counts as not set. */
export type ServiceSettings = {
  readonly lang: (typeof languages)[number];
  readonly baseUrl?: string;
  /** Bearer key of the HTTP form. */
  readonly key?: string;
  readonly ttlMs: number;
};

/** @throws PrivetError `invalid_input` that names the variable and what it may be. */
export function settingsFrom(env: Readonly<Record<string, string | undefined>>): ServiceSettings {
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => (env[name] ? [[name, env[name].trim()]] : [])),
  );
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new PrivetError('invalid_input', `${issue?.path.join('.')}: ${issue?.message}.`, {
      hint: 'SERVICE_LANG is en or ja, SERVICE_BASE_URL an http(s) address, SERVICE_KEY has at least 24 characters, PROXY_TOKEN_TTL is in milliseconds.',
    });
  }
  const { SERVICE_LANG: lang, SERVICE_BASE_URL: baseUrl, SERVICE_KEY: key, PROXY_TOKEN_TTL: ttlMs } = parsed.data;
  return { lang, ttlMs, ...(baseUrl === undefined ? {} : { baseUrl }), ...(key === undefined ? {} : { key }) };
}
