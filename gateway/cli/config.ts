/** `privet config check|show`: every fault of the configuration at once, or the configuration in force. */

import { nearestName } from '../../config/nearest.ts';
import type { Config } from '../../config/schema.ts';
import { showConfig } from '../../config/show.ts';
import { PrivetError } from '../../core/errors.ts';
import { Policy } from '../../policy/decide.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import { readConfiguration } from '../configuration.ts';
import { readClientTls } from '../proxy/client-tls.ts';
import { UpstreamTls } from '../proxy/upstream-tls.ts';
import { readDirectory } from '../users/directory.ts';
import { type CliIo, type Command, UsageError } from './command.ts';

export const config: Command = {
  usage: 'config check|show [FILE]',
  help: 'Check the configuration, or show the one in force without its secrets.\nWrong configurations: one line per fault as file:line:column: message, exit code 2.\nWarnings name what is probably not meant, as rules that can never match.',
  options: { strict: { help: 'check: exit code 1 when there are warnings' } },
  words: [1, 2],
  async run(args, io) {
    const [action = '', file] = args.words;
    if (action !== 'check' && action !== 'show') {
      const near = nearestName(action, ['check', 'show']);
      throw new UsageError(`unknown action "${action}"${near === undefined ? '' : `; did you mean "${near}"?`}`);
    }
    const read = readConfiguration({ ...(file === undefined ? {} : { file }), env: io.env });
    const { config: loaded, settings, services } = read;
    // Builds what a start would build, so that nothing is left to be refused then.
    const registry = new ServiceRegistry(services);
    new Policy({ registry, config: loaded.policy, networks: loaded.auth.networks });
    const { faults, warnings: ofFiles } = action === 'check' ? openFiles(loaded, io.env) : { faults: [], warnings: [] };
    const warnings = [...read.warnings, ...ofFiles];
    for (const warning of warnings) io.stderr.write(`warning: ${warning}\n`);
    for (const { message, hint } of faults) io.stderr.write(`privet config: ${message} ${hint}\n`);
    if (faults.length > 0) return 1;
    if (action === 'show') io.stdout.write(showConfig(loaded, settings));
    else io.stdout.write(`${settings.configFile ?? 'defaults and environment'}: ok, ${registry.size} services\n`);
    return args.has('strict') && warnings.length > 0 ? 1 : 0;
  },
};

/** Opens what the configuration names beside the registry: users, certificates and keys. Tells what is wrong or odd in them. */
function openFiles({ auth, listen, upstream }: Config, env: CliIo['env']) {
  const faults: PrivetError[] = [];
  const warnings: string[] = [];
  const files = [
    () => void (listen.proxy_tls !== null && readClientTls(listen.proxy_tls)),
    () => void new UpstreamTls({ caFile: upstream.ca_file, clientCertificates: upstream.client_certs, env }),
    () => void warnings.push(...readDirectory(auth.proxy).warnings),
  ];
  for (const open of files) {
    try {
      open();
    } catch (error) {
      if (!(error instanceof PrivetError)) throw error;
      faults.push(error);
    }
  }
  return { faults, warnings };
}
