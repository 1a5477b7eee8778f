/** Reads a registry file: the built-in one, or one that an organisation keeps for itself. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Place, YamlText } from './document.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { ConfigError } from './problem.ts';

/** The registry that is shipped. */
export const builtinServicesFile = join(import.meta.dirname, 'services.yaml');

/** Entries as they stand in the file, not checked yet. */
export type ServiceFile = {
  readonly file: string;
  /** Day on which the list was compiled, `YYYY-MM-DD`; undefined when the file does not say. */
  readonly compiled?: string;
  readonly services: readonly unknown[];
  /** Where an entry stands; parses the file again, so for messages only. */
  placeOf(index: number): Place;
};

/**
 * Reads a registry file (`null` = the built-in one).
 * @throws ConfigError when it cannot be read, is not YAML, or has no list `services`.
 */
export function readServiceFile(file: string | null): ServiceFile {
  const path = file ?? builtinServicesFile;
  const text = readText(path);
  const value = readPlainYaml(text) ?? parse(text, path);
  const { services, compiled } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (!Array.isArray(services)) {
    throw new ConfigError([{ file: path, line: 1, column: 1, key: 'services', message: 'must be a list of services' }]);
  }
  return {
    file: path,
    ...(typeof compiled === 'string' ? { compiled } : {}),
    services,
    placeOf: (index) => new YamlText(text, path).placeOfValue(['services', index]),
  };
}

function parse(text: string, file: string): unknown {
  const yaml = new YamlText(text, file);
  if (yaml.problems.length > 0) throw new ConfigError(yaml.problems);
  return yaml.value;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'error';
    throw new ConfigError([{ file, line: 0, column: 0, key: '', message: `cannot be read (${code})` }]);
  }
}
