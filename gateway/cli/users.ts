/** `privet users …`: the htpasswd file of proxy users. A running gateway reloads it on SIGHUP. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { nearestName } from '../../config/nearest.ts';
import { PrivetError } from '../../core/errors.ts';
import { readDirectory } from '../users/directory.ts';
import { hashPassword } from '../users/password-hash.ts';
import { nameProblem, parseUsers, putUsers, readUsersFile, removeUser } from '../users/users-file.ts';
import { type Arguments, type CliIo, type Command, UsageError, unknownAction } from './command.ts';
import { configOption, configured } from './configured.ts';
import { table } from './table.ts';

const actions: Readonly<
  Record<string, (args: Arguments, io: CliIo, word: string | undefined) => Promise<void> | void>
> = { add, passwd, remove, list, import: importFile, hash };
const needWord: Readonly<Record<string, string>> = {
  add: 'the name of a user',
  passwd: 'the name of a user',
  remove: 'the name of a user',
  import: 'a file',
};

export const users: Command = {
  usage: 'users add|passwd|remove|list|import|hash [NAME|FILE]',
  help: [
    'Manage the users of the proxy (auth.proxy.users_file, in htpasswd format).',
    'The password is read from the terminal, or is the first line of the input.',
    'import adds the users of an htpasswd file; hash prints a hash for auth.proxy.users.',
    'Running gateways apply the change within a second.',
  ].join('\n'),
  options: {
    groups: { value: 'LIST', help: 'groups of the user, comma separated; empty for none (add, passwd)' },
    generate: { help: 'generate a password and print it (add, passwd, hash)' },
    file: { value: 'FILE', help: 'users file (default auth.proxy.users_file)' },
    config: configOption,
  },
  words: [1, 2],
  async run(args, io) {
    const [action = '', word] = args.words;
    const perform = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (perform === undefined) throw unknownAction(action, Object.keys(actions));
    const needed = needWord[action];
    if (needed !== undefined && word === undefined) throw new UsageError(`${action} needs ${needed}`);
    if (needed === undefined && word !== undefined) throw new UsageError(`${action} takes no name`);
    await perform(args, io, word);
    return 0;
  },
};

async function add(args: Arguments, io: CliIo, name = ''): Promise<void> {
  const file = fileOf(args, io);
  // Reject an invalid name before asking for the password.
  const problem = nameProblem(name);
  if (problem !== undefined) throw new PrivetError('invalid_input', `The user name ${problem}.`);
  if (has(file, name)) {
    throw new PrivetError('conflict', `The user "${name}" is in ${file} already.`, {
      hint: 'Use "privet users passwd".',
    });
  }
  const { hash, generated } = await newHash(args, io);
  await putUsers(file, [{ name, hash, groups: groupsOf(args) ?? [] }]);
  tell(generated, io);
  io.stderr.write(`added ${name} to ${file}\n`);
}

async function passwd(args: Arguments, io: CliIo, name = ''): Promise<void> {
  const file = fileOf(args, io);
  if (!has(file, name)) throw unknownUser(file, name);
  const groups = groupsOf(args);
  const { hash, generated } = await newHash(args, io);
  await putUsers(file, [{ name, hash, groups }]);
  tell(generated, io);
  io.stderr.write(`changed ${name} in ${file}\n`);
}

async function remove(args: Arguments, io: CliIo, name = ''): Promise<void> {
  const file = fileOf(args, io);
  if (!(await removeUser(file, name))) throw unknownUser(file, name);
  io.stderr.write(`removed ${name} from ${file}\n`);
}

function list(args: Arguments, io: CliIo): void {
  const { auth } = configured(args, io).config;
  const file = args.get('file');
  // The configured file may be missing: "privet users add" creates it.
  if (file !== undefined && !existsSync(file))
    throw new PrivetError('not_found', `There is no file ${file}.`, { hint: 'Check its name.' });
  const settings = file === undefined ? auth.proxy : { ...auth.proxy, users: [], users_file: file };
  const { users: found, warnings } = readDirectory(settings);
  const rows = [...found.values()].map((user) => [user.name, user.source, user.groups.join(', ')]);
  io.stdout.write(table([['NAME', 'SOURCE', 'GROUPS'], ...rows]));
  for (const warning of warnings) io.stderr.write(`${warning}\n`);
  if (found.size === 0) io.stderr.write('no users; add one with "privet users add NAME"\n');
}

/** Existing users get the imported password, and keep their groups if the import has none. */
async function importFile(args: Arguments, io: CliIo, source = ''): Promise<void> {
  const file = fileOf(args, io);
  const { users: found, problems } = parseUsers(readSource(source));
  const groups = groupsOf(args);
  const changes = found.map(({ name, hash, groups: named }) => ({
    name,
    hash,
    groups: groups ?? (named.length > 0 ? named : undefined),
  }));
  const added = await putUsers(file, changes);
  for (const problem of problems) io.stderr.write(`${source}: ${problem}; it is ignored\n`);
  io.stderr.write(`${added} added to ${file}, ${found.length - added} changed, ${problems.length} skipped\n`);
}

