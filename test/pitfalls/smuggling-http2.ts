/**
 * HTTP/2 requests that would become two, or different ones, when written as HTTP/1.1. `{t}` is replaced by the path,
 * `{h}` by the authority, `{p}` by another path to be smuggled.
 */
import type { RawField, RawRequest } from '../support/raw-http2.ts';

const next = 'GET {p} HTTP/1.1\r\nHost: {h}\r\n\r\n';
const base: readonly RawField[] = [
  [':method', 'POST'],
  [':scheme', 'https'],
  [':authority', '{h}'],
  [':path', '{t}'],
  ['content-type', 'text/plain'],
];
const withFields = (...fields: RawField[]): RawRequest => ({ fields: [...base, ...fields], data: ['hello'] });
const withPseudo = (name: string, value: string): RawRequest => ({
  fields: base.map(([key, before]) => [key, key === name ? value : before]),
  data: ['hello'],
});
const without = (name: string): RawRequest => ({ fields: base.filter(([key]) => key !== name), data: ['hello'] });

const values = [
  'a\r\nx: y',
  'a\ny',
  'a\ry',
  `a\r\n\r\n${next}`,
  'a\0b',
  ' a',
  'a ',
  '\ta',
  'a\t',
  'a\x0b',
  'a\x7f',
  '',
  '\r\n',
  '\xe9',
];
const names = [
  'X',
  'x y',
  'x:',
  'x: y',
  ':x',
  'x\r\ny',
  'x\n',
  'x\0',
  '',
  'x: y\r\nz',
  'transfer-encoding\r\n',
  'x\xe9',
  ' x',
  'x ',
];
const paths = [
  '{t} HTTP/1.1\r\nx: y',
  '{t}\r\n',
  '{t} x',
  '{t}\0',
  '',
  '*',
  'x{t}',
  '{t}#a',
  'https://{h}{t}',
  'https://evil.test{t}',
  '//evil.test{t}',
  '{t}\t',
  '{t}\xe9',
  '{t}\\x',
  '?{t}',
];
const methods = [
  'GET {t} HTTP/1.1\r\nHost: {h}\r\n\r\nPOST',
  'POST ',
  'PO ST',
  'POST\r\n',
  '',
  'post',
  'CONNECT',
  'TRACE',
  'P:',
  '\xe9',
  'PRI',
];
const authorities = [
  'evil.test',
  '{h}:444',
  '{h}@evil.test',
  'evil.test@{h}',
  '{h}\r\nx: y',
  '{h} ',
  ' {h}',
  '',
  '{h}/',
  '{h}{p}',
  '{h},evil.test',
  '{h}\0',
  '[{h}]',
  '{h}:',
];
const schemes = ['http', 'ftp', '', 'https\r\nx: y', 'https://evil.test/?', 'HTTPS'];
const lengths = ['4', '6', '05', '+5', '0x5', '5, 5', '', '-5', '5\r\nx: y', '18446744073709551621', '0'];

const shown = (text: string): string => JSON.stringify(text);

