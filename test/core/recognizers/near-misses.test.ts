import { describe, expect, test } from 'vitest';
import { recognizers } from '../../../core/recognizers/index.ts';
import { goldenOf, readGolden } from '../../support/near-misses/golden.ts';
import { recognizerBlocks } from '../../support/near-misses/recognizers.ts';

/** A difference is a change of what is found: when it is meant, `node scripts/near-misses.ts` and read the diff. */
describe.each(recognizers.map((recognizer) => [recognizer.name, recognizer] as const))('%s', (name, recognizer) => {
  const golden = readGolden(`recognizers/${name}`);
  const blocks = recognizerBlocks(recognizer);
  test.each(blocks.map((made) => [made.name, made.make] as const))('%s', (_name, make) => {
    const block = make();
    expect(block).toBe(goldenOf(golden, block));
  });
  test('the golden file holds nothing else', () => {
    expect(golden.size - 1).toBe(blocks.length);
  });
});
