import { describe, expect, test } from 'vitest';
import { readConnectHead } from '../../gateway/proxy/listen/connect-head.ts';

const read = (text: string) => readConnectHead(Buffer.from(text, 'latin1'));

test('a plain head is parsed, and what follows belongs to the tunnel', () => {
  const text =
    'CONNECT api.openai.com:443 HTTP/1.1\r\nHost: api.openai.com:443\r\nUser-Agent: curl/8\r\n\r\n\x16\x03\x01';
  expect(read(text)).toEqual({
    request: {
      url: 'api.openai.com:443',
      httpVersionMinor: 1,
      rawHeaders: ['Host', 'api.openai.com:443', 'User-Agent', 'curl/8'],
    },
    rest: Buffer.from('\x16\x03\x01', 'latin1'),
  });
  expect(read('CONNECT a:443 HTTP/1.0\r\n\r\n')?.request).toEqual({
    url: 'a:443',
    httpVersionMinor: 0,
    rawHeaders: [],
  });
});

describe('everything else is left to the parser', () => {
  const host = 'Host: a:443';
  test.each<[name: string, text: string]>([
    ['another method', `GET http://a/ HTTP/1.1\r\n${host}\r\n\r\n`],
    ['a method in lower case', `connect a:443 HTTP/1.1\r\n${host}\r\n\r\n`],
    ['an incomplete head', `CONNECT a:443 HTTP/1.1\r\n${host}\r\n`],
    ['bare line feeds', `CONNECT a:443 HTTP/1.1\n${host}\n\n`],
    ['a bare line feed in a value', 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\nX: y\r\n\r\n'],
    ['two spaces in the request line', `CONNECT  a:443 HTTP/1.1\r\n${host}\r\n\r\n`],
    ['a space at its end', `CONNECT a:443 HTTP/1.1 \r\n${host}\r\n\r\n`],
    ['another version', `CONNECT a:443 HTTP/2.0\r\n${host}\r\n\r\n`],
    ['a byte above ASCII in the target', `CONNECT \xe4:443 HTTP/1.1\r\n${host}\r\n\r\n`],
    ['a space before the colon', 'CONNECT a:443 HTTP/1.1\r\nHost : a:443\r\n\r\n'],
    ['a folded line', `CONNECT a:443 HTTP/1.1\r\n${host}\r\nX: a\r\n b\r\n\r\n`],
    ['a NUL', `CONNECT a:443 HTTP/1.1\r\n${host}\r\nX: a\0b\r\n\r\n`],
    ['a byte above ASCII in a value', `CONNECT a:443 HTTP/1.1\r\n${host}\r\nX: \xe4\r\n\r\n`],
    ['an empty value', `CONNECT a:443 HTTP/1.1\r\n${host}\r\nX:\r\n\r\n`],
    ['a line without a colon', `CONNECT a:443 HTTP/1.1\r\n${host}\r\nX\r\n\r\n`],
    ['an empty name', `CONNECT a:443 HTTP/1.1\r\n${host}\r\n: x\r\n\r\n`],
    ['a long head', `CONNECT a:443 HTTP/1.1\r\n${host}\r\nX: ${'a'.repeat(5_000)}\r\n\r\n`],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03abcdefgh\r\n\r\n'],
    ['nothing', ''],
  ])('%s', (_name, text) => {
    expect(read(text)).toBeUndefined();
  });
});
