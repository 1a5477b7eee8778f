/** The proxy users at run time: read from the configuration and file, passed to the admission check, changed by API. */

import type { Config } from '../../config/schema.ts';
import { PrivetError } from '../../core/errors.ts';
import type { Log } from '../observe/log.ts';
import type { Admission } from '../proxy/admit/admit.ts';
import { ProxyAuth } from '../proxy/admit/proxy-auth.ts';
import type { Commit } from '../reconfigurable.ts';
import { readDirectory, type User, type UserDirectory } from './directory.ts';
import { HashPool } from './hash-pool.ts';
import { putUsers, removeUser } from './users-file.ts';

type Settings = Config['auth']['proxy'];

/** The only source of the users that may sign in. */
export class ProxyUsers {
  readonly #admission: Admission;
  readonly #log: Log;
  readonly #pool = new HashPool();
  #settings: Settings;
  #directory: UserDirectory;
  #auth: ProxyAuth | undefined;

  /** Throws PrivetError `unavailable` if the users file cannot be read. */
  constructor(options: { settings: Settings; admission: Admission; log: Log }) {
    this.#admission = options.admission;
    this.#log = options.log;
    this.#settings = options.settings;
    this.#directory = readDirectory(options.settings);
    this.#apply(options.settings, this.#directory);
  }

  /** Reads the users for new settings; open tunnels keep their user. Throws like the constructor. */
  prepare({ auth }: Pick<Config, 'auth'>): Commit {
    const directory = readDirectory(auth.proxy, this.#directory);
    return () => this.#apply(auth.proxy, directory);
  }

  /** All users, by name. */
  list(): User[] {
    return [...this.#directory.users.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The groups of a user; none for an unknown name. */
  groupsOf(name: string): readonly string[] {
    return this.#directory.users.get(name.normalize('NFC'))?.groups ?? [];
  }

  /**
   * Adds a user to the file, or changes a password or groups, effective immediately. Rejects with PrivetError
   * `conflict` without a file, and for a user of the configuration.
   */
  async put(user: { name: string; password?: string; groups?: readonly string[] }): Promise<User> {
    const file = this.#fileFor(user.name);
    const { name, password, groups } = user;
    const isNew = !this.#directory.users.has(name.normalize('NFC'));
    if (isNew && password === undefined)
      throw new PrivetError('invalid_input', 'A new user needs a password.', {
        details: [{ field: 'password', message: 'is missing' }],
      });
    const hash = password === undefined ? undefined : await this.#pool.hash(password);
    const change = { name, ...(hash === undefined ? {} : { hash }), ...(groups === undefined ? {} : { groups }) };
    await putUsers(file, [change]);
    this.#reread();
    return this.#directory.users.get(name.normalize('NFC')) as User;
  }

  /** Removes a user from the file, effective immediately. Rejects with `not_found`, and `conflict` like {@link put}. */
  async remove(name: string): Promise<void> {
    const file = this.#fileFor(name);
    if (!(await removeUser(file, name))) throw new PrivetError('not_found', 'The user does not exist.');
    this.#reread();
  }

  #fileFor(name: string): string {
    const { users_file: file } = this.#settings;
    if (file === null) {
      throw new PrivetError('conflict', 'There is no users file.', {
        hint: 'Set auth.proxy.users_file in the configuration.',
      });
    }
    if (this.#directory.users.get(name.normalize('NFC'))?.source === 'config') {
      throw new PrivetError('conflict', 'This user is defined in the configuration.', {
        hint: 'Change the configuration file.',
      });
    }
    return file;
  }

  #reread(): void {
    this.#apply(this.#settings, readDirectory(this.#settings));
  }

  #apply(settings: Settings, directory: UserDirectory): void {
    this.#settings = settings;
    this.#directory = directory;
    for (const warning of directory.warnings) this.#log.warn({ event: 'users_warning' }, warning);
    const options = { users: directory.users, realm: settings.realm, exempt: settings.exempt };
    if (settings.mode === 'none') {
      this.#admission.auth = undefined;
      return;
    }
    if (this.#auth === undefined) this.#auth = new ProxyAuth(options);
    else this.#auth.replace(options);
    this.#admission.auth = this.#auth;
  }
}
