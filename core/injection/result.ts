/** A signal. Offsets are UTF-16 code units of the input text. */
export type InjectionMatch = {
  readonly category: string;
  readonly start: number;
  /** Exclusive. For a hidden or encoded hit, the end of the run that contains it. */
  readonly end: number;
  /** Rule name for metrics and debugging; the matched text is never logged. */
  readonly rule: string;
  readonly score: number;
};

export type InjectionRisk = 'none' | 'low' | 'medium' | 'high' | 'critical';

export type InjectionResult = {
  /** True if `categories` is not empty. */
  readonly injectionDetected: boolean;
  readonly categories: readonly string[];
  readonly risk: InjectionRisk;
  /** Combined score of rules and model; higher is more certain. Comparable between texts, but not a probability. */
  readonly score: number;
  readonly matches: readonly InjectionMatch[];
};

/** Required evidence: `low` reports less than `normal`, `high` also reports single weak signals. */
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
