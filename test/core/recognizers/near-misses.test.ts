import { contextTypes } from '../../../core/recognizers/context-types.ts';
import { recognizers } from '../../../core/recognizers/index.ts';
import { recognizerBlocks } from '../../support/near-misses/recognizers.ts';
import { compareWithGolden } from '../../support/near-misses/suite.ts';

/** What is learned is held to laws and to texts instead (test/core/context/). */
const learned: ReadonlySet<string> = new Set(contextTypes.map(({ name }) => name));

/** A difference is a change of what is found: when it is meant, `node scripts/near-misses.ts` and read the diff. */
compareWithGolden(
  recognizers
    .filter(({ name }) => !learned.has(name))
    .map((recognizer) => [`recognizers/${recognizer.name}`, recognizerBlocks(recognizer)] as const),
);
