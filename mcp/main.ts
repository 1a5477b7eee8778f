/** The MCP server, started by `privet mcp`: over stdio or on a loopback port. Uses no network and no files. */
import { randomBytes } from 'node:crypto';
import { type Readable, Transform, type Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import type { CustomRecognizer } from '../core/dictionary/custom-recognizers.ts';
import type { DictionaryEntry } from '../core/dictionary/dictionary.ts';
import { PrivetError } from '../core/errors.ts';
import { ToolContext } from './context.ts';
import { createToolServer } from './server.ts';
import { languages } from './words.ts';

/** Options for starting the MCP server. */
export type RunOptions = {
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Port for HTTP, 0 for a free one; undefined: standard input and output. */
  readonly port?: number;
  /** Types to detect when a call names none. Default: all. */
  readonly types?: readonly string[];
  readonly dictionary?: readonly DictionaryEntry[];
  readonly recognizers?: readonly CustomRecognizer[];
  readonly actions?: Readonly<Record<string, unknown>>;
  /** Stops the server. */
  readonly signal: AbortSignal;
};

/** Maximum message size on standard input: a text of maximum length with every character escaped. */
const messageBytesMax = 64 * 2 ** 20;

/**
 * Runs until the client closes standard input or `signal` aborts.
 * @throws PrivetError `invalid_input` for an invalid environment variable or dictionary entry
 */
export async function run(options: RunOptions): Promise<void> {
  const settings = settingsFrom(options.env);
  const { hashKey, ...rest } = settings;
  const context = new ToolContext({
    ...options,
    ...rest,
    ...(hashKey === undefined ? {} : { hashKey: Buffer.from(hashKey) }),
  });
  z.config(z.locales[context.lang]()); // The language of messages about invalid arguments.
  if (options.port === undefined) await runStdio(context, options);
  else await runHttp(context, { ...options, port: options.port, key: settings.key });
}

async function runStdio(context: ToolContext, { stdin, stdout, stderr, signal }: RunOptions): Promise<void> {
  const input = stdin.pipe(untilAnswered(context, stdout));
  const transport = new StdioServerTransport(input, stdout, { maxBufferSize: messageBytesMax });
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close']) input.once(event, () => resolve());
    stdin.once('error', () => resolve());
    stdout.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  // Standard output belongs to the protocol. Library messages may quote the input, so only their kind is logged.
  const handle = serveStdio(() => createToolServer(context), {
    transport,
    onerror: (error) =>
      stderr.write(`privet mcp: a message was ignored (${error.name === 'ZodError' ? 'not JSON-RPC' : error.name})\n`),
  });
  await ended;
  await handle.close();
}

/**
 * Passes input on, but delays its end until every request is answered and written: the library aborts running work when
 * the input ends, as in a script (`printf … | privet mcp`).
 */
function untilAnswered(context: ToolContext, stdout: Writable): Transform {
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return new Transform({
    transform(chunk, _encoding, done) {
      done(null, chunk);
    },
    async flush(done) {
      await turn();
      await context.idle();
      // The library writes a response shortly after its tool is done.
      await turn();
      stdout.write('', () => done());
    },
  });
}

async function runHttp(
  context: ToolContext,
  options: RunOptions & { port: number; key: string | undefined },
): Promise<void> {
  const { listenHttp } = await import('./http.ts');
  const key = options.key ?? randomBytes(24).toString('base64url');
  const listener = await listenHttp({ context, key, port: options.port });
  if (options.key === undefined) {
    options.stderr.write(`Key of this run (set SERVICE_KEY to choose it): ${key}\n`);
  }
  const { host, port } = listener;
  options.stdout.write(`${JSON.stringify({ event: 'listening', listener: 'mcp', host, port, path: '/mcp' })}\n`);
  if (!options.signal.aborted) {
    await new Promise((resolve) => options.signal.addEventListener('abort', resolve, { once: true }));
  }
  await listener.close();
}

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
type ServiceSettings = {
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
function settingsFrom(env: Env): ServiceSettings {
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
