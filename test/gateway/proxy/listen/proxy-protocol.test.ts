import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readProxyHeader } from '../../../../gateway/proxy/listen/proxy-protocol.ts';

const signature = '0d0a0d0a000d0a515549540a';
const binary = (hex: string) => Buffer.from(signature + hex.replaceAll(' ', ''), 'hex');
const line = (text: string) => Buffer.from(text, 'latin1');
const v6 = '20010db8000000000000000000000001';

describe('readProxyHeader', () => {
  test.each<[name: string, bytes: Buffer, source: string | undefined]>([
    ['1, IPv4', line('PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n'), '192.0.2.1'],
    ['1, IPv6', line('PROXY TCP6 2001:DB8::1 2001:db8::2 4124 443\r\n'), '2001:db8::1'],
    ['1, IPv6 in full', line('PROXY TCP6 2001:0db8:0:0:0:0:0:1 ::1 4124 443\r\n'), '2001:db8::1'],
    ['1, IPv4 inside IPv6', line('PROXY TCP6 ::ffff:192.0.2.1 ::1 4124 443\r\n'), '192.0.2.1'],
    ['1, IPv4 inside IPv6 as words', line('PROXY TCP6 0:0:0:0:0:FFFF:c000:0201 ::1 4124 443\r\n'), '192.0.2.1'],
    ['1, unknown', line('PROXY UNKNOWN\r\n'), undefined],
    ['1, unknown with more', line('PROXY UNKNOWN ffff::1 ffff::1 65535 65535\r\n'), undefined],
    ['2, IPv4', binary('21 11 000c c0000201 c6336401 dc04 01bb'), '192.0.2.1'],
    ['2, IPv4 with extensions', binary('21 11 0013 c0000201 c6336401 dc04 01bb 04 0004 00000000'), '192.0.2.1'],
    ['2, IPv6', binary(`21 21 0024 ${v6} ${v6} dc04 01bb`), '2001:db8::1'],
    ['2, IPv4 inside IPv6', binary(`21 21 0024 00000000000000000000ffffc0000201 ${v6} dc04 01bb`), '192.0.2.1'],
    ['2, local', binary('20 00 0000'), undefined],
    ['2, local with an address', binary('20 11 000c c0000201 c6336401 dc04 01bb'), undefined],
    ['2, unspecified', binary('21 00 0003 040000'), undefined],
    ['2, unix', binary(`21 31 00d8 ${'00'.repeat(216)}`), undefined],
  ])('version %s', (_name, bytes, source) => {
    const expected = { length: bytes.length, ...(source === undefined ? {} : { source }) };
    expect(readProxyHeader(bytes)).toEqual(expected);
    expect(readProxyHeader(Buffer.concat([bytes, Buffer.from('CONNECT')]))).toEqual(expected);
    for (let cut = 0; cut < bytes.length; cut++)
      expect(readProxyHeader(bytes.subarray(0, cut)), `cut at ${cut}`).toBe('incomplete');
  });

  test.each<[name: string, bytes: Buffer]>([
    ['a request', line('CONNECT a.example:443 HTTP/1.1\r\n')],
    ['a ClientHello', Buffer.from('1603010200', 'hex')],
    ['lower case', line('proxy TCP4 192.0.2.1 198.51.100.1 56324 443\r\n')],
    ['a name', line('PROXY TCP4 a.example 198.51.100.1 56324 443\r\n')],
    ['another family', line('PROXY TCP4 2001:db8::1 2001:db8::2 1 1\r\n')],
    ['no ports', line('PROXY TCP4 192.0.2.1 198.51.100.1\r\n')],
    ['a large port', line('PROXY TCP4 192.0.2.1 198.51.100.1 65536 443\r\n')],
    ['a second address', line('PROXY TCP4 192.0.2.1 198.51.100.1 1 443 10.0.0.1\r\n')],
    ['no end', line(`PROXY TCP4 ${'1'.repeat(100)}`)],
    ['version 3', binary('31 11 000c c0000201 c6336401 dc04 01bb')],
    ['an unknown command', binary('22 11 000c c0000201 c6336401 dc04 01bb')],
    ['an unknown family', binary('21 41 000c c0000201 c6336401 dc04 01bb')],
    ['too few bytes for its family', binary('21 21 000c c0000201 c6336401 dc04 01bb')],
    ['too long', binary('21 11 ffff')],
  ])('%s is not a header', (_name, bytes) => {
    expect(readProxyHeader(bytes)).toBe('invalid');
  });

  test('arbitrary bytes never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, signed) => {
        const answer = readProxyHeader(signed ? Buffer.concat([binary(''), bytes]) : Buffer.from(bytes));
        if (typeof answer !== 'string') expect(answer.length).toBeGreaterThan(7);
      }),
    );
  });
});