/** Every named variant. */
export const http2Variants: readonly (readonly [name: string, request: RawRequest])[] = [
  ['as it should be', withFields()],
  ['with its length', withFields(['content-length', '5'])],
  ['without a body', { fields: [...base.map(([key, value]) => [key, key === ':method' ? 'GET' : value] as const)] }],
  ...values.map((value) => [`value ${shown(value)}`, withFields(['x', value])] as const),
  ...values.map((value) => [`cookie ${shown(value)}`, withFields(['cookie', 'a=b'], ['cookie', value])] as const),
  ...names.map((name) => [`name ${shown(name)}`, withFields([name, 'y'])] as const),
  ...paths.map((path) => [`path ${shown(path)}`, withPseudo(':path', path)] as const),
  ...methods.map((method) => [`method ${shown(method)}`, withPseudo(':method', method)] as const),
  ...authorities.map((authority) => [`authority ${shown(authority)}`, withPseudo(':authority', authority)] as const),
  ...authorities.map((authority) => [`Host ${shown(authority)}`, withFields(['host', authority])] as const),
  ...schemes.map((scheme) => [`scheme ${shown(scheme)}`, withPseudo(':scheme', scheme)] as const),
  ...lengths.map((length) => [`length ${shown(length)}`, withFields(['content-length', length])] as const),
  ['two lengths', withFields(['content-length', '5'], ['content-length', '5'])],
  ['two other lengths', withFields(['content-length', '5'], ['content-length', '50'])],
  ['a length without a body', { fields: [...base, ['content-length', '5']] }],
  ['length 0 and a request', { fields: [...base, ['content-length', '0']], data: [next] }],
  ['a length that ends in a request', { fields: [...base, ['content-length', '5']], data: ['hello', next] }],
  ['chunked', { fields: [...base, ['transfer-encoding', 'chunked']], data: [`0\r\n\r\n${next}`] }],
  ['chunked, in capitals', { fields: [...base, ['Transfer-Encoding', 'chunked']], data: [`0\r\n\r\n${next}`] }],
  ['chunked, with a space', { fields: [...base, ['transfer-encoding ', 'chunked']], data: [`0\r\n\r\n${next}`] }],
  [
    'chunked, in another value',
    { fields: [...base, ['x', 'y\r\ntransfer-encoding: chunked']], data: [`0\r\n\r\n${next}`] },
  ],
  ['a body like chunks', { fields: base, data: [`0\r\n\r\n${next}`] }],
  ['connection', withFields(['connection', 'close'])],
  ['connection that names a length', withFields(['connection', 'content-length'], ['content-length', '5'])],
  ['keep-alive', withFields(['keep-alive', 'timeout=1'])],
  ['proxy-connection', withFields(['proxy-connection', 'keep-alive'])],
  ['upgrade', withFields(['upgrade', 'h2c'])],
  ['te', withFields(['te', 'gzip'])],
  ['te trailers', withFields(['te', 'trailers'])],
  ['http2-settings', withFields(['http2-settings', 'AAMAAABk'])],
  ['a marker of ours', withFields(['privet-slot-host', 'x'])],
  ['another marker of ours', withFields(['privet-slot-length', 'transfer-encoding'])],
  ['a marker of ours for the target', withFields(['privet-slot-target', '{p}'])],
  ['two paths', withFields([':path', '{p}'])],
  ['two methods', { fields: [[':method', 'GET'], ...base], data: ['hello'] }],
  ['two authorities', { fields: [[':authority', 'evil.test'], ...base], data: ['hello'] }],
  ['an unknown pseudo-field', { fields: [[':x', 'y'], ...base], data: ['hello'] }],
  ['a status', { fields: [[':status', '200'], ...base], data: ['hello'] }],
  ['a protocol', { fields: [...base.slice(0, 4), [':protocol', 'websocket']], data: ['hello'] }],
  ['a pseudo-field after a field', { fields: [...base.slice(0, 3), ['x', 'y'], [':path', '{t}']], data: ['hello'] }],
  ...[':method', ':scheme', ':authority', ':path'].map((name) => [`no ${name}`, without(name)] as const),
  ['no authority but Host', { fields: [...without(':authority').fields, ['host', '{h}']], data: ['hello'] }],
  ['trailers', { fields: base, data: ['hello'], trailers: [['x', 'y']] }],
  ['a length in trailers', { fields: base, data: ['hello'], trailers: [['content-length', '50']] }],
  ['a coding in trailers', { fields: base, data: ['hello'], trailers: [['transfer-encoding', 'chunked']] }],
  ['a pseudo-field in trailers', { fields: base, data: ['hello'], trailers: [[':path', '{p}']] }],
  ['a line end in trailers', { fields: base, data: ['hello'], trailers: [['x', `y\r\n\r\n${next}`]] }],
];
