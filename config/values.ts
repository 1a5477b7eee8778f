/** The value types of the configuration, each with its validation and spelling. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { Hours } from '../policy/hours.ts';

/** An address to listen on; port 0 = a free port. */
export type Listen = { readonly host: string; readonly port: number };

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const unitBytes = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30 } as const;

/** A hundred years: beyond that some times are outside the range of Date. */
const durationMsMax = 100 * 366 * unitMs.d;
/** Node timers with a longer delay fire immediately. */
const timerMsMax = 2 ** 31 - 1;

/** `10s`, `5m`, `1h`, `1d`, `250ms`, or a number of milliseconds → milliseconds. */
export const duration = z
  .union([z.number(), z.string()], 'must be a duration like "10s" or a number of ms')
  .transform((value, context) => {
    const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/.exec(String(value).trim());
    if (match === null)
      return wrong(context, 'must be a duration like "250ms", "10s", "5m", "1h" or a number of milliseconds');
    const ms = Math.round(Number(match[1]) * unitMs[(match[2] ?? 'ms') as keyof typeof unitMs]);
    return ms <= durationMsMax ? ms : wrong(context, 'must be at most a hundred years');
  });

/** A duration used for a timer. */
export const timeLimit = duration.refine((ms) => ms <= timerMsMax, 'must be at most 24d');

/** `32MiB`, `500kB`, or a number of bytes → bytes. */
export const byteSize = z
  .union([z.number(), z.string()], 'must be a size like "32MiB" or a number of bytes')
  .transform((value, context) => {
    const match = /^(\d+(?:\.\d+)?)\s*([kmg]?i?b)?$/i.exec(String(value).trim());
    const unit = unitBytes[(match?.[2] ?? 'B').toUpperCase() as keyof typeof unitBytes];
    const bytes = match === null || unit === undefined ? Number.NaN : Math.round(Number(match[1]) * unit);
    if (!Number.isSafeInteger(bytes) || bytes < 1)
      return wrong(context, 'must be a size like "32MiB", "500kB" or a number of bytes');
    return bytes;
  });

/** `127.0.0.1:3128`, `[::1]:3128`, `:3128` (all addresses), or a port alone (loopback). */
export const listen = z.union([z.number(), z.string()], 'must be host:port').transform((value, context): Listen => {
  const match = /^(?:(\[[^\]]*\]|[^:[\]\s]*):)?(\d{1,5})$/.exec(String(value).trim());
  const port = Number(match?.[2] ?? Number.NaN);
  if (match === null || !(port <= 65535)) return wrong(context, 'must be host:port with a port from 0 to 65535');
  const host = (match[1] ?? '127.0.0.1').replace(/^\[|\]$/g, '');
  if (match[1]?.startsWith('[') && isIP(host) !== 6)
    return wrong(context, 'must be host:port with an IPv6 address in the brackets');
  return { host: host === '' ? '0.0.0.0' : host, port };
});

/** A port to connect to. */
export const port = z
  .number('must be a port number')
  .int('must be a port number')
  .min(1, 'must be 1 to 65535')
  .max(65535, 'must be 1 to 65535');

/** `10.0.0.0/8` or an address. */
export const network = z
  .string('must be a network')
  .refine(isNetwork, 'must be a network like "10.0.0.0/8" or "fd00::/8", or an address');

/** A network, or one of the words `loopback` and `private`. */
export const networkOrWord = z
  .string('must be a network')
  .refine(
    (text) => text === 'loopback' || text === 'private' || isNetwork(text),
    'must be a network like "10.0.0.0/8", an address, "loopback" or "private"',
  );

/** A host (itself and all below it), `*.host`, a pattern with `*` inside a label, an address or a network. */
export const hostOrNetwork = z
  .string('must be a host')
  .refine(
    (text) => isNetwork(text) || isHost(text),
    'must be a host like "example.com" or "*.example.com", or a network',
  );

/** A host in lower case, without `*`. */
export const host = z
  .string('must be a host')
  .refine((text) => isHost(text) && !text.includes('*'), 'must be a host name');

/** `host:port` or `[ipv6]:port`. */
export const endpoint = z.string('must be host:port').refine((text) => {
  const match = /^(\[[^\]]+\]|[^:[\]\s]+):(\d{1,5})$/.exec(text);
  const number = Number(match?.[2] ?? Number.NaN);
  return match !== null && isHost((match[1] ?? '').replace(/^\[|\]$/g, '')) && number >= 1 && number <= 65535;
}, 'must be host:port, the port from 1 to 65535');

/** The address of a name server, with a port if it is not 53: `10.0.0.53`, `10.0.0.53:5353`, `[fd00::53]:53`. */
export const dnsServer = z.string('must be an address').refine((text) => {
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text);
  if (isIP(text) !== 0) return true;
  return isIP(match?.[1] ?? match?.[2] ?? '') !== 0 && (match?.[3] === undefined || Number(match[3]) <= 65535);
}, 'must be the address of a name server like 10.0.0.53 or 10.0.0.53:5353');

