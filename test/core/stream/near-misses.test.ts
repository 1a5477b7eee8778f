import { describe, expect, test } from 'vitest';
import { eventBlocks } from '../../support/near-misses/events.ts';
import { goldenOf, readGolden } from '../../support/near-misses/golden.ts';
import { runBlocks } from '../../support/near-misses/runs.ts';
import { streamBlocks } from '../../support/near-misses/streams.ts';

/** A difference is a change of what is restored: when it is meant, `node scripts/near-misses.ts` and read the diff. */
describe.each([
  ['streams', streamBlocks()],
  ['events', eventBlocks()],
  ['runs', runBlocks()],
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
