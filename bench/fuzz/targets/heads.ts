/** Hosts, targets, heads, the PROXY protocol and content codings. */
import { Readable } from 'node:stream';
import zlib from 'node:zlib';
import { PrivetError } from '../../../core/errors.ts';
import { requestHead as writeHead } from '../../../gateway/http1/request-head.ts';
import { decodeBody } from '../../../gateway/proxy/body/content-coding.ts';
import { readConnectHead } from '../../../gateway/proxy/listen/connect-head.ts';
import { readProxyHeader } from '../../../gateway/proxy/listen/proxy-protocol.ts';
import { endToEndHeaders, headerValue } from '../../../gateway/proxy/request/headers.ts';
import { checkFraming, parseAbsoluteTarget } from '../../../gateway/proxy/request/target.ts';
import { normalizeHost, parseAuthority } from '../../../policy/host.ts';
import { type FuzzTarget, must, mustBeSettled, mustEqual } from '../target.ts';
import { nodeHead } from './node-head.ts';

/** The result; undefined if the input is rejected. */
function accepted<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof PrivetError) return undefined;
    throw error;
  }
}

const hostWords = [
  'xn--',
  'xn--e28h',
  '.',
  '..',
  '。',
  '．',
  '-',
  '_',
  '0x7f',
  '0177',
  '127.0.0.1',
  '2130706433',
  '[::1]',
  '::ffff:127.0.0.1',
  '%',
  '%2e',
  '@',
  ':',
  ':443',
  '/',
  '\\',
  '#',
  '?',
  ' ',
  '\t',
  'ß',
  'ﬀ',
  '\u00ad',
  '\u200d',
  'ｃ',
  '１',
  '①',
  'K',
  'İ',
  '\u0301',
  'a'.repeat(63),
  'localhost',
];

/** A host has a single canonical spelling, the same as in a URL. */
export const host: FuzzTarget = {
  seeds: () => [
    'chatgpt.com',
    'ChatGPT.com.',
    'bücher.example',
    'xn--bcher-kva.example',
    '0x7f.1',
    '[2001:DB8::0:1]',
    'a_b.example',
    '127.0.0.1',
  ],
  words: hostWords,
  bytesMax: 300,
  run(input) {
    const text = input.toString('utf8');
    const found = accepted(() => normalizeHost(text));
    if (found === undefined) return undefined;
    mustEqual(
      accepted(() => normalizeHost(found.host)),
      found,
      'once more',
    );
    must(/^[a-z0-9_.:-]+$/.test(found.host), `odd characters: ${found.host}`);
    const inUrl = text.includes(':') && !text.startsWith('[') ? `[${text}]` : text;
    const url = URL.parse(`http://${inUrl}/`);
    // We normalise an IPv4 address inside IPv6 to IPv4; a URL does not.
    if (url !== null && !url.hostname.startsWith('[::ffff:'))
      mustEqual(url.hostname.replace(/\.$/, '').replace(/^\[|\]$/g, ''), found.host, 'the host of a URL');
    const own = URL.parse(`http://${found.kind === 'ipv6' ? `[${found.host}]` : found.host}/`);
    must(own !== null, 'a host that is invalid in a URL');
    mustEqual(own.hostname.replace(/^\[|\]$/g, ''), found.host, 'our spelling in a URL');
    const kind = /^\d+\.\d+\.\d+\.\d+$/.test(found.host) ? 'ipv4' : found.host.includes(':') ? 'ipv6' : 'name';
    mustEqual(found.kind, kind, 'the kind');
    return undefined;
  },
};

