/** One signal that fired. Offsets are UTF-16 code units of the text that was given. */
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
  /** Rules and model together; larger is surer. Comparable between texts, not a probability. */
  readonly score: number;
  readonly matches: readonly InjectionMatch[];
};

/** How much evidence a finding takes: `low` reports less than `normal`, `high` reports single weak signals too. */
export type InjectionSensitivity = 'low' | 'normal' | 'high';

export type InjectionOptions = {
  readonly sensitivity?: InjectionSensitivity;
};

/** The categories of prompt injection that follow `prompt_injection`, in the order in which they are reported. */
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

/** The answer for a text in which nothing was found. */
export function nothingFound(score = 0, matches: readonly InjectionMatch[] = []): InjectionResult {
  return { injectionDetected: false, categories: [], risk: 'none', score, matches };
}
