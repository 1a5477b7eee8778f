import { describe, expect, test } from 'vitest';
import { type LearningSettings, type PinChange, Pins, rejectionOf } from '../../../gateway/discovery/pins.ts';
import { openMemoryStores } from '../../../gateway/stores/memory.ts';
import type { PolicyDecision } from '../../../policy/decision.ts';
import { silentLog } from '../stores/silent-log.ts';

const ann = { address: '10.0.0.1', subject: 'ann' };
const ben = { address: '10.0.0.2', subject: 'ben' };
const unknownCa = 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA';

function learn(
  settings: LearningSettings,
  decision: Partial<PolicyDecision> = {},
  stores = openMemoryStores({ ttlMs: 0 }),
) {
  const clock = { now: Date.parse('2026-11-21T00:00:00Z') };
  const changes: PinChange[] = [];
  const pins = new Pins({
    stores,
    settings,
    decide: () => ({ action: 'warn', inspect: 'audit', rule: '', ruleKind: 'category', reason: '', ...decision }),
    onChange: (change) => changes.push(change),
    log: silentLog,
    now: () => clock.now,
  });
  const reject = (times: number, client = ann, code = unknownCa) => {
    for (let i = 0; i < times; i++) pins.rejected('app.example', client, code);
  };
  return { pins, clock, changes, reject, state: () => pins.list().get('app.example')?.state };
}

test('our own page is not a pinned host', () => {
  const { pins } = learn({ mode: 'propose' } as LearningSettings);
  for (let i = 0; i < 100; i++) pins.rejected('check.privet.proxy', ann, unknownCa);
  expect(pins.list().size).toBe(0);
});

describe('a rejection', () => {
  test.each([
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'bad_certificate'],
    ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', 'bad_certificate'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN', 'certificate_unknown'],
    ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN', 'certificate_unknown'],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'unknown_ca'],
    ['CLOSED', 'closed'],
    ['ECONNRESET', 'closed'],
    ['DECLINED', 'closed'],
    ['TIMEOUT', undefined],
    ['ERR_SSL_NO_SHARED_CIPHER', undefined],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', undefined],
  ])('%s is %s', (code, expected) => expect(rejectionOf(code)).toBe(expected));
});

describe('a flood of rejections', () => {
  test('is bounded in memory and in the store, and evicts no decision by an administrator', async () => {
    const stores = openMemoryStores({ ttlMs: 0 });
    const { pins, reject } = learn({ mode: 'propose', failures: 1 }, {}, stores);
    reject(1);
    await pins.decide('app.example', { state: 'bypassed' });
    for (let i = 0; i < 5_000; i++) pins.rejected(`h${i}.example`, ann, unknownCa);
    await pins.close();
    expect(pins.list().size).toBeLessThanOrEqual(2_000);
    expect((await stores.records.list('pin')).records.size).toBeLessThanOrEqual(2_000);
    expect(pins.exemption('app.example')).toBeDefined();
  });

  test('counts on one replica do not undo a decision on another', async () => {
    const stores = openMemoryStores({ ttlMs: 0 });
    // A replica that is briefly disconnected from the others.
    const deaf = { ...stores, changes: { ...stores.changes, onChange: () => () => {} } };
    const here = learn({ mode: 'propose' }, {}, stores);
    const there = learn({ mode: 'propose' }, {}, deaf as typeof stores);
    here.reject(5);
    await here.pins.decide('app.example', { state: 'dismissed' });
    there.reject(20);
    await there.pins.close();
    expect((await stores.records.get('pin', ['app.example'])).records.get('app.example')).toMatchObject({
      state: 'dismissed',
      failures: 20,
    });
  });
});

