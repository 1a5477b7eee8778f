/** Detects configured PII types that no recognizer finds. */
import type { KeyPath } from '../config/document.ts';
import type { Fault } from '../config/fault.ts';
import type { Config } from '../config/load.ts';
import { suggestion } from '../config/nearest.ts';
import { builtinTypes } from '../core/detect/detector.ts';
import { typeGroups } from '../core/types.ts';

/** The types that exist: those of the engine, the labels of the dictionary and the types of the user's own recognizers. */
export function knownTypes({
  dictionary,
  recognizers,
}: Pick<Config['masking'], 'dictionary' | 'recognizers'>): ReadonlySet<string> {
  const own = [...dictionary.map(({ label }) => label), ...recognizers.map(({ type }) => type)];
  return new Set([...builtinTypes, ...typeGroups, ...own]);
}

/** Errors in the keys of a `types` section at `path`. */
export function unknownTypes(
  types: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  path: KeyPath,
): Fault[] {
  return Object.keys(types).flatMap((name): Fault[] => {
    if (known.has(name)) return [];
    return [{ path: [...path, name], message: `is not a known type${suggestion(name, known)}`, of: 'key' }];
  });
}

/** The same for the rules of a policy. */
export function unknownTypesOfRules({ rules }: Pick<Config['policy'], 'rules'>, known: ReadonlySet<string>): Fault[] {
  return rules.flatMap(({ then }, i) => unknownTypes(then.types ?? {}, known, ['policy', 'rules', i, 'then', 'types']));
}
