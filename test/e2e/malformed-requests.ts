/**
 * Requests that no proxy may interpret in two ways, as bytes; TARGET is replaced by the host and port of the target.
 */

/** A request of these lines and this body. */
export function request(line: string, fields: readonly string[], body = ''): string {
  return `${[line, ...fields].join('\r\n')}\r\n\r\n${body}`;
}

/** The lines that most requests begin with. */
export const post = 'POST http://TARGET/ HTTP/1.1';
export const get = 'GET http://TARGET/ HTTP/1.1';

/** Requests that are answered 400, by what is wrong with them. */
export const malformed: readonly [name: string, bytes: string][] = [
  ['Content-Length with a leading zero', request(post, ['Host: TARGET', 'Content-Length: 010'], 'a'.repeat(10))],
  ['Content-Length with a sign', request(post, ['Host: TARGET', 'Content-Length: +5'], 'aaaaa')],
  ['negative Content-Length', request(post, ['Host: TARGET', 'Content-Length: -1'])],
  ['Content-Length as a list', request(post, ['Host: TARGET', 'Content-Length: 5, 5'], 'aaaaa')],
  ['hexadecimal Content-Length', request(post, ['Host: TARGET', 'Content-Length: 0x5'], 'aaaaa')],
  ['empty Content-Length', request(post, ['Host: TARGET', 'Content-Length:'], 'aaaaa')],
  [
    'two Content-Lengths that differ',
    request(post, ['Host: TARGET', 'Content-Length: 5', 'Content-Length: 6'], 'aaaaa'),
  ],
  [
    'Content-Length and Transfer-Encoding',
    request(post, ['Host: TARGET', 'Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
  ],
  ['Transfer-Encoding: ,chunked', request(post, ['Host: TARGET', 'Transfer-Encoding: ,chunked'], '0\r\n\r\n')],
  [
    'Transfer-Encoding: gzip, chunked',
    request(post, ['Host: TARGET', 'Transfer-Encoding: gzip, chunked'], '0\r\n\r\n'),
  ],
  [
    'Transfer-Encoding: chunked, chunked',
    request(post, ['Host: TARGET', 'Transfer-Encoding: chunked, chunked'], '0\r\n\r\n'),
  ],
  ['Transfer-Encoding: identity', request(post, ['Host: TARGET', 'Transfer-Encoding: identity'], '0\r\n\r\n')],
  ['Transfer-Encoding: xchunked', request(post, ['Host: TARGET', 'Transfer-Encoding: xchunked'], '0\r\n\r\n')],
  [
    'two Transfer-Encodings',
    request(post, ['Host: TARGET', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
  ],
  [
    'Transfer-Encoding in HTTP/1.0',
    request('POST http://TARGET/ HTTP/1.0', ['Host: TARGET', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
  ],
  ['two Hosts', request(get, ['Host: TARGET', 'Host: TARGET'])],
  ['two Hosts that differ', request(get, ['Host: TARGET', 'Host: other.test'])],
  ['no Host', request(get, ['Accept: */*'])],
  ['Host different from the target', request(get, ['Host: other.test'])],
  ['Host with userinfo', request(get, ['Host: a@TARGET'])],
  ['a folded field', request(get, ['Host: TARGET', 'X-A: 1', ' 2'])],
  ['a space before the colon', request(get, ['Host: TARGET', 'X-A : 1'])],
  ['an empty field name', request(get, ['Host: TARGET', ': 1'])],
  ['a field name that is not a token', request(get, ['Host: TARGET', 'X(A): 1'])],
  ['a line without a colon', request(get, ['Host: TARGET', 'X-A'])],
  ['NUL in a value', request(get, ['Host: TARGET', 'X-A: a\0b'])],
  ['bare CR in a value', request(get, ['Host: TARGET', 'X-A: a\rb'])],
  ['bare LF as a line end', 'GET http://TARGET/ HTTP/1.1\nHost: TARGET\n\n'],
  ['a method that is not a token', request('G(T http://TARGET/ HTTP/1.1', ['Host: TARGET'])],
  ['a space in the target', request('GET http://TARGET/a b HTTP/1.1', ['Host: TARGET'])],
  ['a fragment in the target', request('GET http://TARGET/#a HTTP/1.1', ['Host: TARGET'])],
  ['a target without a host', request('GET http:///a HTTP/1.1', ['Host: TARGET'])],
  ['a port out of range', request('GET http://127.0.0.1:99999/ HTTP/1.1', ['Host: 127.0.0.1:99999'])],
  ['percent-encoding in the host', request('GET http://127%2e0.0.1/ HTTP/1.1', ['Host: 127%2e0.0.1'])],
  ['CONNECT without a port', 'CONNECT 127.0.0.1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
  ['CONNECT to a named port', 'CONNECT 127.0.0.1:https HTTP/1.1\r\nHost: 127.0.0.1:https\r\n\r\n'],
  ['CONNECT to port 0', 'CONNECT 127.0.0.1:0 HTTP/1.1\r\nHost: 127.0.0.1:0\r\n\r\n'],
  ['CONNECT to port -1', 'CONNECT 127.0.0.1:-1 HTTP/1.1\r\nHost: 127.0.0.1:-1\r\n\r\n'],
  ['CONNECT to port 65536', 'CONNECT 127.0.0.1:65536 HTTP/1.1\r\nHost: 127.0.0.1:65536\r\n\r\n'],
  ['CONNECT to ::', 'CONNECT :: HTTP/1.1\r\nHost: ::\r\n\r\n'],
  ['CONNECT to a URL', request('CONNECT http://TARGET/ HTTP/1.1', ['Host: TARGET'])],
  ['CONNECT with userinfo', request('CONNECT a@TARGET HTTP/1.1', ['Host: TARGET'])],
  ['CONNECT with another host in Host', request('CONNECT TARGET HTTP/1.1', ['Host: other.test'])],
  ['CONNECT with another port in Host', request('CONNECT TARGET HTTP/1.1', ['Host: 127.0.0.1:1'])],
  ['CONNECT with two Hosts', request('CONNECT TARGET HTTP/1.1', ['Host: TARGET', 'Host: TARGET'])],
  ['CONNECT in HTTP/2.0', request('CONNECT TARGET HTTP/2.0', ['Host: TARGET'])],
  ['CONNECT in HTTP/1.9', request('CONNECT TARGET HTTP/1.9', ['Host: TARGET'])],
  ['HTTP/2.0 in a request line', request('GET http://TARGET/ HTTP/2.0', ['Host: TARGET'])],
  ['HTTP/0.9 in a request line', request('GET http://TARGET/ HTTP/0.9', ['Host: TARGET'])],
  ['an HTTP/0.9 request', 'GET http://TARGET/\r\n\r\n'],
  ['two Hosts for the proxy itself', request('GET /proxy.pac HTTP/1.1', ['Host: TARGET', 'Host: TARGET'])],
  [
    'Content-Length with a leading zero for the proxy itself',
    request('GET / HTTP/1.1', ['Host: TARGET', 'Content-Length: 01'], 'a'),
  ],
  [
    'Transfer-Encoding: ,chunked for the proxy itself',
    request('GET / HTTP/1.1', ['Host: TARGET', 'Transfer-Encoding: ,chunked'], '0\r\n\r\n'),
  ],
];
