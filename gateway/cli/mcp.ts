/** `privet mcp`: the MCP server for AI clients, local to this machine. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError, type Problem } from '../../config/problem.ts';
import type { CustomRecognizer } from '../../core/dictionary/custom-recognizers.ts';
import type { DictionaryEntry } from '../../core/dictionary/dictionary.ts';
import { packageVersion } from '../version.ts';
import { type Arguments, type CliIo, type Command, UsageError } from './command.ts';

type RunOptions = {
  readonly version: string;
  readonly env: CliIo['env'];
  readonly stdin: CliIo['stdin'];
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly signal: AbortSignal;
  readonly port?: number;
  readonly types?: readonly string[];
  readonly dictionary?: readonly DictionaryEntry[];
  readonly recognizers?: readonly CustomRecognizer[];
  readonly actions?: Readonly<Record<string, unknown>>;
};

/** The program in mcp/ that this command starts. Other rooms may not import it. */
type ToolServer = {
  run(options: RunOptions): Promise<void>;
  /** Invalid variables, and what each must be. */
  settingsFaults(env: CliIo['env']): Readonly<Record<string, string>>;
};

const root = join(import.meta.dirname, '../..');
const portDefault = 3002;

export const mcp: Command = {
  usage: 'mcp [--http]',
  help:
    'MCP server on standard input and output; no network.\n' +
    'Environment: SERVICE_LANG (en, ja), PROXY_TOKEN_TTL (ms), PRIVET_HASH_KEY (for the action hash), and for --http\n' +
    'SERVICE_KEY (default: a new key, which is shown).',
  options: {
    http: { help: 'serve Streamable HTTP at 127.0.0.1 instead of standard input and output' },
    port: { value: 'PORT', help: `port of --http (default ${portDefault}, 0 chooses a free one)` },
    config: {
      value: 'FILE',
      help: 'configuration file with masking.types, .dictionary and .recognizers (default PROXY_CONFIG)',
    },
  },
  words: [0, 0],
  async run(args, io) {
    const port = portOf(args);
    const end = new AbortController();
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => end.abort());
    useCompileCache(io.env);
    const { run, settingsFaults } = (await import(pathToFileURL(join(root, 'mcp/main.ts')).href)) as ToolServer;
    const masking = await checkedMasking(args, io, settingsFaults(io.env));
    await run({
      version: packageVersion(),
      env: io.env,
      stdin: io.stdin,
      // Use the streams directly: output must not wait until the command ends.
      stdout: process.stdout,
      stderr: process.stderr,
      signal: end.signal,
      port,
      ...masking,
    });
    return 0;
  },
};

/** Compiled code is cached, because a client starts a server for each of its windows. */
function useCompileCache(env: CliIo['env']): void {
  // A folder that only this user can write: other users can put files into the shared temporary folder.
  const folder = env.XDG_CACHE_HOME || (env.HOME ? join(env.HOME, '.cache') : undefined);
  if (folder !== undefined) enableCompileCache(join(folder, 'privet'));
}

function portOf(args: Arguments): number | undefined {
  const port = args.get('port');
  if (!args.has('http')) {
    if (port !== undefined) throw new UsageError('--port needs --http');
    return undefined;
  }
  if (port === undefined) return portDefault;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new UsageError('--port is a number from 0 to 65535');
  return Number(port);
}

/**
 * The masking settings of the configuration file.
 * @throws ConfigError with all errors of the file and of the environment, which are given as `faults`
 */
async function checkedMasking(
  args: Arguments,
  io: CliIo,
  faults: Readonly<Record<string, string>>,
): ReturnType<typeof maskingOf> {
  const problems = Object.entries(faults).map(
    ([key, message]): Problem => ({ file: 'environment', line: 0, column: 0, key, message }),
  );
  try {
    const masking = await maskingOf(args, io);
    if (problems.length === 0) return masking;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // Both read the token lifetime.
    problems.push(...error.problems.filter(({ key }) => faults[key] === undefined));
  }
  throw new ConfigError(problems);
}

/** The masking of the configuration file; without a file nothing is loaded, because the client is waiting. */
async function maskingOf(
  args: Arguments,
  io: CliIo,
): Promise<Pick<RunOptions, 'types' | 'dictionary' | 'recognizers' | 'actions'>> {
  const file = args.get('config');
  if (file === undefined && !io.env.PROXY_CONFIG) return {};
  const { loadConfig } = await import('../../config/load.ts');
  const { typesOn } = await import('../../core/types.ts');
  const { refusedTerms } = await import('../configuration.ts');
  const loaded = loadConfig({ file, env: io.env });
  const { masking } = loaded.config;
  const problems = refusedTerms(loaded);
  if (problems.length > 0) throw new ConfigError(problems);
  const { recognizersOf } = await import('../own-recognizers.ts');
  return {
    types: typesOn(masking.types),
    dictionary: masking.dictionary,
    recognizers: recognizersOf(masking),
    actions: masking.types,
  };
}
