import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostForUrl, normalizeHost, parseAuthority } from '../../policy/host.ts';
import { anyCharacter } from '../support/any-text.ts';

const label63 = 'a'.repeat(63);
const name253 = `${`${label63}.`.repeat(3)}${'b'.repeat(61)}`;

describe('one spelling for every host', () => {
  test.each([
    ['chatgpt.com', 'chatgpt.com', 'name'],
    ['ChatGPT.com', 'chatgpt.com', 'name'],
    ['chatgpt.com.', 'chatgpt.com', 'name'],
    ['ｃhatgpt.com', 'chatgpt.com', 'name'],
    ['chatgpt。com', 'chatgpt.com', 'name'],
    ['chatgpt．com｡', 'chatgpt.com', 'name'],
    ['chat\u00adgpt.com', 'chatgpt.com', 'name'],
    ['ℂhatgpt.com', 'chatgpt.com', 'name'],
    ['bücher.example', 'xn--bcher-kva.example', 'name'],
    ['BÜCHER.example', 'xn--bcher-kva.example', 'name'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example', 'name'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah', 'name'],
    ['_dmarc.example.com', '_dmarc.example.com', 'name'],
    ['localhost', 'localhost', 'name'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example', 'name'],
    ['a.xn--bcher-kva.example.', 'a.xn--bcher-kva.example', 'name'],
    ['0x', '0.0.0.0', 'ipv4'],
    ['1.0xff', '1.0.0.255', 'ipv4'],
    ['x.1a', 'x.1a', 'name'],
    ['x.0xg', 'x.0xg', 'name'],
    ['12.34.56.78', '12.34.56.78', 'ipv4'],
    ['12.34.56.78.', '12.34.56.78', 'ipv4'],
    ['012.034.056.078.example', '012.034.056.078.example', 'name'],
    ['0x0c.0x22.0x38.0x4e', '12.34.56.78', 'ipv4'],
    ['255.255.255.255.', '255.255.255.255', 'ipv4'],
    [name253, name253, 'name'],
    [name253.toUpperCase(), name253, 'name'],
    [`${'\u00ad'.repeat(1013)}chatgpt.com`, 'chatgpt.com', 'name'],
    ['r3---sn-x.example', 'r3---sn-x.example', 'name'],
    ['1password.com', '1password.com', 'name'],
    ['0xdeadbeef.example', '0xdeadbeef.example', 'name'],
    [`${label63}.com`, `${label63}.com`, 'name'],
    ['127.0.0.1', '127.0.0.1', 'ipv4'],
    ['127.0.0.1.', '127.0.0.1', 'ipv4'],
    ['127.1', '127.0.0.1', 'ipv4'],
    ['0x7f.1', '127.0.0.1', 'ipv4'],
    ['0177.0.0.1', '127.0.0.1', 'ipv4'],
    ['2130706433', '127.0.0.1', 'ipv4'],
    ['017700000001', '127.0.0.1', 'ipv4'],
    ['127.0.0.01', '127.0.0.1', 'ipv4'],
    ['１２７.0.0.1', '127.0.0.1', 'ipv4'],
    ['１２７。１', '127.0.0.1', 'ipv4'],
    ['0', '0.0.0.0', 'ipv4'],
    ['[::1]', '::1', 'ipv6'],
    ['::1', '::1', 'ipv6'],
    ['[0:0:0:0:0:0:0:1]', '::1', 'ipv6'],
    ['[2001:DB8::0:1]', '2001:db8::1', 'ipv6'],
    ['[::ffff:127.0.0.1]', '127.0.0.1', 'ipv4'],
    ['[::FFFF:CB00:7105]', '203.0.113.5', 'ipv4'],
    ['0:0:0:0:0:ffff:1.2.0.4', '1.2.0.4', 'ipv4'],
    ['::ffff:0', '::ffff:0', 'ipv6'],
    ['::fffe:1.2.3.4', '::fffe:102:304', 'ipv6'],
  ])('%s → %s', (input, host, kind) => {
    expect(normalizeHost(input)).toEqual({ host, kind });
  });

  test.each([
    ['empty', ''],
    ['dot alone', '.'],
    ['two trailing dots', 'chatgpt.com..'],
    ['leading dot', '.chatgpt.com'],
    ['empty label', 'chatgpt..com'],
    ['percent escape', 'chat%67pt.com'],
    ['full-width percent', 'chat％67pt.com'],
    ['userinfo', 'chatgpt.com@evil.example'],
    ['full-width at', 'chatgpt.com＠evil.example'],
    ['port', 'chatgpt.com:443'],
    ['path', 'chatgpt.com/x'],
    ['full-width slash', 'chatgpt.com／x'],
    ['backslash', 'chatgpt.com\\x'],
    ['space', 'chat gpt.com'],
    ['ideographic space', 'chat\u3000gpt.com'],
    ['tab', 'chat\tgpt.com'],
    ['line break', 'chatgpt.com\r\n'],
    ['NUL', 'chatgpt.com\0.evil.example'],
    ['star', '*.chatgpt.com'],
    ['label of 64', `${label63}a.com`],
    ['name of 255', `${`${label63}.`.repeat(4)}com`],
    ['false punycode', 'xn--chatgpt-.com'],
    ['empty punycode', 'xn--.com'],
    ['number too large', '4294967296'],
    ['five numbers', '1.2.3.4.5'],
    ['number at the end', 'foo.0x4'],
    ['part too large', '256.1.1.1'],
    ['zone id', '[fe80::1%25eth0]'],
    ['bare zone id', 'fe80::1%eth0'],
    ['unclosed bracket', '[::1'],
    ['IPv4 in brackets', '[127.0.0.1]'],
    ['name in brackets', '[chatgpt.com]'],
    ['half an IPv6', '[::1::2]'],
  ])('refuses %s', (_name, input) => {
    expect(() => normalizeHost(input)).toThrow(expect.objectContaining({ code: 'bad_request' }));
  });

  test.each([
    ['', 'is empty or too long'],
    [`${'\u00ad'.repeat(1014)}chatgpt.com`, 'is empty or too long'],
    ['a b', 'contains a character that is not allowed in a host name'],
    ['xn--chatgpt-.com', 'has an invalid punycode label'],
    ['4294967296', 'is not a valid name (IDNA) or address'],
    ['a..b', 'has an empty label or a character that is not allowed in a host name'],
    ['*.example', 'has an empty label or a character that is not allowed in a host name'],
    [`${name253}c`, 'is longer than 253 characters'],
    [`${label63}a.com`, 'has a label longer than 63 characters'],
    ['[::1', 'is not a valid IPv6 address'],
    ['[1.2', 'contains a character that is not allowed in a host name'],
    ['::g', 'is not a valid IPv6 address'],
    ['fe80::1%eth0', 'is not a valid IPv6 address'],
  ])('%j: the host %s', (input, why) => {
    expect(() => normalizeHost(input)).toThrow(expect.objectContaining({ message: `The host ${why}.` }));
  });

  test('is idempotent, and errors never contain the input', () => {
    const spelling = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV4Extended(),
      fc.ipV6(),
      fc.string(),
      fc.string({ unit: anyCharacter }),
    );
    fc.assert(
      fc.property(spelling, (input) => {
        let host: string;
        try {
          host = normalizeHost(input).host;
        } catch (error) {
          expect(error).toMatchObject({ code: 'bad_request' });
          return;
        }
        expect(normalizeHost(host).host).toBe(host);
        expect(host).toMatch(/^[a-z0-9._:-]+$/);
      }),
      { numRuns: 2000 },
    );
  });

  test('agrees with the URL parser on every name that both accept', () => {
    fc.assert(
      fc.property(fc.domain(), (name) => {
        expect(normalizeHost(name.toUpperCase()).host).toBe(new URL(`http://${name}`).hostname);
      }),
    );
  });
});

