/** The registry over the API: listed, changed one by one, and queried for an address. */
import { describe, expect, test } from 'vitest';
import { PrivetError } from '../../core/errors.ts';
import { openMemoryStores } from '../../gateway/stores/memory.ts';
import { serviceId } from '../../policy/service.ts';
import { newService, startApi } from './api-under-test.ts';

const deepSeek = `/${serviceId('deepseek')}`;

describe('services', () => {
  test.each<[query: string, names: string[]]>([
    ['', ['ChatGPT', 'OpenAI API', 'DeepSeek', 'Notion AI']],
    ['?category=blocked', ['DeepSeek', 'Notion AI']],
    ['?kind=chat', ['ChatGPT', 'DeepSeek']],
    ['?category=blocked&kind=chat', ['DeepSeek']],
    ['?q=OPENAI', ['ChatGPT', 'OpenAI API']],
    ['?q=nothing', []],
  ])('list %s', async (query, names) => {
    const { call } = await startApi();
    const { body } = await call(`/shadow-ai/services${query}`);
    expect(body.services.map((service: { service_name: string }) => service.service_name)).toEqual(names);
    expect(body.total).toBe(names.length);
  });

  test('add, read, change, remove', async () => {
    const { call, changes } = await startApi();
    const added = await call('/shadow-ai/services', { method: 'POST', json: newService });
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({
      id: serviceId('intranet-bot'),
      key: 'intranet-bot',
      domain: 'intranet.test',
      category: 'blocked',
      is_blocked: false,
      alternate_domains: [],
    });
    expect(added.body.created_at).toMatch(/^\d{4}-/);
    const path = `/shadow-ai/services/${added.body.id}`;
    expect(added.headers.get('location')).toBe(path);
    expect((await call(path)).body).toEqual(added.body);
    const changed = await call(path, { method: 'PATCH', json: { category: 'approved' } });
    expect(changed.body).toMatchObject({ id: added.body.id, category: 'approved', is_blocked: false });
    expect((await call('/shadow-ai/check', { method: 'POST', json: { hostname: 'intranet.test' } })).body.action).toBe(
      'allow',
    );
    const removed = await call(path, { method: 'DELETE', headers: { 'content-type': 'application/json' } });
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await call(path)).status).toBe(404);
    expect(changes()).toBe(3);
  });

  test.each<[name: string, method: string, path: string, json: unknown, status: number, code: string]>([
    ['unknown id, read', 'GET', '/1', undefined, 404, 'not_found'],
    ['a key is not an id', 'GET', '/deepseek', undefined, 404, 'not_found'],
    ['an id beyond safe integers', 'GET', '/9007199254740993', undefined, 404, 'not_found'],
    ['unknown id, change', 'PATCH', '/none', { category: 'blocked' }, 404, 'not_found'],
    ['unknown id, remove', 'DELETE', '/none', undefined, 404, 'not_found'],
    ['domain taken', 'POST', '', { ...newService, domain: 'ChatGPT.com.' }, 409, 'conflict'],
    ['alternate domain taken', 'POST', '', { ...newService, domain: 'chat.openai.com' }, 409, 'conflict'],
    ['name taken', 'POST', '', { ...newService, service_name: 'chatgpt' }, 409, 'conflict'],
    ['domain taken by a change', 'PATCH', deepSeek, { domain: 'openai.com' }, 409, 'conflict'],
    ['bad category', 'POST', '', { ...newService, category: 'forbidden' }, 422, 'invalid_input'],
    ['bad domain', 'POST', '', { ...newService, domain: 'not a host' }, 422, 'invalid_input'],
    ['domain of one label', 'POST', '', { ...newService, domain: 'com' }, 422, 'invalid_input'],
    ['control characters', 'POST', '', { ...newService, service_name: 'a\r\nb' }, 422, 'invalid_input'],
    ['unknown field', 'POST', '', { ...newService, admin: true }, 422, 'invalid_input'],
    ['a custom id', 'POST', '', { ...newService, id: 'x' }, 422, 'invalid_input'],
    ['nothing', 'POST', '', {}, 422, 'invalid_input'],
    ['a list', 'POST', '', [newService], 422, 'invalid_input'],
    ['null', 'PATCH', deepSeek, null, 422, 'invalid_input'],
    ['bad filter', 'GET', '?category=x', undefined, 422, 'invalid_input'],
    ['unknown filter', 'GET', '?page=2', undefined, 422, 'invalid_input'],
  ])('%s → %s', async (_name, method, path, json, status, code) => {
    const { call, changes, registry } = await startApi();
    const before = registry.list();
    const answer = await call(`/shadow-ai/services${path}`, { method, json });
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(changes()).toBe(0);
    expect(registry.list()).toEqual(before);
  });

  test('a change that cannot be stored is 503 and not applied', async () => {
    const stores = openMemoryStores({ ttlMs: 0 });
    stores.records.write = () => Promise.reject(new PrivetError('unavailable', 'The disk is full.'));
    const { call, registry, changes } = await startApi({ stores });
    const before = registry.list();
    for (const [method, path, json] of [
      ['POST', '', newService],
      ['PATCH', deepSeek, { category: 'approved' }],
      ['DELETE', deepSeek, undefined],
    ] as const) {
      const answer = await call(`/shadow-ai/services${path}`, { method, json });
      expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
    }
    expect(registry.list()).toEqual(before);
    expect(changes()).toBe(0);
  });
});