/** Targets lead to the same host as a URL. */
export const target: FuzzTarget = {
  seeds: () => [
    'http://a.example/b?c',
    'HTTP://User:pw@A.example:8080/%7b{}|"/../x//',
    'http://[::1]:80/',
    'http://a.example',
    'http://a.example?x',
    'a.example:443',
  ],
  words: [
    ...hostWords,
    'http://',
    'https://',
    '//',
    '/../',
    '\\',
    '?',
    '#',
    '@evil.example',
    ':80',
    ':65536',
    ':0',
    ':080',
  ],
  bytesMax: 400,
  run(input) {
    const text = input.toString('latin1');
    const found = accepted(() => parseAbsoluteTarget(text));
    if (found !== undefined) {
      must(found.port >= 1 && found.port <= 65_535, 'an invalid port');
      must(found.path.startsWith('/') && !found.path.includes('#'), 'an invalid path');
      must(
        text.endsWith(found.path) || found.path === '/' || text.endsWith(found.path.slice(1)),
        'the path has changed',
      );
      const url = URL.parse(text);
      // A backslash ends the authority in a browser; we reject it in hosts.
      if (url !== null && !/[\\\t\r\n]/.test(text)) {
        mustEqual(url.hostname.replace(/\.$/, '').replace(/^\[|\]$/g, ''), found.host, 'the host of the URL');
        mustEqual(Number(url.port || 80), found.port, 'the port of the URL');
      }
    }
    const authority = accepted(() => parseAuthority(text));
    if (authority !== undefined)
      mustEqual(
        accepted(() => normalizeHost(authority.host)),
        { host: authority.host, kind: authority.kind },
        'the authority',
      );
    return undefined;
  },
};

/** The fast CONNECT parser agrees with Node's parser. */
export const connectHead: FuzzTarget = {
  seeds: () => [
    'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\nUser-Agent: x y\r\nProxy-Connection: keep-alive\r\n\r\n\x16\x03\x01',
    'CONNECT [::1]:443 HTTP/1.0\r\n\r\n',
  ],
  words: [
    '\r\n',
    '\r',
    '\n',
    ' ',
    '\t',
    ':',
    ': ',
    'Host: ',
    'Content-Length: 5',
    'Transfer-Encoding: chunked',
    'Connection: close',
    'HTTP/1.1',
    'Expect: 100-continue',
    '\x00',
    '\x7f',
    '\x80',
    'Upgrade: x',
  ],
  bytesMax: 600,
  run(input) {
    const own = readConnectHead(input);
    if (own === undefined) return undefined;
    const node = nodeHead(input);
    // Framing headers have no meaning here, and both reject an invalid target.
    must(
      node !== undefined ||
        /content-length|transfer-encoding/i.test(input.toString('latin1')) ||
        accepted(() => parseAuthority(own.request.url ?? '')) === undefined,
      'the fast parser accepts what the full parser rejects',
    );
    if (node === undefined) return undefined;
    mustEqual(own.request.url, node.url, 'the target');
    mustEqual(own.request.httpVersionMinor, node.minor, 'the version');
    mustEqual(own.request.rawHeaders, node.rawHeaders, 'the fields');
    must(node.method === 'CONNECT', 'another method');
    return undefined;
  },
};

const v2 = (family: number, addresses: Buffer, command = 1) =>
  Buffer.concat([
    Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1'),
    Buffer.from([0x20 | command, family, addresses.length >> 8, addresses.length & 255]),
    addresses,
  ]);

/** PROXY protocol headers. */
export const proxyProtocol: FuzzTarget = {
  seeds: () => [
    'PROXY TCP4 192.0.2.1 198.51.100.2 1234 443\r\nGET',
    'PROXY TCP6 2001:db8::1 ::1 1 65535\r\n',
    'PROXY UNKNOWN\r\n',
    v2(0x11, Buffer.from([192, 0, 2, 1, 198, 51, 100, 2, 4, 210, 1, 187])),
    v2(0x21, Buffer.alloc(40, 1)),
    v2(0, Buffer.alloc(0), 0),
  ],
  words: ['PROXY ', 'TCP4 ', 'TCP6 ', '::ffff:1.2.3.4', '\r\n', '%eth0', '0', ' ', '127.0.0.1', '999'],
  bytesMax: 300,
  run(input) {
    mustBeSettled(input, readProxyHeader, (answer) => answer === 'incomplete');
    const header = readProxyHeader(input);
    if (typeof header === 'string') return undefined;
    must(header.length <= input.length, 'longer than the input');
    if (header.source !== undefined)
      mustEqual(accepted(() => normalizeHost(header.source as string))?.host, header.source, 'the address');
    return undefined;
  },
};

