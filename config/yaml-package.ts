/**
 * Loads the `yaml` package on demand: for what the quick reader leaves to it, for key positions and for writing. It
 * takes 17 ms to load, and most starts do not need it.
 */
import { createRequire } from 'node:module';

type Yaml = typeof import('yaml');

let loaded: Yaml | undefined;

/** The package. */
export function yamlPackage(): Yaml {
  loaded ??= createRequire(import.meta.url)('yaml') as Yaml;
  return loaded;
}
