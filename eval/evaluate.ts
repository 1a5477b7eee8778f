/**
 * Runs the engine over all texts of the evaluation.
 */
import { Detector } from '../core/detect/detector.ts';
import { detectInjection, detectSqlInjection } from '../core/injection/index.ts';
import { readInjectionRecords, readPiiRecords } from './records.ts';
import type { Evaluation } from './report.ts';
import { scoreInjection, scorePii } from './score.ts';

/** Every figure, measured now; takes a few seconds. */
export function evaluate(): Evaluation {
  const detector = new Detector();
  const injections = readInjectionRecords();
  return {
    pii: scorePii(readPiiRecords(), (text) => detector.detect(text)),
    prompt: scoreInjection(
      injections.filter(({ kind }) => kind === 'prompt'),
      (text) => detectInjection(text).injectionDetected,
    ),
    sql: scoreInjection(
      injections.filter(({ kind }) => kind === 'sql'),
      (text) => detectSqlInjection(text).injectionDetected,
    ),
  };
}