describe('target of CONNECT', () => {
  test.each([
    ['chatgpt.com:443', 'chatgpt.com', 443],
    ['CHATGPT.com.:8443', 'chatgpt.com', 8443],
    ['[::1]:1', '::1', 1],
    ['127.1:65535', '127.0.0.1', 65535],
  ])('%s', (input, host, port) => {
    expect(parseAuthority(input)).toMatchObject({ host, port });
  });

  test.each([
    '',
    ':443',
    'chatgpt.com',
    'chatgpt.com:',
    'chatgpt.com:https',
    'chatgpt.com:-1',
    'chatgpt.com:0',
    'chatgpt.com:0443',
    'chatgpt.com:+443',
    'chatgpt.com:65536',
    'chatgpt.com:443 ',
    'chatgpt.com:４４３',
    '::',
    '::1:443',
    '[::1]',
    '[::1]443',
    'user@chatgpt.com:443',
    'chatgpt.com:443/x',
    'https://chatgpt.com:443',
  ])('refuses %j', (input) => {
    expect(() => parseAuthority(input)).toThrow(expect.objectContaining({ code: 'bad_request' }));
  });
});

test.each([
  ['chatgpt.com', 'The target must be host:port.'],
  [':443', 'The target must be host:port.'],
  ['chatgpt.com:0', 'The port of the target is not valid.'],
  ['chatgpt.com:65536', 'The port of the target is not valid.'],
  ['chatgpt.com:100000', 'The port of the target is not valid.'],
  ['::1:443', 'An IPv6 target needs brackets.'],
  ['[::1:443', 'An IPv6 target needs brackets.'],
  ['::1]:443', 'An IPv6 target needs brackets.'],
])('the target %s: %s', (input, message) => {
  expect(() => parseAuthority(input)).toThrow(expect.objectContaining({ message }));
});

test('a host in a URL', () => {
  expect(hostForUrl('::1')).toBe('[::1]');
  expect(hostForUrl('chatgpt.com')).toBe('chatgpt.com');
});
