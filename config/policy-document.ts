/**
 * A policy on its own, as an administrator edits it: the section `policy` of a configuration file, with or without that
 * key.
 */
import { z } from 'zod';
import { YamlText } from './document.ts';
import { problemsOfIssues } from './issues.ts';
import { policySchema } from './policy-schema.ts';
import type { Problem } from './problem.ts';
import type { Config } from './schema.ts';
import { withEmptySections } from './shape.ts';

/** A validated policy; `problems` when it is not valid. */
export type ParsedPolicy = { readonly policy?: Config['policy']; readonly problems: readonly Problem[] };

const wholeSchema = z.looseObject({ policy: policySchema.prefault({}) });
/** The section alone, mapped to the same shape. */
const partSchema = policySchema.transform((policy) => ({ policy }));

/** Maximum length of a policy text, in UTF-16 code units. */
export const policyLengthMax = 8_000_000;

/**
 * Validates a policy text. If it has a key `policy:`, other sections are ignored: the text may be a whole configuration
 * file.
 */
export function parsePolicy(text: string, file: string): ParsedPolicy {
  const yaml = new YamlText(text, file);
  if (yaml.problems.length > 0) return { problems: yaml.problems };
  const value = yaml.value ?? {};
  const isWhole = typeof value === 'object' && Object.hasOwn(value, 'policy');
  const schema: z.ZodType<{ policy: Config['policy'] }> = isWhole ? wholeSchema : partSchema;
  const result = schema.safeParse(withEmptySections(isWhole ? wholeSchema : policySchema, value));
  if (result.success) return { policy: result.data.policy, problems: [] };
  const shape = isWhole ? wholeSchema : policySchema;
  return { problems: problemsOfIssues(result.error.issues, { yaml, file, schema: shape }) };
}

export type PolicyForm = {
  /** The rules as written, unvalidated; null when the text cannot be parsed. */
  readonly rules: readonly unknown[] | null;
  /**
   * The text with each rule in block style, so that one rule can be changed without touching the rest. Null if it
   * already is; `policy: { rules: [{ … }] }` and JSON are not.
   */
  readonly block: string | null;
};

export function policyForm(text: string): PolicyForm {
  const yaml = new YamlText(text, 'policy');
  const rules = rulesIn(yaml);
  const top = Object.hasOwn((yaml.value ?? {}) as object, 'policy') ? ['policy'] : [];
  const isApart = rules === null || (!yaml.isInBrackets([]) && !yaml.isInBrackets(top));
  return { rules, block: isApart ? null : yaml.writtenOut([[], top, [...top, 'rules']]) };
}

function rulesIn({ problems, value }: YamlText): readonly unknown[] | null {
  if (problems.length > 0) return null;
  const whole = (value ?? {}) as { readonly policy?: unknown };
  const { rules = [] } = ((Object.hasOwn(whole, 'policy') ? whole.policy : whole) ?? {}) as {
    readonly rules?: unknown;
  };
  return Array.isArray(rules) ? rules : rules === null ? [] : null;
}
