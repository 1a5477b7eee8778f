/**
 * The configuration with all that it refers to: the registry file it names and the terms of its dictionary. A start, a
 * reload and `privet config check` read it here, so that none of them accepts what another refuses.
 */
import { readFileSync } from 'node:fs';
import { YamlText } from '../config/document.ts';
import { type Config, ConfigError, type Loaded, type LoadOptions, loadConfig, type Problem } from '../config/load.ts';
import { nearestName } from '../config/nearest.ts';
import { readServices, type ServicesFile } from '../config/services.ts';
import { builtinTypes } from '../core/detection.ts';
import { dictionaryProblems } from '../core/dictionary.ts';
import type { ServiceList } from '../policy/service-table.ts';
import { ruleWarnings } from './rule-doubts.ts';
import { hashKinds, isPasswordHash } from './users/password-forms.ts';

/** A checked configuration, and the services of its registry file (without the changes made over the API). */
export type Configuration = Loaded & { readonly services: ServiceList; readonly registryFile: ServicesFile };

/** A file that says that it holds none. */
const noSettings = '{}';

/** Beyond so many services the names in rules are not looked up at each start: it would take half a second of it. */
const largeRegistry = 200_000;

/**
 * Reads and checks everything. `warnings` also name what refers to nothing, which a later registry or version may have.
 * `before`: what was read last; its services are kept while the registry file is the same.
 * @throws ConfigError with every fault
 */
export function readConfiguration(options: LoadOptions, before?: Configuration): Configuration {
  const loaded = loadConfig(options);
  const { config, settings } = loaded;
  const problems = [
    ...emptied(loaded, before),
    ...refusedTerms(config, settings.configFile),
    ...refusedHashes(config, settings.configFile),
  ];
  let registryFile = before?.registryFile;
  try {
    registryFile = readServices(config.policy.registry ?? undefined, before?.registryFile);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
  }
  if (problems.length > 0 || registryFile === undefined) throw new ConfigError(problems);
  const { services } = registryFile;
  const file = settings.configFile ?? 'configuration';
  // Names that nobody has are looked for where that costs nothing.
  const known = services.length > largeRegistry ? undefined : services;
  const ofRules = ruleWarnings({ config, services: known, file, yaml: loaded.yaml });
  const warnings = [...withoutSettings(loaded), ...loaded.warnings, ...unknownTypes(config), ...ofRules];
  return { ...loaded, warnings, services, registryFile };
}

/** A first start with an empty file is in order, but perhaps it was meant to hold something. */
function withoutSettings({ yaml, settings }: Loaded): string[] {
  if (yaml === undefined || yaml.value !== undefined) return [];
  return [
    `${settings.configFile} holds no settings: the defaults are in force; write ${noSettings} when that is meant`,
  ];
}

/** A file that has lost all its settings is being written, or was by a full disk: its defaults would let everybody in. */
function emptied({ yaml, settings }: Loaded, before: Configuration | undefined): Problem[] {
  if (before?.yaml?.value === undefined || yaml?.value !== undefined) return [];
  const message = `holds no settings any more; write ${noSettings} when that is meant`;
  return [{ file: settings.configFile ?? 'configuration', line: 1, column: 1, key: '', message }];
}

/** Entries of the dictionary that only the engine knows to be wrong, as look-around or a label like a built-in type. */
export function refusedTerms(config: Config, file = 'configuration'): Problem[] {
  return dictionaryProblems(config.masking.dictionary).map(({ index, field = '', position, message }): Problem => {
    const place = new YamlText(readFileSync(file, 'utf8'), file).placeOfValue(['masking', 'dictionary', index]);
    const where = position === undefined ? '' : ` (at ${position})`;
    return { file, ...place, key: `masking.dictionary[${index}]`, message: `${field}${where} ${message}`.trim() };
  });
}

/** Password hashes of a kind that cannot be compared: the user could never sign in. */
function refusedHashes(config: Config, file = 'configuration'): Problem[] {
  return config.auth.proxy.users.flatMap(({ password_hash: hash }, i): Problem[] => {
    if (isPasswordHash(hash)) return [];
    const place = new YamlText(readFileSync(file, 'utf8'), file).placeOfValue([
      'auth',
      'proxy',
      'users',
      i,
      'password_hash',
    ]);
    const message = `must be ${hashKinds}; "privet users hash" makes one`;
    return [{ file, ...place, key: `auth.proxy.users[${i}].password_hash`, message }];
  });
}

/** Types that no recognizer finds: no faults, because a later version may have them. */
function unknownTypes(config: Config): string[] {
  const found: string[] = [];
  const labels = config.masking.dictionary.map((entry) => entry.label);
  const types = new Set([...builtinTypes, ...labels]);
  const settings = [config.masking.types, ...config.policy.rules.map((rule) => rule.then.types ?? {})];
  for (const type of new Set(settings.flatMap((setting) => Object.keys(setting)))) {
    if (types.has(type)) continue;
    const near = nearestName(type, types);
    found.push(`the type "${type}" is not known${near === undefined ? '' : `; did you mean "${near}"?`}`);
  }
  return found;
}

/** The files that a configuration is made of, its own first: what is to be read again when one of them has changed. */
export function filesOf({ config, settings }: Pick<Configuration, 'config' | 'settings'>): string[] {
  const { listen, upstream, auth, policy } = config;
  const tls = listen.proxy_tls;
  const named = [
    settings.configFile,
    policy.registry,
    auth.proxy.users_file,
    ...(tls === null ? [] : [tls.cert_file, tls.key_file, tls.client_ca_file]),
    upstream.ca_file,
    ...upstream.client_certs.flatMap(({ cert_file: cert, key_file: key }) => [cert, key]),
  ];
  return named.filter((file) => file !== null && file !== undefined);
}
