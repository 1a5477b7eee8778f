import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Roster, type Seat } from '../../../gateway/http1/roster.ts';

type Item = { readonly id: number; destroy(): void };

test('holds what a Set would hold, whatever comes and goes', () => {
  const step = fc.record({ does: fc.constantFrom('add', 'delete', 'delete', 'clear'), at: fc.nat(20) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const roster = new Roster<Item>();
      const set = new Set<Item>();
      const seats: Seat<Item>[] = [];
      for (const { does, at } of steps) {
        // A seat may be given back that was given back before.
        const seat = seats[at % (seats.length || 1)];
        if (does === 'add') {
          const item = { id: seats.length, destroy() {} };
          seats.push(roster.add(item));
          set.add(item);
        } else if (does === 'clear') {
          expect(new Set(roster.clear())).toEqual(set);
          set.clear();
        } else {
          roster.delete(seat);
          if (seat !== undefined) set.delete(seat.item);
        }
        expect(roster.size).toBe(set.size);
      }
      expect(new Set(roster.list())).toEqual(set);
    }),
  );
});

test('a seat of another roster is none', () => {
  const roster = new Roster<Item>();
  roster.add({ id: 0, destroy() {} });
  roster.delete(new Roster<Item>().add({ id: 1, destroy() {} }));
  expect(roster.list()).toMatchObject([{ id: 0 }]);
});

test('destroys all, also when each leaves at once', () => {
  const roster = new Roster<{ destroy(): void }>();
  let destroyed = 0;
  for (let i = 0; i < 5; i++) {
    const seat = roster.add({
      destroy() {
        destroyed++;
        roster.delete(seat);
      },
    });
  }
  roster.destroyAll();
  expect([destroyed, roster.size]).toEqual([5, 0]);
});
