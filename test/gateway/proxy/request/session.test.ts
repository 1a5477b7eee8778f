/** Which requests share a vault session. */
import { describe, expect, test } from 'vitest';
import { type Asked, field, page, sessionOf } from './session-of.ts';

const gemini = (query: string): Asked => ({ url: `https://generativelanguage.googleapis.com/v1beta${query}` });
const bearer = (value: string) => field('Authorization', `Bearer ${value}`);
const jwt = (claims: object) => `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
const protocol = (value: string): Asked => field('Sec-WebSocket-Protocol', value);
const aws = (id: string, signature: string) =>
  field(
    'Authorization',
    `AWS4-HMAC-SHA256 Credential=${id}/20261129/us-east-1/bedrock/aws4_request, SignedHeaders=host, Signature=${signature}`,
  );

describe.each([undefined, 'ann'])('the account at the service, signed in as %s', (user) => {
  test.each<[where: string, one: Asked, other: Asked]>([
    ['a field', field('X-Api-Key', 'A'), field('X-Api-Key', 'B')],
    ['a field of another service', field('xi-api-key', 'A'), field('xi-api-key', 'B')],
    ['one of two fields', field('X-Api-Key', 'A'), { rawHeaders: ['X-Api-Key', 'A', 'Authorization', 'Bearer B'] }],
    ['key', gemini('/models/m:generateContent?key=A'), gemini('/models/m:generateContent?key=B')],
    ['the last of several keys', gemini('?alt=sse&key=A&x=1'), gemini('?alt=sse&key=B&x=1')],
    ['key twice', gemini('?key=A'), gemini('?key=A&key=B')],
    ['api_key', gemini('?api_key=A'), gemini('?api_key=B')],
    ['api-key', gemini('?api-key=A'), gemini('?api-key=B')],
    ['access_token', gemini('?access_token=A'), gemini('?access_token=B')],
    ['a name with an escape', gemini('?%6bey=A'), gemini('?%6bey=B')],
    ['a name that consists of escapes', gemini('?%61%70%69%5f%6b%65%79=A'), gemini('?%61%70%69%5f%6b%65%79=B')],
    ['a name that is escaped twice', gemini('?%256Bey=A'), gemini('?%256Bey=B')],
    ['a name with an escape for Windows', gemini('?%u006bey=A'), gemini('?%u006bey=B')],
    ['a name in capitals', gemini('?KEY=A'), gemini('?KEY=B')],
    ['a name with a plus sign', gemini('?+key=A'), gemini('?+key=B')],
    ['a name with an escaped space', gemini('?key%20=A'), gemini('?key%20=B')],
    ['a name with a dot', gemini('?access.token=A'), gemini('?access.token=B')],
    ['a name after a semicolon', gemini('?x=1;key=A'), gemini('?x=1;key=B')],
    ['a key and no key', gemini('?key=A'), gemini('')],
    [
      'the subprotocol of the OpenAI Realtime API',
      protocol('realtime, openai-insecure-api-key.sk-A, openai-beta.realtime-v1'),
      protocol('realtime, openai-insecure-api-key.sk-B, openai-beta.realtime-v1'),
    ],
    ...[
      'x-mistral-api-key',
      'X-Subscription-Token',
      'x-portkey-virtual-key',
      'x-gladia-key',
      'x-key',
      'private-token',
    ].map((name): [string, Asked, Asked] => [
      `the field ${name}`,
      { ...gemini(''), rawHeaders: [name, 'A'] },
      { ...gemini(''), rawHeaders: [name, 'B'] },
    ]),
    ['a key after its kind in the subprotocol', protocol('token, A0000000'), protocol('token, B0000000')],
    ['the subject of a JWT', bearer(jwt({ iss: 'i', sub: 'a' })), bearer(jwt({ iss: 'i', sub: 'b' }))],
    [
      'a JWT with its subject in another claim',
      bearer(jwt({ id: 1, role: 'user' })),
      bearer(jwt({ id: 2, role: 'user' })),
    ],
    ['the issuer of a JWT', bearer(jwt({ iss: 'i', sub: 'a' })), bearer(jwt({ iss: 'j', sub: 'a' }))],
    ['an opaque token', bearer('ya29.A'), bearer('ya29.B')],
    ['the key of a signature', aws('AKIAONE', '0'), aws('AKIATWO', '0')],
    [
      'a line end that would look like the claims of a JWT',
      gemini('?key=jwt%0A%5B%22i%22%2C%22ann%22%5D'),
      { ...gemini(''), rawHeaders: ['Authorization', `Bearer ${jwt({ iss: 'i', sub: 'ann' })}`] },
    ],
  ])('callers that differ in %s are separate', (_where, one, other) => {
    expect(sessionOf({ ...one, user })).not.toBe(sessionOf({ ...other, user }));
    expect(sessionOf({ ...one, user })).toBe(sessionOf({ ...one, user }));
  });

  test.each<[what: string, one: Asked, other: Asked]>([
    ['another question', gemini('?key=A&q=1'), gemini('?q=2&key=A')],
    ['a parameter that only ends like one', gemini('?monkey=A'), gemini('?monkey=B')],
    ['a path that looks like one', gemini('/key=A'), gemini('/key=B')],
    ['a key that repeats a request', { ...gemini(''), rawHeaders: ['idempotency-key', 'A'] }, gemini('')],
    ['a key of a request', { ...gemini(''), rawHeaders: ['x-idempotency-key', 'A'] }, gemini('')],
    ['another subprotocol', protocol('realtime'), protocol('chat')],
    ['the key in a field', gemini('?key=A'), { ...gemini(''), rawHeaders: ['x-goog-api-key', 'A'] }],
    ['the key of the Realtime API in a field', protocol('openai-insecure-api-key.sk-A'), bearer('sk-A')],
    ['the key twice', { rawHeaders: ['x-api-key', 'A', 'Authorization', 'Bearer A'] }, bearer('A')],
    [
      'a renewed token',
      gemini(`?access_token=${jwt({ sub: 'a', n: 1 })}`),
      gemini(`?access_token=${jwt({ sub: 'a', n: 2 })}`),
    ],
    [
      'a renewed token of GitHub Copilot',
      bearer('tid=0123;exp=1700000000;sku=plus:0a'),
      bearer('tid=0123;exp=1700001500;sku=plus:0b'),
    ],
    ['another signature with the same key', aws('AKIAONE', '0'), aws('AKIAONE', '1')],
    [
      'a cookie that contains a hash of the time',
      field('Authorization', 'SAPISIDHASH 1700000000_0a'),
      field('Authorization', 'SAPISIDHASH 1700000001_0b'),
    ],
  ])('%s is the same caller', (_what, one, other) => {
    expect(sessionOf({ ...one, user })).toBe(sessionOf({ ...other, user }));
  });
});

describe('browsers at one address', () => {
  const chat = (cookie: string, ...more: string[]): Asked => ({
    url: 'https://chatgpt.com/backend-api/conversation',
    rawHeaders: ['Origin', 'https://chatgpt.com', 'Sec-Fetch-Site', 'same-origin', 'Cookie', cookie, ...more],
  });

  test.each<[what: string, one: Asked, other: Asked]>([
    ['a device', chat('a=1; oai-did=aaaa'), chat('a=1; oai-did=bbbb')],
    ['a session', chat('sessionKey=sk-ant-sid01-aaaa'), chat('sessionKey=sk-ant-sid01-bbbb')],
    ['a session of a framework', chat('connect.sid=s%3Aaaaa'), chat('connect.sid=s%3Abbbb')],
    [
      'a session next to a hash of the time',
      chat('SID=a', 'Authorization', 'SAPISIDHASH 1_a'),
      chat('SID=b', 'Authorization', 'SAPISIDHASH 2_b'),
    ],
    ['the subject of a JWT', chat(`__session=${jwt({ sub: 'a' })}`), chat(`__session=${jwt({ sub: 'b' })}`)],
    ['a cookie in a separate field', chat('a=1', 'Cookie', 'oai-did=aaaa'), chat('a=1', 'Cookie', 'oai-did=bbbb')],
    ['a cookie at all', chat('oai-did=aaaa'), chat('a=1')],
    ['a cookie of any name', chat('maker_login=0123abcd'), chat('maker_login=0123abce')],
    ['one of several', chat('a=00000000; b=00000001'), chat('a=00000000; b=00000002')],
    ['a JWT of any name', chat(`auth_token=${jwt({ sub: 'a1' })}`), chat(`auth_token=${jwt({ sub: 'b1' })}`)],
    [
      'a cookie next to a JWT whose subject may be that of all visitors',
      chat(`auth_token=${jwt({ sub: 'web-app' })}; maker_id=0123abcd`),
      chat(`auth_token=${jwt({ sub: 'web-app' })}; maker_id=0123abce`),
    ],
    ['an analytics id', chat('_ga=GA1.1.1.1; maker=00000000'), chat('_ga=GA1.1.2.1; maker=00000000')],
  ])('%s distinguishes them', (_what, one, other) => {
    expect(sessionOf(one)).not.toBe(sessionOf(other));
    expect(sessionOf(one)).toBe(sessionOf(one));
    expect(sessionOf({ ...one, user: 'ann' })).toBe(sessionOf({ ...other, user: 'ann' }));
  });

  test.each<[what: string, one: Asked, other: Asked]>([
    ['analytics and protection cookies', chat('oai-did=a; __cf_bm=1; _ga=1'), chat('_ga=2; __cf_bm=2; oai-did=a')],
    ['a renewed token', chat('next-auth.session-token=a'), chat('next-auth.session-token=b')],
    [
      'a setting, analytics and protection next to a cookie of any name',
      chat('maker_login=0123abcd; theme=dark; _gid=GA1.1.1; __cf_bm=00000000; csrf=00000000; AWSALB=00000000'),
      chat('_dd_s=00000001; __cf_bm=00000001; theme=light; csrf=00000001; AWSALB=00000001; maker_login=0123abcd'),
    ],
    ['a cookie of any name next to one for analytics', chat('_ga=GA1.1.1.1; a=00000000'), chat('_ga=GA1.1.1.1')],
    [
      'a renewed JWT of any name',
      chat(`auth_token=${jwt({ sub: 'a@b.example', n: 1 })}; _ga=1`),
      chat(`auth_token=${jwt({ sub: 'a@b.example', n: 2 })}; _ga=2`),
    ],
    ['a session after its sign-in', chat('oai-did=a'), chat('oai-did=a; session=1')],
    ['a renewed JWT', chat(`__session=${jwt({ sub: 'a', n: 1 })}`), chat(`__session=${jwt({ sub: 'a', n: 2 })}`)],
    ['a key', chat('oai-did=a', 'Authorization', 'Bearer K'), chat('oai-did=b', 'Authorization', 'Bearer K')],
  ])('%s does not', (_what, one, other) => {
    expect(sessionOf(one)).toBe(sessionOf(other));
  });
});

describe('clients of which only the address is known', () => {
  const anon = jwt({ iss: 'supabase', role: 'anon' });
  test.each<[what: string, asked: Asked]>([
    ['a program', {}],
    ['a page', { rawHeaders: page('https://api.openai.com', 'same-origin') }],
    ['a page of another site', { rawHeaders: page('https://evil.example') }],
    ['cookies that change', field('Cookie', 'csrf=00000000; __cf_bm=00000001; theme=dark')],
    ['an anonymous JWT', bearer(jwt({ iss: 'i', sub: 'anonymous' }))],
    ['an anonymous JWT as a session', field('Cookie', `session=${jwt({ iss: 'i', sub: 'guest' })}`)],
    ['the public key of an app', { rawHeaders: ['apikey', anon, 'Authorization', `Bearer ${anon}`] }],
  ])('%s: each connection has its own session', (_what, asked) => {
    expect(sessionOf(asked)).toBe(sessionOf(asked));
    expect(sessionOf(asked)).not.toBe(sessionOf({ ...asked, connection: 2 }));
    const parts = (id: string) => id.split('.').slice(0, 2);
    expect(parts(sessionOf(asked))).toEqual(parts(sessionOf({ ...asked, connection: 2 })));
    for (const known of [{ user: 'ann' }, { address: '127.0.0.1' }, { address: '::1' }])
      expect(sessionOf({ ...asked, ...known })).toBe(sessionOf({ ...asked, ...known, connection: 2 }));
  });

  test('an anonymous key next to a cookie of the visitor', () => {
    const asked = (id: string, connection: number) =>
      sessionOf({ rawHeaders: ['apikey', anon, 'Cookie', `visitor_id=${id}`], connection });
    expect(asked('0123abcd', 1)).toBe(asked('0123abcd', 2));
    expect(asked('0123abcd', 1)).not.toBe(asked('0123abce', 1));
  });
});
