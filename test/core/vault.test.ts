import { describe, expect, test } from 'vitest';
import { findTokens } from '../../core/tokens/tokens.ts';
import { MemoryVault, proxySessionKey, SessionTokens, sessionKey } from '../../core/vault.ts';

const mail = (value: string) => ({ type: 'EMAIL', value });

describe('reserve', () => {
  test('equal values share a token, different ones never do', () => {
    const vault = new MemoryVault();
    expect(vault.reserve('s', [mail('a'), mail('b'), mail('a'), { type: 'PHONE', value: 'a' }])).toEqual([
      '[EMAIL-1]',
      '[EMAIL-2]',
      '[EMAIL-1]',
      '[PHONE-1]',
    ]);
    expect(vault.reserve('s', [mail('c'), mail('b')])).toEqual(['[EMAIL-3]', '[EMAIL-2]']);
    expect(vault.reserve('t', [mail('b')])).toEqual(['[EMAIL-1]']);
  });
  test('a label has its own token format', () => {
    expect(new MemoryVault().reserve('s', [{ type: 'PROJECT', value: 'x', label: true }])).toEqual(['[PROJECT_1]']);
  });
  test('the category of a chunk token', () => {
    const vault = new MemoryVault();
    const taken = new Set(['[EMAIL-1]', '[EMAIL-2]']);
    expect(vault.reserve('s', [mail('a')], { taken })).toEqual(['[EMAIL-3]']);
    expect(vault.reserve('s', [mail('a')], { taken: new Set(['[EMAIL-3]']) })).toEqual(['[EMAIL-3]']);
  });
  test.each([
    ['secured', /^\[SECURED:type=EMAIL,id=[a-z2-9]{16}\]$/],
    ['srag', /^\[SRAG:cat=PII,name=EMAIL,id=[a-z2-9]{16}\]$/],
  ] as const)('%s: a separate id per value, distinct from other formats', (format, shape) => {
    const vault = new MemoryVault();
    const [counter] = vault.reserve('s', [mail('a')]);
    const [first = '', second, again] = vault.reserve('s', [mail('a'), mail('b'), mail('a')], { format });
    expect(first).toMatch(shape);
    expect(again).toBe(first);
    expect(second).not.toBe(first);
    expect(counter).toBe('[EMAIL-1]');
    expect(findTokens(`x ${first.toLowerCase()} y`).map((match) => match.identity)).toEqual([first]);
    expect(vault.tokens('s')?.get(first)).toBe('a');
    expect(vault.tokens('t')?.get(first)).toBeUndefined();
  });
  test('the category of a chunk token', () => {
    const [token] = new MemoryVault().reserve('s', [{ type: 'API_KEY', value: 'x', category: 'SECRET' }], {
      format: 'srag',
    });
    expect(token).toMatch(/^\[SRAG:cat=SECRET,name=API_KEY,id=/);
  });
  test('many values: the same rules with and without tables', () => {
    const vault = new MemoryVault();
    const many = Array.from({ length: 50 }, (_, i) => mail(`user${i}@mail.example`));
    const tokens = vault.reserve('s', many);
    expect(tokens).toEqual(many.map((_, i) => `[EMAIL-${i + 1}]`));
    expect(vault.reserve('s', [...many].reverse())).toEqual([...tokens].reverse());
    expect([...(vault.tokens('s')?.entries() ?? [])]).toEqual(many.map(({ value }, i) => [`[EMAIL-${i + 1}]`, value]));
    expect(vault.tokens('s')?.hasPrefix?.('[EMAIL-5')).toBe(true);
    expect(vault.tokens('s')?.hasPrefix?.('[EMAIL-51')).toBe(false);
  });
  test('values in user brackets keep the brackets', () => {
    const vault = new MemoryVault();
    vault.reserve('s', [{ ...mail('a'), bracketed: true }, mail('b')]);
    const tokens = vault.tokens('s');
    expect([tokens?.get('[[EMAIL-1]]'), tokens?.get('[[EMAIL-2]]')]).toEqual(['[a]', undefined]);
  });
  test('a session to continue must exist', () => {
    const vault = new MemoryVault();
    expect(() => vault.reserve('s', [mail('a')], { create: false })).toThrowError(/session does not exist/);
    vault.reserve('s', [mail('a')]);
    expect(vault.reserve('s', [mail('b')], { create: false })).toEqual(['[EMAIL-2]']);
  });
  test('a full session continues as a new one, and its values are restored until that one is full too', () => {
    const vault = new MemoryVault({ tokensPerSessionMax: 2 });
    vault.reserve('s', [mail('a'), { ...mail('b'), bracketed: true }]);
    expect(vault.reserve('s', [mail('c')])).toEqual(['[EMAIL-3]']);
    expect(vault.reserve('s', [mail('b'), { type: 'PHONE', value: 'b' }])).toEqual(['[EMAIL-4]', '[PHONE-1]']);
    const tokens = vault.tokens('s');
    expect(['[EMAIL-1]', '[EMAIL-3]', '[EMAIL-4]', '[PHONE-1]'].map((token) => tokens?.get(token))).toEqual([
      undefined,
      'c',
      'b',
      'b',
    ]);
    expect([tokens?.size, tokens?.hasPrefix?.('[EMAIL-3'), tokens?.hasPrefix?.('[PHONE')]).toEqual([3, true, true]);
    vault.drop('s');
    expect(vault.bytes).toBe(0);
  });
  test('a continued session of a tenant keeps all counters', () => {
    const vault = new MemoryVault({ tokensPerSessionMax: 2 });
    const session = sessionKey('t', 's');
    const reserve = (...entries: { type: string; value: string }[]) => vault.reserve(session, entries).join();
    expect(reserve({ type: 'PHONE', value: '1' }, mail('a'))).toBe('[PHONE-1],[EMAIL-1]');
    expect(reserve(mail('b'), mail('c'))).toBe('[EMAIL-2],[EMAIL-3]');
    expect(reserve(mail('d'), { type: 'PHONE', value: '2' })).toBe('[EMAIL-4],[PHONE-2]');
  });
  test('a call with more values than a session can hold is refused; repeated values take no space', () => {
    const vault = new MemoryVault({ tokensPerSessionMax: 2 });
    const many = [mail('a'), mail('b'), mail('a'), mail('b'), mail('a')];
    const tokens = many.map(({ value }) => (value === 'a' ? '[EMAIL-1]' : '[EMAIL-2]'));
    expect(vault.reserve('new', many)).toEqual(tokens);
    expect(vault.reserve('new', many)).toEqual(tokens);
    for (const session of ['new', 'other']) {
      expect(() => vault.reserve(session, [...many, mail('c')])).toThrowError(/more than 2 values/);
    }
    expect(vault.tokens('new')?.size).toBe(2);
  });
});

describe('numbers', () => {
  const line = (session: string) => proxySessionKey('ann', 'mail', session);
  test.each<[what: string, end: (vault: MemoryVault, wait: () => void) => void]>([
    ['evicted', (vault) => vault.reserve(proxySessionKey('ann', 'chat', 'k'), [mail('x'.repeat(4_000))])],
    ['expired', (_vault, wait) => wait()],
    ['dropped', (vault) => vault.drop(line('key'))],
    ['renewed', () => {}],
  ])('a token of a session that was %s is never assigned to another value', (what, end) => {
    let now = 0;
    const vault = new MemoryVault({ ttlMs: 100, bytesMax: 5_000, now: () => now });
    expect(vault.reserve(line('key'), [mail('ann'), mail('bob')])).toEqual(['[EMAIL-1]', '[EMAIL-2]']);
    end(vault, () => {
      now = 1_000;
      vault.sweep();
    });
    if (what !== 'renewed') expect(vault.tokens(line('key'))).toBeUndefined();
    for (const key of ['key', 'renewed']) {
      const [token = ''] = vault.reserve(line(key), [mail('eve')]);
      expect(['[EMAIL-1]', '[EMAIL-2]']).not.toContain(token);
    }
    expect(vault.tokens(line('renewed'))?.get('[EMAIL-1]')).toBeUndefined();
    expect(vault.reserve(proxySessionKey('ann', 'other', 'key'), [mail('eve')])).toEqual(['[EMAIL-1]']);
  });
  test('a number mentioned in a request is never assigned, however high', () => {
    const vault = new MemoryVault();
    const taken = new Set(['[EMAIL-7]', '[PHONE-2]', '[EMAIL-12345]', '[PROJECT_4]']);
    expect(vault.reserve(line('key'), [mail('ann')], { taken })).toEqual(['[EMAIL-8]']);
    const phone = { type: 'PHONE', value: '1' };
    expect(vault.reserve(line('other'), [mail('bob'), phone])).toEqual(['[EMAIL-9]', '[PHONE-3]']);
  });
  test('a session with a generated id starts at 1, and continues when its id is reused', () => {
    let now = 0;
    const vault = new MemoryVault({ ttlMs: 100, now: () => now });
    for (let i = 0; i < 3; i++) expect(vault.reserve(`s${i}`, [mail('a')], { isFresh: true })).toEqual(['[EMAIL-1]']);
    now = 200;
    expect(vault.reserve('s0', [mail('b')])).toEqual(['[EMAIL-2]']);
    expect(vault.tokens('s0')?.get('[EMAIL-1]')).toBeUndefined();
  });
});

describe('shares', () => {
  const fill = (vault: MemoryVault, idOf: (i: number) => string) => {
    for (let i = 0; i < 50; i++) vault.reserve(idOf(i), [mail('x'.repeat(1_000))]);
  };
  const hogs: [who: string, idOf: (i: number) => string][] = [
    ['a tenant', (i) => sessionKey('hog', `s${i}`)],
    ['a subject of the proxy', (i) => proxySessionKey('hog', `line${i}`, 'k')],
  ];
  test.each(hogs)('%s that fills the memory does not evict other sessions', (_who, idOf) => {
    const vault = new MemoryVault({ bytesMax: 40_000 });
    const others = [sessionKey('t', 's'), proxySessionKey('ann', 'mail', 'k'), sessionKey('u', 's'), 'plain'];
    for (const id of others) vault.reserve(id, [mail(`a value of ${id}`)]);
    fill(vault, idOf);
    for (const id of others) expect(vault.tokens(id)?.get('[EMAIL-1]')).toBe(`a value of ${id}`);
    expect(vault.bytes).toBeLessThanOrEqual(40_000);
    expect(vault.tokens(idOf(0))).toBeUndefined();
    expect(vault.tokens(idOf(49))?.size).toBe(1);
  });
  test('many tenants together leave half of the memory to the proxy', () => {
    const vault = new MemoryVault({ bytesMax: 100_000 });
    for (let i = 0; i < 12; i++) vault.reserve(proxySessionKey('ann', `line${i}`, 'k'), [mail('x'.repeat(1_500))]);
    fill(vault, (i) => sessionKey(`t${i}`, 's'));
    expect(vault.bytes).toBeLessThanOrEqual(100_000);
    for (let i = 0; i < 12; i++) expect(vault.tokens(proxySessionKey('ann', `line${i}`, 'k'))?.size).toBe(1);
  });
  test('many small sessions are counted for their owner', () => {
    const vault = new MemoryVault({ sessionsMax: 20 });
    vault.reserve(sessionKey('t', 's'), [mail('x'.repeat(10_000))]);
    fill(vault, (i) => sessionKey('hog', `s${i}`));
    expect([vault.size, vault.tokens(sessionKey('t', 's'))?.size]).toEqual([20, 1]);
  });
});

describe('lifetime', () => {
  test('starts at the last use', () => {
    let now = 0;
    const vault = new MemoryVault({ ttlMs: 100, now: () => now });
    vault.reserve('s', [mail('a')]);
    now = 90;
    expect(vault.tokens('s')?.get('[EMAIL-1]')).toBe('a');
    now = 189;
    expect(vault.tokens('s')?.size).toBe(1);
    now = 289;
    expect(vault.tokens('s')).toBeUndefined();
    expect(vault.tokens('other')).toBeUndefined();
  });
  test('0 means no expiry, and a session may have its own', () => {
    let now = 0;
    const vault = new MemoryVault({ ttlMs: 0, now: () => now });
    vault.reserve('s', [mail('a')]);
    vault.reserve('t', [mail('a')], { ttlMs: 10 });
    now = 1e12;
    expect(vault.tokens('s')?.size).toBe(1);
    expect(vault.tokens('t')).toBeUndefined();
  });
  test('the least recently used session is evicted first', () => {
    const vault = new MemoryVault({ sessionsMax: 2 });
    vault.reserve('a', [mail('x')]);
    vault.reserve('b', [mail('x')]);
    vault.tokens('a');
    vault.reserve('c', [mail('x')]);
    expect([vault.tokens('a')?.size, vault.tokens('b'), vault.tokens('c')?.size]).toEqual([1, undefined, 1]);
    expect(vault.size).toBe(2);
  });
  test('drop and close delete', () => {
    const vault = new MemoryVault();
    vault.reserve('a', [mail('x')]);
    vault.drop('a');
    expect(vault.tokens('a')).toBeUndefined();
    vault.reserve('a', [mail('x')]);
    vault.close();
    expect(vault.size).toBe(0);
  });
});

describe('limits', () => {
  test('memory is bounded, the oldest are evicted first and counted', () => {
    let evicted = 0;
    const vault = new MemoryVault({ bytesMax: 10_000, onEvicted: (sessions) => (evicted += sessions) });
    for (let i = 0; i < 100; i++) vault.reserve(`s${i}`, [mail(`user${i}@mail.example`)]);
    expect(vault.bytes).toBeLessThanOrEqual(10_000);
    expect(vault.size + evicted).toBe(100);
    expect([vault.tokens('s0'), vault.tokens('s99')?.size]).toEqual([undefined, 1]);
    for (const { id } of vault.sessions({ limit: 1000 }).sessions) vault.drop(id);
    expect([vault.size, vault.bytes]).toEqual([0, 0]);
  });
  test('memory is counted the same before and after a session is read', () => {
    const vault = new MemoryVault();
    const one = new MemoryVault();
    for (const id of ['s', 't']) vault.reserve(id, [mail('ana@example.com'), mail('日本')]);
    one.reserve('s', [mail('ana@example.com'), mail('日本')]);
    expect(vault.bytes).toBe(2 * one.bytes);
    expect(vault.tokens('t')?.get('[EMAIL-2]')).toBe('日本');
    expect(vault.bytes).toBeGreaterThan(2 * one.bytes);
    vault.drop('t');
    expect(vault.bytes).toBe(one.bytes);
    vault.reserve('s', [mail('b')]);
    vault.drop('s');
    expect([vault.size, vault.bytes]).toEqual([0, 0]);
  });
  test('an expired session is not an eviction', () => {
    let now = 0;
    let evicted = 0;
    const vault = new MemoryVault({ ttlMs: 10, now: () => now, onEvicted: (sessions) => (evicted += sessions) });
    vault.reserve('a', [mail('x')]);
    now = 20;
    vault.reserve('b', [mail('x')]);
    expect([vault.size, evicted]).toEqual([1, 0]);
    now = 40;
    vault.sweep();
    expect([vault.size, vault.bytes]).toEqual([0, 0]);
  });
  test('a value does not keep its source text alive', () => {
    const vault = new MemoryVault();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 40; i++) {
      const text = `${'x'.repeat(1_000_000)} user${i}@mail.example ${i}`;
      vault.reserve(`s${i}`, [mail(text.slice(1_000_001, 1_000_025))]);
    }
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(30_000_000);
  });
});

