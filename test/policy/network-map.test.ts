import { describe, expect, test } from 'vitest';
import { networkKey, networkOf } from '../../policy/address.ts';
import { NetworkMap } from '../../policy/network-map.ts';

describe('values by network', () => {
  const map = new NetworkMap<string>();
  map.add('10.0.0.0/8', 'all');
  map.add('10.1.0.0/16', 'branch');
  map.add('10.1.2.3', 'one');
  map.add('10.1.0.0/16', 'branch again');
  map.add('loopback', 'self');
  map.add('private', 'inside');
  map.add('private', 'inside again');
  map.add('2001:db8::/32', 'six');
  test.each([
    ['10.2.0.1', ['all', 'inside', 'inside again']],
    ['10.1.2.4', ['all', 'branch', 'branch again', 'inside', 'inside again']],
    ['10.1.2.3', ['all', 'branch', 'branch again', 'one', 'inside', 'inside again']],
    ['::ffff:10.2.0.1', ['all', 'inside', 'inside again']],
    ['127.0.0.1', ['self']],
    ['::1', ['self']],
    ['2001:db8::1', ['six']],
    ['2001:db9::1', []],
    ['11.1.2.3', []],
    ['example.com', []],
  ])('%s: %j', (address, expected) => {
    // The second answer is cached.
    expect([map.of(address), map.of(address)]).toEqual([expected, expected]);
  });

  test('later additions apply to addresses looked up before', () => {
    const later = new NetworkMap<number>();
    expect(later.isEmpty).toBe(true);
    expect(later.of('10.0.0.1')).toEqual([]);
    later.add('10.0.0.0/8', 1);
    expect([later.isEmpty, later.of('10.0.0.1')]).toEqual([false, [1]]);
    const words = new NetworkMap<number>();
    words.add('loopback', 1);
    expect([words.isEmpty, words.of('127.0.0.1'), words.of('10.0.0.1')]).toEqual([false, [1], []]);
  });

  test('more addresses than are cached', () => {
    const many = new NetworkMap<number>();
    many.add('10.0.0.0/9', 1);
    for (let i = 0; i < 10_000; i++) expect(many.of(`10.${i % 256}.${i >> 8}.1`)).toEqual(i % 256 < 128 ? [1] : []);
  });

  test.each(['', 'x', '10.0.0.0/33', 'Private'])('refuses %j', (network) => {
    expect(() => map.add(network, 'x')).toThrow(`"${network}" is not a network or an address.`);
    expect(() => networkOf(network)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});

test.each<[string, string, boolean]>([
  ['10.1.2.3', '10.0.0.0/8', true],
  ['11.1.2.3', '10.0.0.0/8', false],
  ['::ffff:10.1.2.3', '10.0.0.0/8', true],
  ['2001:db8::1', '10.0.0.0/8', false],
  ['2001:db8:1::1', '2001:db8::/32', true],
  ['10.1.2.3', '::/0', false],
  ['x', '0.0.0.0/0', false],
])('%s has the key of %s: %s', (address, network, expected) => {
  const { version, bits, key } = networkOf(network);
  expect(networkKey(address, version, bits) === key).toBe(expected);
});
