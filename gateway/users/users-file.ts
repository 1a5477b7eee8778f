/**
 * Users files in htpasswd format: `name:hash`, one per line. Groups are in a third field that Apache and nginx ignore,
 * `name:hash:groups=legal,research`, so one file can serve all of them. Comments and other fields are preserved.
 */
import { realpathSync, statSync } from 'node:fs';
import { PrivetError } from '../../core/errors.ts';
import { readFileIfPresent, replaceFile } from '../stores/atomic-file.ts';
import { withLock } from '../stores/file-lock.ts';
import { hashKinds, isPasswordHash } from './password-forms.ts';

export type FileUser = { readonly name: string; readonly hash: string; readonly groups: readonly string[] };

/** The content of a file; `problems` describes skipped lines without quoting them. */
export type UsersText = { readonly users: readonly FileUser[]; readonly problems: readonly string[] };

const groupsField = 'groups=';
const nameLengthMax = 200;
/** The replacement character for bytes that are not UTF-8. */
const notText = '\uFFFD';

/** Why a text cannot be a user or group name; undefined if it can. */
export function nameProblem(name: string): string | undefined {
  if (name.trim() === '' || name.length > nameLengthMax) return `must have 1 to ${nameLengthMax} characters`;
  if (/[:\p{Cc}]/u.test(name)) return 'must not contain a colon or a control character';
  return undefined;
}

/** Parses the lines of a file. Of two lines with the same name the first counts, as in Apache. */
export function parseUsers(text: string): UsersText {
  const users = new Map<string, FileUser>();
  const problems: string[] = [];
  for (const [i, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const [rawName = '', hash, ...rest] = line.split(':');
    const name = rawName.normalize('NFC');
    const problem = (what: string) => problems.push(`line ${i + 1} ${what}`);
    if (line.includes(notText)) problem('is not UTF-8');
    else if (hash === undefined) problem('is not in the form "name:hash"');
    else if (nameProblem(name) !== undefined) problem(`has a name that ${nameProblem(name)}`);
    else if (!isPasswordHash(hash.trim())) problem(`has an unsupported hash; use ${hashKinds}`);
    else if (users.has(name)) problem('repeats a user of an earlier line');
    else users.set(name, { name, hash: hash.trim(), groups: groupsOf(rest) });
  }
  return { users: [...users.values()], problems };
}

/** The users of a file; none if it is missing. Throws PrivetError `unavailable` if it cannot be read. */
export function readUsersFile(file: string): UsersText {
  return parseUsers(readFileIfPresent(file) ?? '');
}

/** A change of a user; undefined fields stay unchanged. */
export type UserChange = { readonly name: string; readonly hash?: string; readonly groups?: readonly string[] };

/**
 * Adds or changes users in one step; resolves to the number of new users. Rejects with PrivetError `invalid_input` for
 * an invalid name or a file that is not UTF-8, `unavailable` if the file cannot be written or stays locked.
 */
export async function putUsers(file: string, changes: readonly UserChange[]): Promise<number> {
  for (const { name, groups = [] } of changes) {
    for (const text of [name, ...groups]) checkName(text);
    if (groups.some((group) => group.includes(',')))
      throw new PrivetError('invalid_input', 'The name of a group must not contain a comma.');
  }
  return withLock(file, () => {
    const lines = linesOf(file);
    const places = new Map<string | undefined, number>();
    for (const [i, line] of lines.entries()) if (!places.has(nameOf(line))) places.set(nameOf(line), i);
    const before = places.size;
    for (const change of changes) {
      const name = change.name.normalize('NFC');
      const at = places.get(name) ?? lines.length;
      places.set(name, at);
      lines[at] = changedLine(lines[at] ?? '', { ...change, name });
    }
    write(file, lines);
    return places.size - before;
  });
}

function changedLine(line: string, { name, hash, groups }: UserChange): string {
  const [, oldHash = '', ...rest] = line.split(':');
  if (hash === undefined && oldHash === '')
    throw new PrivetError('not_found', 'The user no longer exists.', { hint: 'Read the users again.' });
  const all = groups ?? groupsOf(rest);
  const others = rest.filter((field) => !field.startsWith(groupsField));
  return [name, hash ?? oldHash, ...(all.length > 0 ? [groupsField + all.join(',')] : []), ...others].join(':');
}

/** Removes every line of a user; resolves to false if there was none. Rejects like {@link putUsers}. */
export function removeUser(file: string, name: string): Promise<boolean> {
  return withLock(file, () => {
    const lines = linesOf(file);
    const kept = lines.filter((line) => nameOf(line) !== name.normalize('NFC'));
    if (kept.length === lines.length) return false;
    write(file, kept);
    return true;
  });
}

function checkName(name: string): void {
  const problem = nameProblem(name);
  if (problem !== undefined) throw new PrivetError('invalid_input', `The name of a user or group ${problem}.`);
  if (name !== name.trim() || !name.isWellFormed() || name.includes(notText))
    throw new PrivetError('invalid_input', 'The name of a user or group must be text without spaces around it.');
  if (name.startsWith('#')) throw new PrivetError('invalid_input', 'The name of a user must not begin with "#".');
}

function nameOf(line: string): string | undefined {
  return line.trimStart().startsWith('#') || !line.includes(':') ? undefined : line.split(':', 1)[0]?.normalize('NFC');
}

function groupsOf(fields: readonly string[]): string[] {
  const field = fields.find((text) => text.startsWith(groupsField));
  const names = field?.slice(groupsField.length).split(',') ?? [];
  return names.map((name) => name.trim().normalize('NFC')).filter((name) => name !== '');
}

function linesOf(file: string): string[] {
  const text = (readFileIfPresent(file) ?? '').replace(/^\uFEFF/, '');
  // Rewriting the file would lose such bytes.
  if (text.includes(notText))
    throw new PrivetError('invalid_input', `The users file is not UTF-8 and was not changed: ${file}`, {
      hint: 'Convert it, for example with iconv.',
    });
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** Keeps the permissions and location of a file that other programs read; it may be a symbolic link. */
function write(file: string, lines: readonly string[]): void {
  const before = statSync(file, { throwIfNoEntry: false });
  replaceFile(before ? realpathSync(file) : file, lines.map((line) => `${line}\n`).join(''), before);
}
