/** The thread in which long texts are searched. */
import { LRUCache } from 'lru-cache';
import { Detector } from '../../core/detection.ts';
import type { Detection } from '../../core/recognizer.ts';
import { answerJobs } from '../threads/jobs.ts';
import { copyUnits } from './copy-units.ts';
import type { LongText } from './long-texts.ts';

const detectors = new LRUCache<string, Detector>({ max: 20 });

answerJobs('The text cannot be searched.', ({ options, text }: LongText): Detection[] => {
  const key = JSON.stringify(options);
  let detector = detectors.get(key);
  if (detector === undefined) {
    detector = new Detector({ ...options, copyUnits });
    detectors.set(key, detector);
  }
  return detector.detect(text);
});
