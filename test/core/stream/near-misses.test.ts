import { eventBlocks } from '../../support/near-misses/events.ts';
import { runBlocks } from '../../support/near-misses/runs.ts';
import { streamBlocks } from '../../support/near-misses/streams.ts';
import { compareWithGolden } from '../../support/near-misses/suite.ts';

/** A difference is a change of what is restored: if it is intended, run `node scripts/near-misses.ts` and read the diff. */
compareWithGolden([
  ['streams', streamBlocks()],
  ['events', eventBlocks()],
  ['runs', runBlocks()],
]);
