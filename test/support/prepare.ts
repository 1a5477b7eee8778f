/**
 * Runs before `npm test`: checks for the real programs that the end-to-end tests use, and downloads the runtimes of the
 * SDK and the generators of API clients if it can. As root on Debian it installs what is missing, and says so;
 * otherwise it lists what is missing and fails. With PRIVET_NO_INSTALL set it installs nothing.
 */
import { spawnSync } from 'node:child_process';
import { fetchGenerators } from '../clients/generators.ts';
import { fetchRuntimes } from '../sdk/runtimes.ts';
import { onPath, programs } from './programs.ts';

/** Takes a third of the CPU of Chromium; optional, because some distributions lack it. */
const lightBrowser = 'chromium-headless-shell';

const packages = [
  'chromium',
  'libnss3-tools',
  'python3-requests',
  'python3',
  'curl',
  'openssl',
  'ca-certificates',
  'redis-server',
  'postgresql',
  'rsyslog',
  'rsyslog-gnutls',
  'haproxy',
];

function missingPrograms(): string[] {
  return programs
    .filter((program) => program.find() === undefined)
    .map((program) => `${program.name} (package ${program.debianPackage})`);
}

/** Runs apt-get with its output on our stderr. Returns true when it succeeded. */
function aptGet(...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env }).status === 0;
}

function prepare(): number {
  const missing = missingPrograms();
  if (missing.length === 0) {
    installLightBrowser();
    return 0;
  }

  if (process.env.PRIVET_NO_INSTALL !== undefined) {
    console.error(`PRIVET_NO_INSTALL is set, so these programs are not installed: ${missing.join(', ')}.`);
    console.error('The tests that drive them will fail.');
    return 0;
  }
  if (!mayInstall()) {
    console.error(`The end-to-end tests need programs that are not here: ${missing.join(', ')}.`);
    console.error(`On Debian: sudo apt-get install --no-install-recommends ${packages.join(' ')}`);
    console.error('To run the tests without them, set PRIVET_NO_INSTALL=1; those that drive them will fail.');
    return 1;
  }

  console.error(`The end-to-end tests drive real programs. Missing: ${missing.join(', ')}.`);
  console.error(`Installing now with apt-get: ${packages.join(' ')}`);
  console.error('To go without, stop this with Ctrl-C and set PRIVET_NO_INSTALL=1.');
  // A failed update is not fatal: the existing package lists may suffice.
  aptGet('-q', 'update');
  aptGet('-q', 'install', '-y', '--no-install-recommends', ...packages);
  installLightBrowser();

  const stillMissing = missingPrograms();
  if (stillMissing.length === 0) return 0;
  console.error(`Could not be installed: ${stillMissing.join(', ')}; the output of apt-get above says why.`);
  return 1;
}

function mayInstall(): boolean {
  return process.env.PRIVET_NO_INSTALL === undefined && process.getuid?.() === 0 && onPath('apt-get') !== undefined;
}

function installLightBrowser(): void {
  if (onPath(lightBrowser) !== undefined || !mayInstall()) return;
  console.error(`Installing ${lightBrowser} with apt-get, which makes the tests of pages faster.`);
  aptGet('-q', 'install', '-y', '--no-install-recommends', lightBrowser);
}

process.exitCode = prepare();
for (const problem of [fetchRuntimes(), fetchGenerators()]) if (problem !== undefined) console.error(problem);
