/**
 * The tool server as a program: on standard input and output, or on a loopback port. `privet mcp` starts it.
 * The process talks to nobody else: no network, no file.
 */
import { randomBytes } from 'node:crypto';
import { type Readable, Transform, type Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import type { DictionaryEntry } from '../core/dictionary.ts';
import { ToolContext } from './context.ts';
import { createToolServer } from './server.ts';
import { settingsFrom } from './settings.ts';

export { settingsFaults } from './settings.ts';

/** What starts the tool server. */
export type RunOptions = {
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Port of the HTTP form, 0 for a free one; undefined: standard input and output. */
  readonly port?: number;
  /** Types that are looked for when a call names none. Default: all. */
  readonly types?: readonly string[];
  readonly dictionary?: readonly DictionaryEntry[];
  /** Ends the server. */
  readonly signal: AbortSignal;
};

/** Longest message on standard input: a text of the greatest length, each character escaped. */
const messageBytesMax = 64 * 2 ** 20;

/**
 * Serves until the client closes standard input or `signal` aborts.
 * @throws PrivetError `invalid_input` for a wrong environment variable or dictionary entry.
 */
export async function run(options: RunOptions): Promise<void> {
  const settings = settingsFrom(options.env);
  const context = new ToolContext({ ...options, ...settings });
  z.config(z.locales[context.lang]()); // What is said of arguments that do not fit.
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
  // Standard output belongs to the protocol; messages of the library may quote what came in, so only the kind is told.
  const handle = serveStdio(() => createToolServer(context), {
    transport,
    onerror: (error) =>
      stderr.write(
        `privet mcp: a message was passed over (${error.name === 'ZodError' ? 'it is no JSON-RPC' : error.name})\n`,
      ),
  });
  await ended;
  await handle.close();
}

/**
 * What comes in, with its end held back until everything is answered and handed over: the library gives up all that it
 * works on when the input ends, which is how a script asks (`printf … | privet mcp`).
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
      // The library writes an answer a moment after its tool is done.
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
