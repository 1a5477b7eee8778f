import { promptBlocks, promptRuleBlocks, sqlBlocks } from '../../support/near-misses/injection.ts';
import { letterBlocks } from '../../support/near-misses/injection-letters.ts';
import { structureBlocks } from '../../support/near-misses/structure.ts';
import { compareWithGolden } from '../../support/near-misses/suite.ts';

/** A difference is a change of what is found: if it is intended, run `node scripts/near-misses.ts` and read the diff. */
compareWithGolden([
  ['injection/letters', letterBlocks()],
  ['injection/prompt-rules', promptRuleBlocks()],
  ['injection/prompt', promptBlocks()],
  ['injection/sql', sqlBlocks()],
  ['injection/structure', structureBlocks()],
]);