const limit = 100_000;

/** Content codings: decoded data is limited, and broken data is refused with our error. */
export const codings: FuzzTarget = {
  seeds: () => {
    const text = Buffer.from('hello hello hello');
    return [
      zlib.gzipSync(text),
      zlib.deflateSync(text),
      zlib.deflateRawSync(text),
      zlib.brotliCompressSync(text),
      zlib.zstdCompressSync(text),
      zlib.gzipSync(zlib.brotliCompressSync(Buffer.alloc(50_000))),
      Buffer.concat([zlib.zstdCompressSync(text), zlib.zstdCompressSync(text)]),
    ];
  },
  async run(input) {
    for (const coding of ['gzip', 'deflate', 'br', 'zstd', 'gzip, br']) {
      try {
        const { length } = await decodeBody(input, coding, limit);
        must(length <= limit, `over the limit: ${length}`);
      } catch (error) {
        if (!(error instanceof PrivetError)) throw error;
        must(error.code === 'undecodable_body' || error.code === 'body_too_large', `another error: ${error.code}`);
      }
    }
    return undefined;
  },
};

/** Header fields: the head sent upstream has each of them once, in order, and nothing else. */
export const requestHead: FuzzTarget = {
  seeds: () => [
    'GET /a HTTP/1.1\r\nHost: a.example\r\nAccept: */*\r\nConnection: close, X-A\r\nX-A: 1\r\nContent-Length: 3\r\nCookie: a\r\nCookie: b\r\n\r\nabc',
    'POST / HTTP/1.1\r\nhost: a.example\r\nTransfer-Encoding: chunked\r\nTE: trailers\r\nTrailer: x\r\n\r\n',
  ],
  words: [
    '\r\n',
    'Host: ',
    'Connection: ',
    'content-length',
    'transfer-encoding: chunked',
    'Proxy-Authorization: x',
    'Upgrade: x',
    'TE: ',
    'Keep-Alive',
    'X-Gateway-A: 1',
    ': ',
    ',',
    '\t',
  ],
  bytesMax: 800,
  run(input) {
    const head = nodeHead(input);
    if (head === undefined || head.method === 'CONNECT') return undefined;
    const message = {
      method: head.method,
      url: head.url,
      httpVersionMajor: 1,
      httpVersionMinor: head.minor,
      rawHeaders: head.rawHeaders,
    };
    const framing = accepted(() => checkFraming(message));
    if (framing === undefined) return undefined;
    const kept = endToEndHeaders(head.rawHeaders);
    const names = kept.filter((_one, i) => i % 2 === 0).map((name) => name.toLowerCase());
    for (const name of ['proxy-authorization', 'keep-alive', 'upgrade', 'proxy-connection'])
      must(!names.includes(name), `${name} is forwarded`);
    const fields = headerValue(kept, 'host') === undefined ? ['Host', 'a.example', ...kept] : kept;
    const body = framing.hasBody ? Readable.from([]) : null;
    const shaped = writeHead({ method: head.method, path: '/', fields, body }).head;
    const again = nodeHead(Buffer.from(shaped, 'latin1'));
    must(again !== undefined, `a head that no parser accepts: ${JSON.stringify(shaped)}`);
    const lower = again.rawHeaders.filter((_one, i) => i % 2 === 0).map((name) => name.toLowerCase());
    must(lower.filter((name) => name === 'host').length === 1, 'not one Host');
    const lengths = lower.filter((name) => name === 'content-length' || name === 'transfer-encoding').length;
    must(
      lengths === Number(framing.length !== undefined || framing.hasBody || /^(?:POST|PUT|PATCH)$/.test(head.method)),
      `${lengths} framing fields: ${JSON.stringify(shaped)}`,
    );
    return undefined;
  },
};
