/**
 * The single schema of the configuration file: types, defaults and checks come from here. Sections reject unknown keys;
 * `load.ts` suggests the key that was probably meant.
 */
import { z } from 'zod';
import { policySchema } from './policy-schema.ts';
import {
  byteSize,
  dictionaryPattern,
  dnsServer,
  duration,
  endpoint,
  file,
  host,
  hostOrNetwork,
  listen,
  name,
  names,
  network,
  networkOrWord,
  path,
  port,
  recognizer,
  timeLimit,
  types,
  who,
  whos,
} from './values.ts';

export type { Listen } from './values.ts';

/** Values of `log.level`, most verbose first. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Where tokens and counters may be stored. */
export const stores = ['memory', 'sqlite', 'redis', 'postgres'] as const;

const feed = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, 'must be lower-case letters, digits, "-" and "_"'),
    url: z.url({ protocol: /^https$/, error: 'must be an address like https://lists.example/ai.csv' }).optional(),
    file: path.optional(),
    format: z.enum(['auto', 'csv', 'v2fly', 'yaml']).default('auto'),
    category: z.enum(['approved', 'monitoring', 'blocked']).optional(),
    only: names.default([]),
    without: names.default([]),
    public_key: path.optional(),
    signature: z.enum(['detached', 'jws']).default('detached'),
    approve: z.enum(['manual', 'auto']).default('manual'),
    every: duration.prefault('24h'),
    max_size: byteSize.prefault('16MiB'),
    timeout: timeLimit.prefault('30s'),
  })
  .refine(({ url, file }) => (url === undefined) !== (file === undefined), 'needs either url or file')
  .refine(
    ({ url, public_key: key }) => url === undefined || key !== undefined,
    'needs public_key: content from a url must be signed',
  );

const placeCount = z
  .union([z.int().min(1).max(10_000_000), z.literal('auto')], 'must be a number, or auto')
  .default('auto');

const callsPerMinute = z.int().min(1).optional();

const timeouts = z.strictObject({
  connect: timeLimit.prefault('10s'),
  tls: timeLimit.prefault('10s'),
  dns: timeLimit.prefault('5s'),
  first_byte: timeLimit.prefault('300s'),
  body_idle: timeLimit.prefault('600s'),
  tunnel_idle: timeLimit.prefault('1h'),
  header: timeLimit.prefault('15s'),
  body: timeLimit.prefault('60s'),
  keep_alive: timeLimit.prefault('65s'),
  drain: timeLimit.prefault('30s'),
  drain_delay: timeLimit.prefault('0s'),
});

const parentUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL like http://proxy.example:3128', abort: true })
  .refine((text) => /^https?:\/\/[^/?#]+\/?$/i.test(text), 'must have no path, query or fragment');

const proxyUser = z.strictObject({ name, password_hash: z.string().min(1), groups: whos.default([]) });

const syslogUrl = z
  .url({ protocol: /^syslog(?:\+tcp|\+tls)?$/, error: 'must be an address like syslog+tls://siem.example:6514' })
  .refine(
    (text) => /^[^/]+:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?\/?$/i.test(text),
    'must have a host and a port only',
  );
const format = z.enum(['privet', 'ecs', 'ocsf', 'cef', 'squid']).default('privet');
const auditSink = z.discriminatedUnion(
  'to',
  [
    z.strictObject({
      to: z.literal('file'),
      path,
      format,
      rotate: z
        .strictObject({
          size: byteSize.nullable().default(null),
          every: z.enum(['hour', 'day']).nullable().default(null),
          keep: z.int().min(1).max(10_000).default(14),
          gzip: z.boolean().default(true),
        })
        .refine(({ size, every }) => size !== null || every !== null, 'needs size, every, or both')
        .nullable()
        .default(null),
    }),
    z.strictObject({ to: z.literal('stdout'), format }),
    z.strictObject({
      to: z.literal('syslog'),
      url: syslogUrl,
      format,
      facility: z
        .enum([
          ...(['user', 'daemon', 'auth', 'authpriv', 'audit'] as const),
          ...(['local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'] as const),
        ])
        .default('local0'),
      ca_file: file.default(null),
      cert_file: file.default(null),
      key_file: file.default(null),
      buffer: byteSize.prefault('16MiB'),
    }),
  ],
  'needs a target: file, stdout or syslog',
);

/** The configuration file; every key is optional. */
export const configSchema = z
  .strictObject({
    listen: z
      .strictObject({
        proxy: listen.prefault('127.0.0.1:3128'),
        api: listen.prefault('127.0.0.1:3001'),
        proxy_tls: z
          .strictObject({
            listen,
            cert_file: path,
            key_file: path,
            client_ca_file: file.default(null),
            client_cert: z.enum(['none', 'optional', 'required']).default('none'),
          })
          .refine(
            ({ client_cert: asks, client_ca_file: ca }) => asks === 'none' || ca !== null,
            'needs client_ca_file when client_cert is not none',
          )
          .nullable()
          .default(null),
        proxy_protocol_from: z.array(networkOrWord).default([]),
      })
      .prefault({}),
    workers: z
      .union([z.int().min(1).max(256), z.literal('auto')], 'must be a number from 1 to 256, or auto')
      .default(1),
    policy: policySchema.prefault({}),
    masking: z
      .strictObject({
        types: types.default({}),
        dictionary: z
          .array(
            z.strictObject({
              label: z
                .string()
                .max(40)
                .regex(
                  /^(?!(?:SECURED|SRAG)$)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/,
                  'must be capitals, digits and single underscores, starting with a letter, like PROJECT_NAME',
                ),
              pattern: dictionaryPattern,
            }),
          )
          .default([]),
        recognizers: z.array(recognizer).default([]),
        max_body: byteSize.prefault('32MiB'),
        batch_ttl: duration.prefault('30d'),
        hints: names.default([]),
        link_hosts: z.array(host).default([]),
        uninspectable: z
          .strictObject({
            image: z.enum(['allow', 'omit', 'block']).default('allow'),
            audio: z.enum(['allow', 'omit', 'block']).default('allow'),
            document: z.enum(['extract', 'allow', 'omit', 'block']).default('extract'),
            binary: z.enum(['allow', 'omit', 'block']).default('omit'),
            signed: z.enum(['allow', 'block']).default('block'),
          })
          .prefault({}),
      })
      .prefault({}),
    discovery: z
      .strictObject({
        enabled: z.boolean().default(true),
        shapes: z.boolean().default(true),
        ignore: z.array(hostOrNetwork).default([]),
      })
      .prefault({}),
    ca: z
      .strictObject({
        public_url: z
          .url({ protocol: /^http$/, error: 'must be a URL like http://proxy.example:3128' })
          .nullable()
          .default(null),
        revocation_list: z.boolean().default(true),
      })
      .prefault({}),
    egress: z
      .strictObject({
        deny_private: z.boolean().default(true),
        allow: z.array(networkOrWord).default([]),
        deny: z.array(networkOrWord).default([]),
        ports: z.union([z.literal('any'), z.array(port)], 'must be a list of ports, or any').default([80, 443]),
      })
      .prefault({}),
    upstream: z
      .strictObject({
        ca_file: file.default(null),
        resolve: z.record(host, endpoint).default({}),
        parent: parentUrl.nullable().default(null),
        parents: z
          .array(
            z.strictObject({
              url: z.union([z.literal('direct'), parentUrl], 'must be a URL like http://proxy.example:3128, or direct'),
              hosts: z.array(hostOrNetwork).default([]),
            }),
          )
          .default([]),
        no_proxy: z.array(z.string().min(1)).default([]),
        client_certs: z
          .array(
            z.strictObject({
              host,
              cert_file: path,
              key_file: path,
              passphrase_env: z
                .string()
                .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')
                .optional(),
            }),
          )
          .default([]),
        dns: z.array(dnsServer).default([]),
        timeouts: timeouts.prefault({}),
      })
      .prefault({}),
    auth: z
      .strictObject({
        clients: z.array(networkOrWord).default(['loopback', 'private']),
        limits: z
          .strictObject({
            connections: placeCount,
            client_connections: placeCount,
            tunnels: placeCount,
            client_tunnels: placeCount,
          })
          .prefault({}),
        proxy: z
          .strictObject({
            mode: z.enum(['none', 'basic']).default('none'),
            users: z.array(proxyUser).default([]),
            users_file: file.default(null),
            exempt: z.array(networkOrWord).default([]),
            realm: z
              .string()
              .min(1)
              .max(100)
              .regex(/^[^"\\\p{Cc}]*$/u, 'must not contain quotes or control characters')
              .default('Privet'),
          })
          .prefault({}),
        networks: z.record(network, who).default({}),
      })
      .prefault({}),
    pages: z
      .strictObject({
        company: z.string().min(1).max(100).nullable().default(null),
        logo_file: file.default(null),
        contact: z.string().min(1).max(300).nullable().default(null),
        text: z
          .strictObject({
            en: z.string().max(2000).nullable().default(null),
            ja: z.string().max(2000).nullable().default(null),
          })
          .prefault({}),
      })
      .prefault({}),
    api: z
      .strictObject({
        demo: z.boolean().default(true),
        rate_limits: z
          .strictObject({
            free: callsPerMinute,
            starter: callsPerMinute,
            business: callsPerMinute,
            enterprise: callsPerMinute,
            demo: callsPerMinute,
          })
          .prefault({}),
        metrics_allow: z.array(networkOrWord).default(['127.0.0.0/8', '::1/128']),
        trusted_proxies: z.array(networkOrWord).default([]),
      })
      .prefault({}),
    report: z
      .strictObject({
        every: z.enum(['day', 'week']).default('week'),
        dir: file.default(null),
        formats: z.array(z.enum(['json', 'csv', 'html'])).default(['html', 'csv', 'json']),
        lang: z.enum(['en', 'ja']).default('en'),
        keep: z.int().min(1).max(10_000).default(60),
      })
      .prefault({}),
    feeds: z
      .array(feed)
      .refine((feeds) => new Set(feeds.map(({ name }) => name)).size === feeds.length, 'must have different names')
      .default([]),
    reload: z.strictObject({ watch: z.boolean().default(true) }).prefault({}),
    events: z
      .strictObject({
        keep: z.int().min(100).max(100_000_000).nullable().default(null),
        days: z.int().min(1).max(3_650).default(90),
      })
      .prefault({}),
    log: z
      .strictObject({
        level: z.enum(logLevels).default('info'),
        audit: z
          .strictObject({
            file: file.default(null),
            syslog: syslogUrl.nullable().default(null),
            sinks: z.array(auditSink).default([]),
          })
          .prefault({}),
      })
      .prefault({}),
  })
  .prefault({});

type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** The effective configuration: complete, frozen; durations in milliseconds, sizes in bytes. */
export type Config = DeepReadonly<z.infer<typeof configSchema>>;
