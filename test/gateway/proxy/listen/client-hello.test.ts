import { describe, expect, test } from 'vitest';
import { readOpening } from '../../../../gateway/proxy/listen/client-hello.ts';
import { expectLinear } from '../../../support/linear-time.ts';

const u16 = (n: number) => Buffer.from([n >> 8, n & 255]);
const extension = (type: number, data: Buffer) => Buffer.concat([u16(type), u16(data.length), data]);
const entry = (name: string, type = 0) => Buffer.concat([Buffer.from([type]), u16(name.length), Buffer.from(name)]);
const nameList = (...entries: Buffer[]) => {
  const all = Buffer.concat(entries);
  return extension(0, Buffer.concat([u16(all.length), all]));
};
const serverName = (name: string) => nameList(entry(name));

/** A ClientHello with these extensions; `extra` is added to their declared length. */
function hello(extensions: readonly Buffer[], extra = 0, suites: readonly number[] = [0x1301]): Buffer {
  const all = Buffer.concat(extensions);
  const fixed = Buffer.concat([
    u16(0x0303),
    Buffer.alloc(32),
    Buffer.from([0]),
    u16(suites.length * 2),
    ...suites.map(u16),
    Buffer.from([1, 0]),
  ]);
  const body = Buffer.concat([fixed, ...(extensions.length > 0 ? [u16(all.length + extra), all] : [])]);
  return Buffer.concat([Buffer.from([1, 0]), u16(body.length), body]);
}

const record = (part: Buffer) => Buffer.concat([Buffer.from([0x16, 3, 1]), u16(part.length), part]);
/** A hello split into this many records, or one per byte. */
const cutInto = (count: number) => {
  const whole = hello([serverName('a.example'), extension(21, Buffer.alloc(700))]);
  const size = Math.max(1, Math.ceil(whole.length / count));
  return Array.from({ length: Math.ceil(whole.length / size) }, (_, i) =>
    record(whole.subarray(i * size, (i + 1) * size)),
  );
};
const tls = (name: string | undefined) => ({ kind: 'tls', serverName: name, ecdsa: true, early: false });
const opaque = { kind: 'opaque' };
const word = { kind: 'incomplete', mayBeOpaque: true };
/** A server may still find a name in it. */
const unclear = { kind: 'unclear' };
/** Longer than any hello of a real client. */
const long = Buffer.concat([Buffer.from([1, 1, 0, 0]), hello([]).subarray(4)]);
const alert = Buffer.from([0x15, 3, 1, 0, 2, 1, 100]);

