import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Pieces } from '../../../core/stream/pieces.ts';

const join = (parts: readonly Buffer[]) => Buffer.concat(parts);

test('pieces come out in order, whatever their sizes', () => {
  const sizes = fc.array(fc.oneof(fc.constant(0), fc.nat(20), fc.nat(3_000)), { maxLength: 300 });
  fc.assert(
    fc.property(sizes, fc.boolean(), (lengths, asOne) => {
      let byte = 0;
      const given = lengths.map((length) => Buffer.from(Array.from({ length }, () => byte++ % 256)));
      const pieces = new Pieces(join);
      for (const piece of given) pieces.push(piece);
      const all = Buffer.concat(given);
      expect(pieces.size).toBe(all.length);
      const out = asOne ? pieces.takeWhole() : Buffer.concat(pieces.take());
      expect(out.equals(all)).toBe(true);
      expect([pieces.size, pieces.takeWhole().length]).toEqual([0, 0]);
    }),
  );
});

test('small and empty pieces are joined with others', () => {
  const pieces = new Pieces(join);
  for (let i = 0; i < 100_000; i++) {
    pieces.push(Buffer.alloc(0));
    pieces.push(Buffer.from('x'));
  }
  expect(pieces.size).toBe(100_000);
  expect(pieces.take().length).toBeLessThan(2_000);
});
