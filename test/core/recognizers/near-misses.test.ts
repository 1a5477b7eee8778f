import { recognizers } from '../../../core/recognizers/index.ts';
import { recognizerBlocks } from '../../support/near-misses/recognizers.ts';
import { compareWithGolden } from '../../support/near-misses/suite.ts';

/** A difference is a change of what is found: when it is meant, `node scripts/near-misses.ts` and read the diff. */
compareWithGolden(
  recognizers.map((recognizer) => [`recognizers/${recognizer.name}`, recognizerBlocks(recognizer)] as const),
);
