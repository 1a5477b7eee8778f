import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextSet } from '../../config/text-set.ts';
import { TextMap } from '../../policy/text-map.ts';

const key = fc.oneof(fc.constantFrom('a', 'b', 'ab', '', 'a.example', '__proto__'), fc.string({ maxLength: 4 }));

test('a TextMap is a Map', () => {
  const change = fc.tuple(fc.constantFrom('set', 'set', 'delete'), key, fc.nat(9));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200 }), fc.array(key, { maxLength: 20 }), (changes, asked) => {
      const [map, expected] = [new TextMap<number>(), new Map<string, number>()];
      for (const [what, name, value] of changes) {
        if (what === 'set') {
          map.set(name, value);
          expected.set(name, value);
        } else {
          map.delete(name);
          expected.delete(name);
        }
      }
      expect(map.size).toBe(expected.size);
      expect([...map.values()]).toEqual([...expected.values()]);
      for (const name of [...asked, ...expected.keys()]) {
        expect(map.get(name)).toBe(expected.get(name));
        expect(map.has(name)).toBe(expected.has(name));
      }
    }),
  );
});

test('a TextSet tells what it has seen', () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 200 }), (names) => {
      const [set, expected] = [new TextSet(), new Set<string>()];
      for (const name of names) {
        expect(set.add(name)).toBe(!expected.has(name));
        expected.add(name);
      }
    }),
  );
  const many = new TextSet();
  for (let i = 0; i < 100_000; i++)
    if (!many.add(`s${i}.example${i % 97}.com`)) throw new Error(`s${i} was taken for another`);
});
