/** User names: labelled values and mentions. Off by default: many are public, and code is full of them. */

import { matchesIn, type ScanText } from '../detect/scan.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { labelledValues } from '../records/labels.ts';
import { labelsOf } from './label-words.ts';

const name = 'username';
const account = /(?<![\w.@-])@?[A-Za-z][\w.-]{1,38}[A-Za-z0-9_](?![\w@-])/g;
const mention = /@[A-Za-z0-9_][\w.]{1,28}[A-Za-z0-9_](?![\w.]*@)/g;

/** Checks labelled values and mentions. */
export const username: Recognizer = {
  name,
  type: 'USERNAME',
  labels: labelsOf(name),
  trigger: ({ keywords, original }) => keywords.has(name) || original.includes('@'),
  find(text: ScanText): Detection[] {
    const found = labelledValues(text, name, account, { reach: 8, back: 0 })
      .filter(({ gap }) => /[:：=」@"'|\t]|は$/.test(gap) || gap === '')
      .map(({ start, end, context }) =>
        detectionAt(text, start, end, { type: 'USERNAME', score: 0.8, recognizer: name, context }),
      );
    for (let at = text.shadow.indexOf('@'); at >= 0; at = text.shadow.indexOf('@', at + 1)) {
      if (/[\w.%+-]/.test(text.shadow[at - 1] ?? ' ')) continue;
      for (const { start, end } of matchesIn(text.shadow, mention, { start: at, end: at + 1, before: 0, after: 64 }))
        found.push(detectionAt(text, start, end, { type: 'USERNAME', score: 0.7, recognizer: name }));
    }
    return found.sort((a, b) => a.start - b.start);
  },
};
