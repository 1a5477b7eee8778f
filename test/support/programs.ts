/** The real programs that the end-to-end tests use: their location, and the Debian package of each. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that a test starts: its name, its Debian package, and a function that finds it. */
export type Program = {
  readonly name: string;
  readonly debianPackage: string;
  readonly find: () => string | undefined;
};

/** All programs that `npm test` needs in addition to Node. `chromium-headless-shell` makes it faster if available. */
export const programs: readonly Program[] = [
  { name: 'curl', debianPackage: 'curl', find: () => onPath('curl') },
  { name: 'openssl', debianPackage: 'openssl', find: () => onPath('openssl') },
  { name: 'chromium', debianPackage: 'chromium', find: () => onPath('chromium') },
  { name: 'certutil (NSS)', debianPackage: 'libnss3-tools', find: () => onPath('certutil') },
  { name: 'redis-server', debianPackage: 'redis-server', find: () => onPath('redis-server') },
  { name: 'initdb', debianPackage: 'postgresql', find: findInitdb },
  { name: 'haproxy', debianPackage: 'haproxy', find: findHaproxy },
  { name: 'rsyslogd', debianPackage: 'rsyslog and rsyslog-gnutls', find: findRsyslog },
  { name: 'python3 with the module requests', debianPackage: 'python3-requests', find: findPython },
];

/** Kept, because looking for Python starts it. */
const paths = new Map<string, string>();

/**
 * The path of a program of {@link programs}.
 * @throws Error with the program and its package if it is not installed
 */
export function programPath(name: string): string {
  const program = programs.find((candidate) => candidate.name === name || candidate.name.startsWith(`${name} `));
  const path = paths.get(name) ?? program?.find();
  if (path === undefined) {
    throw new Error(`${name} is not installed (Debian package ${program?.debianPackage ?? 'unknown'}); run npm test`);
  }
  paths.set(name, path);
  return path;
}

/** The first executable file of that name on PATH. */
export function onPath(name: string): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (isProgram(path)) return path;
  }
  return undefined;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// Debian has a folder for the server programs of each version; use the newest.
function findInitdb(): string | undefined {
  const root = '/usr/lib/postgresql';
  let versions: string[] = [];
  try {
    versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  } catch {
    // Not Debian, or not installed.
  }
  return onPath('initdb') ?? versions.map((version) => join(root, version, 'bin/initdb')).find(isProgram);
}

// Debian installs it where only root looks. Its TLS module is a separate package.
function findHaproxy(): string | undefined {
  return [onPath('haproxy'), '/usr/sbin/haproxy'].find((path) => path !== undefined && isProgram(path));
}

function findRsyslog(): string | undefined {
  const hasTls = readdirSync('/usr/lib').some((name) => existsSync(join('/usr/lib', name, 'rsyslog/lmnsd_gtls.so')));
  return hasTls
    ? [onPath('rsyslogd'), '/usr/sbin/rsyslogd'].find((path) => path !== undefined && isProgram(path))
    : undefined;
}

// A version manager often shadows Debian's python3 with one without modules; try Debian's second.
function findPython(): string | undefined {
  return [onPath('python3'), '/usr/bin/python3'].find(
    (path) => path !== undefined && spawnSync(path, ['-c', 'import requests'], { stdio: 'ignore' }).status === 0,
  );
}
