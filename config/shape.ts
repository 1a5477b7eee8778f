/** Reads the schema as a tree of keys: which keys are allowed at a path. */

import type { z } from 'zod';
import type { KeyPath } from './key-path.ts';

type Def = {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
};

/** The keys that an object at the path may have; empty if the schema has no object with fixed keys there. */
export function keysAt(schema: z.ZodType, path: KeyPath): string[] {
  return childrenAt(schema, path).flatMap((child) => Object.keys(defOf(child).shape ?? {}));
}

/** The value with `{}` in place of null sections: `masking:` with nothing below it means the defaults. */
export function withEmptySections(schema: z.ZodType, value: unknown, path: KeyPath = []): unknown {
  if (value === null && isSection(schema, path)) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, withEmptySections(schema, child, [...path, key])]),
  );
}

/** Whether the schema has a non-nullable section with fixed keys at the path. */
function isSection(schema: z.ZodType, path: KeyPath): boolean {
  const found = childrenAt(schema, path, false);
  return found.length > 0 && found.every((child) => ['object', 'record'].includes(typeBelow(child)));
}

/** The paths of every key with this name, such as `masking.max_body`; lists are left out. */
export function pathsOfKey(schema: z.ZodType, key: string, path: readonly string[] = []): string[] {
  return Object.entries(defOf(schema).shape ?? {}).flatMap(([name, child]) => [
    ...(name === key ? [[...path, name].join('.')] : []),
    ...pathsOfKey(child, key, [...path, name]),
  ]);
}

function childrenAt(schema: z.ZodType, path: KeyPath, unwrap = true): z.ZodType[] {
  let found = [schema];
  for (const key of path) found = found.flatMap((parent) => childrenOf(defOf(parent), key));
  return unwrap ? found.flatMap((child) => defOf(child).options ?? [child]) : found;
}

function childrenOf(def: Def, key: PropertyKey): readonly z.ZodType[] {
  if (def.options !== undefined) return def.options.flatMap((option) => childrenOf(defOf(option), key));
  const child = def.shape?.[String(key)] ?? def.element ?? def.valueType;
  return child === undefined ? [] : [child];
}

/** The definition inside defaults, `optional`, `nullable` and transforms. */
function defOf(schema: z.ZodType): Def {
  let def = schema.def as unknown as Def;
  for (let inner = def.innerType ?? def.in; inner !== undefined; inner = def.innerType ?? def.in) {
    def = inner.def as unknown as Def;
  }
  return def;
}

/** The type inside defaults only, so that a nullable value differs from a section. */
function typeBelow(schema: z.ZodType): string {
  let def = schema.def as unknown as Def;
  while (def.innerType !== undefined && (def.type === 'default' || def.type === 'prefault')) {
    def = def.innerType.def as unknown as Def;
  }
  return def.type;
}
