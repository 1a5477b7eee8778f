import { expect, test } from 'vitest';
import { Uuids } from '../../gateway/api/uuids.ts';

test('ids are random UUIDs, each one once', () => {
  const [one, other] = [new Uuids(), new Uuids()];
  const ids = Array.from({ length: 1000 }, (_, i) => (i % 2 ? one : other).next());
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(1000);
  // Every free digit takes every value.
  for (let at = 0; at < 36; at++) {
    const values = new Set(ids.map((id) => id[at])).size;
    expect([at, values]).toEqual([at, [8, 13, 14, 18, 23].includes(at) ? 1 : at === 19 ? 4 : 16]);
  }
});
