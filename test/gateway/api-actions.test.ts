/** Actions by type and batches of texts, over REST. */
import { expect, test } from 'vitest';
import { startApi } from './api-under-test.ts';

const mail = 'ana@example.com';
const text = `Mail ${mail}, card 4111 1111 1111 1111.`;

test('/mask accepts an action by type, and its token map contains only tokens', async () => {
  const { post, keyOn } = await startApi();
  const [key, other] = [await keyOn('free'), await keyOn('free')];
  const actions = { CREDIT_CARD: 'mask', CONTACT: 'token' };
  const { body } = await post('/mask', { text, actions }, key);
  expect([body.masked, body.tokenMap]).toEqual(['Mail [EMAIL-1], card ****1111.', { '[EMAIL-1]': mail }]);
  expect(body.detections).toHaveLength(2);

  const hashed = async (key: string) =>
    (await post('/mask', { text: mail, actions: { EMAIL: 'hash' } }, key)).body.masked as string;
  expect(await hashed(key)).toMatch(/^\[EMAIL#[0-9a-f]{16}\]$/);
  expect(await hashed(key)).toBe(await hashed(key));
  expect(await hashed(other)).not.toBe(await hashed(key));

  const credits = async () => (await post('/mask', { text: '' }, key)).headers.get('ratelimit');
  expect(await credits()).toBeTruthy();
  const blocked = await post('/mask', { text, actions: { FINANCE: 'block' } }, key);
  expect([blocked.status, blocked.body.error.code]).toEqual([403, 'blocked_by_policy']);
  expect(blocked.text).not.toContain('4111');
  for (const wrong of [{ MAIL: 'redact' }, { EMAIL: 'hide' }, { EMAIL: { replace: 5 } }]) {
    expect([wrong, (await post('/mask', { text, actions: wrong }, key)).status]).toEqual([wrong, 422]);
  }
});

test('batches: one session, one credit, results in order', async () => {
  const { post, call, keyOn } = await startApi();
  const key = await keyOn('free');
  const texts = [`Write to ${mail}`, 'Nothing here', `${mail} again, ben@example.com`];
  const masked = (await post('/mask/batch', { texts }, key)).body;
  expect(masked.results.map(({ masked }: { masked: string }) => masked)).toEqual([
    'Write to [EMAIL-1]',
    'Nothing here',
    '[EMAIL-1] again, [EMAIL-2]',
  ]);
  const restored = await post('/restore', { text: '[EMAIL-2], [EMAIL-1]', sessionId: masked.sessionId }, key);
  expect(restored.body.restored).toBe(`ben@example.com, ${mail}`);

  const found = (await post('/detect/batch', { texts, types: ['EMAIL'] }, key)).body;
  expect(found.results.map(({ count }: { count: number }) => count)).toEqual([1, 0, 2]);
  expect((await call('/credits', { key })).body.used).toBe(3);
  for (const wrong of [[], Array(1_001).fill('x'), ['x', 5]]) {
    expect((await post('/mask/batch', { texts: wrong }, key)).status).toBe(422);
  }
});
