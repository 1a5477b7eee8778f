/** Wrong keys: a client that guesses is stopped, and clients with a key continue. */
import { beforeAll, expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { jsonPost } from '../support/json-post.ts';

const chosen = 'correct-horse-battery-staple-of-the-admin';
const gateway = await startGateway({ env: { PROXY_ADMIN_KEY: chosen } });
const made = await gateway.api('/admin/keys', jsonPost({ name: 'before' }, { authorization: `Bearer ${chosen}` }));
/** Of an account that has called before. */
const key = ((await made.json()) as { key: string }).key;

const call = async (path: string, key: string, init: RequestInit = {}): Promise<number> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${gateway.apiUrl}${path}`, { ...init, headers });
  await answer.arrayBuffer();
  return answer.status;
};
const detect = (key: string): Promise<number> =>
  call('/detect', key, { method: 'POST', body: JSON.stringify({ text: 'x' }) });
beforeAll(async () => expect(await detect(key)).toBe(200));

test.each([
  ['of an address for administrators', (key: string) => call('/admin/overview', key)],
  ['of any other', detect],
])('guesses %s, sequential and parallel, get 429, and valid keys keep working', async (_name, ask) => {
  const statuses: number[] = [];
  for (let i = 0; i < 40; i++) statuses.push(await ask(`pvt_admin_${i}_${'0'.repeat(30)}`));
  statuses.push(...(await Promise.all(Array.from({ length: 200 }, (_, i) => ask(`guess-number-${i}`)))));
  const compared = statuses.filter((status) => status === 401).length;
  expect(compared + statuses.filter((status) => status === 429).length).toBe(statuses.length);
  expect(compared).toBeLessThan(90);
  const others = await Promise.all(Array.from({ length: 30 }, (_, i) => ask(`another-guess-${i}`)));
  expect(others).toContain(429);

  expect(await detect(key)).toBe(200);
  expect(await call('/admin/overview', chosen)).toBe(200);
});
