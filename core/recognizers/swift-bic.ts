/** Business identifier codes of banks (ISO 9362), after a label. */

import type { ScanText } from '../detect/scan.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { labelledValues } from '../records/labels.ts';
import { labelsOf } from './label-words.ts';

const name = 'swift-bic';
const code = /(?<![0-9A-Za-z])[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?(?![0-9A-Za-z])/g;

/** Checks the text after each label. */
export const swiftBic: Recognizer = {
  name,
  type: 'SWIFT_BIC',
  labels: labelsOf(name),
  trigger: ({ keywords }) => keywords.has(name),
  find(text: ScanText): Detection[] {
    return labelledValues(text, name, code, { reach: 12, back: 0 })
      .filter(({ gap }) => /^(?: ?code)?[^A-Za-z]*$/i.test(gap))
      .map(({ start, end, context }) =>
        detectionAt(text, start, end, { type: 'SWIFT_BIC', score: 0.85, recognizer: name, context }),
      );
  },
};
