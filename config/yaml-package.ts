/**
 * The `yaml` package, for texts that `yamlValue` rejects, for positions of keys, and for writing. Loaded on first use:
 * it takes 17 ms, and most starts do not need it.
 */
import { createRequire } from 'node:module';

type Yaml = typeof import('yaml');

let loaded: Yaml | undefined;

export function yamlPackage(): Yaml {
  loaded ??= createRequire(import.meta.url)('yaml') as Yaml;
  return loaded;
}
