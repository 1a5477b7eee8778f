/**
 * The `yaml` package, for what `yamlValue` leaves to it, for the places of keys and for writing. Loaded when first asked
 * for: it takes 17 ms, and most starts need none of it.
 */
import { createRequire } from 'node:module';

type Yaml = typeof import('yaml');

let loaded: Yaml | undefined;

/** The package. */
export function yamlPackage(): Yaml {
  loaded ??= createRequire(import.meta.url)('yaml') as Yaml;
  return loaded;
}
