/** The thread in which long texts are searched and checked. */
import { LRUCache } from 'lru-cache';
import { Detector, type DetectorOptions } from '../../core/detection.ts';
import type { Detection } from '../../core/recognizer.ts';
import { answerJobs } from '../threads/jobs.ts';
import { copyUnits } from './copy-units.ts';
import { injectionChecks, type LongText } from './long-texts.ts';

const detectors = new LRUCache<string, Detector>({ max: 20 });

answerJobs('The text cannot be searched.', (job: LongText) =>
  'check' in job ? injectionChecks[job.check](job.text, job.options) : detected(job.options, job.text),
);

function detected(options: DetectorOptions, text: string): Detection[] {
  const key = JSON.stringify(options);
  let detector = detectors.get(key);
  if (detector === undefined) {
    detector = new Detector({ ...options, copyUnits });
    detectors.set(key, detector);
  }
  return detector.detect(text);
}
