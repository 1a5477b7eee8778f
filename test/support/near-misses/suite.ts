/** Tests that compare blocks of near misses with their golden files. */
import { describe, expect, test } from 'vitest';
import { goldenOf, readGolden } from './golden.ts';

type Blocks = readonly { readonly name: string; readonly make: () => string }[];

/** One test per block, named as in the golden files. */
export function compareWithGolden(files: readonly (readonly [name: string, blocks: Blocks])[]): void {
  describe.each(files)('%s', (name, blocks) => {
    const golden = readGolden(name);
    test.each(blocks.map((made) => [made.name, made.make] as const))('%s', (_name, make) => {
      const block = make();
      expect(block).toBe(goldenOf(golden, block));
    });
    test('the golden file contains nothing else', () => {
      expect(golden.size - 1).toBe(blocks.length);
    });
  });
}
