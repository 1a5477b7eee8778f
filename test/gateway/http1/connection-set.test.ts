import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConnectionSet, type SetEntry } from '../../../gateway/http1/connection-set.ts';

type Item = { readonly id: number; destroy(): void };

test('behaves like a Set', () => {
  const step = fc.record({ does: fc.constantFrom('add', 'delete', 'delete', 'clear'), at: fc.nat(20) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const connections = new ConnectionSet<Item>();
      const set = new Set<Item>();
      const entries: SetEntry<Item>[] = [];
      for (const { does, at } of steps) {
        // An entry may be removed twice.
        const entry = entries[at % (entries.length || 1)];
        if (does === 'add') {
          const item = { id: entries.length, destroy() {} };
          entries.push(connections.add(item));
          set.add(item);
        } else if (does === 'clear') {
          expect(new Set(connections.clear())).toEqual(set);
          set.clear();
        } else {
          connections.delete(entry);
          if (entry !== undefined) set.delete(entry.item);
        }
        expect(connections.size).toBe(set.size);
      }
      expect(new Set(connections.list())).toEqual(set);
    }),
  );
});

test('an entry of another set is ignored', () => {
  const connections = new ConnectionSet<Item>();
  connections.add({ id: 0, destroy() {} });
  connections.delete(new ConnectionSet<Item>().add({ id: 1, destroy() {} }));
  expect(connections.list()).toMatchObject([{ id: 0 }]);
});

test('destroys all, even if each is removed at once', () => {
  const connections = new ConnectionSet<{ destroy(): void }>();
  let destroyed = 0;
  for (let i = 0; i < 5; i++) {
    const entry = connections.add({
      destroy() {
        destroyed++;
        connections.delete(entry);
      },
    });
  }
  connections.destroyAll();
  expect([destroyed, connections.size]).toEqual([5, 0]);
});
