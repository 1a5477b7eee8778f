/** The proxy's users: those of the configuration and of `auth.proxy.users_file`. */
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../config/schema.ts';
import { readFileIfPresent } from '../stores/atomic-file.ts';
import { parseUsers } from './users-file.ts';

/** A user that can sign in. */
export type User = {
  readonly name: string;
  readonly hash: string;
  readonly groups: readonly string[];
  readonly source: 'config' | 'file';
};

/** All users by name, and warnings about skipped entries. The configuration takes precedence over the file. */
export type UserDirectory = {
  readonly users: ReadonlyMap<string, User>;
  readonly warnings: readonly string[];
  /** The source of the users. */
  readonly source: { readonly settings: Config['auth']['proxy']; readonly text: string };
};

/**
 * Reads all users; returns `before` if nothing has changed, because a hundred thousand users take a second. Throws
 * PrivetError `unavailable` if the file exists but cannot be read.
 */
export function readDirectory(settings: Config['auth']['proxy'], before?: UserDirectory): UserDirectory {
  const { mode, users: configured, users_file: file } = settings;
  const given = file === null ? '' : readFileIfPresent(file);
  const source = { settings, text: given ?? '' };
  if (before?.source.text === source.text && isDeepStrictEqual(settings, before.source.settings)) return before;
  const users = new Map<string, User>();
  const warnings: string[] = [];
  if (given === undefined) warnings.push(`auth.proxy.users_file ${file}: there is no such file`);
  for (const { name, password_hash: hash, groups } of configured) {
    users.set(name.normalize('NFC'), { name: name.normalize('NFC'), hash, groups, source: 'config' });
  }
  const { users: listed, problems } = parseUsers(source.text);
  for (const problem of problems) warnings.push(`auth.proxy.users_file ${file}: ${problem}; it is ignored`);
  for (const user of listed) {
    if (users.has(user.name))
      warnings.push(`auth.proxy: the user "${user.name}" of the file is also in the configuration`);
    else users.set(user.name, { ...user, source: 'file' });
  }
  if (mode === 'basic' && users.size === 0) warnings.push('auth.proxy: there are no users, so nobody can sign in');
  return { users, warnings, source };
}
