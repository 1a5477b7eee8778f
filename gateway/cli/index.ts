/** The command line: starts the gateway, explains decisions, checks files, shows the CA, masks text. */
import { nearestName } from '../../config/nearest.ts';
import { ConfigError, formatProblem } from '../../config/problem.ts';
import { PrivetError } from '../../core/errors.ts';
import { packageVersion } from '../version.ts';
import { Arguments, type CliIo, type Command, type Output, UsageError } from './command.ts';

export type { CliIo } from './command.ts';

/** Loaded on demand, so that a command does not load the parts of all others. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  demo: async () => (await import('./demo.ts')).demo,
  serve: async () => (await import('./serve.ts')).serve,
  check: async () => (await import('./check.ts')).check,
  report: async () => (await import('./report.ts')).report,
  simulate: async () => (await import('./simulate.ts')).simulate,
  config: async () => (await import('./config.ts')).config,
  ca: async () => (await import('./ca.ts')).ca,
  env: async () => (await import('./env.ts')).env,
  doctor: async () => (await import('./doctor.ts')).doctor,
  mask: async () => (await import('./text.ts')).mask,
  restore: async () => (await import('./text.ts')).restore,
  detect: async () => (await import('./text.ts')).detect,
  keys: async () => (await import('./keys.ts')).keys,
  users: async () => (await import('./users.ts')).users,
  license: async () => (await import('./license.ts')).license,
  registry: async () => (await import('./registry.ts')).registry,
  mcp: async () => (await import('./mcp.ts')).mcp,
};

/**
 * Runs a command, e.g. `['check', 'https://chatgpt.com']`.
 * @returns the exit code: 0 success, 1 failure, 2 wrong usage or configuration. All output is written by then, so the
 * process may exit. Never throws for user errors.
 */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  // A pipe accepts 64 KiB at a time; exiting at once would lose the rest.
  const written: Promise<void>[] = [];
  const tracked = (output: Output): Output => ({
    write: (text) => written.push(new Promise((done) => output.write(text, () => done()))),
  });
  const code = await dispatch(argv, { ...io, stdout: tracked(io.stdout), stderr: tracked(io.stderr) });
  await Promise.all(written);
  return code;
}

async function dispatch(argv: readonly string[], io: CliIo): Promise<number> {
  const [name = 'help', ...args] = argv;
  if (name === '--version' || name === '-v' || name === 'version') return print(io, `${packageVersion()}\n`);
  if (name === 'help' || name === '--help' || name === '-h') return help(args[0], io);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) return unknownCommand(name, io);
  const command = await load();
  try {
    if (args.includes('--help') || args.includes('-h')) return help(name, io);
    return await command.run(Arguments.parse(args, command), io);
  } catch (error) {
    return failure(error, name, io);
  }
}

function failure(error: unknown, name: string, io: CliIo): number {
  if (error instanceof UsageError) {
    io.stderr.write(`privet ${name}: ${error.message}\n`);
    return 2;
  }
  if (error instanceof ConfigError) {
    for (const problem of error.problems) io.stderr.write(`${formatProblem(problem)}\n`);
    return 2;
  }
  if (error instanceof PrivetError) {
    io.stderr.write(`privet ${name}: ${error.message} ${error.hint}\n`);
    return 1;
  }
  if (error instanceof Error && 'syscall' in error) {
    io.stderr.write(`privet ${name}: ${systemFault(error as SystemError)}\n`);
    return 1;
  }
  throw error;
}

type SystemError = NodeJS.ErrnoException & { readonly port?: number };

/** System errors of files and ports as a sentence. */
function systemFault({ code = '', path: file, port, message }: SystemError): string {
  if (port !== undefined && code === 'EACCES')
    return `Port ${port} may not be used by this user; choose one above 1023 with --port.`;
  const what = file === undefined ? 'The named file' : file;
  const sentences: Readonly<Record<string, string>> = {
    ENOENT: `There is no ${file ?? 'such file'}; check its name.`,
    EACCES: `${what} may not be used by this user.`,
    EPERM: `${what} may not be used by this user.`,
    EISDIR: `${what} is a directory; name a file.`,
    ENOTDIR: `${what} cannot exist: a part of its path is not a directory.`,
    ENOSPC: 'The disk is full.',
    EROFS: `${what} cannot be written: its disk is read-only.`,
    EADDRINUSE: `Port ${port} is in use by another program; choose another with --port.`,
  };
  return sentences[code] ?? message;
}

async function help(topic: string | undefined, io: CliIo): Promise<number> {
  if (topic === undefined) return print(io, await overview());
  const load = Object.hasOwn(commands, topic) ? commands[topic] : undefined;
  if (load === undefined) return unknownCommand(topic, io);
  const command = await load();
  const all = Object.entries(command.options).map(
    ([name, option]) => [`--${name}${option.value === undefined ? '' : ` ${option.value}`}`, option.help] as const,
  );
  const width = Math.max(20, ...all.map(([option]) => option.length)) + 2;
  const options = all.map(([option, text]) => `  ${option.padEnd(width)}${text}\n`);
  return print(io, `privet ${command.usage}\n\n${command.help}\n${options.length > 0 ? `\n${options.join('')}` : ''}`);
}

async function overview(): Promise<string> {
  const all = await Promise.all(Object.values(commands).map((load) => load()));
  const lines = [
    ...all.map((command) => [command.usage, command.help.split('\n')[0] ?? '']),
    ['help [COMMAND]', 'Show the options of a command.'],
    ['--version', 'Show the version.'],
  ];
  const width = Math.max(...lines.map(([usage]) => usage?.length ?? 0)) + 2;
  return `privet COMMAND\n\n${lines.map(([usage = '', text = '']) => `  ${usage.padEnd(width)}${text}\n`).join('')}`;
}

function unknownCommand(name: string, io: CliIo): number {
  const near = nearestName(name, [...Object.keys(commands), 'help']);
  const hint = near === undefined ? 'See "privet help".' : `Did you mean "${near}"?`;
  io.stderr.write(`privet: unknown command "${name}". ${hint}\n`);
  return 2;
}

function print(io: CliIo, text: string): number {
  io.stdout.write(text);
  return 0;
}
