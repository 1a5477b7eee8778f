import { contextTypes } from '../../../core/recognizers/context-types.ts';
import { recognizers } from '../../../core/recognizers/index.ts';
import { recognizerBlocks } from '../../support/near-misses/recognizers.ts';
import { compareWithGolden } from '../../support/near-misses/suite.ts';

/** Learned types are tested with properties and texts instead (test/core/context/). */
const learned: ReadonlySet<string> = new Set(contextTypes.map(({ name }) => name));

/** A difference is a change of what is found: if it is intended, run `node scripts/near-misses.ts` and read the diff. */
compareWithGolden(
  recognizers
    .filter(({ name }) => !learned.has(name))
    .map((recognizer) => [`recognizers/${recognizer.name}`, recognizerBlocks(recognizer)] as const),
);
