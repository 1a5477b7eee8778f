/**
 * Replacing the policy while the gateway runs: on two replicas, after a restart, after a dry run; exceptions and the
 * report.
 */
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { startOrigin } from '../support/origin.ts';
import { programPath } from '../support/programs.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const watched = 'aider.chat';
const folder = tempFolder('policy-api');
const env = { PROXY_STORE: 'sqlite', PROXY_STORE_URL: join(folder, 'shared.sqlite'), PROXY_STORE_KEY: 'k'.repeat(43) };

const origin = await startOrigin({ names: [watched] });
const options = { hosts: { [watched]: origin }, env };
const replicas = [await startGateway(options), await startGateway({ ...options, replica: 2 })];
afterAll(async () => {
  for (const gateway of replicas) await gateway?.stop();
});

async function call(
  gateway: Gateway,
  method: string,
  path: string,
  body?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: every test knows the shape of its own answer.
): Promise<{ status: number; body: any }> {
  const answer = await gateway.api(path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}
const get = (gateway: Gateway) =>
  run(programPath('curl'), [
    '-sS',
    '-o',
    '/dev/null',
    '-w',
    '%{http_code}',
    '-x',
    gateway.proxyUrl,
    '--cacert',
    gateway.caFile,
    `https://${watched}/`,
  ]);
async function until(gateway: Gateway, expected: string): Promise<void> {
  await expect.poll(async () => (await get(gateway)).text, { interval: 100 }).toBe(expected);
}
const blocking = `policy:\n  rules:\n    - { name: no aider, when: { hosts: [${watched}] }, then: { action: block } }\n`;

test('a policy is checked with line and column', async () => {
  const [gateway] = replicas as [Gateway];
  const wrong = await call(gateway, 'POST', '/admin/policy/validate', {
    yaml: 'policy:\n  unknwon: allow\n  rules: 7\n',
  });
  expect(wrong.body).toMatchObject({
    valid: false,
    problems: [
      { line: 2, column: 3, message: 'unknown key; did you mean "unknown"?' },
      { line: 3, column: 10, key: 'policy.rules' },
    ],
  });
  for (const yaml of ['rules: [', 'registry: /etc/passwd', 'rules: [{ when: { hours: noon }, then: {} }]']) {
    expect((await call(gateway, 'POST', '/admin/policy/validate', { yaml })).body.valid).toBe(false);
    expect((await call(gateway, 'PUT', '/admin/policy', { yaml, version: '0' })).status).toBe(422);
  }
  const odd = `${blocking}    - { name: again, when: { hosts: [www.${watched}] }, then: { action: allow } }\n`;
  expect((await call(gateway, 'POST', '/admin/policy/validate', { yaml: odd })).body).toMatchObject({
    valid: true,
    warnings: [
      { line: 4, column: 7, message: expect.stringContaining('rule "no aider" (line 3) comes first and covers it') },
    ],
  });
  // A replica of a later version may have accepted a policy with new types.
  const later = 'policy:\n  rules:\n    - { when: {}, then: { types: { EMIAL: block } } }\n';
  expect((await call(gateway, 'POST', '/admin/policy/validate', { yaml: later })).body).toMatchObject({
    valid: true,
    warnings: [{ line: 3, column: 36, message: 'is not a known type; did you mean "EMAIL"?' }],
  });
});

test('a policy is dry-run, published to every replica, survives a restart, and is reverted', async () => {
  const [first, second] = replicas as [Gateway, Gateway];
  await until(first, '200');
  await expect
    .poll(async () => (await call(first, 'POST', '/admin/policy/dry-run', { yaml: blocking })).body.changed)
    .toBeGreaterThan(0);
  const { body: tried } = await call(first, 'POST', '/admin/policy/dry-run', { yaml: blocking });
  expect(tried).toMatchObject({
    truncated: false,
    diffs: [
      {
        before: { action: 'warn', inspect: 'audit', rule: 'category monitoring' },
        after: { action: 'block', inspect: 'none', rule: 'no aider' },
        subjects: 1,
        examples: [{ host: watched, subject: '127.0.0.1' }],
      },
    ],
  });

  const { body: before } = await call(first, 'GET', '/admin/policy');
  expect(before).toMatchObject({ source: 'file', policy: { unknown: 'allow' } });
  const put = await call(first, 'PUT', '/admin/policy', { yaml: blocking, version: before.version });
  expect(put.status).toBe(200);
  expect((await get(first)).text).toMatch(/^(?:000|403)$/);
  await expect.poll(async () => (await get(second)).text).toMatch(/^(?:000|403)$/);
  const stale = await call(second, 'PUT', '/admin/policy', { yaml: blocking, version: before.version });
  expect(stale).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  expect((await call(second, 'GET', '/admin/policy')).body).toMatchObject({
    version: put.body.version,
    source: 'store',
    yaml: blocking,
  });
  // A reload reads the file, and the policy that replaces it stays.
  expect((await call(second, 'POST', '/admin/reload')).status).toBe(200);
  expect((await get(second)).text).toMatch(/^(?:000|403)$/);

  await second.stop();
  const third = await startGatewayProcess(options);
  replicas[1] = third;
  await expect.poll(async () => (await get(third)).text).toMatch(/^(?:000|403)$/);
  expect((await call(third, 'DELETE', '/admin/policy')).status).toBe(200);
  await until(first, '200');
  expect((await call(first, 'GET', '/admin/policy')).body.source).toBe('file');
});

describe('with the memory store', () => {
  test('a policy in the data folder survives a restart', async () => {
    const data = { PROXY_DATA_DIR: join(folder, 'memory-data') };
    const one = await startGateway({ hosts: { [watched]: origin }, env: data });
    expect((await call(one, 'PUT', '/admin/policy', { yaml: blocking, version: '0' })).status).toBe(200);
    await one.stop();
    const two = await startGateway({ hosts: { [watched]: origin }, env: data, replica: 2 });
    expect((await get(two)).text).toMatch(/^(?:000|403)$/);
    expect((await call(two, 'GET', '/admin/policy')).body).toMatchObject({ version: '1', source: 'store' });
    await two.stop();
  });
});

test('the report is available in every format', async () => {
  const [gateway] = replicas as [Gateway];
  await expect
    .poll(async () => (await call(gateway, 'GET', '/admin/report')).body.services?.[0]?.service)
    .toBe('aider');
  const html = await gateway.api('/admin/report?format=html');
  expect([html.headers.get('content-type'), await html.text()]).toEqual([
    'text/html; charset=utf-8',
    expect.stringContaining('<svg'),
  ]);
  expect(await (await gateway.api('/admin/report?format=csv&from=2026-01-01')).text()).toContain(
    'service,Aider,monitoring,',
  );
  expect((await call(gateway, 'GET', '/admin/report?from=2030-01-01')).status).toBe(422);
});
