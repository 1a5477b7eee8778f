/**
 * Heads and framings, one row each: what is accepted, and what is rejected because two parsers could read it
 * differently.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  answerFraming,
  HeadCollector,
  headBytesMax,
  readAnswerHead,
  readFields,
  readRequestHead,
} from '../../../gateway/http1/head.ts';

describe('request lines', () => {
  test.each([
    ['GET / HTTP/1.1', 'GET', '/'],
    ['GET http://a/?q="{}" HTTP/1.0', 'GET', 'http://a/?q="{}"'],
    ["!#$%&'*+-.^_`|~aZ9 / HTTP/1.1", "!#$%&'*+-.^_`|~aZ9", '/'],
    ['GET / HTTP/2.0', 'GET', '/'], // by its version
    ['BREW /pot HTTP/1.1', 'BREW', '/pot'],
  ])('%j', (line, method, url) => {
    expect(readRequestHead(`${line}\r\nHost: a`)).toMatchObject({ method, url, fields: ['Host', 'a'] });
    expect(readRequestHead(line)).toMatchObject({ method, url, fields: [] });
  });

  test.each([
    '',
    'GET',
    'GET /',
    ' GET / HTTP/1.1',
    'GET  / HTTP/1.1',
    'GET /  HTTP/1.1',
    'GET\t/ HTTP/1.1',
    'GET / HTTP/1.1 ',
    'GET / HTTP/1.1\n',
    'GET / http/1.1',
    'GET / HTTP/1',
    'GET / HTTP/11.1',
    'GET / RTSP/1.0',
    'SOURCE / ICE/1.0',
    'GET /\x00 HTTP/1.1',
    'G@T / HTTP/1.1',
    'GET /\xe3\x81 HTTP/1.1',
    `${'G'.repeat(65)} / HTTP/1.1`,
    '\nGET / HTTP/1.1',
    '\rGET / HTTP/1.1',
  ])('%j is refused', (line) => {
    expect(() => readRequestHead(line)).toThrow(expect.objectContaining({ code: 'HTTP1_MALFORMED' }));
  });
});

describe('fields', () => {
  test.each<[text: string, fields: string[]]>([
    ['', []],
    ['A: b', ['A', 'b']],
    ['A:b', ['A', 'b']],
    ['A: \t b \t ', ['A', 'b']],
    ['A:', ['A', '']],
    ['A: b\r\na: c', ['A', 'b', 'a', 'c']],
    ['A: b: c', ['A', 'b: c']],
    ['A: \xe3\x81', ['A', '\xe3\x81']],
  ])('%j', (text, fields) => {
    expect(readFields(text, 0)).toEqual(fields);
  });

  test.each(['A', ': b', 'A : b', ' A: b', 'A: b\r\n c', 'A\t: b', 'A: b\r\n\tc: d', 'A(: b', 'A: b\r\nc'])(
    '%j is refused',
    (text) => {
      expect(() => readFields(text, 0)).toThrow(expect.objectContaining({ code: 'HTTP1_MALFORMED' }));
    },
  );

  test('more than the limit', () => {
    expect(readFields('A: b\r\n'.repeat(2_000).slice(0, -2), 0)).toHaveLength(4_000);
    expect(() => readFields('A: b\r\n'.repeat(2_001).slice(0, -2), 0)).toThrow(
      expect.objectContaining({ code: 'HTTP1_HEAD_TOO_LARGE' }),
    );
  });
});

describe('answers', () => {
  test.each([
    ['HTTP/1.1 200 OK', 200, 'OK'],
    ['HTTP/1.1 200 ', 200, ''],
    ['HTTP/1.1 200', 200, ''],
    ['HTTP/1.0 404 Not  Found', 404, 'Not  Found'],
    ['HTTP/1.1 299 \xe3', 299, '\xe3'],
  ])('%j', (line, status, message) => {
    expect(readAnswerHead(line)).toMatchObject({ status, message, fields: [] });
  });

  test.each([
    'HTTP/1.1  200 OK',
    'HTTP/2.0 200 OK',
    'HTTP/1.1 20 OK',
    'HTTP/1.1 2000 OK',
    'HTTP/1.1 000 OK',
    'ICY 200 OK',
    'http/1.1 200 OK',
    ' HTTP/1.1 200 OK',
    'HTTP/1.1 200 OK\nA: b',
    'HTTP/1.1 200 OK\r\nA: b\0',
    'HTTP/1.1 200 OK\r\nA: b\rc',
    '<html>',
  ])('%j is refused', (text) => {
    expect(() => readAnswerHead(text)).toThrow(expect.objectContaining({ code: 'HTTP1_MALFORMED' }));
  });

  const framingOf = (fields: string, method = 'GET', status = 'HTTP/1.1 200') =>
    answerFraming(readAnswerHead(`${status}\r\n${fields}`), method);

  test.each<[fields: string, kind: string, length: number, keeps: boolean]>([
    ['Content-Length: 5', 'length', 5, true],
    ['Content-Length: 0', 'none', 0, true],
    ['content-LENGTH: 005', 'length', 5, true],
    ['Transfer-Encoding: Chunked', 'chunked', 0, true],
    ['A: b', 'close', 0, false],
    ['Content-Length: 5\r\nConnection: close', 'length', 5, false],
    ['Content-Length: 5\r\nConnection: keep-alive, Close', 'length', 5, false],
    ['Content-Length: 5\r\nConnection: not-close', 'length', 5, true],
  ])('%j ends by %s %d', (fields, kind, length, keeps) => {
    expect(framingOf(fields)).toMatchObject({ body: { kind, length }, keeps });
  });

  test.each([
    ['Content-Length: 5', 'HEAD', 'HTTP/1.1 200', true],
    ['Content-Length: 5', 'GET', 'HTTP/1.1 304', true],
    ['A: b', 'GET', 'HTTP/1.1 204', true],
    ['Content-Length: 0', 'GET', 'HTTP/1.1 204', true],
    ['Content-Length: 5', 'GET', 'HTTP/1.1 204', false],
    ['Transfer-Encoding: chunked', 'GET', 'HTTP/1.1 204', false],
    ['Content-Length: 5', 'HEAD', 'HTTP/1.1 204', true],
    ['A: b', 'HEAD', 'HTTP/1.1 200', true],
    ['Connection: keep-alive', 'HEAD', 'HTTP/1.0 200', true],
    ['Content-Length: 5', 'HEAD', 'HTTP/1.0 200', false],
  ])('%j to %s %s has no body', (fields, method, status, keeps) => {
    expect(framingOf(fields, method, status)).toMatchObject({ body: { kind: 'none' }, keeps });
  });

  test.each([
    'Content-Length: 5\r\nContent-Length: 5',
    'Content-Length: 5, 5',
    'Content-Length: +5',
    'Content-Length: -5',
    'Content-Length: 0x5',
    'Content-Length: 5 5',
    'Content-Length:',
    'Content-Length: 9999999999999999',
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: identity\r\nContent-Length: 5',
    'Transfer-Encoding: identity, chunked',
    'Transfer-Encoding: chunked,',
    'Transfer-Encoding:',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: chunked\r\nContent-Length: 5',
    'Content-Length: 5\r\nTransfer-Encoding: chunked',
  ])('%j is refused', (fields) => {
    expect(() => framingOf(fields)).toThrow(expect.objectContaining({ code: 'HTTP1_MALFORMED' }));
  });

  test('chunks in HTTP/1.0 are read, and nothing after them', () => {
    const fields = 'Connection: keep-alive\r\nTransfer-Encoding: chunked';
    expect(framingOf(fields, 'GET', 'HTTP/1.0 200')).toMatchObject({ body: { kind: 'chunked' }, keeps: false });
  });

  test('the obsolete "identity" coding reads until the end of the connection', () => {
    expect(framingOf('Transfer-Encoding: identity')).toMatchObject({ body: { kind: 'close' }, keeps: false });
  });
});

describe('collecting a head', () => {
  test('the result does not depend on splits, nor does the rest', () => {
    const bytes = fc
      .array(fc.constantFrom('\r', 'a', '\r\n', 'b: c'), { maxLength: 40 })
      .map((parts) => Buffer.from(`${parts.join('')}\r\n\r\nbehind`, 'latin1'));
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(60), { maxLength: 6 }), (all, cuts) => {
        const end = all.indexOf('\r\n\r\n');
        const collector = new HeadCollector();
        const places = [...new Set([0, ...cuts.filter((at) => at < all.length), all.length])].sort((a, b) => a - b);
        for (let i = 1; i < places.length; i++) {
          const found = collector.push(all.subarray(places[i - 1], places[i]));
          if (found === undefined) continue;
          expect(found.text).toBe(all.toString('latin1', 0, end));
          expect(found.rest.toString('latin1')).toBe(all.toString('latin1', end + 4, places[i]));
          return;
        }
        expect.unreachable();
      }),
      { numRuns: 500 },
    );
  });

  test.each([['a\n'], ['a\r\n', '\n'], ['a', '\nb'], ['\n']])('%j is incomplete', (...pieces) => {
    const collector = new HeadCollector();
    expect(() => {
      for (const piece of pieces) collector.push(Buffer.from(piece));
    }).toThrow(expect.objectContaining({ code: 'HTTP1_MALFORMED' }));
  });

  test('an endless head is rejected, also in single bytes', () => {
    const collector = new HeadCollector();
    const byte = Buffer.from('a');
    expect(() => {
      for (let i = 0; i <= headBytesMax; i++) collector.push(byte);
    }).toThrow(expect.objectContaining({ code: 'HTTP1_HEAD_TOO_LARGE' }));
    expect(() => new HeadCollector().push(Buffer.from(`${'a'.repeat(headBytesMax + 1)}\r\n\r\n`))).toThrow(
      expect.objectContaining({ code: 'HTTP1_HEAD_TOO_LARGE' }),
    );
  });
});
