/** What all endpoints share: paging of lists, and repeated requests. */
import { expect, test } from 'vitest';
import { newService, startApi } from './api-under-test.ts';

const service = { ...newService, domain: 'bot.intranet.test' };

test('every list has limit, cursor and next, and its pages form the list', async () => {
  const { call, keyOn } = await startApi();
  for (const plan of ['free', 'starter', 'business'] as const) await keyOn(plan);
  const { paths } = (await call('/openapi.json')).body;
  type Found = { readonly parameters: readonly { readonly name: string }[]; readonly responses: object };
  const lists = Object.entries<Record<string, Found>>(paths).flatMap(([path, { get }]) => {
    const schema = JSON.stringify(get?.responses ?? {});
    // Members next to the list: at most `total` and `next`.
    const isList = /"properties":\{"\w+":\{"type":"array","items":.*?"(?:next|total)":/.test(schema);
    return get &&
      (isList || /^\/(?:types|admin\/(?:keys|tenants|users|pins|replicas|sessions|events|exceptions))$/.test(path))
      ? [{ path, names: get.parameters.map(({ name }) => name) }]
      : [];
  });
  expect(lists.length).toBeGreaterThan(9);
  for (const { path, names } of lists)
    expect([path, names]).toEqual([path, expect.arrayContaining(['cursor', 'limit'])]);

  for (const [path, field] of [
    ['/types', 'types'],
    ['/admin/keys', 'keys'],
    ['/admin/tenants', 'tenants'],
    ['/shadow-ai/services', 'services'],
  ] as const) {
    const whole = (await call(path)).body[field] as unknown[];
    expect(whole.length, path).toBeGreaterThan(2);
    const pages: unknown[] = [];
    for (let cursor: string | undefined = '0'; cursor !== undefined; ) {
      const { body } = await call(`${path}?limit=2&cursor=${cursor}`);
      expect(body[field].length).toBeLessThanOrEqual(2);
      pages.push(...body[field]);
      cursor = body.next;
    }
    expect([path, pages]).toEqual([path, whole]);
    expect((await call(`${path}?cursor=x`)).status).toBe(422);
    expect((await call(`${path}?limit=0`)).status).toBe(422);
  }
});

test('a request repeated with one key creates one object', async () => {
  const { call } = await startApi();
  const create = (body: object, key: string, path = '/admin/keys') =>
    call(path, { method: 'POST', json: body, headers: { 'idempotency-key': key } });

  const [first, second] = [await create({ name: 'app' }, 'a'), await create({ name: 'app' }, 'a')];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body).toEqual(first.body);
  expect([first.headers.get('idempotent-replayed'), second.headers.get('idempotent-replayed')]).toEqual([null, 'true']);
  expect((await call('/credits', { key: second.body.key })).status).toBe(200);

  // Another key is another request, and so is the same key on another path.
  expect((await create({ name: 'app' }, 'b')).body.id).not.toBe(first.body.id);
  const made = await create(service, 'a', '/shadow-ai/services');
  const again = await create(service, 'a', '/shadow-ai/services');
  expect([made.status, again.status, again.headers.get('location')]).toEqual([201, 201, made.headers.get('location')]);
  // Without the key it is a conflict.
  expect((await call('/shadow-ai/services', { method: 'POST', json: service })).status).toBe(409);

  const other = await create({ name: 'another' }, 'a');
  expect([other.status, other.body.error.details]).toEqual([
    422,
    [expect.objectContaining({ field: 'Idempotency-Key' })],
  ]);
  expect((await create({ name: 'app' }, 'with space')).status).toBe(422);
  expect((await call('/admin/keys')).body.total).toBe(2);
});

test('a failed request can be retried with its key, and a running one conflicts', async () => {
  const { call } = await startApi();
  const headers = { 'idempotency-key': 'k' };
  const wrong = { method: 'POST', json: { name: 'app', tenant: 'none' }, headers };
  expect((await call('/admin/keys', wrong)).status).toBe(404);
  expect((await call('/admin/keys', { ...wrong, json: { name: 'app' } })).status).toBe(201);

  const both = await Promise.all(
    [1, 2, 3].map(() =>
      call('/admin/keys', { method: 'POST', json: { name: 'x' }, headers: { 'idempotency-key': 'race' } }),
    ),
  );
  const statuses = both.map(({ status }) => status);
  expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([]);
  const ids = new Set(both.flatMap(({ status, body }) => (status === 201 ? [body.id] : [])));
  expect(ids.size).toBe(1);
});
