import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CidrSet, classifyAddress } from '../../policy/address.ts';

describe('classes of addresses', () => {
  test.each([
    ['0.0.0.0', 'unspecified'],
    ['0.255.255.255', 'reserved'],
    ['1.0.0.0', 'public'],
    ['9.255.255.255', 'public'],
    ['10.0.0.0', 'private'],
    ['10.255.255.255', 'private'],
    ['11.0.0.0', 'public'],
    ['100.63.255.254', 'public'],
    ['100.64.0.0', 'private'],
    ['100.100.100.200', 'metadata'],
    ['100.127.255.255', 'private'],
    ['100.128.0.1', 'public'],
    ['126.255.255.255', 'public'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.255', 'loopback'],
    ['128.0.0.0', 'public'],
    ['168.63.129.16', 'metadata'],
    ['168.63.129.17', 'public'],
    ['169.253.255.255', 'public'],
    ['169.254.0.1', 'link-local'],
    ['169.254.169.254', 'metadata'],
    ['169.254.170.2', 'metadata'],
    ['169.255.0.0', 'public'],
    ['172.15.255.255', 'public'],
    ['172.16.0.0', 'private'],
    ['172.31.255.255', 'private'],
    ['172.32.0.0', 'public'],
    ['192.0.0.1', 'reserved'],
    ['192.0.0.192', 'metadata'],
    ['192.0.1.0', 'public'],
    ['192.0.2.1', 'reserved'],
    ['192.0.3.0', 'public'],
    ['192.88.99.1', 'reserved'],
    ['192.168.0.1', 'private'],
    ['192.169.0.0', 'public'],
    ['198.17.255.255', 'public'],
    ['198.18.0.0', 'reserved'],
    ['198.19.255.255', 'reserved'],
    ['198.20.0.0', 'public'],
    ['198.51.100.7', 'reserved'],
    ['203.0.113.7', 'reserved'],
    ['223.255.255.255', 'public'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::2', 'reserved'],
    ['::127.0.0.1', 'reserved'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['::ffff:169.254.169.254', 'metadata'],
    ['::ffff:8.8.8.8', 'public'],
    ['::ffff:0:8.8.8.8', 'translated'],
    ['64:ff9b::8.8.8.8', 'translated'],
    ['64:ff9b:1::1', 'translated'],
    ['64:ff9b:2::1', 'public'],
    ['64:ff9c::1', 'public'],
    ['100::1', 'reserved'],
    ['2001::1', 'translated'],
    ['2001:1ff::1', 'reserved'],
    ['2001:200::1', 'public'],
    ['2001:db8::1', 'reserved'],
    ['2001:db9::1', 'public'],
    ['2002:7f00:1::', 'translated'],
    ['2003::1', 'public'],
    ['2606:4700::1', 'public'],
    ['3fff:fff::1', 'reserved'],
    ['3fff:1000::1', 'public'],
    ['fbff::1', 'public'],
    ['fc00::1', 'private'],
    ['fd00:ec2::254', 'metadata'],
    ['fd00:ec2::255', 'private'],
    ['fdff::1', 'private'],
    ['fe7f::1', 'public'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['febf::1', 'link-local'],
    ['fec0::1', 'private'],
    ['ff02::1', 'multicast'],
    ['not an address', 'reserved'],
    ['fd00:ec2::23', 'metadata'],
    ['fd20:ce::254', 'metadata'],
    ['fd20:ce::255', 'private'],
    ['169.254.170.23', 'metadata'],
    ['169.254.170.24', 'link-local'],
    ['100:0:0:1::1', 'reserved'],
    ['100:0:0:2::1', 'public'],
    ['5f00::1', 'reserved'],
    ['5f01::1', 'public'],
    ['fe80::1%%eth0', 'link-local'],
    ['8.8.8.8%eth0', 'reserved'],
    ['1:2:3:4:5:6:7:8', 'public'],
    ['1::8', 'public'],
    ['::1:0:0:8', 'public'],
    ['0:0:1::ffff:10.0.0.1', 'public'],
    ['0:1::ffff:10.0.0.1', 'public'],
    ['2001:db8::192.0.2.1', 'reserved'],
    ['64:ff9b::255.255.255.255', 'translated'],
    ['1.2.3', 'reserved'],
    ['1.2.3.', 'reserved'],
    ['1.2.3.4.', 'reserved'],
    ['1.2.3.4.5', 'reserved'],
    ['1..2.34', 'reserved'],
    ['.1.2.3.4', 'reserved'],
    ['01.2.3.4', 'reserved'],
    ['1.2.3.04', 'reserved'],
    ['0.0.0.00', 'reserved'],
    ['1.2.3.256', 'reserved'],
    ['1.2.3./', 'reserved'],
    ['1.2.3.:', 'reserved'],
    ['1.2.3.4 ', 'reserved'],
    ['255.255.255.2555', 'reserved'],
    ['127.1', 'reserved'],
    ['', 'reserved'],
  ])('%s is %s', (ip, kind) => {
    expect(classifyAddress(ip)).toBe(kind);
  });
});

describe('sets of networks', () => {
  test.each([
    ['in a /8', ['10.0.0.0/8'], '10.1.2.3', true],
    ['outside a /8', ['10.0.0.0/8'], '11.1.2.3', false],
    ['host bits in the entry do not matter', ['10.9.9.9/8'], '10.1.2.3', true],
    ['one address', ['192.0.2.7'], '192.0.2.7', true],
    ['its neighbour', ['192.0.2.7'], '192.0.2.8', false],
    ['a /31', ['192.0.2.6/31'], '192.0.2.7', true],
    ['everything IPv4', ['0.0.0.0/0'], '255.255.255.255', true],
    ['everything IPv4 is not IPv6', ['0.0.0.0/0'], '2001:db8::1', false],
    ['everything IPv6', ['::/0'], '2001:db8::1', true],
    ['high bit', ['128.0.0.0/1'], '200.0.0.1', true],
    ['IPv6', ['2001:db8::/32'], '2001:db8:ffff::1', true],
    ['outside IPv6', ['2001:db8::/32'], '2001:db9::1', false],
    ['odd IPv6 length', ['2001:db8:8000::/33'], '2001:db8:8000::1', true],
    ['outside an odd length', ['2001:db8:8000::/33'], '2001:db8:7fff::1', false],
    ['mapped address', ['10.0.0.0/8'], '::ffff:10.1.2.3', true],
    ['mapped entry', ['::ffff:10.0.0.0/104'], '10.1.2.3', true],
    ['zone id', ['fe80::/10'], 'fe80::1%eth0', true],
    ['word loopback', ['loopback'], '127.9.9.9', true],
    ['word loopback, IPv6', ['loopback'], '::1', true],
    ['word loopback, private', ['loopback'], '10.0.0.1', false],
    ['word private', ['private'], '192.168.1.1', true],
    ['word private, public', ['private'], '8.8.8.8', false],
    ['private never includes metadata', ['private'], 'fd00:ec2::254', false],
    ['private never includes metadata, IPv4', ['private'], '100.100.100.200', false],
    ['no address', ['0.0.0.0/0', 'private'], 'example.com', false],
  ])('%s', (_name, cidrs, ip, expected) => {
    expect(new CidrSet(cidrs).has(ip)).toBe(expected);
  });

  test('an empty one contains nothing', () => {
    expect(new CidrSet([]).isEmpty).toBe(true);
    expect(new CidrSet(['private']).isEmpty).toBe(false);
    expect(new CidrSet(['10.0.0.0/8']).isEmpty).toBe(false);
    expect(new CidrSet([]).has('10.0.0.1')).toBe(false);
  });

  test.each([
    ['::ffff:0:0/96', '8.8.8.8', true],
    ['::ffff:10.0.0.0/96', '8.8.8.8', true],
    ['2001:db8::1:0:0:1', '2001:db8:0:0:1::1', true],
    ['2001:db8::/64', '2001:db8:0:0:ffff::1', true],
    ['2001:db8::/65', '2001:db8:0:0:ffff::1', false],
    ['2001:db8::/96', '2001:db8::1:0:1', false],
    ['2001:db8::ffff/127', '2001:db8::fffe', true],
  ])('%s contains %s: %s', (network, ip, expected) => {
    expect(new CidrSet([network]).has(ip)).toBe(expected);
  });

  test.each([
    '',
    'example.com',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0',
    '::/129',
    '10.0.0.0/8/8',
    'Private',
    '::ffff:0:0/90',
  ])('refuses %j', (entry) => {
    expect(() => new CidrSet([entry])).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });

  test('a network contains exactly the addresses that share its first bits', () => {
    const address = fc.nat({ max: 0xffffffff });
    const dotted = (n: number) => [24, 16, 8, 0].map((shift) => (n >>> shift) & 255).join('.');
    fc.assert(
      fc.property(address, address, fc.integer({ min: 0, max: 32 }), (network, ip, bits) => {
        const prefix = (n: number) => n.toString(2).padStart(32, '0').slice(0, bits);
        expect(new CidrSet([`${dotted(network)}/${bits}`]).has(dotted(ip))).toBe(prefix(network) === prefix(ip));
      }),
    );
  });
});
