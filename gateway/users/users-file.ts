/**
 * A file of users in the form of htpasswd: `name:hash`, one a line. Groups stand in a third field that Apache and nginx
 * pass over, `name:hash:groups=legal,research`, so that one file serves all of them. Comments and fields of others stay.
 */
import { chmodSync, statSync } from 'node:fs';
import { PrivetError } from '../../core/errors.ts';
import { readFileIfPresent, replaceFile } from '../stores/atomic-file.ts';
import { hashKinds, isPasswordHash } from './password-forms.ts';

/** One user of the file. */
export type FileUser = { readonly name: string; readonly hash: string; readonly groups: readonly string[] };

/** What a file holds; `problems` name lines that were passed over, without what stands in them. */
export type UsersText = { readonly users: readonly FileUser[]; readonly problems: readonly string[] };

const groupsField = 'groups=';
const nameLengthMax = 200;

/** Why a text cannot be the name of a user or of a group; undefined when it can. */
export function nameProblem(name: string): string | undefined {
  if (name === '' || name.length > nameLengthMax) return `must have 1 to ${nameLengthMax} characters`;
  if (/[:\p{Cc}]/u.test(name)) return 'must not hold a colon or a control character';
  return undefined;
}

/** Reads the lines of a file. The first of two lines with one name counts, as with Apache. */
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
    if (hash === undefined) problem('is no "name:hash"');
    else if (nameProblem(name) !== undefined) problem(`has a name that ${nameProblem(name)}`);
    else if (!isPasswordHash(hash.trim())) problem(`has a hash of another kind than ${hashKinds}`);
    else if (users.has(name)) problem('names a user that an earlier line names');
    else users.set(name, { name, hash: hash.trim(), groups: groupsOf(rest) });
  }
  return { users: [...users.values()], problems };
}

/** The users of a file; an absent file has none. Throws PrivetError `unavailable` when it cannot be read. */
export function readUsersFile(file: string): UsersText {
  return parseUsers(readFileIfPresent(file) ?? '');
}

/**
 * Adds a user or changes one: what is undefined stays. Returns whether the user is new.
 * Throws PrivetError `invalid_input` for a name that cannot be, `unavailable` when the file cannot be written.
 */
export function putUser(
  file: string,
  user: { readonly name: string; readonly hash?: string; readonly groups?: readonly string[] },
): boolean {
  const name = user.name.normalize('NFC');
  for (const one of [name, ...(user.groups ?? [])]) checkName(one);
  if (user.groups?.some((group) => group.includes(',')))
    throw new PrivetError('invalid_input', 'The name of a group must not hold a comma.');
  const lines = linesOf(file);
  const at = lines.findIndex((line) => nameOf(line) === name);
  const [, oldHash = '', ...rest] = (lines[at] ?? '').split(':');
  const groups = user.groups ?? groupsOf(rest);
  const others = rest.filter((field) => !field.startsWith(groupsField));
  const fields = [
    name,
    user.hash ?? oldHash,
    ...(groups.length > 0 ? [groupsField + groups.join(',')] : []),
    ...others,
  ];
  if (at === -1) lines.push(fields.join(':'));
  else lines[at] = fields.join(':');
  write(file, lines);
  return at === -1;
}

/** Removes every line of a user; false when there was none. */
export function removeUser(file: string, name: string): boolean {
  const lines = linesOf(file);
  const kept = lines.filter((line) => nameOf(line) !== name.normalize('NFC'));
  if (kept.length === lines.length) return false;
  write(file, kept);
  return true;
}

function checkName(name: string): void {
  const problem = nameProblem(name);
  if (problem !== undefined) throw new PrivetError('invalid_input', `The name of a user or group ${problem}.`);
  if (name.startsWith('#')) throw new PrivetError('invalid_input', 'The name of a user must not begin with "#".');
}

function nameOf(line: string): string | undefined {
  return line.trimStart().startsWith('#') || !line.includes(':') ? undefined : line.split(':', 1)[0]?.normalize('NFC');
}

function groupsOf(fields: readonly string[]): string[] {
  const field = fields.find((text) => text.startsWith(groupsField));
  const names = field?.slice(groupsField.length).split(',') ?? [];
  return names.map((name) => name.trim()).filter((name) => name !== '');
}

function linesOf(file: string): string[] {
  const text = (readFileIfPresent(file) ?? '').replace(/^\uFEFF/, '');
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** Keeps the rights of a file that other programs read, too. */
function write(file: string, lines: readonly string[]): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  replaceFile(file, lines.map((line) => `${line}\n`).join(''));
  if (mode !== undefined) chmodSync(file, mode & 0o777);
}
