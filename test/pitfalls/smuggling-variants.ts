/**
 * Request heads and bodies that parsers read differently, as known from attacks on chains of proxies. In each, `{t}` is
 * replaced by the target, `{h}` by the authority, and `{p}` by another target to be smuggled.
 */
import {
  chunkSizes,
  codingNames,
  codings,
  lastChunks,
  lengthNames,
  lengths,
  next,
  post,
  shown,
} from './smuggling-bodies.ts';

/** Groups of variants, each with a name and the bytes (Latin-1). */
export type Variants = Readonly<Record<string, readonly (readonly [name: string, bytes: string])[]>>;

const requestLines = [
  ...[
    ' GET {t} HTTP/1.1',
    '\tGET {t} HTTP/1.1',
    'GET  {t} HTTP/1.1',
    'GET\t{t} HTTP/1.1',
    'GET {t}  HTTP/1.1',
    'GET {t}\tHTTP/1.1',
  ],
  ...[
    'GET {t} HTTP/1.1 ',
    'GET {t} HTTP/1.1\t',
    'GET {t} HTTP/1.1 x',
    'GET {t}',
    'GET',
    'GET  HTTP/1.1',
    '{t} HTTP/1.1',
    'GET{t} HTTP/1.1',
  ],
  ...[
    'get {t} HTTP/1.1',
    'G@T {t} HTTP/1.1',
    'G\x00T {t} HTTP/1.1',
    'GET\x00 {t} HTTP/1.1',
    '"GET" {t} HTTP/1.1',
    'GET\xa0{t} HTTP/1.1',
  ],
  ...[
    'GET {t}/a b HTTP/1.1',
    'GET {t}/\x00 HTTP/1.1',
    'GET {t}/\t HTTP/1.1',
    'GET {t}/\x0b HTTP/1.1',
    'GET {t}/\x7f HTTP/1.1',
    'GET {t}/\r HTTP/1.1',
  ],
  ...[
    'GET {t}#a HTTP/1.1',
    'GET {t}/%0d%0aX:%20x HTTP/1.1',
    'GET {t}\r\n HTTP/1.1',
    'GET {t}\\..\\x HTTP/1.1',
    'GET {t}/\xe9 HTTP/1.1',
  ],
  ...[
    'GET {t} http/1.1',
    'GET {t} HTTP/1.01',
    'GET {t} HTTP/01.1',
    'GET {t} HTTP/1.10',
    'GET {t} HTTP/1.2',
    'GET {t} HTTP/1.',
    'GET {t} HTTP/1',
  ],
  ...[
    'GET {t} HTTP/0.9',
    'GET {t} HTTP/2.0',
    'GET {t} HTTP/3',
    'GET {t} HTTP/-1.1',
    'GET {t} HTTP/1,1',
    'GET {t} HTTPS/1.1',
    'GET {t} RTSP/1.0',
  ],
  ...[
    'GET {t} ICE/1.0',
    'SOURCE {t} ICE/1.0',
    'GET {t} HTTP/1.1\r',
    'GET {t} HTTP/1.1\x00',
    'PRI * HTTP/2.0',
    'GET * HTTP/1.1',
    'OPTIONS * HTTP/1.1',
  ],
  ...[
    'TRACE {t} HTTP/1.1',
    'CONNECT {t} HTTP/1.1',
    'CONNECT {h} HTTP/1.1',
    'GET http://evil.test{p} HTTP/1.1',
    'GET //evil.test{p} HTTP/1.1',
  ],
  ...[
    'GET http://{h}@evil.test{p} HTTP/1.1',
    'GET http:{p} HTTP/1.1',
    'GET http:/{p} HTTP/1.1',
    'GET http:///{p} HTTP/1.1',
    'GET {p} HTTP/1.1 HTTP/1.1',
  ],
];