describe('tenants', () => {
  const vault = new MemoryVault();
  vault.reserve(sessionKey('a', '1'), [mail('one'), mail('two')]);
  vault.reserve(sessionKey('a', '2'), [mail('three')]);
  vault.reserve(sessionKey('b', '1'), [mail('four'), mail('five'), mail('six')]);
  const [secured = ''] = vault.reserve(sessionKey('b', '2'), [mail('seven')], { format: 'secured' });
  test.each([
    ['a', '[EMAIL-1]', undefined],
    ['a', '[EMAIL-2]', 'two'],
    ['a', '[EMAIL-3]', undefined],
    ['b', '[EMAIL-3]', 'six'],
    ['b', secured, 'seven'],
    ['a', secured, undefined],
    ['', '[EMAIL-3]', undefined],
  ])('%s resolves %s: %s', (tenant, token, value) => {
    expect(vault.resolve(tenant, ['[NAME-1]', token]).get(token)).toBe(value);
  });
  test('a token within user brackets is resolved with them', () => {
    const quoting = new MemoryVault();
    quoting.reserve(sessionKey('a', '1'), [{ ...mail('one'), bracketed: true }, mail('two')]);
    const wanted = ['[[EMAIL-1]]', '[EMAIL-1]', '[[EMAIL-2]]'];
    for (const _ of ['as issued', 'after it was asked for']) {
      expect(Object.fromEntries(quoting.resolve('a', wanted))).toEqual({ '[[EMAIL-1]]': '[one]', '[EMAIL-1]': 'one' });
      quoting.tokens(sessionKey('a', '1'));
    }
  });
  test('sessions are listed in pages, of one tenant or of all', () => {
    expect(vault.sessions({ tenant: 'b' }).sessions.map(({ id, tokens }) => [id, tokens])).toEqual([
      ['1', 3],
      ['2', 1],
    ]);
    const first = vault.sessions({ limit: 3 });
    const second = vault.sessions({ limit: 3, after: first.next ?? '' });
    expect([...first.sessions, ...second.sessions].map(({ tenant, id }) => tenant + id)).toEqual([
      'a1',
      'a2',
      'b1',
      'b2',
    ]);
    expect(second.next).toBeUndefined();
  });
});

describe('hasPrefix', () => {
  const tokens = new SessionTokens();
  tokens.add('[CREDIT_CARD-12]', { type: 'CREDIT_CARD', value: 'a' });
  tokens.add('[PHASE2_3]', { type: 'PHASE2', value: 'b', label: true });
  tokens.add('[SECURED:type=EMAIL,id=aB]', mail('c'));
  test.each([
    ['[', true],
    ['[CRED', true],
    ['[CREDITC', true],
    ['[CREDIT_CARD-1', true],
    ['[CREDIT_CARD-12', true],
    ['[CREDIT_CARD-13', false],
    ['[PHASE2', true],
    ['[PHASE2_3', true],
    ['[PHASE2_4', false],
    ['[EMAIL', false],
    ['[SEC', true],
    ['[SECURED:type=EM', true],
    ['[SECURED:type=PH', false],
  ])('%s: %s', (partial, expected) => {
    expect(tokens.hasPrefix(partial)).toBe(expected);
  });
  test('without issued tokens, nothing is held back', () => {
    expect(new SessionTokens().hasPrefix('[')).toBe(false);
  });
});
