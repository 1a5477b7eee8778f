export { detectInjection } from './prompt.ts';
export type { InjectionOptions, InjectionResult, InjectionRisk } from './result.ts';
export { detectSqlInjection } from './sql/detect.ts';

import { detectInjection } from './prompt.ts';
import type { InjectionOptions, InjectionResult } from './result.ts';
import { detectSqlInjection } from './sql/detect.ts';

export type AllInjections = {
  readonly hasPromptInjection: boolean;
  readonly hasSQLInjection: boolean;
  /** True if either detector found an injection. */
  readonly compositeRisk: boolean;
  readonly prompt: InjectionResult;
  readonly sql: InjectionResult;
};

/** Runs both detectors on one text. */
export function detectAllInjections(text: string, options: InjectionOptions = {}): AllInjections {
  const prompt = detectInjection(text, options);
  const sql = detectSqlInjection(text, options);
  return {
    hasPromptInjection: prompt.injectionDetected,
    hasSQLInjection: sql.injectionDetected,
    compositeRisk: prompt.injectionDetected || sql.injectionDetected,
    prompt,
    sql,
  };
}