const fieldLines = [
  ...[
    'X : x',
    'X\t: x',
    'X\x0b: x',
    'X\x00: x',
    '\x00X: x',
    ' X: x',
    '\tX: x',
    'X',
    ':',
    ': x',
    'X Y: x',
    'X\xe9: x',
    '\xa0X: x',
    'X\x7f: x',
  ],
  ...[
    'X(: x',
    'X): x',
    'X<: x',
    'X@: x',
    'X,: x',
    'X;: x',
    'X\\: x',
    'X": x',
    'X/: x',
    'X[: x',
    'X?: x',
    'X=: x',
    'X{: x',
    'X\x80: x',
  ],
  ...[
    'X: a\r\n b',
    'X: a\r\n\tb',
    'X:\r\n b',
    'X: a\r\n \r\n b',
    'X: a\nY: b',
    'X: a\rY: b',
    'X: a\r\r\nY: b',
    'X: a\n',
    'X: a\r',
    'X: a\n\n',
    'X: a\r\r',
  ],
  ...[
    'X: a\n\r\n',
    'X: a\r\n\n',
    '\r',
    '\n',
    'X: \xe9',
    'X: \xff\xfe',
    'X: "\\\r\n "',
    'GET {p} HTTP/1.1',
    'HTTP/1.1 200 OK',
  ],
  ...Array.from({ length: 33 }, (_, i) => `X: a${String.fromCharCode(i === 32 ? 127 : i)}b`),
];

const hosts = [
  ...[
    'Host: {h}\r\nHost: {h}',
    'Host: {h}\r\nHost: evil.test',
    'Host: evil.test\r\nHost: {h}',
    'Host: {h}\r\nhost: evil.test',
    'Host : {h}',
  ],
  ...[
    'Host: {h}\r\nHost : evil.test',
    'Host: evil.test',
    'Host:',
    'Host: ',
    'X: x',
    'Host: {h}, evil.test',
    'Host: {h} evil.test',
    'Host: {h}/',
  ],
  ...[
    'Host: {h}{p}',
    'Host: x@{h}',
    'Host: {h}@evil.test',
    'Host: http://{h}',
    'Host: {h}#',
    'Host: {h}?',
    'Host: {h}\\',
    'Host: {h}:',
    'Host: {h}:x',
  ],
  ...[
    'Host: {h}:1',
    'Host: {h}\x00',
    'Host: {h}\r\n evil.test',
    'Host:\r\n {h}',
    ' Host: {h}',
    'Host: [{h}]',
    'Host: {h}%00',
    'Host: \xe9',
  ],
  ...[
    'Host: {h}\r\nX-Forwarded-Host: evil.test',
    'Host: {h}\r\n:authority: evil.test',
    'Host\x00: {h}',
    'Host: {h}\nX: x',
    'Ho\x73t: {h}',
  ],
];

const connections = [
  ...[
    'Content-Length',
    'Transfer-Encoding',
    'Host',
    'Content-Type',
    'Cookie',
    'Authorization',
    'X, Content-Length',
    'close, Content-Length',
  ],
  ...[
    'Via',
    'keep-alive, Transfer-Encoding',
    'Content-Length, Transfer-Encoding, Host',
    'X\r\nConnection: Content-Length',
  ],
];

const upgrades = [
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
  'Connection: Upgrade\r\nUpgrade: h2c',
  'Connection: Upgrade\r\nUpgrade: TLS/1.0',
  'Connection: Upgrade\r\nUpgrade: websocket, h2c',
  'Connection: Upgrade\r\nUpgrade: h2c, websocket',
  'Upgrade: h2c',
  'Connection: Upgrade',
  'Connection: Upgrade\r\nUpgrade: HTTP/1.1',
  'Connection: Upgrade\r\nUpgrade: ',
];

/** Our own markers for fields while a head is processed. */
const marks = [
  'privet-slot-host: Host',
  'privet-slot-host: X',
  'Privet-Slot-Content-Length: Content-Length',
  'privet-slot-length: Transfer-Encoding',
  'privet-slot-length: content-length',
  'privet-slot-connection: X',
  'privet-slot-target: {p}',
  'PRIVET-SLOT-TARGET: *',
  'privet-slot-',
];

