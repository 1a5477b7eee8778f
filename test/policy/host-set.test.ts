import { describe, expect, test } from 'vitest';
import { HostSet } from '../../policy/host-set.ts';

describe('sets of hosts', () => {
  const set = new HostSet([
    ' Example.COM. ',
    '*.below.example',
    'n-*.x.example',
    '*.mid.*.example',
    '192.0.2.0/24',
    '198.51.100.7',
    '[2001:DB8::7]',
    'both.example',
    '*.both.example',
    '*.a.both.example',
    'C-*.Dot.example.',
    'd-*.例え。jp',
    '*.例え.テスト',
  ]);
  test.each<[host: string, entry: string | undefined]>([
    ['example.com', ' Example.COM. '],
    ['a.b.example.com', ' Example.COM. '],
    ['notexample.com', undefined],
    ['below.example', undefined],
    ['a.below.example', '*.below.example'],
    ['a.b.below.example', '*.below.example'],
    ['n-1.x.example', 'n-*.x.example'],
    ['n-.x.example', undefined],
    ['a.n-1.x.example', undefined],
    ['a.mid.b.example', '*.mid.*.example'],
    ['a.mid.b.c.example', undefined],
    ['192.0.2.9', '192.0.2.0/24'],
    ['192.0.3.9', undefined],
    ['198.51.100.7', '198.51.100.7'],
    ['a.198.51.100.7', undefined],
    ['2001:db8::7', '[2001:DB8::7]'],
    ['2001:db8::8', undefined],
    ['both.example', 'both.example'],
    ['x.both.example', 'both.example'],
    ['x.a.both.example', '*.a.both.example'],
    ['com', undefined],
    ['c-1.dot.example', 'C-*.Dot.example.'],
    ['d-1.xn--r8jz45g.jp', 'd-*.例え。jp'],
    ['a.xn--r8jz45g.xn--zckzah', '*.例え.テスト'],
  ])('%s: %s', (host, entry) => expect(set.match(host)).toBe(entry));

  test('of one kind only', () => {
    expect(new HostSet([]).match('example.com')).toBeUndefined();
    expect(new HostSet(['*.x.example']).match('a.x.example')).toBe('*.x.example');
    expect(new HostSet(['192.0.2.7']).match('192.0.2.7')).toBe('192.0.2.7');
  });

  test.each([
    '*',
    '',
    ' ',
    'a b',
    '*.',
    '例*.example',
    'a/b',
    'x.example/24',
    '*.a b.example',
    '10.0.0.0/33',
    'http://x.example',
  ])('refuses %j', (entry) => {
    const refused = entry.includes('/')
      ? `"${entry}" is not a network, an address, or one of: loopback, private.`
      : `"${entry}" is not a host, a host pattern or a network.`;
    expect(() => new HostSet([entry])).toThrow(expect.objectContaining({ code: 'invalid_input', message: refused }));
  });
});
