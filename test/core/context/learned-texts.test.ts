import { expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import { contextTypes } from '../../../core/recognizers/context-types.ts';
import { scorePii, sharesOf } from '../../../eval/score.ts';
import { markedTexts } from '../../../scripts/context/texts.ts';

/** Each text shows one kind of layout or near miss. The scorer was trained on them, and must still find most values. */
test.each(contextTypes.map(({ type }) => [type]))('%s is found in the texts that the scorer was trained on', (type) => {
  const detector = new Detector();
  const records = markedTexts().filter(({ judge }) => judge?.includes(type));
  // A PIN is both a password and a code; either type masks it.
  const { perType } = scorePii(records, (text) =>
    detector.detect(text).map((one) => (type === 'OTP_CODE' && one.type === 'PASSWORD' ? { ...one, type } : one)),
  );
  const { gold, f1 } = sharesOf(perType.get(type) ?? { tp: 0, fp: 0, fn: 1, strict: 0 });
  expect(gold).toBeGreaterThan(10);
  expect(f1).toBeGreaterThan(0.94);
});
