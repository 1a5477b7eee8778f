/** The thread in which long texts are searched and checked. */
import { LRUCache } from 'lru-cache';
import { Detector, type DetectorOptions } from '../../core/detection.ts';
import { PrivetError } from '../../core/errors.ts';
import { outsideTokens, tokensIn } from '../../core/mask.ts';
import { ragResolve } from '../../core/rag/index.ts';
import type { Detection } from '../../core/recognizer.ts';
import { restoreText } from '../../core/restore.ts';
import { findTokens } from '../../core/tokens.ts';
import { type Ask, answerJobs } from '../threads/jobs.ts';
import { copyUnits } from './copy-units.ts';
import { injectionChecks, type LongRestoring, type LongText, namedTokensMax, type Survey } from './long-texts.ts';

const detectors = new LRUCache<string, Detector>({ max: 20 });

answerJobs<LongText, unknown>('The text cannot be searched.', (job, ask) => {
  if ('check' in job) return injectionChecks[job.check](job.text, job.options);
  if ('restore' in job) return restored(job, ask);
  const found = detected(job.options, job.text);
  return job.isSurvey ? surveyed(job.text, found) : found;
});

function detected(options: DetectorOptions, text: string): Detection[] {
  const key = JSON.stringify(options);
  let detector = detectors.get(key);
  if (detector === undefined) {
    detector = new Detector({ ...options, copyUnits });
    detectors.set(key, detector);
  }
  return detector.detect(text);
}

function surveyed(text: string, found: readonly Detection[]): Survey {
  const detections = outsideTokens(text, found);
  return { detections, taken: [...named(tokensIn(text))] };
}

async function restored({ restore, text, guardUrls, lengthMax }: LongRestoring, ask: Ask) {
  const tokens = [...named(new Set(findTokens(text).map(({ identity }) => identity)))];
  const asked = tokens.flatMap((token) => [token, `[${token}]`]);
  const values = (await ask(asked)) as readonly (string | undefined)[];
  const map = new Map<string, string>();
  for (const [i, token] of asked.entries()) {
    const value = values[i];
    if (value !== undefined) map.set(token, value);
  }
  if (restore === 'rag') return ragResolve(text, map, { lengthMax });
  return restoreText(text, map, { lengthMax, ...(guardUrls === undefined ? {} : { guardUrls }) });
}

/** The tokens that a text names, when they are not too many. */
function named(tokens: ReadonlySet<string>): ReadonlySet<string> {
  if (tokens.size <= namedTokensMax) return tokens;
  throw new PrivetError('body_too_large', `The text names more than ${namedTokensMax} tokens.`, {
    hint: 'Send the text in smaller parts.',
  });
}
