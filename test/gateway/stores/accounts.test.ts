import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Accounts, assertCharged } from '../../../gateway/stores/accounts.ts';
import { openMemoryStores } from '../../../gateway/stores/memory.ts';
import type { Stores } from '../../../gateway/stores/stores.ts';
import { storeUnderTest } from './stores-under-test.ts';

const adminKey = `admin ${randomBytes(8).toString('hex')}`;
const accountsOf = (stores: Stores, now?: () => Date) =>
  new Accounts({ ...stores, verifyAdminKey: (text) => text === adminKey, ...(now && { now }) });

test('a key created by another process meanwhile takes a seat', async () => {
  const stores = openMemoryStores({ ttlMs: 0 });
  onTestFinished(() => stores.close());
  const accounts = accountsOf(stores);
  const { tenant, id } = await accounts.createKey({ name: 'ana' });
  await accounts.revokeKey(id);
  let reads = 0;
  const records: Stores['records'] = {
    list: (kind) => stores.records.list(kind),
    write: (...args) => stores.records.write(...args),
    async get(...args) {
      if (++reads === 2) await accounts.createKey({ name: 'ben', tenant });
      return stores.records.get(...args);
    },
  };
  await expect(accountsOf({ ...stores, records }).createKey({ name: 'cyd', tenant })).rejects.toMatchObject({
    code: 'forbidden',
    message: 'The Free plan has 1 seat, which is taken.',
    details: { seats: 1 },
  });
});

describe.each(['memory', 'sqlite', 'redis', 'postgres'] as const)('%s', (kind) => {
  const under = storeUnderTest(kind);
  let accounts: Accounts;
  let others: Accounts;
  beforeAll(async () => {
    const stores = await under.open();
    accounts = accountsOf(stores);
    others = kind === 'memory' ? accounts : accountsOf(await under.open());
  });

  test('a key is created, used, listed, and revoked in every process', async () => {
    const made = await accounts.createKey({ name: 'ana', plan: 'starter' });
    expect(made).toMatchObject({ name: 'ana', plan: 'starter', role: 'user', tenant: expect.stringMatching(/^tnt_/) });
    expect(made.key).toMatch(/^pvt_live_/);
    const caller = await others.authenticate(made.key);
    expect(caller).toMatchObject({ keyId: made.id, tenant: made.tenant, role: 'user', plan: { name: 'starter' } });
    const wrong = made.key.slice(0, -1) + (made.key.endsWith('a') ? 'b' : 'a');
    expect(await others.authenticate(wrong)).toBeUndefined();
    const [listed] = await others.keys({ tenant: made.tenant });
    expect(listed).toMatchObject({ id: made.id, name: 'ana', plan: 'starter', revoked_at: null, usage: { calls: 0 } });
    expect(JSON.stringify(listed)).not.toContain(made.key.slice(9));
    expect(listed).not.toHaveProperty('hash');
    await accounts.revokeKey(made.id);
    expect(await accounts.authenticate(made.key)).toBeUndefined();
    await expect.poll(() => others.authenticate(made.key)).toBeUndefined();
    expect((await others.keys({ tenant: made.tenant }))[0]?.revoked_at).not.toBeNull();
    await expect(accounts.revokeKey('key_nobody')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('the prefix tells live, test and admin keys apart', async () => {
    const [live, test, admin] = await Promise.all([
      accounts.createKey({ name: 'a' }),
      accounts.createKey({ name: 'a', test: true }),
      accounts.createKey({ name: 'a', role: 'admin' }),
    ]);
    expect([live, test, admin].map(({ key, plan }) => `${key.slice(0, 9)} ${plan}`)).toEqual([
      'pvt_live_ free',
      'pvt_test_ free',
      'pvt_admin free',
    ]);
    expect((await others.authenticate(admin.key))?.role).toBe('admin');
  });

  test('seats are names; a second key of a member takes none, a revoked one gives it back', async () => {
    const { tenant, id } = await accounts.createKey({ name: 'ana' });
    await accounts.createKey({ name: 'ana', tenant });
    await expect(accounts.createKey({ name: 'ben', tenant })).rejects.toMatchObject({
      code: 'forbidden',
      details: { requiredPlan: 'business' },
    });
    const moved = await others.createKey({ name: 'ben', tenant, plan: 'business' });
    expect(moved).toMatchObject({ tenant, plan: 'business' });
    const plans = (await accounts.keys({ tenant })).map((key) => key.plan);
    expect(plans).toEqual(['business', 'business', 'business']);
    await accounts.setPlan(tenant, 'free');
    await accounts.revokeKey(moved.id);
    await accounts.revokeKey(id);
    expect((await accounts.createKey({ name: 'ana', tenant })).plan).toBe('free');
    await expect(accounts.createKey({ name: 'x', tenant: 'tnt_unknown' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(accounts.setPlan('tnt_unknown', 'free')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('keys created at once by two processes are all kept', async () => {
    const { tenant } = await accounts.createKey({ name: 'ana', plan: 'enterprise' });
    await Promise.all(
      Array.from({ length: 8 }, (_, i) => (i % 2 ? accounts : others).createKey({ name: `m${i}`, tenant })),
    );
    expect(await others.keys({ tenant })).toHaveLength(9);
  });

  test('a plan change applies to a cached caller', async () => {
    const { key, tenant } = await accounts.createKey({ name: 'ana' });
    expect((await others.authenticate(key))?.plan.name).toBe('free');
    await accounts.setPlan(tenant, 'business');
    await expect.poll(async () => (await others.authenticate(key))?.plan.name).toBe('business');
  });

  test('300 calls on free, then 402; the next month starts over', async () => {
    const stores = await under.open();
    let now = new Date('2026-11-30T23:59:00Z');
    const timed = accountsOf(stores, () => now);
    const { key, id, tenant } = await timed.createKey({ name: 'ana' });
    const caller = (await timed.authenticate(key)) as NonNullable<Awaited<ReturnType<Accounts['authenticate']>>>;
    const run = async (credits: 0 | 1) => (await stores.calls.run({ charge: timed.charge(caller, credits) })).charge;
    const results = await Promise.all(Array.from({ length: 310 }, () => run(1)));
    expect(results.filter((charge) => charge?.refused === undefined)).toHaveLength(300);
    const refused = results.find((charge) => charge?.refused !== undefined);
    expect(() => assertCharged(refused as NonNullable<typeof refused>)).toThrowError(/credits of this month/);
    expect((await run(0))?.refused).toBeUndefined();
    expect(await timed.credits(caller)).toMatchObject({
      used: 300,
      creditsRemaining: 0,
      resetsAt: '2026-12-01T00:00:00.000Z',
    });
    expect((await timed.keys({ tenant })).find((view) => view.id === id)?.usage).toEqual({
      month: '2026-11',
      calls: 300,
    });
    now = new Date('2026-12-01T00:00:00Z');
    expect((await run(1))?.used).toBe(1);
    expect(await timed.credits(caller)).toMatchObject({ used: 1, creditsRemaining: 299 });
  });

  test('the administrator belongs to no tenant and needs no credits', async () => {
    expect(await accounts.authenticate(adminKey)).toMatchObject({ role: 'admin', tenant: 'admin' });
    expect(await accounts.authenticate('nothing')).toBeUndefined();
  });
});
