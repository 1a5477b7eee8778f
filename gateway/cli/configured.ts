/** The configuration of a command. */
import { type Loaded, loadConfig } from '../../config/load.ts';
import type { Arguments, CliIo } from './command.ts';

export const configOption = { value: 'FILE', help: 'configuration file (default PROXY_CONFIG)' };

/** The configuration that the options and the environment name. @throws ConfigError */
export function configured(args: Arguments, { env }: CliIo): Loaded {
  return loadConfig({ file: args.get('config'), env });
}
