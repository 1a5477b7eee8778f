import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FastRequests, readFastRequest, shortBodyMax } from '../../gateway/api/fast-request.ts';

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

test('a plain request is parsed, and the bytes after it are left', () => {
  const read = {
    path: '/mask',
    authorization: 'Bearer k',
    body,
    size: plain.length,
    headSize: plain.length - body.length - 1,
  };
  expect(readFastRequest(plain, paths)).toEqual(read);
  expect(readFastRequest(Buffer.concat([plain, plain]), paths)).toEqual(read);
});

test('an incomplete body needs more data', () => {
  const behindHead = plain.indexOf('\r\n\r\n') + 4;
  for (let size = 0; size < behindHead; size++) expect(readFastRequest(plain.subarray(0, size), paths)).toBeUndefined();
  for (let size = behindHead; size < plain.length; size++) {
    expect([size, readFastRequest(plain.subarray(0, size), paths)]).toEqual([size, 'more']);
  }
});

describe('is read', () => {
  test.each<[string, string[]]>([
    ['any other field', ['Accept: */*', 'User-Agent: x', 'Accept-Encoding: gzip', 'Cookie: a=b']],
    ['kept', ['Connection: Keep-Alive']],
  ])('%s', (_name, more) => {
    expect(readFastRequest(bytesOf('POST /mask HTTP/1.1', [...usual, ...more]), paths)).toMatchObject({ body });
  });

  test.each(['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset=utf-8'])('%s', (type) => {
    const fields = usual.map((field) => (field.startsWith('Content-Type') ? `content-type: ${type}` : field));
    expect(readFastRequest(bytesOf('POST /mask HTTP/1.1', fields), paths)).toMatchObject({ body });
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
    expect(readFastRequest(bytesOf(line, usual), paths)).toBeUndefined();
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
    expect(readFastRequest(bytesOf('POST /mask HTTP/1.1', [...usual, more]), paths)).toBeUndefined();
    expect(readFastRequest(bytesOf('POST /mask HTTP/1.1', [more, ...usual]), paths)).toBeUndefined();
  });

  test.each(usual.map((field) => [field]))('without %s', (field) => {
    const fields = usual.filter((one) => one !== field);
    expect(readFastRequest(bytesOf('POST /mask HTTP/1.1', fields), paths)).toBeUndefined();
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
  ])('with %j instead of the usual one', (field) => {
    const name = field.slice(0, field.indexOf(':'));
    const fields = usual.map((one) => (one.startsWith(name) ? field : one));
    expect(readFastRequest(bytesOf('POST /mask HTTP/1.1', fields), paths)).toBeUndefined();
  });
});

test('a request with one changed byte is never misread', () => {
  fc.assert(
    fc.property(fc.nat(plain.length - 1), fc.nat(255), (at, byte) => {
      const changed = Buffer.from(plain);
      changed[at] = byte;
      const read = readFastRequest(changed, paths);
      if (read === undefined || read === 'more') return true;
      // Whatever was changed, its length is the declared one, and its path is one of ours.
      const said = /\r\ncontent-length:[ \t]*([0-9]+)[ \t]*\r\n/i.exec(changed.toString('latin1'))?.[1];
      return read.path === '/mask' && read.size === changed.indexOf('\r\n\r\n') + 4 + Number(said);
    }),
    { numRuns: 500 },
  );
});

describe('one connection', () => {
  const wordy = [...usual, 'X-Content-Length: 7', 'X-Trace: 1'];
  const requestOf = (text: string, fields: readonly string[] = wordy) => {
    const content = JSON.stringify({ text });
    const own = fields.map((field) =>
      field.startsWith('Content-Length') ? `Content-Length: ${Buffer.byteLength(content)}` : field,
    );
    return bytesOf('POST /mask HTTP/1.1', own, content);
  };

  test('requests of any length, and other heads between them', () => {
    const requests = new FastRequests(paths);
    for (const text of ['', 'a', 'a'.repeat(100), 'ä'.repeat(1_000), 'b'.repeat(16_000), 'c']) {
      for (const trace of ['X-Trace: 1', 'X-Trace: 1', 'X-Trace: 2', 'X-Trace: 22']) {
        const bytes = requestOf(text, [...usual, trace]);
        expect(requests.read(bytes)).toEqual(readFastRequest(bytes, paths));
        expect(requests.read(Buffer.concat([bytes, bytes]))).toEqual(readFastRequest(bytes, paths));
      }
    }
    expect(requests.read(requestOf('d'.repeat(shortBodyMax)))).toBeUndefined();
  });

  test('bytes after a request are parsed as on a new connection', () => {
    const known = requestOf('known');
    const piece = fc.oneof(
      fc.record({ at: fc.nat(known.length), byte: fc.nat(255) }).map(({ at, byte }) => (bytes: Buffer) => {
        const changed = Buffer.from(bytes);
        changed[at] = byte;
        return changed;
      }),
      fc.nat(known.length).map((size) => (bytes: Buffer) => bytes.subarray(0, size)),
      fc
        .constantFrom('0', '1', '00012', '99999', '16384', '16385', '1x', '-1', '', ' 9', '9 ', '９')
        .map(
          (length) => (bytes: Buffer) =>
            Buffer.from(bytes.toString('latin1').replace(/(\r\nContent-Length: )[0-9]+/, `$1${length}`), 'latin1'),
        ),
      fc
        .constantFrom('', 'x', '\r\n', 'POST /mask HTTP/1.1\r\n')
        .map((more) => (bytes: Buffer) => Buffer.concat([Buffer.from(more), bytes, Buffer.from(more)])),
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), fc.array(piece, { maxLength: 2 }), (text, changes) => {
        const requests = new FastRequests(paths);
        requests.read(known);
        const bytes = changes.reduce<Buffer>((changed, change) => change(changed), requestOf(text));
        expect(requests.read(bytes)).toEqual(readFastRequest(bytes, paths));
      }),
      { numRuns: 500 },
    );
  });
});
