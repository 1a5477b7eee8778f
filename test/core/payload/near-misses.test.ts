import { memberBlocks } from '../../support/near-misses/members.ts';
import { compareWithGolden } from '../../support/near-misses/suite.ts';

/** A difference is a change of what is inspected: if it is intended, run `node scripts/near-misses.ts` and read the diff. */
compareWithGolden([['members', memberBlocks()]]);
