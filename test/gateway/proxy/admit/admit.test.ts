/** Connection limits of the listener: intercepted tunnels count more when memory is the limit. */
import { afterEach, expect, test, vi } from 'vitest';
import { Metrics } from '../../../../gateway/observe/metrics.ts';
import { Admission } from '../../../../gateway/proxy/admit/admit.ts';
import { ConnectionLimitExceeded } from '../../../../gateway/proxy/admit/connection-limits.ts';
import type { LimitSettings } from '../../../../gateway/proxy/listen/machine.ts';

const GiB = 1024 ** 3;
const auto: LimitSettings = {
  connections: 'auto',
  client_connections: 'auto',
  tunnels: 'auto',
  client_tunnels: 'auto',
};
/** So little memory that descriptors are never the limit: 341 tunnels, or 68 intercepted ones. */
const little = GiB / 16;

afterEach(() => void vi.restoreAllMocks());

function admissionOf(limits: Partial<LimitSettings> = {}, memoryBytes = little, workers = 1): Admission {
  vi.spyOn(process, 'constrainedMemory').mockReturnValue(memoryBytes);
  return new Admission({ clients: ['loopback'], limits: { ...auto, ...limits }, workers });
}

/** How many are admitted, each from another client. */
function filled(admission: Admission, isRead: boolean): number {
  for (let i = 0; ; i++) {
    try {
      admission.enterTunnel({ address: '127.0.0.1', subject: `user${i}` }, { isRead });
    } catch (error) {
      expect(error).toBeInstanceOf(ConnectionLimitExceeded);
      return i;
    }
  }
}

const shown = async (admission: Admission) => {
  const metrics = new Metrics({ defaults: false });
  admission.measure(metrics);
  const lines = (await metrics.expose()).match(/^privet_connections_(?:max|taken).*$/gm) ?? [];
  return Object.fromEntries(lines.map((line) => line.slice('privet_connections_'.length).split(' ')));
};

test('intercepted tunnels count five times, and the weighted number is shown', async () => {
  expect(filled(admissionOf(), false)).toBe(341);
  const admission = admissionOf();
  expect(filled(admission, true)).toBe(68);
  expect(await shown(admission)).toEqual({
    'max{kind="connection"}': '682',
    'max{kind="tunnel"}': '341',
    'taken{kind="connection"}': '340',
    'taken{kind="tunnel"}': '340',
  });
  // A tunnel that is not intercepted fits into the rest.
  expect(filled(admission, false)).toBe(1);
});

test('all workers together have the connection limit of one process', () => {
  expect(filled(admissionOf({}, little, 4), false)).toBe(85);
});

test('one client leaves a twentieth to the others', () => {
  const admission = admissionOf();
  const client = { address: '127.0.0.1', subject: 'greedy' };
  const enter = () => admission.enterTunnel(client, { isRead: true });
  for (let i = 0; i < 64; i++) enter();
  expect(enter).toThrow(expect.objectContaining({ code: 'too_many_requests' }));
  expect(filled(admission, true)).toBe(4);
});

test('a configured limit counts tunnels, intercepted or not', () => {
  expect(filled(admissionOf({ tunnels: 500 }), true)).toBe(500);
  const admission = admissionOf({ client_tunnels: 3 });
  const enter = () => admission.enterTunnel({ address: '127.0.0.1', subject: 'one' }, { isRead: true });
  for (let i = 0; i < 3; i++) enter();
  expect(enter).toThrow(expect.objectContaining({ code: 'too_many_requests' }));
});

test('tunnels and connections share the limit; each tunnel takes one of a configured number', () => {
  const full = admissionOf();
  filled(full, true);
  for (let i = 0; i < 342; i++) full.enterConnection(`10.0.${i >> 8}.${i & 255}`);
  expect(() => full.checkRoom()).toThrow(ConnectionLimitExceeded);
  const configured = admissionOf({ connections: 70 });
  expect(filled(configured, true)).toBe(68);
  expect(() => configured.checkRoom()).not.toThrow();
});

test('connections are released with the weight they were counted with, even after the limits changed', async () => {
  const admission = admissionOf();
  const client = { address: '127.0.0.1', subject: 'one' };
  const leave = admission.enterTunnel(client, { isRead: true });
  admission.replaceLimits({ ...auto, tunnels: 12 });
  expect(await shown(admission)).toMatchObject({ 'max{kind="tunnel"}': '12', 'taken{kind="tunnel"}': '5' });
  leave();
  leave();
  expect(await shown(admission)).toMatchObject({ 'taken{kind="tunnel"}': '0', 'taken{kind="connection"}': '0' });
});