const chunkedBody = `0\r\n\r\n${next}`;

/** Every variant, by the varied part. */
export const variants: Variants = {
  'lengths of bodies': [
    ...lengths.map(
      (value) => [`Content-Length:${shown(value)}`, post([`Content-Length:${value}`], `hello${next}`)] as const,
    ),
    ...lengthNames.map((name) => [`${shown(name)}: 5`, post([`${name}: 5`], `hello${next}`)] as const),
    ...lengthNames.map(
      (name) => [`0, then ${shown(name)}: 5`, post(['Content-Length: 0', `${name}: 5`], `hello${next}`)] as const,
    ),
    ...lengths.map(
      (value) =>
        [`5 and ${shown(value)}`, post(['Content-Length: 5', `Content-Length:${value}`], `hello${next}`)] as const,
    ),
    ...['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PATCH'].map(
      (method) =>
        [`${method} with a body`, post(['Content-Length: 5'], `hello${next}`).replace('POST', method)] as const,
    ),
  ],
  'transfer codings': [
    ...codings.map(
      (value) => [`Transfer-Encoding:${shown(value)}`, post([`Transfer-Encoding:${value}`], chunkedBody)] as const,
    ),
    ...codings.map(
      (value) =>
        [
          `${shown(value)} and a length`,
          post([`Content-Length: ${chunkedBody.length}`, `Transfer-Encoding:${value}`], chunkedBody),
        ] as const,
    ),
    ...codings.map(
      (value) =>
        [
          `chunked and ${shown(value)}`,
          post(['Transfer-Encoding: chunked', `Transfer-Encoding:${value}`], chunkedBody),
        ] as const,
    ),
    ...codingNames.map((name) => [`${shown(name)}: chunked`, post([`${name}: chunked`], chunkedBody)] as const),
    ...codingNames.map(
      (name) =>
        [`a length and ${shown(name)}: chunked`, post(['Content-Length: 5', `${name}: chunked`], chunkedBody)] as const,
    ),
    ['in HTTP/1.0', post(['Transfer-Encoding: chunked'], chunkedBody).replace('1.1', '1.0')],
    [
      'in HTTP/1.0, kept alive',
      post(['Connection: keep-alive', 'Transfer-Encoding: chunked'], chunkedBody).replace('1.1', '1.0'),
    ],
    ['of a GET', post(['Transfer-Encoding: chunked'], chunkedBody).replace('POST', 'GET')],
    ['of a HEAD', post(['Transfer-Encoding: chunked'], chunkedBody).replace('POST', 'HEAD')],
  ],
  chunks: [
    ...chunkSizes.map(
      (size) =>
        [`size ${shown(size)}`, post(['Transfer-Encoding: chunked'], `${size}\r\nhello\r\n0\r\n\r\n${next}`)] as const,
    ),
    ...lastChunks.map(
      (last) => [`end ${shown(last)}`, post(['Transfer-Encoding: chunked'], `5\r\nhello\r\n${last}${next}`)] as const,
    ),
    ...['', '\n', '\r', 'x\r\n', '\r\n\r\n', '\n\r', '\x00\r\n', ' \r\n'].map(
      (end) =>
        [
          `${shown(end)} after the data`,
          post(['Transfer-Encoding: chunked'], `5\r\nhello${end}0\r\n\r\n${next}`),
        ] as const,
    ),
    ...['\n', '\r', '\r\r\n', '\r\n\r\n', '\x00\r\n'].map(
      (end) =>
        [
          `${shown(end)} after the size`,
          post(['Transfer-Encoding: chunked'], `5${end}hello\r\n0\r\n\r\n${next}`),
        ] as const,
    ),
    ['a quoted line end', post(['Transfer-Encoding: chunked'], `2;a="\r\nxx\r\n4c\r\n0\r\n\r\n${next}`)],
  ],
  'request lines': [
    ...requestLines.map((line) => [shown(line), `${line}\r\nHost: {h}\r\n\r\n${next}`] as const),
    ...['\r\n', '\r\n\r\n', '\n', '\r', ' \r\n', '\x00', '\x16\x03\x01'].map(
      (before) => [`${shown(before)} before it`, `${before}GET {t} HTTP/1.1\r\nHost: {h}\r\n\r\n${next}`] as const,
    ),
    ...['\n', '\r', '\r\r\n', '\n\r'].map(
      (end) => [`ends with ${shown(end)}`, `GET {t} HTTP/1.1${end}Host: {h}\r\n\r\n${next}`] as const,
    ),
    ...['\n\n', '\n\r\n', '\r\n\n', '\r\r', '\r\n\r\r\n', '\r\n \r\n', '\r\n\x00\r\n'].map(
      (end) => [`a head that ends with ${shown(end)}`, `GET {t} HTTP/1.1\r\nHost: {h}${end}${next}`] as const,
    ),
  ],
  'field lines': [
    ...fieldLines.map((line) => [shown(line), `GET {t} HTTP/1.1\r\nHost: {h}\r\n${line}\r\n\r\n${next}`] as const),
    ...fieldLines
      .slice(0, 55)
      .map((line) => [`first: ${shown(line)}`, `GET {t} HTTP/1.1\r\n${line}\r\nHost: {h}\r\n\r\n${next}`] as const),
    ...marks.map((line) => [shown(line), post([line, 'Content-Length: 5'], `hello${next}`)] as const),
  ],
  'names of the host': [
    ...hosts.map((lines) => [shown(lines), `GET {t} HTTP/1.1\r\n${lines}\r\n\r\n${next}`] as const),
    ['none in HTTP/1.0', `GET {t} HTTP/1.0\r\n\r\n${next}`],
    ['two in HTTP/1.0', `GET {t} HTTP/1.0\r\nHost: {h}\r\nHost: evil.test\r\n\r\n${next}`],
  ],
  'connections and expectations': [
    ...connections.map(
      (value) =>
        [`Connection: ${shown(value)}`, post([`Connection: ${value}`, 'Content-Length: 5'], `hello${next}`)] as const,
    ),
    ...connections.map(
      (value) =>
        [
          `Connection: ${shown(value)}, chunked`,
          post([`Connection: ${value}`, 'Transfer-Encoding: chunked'], `5\r\nhello\r\n${chunkedBody}`),
        ] as const,
    ),
    ...upgrades.map((lines) => [shown(lines), `GET {t} HTTP/1.1\r\nHost: {h}\r\n${lines}\r\n\r\n${next}`] as const),
    ...upgrades.map(
      (lines) => [`${shown(lines)} with a body`, post([lines, 'Content-Length: 5'], `hello${next}`)] as const,
    ),
    ...[
      '100-continue',
      '100-Continue',
      ' 100-continue ',
      '100-continue, 100-continue',
      '200-ok',
      '',
      '100-continue\r\nExpect: x',
    ].map(
      (value) => [`Expect: ${shown(value)}`, post([`Expect: ${value}`, 'Content-Length: 5'], `hello${next}`)] as const,
    ),
    ['Expect without a body', `GET {t} HTTP/1.1\r\nHost: {h}\r\nExpect: 100-continue\r\n\r\n${next}`],
    ['Expect, chunked', post(['Expect: 100-continue', 'Transfer-Encoding: chunked'], `5\r\nhello\r\n${chunkedBody}`)],
    ['Expect in HTTP/1.0', post(['Expect: 100-continue', 'Content-Length: 5'], `hello${next}`).replace('1.1', '1.0')],
    [
      'HTTP/1.0, kept alive',
      post(['Connection: keep-alive', 'Content-Length: 5'], `hello${next}`).replace('1.1', '1.0'),
    ],
    ['HTTP/1.0 without a length', `${post(['Connection: keep-alive']).replace('1.1', '1.0')}hello${next}`],
  ],
};
