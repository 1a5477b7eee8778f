/** Invalid fields and parameters are reported by name. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parse } from '../../gateway/api/validate.ts';
import { startApi } from './api-under-test.ts';

describe('invalid fields', () => {
  const long = 'x'.repeat(129);
  const rows: [path: string, body: unknown, field: string][] = [
    ['/detect', {}, 'text'],
    ['/detect', { text: 5 }, 'text'],
    ['/detect', { text: null }, 'text'],
    ['/detect', [], ''],
    ['/detect', 'text', ''],
    ['/detect', { text: 'x', minscore: 1 }, 'minscore'],
    ['/detect', { text: 'x', minScore: 2 }, 'minScore'],
    ['/detect', { text: 'x', minScore: '1' }, 'minScore'],
    ['/detect', { text: 'x', lang: 'xx' }, 'lang'],
    ['/detect', { text: 'x', types: 'EMAIL' }, 'types'],
    ['/detect', { text: 'x', types: ['EMAIL', 'MAIL'] }, 'types[1]'],
    ['/detect', { text: 'x', dictionary: {} }, 'dictionary'],
    ['/detect', { text: 'x', dictionary: [{ label: 'A' }] }, 'dictionary[0].pattern'],
    ['/detect', { text: 'x', dictionary: [{ label: 'A', pattern: 'x', flags: 'i' }] }, 'dictionary[0].flags'],
    ['/detect', { text: 'x', dictionary: [{ label: 'a b', pattern: 'x' }] }, 'dictionary[0].label'],
    ['/detect', { text: 'x', dictionary: [{ label: 'A', pattern: '/(/' }] }, 'dictionary[0].pattern'],
    ['/detect', { text: 'x', dictionary: [{ label: 'A', pattern: 'x'.repeat(501) }] }, 'dictionary[0].pattern'],
    ['/detect-pii', { text: {} }, 'text'],
    ['/mask', { text: 'x', sessionId: '' }, 'sessionId'],
    ['/mask', { text: 'x', sessionId: long }, 'sessionId'],
    ['/mask', { text: 'x', sessionId: 7 }, 'sessionId'],
    ['/mask', { text: 'x', tokenFormat: 'srag' }, 'tokenFormat'],
    ['/mask', { text: 'x', dpMode: true }, 'dpMode'],
    ['/mask', { text: 'x', dpMode: { epsilon: 0 } }, 'dpMode.epsilon'],
    ['/mask', { text: 'x', dpMode: { epsilon: 1, delta: 1 } }, 'dpMode.delta'],
    ['/restore', { text: 'x' }, 'sessionId'],
    ['/restore', { sessionId: 'x' }, 'text'],
    ['/restore-all', { text: 'x', tokenMap: { a: 1 } }, 'tokenMap.a'],
    ['/restore-all', { text: 'x', tokenMap: [] }, 'tokenMap'],
    ['/restore-all', { text: 'x', tokenMap: {}, sessionId: 'x' }, 'tokenMap'],
    ['/detect-injection', { text: 'x', sensitivity: 'max' }, 'sensitivity'],
    ['/detect-sql-injection', { text: [] }, 'text'],
    ['/detect-all-injections', { text: 'x', lang: 1 }, 'lang'],
    ['/rag/ingest', { text: 'x', chunkSize: 1.5 }, 'chunkSize'],
    ['/rag/ingest', { text: 'x', chunkSize: 1 }, 'chunkSize'],
    ['/rag/ingest', { text: 'x', chunkSize: 100, overlap: 100 }, 'overlap'],
    ['/rag/ingest', { text: 'x', extraTypes: ['nome'] }, 'extraTypes[0]'],
    ['/rag/resolve', { text: 'x', session: 'x' }, 'session'],
    ['/demo/mask', { text: 'x', dictionary: Array(21).fill({ label: 'A', pattern: 'x' }) }, 'dictionary'],
    ['/chat', { messages: [] }, 'messages'],
    ['/chat', { messages: [{ role: 'robot', content: 'x' }] }, 'messages[0].role'],
    ['/chat', { messages: [{ role: 'user', content: 5 }] }, 'messages[0].content'],
    ['/chat', { message: 'x', provider: 'skynet' }, 'provider'],
    ['/chat', { message: 'x', temperature: 3 }, 'temperature'],
    ['/chat-multi', { message: 'x' }, 'providers'],
    ['/chat-multi', { message: 'x', providers: [] }, 'providers'],
    ['/admin/keys', {}, 'name'],
    ['/admin/keys', { name: '' }, 'name'],
    ['/admin/keys', { name: 'x\0y' }, 'name'],
    ['/admin/keys', { name: 'x', plan: 'gold' }, 'plan'],
    ['/admin/keys', { name: 'x', role: 'root' }, 'role'],
    ['/admin/keys', { name: 'x', owner: 'x' }, 'owner'],
  ];
  test.each(rows)('%s %j reports %s', async (path, body, field) => {
    const { post } = await startApi();
    const answer = await post(path, body);
    expect(answer.status).toBe(422);
    const { error } = answer.body;
    expect(error).toMatchObject({ code: 'invalid_input', requestId: answer.headers.get('x-request-id') });
    expect(error.details[0]).toEqual(expect.objectContaining({ field, message: expect.stringMatching(/\w/) }));
  });

  test.each([
    ['/admin/events?limit=0', 'limit'],
    ['/admin/events?limit=x', 'limit'],
    ['/admin/events?from=yesterday', 'from'],
    ['/admin/events?action=maybe', 'action'],
    ['/admin/events?subjekt=x', 'subjekt'],
    ['/admin/events?cursor=%27', 'cursor'],
    ['/admin/sessions?limit=5000', 'limit'],
    ['/admin/explain', 'url'],
    ['/admin/explain?url=https://', 'url'],
    ['/admin/explain?url=a.example&from=nowhere', 'from'],
    ['/admin/keys?tenant=a&tenant=b', 'tenant'],
  ])('GET %s reports %s', async (path, field) => {
    const { call } = await startApi();
    const { status, body } = await call(path);
    expect([status, body.error.details?.[0]?.field]).toEqual([422, field]);
  });
});

test.each([
  ['EMIAL', 'EMAIL'],
  ['e-mail', 'EMAIL'],
  ['PHON', 'PHONE'],
])('the type %s is refused, and %s is suggested', async (type, meant) => {
  const { post } = await startApi();
  const { body } = await post('/detect', { text: 'x', types: [type] });
  expect(body.error.details).toEqual([{ field: 'types[0]', message: `is not a known type; did you mean ${meant}?` }]);
});

describe('errors that are not about a single field', () => {
  test.each([
    ['/chat', { message: 'x' }],
    ['/chat', { message: 'x', provider: 'openai' }],
    ['/chat-multi', { message: 'x', providers: ['openai'] }],
  ])('%s %j without a provider: what the gateway needs', async (path, body) => {
    const { post } = await startApi();
    const answer = await post(path, body);
    expect([answer.status, answer.body.error]).toMatchObject([
      422,
      {
        code: 'invalid_input',
        message: 'No model provider is set up on this gateway.',
        hint: expect.stringMatching(/OPENAI_API_KEY.*CUSTOM_LLM_BASE_URL/),
      },
    ]);
    // No field is named: the caller could not fix it with another value.
    expect(answer.body.error.details).toEqual({ missing: 'provider' });
  });

  test('a policy without the version it replaces: where to get it', async () => {
    const { call } = await startApi();
    const put = async (json: unknown) => (await call('/admin/policy', { method: 'PUT', json })).body.error.message;
    expect(await put({ yaml: 'rules: []' })).toBe(
      'The request is not valid: version: is missing; get it from GET /admin/policy.',
    );
    expect(await put({ yaml: 'rules: []', version: null })).toContain(
      'version: must be the version from GET /admin/policy',
    );
  });

  test('an unknown account: create a new one, or check its id', async () => {
    const { call, post } = await startApi();
    const patched = await call('/admin/tenants/zz', { method: 'PATCH', json: { plan: 'free' } });
    expect([patched.status, patched.body.error.hint]).toEqual([404, 'Check its id; GET /admin/tenants lists all.']);
    const made = await post('/admin/keys', { name: 'x', tenant: 'zz' });
    expect([made.status, made.body.error.hint]).toEqual([404, 'Leave "tenant" out to create a new one.']);
  });

  test.each([
    ['{"text":"x","__proto__":{"a":1}}', '__proto__'],
    ['{"text":"x","a":[1,null,{"b":{"\\u005f_proto__":1}}]}', '__proto__'],
    ['{"text":"x","constructor":{"prototype":{}}}', 'constructor'],
  ])('%s: the key is reported', async (body, key) => {
    const { call } = await startApi();
    for (const path of ['/mask', '/mask?', '/shadow-ai/check']) {
      const headers = { 'content-type': 'application/json' };
      const answer = await call(path, { method: 'POST', body, headers });
      expect([answer.status, answer.body.error]).toMatchObject([
        400,
        { code: 'invalid_json', message: `The body has the key "${key}", which is not allowed.` },
      ]);
    }
  });

  test.each(['{"__proto__":1', '{"__proto__":1}}', 'x', '"__proto__":'])('%s is not JSON', async (body) => {
    const { call } = await startApi();
    const answer = await call('/mask', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    expect([answer.status, answer.body.error.message]).toEqual([400, 'The body is not valid JSON.']);
  });

  test.each([
    ['a NUL', 'a\0b', 422],
    ['a line break', 'a\nb', 422],
    ['a line separator', 'a\u2028b', 422],
    ['a Latin-1 control character', 'a\u0085b', 422],
    ['a bidirectional override', 'a\u202eb', 422],
    ['an isolate', 'a\u2066b', 422],
    ['a lone surrogate', 'a\ud800', 422],
    ['other scripts', '山田 太郎 🎉 אבג', 201],
    ['a joiner that some scripts need', 'می\u200cخواهم', 201],
    ['white space around it', ' Ana\n', 201],
  ])('the name of a key with %s', async (_name, name, status) => {
    const { post } = await startApi();
    const { status: told, body } = await post('/admin/keys', { name });
    expect(told).toBe(status);
    if (status === 422) expect(body.error.message).toContain('name: contains control characters');
  });
});

test.each([
  [z.string().max(1), 'ab', 'must have at most 1 character'],
  [z.array(z.string()).min(1), [], 'must have at least 1 item'],
  [z.number().max(1), 2, 'must be at most 1'],
  [z.number().positive(), 0, 'must be more than 0'],
  [z.enum(['en', 'ja']), 'fr', 'must be one of "en", "ja"'],
  [z.string(), undefined, 'is missing'],
  [z.string(), 5, 'expected string, received number'],
])('what a field must be: %#', (schema, value, message) => {
  expect(() => parse(schema as z.ZodType, value)).toThrow(
    expect.objectContaining({ details: [{ field: '', message }] }),
  );
});
