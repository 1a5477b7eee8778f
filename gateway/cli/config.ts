/** `privet config check|show`: reports all errors of the configuration at once, or shows the effective configuration. */

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { assertNeverMade, readRoot, readRotation } from '../../certs/ca-files.ts';
import { problemOf } from '../../config/fault.ts';
import { ConfigError, formatProblem, type Settings } from '../../config/load.ts';
import { showConfig } from '../../config/show.ts';
import { PrivetError } from '../../core/errors.ts';
import { Policy } from '../../policy/decide.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import { type Configuration, readConfiguration } from '../configuration.ts';
import { feedWarnings } from '../feeds/files.ts';
import { openLicense } from '../license.ts';
import { sinkWarnings } from '../observe/sinks/open-sinks.ts';
import { readDirectory } from '../users/directory.ts';
import { type Command, unknownAction } from './command.ts';

export const config: Command = {
  usage: 'config check|show [FILE]',
  help: 'Check the configuration, or show the effective one without its secrets.\nErrors, also in files it refers to: one per line as file:line:column: key: message, exit code 2.\nWarnings point out probable mistakes, like rules that can never match.',
  options: { strict: { help: 'check: exit code 1 when there are warnings' } },
  words: [1, 2],
  async run(args, io) {
    const [action = '', file] = args.words;
    if (action !== 'check' && action !== 'show') throw unknownAction(action, ['check', 'show']);
    const isCheck = action === 'check';
    const read = readConfiguration({ file, env: io.env, triesFiles: isCheck });
    const { config: loaded, settings, services } = read;
    // Builds what a start would build, so that start-up finds no further errors.
    const registry = new ServiceRegistry(services);
    new Policy({ registry, config: loaded.policy, networks: loaded.auth.networks });
    if (isCheck) {
      if ((io.env.PROXY_DATA_DIR ?? '') !== '') checkDataFolder(settings);
      await checkLicense(settings);
    }
    const warnings = [...read.warnings, ...(isCheck ? fileWarnings(read) : [])];
    for (const warning of warnings) io.stderr.write(`warning: ${warning}\n`);
    if (action === 'show') io.stdout.write(showConfig(loaded, settings));
    else io.stdout.write(`${settings.configFile ?? 'defaults and environment'}: ok, ${registry.size} services\n`);
    return args.has('strict') && warnings.length > 0 ? 1 : 0;
  },
};

/**
 * Checks the data folder and its CA. Nothing is created, so errors that only writing reveals are found at start-up.
 * @throws ConfigError
 */
function checkDataFolder({ dataDir, caPassphrase: passphrase }: Settings): void {
  if (!isWritable(firstThere(dataDir))) {
    const message = `The data folder ${dataDir} cannot be written; choose another with PROXY_DATA_DIR.`;
    throw inEnvironment('PROXY_DATA_DIR', message);
  }
  const dir = join(dataDir, 'ca');
  const now = new Date();
  try {
    const root = readRoot(dir, { name: readRotation(dir, now.getTime()).current, passphrase, now });
    if (root === undefined) assertNeverMade(dir);
  } catch (error) {
    if (!(error instanceof PrivetError)) throw error;
    throw inEnvironment('PROXY_DATA_DIR', error.message);
  }
}

function isWritable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK | constants.X_OK);
    return statSync(dir).isDirectory();
  } catch {
    return false;
  }
}

/** The folder, or its nearest existing parent. */
function firstThere(dir: string): string {
  const whole = resolve(dir);
  return existsSync(whole) ? whole : firstThere(dirname(whole));
}

function inEnvironment(key: string, message: string): ConfigError {
  return new ConfigError([{ file: 'environment', line: 0, column: 0, key, message }]);
}

/** Checks the configured license; a missing evaluation license is created at start-up. @throws ConfigError */
async function checkLicense(settings: Settings): Promise<void> {
  const { licenseKey, licenseFile, licenseIssuer } = settings;
  if (licenseKey === undefined && licenseFile === undefined) return;
  try {
    await openLicense(settings);
  } catch (error) {
    if (!(error instanceof PrivetError)) throw error;
    const isIssuer = licenseIssuer !== undefined && error.message.includes(licenseIssuer);
    const named = licenseFile === undefined ? 'PROXY_LICENSE_KEY' : 'PROXY_LICENSE_FILE';
    const key = isIssuer ? 'PROXY_LICENSE_ISSUER' : named;
    throw inEnvironment(key, error.message);
  }
}

/** Warnings about files that do not prevent a start. */
function fileWarnings({ config, settings, yaml }: Configuration): string[] {
  const faults = [...feedWarnings(config.feeds), ...sinkWarnings(config.log.audit)];
  const source = { file: settings.configFile ?? 'configuration', yaml };
  return [
    ...readDirectory(config.auth.proxy).warnings,
    ...faults.map((fault) => formatProblem(problemOf(fault, source))),
  ];
}
