import { describe, expect, test } from 'vitest';
import { goldenOf, readGolden } from '../../support/near-misses/golden.ts';
import { letterBlocks, promptBlocks, promptRuleBlocks, sqlBlocks } from '../../support/near-misses/injection.ts';
import { structureBlocks } from '../../support/near-misses/structure.ts';

/** A difference is a change of what is found: when it is meant, `node scripts/near-misses.ts` and read the diff. */
describe.each([
  ['letters', letterBlocks],
  ['prompt-rules', promptRuleBlocks],
  ['prompt', promptBlocks],
  ['sql', sqlBlocks],
  ['structure', structureBlocks],
] as const)('%s', (name, make) => {
  const blocks = make();
  const golden = readGolden(`injection/${name}`);
  test.each(blocks.map((made) => [made.name, made.make] as const))('%s', (_name, makeBlock) => {
    const block = makeBlock();
    expect(block).toBe(goldenOf(golden, block));
  });
  test('the golden file holds nothing else', () => {
    expect(golden.size - 1).toBe(blocks.length);
  });
});
