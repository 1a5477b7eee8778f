import { labelBlocks } from '../support/near-misses/labels.ts';
import { layoutBlocks } from '../support/near-misses/layouts.ts';
import { compareWithGolden } from '../support/near-misses/suite.ts';
import { wordBlocks } from '../support/near-misses/words.ts';

/** A difference is a change of what is found: if it is intended, run `node scripts/near-misses.ts` and read the diff. */
compareWithGolden([
  ['labels', labelBlocks()],
  ['layouts', layoutBlocks()],
  ['words', wordBlocks()],
]);