function readSource(source: string): string {
  try {
    return readFileSync(source, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new PrivetError('not_found', `The file ${source} cannot be read (${code}).`, {
      hint: 'Check its name and permissions.',
      cause,
    });
  }
}

async function hash(args: Arguments, io: CliIo): Promise<void> {
  const { hash: made, generated } = await newHash(args, io);
  tell(generated, io);
  io.stdout.write(`${made}\n`);
}

function fileOf(args: Arguments, io: CliIo): string {
  const file = args.get('file') ?? configured(args, io).config.auth.proxy.users_file;
  if (file !== null) return file;
  throw new UsageError('no users file: set auth.proxy.users_file in the configuration, or give --file');
}

function has(file: string, name: string): boolean {
  return readUsersFile(file).users.some((user) => user.name === name.normalize('NFC'));
}

function unknownUser(file: string, name: string): PrivetError {
  const near = nearestName(
    name,
    readUsersFile(file).users.map((user) => user.name),
  );
  const hint = near === undefined ? 'See "privet users list".' : `Did you mean "${near}"?`;
  return new PrivetError('not_found', `There is no user "${name}" in ${file}.`, { hint });
}

function groupsOf(args: Arguments): string[] | undefined {
  return args.has('groups') ? args.all('groups') : undefined;
}

/** The hash of a given or generated password; a generated one is shown once the hash is stored. */
async function newHash(args: Arguments, io: CliIo): Promise<{ readonly hash: string; readonly generated?: string }> {
  if (args.has('generate')) {
    const generated = randomBytes(15).toString('base64url');
    return { hash: await hashPassword(generated), generated };
  }
  const password = isTerminal(io.stdin) ? await askTwice(io.stdin, io) : await firstLine(io);
  if (password === '')
    throw new UsageError('the password is empty; give it as the first line of the input, or use --generate');
  return { hash: await hashPassword(password) };
}

function tell(generated: string | undefined, io: CliIo): void {
  if (generated === undefined) return;
  io.stderr.write('Password (shown only once): ');
  io.stdout.write(`${generated}\n`);
}

async function firstLine(io: CliIo): Promise<string> {
  let text = '';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of io.stdin) {
      text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
      if (text.includes('\n') || text.length > 4096) break;
    }
    if (!text.includes('\n')) text += decoder.decode();
  } catch (error) {
    // Every invalid byte would become the same character, which weakens the password.
    if (error instanceof TypeError) throw new UsageError('the password is not UTF-8');
    throw error;
  }
  return text.split(/\r?\n/, 1)[0] ?? '';
}

type Terminal = NodeJS.ReadStream & { setRawMode(mode: boolean): unknown };

function isTerminal(stdin: CliIo['stdin']): stdin is Terminal {
  return (stdin as Partial<Terminal>).isTTY === true;
}

async function askTwice(terminal: Terminal, io: CliIo): Promise<string> {
  const password = await ask(terminal, io, 'Password: ');
  if ((await ask(terminal, io, 'Again: ')) !== password) throw new UsageError('the two passwords differ');
  return password;
}

/** Reads a line without echo. */
function ask(terminal: Terminal, io: CliIo, prompt: string): Promise<string> {
  io.stderr.write(prompt);
  terminal.setRawMode(true);
  terminal.setEncoding('utf8');
  terminal.resume();
  return new Promise((resolve, reject) => {
    let line = '';
    const end = (give: () => void) => {
      terminal.off('data', onData);
      terminal.setRawMode(false);
      terminal.pause();
      io.stderr.write('\n');
      give();
    };
    const onData = (typed: string) => {
      for (const character of typed) {
        if (character === '\r' || character === '\n') return end(() => resolve(line));
        if (character === '\u0003' || character === '\u0004') return end(() => reject(new UsageError('stopped')));
        if (character === '\u007f' || character === '\b') line = [...line].slice(0, -1).join('');
        else line += character;
      }
    };
    terminal.on('data', onData);
  });
}
