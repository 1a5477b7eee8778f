/** Detects configured PII types that no recognizer finds. */
import type { KeyPath } from '../config/document.ts';
import type { Fault } from '../config/fault.ts';
import type { Config } from '../config/load.ts';
import { nearestName } from '../config/nearest.ts';
import { builtinTypes } from '../core/detection.ts';
import { typeGroups } from '../core/types.ts';

/** All known types: those of the engine and the labels of the dictionary. */
export function knownTypes({ dictionary }: Pick<Config['masking'], 'dictionary'>): ReadonlySet<string> {
  return new Set([...builtinTypes, ...typeGroups, ...dictionary.map(({ label }) => label)]);
}

/** Errors in the keys of a `types` section at `path`. */
export function unknownTypes(
  types: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  path: KeyPath,
): Fault[] {
  return Object.keys(types).flatMap((name): Fault[] => {
    if (known.has(name)) return [];
    const near = nearestName(name, known);
    const message = `is not a known type${near === undefined ? '' : `; did you mean "${near}"?`}`;
    return [{ path: [...path, name], message, of: 'key' }];
  });
}

/** The same for the rules of a policy. */
export function unknownTypesOfRules({ rules }: Pick<Config['policy'], 'rules'>, known: ReadonlySet<string>): Fault[] {
  return rules.flatMap(({ then }, i) => unknownTypes(then.types ?? {}, known, ['policy', 'rules', i, 'then', 'types']));
}
