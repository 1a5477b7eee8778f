/** Which requests from one address have a vault session in common. */
import { expect, test } from 'vitest';
import { SessionKeys } from '../../../gateway/proxy/session.ts';

const key = Buffer.alloc(32, 1);
const sessions = new SessionKeys(() => key);

type Asked = { readonly rawHeaders?: readonly string[]; readonly path?: string };
const sessionOf = ({ rawHeaders = [], path = '/v1' }: Asked, user?: string) => {
  const client = { address: '10.0.0.1', subject: user ?? '10.0.0.1', ...(user === undefined ? {} : { user }) };
  return sessions.sessionFor({ client }, 'gemini', { rawHeaders, path });
};

const jwt = (claims: object) => `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
const protocol = (value: string): Asked => ({ rawHeaders: ['Sec-WebSocket-Protocol', value] });

test.each<[where: string, one: Asked, other: Asked]>([
  ['a field', { rawHeaders: ['X-Api-Key', 'A'] }, { rawHeaders: ['X-Api-Key', 'B'] }],
  ['key', { path: '/v1beta/models/m:generateContent?key=A' }, { path: '/v1beta/models/m:generateContent?key=B' }],
  ['key behind others', { path: '/v1?alt=sse&key=A&x=1' }, { path: '/v1?alt=sse&key=B&x=1' }],
  ['api_key', { path: '/v1?api_key=A' }, { path: '/v1?api_key=B' }],
  ['api-key', { path: '/v1?api-key=A' }, { path: '/v1?api-key=B' }],
  ['access_token', { path: '/v1?access_token=A' }, { path: '/v1?access_token=B' }],
  ['a key against none', { path: '/v1?key=A' }, { path: '/v1' }],
  [
    'the subprotocol of the OpenAI Realtime API',
    protocol('realtime, openai-insecure-api-key.sk-A, openai-beta.realtime-v1'),
    protocol('realtime, openai-insecure-api-key.sk-B, openai-beta.realtime-v1'),
  ],
  [
    'a line end that would look like the claims of a JWT',
    { path: '/?key=jwt%0A%5B%22i%22%2C%22ann%22%5D' },
    { rawHeaders: ['Authorization', `Bearer ${jwt({ iss: 'i', sub: 'ann' })}`] },
  ],
])('people who differ in %s are apart', (_where, one, other) => {
  expect(sessionOf(one)).not.toBe(sessionOf(other));
  expect(sessionOf(one)).toBe(sessionOf(one));
  // Who signs in is known by that alone.
  expect(sessionOf(one, 'ann')).toBe(sessionOf(other, 'ann'));
});

test.each<[what: string, one: Asked, other: Asked]>([
  ['another question', { path: '/v1?key=A&q=1' }, { path: '/v1?q=2&key=A' }],
  ['a parameter that only ends like one', { path: '/v1?monkey=A' }, { path: '/v1?monkey=B' }],
  ['a path that looks like one', { path: '/key=A' }, { path: '/key=B' }],
  ['another subprotocol', protocol('realtime'), protocol('chat')],
  ['the key in a field', { path: '/v1?key=A' }, { rawHeaders: ['x-goog-api-key', 'A'] }],
  [
    'a token that was renewed',
    { path: `/?access_token=${jwt({ sub: 'a', n: 1 })}` },
    { path: `/?access_token=${jwt({ sub: 'a', n: 2 })}` },
  ],
])('%s is the same person', (_what, one, other) => {
  expect(sessionOf(one)).toBe(sessionOf(other));
});
