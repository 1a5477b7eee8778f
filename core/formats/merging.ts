/** Merges the declared fields of several formats. */
import type { JsonNode } from '../payload/json-strings.ts';

/** The declared values of a field, in order. */
export function given<Part, Field extends keyof Part>(
  parts: readonly Part[],
  field: Field,
): NonNullable<Part[Field]>[] {
  return parts.flatMap((part) => {
    const value = part[field];
    return value === undefined || value === null ? [] : [value as NonNullable<Part[Field]>];
  });
}

/** The words of a field. */
export function words<Field extends string>(
  parts: readonly { readonly [name in Field]?: string }[],
  field: Field,
): Set<string> {
  return new Set(parts.flatMap((part) => part[field]?.split(' ') ?? []));
}

/** The words as alternatives of a regular expression; without words it matches nothing. */
export function alternatives<Field extends string>(
  parts: readonly { readonly [name in Field]?: string }[],
  field: Field,
): string {
  return [...words(parts, field)].join('|') || '(?!)';
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
