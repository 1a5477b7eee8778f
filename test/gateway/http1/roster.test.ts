import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Roster } from '../../../gateway/http1/roster.ts';

test('holds what a Set would hold, whatever comes and goes', () => {
  const commands = fc.array(fc.tuple(fc.boolean(), fc.nat(9)));
  fc.assert(
    fc.property(commands, (steps) => {
      const items = Array.from({ length: 10 }, (_, id) => ({ id, destroy() {} }));
      const roster = new Roster<(typeof items)[number]>();
      const set = new Set<(typeof items)[number]>();
      for (const [adds, id] of steps) {
        const item = items[id] as (typeof items)[number];
        if (!adds) roster.delete(item);
        else if (!set.has(item)) roster.add(item);
        if (adds) set.add(item);
        else set.delete(item);
        expect(roster.size).toBe(set.size);
      }
      expect(new Set(roster.list())).toEqual(set);
    }),
  );
});

test('destroys all, also when each leaves at once', () => {
  const roster = new Roster<{ destroy(): void }>();
  let destroyed = 0;
  for (let i = 0; i < 5; i++) {
    const item = {
      destroy() {
        destroyed++;
        roster.delete(item);
      },
    };
    roster.add(item);
  }
  roster.destroyAll();
  expect([destroyed, roster.size]).toEqual([5, 0]);
});
