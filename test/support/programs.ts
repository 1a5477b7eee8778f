/**
 * The real programs that the end-to-end tests drive: where each is, and which Debian package brings it.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that a test starts: its name, the Debian package that brings it, and a function that finds it. */
export type Program = {
  readonly name: string;
  readonly debianPackage: string;
  readonly find: () => string | undefined;
};

/** All programs that `npm test` needs beside Node. `chromium-headless-shell` makes it faster where it is to be had. */
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
 * @throws Error that names the program and its package when it is not installed
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

// Debian keeps the server programs of each version in a folder of their own, the newest is the best.
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

// Debian keeps it where only root looks. Its TLS is a module of its own package.
function findHaproxy(): string | undefined {
  return [onPath('haproxy'), '/usr/sbin/haproxy'].find((path) => path !== undefined && isProgram(path));
}

function findRsyslog(): string | undefined {
  const hasTls = readdirSync('/usr/lib').some((name) => existsSync(join('/usr/lib', name, 'rsyslog/lmnsd_gtls.so')));
  return hasTls
    ? [onPath('rsyslogd'), '/usr/sbin/rsyslogd'].find((path) => path !== undefined && isProgram(path))
    : undefined;
}

// A version manager often shadows Debian's python3 with one that has no modules; Debian's is tried second.
function findPython(): string | undefined {
  return [onPath('python3'), '/usr/bin/python3'].find(
    (path) => path !== undefined && spawnSync(path, ['-c', 'import requests'], { stdio: 'ignore' }).status === 0,
  );
}
