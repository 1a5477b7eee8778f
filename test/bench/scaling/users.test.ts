import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { corePart, figuresIn } from '../../../bench/scaling/page.ts';
import { type Build, company, machines, type Need, needOf, type Use } from '../../../bench/scaling/users.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/scaling.md'), 'utf8');
/** Round numbers, so that a row can be checked by hand. */
const core = {
  plainRequest: 0.1,
  tunnel: 0.3,
  gibibyte: 600,
  connection: 2,
  mint: 3,
  chat: 0.2,
  maskedChat: 0.4,
  event: 0.01,
  tunnelKiB: 8,
  connectionKiB: 64,
};
const need = (use: Partial<Use> = {}, build: Partial<Build> = {}) =>
  needOf({ ...company, ...use }, core, { ...machines, ...build });
const replicasBy = ({ bounds }: Need) => Object.fromEntries(bounds.map(({ what, replicas }) => [what, replicas]));

describe('what 100,000 users need', () => {
  test('the page shows the calculation from its own figures', () => {
    const { core, measured } = figuresIn(page);
    expect(page).toContain(`\n${corePart(core, measured).join('\n')}\n<!-- end of core -->`);
  });

  test('a page that lacks a figure or the date of measurement is rejected', () => {
    expect(() => figuresIn(page.replace('| open tunnel |', '| closed tunnel |'))).toThrow('open tunnel');
    expect(() => figuresIn(page.replace('Measured on', 'Guessed on'))).toThrow('when it was measured');
  });

  test('the peak factor applies once to rates, open connections and their resources', () => {
    const [usual, busiest] = [need({ peak: 1 }), need({ peak: 2 })];
    // 70,000 at work, each with 400 tunnels an hour that stay open for a twelfth of it.
    expect(usual.openTunnels).toBeCloseTo((70_000 * 400) / 12);
    for (const key of [
      'cores',
      'openTunnels',
      'openConnections',
      'newPerSecond',
      'eventsPerSecond',
      'gigabitsPerSecond',
    ] as const) {
      expect(busiest[key] / usual[key], key).toBeCloseTo(2);
    }
    for (const [i, { what, needs }] of usual.bounds.entries()) {
      const [once, twice] = [needs, busiest.bounds[i]?.needs ?? ''].map((text) =>
        Number.parseFloat(text.replaceAll(',', '')),
      );
      expect(Number(twice) / Number(once), what).toBeCloseTo(2, 1);
    }
  });

  test.each<{ name: string; build: Partial<Build>; what: string; replicas: number }>([
    // 4.67 million tunnels and 0.23 million intercepted connections, two descriptors each.
    { name: 'descriptors of a distribution', build: { descriptors: 65_536 }, what: 'descriptors', replicas: 38 },
    // 18,432 tunnels in each process; an intercepted connection counts as five.
    { name: 'little memory', build: { memoryGiB: 4 }, what: 'memory', replicas: 80 },
    {
      name: 'one balancer for all',
      build: { balancerConnections: 5e6 },
      what: 'ports of the load balancers',
      replicas: 76,
    },
    {
      name: 'the ports that Linux has by itself',
      build: { ports: 28_232 },
      what: 'ports of the load balancers',
      replicas: 18,
    },
    { name: 'cores mostly busy with other work', build: { busy: 0.1 }, what: 'CPU', replicas: 26 },
  ])('$name: $what', ({ build, what, replicas }) => {
    const result = need({}, build);
    expect(replicasBy(result)[what]).toBe(replicas);
    expect(result.decides.what).toBe(what);
    expect(result.replicas).toBe(Math.max(...result.bounds.map((bound) => bound.replicas)));
  });

  test('with shipped settings, descriptors and memory together require more replicas than each alone', () => {
    const result = need();
    expect(replicasBy(result)).toMatchObject({ descriptors: 10, memory: 9 });
    expect(result.decides).toMatchObject({ what: 'descriptors and memory together (`auth.limits`)', replicas: 11 });
  });

  test('with a single parent proxy, its ports are the limit', () => {
    const result = need({ busiestAddress: 1 });
    expect(result.decides).toMatchObject({ what: 'ports to the busiest external address', replicas: 73 });
  });
});
