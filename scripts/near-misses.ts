/**
 * Writes the golden files of near misses (docs/testing.md): `node scripts/near-misses.ts` all of them,
 * `node scripts/near-misses.ts phone email` those of the recognizers named.
 */
import { recognizers } from '../core/recognizers/index.ts';
import { writeGolden } from '../test/support/near-misses/golden.ts';
import { recognizerBlocks } from '../test/support/near-misses/recognizers.ts';

const named = process.argv.slice(2);
for (const recognizer of recognizers)
  if (named.length === 0 || named.includes(recognizer.name))
    writeGolden(
      `recognizers/${recognizer.name}`,
      recognizerBlocks(recognizer).map(({ make }) => make()),
    );
