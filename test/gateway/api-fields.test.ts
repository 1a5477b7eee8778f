/** Fields and parameters that do not fit are refused by their name. */
import { describe, expect, test } from 'vitest';
import { startApi } from './api-under-test.ts';

describe('fields that do not fit', () => {
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
    ['/chat', { message: 'x' }, 'provider'],
    ['/chat', { message: 'x', temperature: 3 }, 'temperature'],
    ['/chat-multi', { message: 'x' }, 'providers'],
    ['/chat-multi', { message: 'x', providers: [] }, 'providers'],
    ['/chat-multi', { message: 'x', providers: ['openai'] }, 'providers[0].provider'],
    ['/admin/keys', {}, 'name'],
    ['/admin/keys', { name: '' }, 'name'],
    ['/admin/keys', { name: 'x', plan: 'gold' }, 'plan'],
    ['/admin/keys', { name: 'x', role: 'root' }, 'role'],
    ['/admin/keys', { name: 'x', owner: 'x' }, 'owner'],
  ];
  test.each(rows)('%s %j names %s', async (path, body, field) => {
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
  ])('GET %s names %s', async (path, field) => {
    const { call } = await startApi();
    const { status, body } = await call(path);
    expect([status, body.error.details?.[0]?.field]).toEqual([422, field]);
  });
});
