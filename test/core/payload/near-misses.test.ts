import { describe, expect, test } from 'vitest';
import { goldenOf, readGolden } from '../../support/near-misses/golden.ts';
import { memberBlocks } from '../../support/near-misses/members.ts';

/** A difference is a change of what is inspected: when it is meant, `node scripts/near-misses.ts` and read the diff. */
describe('members', () => {
  const golden = readGolden('members');
  const blocks = memberBlocks();
  test.each(blocks.map((made) => [made.name, made.make] as const))('%s', (_name, make) => {
    const block = make();
    expect(block).toBe(goldenOf(golden, block));
  });
  test('the golden file holds nothing else', () => {
    expect(golden.size - 1).toBe(blocks.length);
  });
});
