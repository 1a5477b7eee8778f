/** People's names, as the tagger of `core/names/` finds them. */
import { tagNames } from '../names/index.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';

/** Looks at texts with a capital, or in a script without them. */
export const personName: Recognizer = {
  name: 'name',
  type: 'NAME',
  trigger: ({ original }) => original.length > 1,
  find(text: ScanText): Detection[] {
    const lang = text.lang;
    return tagNames(text.shadow, lang === undefined ? {} : { lang }).map(({ start, end, score }) =>
      detectionAt(text, start, end, { type: 'NAME', score, recognizer: 'name' }),
    );
  },
  samples: {
    match: [
      ['Please ask Emily Harrington about it', 'Emily Harrington'],
      ['担当の 中村　健太 です', '中村　健太'],
    ],
    noMatch: ['Los Angeles', 'Android Studio'],
  },
};
