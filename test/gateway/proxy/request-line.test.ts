import { expect, test } from 'vitest';
import { opensWithRequest } from '../../../gateway/proxy/request-line.ts';

test.each([
  ['GET / HTTP/1.1\r\nHost: a\r\n\r\n', true],
  ['\r\nGET / HTTP/1.1\r\n', true],
  ['\r\n\r\nGET http://a/?q="{}" HTTP/1.0\r\n', true],
  ["!#$%&'*+-.^_`|~aZ9 / HTTP/1.1\r\n", true],
  ['GET /\xe3\x81 HTTP/1.1\r\n', true],
  ['GET / HTTP/2.0\r\n', true], // told by its version
  ['GET /', true],
  ['G', true],
  ['\r', true],
  ['', true],
  ['\nGET / HTTP/1.1\r\n', false],
  ['\rGET / HTTP/1.1\r\n', false],
  ['\n', false],
  [' ', false],
  ['\x16\x03\x01', false],
  [' GET / HTTP/1.1\r\n', false],
  ['GET  / HTTP/1.1\r\n', false],
  ['GET /  HTTP/1.1\r\n', false],
  ['GET\t/ HTTP/1.1\r\n', false],
  ['GET / HTTP/1.1 \r\n', false],
  ['GET / HTTP/1.1\n', false],
  ['GET / RTSP/1.0\r\n', false],
  ['SOURCE / ICE/1.0\r\n', false],
  ['GET /\x00 HTTP/1.1\r\n', false],
  ['GET /\r\n', false],
  ['G@T / HTTP/1.1\r\n', false],
])('%j: %s', (bytes, expected) => {
  expect(opensWithRequest(Buffer.from(bytes, 'latin1'))).toBe(expected);
});