describe('learning', () => {
  test('proposes at the threshold and bypasses nothing', () => {
    const { pins, reject, state, changes } = learn({ mode: 'propose', failures: 3 });
    pins.accepted('other.example', ann);
    reject(2);
    expect(state()).toBe('seen');
    reject(1);
    expect(state()).toBe('proposed');
    reject(20);
    expect(pins.exemption('app.example')).toBeUndefined();
    expect(changes).toEqual([{ host: 'app.example', state: 'proposed', by: 'auto' }]);
  });

  test('requires alerts: closed connections propose and bypass nothing', () => {
    const { pins, reject, state } = learn({ mode: 'auto', failures: 3 });
    pins.accepted('other.example', ann);
    reject(20, ann, 'CLOSED');
    reject(20, ben, 'DECLINED');
    expect(state()).toBe('seen');
    reject(2);
    expect(state()).toBe('seen');
    reject(1);
    expect(state()).toBe('bypassed');
  });

  test('a recently served client that closes a connection does not count as rejecting', () => {
    const { pins, reject, clock } = learn({ mode: 'auto', failures: 3, window: 60_000 });
    pins.accepted('app.example', ann);
    reject(5, ann, 'CLOSED');
    reject(5, ann, 'DECLINED');
    expect(pins.list().size).toBe(0);
    clock.now += 60_000;
    reject(5, ann, 'CLOSED');
    expect(pins.list().get('app.example')?.failures).toBe(5);
  });

  test('counts subjects if configured', () => {
    const { reject, state } = learn({ mode: 'propose', failures: 2, subjects: 2 });
    reject(5);
    expect(state()).toBe('seen');
    reject(1, ben);
    expect(state()).toBe('proposed');
  });

  test('restarts after the window', () => {
    const { reject, state, clock, pins } = learn({ mode: 'propose', failures: 3, window: 1_000 });
    reject(2);
    clock.now += 1_000;
    expect(pins.list().size).toBe(0);
    reject(2);
    expect(state()).toBe('seen');
  });

  test('records nothing when off, and never failures unrelated to the certificate', () => {
    const off = learn({ mode: 'off' });
    off.reject(20);
    expect(off.pins.list().size).toBe(0);
    const on = learn({ mode: 'propose' });
    on.reject(20, ann, 'ERR_SSL_NO_SHARED_CIPHER');
    expect(on.pins.list().size).toBe(0);
  });

  test('auto bypasses a host for a time, for clients that trust the CA elsewhere', () => {
    const { pins, reject, state, clock, changes } = learn({ mode: 'auto', failures: 3, ttl: 60_000 });
    reject(3);
    expect(state()).toBe('proposed');
    pins.accepted('app.example', ann);
    reject(1);
    expect(state()).toBe('proposed');
    pins.accepted('other.example', ann);
    reject(1);
    expect(state()).toBe('bypassed');
    expect(pins.exemption('app.example')).toMatchObject({ rule: 'learned bypass', covers: 'audited' });
    expect(changes.at(-1)).toMatchObject({ state: 'bypassed', by: 'auto', expiresAt: expect.any(String) });
    clock.now += 60_000;
    expect(pins.exemption('app.example')).toBeUndefined();
    expect(state()).toBe('seen');
  });

  test.each([
    ['blocked', { action: 'block' as const }],
    ['masked', { inspect: 'mask' as const }],
  ])('auto never bypasses what is %s', (_name, decision) => {
    const { pins, reject, state } = learn({ mode: 'auto', failures: 3 }, decision);
    pins.accepted('other.example', ann);
    reject(10);
    expect(state()).toBe('proposed');
    expect(pins.exemption('app.example')).toBeUndefined();
  });

  test('follows the administrator, on every replica and after a restart', async () => {
    const stores = openMemoryStores({ ttlMs: 0 });
    const one = learn({ mode: 'propose', failures: 3 }, {}, stores);
    const two = learn({ mode: 'propose', failures: 3 }, {}, stores);
    one.reject(3);
    await one.pins.decide('app.example', { state: 'bypassed', ttlMs: 60_000 });
    await expect.poll(() => two.pins.exemption('app.example')).toMatchObject({ covers: 'all' });
    const later = learn({ mode: 'propose' }, {}, stores);
    await expect.poll(later.state).toBe('bypassed');
    await one.pins.decide('app.example', { state: 'dismissed' });
    await expect.poll(two.state).toBe('dismissed');
    two.reject(10);
    expect(two.state()).toBe('dismissed');
    await expect(one.pins.decide('unheard.example', { state: 'bypassed' })).rejects.toThrow(/No client/);
  });

  test('is bounded', () => {
    const { pins } = learn({ mode: 'propose' });
    for (let i = 0; i < 2_500; i++) pins.rejected(`h${i}.example`, ann, unknownCa);
    expect(pins.list().size).toBeLessThanOrEqual(2_000);
  });
});
