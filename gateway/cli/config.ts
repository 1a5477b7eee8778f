/** `privet config check|show`: every fault of the configuration at once, or the configuration in force. */

import { readFileSync } from 'node:fs';
import { YamlText } from '../../config/document.ts';
import { type Config, ConfigError, loadConfig, type Problem } from '../../config/load.ts';
import { nearestName } from '../../config/nearest.ts';
import { loadServices } from '../../config/services.ts';
import { showConfig } from '../../config/show.ts';
import { builtinTypes } from '../../core/detection.ts';
import { dictionaryProblems } from '../../core/dictionary.ts';
import { Policy } from '../../policy/decide.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import { type Command, UsageError } from './command.ts';

export const config: Command = {
  usage: 'config check|show [FILE]',
  help: 'Check the configuration, or show the one in force without its secrets.\nWrong configurations: one line per fault as file:line:column: message, exit code 2.',
  options: {},
  words: [1, 2],
  async run(args, io) {
    const [action = '', file] = args.words;
    if (action !== 'check' && action !== 'show') {
      const near = nearestName(action, ['check', 'show']);
      throw new UsageError(`unknown action "${action}"${near === undefined ? '' : `; did you mean "${near}"?`}`);
    }
    const { config: loaded, settings, warnings } = loadConfig({ ...(file === undefined ? {} : { file }), env: io.env });
    // Builds what a start would build, so that nothing is left to be refused then.
    const services = loadServices(loaded.policy.registry ?? undefined);
    const registry = new ServiceRegistry(services);
    new Policy({ registry, config: loaded.policy, networks: loaded.auth.networks });
    const refused = refusedTerms(loaded, settings.configFile);
    if (refused.length > 0) throw new ConfigError(refused);
    for (const warning of [...warnings, ...doubts(loaded, services)]) io.stderr.write(`warning: ${warning}\n`);
    if (action === 'show') io.stdout.write(showConfig(loaded, settings));
    else io.stdout.write(`${settings.configFile ?? 'defaults and environment'}: ok, ${registry.size} services\n`);
    return 0;
  },
};

/** Entries of the dictionary that only the engine knows to be wrong, as look-around or a label like a built-in type. */
function refusedTerms(loaded: Config, file = 'configuration'): Problem[] {
  return dictionaryProblems(loaded.masking.dictionary).map(({ index, field = '', position, message }): Problem => {
    const place = new YamlText(readFileSync(file, 'utf8'), file).placeOfValue(['masking', 'dictionary', index]);
    const where = position === undefined ? '' : ` (at ${position})`;
    return { file, ...place, key: `masking.dictionary[${index}]`, message: `${field}${where} ${message}`.trim() };
  });
}

type Named = ReturnType<typeof loadServices>[number];

/** Names that refer to nothing: no faults, because a later registry or version may have them. */
function doubts(loaded: Config, services: readonly Named[]): string[] {
  const found: string[] = [];
  const unknown = (what: string, name: string, known: Iterable<string>) => {
    const near = nearestName(name, known);
    found.push(`${what} "${name}" is not known${near === undefined ? '' : `; did you mean "${near}"?`}`);
  };
  const labels = loaded.masking.dictionary.map((entry) => entry.label);
  const types = new Set([...builtinTypes, ...labels]);
  const settings = [loaded.masking.types, ...loaded.policy.rules.map((rule) => rule.then.types ?? {})];
  for (const type of new Set(settings.flatMap((setting) => Object.keys(setting)))) {
    if (!types.has(type)) unknown('the type', type, types);
  }
  const names = new Set(
    services.flatMap((s) => [s.id, s.service_name.toLowerCase(), s.domain, ...s.alternate_domains]),
  );
  const kinds = new Set(services.flatMap((service) => service.kind ?? []));
  for (const { when } of loaded.policy.rules) {
    for (const name of when.services ?? []) if (!names.has(name.toLowerCase())) unknown('the service', name, names);
    for (const kind of when.kinds ?? []) if (!kinds.has(kind)) unknown('the kind', kind, kinds);
  }
  return found;
}
