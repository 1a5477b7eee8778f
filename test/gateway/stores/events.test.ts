/**
 * The event behaviour required of every store, on the real servers: pages, conditions, counts, retention, a live tail.
 */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EventQuery, StoredEvent } from '../../../gateway/stores/events.ts';
import { countNames, startOf } from '../../../gateway/stores/rollups.ts';
import type { Stores } from '../../../gateway/stores/stores.ts';
import { storeUnderTest } from './stores-under-test.ts';

/** Upper case differs from it, whatever its digits. */
const newId = () => `id${randomBytes(8).toString('hex')}`;
const hourMs = 3_600_000;
const now = Date.now();

function event(change: Partial<StoredEvent> & { readonly more?: Record<string, unknown> }): StoredEvent {
  const { more, ...rest } = change;
  const subject = rest.subject ?? 'ann';
  const fields = { subject, host: 'chat.example', ...more };
  return { at: now, subject, service: 'chatgpt', action: 'allow', fields, ...rest };
}

describe.each(['memory', 'sqlite', 'redis', 'postgres'] as const)('%s', (kind) => {
  const under = storeUnderTest(kind);
  let stores: Stores;
  /** The store as opened by another process; the same one if it belongs to one process. */
  let others: Stores;
  beforeAll(async () => {
    stores = await under.open();
    others = kind === 'memory' ? stores : await under.open();
  });

  /** All pages of a query, as a reader requests them. */
  async function pages(query: EventQuery): Promise<StoredEvent[][]> {
    const found: StoredEvent[][] = [];
    let after: string | undefined;
    do {
      const page = await others.events.query({ ...query, ...(after === undefined ? {} : { after }) });
      found.push([...page.events]);
      after = page.next;
    } while (after !== undefined);
    return found;
  }

  test('pages are consecutive, newest first, even if many share a time', async () => {
    const subject = newId();
    const events = Array.from({ length: 25 }, (_, i) =>
      event({ at: now + Math.floor(i / 10), subject, more: { n: i } }),
    );
    await stores.events.append(events);
    await stores.events.append([event({ subject: newId() })]);
    const found = await pages({ subject, limit: 4 });
    expect(found.flat()).toEqual([...events].reverse());
    expect(found.slice(0, -1).every((page) => page.length === 4)).toBe(true);
    expect(await others.events.query({ subject, limit: 25 })).toEqual({ events: [...events].reverse() });
  });

  test('every condition, alone and together', async () => {
    const [subject, host, service] = [newId(), `${newId()}.example`, newId()];
    const events = [
      event({ subject, service, more: { host, piiTypes: { EMAIL: 1, PHONE: 2 } } }),
      event({ subject, service, action: 'block', at: now + 1, more: { host } }),
      event({ subject, service: '', action: 'none', at: now + 2, more: { host: `x.${host}`, piiTypes: { EMAIL: 3 } } }),
      event({ subject: `${subject}2`, service, action: 'warn', at: now + 3, more: { host, piiTypes: { E_AIL: 1 } } }),
    ];
    await stores.events.append(events);
    const rows: [query: EventQuery, found: number[]][] = [
      [{ subject }, [2, 1, 0]],
      [{ host }, [3, 1, 0]],
      [{ service }, [3, 1, 0]],
      [{ subject, service: '' }, [2]],
      [{ subject, action: 'block' }, [1]],
      [{ host, action: 'warn' }, [3]],
      [{ service, action: 'allow' }, [0]],
      [{ subject, type: 'EMAIL' }, [2, 0]],
      [{ host, type: 'PHONE' }, [0]],
      [{ service, type: 'E_AIL' }, [3]],
      [{ service, type: 'MAIL' }, []],
      [{ subject, host, service, action: 'allow', type: 'EMAIL' }, [0]],
      [{ subject, from: now + 1, to: now + 2 }, [1]],
      [{ service, from: now + 2 }, [3]],
      [{ host, to: now }, []],
      [{ subject: subject.toUpperCase() }, []],
    ];
    for (const [query, wanted] of rows) {
      expect([query, (await pages({ ...query, limit: 1 })).flat()]).toEqual([query, wanted.map((i) => events[i])]);
    }
  });

  test('hostile texts are stored unchanged', async () => {
    const subject = `${newId()}'); DROP TABLE events; -- %_\\ "日本" \u0007`;
    await stores.events.append([event({ subject, more: { host: "a'b%", reason: '\u2028\n"' } })]);
    expect((await others.events.query({ subject, host: "a'b%" })).events).toEqual([
      event({ subject, more: { host: "a'b%", reason: '\u2028\n"' } }),
    ]);
    expect((await others.events.query({ subject: subject.replace('%', 'x') })).events).toEqual([]);
  });

  test('a tail sees what is written after it started, in order', async () => {
    const { mark } = await others.events.tail(undefined, 10);
    const [subject, early] = [newId(), now - hourMs];
    await stores.events.append([event({ subject }), event({ subject, at: early })]);
    await stores.events.append([event({ subject, at: now + 1 })]);
    const first = await others.events.tail(mark, 2);
    expect(first.events.map(({ at }) => at)).toEqual([now, early]);
    const second = await others.events.tail(first.mark, 10);
    expect(second.events.map(({ at }) => at)).toEqual([now + 1]);
    expect(await others.events.tail(second.mark, 10)).toEqual({ events: [], mark: second.mark });
  });

  test('counts of all processes are added up, in whole buckets, whatever lies between', async () => {
    const day = startOf('day', now) - 40 * 24 * hourMs + newId().length;
    const [service, subject] = [newId(), newId()];
    const at = (hours: number) => day + hours * hourMs;
    await stores.events.append([
      event({ at: at(0), service, subject, more: { piiTypes: { EMAIL: 2 }, masked: 2, inspect: 'mask' } }),
      event({ at: at(1), service, subject, action: 'warn', more: { piiTypes: { PHONE: 1 }, inspect: 'audit' } }),
      event({ at: at(25), service: '', subject, action: 'none' }),
      // Neither counts as a request.
      event({ at: at(25), service, subject, action: 'warn', more: { kind: 'acknowledgement' } }),
      event({ at: at(25), service: '', subject: 'gateway', action: 'none', more: { kind: 'bypass' } }),
    ]);
    await others.events.append([
      event({ at: at(1), service, subject: 'bob', action: 'block', more: { piiTypes: { EMAIL: 1 } } }),
    ]);
    await stores.events.append([event({ at: at(49), service, subject, more: { restored: 3 } })]);
    const counts = (...numbers: number[]) => numbers;
    const hours = await others.events.stats({ from: at(0), to: at(49) + 1, bucket: 'hour' });
    expect(hours.series).toHaveLength(50);
    expect(hours.series[1]).toEqual({ at: startOf('hour', at(1)), counts: counts(0, 1, 1, 0, 0, 0, 0) });
    expect(hours.series[2]?.counts).toEqual(countNames.map(() => 0));
    expect(hours.counts).toEqual(counts(2, 1, 1, 1, 0, 2, 3));
    expect(hours.tops).toEqual({
      services: { top: [[service, 4]], other: 0 },
      subjects: {
        top: [
          [subject, 3],
          ['bob', 1],
        ],
        other: 0,
      },
      types: { top: [['EMAIL', 2]], other: 0 },
      seen: { top: [['PHONE', 1]], other: 0 },
    });
    const days = await stores.events.stats({ from: at(3), to: at(4), bucket: 'day', top: 1 });
    expect(days.series.map(({ counts }) => counts)).toEqual([counts(1, 1, 1, 0, 0, 2, 0)]);
    expect(days.tops.subjects).toEqual({ top: [[subject, 2]], other: 1 });
    const part = await stores.events.stats({ from: at(1), to: at(26), bucket: 'hour' });
    expect([part.counts, part.tops.services]).toEqual([counts(0, 1, 1, 1, 0, 0, 0), { top: [[service, 2]], other: 0 }]);
  });

  test('rare names are counted as others, and the sum is right', async () => {
    const at = startOf('day', now) - 60 * 24 * hourMs;
    const events = Array.from({ length: 3_000 }, (_, i) =>
      event({ at, subject: i % 3 === 0 ? 'often' : `u${i}`, more: {} }),
    );
    for (let i = 0; i < events.length; i += 1_000) await stores.events.append(events.slice(i, i + 1_000));
    const { tops, counts } = await stores.events.stats({ from: at, to: at + 1, bucket: 'day' });
    expect(counts[0]).toBe(3_000);
    expect(tops.subjects.top[0]).toEqual(['often', 1_000]);
    expect(tops.subjects.top.reduce((sum, [, count]) => sum + count, tops.subjects.other)).toBe(3_000);
  });

  test('events beyond the retention are removed, the rest is kept', async () => {
    const limited = await under.open({}, () => ({ keep: 1_000, ms: 30 * 24 * hourMs }));
    const old = startOf('day', now) - 31 * 24 * hourMs;
    const [first, last] = [newId(), newId()];
    await limited.events.append([event({ at: old, subject: first })]);
    for (let i = 0; i < 3; i++) {
      await limited.events.append(
        Array.from({ length: 900 }, (_, n) => event({ subject: i === 2 && n === 899 ? last : 'many' })),
      );
    }
    await limited.events.sweep();
    expect((await limited.events.query({ subject: last })).events).toHaveLength(1);
    expect((await limited.events.query({ subject: first })).events).toEqual([]);
    let left = 0;
    let after: string | undefined;
    do {
      const page = await limited.events.query({ limit: 1_000, ...(after === undefined ? {} : { after }) });
      left += page.events.length;
      after = page.next;
    } while (after !== undefined);
    // Redis drops only whole nodes of its stream.
    expect(left).toBeGreaterThanOrEqual(kind === 'memory' ? 900 : 1_000);
    expect(left).toBeLessThan(1_250);
    const hours = await limited.events.stats({ from: old - 24 * hourMs, to: old + hourMs, bucket: 'hour' });
    expect(hours.counts[0]).toBe(0);
  });
});
