/** A policy by itself, as an administrator edits it: the section `policy` of a configuration file, with or without that key. */
import { z } from 'zod';
import { YamlText } from './document.ts';
import { problemsOfIssues } from './issues.ts';
import { policySchema } from './policy-schema.ts';
import type { Problem } from './problem.ts';
import type { Config } from './schema.ts';
import { withEmptySections } from './shape.ts';

/** A checked policy; `problems` when it is not valid. */
export type ParsedPolicy = { readonly policy?: Config['policy']; readonly problems: readonly Problem[] };

const wholeSchema = z.looseObject({ policy: policySchema.prefault({}) });
/** The section alone, in the same shape as above. */
const partSchema = policySchema.transform((policy) => ({ policy }));

/** Longest text of a policy, in UTF-16 code units. */
export const policyLengthMax = 8_000_000;

/**
 * Checks the text of a policy. Under a key `policy:` other sections may stand beside it, which are passed over: the file
 * may be a whole configuration.
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

/** A policy as a form works on it. */
export type PolicyForm = {
  /** The rules as they stand in the text, unchecked; null when it cannot be read. */
  readonly rules: readonly unknown[] | null;
  /**
   * The text with each rule on lines of its own, so that one can be changed and the rest left; null where it is so already.
   * `policy: { rules: [{ … }] }`, and JSON, are not.
   */
  readonly block: string | null;
};

/** What a form needs to know of the text of a policy. */
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
