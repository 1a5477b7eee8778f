/** One signal that fired. Offsets are UTF-16 code units of the input text. */
export type InjectionMatch = {
  readonly category: string;
  readonly start: number;
  /** Exclusive. For a hit that was hidden or encoded: the end of the hidden or encoded run. */
  readonly end: number;
  /** Name of the rule, for metrics and debugging; the matched text itself is never logged. */
  readonly rule: string;
  readonly score: number;
};

export type InjectionRisk = 'none' | 'low' | 'medium' | 'high' | 'critical';

export type InjectionResult = {
  /** True exactly when `categories` is not empty. */
  readonly injectionDetected: boolean;
  readonly categories: readonly string[];
  readonly risk: InjectionRisk;
  /** Combined score of rules and model; higher means more certain. Comparable between texts, but not a probability. */
  readonly score: number;
  readonly matches: readonly InjectionMatch[];
};

/** How much evidence a finding needs: `low` reports less than `normal`, `high` also reports single weak signals. */
export type InjectionSensitivity = 'low' | 'normal' | 'high';

export type InjectionOptions = {
  readonly sensitivity?: InjectionSensitivity;
};

/** The categories that follow `prompt_injection`, in report order. */
export const promptCategories = [
  'role_override',
  'system_prompt_leak',
  'jailbreak',
  'data_exfiltration',
  'tool_abuse',
  'hidden_text',
  'encoded_payload',
] as const;

export type PromptCategory = (typeof promptCategories)[number];

/** The result when nothing was found. */
export function nothingFound(score = 0, matches: readonly InjectionMatch[] = []): InjectionResult {
  return { injectionDetected: false, categories: [], risk: 'none', score, matches };
}