/** `mon-fri 08:00-18:00 Asia/Tokyo`; parsed in policy/hours.ts. */
export const hours = z
  .string('must be a weekly time range')
  .refine(isSpanOfWeek, 'must be a weekly time range like "mon-fri 08:00-18:00 Asia/Tokyo" with a known time zone');

/** `2026-12-31` (inclusive, UTC) or `2026-12-31T18:00:00+01:00`; parsed in policy/rule.ts. */
export const expiry = z.string('must be a day like 2026-12-31').refine((text) => {
  const day = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/.exec(text)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(text))) return false;
  // Date.parse reads 31 February as 3 March.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}, 'must be a day like 2026-12-31 (inclusive, UTC) or a time like 2026-12-31T18:00:00Z');

/** An exact text, or a regular expression as `/pattern/flags`; compiled in core/dictionary/dictionary.ts. */
export const dictionaryPattern = z
  .string('must be a text, or a regular expression like /pattern/flags')
  .min(1)
  .max(500)
  .refine((text) => {
    const written = /^\/(.+)\/([imsu]*)$/s.exec(text);
    if (written === null) return true;
    try {
      new RegExp(written[1] ?? '', `g${written[2]}`);
      return true;
    } catch {
      return false;
    }
  }, 'is not a valid regular expression; write it as /pattern/flags with the flags i, m, s or u');

function isNetwork(text: string): boolean {
  const [ip = '', length, ...rest] = text.split('/');
  const version = isIP(ip);
  if (version === 0 || rest.length > 0 || ip.includes('%')) return false;
  if (length === undefined) return true;
  // An IPv4-mapped IPv6 network starts after its first 96 bits.
  const least = version === 6 && ip.includes('.') ? 96 : 0;
  return /^\d{1,3}$/.test(length) && Number(length) >= least && Number(length) <= (version === 4 ? 32 : 128);
}

function isHost(text: string): boolean {
  if (isIP(text) !== 0) return !text.includes('%');
  const bare = text.startsWith('*.') ? text.slice(2) : text;
  // A star stands for letters of the looked-up name, which is ASCII only.
  if (bare.split(/[.\u3002\uff0e\uff61]/).some((label) => label.includes('*') && !/^[\w*-]+$/.test(label)))
    return false;
  return bare !== '*' && canonicalHost(bare.replaceAll('*', 'x')) !== undefined;
}

/** A host in canonical spelling as policy/host.ts makes it, or undefined if it is not a host. IPv6 is not accepted. */
export function canonicalHost(text: string): string | undefined {
  if (text === '' || /[\s/\\?#@%:[\]]/.test(text)) return undefined;
  const name = URL.parse(`http://${text}/`)?.hostname.replace(/\.$/, '') ?? '';
  return name.length <= 253 && /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/.test(name) ? name : undefined;
}

/** Cached results: many rules share a few hours values, and looking up a time zone is slow. */
const spans = new Map<string, boolean>();
const spansMax = 1_000;

function isSpanOfWeek(text: string): boolean {
  const known = spans.get(text);
  if (known !== undefined) return known;
  let isSpan = true;
  try {
    new Hours(text);
  } catch {
    isSpan = false;
  }
  if (spans.size < spansMax) spans.set(text, isSpan);
  return isSpan;
}

function wrong(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

const typeSetting = z.union(
  [z.enum(['on', 'off', 'token', 'redact', 'mask', 'hash', 'block']), z.strictObject({ replace: z.string().max(200) })],
  'must be on, off, token, redact, mask, hash, block or { replace: TEXT }',
);
/** The name of a type of personal data. */
const typeName = z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'must be a type like EMAIL or CREDIT_CARD');
/** A custom recognizer; see core/dictionary/custom-recognizers.ts. */
export const recognizer = z.strictObject({
  type: z.string().max(40),
  forms: z.array(dictionaryPattern).min(1).max(50),
  check: z.enum(['luhn', 'mod97', 'ean']).optional(),
  context: z.array(z.string().min(1).max(500)).max(50).optional(),
  context_needed: z.boolean().optional(),
  score: z.number().min(0).max(1).optional(),
  allow: z.array(dictionaryPattern).max(50).optional(),
});
/** Actions by type. */
export const types = z.record(typeName, typeSetting);
export const name = z.string().min(1).max(200);
/**
 * Text that displays as written: no line breaks or other controls, no bidirectional formatting (UAX #9 §2), which could
 * disguise the text after it, and no unpaired surrogate.
 */
export const plain = (text: z.ZodString) =>
  text
    // No \p class: not every consumer of the published JSON schema supports it.
    .regex(/^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*$/, 'contains control characters')
    .refine((value) => value.isWellFormed(), 'contains control characters');
/** A {@link name} that is {@link plain}. */
export const plainName = plain(name);
export const names = z.array(name);
/** Services by key, name, domain or id (a whole number). */
export const services = z.array(z.union([name, z.int().min(0).transform(String)], 'must be a name or an id'));
/** Users and groups, normalised to NFC as at sign-in. */
export const who = name.normalize('NFC');
/** A list of {@link who}. */
export const whos = z.array(who);
export const path = z.string().min(1);
/** An optional file. */
export const file = path.nullable();
