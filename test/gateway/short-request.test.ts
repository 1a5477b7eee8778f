import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readShortRequest, shortBodyMax } from '../../gateway/api/short-request.ts';

const paths = new Set(['/mask']);
const body = '{"text":"ä"}';
const usual = [
  'Host: a',
  'Authorization: Bearer k',
  'Content-Type: application/json',
  `Content-Length: ${body.length + 1}`,
];
const bytesOf = (line: string, fields: readonly string[], content = body) =>
  Buffer.from(`${[line, ...fields, '', ''].join('\r\n')}${content}`);
const plain = bytesOf('POST /mask HTTP/1.1', usual);

test('a plain request is read, and what stands behind it is left', () => {
  const read = { path: '/mask', authorization: 'Bearer k', body, size: plain.length };
  expect(readShortRequest(plain, paths)).toEqual(read);
  expect(readShortRequest(Buffer.concat([plain, plain]), paths)).toEqual(read);
});

test('without all of its body there is more to come', () => {
  const behindHead = plain.indexOf('\r\n\r\n') + 4;
  for (let size = 0; size < behindHead; size++)
    expect(readShortRequest(plain.subarray(0, size), paths)).toBeUndefined();
  for (let size = behindHead; size < plain.length; size++) {
    expect([size, readShortRequest(plain.subarray(0, size), paths)]).toEqual([size, 'more']);
  }
});

describe('is read', () => {
  test.each<[string, string[]]>([
    ['any other field', ['Accept: */*', 'User-Agent: x', 'Accept-Encoding: gzip', 'Cookie: a=b']],
    ['kept', ['Connection: Keep-Alive']],
  ])('%s', (_name, more) => {
    expect(readShortRequest(bytesOf('POST /mask HTTP/1.1', [...usual, ...more]), paths)).toMatchObject({ body });
  });

  test.each(['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset=utf-8'])('%s', (type) => {
    const fields = usual.map((field) => (field.startsWith('Content-Type') ? `content-type: ${type}` : field));
    expect(readShortRequest(bytesOf('POST /mask HTTP/1.1', fields), paths)).toMatchObject({ body });
  });
});

describe('is left to the server', () => {
  test.each([
    'GET /mask HTTP/1.1',
    'HEAD /mask HTTP/1.1',
    'OPTIONS /mask HTTP/1.1',
    'post /mask HTTP/1.1',
    'POST /mask HTTP/1.0',
    'POST /mask HTTP/2.0',
    'POST /mask?a=b HTTP/1.1',
    'POST /mask/ HTTP/1.1',
    'POST /%6dask HTTP/1.1',
    'POST //mask HTTP/1.1',
    'POST http://a/mask HTTP/1.1',
    'POST /rag/ingest HTTP/1.1',
    'POST  /mask HTTP/1.1',
    'POST /mask  HTTP/1.1',
    'POST /mask',
    ' POST /mask HTTP/1.1',
    '\r\nPOST /mask HTTP/1.1',
  ])('%j', (line) => {
    expect(readShortRequest(bytesOf(line, usual), paths)).toBeUndefined();
  });

  test.each([
    'Connection: close',
    'Connection: keep-alive, upgrade',
    'Content-Encoding: gzip',
    'Expect: 100-continue',
    'Origin: null',
    'Trailer: x',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: identity',
    'TRANSFER-ENCODING: x',
    'Upgrade: websocket',
    'Via: 1.1 privet-0123456789ab',
    'Host: b',
    'Authorization: Bearer l',
    'Content-Type: application/json',
    `Content-Length: ${body.length + 1}`,
    'Content-Length : 3',
    'A field',
    ': empty',
    ' folded',
    'X: a\nY: b',
    'X: a\rb',
    'X: a\0b',
    `X: ${'x'.repeat(8_192)}`,
  ])('with %j', (more) => {
    expect(readShortRequest(bytesOf('POST /mask HTTP/1.1', [...usual, more]), paths)).toBeUndefined();
    expect(readShortRequest(bytesOf('POST /mask HTTP/1.1', [more, ...usual]), paths)).toBeUndefined();
  });

  test.each(usual.map((field) => [field]))('without %s', (field) => {
    const fields = usual.filter((one) => one !== field);
    expect(readShortRequest(bytesOf('POST /mask HTTP/1.1', fields), paths)).toBeUndefined();
  });

  test.each([
    'Content-Type: text/plain',
    'Content-Type: application/json, text/plain',
    'Content-Type: application/json; charset=latin1',
    'Content-Length: 0',
    'Content-Length: +5',
    'Content-Length: 5, 5',
    'Content-Length: 0x5',
    'Content-Length: 05',
    `Content-Length: ${shortBodyMax + 1}`,
    'Content-Length: 4294967301',
  ])('with %j in place of the usual', (field) => {
    const name = field.slice(0, field.indexOf(':'));
    const fields = usual.map((one) => (one.startsWith(name) ? field : one));
    expect(readShortRequest(bytesOf('POST /mask HTTP/1.1', fields), paths)).toBeUndefined();
  });
});

test('of a request with one changed byte nothing is read that is not there', () => {
  fc.assert(
    fc.property(fc.nat(plain.length - 1), fc.nat(255), (at, byte) => {
      const changed = Buffer.from(plain);
      changed[at] = byte;
      const read = readShortRequest(changed, paths);
      if (read === undefined || read === 'more') return true;
      // However it was changed, its length is the one that it says, and its path is one of ours.
      const said = /\r\ncontent-length:[ \t]*([0-9]+)[ \t]*\r\n/i.exec(changed.toString('latin1'))?.[1];
      return read.path === '/mask' && read.size === changed.indexOf('\r\n\r\n') + 4 + Number(said);
    }),
    { numRuns: 500 },
  );
});
