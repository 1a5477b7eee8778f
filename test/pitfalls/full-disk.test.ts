/**
 * The disk of the data folder is full: what needs space is refused with one sentence, everything else works, and
 * nothing acknowledged is lost.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serviceId } from '../../policy/service.ts';
import { proxiedFetch } from '../support/clients.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { jsonPost } from '../support/json-post.ts';
import { startOrigin } from '../support/origin.ts';
import { exchangeRaw, isCompleteAnswer } from '../support/recorder.ts';
import { smallDisk } from '../support/small-disk.ts';

const [host, monitored, blocked] = ['api.openai.com', 'abridge.com', '01.ai'];
const disk = smallDisk(48);

const origin = await startOrigin({
  names: [host as string, monitored as string],
  handler: ({ body }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(body);
  },
});
const gateway = await startGatewayProcess({
  hosts: { [host as string]: origin, [monitored as string]: origin },
  within: disk.within,
  env: { PROXY_DATA_DIR: join(disk.folder, 'data'), PROXY_STORE: 'sqlite' },
  config: { log: { audit: { sinks: [{ to: 'file', path: join(disk.folder, 'audit.log') }] } } },
});
const proxied = proxiedFetch(gateway);

/** The status, the code of a refusal, and what the service received. */
async function ask(content: string, to = host): Promise<{ status: number; code?: string; sent?: string }> {
  origin.reset();
  const body = JSON.stringify({ messages: [{ role: 'user', content }] });
  const answer = await proxied.fetch(`https://${to}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer one' },
    body,
  });
  const text = await answer.text();
  // Every answered client gets its own words back.
  if (answer.status === 200) expect(text).toBe(body);
  const code = answer.status === 200 ? undefined : (JSON.parse(text) as { error: { code: string } }).error.code;
  const [request] = origin.requests;
  const sent =
    request && (JSON.parse(request.body.toString()) as { messages: { content: string }[] }).messages[0]?.content;
  return { status: answer.status, ...(code === undefined ? {} : { code }), ...(sent === undefined ? {} : { sent }) };
}
const addService = (name: string) =>
  gateway.api('/shadow-ai/services', jsonPost({ service_name: name, domain: `${name}.example`, category: 'blocked' }));
const rootFiles = () => readdirSync(disk.seen(gateway.pid, 'data/ca')).sort();
const auditLines = () =>
  readFileSync(disk.seen(gateway.pid, 'audit.log'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { host: string; requestId: string });

test('refused while it is full, and recovered once there is space', async () => {
  const tokens = new Map<string, string>();
  const note = async (value: string) => {
    const { status, sent } = await ask(value);
    expect(status).toBe(200);
    tokens.set(value, sent as string);
  };
  await note('first@mail.example');
  expect((await addService('before')).status).toBe(201);
  const roots = rootFiles();

  disk.fill(gateway.pid);
  // SQLite may still fit a few values into its existing pages; then it reports the error.
  const refused: { status: number; code?: string; sent?: string }[] = [];
  for (let i = 0; i < 60 && refused.length < 5; i++) {
    const value = Array.from({ length: 100 }, (_, n) => `while${i}.${n}@mail.example`).join(' ');
    const outcome = await ask(value);
    if (outcome.status === 200) tokens.set(value, outcome.sent as string);
    else refused.push(outcome);
  }
  expect(refused).toEqual(Array.from({ length: 5 }, () => ({ status: 503, code: 'unavailable' })));
  expect([...tokens].filter(([, token]) => token.includes('@'))).toEqual([]);
  // Requests that need no space still work.
  const get = `GET http://${blocked}/ HTTP/1.1\r\nHost: ${blocked}\r\n\r\n`;
  expect(await exchangeRaw(gateway.proxyPort, get, { until: isCompleteAnswer })).toMatch(/^HTTP\/1\.1 403 /);
  expect((await ask('watched@mail.example', monitored)).status).toBe(200);
  expect((await ask('nothing to hide')).sent ?? 'refused').toMatch(/^(?:nothing to hide|refused)$/);
  // Changes are refused completely.
  const added = await addService('while-full');
  expect(added.status).toBe(503);
  expect(await added.text()).toMatch(/"code":"unavailable"/);
  const rotation = await gateway.api('/admin/ca/rotate', { method: 'POST', body: '{}' });
  if (rotation.status !== 200) {
    expect(rotation.status).toBe(503);
    expect(rootFiles()).toEqual(roots);
  }
  expect((await fetch(`${gateway.apiUrl}/health`)).status).toBe(200);
  // Requests that write nothing still work, which does not mean there is space.
  expect((await gateway.api('/admin/events?limit=1')).status).toBe(200);
  expect((await fetch(`${gateway.apiUrl}/ready`)).status).toBe(503);

  disk.free(gateway.pid);
  await expect.poll(async () => (await ask('after@mail.example')).status).toBe(200);
  await note('after@mail.example');
  expect((await fetch(`${gateway.apiUrl}/ready`)).status).toBe(200);
  // Every value with a token has kept it, and no token is assigned twice.
  for (const [value, token] of tokens)
    expect([value.slice(0, 20), (await ask(value)).sent]).toEqual([value.slice(0, 20), token]);
  expect(new Set(tokens.values()).size).toBe(tokens.size);
  const statusOf = async (key: string) => (await gateway.api(`/shadow-ai/services/${serviceId(key)}`)).status;
  expect([await statusOf('before'), await statusOf('while-full')]).toEqual([200, 404]);
  expect((await addService('later')).status).toBe(201);
  // The audit trail has every event, in the file and in the store: what the disk did not accept waited.
  const asked = tokens.size * 2 + refused.length;
  const stored = async () => {
    const page = (await (await gateway.api(`/admin/events?limit=500&host=${host}`)).json()) as { events: unknown[] };
    return page.events.length;
  };
  await expect.poll(stored).toBeGreaterThanOrEqual(asked);
  await expect.poll(() => auditLines().filter((line) => line.host === host).length).toBeGreaterThanOrEqual(asked);
  expect(gateway.output()).not.toMatch(/"level":"fatal"|uncaught/i);
  expect(gateway.events().filter(({ event }) => event === 'audit_write_failed').length).toBeLessThan(10);
});