describe('the first bytes of a tunnel', () => {
  test.each([
    ['a name', record(hello([serverName('a.example')])), tls('a.example')],
    ['no extensions', record(hello([])), tls(undefined)],
    ['no name', record(hello([extension(16, Buffer.alloc(4))])), tls(undefined)],
    ['two names in one list', record(hello([nameList(entry('a.example'), entry('b.example'))])), unclear],
    ['two lists', record(hello([serverName('a.example'), serverName('b.example')])), unclear],
    ['a name of another type', record(hello([nameList(entry('a.example', 1))])), unclear],
    ['an empty name', record(hello([serverName('')])), unclear],
    ['an empty list', record(hello([extension(0, Buffer.alloc(0))])), unclear],
    ['a name longer than its list', record(hello([extension(0, Buffer.from([0, 4, 0, 0, 9, 0x61]))])), unclear],
    ['extensions that end before their length', record(hello([serverName('a.example')], 9)), unclear],
    ['an extension that is longer than the rest', record(hello([serverName('a.example'), u16(5), u16(400)])), unclear],
    ['cut into 200 records', Buffer.concat(cutInto(200)), tls('a.example')],
    ['cut into a record for each byte', Buffer.concat(cutInto(10_000)), unclear],
    ['plain HTTP', Buffer.from('GET / HTTP/1.1\r\n'), { kind: 'http' }],
    ['HTTP/2', Buffer.from('PRI * HTTP/2.0\r\n'), { kind: 'h2' }],
    ['another protocol', Buffer.from('SSH-2.0-x\r\n'), opaque],
    ['a mail client', Buffer.from('EHLO mail.example\r\n'), opaque],
    ['the beginning of a mail client', Buffer.from('EHLO mail.exam'), word],
    ['a screen', Buffer.from('RFB 003.008\n'), opaque],
    ['a call', Buffer.from('OPTIONS sip:a@b.example SIP/2.0\r\n'), opaque],
    ['a key in capitals', Buffer.from('GET key\r\n'), opaque],
    ['only a path', Buffer.from('GET /'), { kind: 'http' }],
    ['only an address', Buffer.from('GET http:'), { kind: 'http' }],
    ['a path of another method', Buffer.from('PROPFIND /x HTTP/1.1\r\n'), { kind: 'http' }],
    ['the beginning of a path of another method', Buffer.from('PROPFIND /x HTTP'), { kind: 'incomplete' }],
    ['a server as a target', Buffer.from('OPTIONS * HTTP/1.1\r\n'), { kind: 'http' }],
    ['fields without a version', Buffer.from('GET\t/x\r\nHost: b.example\r\n\r\n'), unclear],
    ['fields without a version, after a space', Buffer.from(' GET /x\nHost:'), unclear],
    ['the beginning of fields without a version', Buffer.from(' GET /x\nHost'), word],
    ['an address without a version', Buffer.from('get http://b.example/x\n'), unclear],
    ['keys after one like paths', Buffer.from('get /x\r\nget /y:\r\n'), opaque],
    ['a known method before an endless word', Buffer.from(`GET\t${'x'.repeat(17_000)} HTTP/1.1`), unclear],
    ['a mailbox', Buffer.from('a1 LOGIN me secret\r\n'), opaque],
    ['a word', Buffer.from('hello\r\n'), opaque],
    ['a word that is not a method', Buffer.from('hello'), word],
    ['a lower-case method', Buffer.from('get'), word],
    ['a method in capitals', Buffer.from('GET'), word],
    ['an empty line', Buffer.from('\r\n'), word],
    ['an address with a version of RTSP', Buffer.from('GET ws://b.example/ RTSP/1.1\r\n'), unclear],
    ['a method of RTSP', Buffer.from('PLAY / RTSP/1.1\r\n'), unclear],
    ['the beginning of a method of RTSP', Buffer.from('PLAY / RTS'), { kind: 'incomplete' }],
    ['a version of Icecast', Buffer.from('SOURCE / ICE/1.1\r\n'), unclear],
    ['the beginning of a version of Icecast', Buffer.from('SOURCE / I'), { kind: 'incomplete' }],
    ['the address of a client', Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 1 443\r\n\x16\x03\x01'), unclear],
    ['no address of a client', Buffer.from('PROXY UNKNOWN\r\n\x16\x03\x01'), unclear],
    ['the beginning of the address of a client', Buffer.from('PROXY TC'), word],
    ['the address of a client in bytes', Buffer.from('\r\n\r\n\0\r\nQUIT\n \0\0\0'), unclear],
    ['the beginning of the address of a client in bytes', Buffer.from('\r\n\r\n\0\r\nQUIT'), word],
    ['a line that some parsers may read as a request', Buffer.from('get /x ht'), { kind: 'incomplete' }],
    ['a word before a space', Buffer.from('hello '), { kind: 'incomplete' }],
    ['words', Buffer.from('hello my'), word],
    ['an address after a word', Buffer.from('x\thttp://a'), { kind: 'incomplete' }],
    ['a space', Buffer.from(' '), word],
    ['the start of a length', Buffer.from('\0\0'), word],
    ['JSON without an end', Buffer.from('{"method": "ping"}'), word],
    ['a repository', Buffer.from('0032git-upload-pack /x HTTP\0host=y\0'), opaque],
    ['a request after a space', Buffer.from(' GET /b HTTP/1.1\r\n'), unclear],
    ['a request after a NUL', Buffer.from('\0GET /b HTTP/1.1\r\n'), unclear],
    ['a request after a byte order mark', Buffer.from('\ufeffGET /b HTTP/1.1\r\n'), unclear],
    ['a request with tabs', Buffer.from('GET\t/b HTTP/1.1\r\n'), unclear],
    ['a lower-case request', Buffer.from('get /b HTTP/1.1\r\n'), unclear],
    ['a request with a custom method', Buffer.from('X-Y_Z /b HTTP/1.1\r\n'), unclear],
    ['a request with a long method', Buffer.from(`${'M'.repeat(30)} /b HTTP/1.1\r\n`), unclear],
    ['a request whose path is not in ASCII', Buffer.from(' GET /\xe4 HTTP/1.1\r\n', 'latin1'), unclear],
    ['a NUL in a path', Buffer.from(' GET /\0 HTTP/1.1\r\n'), unclear],
    ['a NUL in the target of a custom method', Buffer.from('Gm \0\x10 HTTP/1.1\r\n'), opaque],
    ['a known method before any bytes', Buffer.from('get /\0\xff \xff', 'latin1'), { kind: 'incomplete' }],
    ['a key after one', Buffer.from('get key\r\n'), opaque],
    ['a word of a terminal', Buffer.from('root\r'), opaque],
    ['a command of a terminal', Buffer.from('cd /tmp\r'), opaque],
    ['a path of a terminal after a method', Buffer.from('get /tmp\r'), word],
    ['a line that a NUL ends', Buffer.from('connect bob\0'), opaque],
    ['a projector', Buffer.from('%1POWR ?\r'), opaque],
    ['LDAP', Buffer.from('3020020101601b0201030409636e3d61646d696e', 'hex'), opaque],
    ['a length that begins with NULs', Buffer.from([0, 0, 0, 0x20]), word],
    ['an endless path', Buffer.from(` GET /${'a'.repeat(16_384)}`), unclear],
    ['a custom method before an endless path', Buffer.from(`${'m'.repeat(25)} /${'a'.repeat(16_384)}`), unclear],
    ['endless blanks', Buffer.alloc(16_384, ' '), unclear],
    ['endless empty lines', Buffer.from('\r\n'.repeat(512)), unclear],
    ['an endless word', Buffer.alloc(16_384, 'a'), opaque],
    ['endless NULs', Buffer.alloc(16_384), opaque],
    ['a truncated method', Buffer.from('conn'), word],
    ['random bytes', Buffer.from([0x8a, 0x41, 0x20, 0xf1, 0x20, 0x48]), opaque],
    ['plain HTTP after empty lines', Buffer.from('\r\n\nGET / HTTP/1.1\r\n'), { kind: 'http' }],
    ['HTTP/2 after an empty line', Buffer.from('\r\nPRI * HTTP/2.0\r\n'), { kind: 'h2' }],
    ['an alert before the hello', Buffer.concat([alert, record(hello([serverName('a.example')]))]), unclear],
    ['an empty record before the hello', Buffer.concat([record(Buffer.alloc(0)), record(hello([]))]), unclear],
    [
      'an empty record within the hello',
      Buffer.concat([record(hello([]).subarray(0, 9)), record(Buffer.alloc(0))]),
      unclear,
    ],
    ['another version of records', Buffer.concat([Buffer.from([0x16, 4, 0]), record(hello([])).subarray(3)]), unclear],
    ['a hello of more than 64 KiB', record(long.subarray(0, 100)), unclear],
    ['bytes that only begin like an alert', Buffer.from([0x15, 0, 0, 0]), opaque],
    ['another handshake message', record(Buffer.from([2, 0, 0, 1, 0])), unclear],
  ])('%s', (_name, bytes, expected) => {
    const isHello = expected.kind === 'tls';
    expect(readOpening(bytes)).toEqual(isHello ? { ...expected, end: bytes.length } : expected);
  });

  test.each(['\v', '\f', '\r', '\x1c', '\x1f', '\x85', '\xa0'])('a request with %j instead of a space', (blank) => {
    expect(readOpening(Buffer.from(`GET${blank}/${blank}HTTP/1.1`, 'latin1'))).toEqual(unclear);
  });

  const rsaPss = extension(13, Buffer.from([0, 2, 8, 4]));
  const ecdsa = extension(13, Buffer.from([0, 4, 8, 4, 4, 3]));
  test.each([
    ['a suite of TLS 1.3', [0xc02f, 0x1302], [ecdsa], true],
    ['a suite with ECDSA', [0xc02f, 0xc02c], [ecdsa], true],
    ['a suite with ECDSA, and no signature algorithms', [0xc02b], [], true],
    ['only RSA suites', [0xc02f, 0xc030, 0x009c, 0x00ff], [ecdsa], false],
    ['only RSA suites, and no signature algorithms', [0xc02f], [], false],
    ['only RSA signatures', [0x1301, 0xc02b], [rsaPss], false],
  ])('whether the client accepts an ECDSA certificate: %s', (_name, suites, extensions, expected) => {
    expect(readOpening(record(hello(extensions, 0, suites)))).toMatchObject({ kind: 'tls', ecdsa: expected });
  });

  test('data after the hello is not part of it, and its record contains nothing else', () => {
    const whole = hello([serverName('a.example')]);
    const settled = readOpening(record(whole));
    expect(settled).toEqual({ ...tls('a.example'), end: whole.length + 5 });
    expect(readOpening(Buffer.concat([record(whole), Buffer.alloc(500)]))).toEqual(settled);
    expect(readOpening(record(Buffer.concat([whole, whole])))).toEqual(unclear);
    expect(readOpening(record(Buffer.concat([whole, whole])).subarray(0, whole.length + 5))).toEqual(unclear);
  });

  test('early data may follow a hello that announces it', () => {
    expect(readOpening(record(hello([extension(42, Buffer.alloc(0))])))).toMatchObject({ early: true });
  });

  test.each([
    [24, 'http'],
    [25, 'unclear'],
  ])('a request with a method of %i letters is %s', (letters, kind) => {
    expect(readOpening(Buffer.from(`${'M'.repeat(letters)} /x HTTP/1.1`)).kind).toBe(kind);
  });

  test('in records of any size, byte by byte', () => {
    const whole = hello([serverName('a.example')]);
    for (const size of [1, 3, 60, whole.length]) {
      const records = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) =>
        record(whole.subarray(i * size, (i + 1) * size)),
      );
      const bytes = Buffer.concat(records);
      for (let end = 0; end < bytes.length; end++) expect(readOpening(bytes.subarray(0, end)).kind).toBe('incomplete');
      expect(readOpening(bytes)).toEqual({ ...tls('a.example'), end: bytes.length });
    }
  });
});

/** The maximum inspected length of a line. */
const lineMax = 16_384;
test.each(['', '\n', '/\na', 'x ', ' HTTP', 'x HTTP/'])('%j after blanks is parsed in linear time', (end) => {
  expectLinear(
    (length) => {
      const bytes = Buffer.from(`get${' '.repeat(length - 3 - end.length)}${end}`);
      return () => readOpening(bytes);
    },
    lineMax / 16,
    64,
  );
});
