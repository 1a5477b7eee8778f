import { describe, expect, test, vi } from 'vitest';
import { ProxyAuth, readCredentials } from '../../../../gateway/proxy/admit/proxy-auth.ts';
import type { User } from '../../../../gateway/users/directory.ts';
import { HashPool } from '../../../../gateway/users/hash-pool.ts';
import { md5Crypt } from '../../../../gateway/users/password-hash.ts';

const base64 = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding).toString('base64');

describe('readCredentials', () => {
  test.each<[field: string, expected: { name: string; password: string } | undefined]>([
    [`Basic ${base64('ann:secret')}`, { name: 'ann', password: 'secret' }],
    [`basic   ${base64('ann:secret')} `, { name: 'ann', password: 'secret' }],
    [`Basic ${base64('ann:a:b:')}`, { name: 'ann', password: 'a:b:' }],
    [`Basic ${base64('ann:')}`, { name: 'ann', password: '' }],
    [`Basic ${base64(':')}`, { name: '', password: '' }],
    [`Basic ${base64('jürgen:☃')}`, { name: 'jürgen', password: '☃' }],
    [`Basic ${base64('jürgen:é', 'latin1')}`, { name: 'jürgen', password: 'é' }],
    [`Basic ${base64('jürgen:é'.normalize('NFD'))}`, { name: 'jürgen', password: 'é' }],
    [`Basic ${base64('ann')}`, undefined],
    ['Basic', undefined],
    ['Basic ann:secret', undefined],
    [`Bearer ${base64('ann:secret')}`, undefined],
    [`Basic ${base64('ann:x')}, Basic ${base64('ben:x')}`, undefined],
  ])('%j', (field, expected) => {
    expect(readCredentials(field)).toEqual(expected);
  });
});

describe('ProxyAuth', () => {
  const user = (name: string, password: string, groups: string[] = []): User => ({
    name,
    hash: md5Crypt(Buffer.from(password), '$apr1$', 'saltsalt'),
    groups,
    source: 'file',
  });
  const options = (...users: User[]) => ({
    users: new Map(users.map((one) => [one.name, one])),
    realm: 'Test',
    exempt: ['10.0.0.0/8'],
  });
  const field = (name: string, password: string) => ['Proxy-Authorization', `Basic ${base64(`${name}:${password}`)}`];

  test('verified credentials are cached while the password is unchanged', async () => {
    const auth = new ProxyAuth(options(user('ann', 'one', ['a'])));
    expect(await auth.identify(field('ann', 'one'), '192.0.2.1')).toEqual({ user: 'ann', groups: ['a'] });
    expect(auth.identify(field('ann', 'one'), '192.0.2.1')).toEqual({ user: 'ann', groups: ['a'] });
    auth.replace(options(user('ann', 'one', ['b'])));
    expect(auth.identify(field('ann', 'one'), '192.0.2.1')).toEqual({ user: 'ann', groups: ['b'] });
    auth.replace(options(user('ann', 'two')));
    await expect(auth.identify(field('ann', 'one'), '192.0.2.1')).rejects.toMatchObject({
      code: 'proxy_auth_required',
    });
    auth.replace(options());
    await expect(auth.identify(field('ann', 'two'), '192.0.2.1')).rejects.toMatchObject({
      code: 'proxy_auth_required',
    });
    // A user who is created after an attempt can sign in at once.
    auth.replace(options(user('ann', 'two')));
    expect(await auth.identify(field('ann', 'two'), '192.0.2.1')).toEqual({ user: 'ann', groups: [] });
  });

  test('credentials are required, except from exempt networks, where given ones still count', async () => {
    const auth = new ProxyAuth(options(user('ann', 'one')));
    expect(() => auth.identify(['Host', 'x'], '192.0.2.1')).toThrow(/needs a user name/);
    expect(auth.identify(['Host', 'x'], '10.1.1.1')).toBeUndefined();
    expect(await auth.identify(field('ann', 'one'), '10.1.1.1')).toMatchObject({ user: 'ann' });
    await expect(auth.identify(field('ann', 'no'), '10.1.1.1')).rejects.toMatchObject({ code: 'proxy_auth_required' });
  });

  test('over the limit a wrong password gets 429, other addresses are unaffected', async () => {
    const auth = new ProxyAuth(options(user('ann', 'one'), user('ben', 'two')));
    await auth.identify(field('ann', 'one'), '192.0.2.1');
    const codes: string[] = [];
    for (let i = 0; i < 12; i++) {
      try {
        await auth.identify(field('ann', 'wrong'), '192.0.2.1');
      } catch (error) {
        codes.push((error as { code: string }).code);
      }
    }
    expect(new Set(codes.slice(0, 10))).toEqual(new Set(['proxy_auth_required']));
    expect(codes.at(-1)).toBe('too_many_requests');
    expect(auth.identify(field('ann', 'one'), '192.0.2.1')).toMatchObject({ user: 'ann' });
    await expect(auth.identify(field('ann', 'wrong 2'), '192.0.2.2')).rejects.toMatchObject({
      code: 'proxy_auth_required',
    });
    // Guesses for one name are checked one at a time; the right password gets through.
    const guess = auth.identify(field('ben', 'guess'), '192.0.2.1') as Promise<unknown>;
    const other = auth.identify(field('ben', 'two'), '192.0.2.1') as Promise<unknown>;
    await expect(other).rejects.toMatchObject({ code: 'too_many_requests' });
    await expect(guess).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(await auth.identify(field('ben', 'two'), '192.0.2.1')).toMatchObject({ user: 'ben' });
  });

  test('parallel guesses do not exceed the limit, and parallel valid sign-ins are not guesses', async () => {
    const people = Array.from({ length: 60 }, (_, i) => user(`user ${i}`, `password ${i}`));
    const auth = new ProxyAuth(options(user('ann', 'one'), ...people));
    const signIns = people.map((_one, i) => auth.identify(field(`user ${i}`, `password ${i}`), '192.0.2.1'));
    expect(await Promise.all(signIns)).toEqual(people.map(({ name }) => ({ user: name, groups: [] })));
    const passwords = [...Array.from({ length: 60 }, (_, i) => `guess ${i}`), 'one'];
    const guesses = await Promise.allSettled(
      passwords.map((password) => auth.identify(field('ann', password), '192.0.2.1') as Promise<unknown>),
    );
    const codes = guesses.map((guess) =>
      guess.status === 'rejected' ? (guess.reason as { code: string }).code : 'in',
    );
    expect(codes.filter((code) => code === 'proxy_auth_required')).toHaveLength(10);
    expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(51);
  });

  test('an unknown name takes as long as a known one', async () => {
    const people = [user('ann', 'one'), user('ben', 'two')];
    const auth = new ProxyAuth(options(...people));
    const verify = vi.spyOn(HashPool.prototype, 'verify');
    for (const name of ['nobody', 'nobody', 'no one']) {
      await expect(auth.identify(field(name, `x${verify.mock.calls.length}`), '192.0.2.1')).rejects.toThrow();
    }
    const hashes = verify.mock.calls.map(([, hash]) => hash);
    verify.mockRestore();
    expect(people.map(({ hash }) => hash)).toEqual(expect.arrayContaining(hashes));
    expect(hashes[0]).toBe(hashes[1]);
  });

  test('two credential fields are invalid', async () => {
    const auth = new ProxyAuth(options(user('ann', 'one')));
    const twice = [...field('ann', 'one'), ...field('ann', 'one')];
    expect(() => auth.identify(twice, '192.0.2.1')).toThrow(/needs a user name/);
  });
});
