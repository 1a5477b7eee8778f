/** `privet registry lint`: checks a registry file. */
import { readFileSync } from 'node:fs';
import { ConfigError } from '../../config/load.ts';
import { nearestName } from '../../config/nearest.ts';
import { builtinServicesFile, parseServices } from '../../config/services.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import { type Command, UsageError } from './command.ts';

export const registry: Command = {
  usage: 'registry lint [FILE]',
  help: 'Check a registry file (default: the shipped one).\nOne line per fault as file:line:column: message, exit code 2.',
  options: {},
  words: [1, 2],
  async run(args, io) {
    const [action = '', file = builtinServicesFile] = args.words;
    if (action !== 'lint') {
      const near = nearestName(action, ['lint']);
      throw new UsageError(`unknown action "${action}"${near === undefined ? '' : `; did you mean "${near}"?`}`);
    }
    const { services, problems } = parseServices(readFileSync(file, 'utf8'), file);
    if (services === undefined) throw new ConfigError(problems);
    const { size } = new ServiceRegistry(services);
    const count = (category: string) => services.filter((service) => service.category === category).length;
    const categories = ['approved', 'monitoring', 'blocked'].map((category) => `${count(category)} ${category}`);
    io.stdout.write(`${file}: ok, ${size} services (${categories.join(', ')})\n`);
    return 0;
  },
};
