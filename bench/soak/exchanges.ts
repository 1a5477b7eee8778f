/** The exchanges of a soak as a table. */
import type { Done } from './load.ts';

/** Count and duration of each kind of exchange, one line each. */
export function exchangeTable(counts: readonly Done[]): string {
  const rows = new Map<string, { count: number; ms: number; maxMs: number }>();
  for (const { byAction } of counts) {
    for (const [name, { count, ms, maxMs }] of Object.entries(byAction)) {
      const row = rows.get(name) ?? { count: 0, ms: 0, maxMs: 0 };
      rows.set(name, { count: row.count + count, ms: row.ms + ms, maxMs: Math.max(row.maxMs, maxMs) });
    }
  }
  const line = (name: string, count: string, mean: string, most: string) =>
    `${name.padEnd(40)}${count.padStart(10)}${mean.padStart(10)}${most.padStart(10)}`;
  const lines = [...rows].map(([name, { count, ms, maxMs }]) =>
    line(name, String(count), (ms / count).toFixed(1), maxMs.toFixed(0)),
  );
  return ['', line('exchanges', 'count', 'mean ms', 'max ms'), ...lines].join('\n');
}
