import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { MemoryVault } from '../../../../core/vault.ts';
import { ExchangeNumbers, NumberTokens } from '../../../../gateway/proxy/body/number-tokens.ts';

const card = '[CREDIT_CARD-1]';
const phone = '[PHONE-1]';

describe('tokens of numbers', () => {
  test('are known to a later process of the same store, per session', async () => {
    const vault = new MemoryVault();
    const first = new NumberTokens(vault, 0);
    first.remember('a', new Set([card]));
    first.remember('a', new Set([card, phone]));
    await expect.poll(() => vault.tokens('a-numbers')?.size).toBe(2);
    const later = new NumberTokens(vault, 0);
    expect([...(await later.of('a'))]).toEqual([card, phone]);
    expect([...(await later.of('b'))]).toEqual([]);
  });

  test('are known to the second request after a restart, although the first one is still reading them', async () => {
    const vault = new MemoryVault();
    new NumberTokens(vault, 0).remember('a', new Set([card]));
    await expect.poll(() => vault.tokens('a-numbers')?.size).toBe(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = {
      reserve: vault.reserve.bind(vault),
      tokens: (id: string) => promise.then(() => vault.tokens(id)),
      drop: vault.drop.bind(vault),
    };
    const later = new NumberTokens(slow, 0);
    const exchange = async () => {
      const numbers = new ExchangeNumbers();
      numbers.add(await later.of('a'));
      return [...numbers.tokens];
    };
    const both = [exchange(), exchange()];
    await setImmediate();
    resolve();
    expect(await Promise.all([...both, exchange()])).toEqual([[card], [card], [card]]);
  });

  test('are known at once in their own process, and without a store', async () => {
    const fails = () => Promise.reject(new Error('gone'));
    const numbers = new NumberTokens({ reserve: fails, tokens: fails, drop: fails }, 0);
    numbers.remember('a', new Set([card]));
    expect([...(await numbers.of('a'))]).toEqual([card]);
    numbers.remember('a', new Set([phone]));
    expect([...(await numbers.of('a'))]).toEqual([card, phone]);
  });

  test('are not those that the request has in strings', () => {
    const numbers = new ExchangeNumbers();
    const body = Buffer.from(`{"card":"${card}","note":"Call ${phone}."}`);
    numbers.note({ numbers: new Set([card]), body, changed: true });
    numbers.add(new Set([card, phone]));
    expect([...numbers.tokens]).toEqual([card]);
  });

  test('of many sessions are read again instead of being held', async () => {
    const reads: string[] = [];
    const vault = {
      reserve: () => [],
      tokens: (id: string) => void reads.push(id),
      drop: () => false,
    };
    const numbers = new NumberTokens(vault, 0);
    const tokens = new Set(Array.from({ length: 5_000 }, (_, n) => `[PHONE-${n}]`));
    for (let session = 0; session < 50; session++) numbers.remember(String(session), tokens);
    expect(await numbers.of('49')).toEqual(tokens);
    expect(await numbers.of('0')).toEqual(new Set());
    expect(reads).toEqual(['49-numbers', '0-numbers']);
  });
});
