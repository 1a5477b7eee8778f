import type { PromptCategory } from './result.ts';
import rules from './words/rules.json' with { type: 'json' };

/**
 * A sequence of word classes that must follow each other within one sentence. `gap` is the maximum distance between
 * neighbours (a word counts 2, a character of a script without spaces 1). `weight` is 3 for a signal that suffices
 * alone (`strong`), 1 for one found in many harmless texts.
 */
export type PromptRule = {
  readonly name: string;
  readonly category: PromptCategory;
  readonly parts: readonly string[];
  readonly weight: number;
  readonly strong: boolean;
  readonly gap: number;
  /** The order must be given, not reported: at the start, or after "please", "and" or "you must". */
  readonly order?: boolean;
  /** A side effect or exfiltration, which makes a strong finding critical. */
  readonly acts?: boolean;
};

const strongWeight = 3;

/** All permutations of `parts`. */
function orders(parts: readonly string[]): string[][] {
  if (parts.length <= 1) return [[...parts]];
  return parts.flatMap((part, i) =>
    orders([...parts.slice(0, i), ...parts.slice(i + 1)]).map((rest) => [part, ...rest]),
  );
}

type Shape = { readonly gap?: number; readonly order?: boolean; readonly any?: boolean; readonly acts?: boolean };

/** `spec` is the sequence of classes; a weight of 3 or more is strong. */
function rule(category: PromptCategory, spec: string, weight: number, shape: Shape = {}): PromptRule[] {
  const parts = spec.split(' ');
  const rows = shape.any === true ? orders(parts) : [parts];
  return rows.map((row) => ({
    name: parts.join('-'),
    category,
    parts: row,
    weight,
    strong: weight >= strongWeight,
    gap: shape.gap ?? 12,
    ...(shape.order === true ? { order: true } : {}),
    ...(shape.acts === true ? { acts: true } : {}),
  }));
}

type Row = readonly [spec: string, weight: number, shape?: Shape];

/** The rules by category. */
export const promptRules: readonly PromptRule[] = Object.entries(
  rules as unknown as Readonly<Record<string, Row[]>>,
).flatMap(([category, rows]) => rows.flatMap((row) => rule(category as PromptCategory, ...row)));
