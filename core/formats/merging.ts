/** Merges the declarations of several formats. */
import type { JsonNode } from '../payload/json-strings.ts';

/** A part of all formats: the words of its strings, and its other values in order. At least one format declares each field. */
export type Merged<Part> = {
  readonly [Field in keyof Part]-?: NonNullable<Part[Field]> extends string
    ? ReadonlySet<string>
    : NonNullable<Part[Field]> extends readonly (infer One)[]
      ? readonly One[]
      : readonly NonNullable<Part[Field]>[];
};

/** The same with lists of words, which are faster to iterate. */
export type Listed<Part> = {
  readonly [Field in keyof Part]: Part[Field] extends ReadonlySet<string> ? readonly string[] : Part[Field];
};

/** Lists the words of merged parts. */
export function listed<Part extends object>(part: Part): Listed<Part> {
  const fields = Object.entries(part).map(([name, value]) => [name, value instanceof Set ? [...value] : value]);
  return Object.fromEntries(fields);
}

/** Merges the declared parts. */
export function merged<Part extends object>(parts: readonly Part[]): Merged<Part> {
  const fields: Record<string, unknown> = {};
  for (const name of new Set(parts.flatMap((part) => Object.keys(part)))) {
    const values = parts.flatMap((part) => part[name as keyof Part] ?? []) as unknown[];
    const isText = values.every((value) => typeof value === 'string');
    fields[name] = isText ? new Set(values.flatMap((value) => (value as string).split(' '))) : values;
  }
  return fields as Merged<Part>;
}

/** The words as alternatives of a regular expression; without words it matches nothing. */
export function alternatives(words: ReadonlySet<string>): string {
  return [...words].join('|') || '(?!)';
}

/** One expression that matches what any of the patterns matches. */
export function union(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|') || '(?!)');
}

/** True for a text that any of the patterns matches. */
export function tester(patterns: readonly RegExp[]): (text: string) => boolean {
  return (text) => patterns.some((pattern) => pattern.test(text));
}

/** True if any of the tests is. */
export function anyOf<Value>(tests: readonly ((value: Value, root: JsonNode) => boolean)[]) {
  return (value: Value, root?: JsonNode): boolean => {
    for (let i = 0; i < tests.length; i++) {
      if ((tests[i] as (value: Value, root?: JsonNode) => boolean)(value, root)) return true;
    }
    return false;
  };
}