describe('check', () => {
  const blocked = {
    detected: true,
    hostname: 'deepseek.com',
    service: { id: serviceId('deepseek'), service_name: 'DeepSeek', category: 'blocked' },
    action: 'block',
    category: 'blocked',
  };
  const unknown = {
    detected: false,
    hostname: null,
    service: null,
    category: null,
    matchedHost: null,
    action: 'allow',
  };
  test.each<[input: object, expected: object]>([
    [{ url: 'https://chat.deepseek.com/a/b?c=d' }, { ...blocked, matchedHost: 'deepseek.com' }],
    [{ url: 'CHAT.DeepSeek.com:8443/x' }, blocked],
    [{ hostname: 'ＤeepSeek.com.' }, blocked],
    [
      { url: 'https://chat.openai.com/' },
      {
        service: { service_name: 'ChatGPT', category: 'approved' },
        hostname: 'chatgpt.com',
        matchedHost: 'chat.openai.com',
        action: 'allow',
      },
    ],
    [
      { url: 'https://api.openai.com/' },
      { service: { service_name: 'OpenAI API', category: 'monitoring' }, action: 'warn' },
    ],
    [{ url: 'https://notdeepseek.com/' }, unknown],
    [{ url: 'https://deepseek.com.evil.example/' }, unknown],
    [{ url: 'https://deepseek.com@evil.example/' }, unknown],
    [{ url: 'https://evil.example@deepseek.com/' }, blocked],
    [{ url: 'https:\\\\chat.deepseek.com\\' }, blocked],
    [{ url: 'https:deepseek.com' }, blocked],
    [{ url: 'mailto:a@deepseek.com' }, unknown],
    [{ url: 'http://2130706433/' }, unknown],
    [{ url: 'https://notion.so/' }, unknown],
    [{ url: 'https://notion.so/ai/x' }, { detected: true, service: { service_name: 'Notion AI' }, action: 'block' }],
    [{ url: 'https://bank.example/' }, { ...unknown, rule: 'bank.example' }],
  ])('%j', async (input, expected) => {
    const { call } = await startApi();
    const { status, body } = await call('/shadow-ai/check', { method: 'POST', json: input });
    expect(status).toBe(200);
    expect(body).toMatchObject(expected);
    expect(Object.keys(body)).toEqual([
      'detected',
      'hostname',
      'service',
      'action',
      'category',
      'matchedHost',
      'rule',
      'reason',
    ]);
  });

  test.each<[input: unknown]>([
    [{}],
    [{ url: '' }],
    [{ url: 'https://' }],
    [{ url: 'https://a..b/' }],
    [{ url: 'notaurl' }],
    [{ url: 'ftp://deepseek.com/' }],
    [{ url: 'user:word@deepseek.com' }],
    [{ hostname: 'a b' }],
    [{ hostname: 'a.example/path' }],
    [{ url: 'https://a.example', hostname: 'a.example' }],
    [{ url: 5 }],
    ['https://a.example'],
  ])('%j is not valid', async (input) => {
    const { call } = await startApi();
    const answer = await call('/shadow-ai/check', { method: 'POST', json: input });
    expect([answer.status, answer.body.error.code]).toEqual([422, 'invalid_input']);
  });
});
