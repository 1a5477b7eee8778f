/** An API call costs one round trip to a shared store, whatever it does. Counted on the wire. */
import { connect, createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { sessionKey } from '../../../core/vault.ts';
import { Accounts } from '../../../gateway/stores/accounts.ts';
import { listening } from '../../support/listening.ts';
import { storeUnderTest } from './stores-under-test.ts';

/** Relays to a port and counts the client's messages that follow a response; without keep-alive traffic. */
async function countingRelay(port: number) {
  const counter = { turns: 0 };
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    let isListener = false;
    let isClientsTurn = true;
    client.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      isListener ||= /LISTEN privet|SUBSCRIBE/.test(text);
      if (isClientsTurn && !isListener && text !== '*1\r\n$4\r\nPING\r\n') counter.turns++;
      isClientsTurn = false;
    });
    upstream.on('data', () => {
      isClientsTurn = true;
    });
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => [client, upstream].map((each) => each.destroy()));
  });
  return { port: await listening(server), counter };
}

describe.each(['redis', 'postgres'] as const)('%s', (kind) => {
  const under = storeUnderTest(kind);

  test('masking and restoring with a known key', async () => {
    const address = new URL(under.server()?.url ?? '');
    const relay = await countingRelay(Number(address.port));
    address.port = String(relay.port);
    const stores = await under.open({ storeUrl: address.href });
    const accounts = new Accounts({ ...stores, verifyAdminKey: () => false });
    const { key } = await accounts.createKey({ name: 'ana', plan: 'business' });
    const call = async (i: number) => {
      const caller = await accounts.authenticate(key);
      if (caller === undefined) throw new Error('the key is not known');
      const session = sessionKey(caller.tenant, `s${i % 4}`);
      const entries = [0, 1, 2, 3, 4].map((n) => ({ type: 'EMAIL', value: `user${i}-${n}@mail.example` }));
      await stores.calls.run({ charge: accounts.charge(caller, 1), reserve: { session, entries } });
      await stores.calls.run({ charge: accounts.charge(caller, 1), read: session });
    };
    // The first calls load scripts, prepare statements and look up the key.
    for (let i = 0; i < 5; i++) await call(i);
    await expect.poll(() => stores.changes.isLive).toBe(true);
    await accounts.authenticate(key);
    const before = relay.counter.turns;
    for (let i = 0; i < 50; i++) await call(i);
    // The store is also pinged now and then, and on a busy machine a reply may arrive together with that of a ping. A
    // second round trip per call would make it 200.
    expect(relay.counter.turns - before).toBeGreaterThanOrEqual(90);
    expect(relay.counter.turns - before).toBeLessThan(110);
  });
});
