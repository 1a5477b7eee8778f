import { describe, expect, test } from 'vitest';
import { goldenOf, readGolden } from '../support/near-misses/golden.ts';
import { labelBlocks } from '../support/near-misses/labels.ts';
import { layoutBlocks } from '../support/near-misses/layouts.ts';
import { wordBlocks } from '../support/near-misses/words.ts';

/** A difference is a change of what is found: when it is meant, `node scripts/near-misses.ts` and read the diff. */
describe.each([
  ['labels', labelBlocks()],
  ['layouts', layoutBlocks()],
  ['words', wordBlocks()],
] as const)('%s', (name, blocks) => {
  const golden = readGolden(name);
  test.each(blocks.map((made) => [made.name, made.make] as const))('%s', (_name, make) => {
    const block = make();
    expect(block).toBe(goldenOf(golden, block));
  });
  test('the golden file holds nothing else', () => {
    expect(golden.size - 1).toBe(blocks.length);
  });
});
