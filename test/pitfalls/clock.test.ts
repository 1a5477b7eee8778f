/** The clock of the machine is set forward and back while the gateway runs. */
import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { jsonPost } from '../support/json-post.ts';
import { startOrigin } from '../support/origin.ts';
import { exchangeRaw, isCompleteAnswer, startRecorder } from '../support/recorder.ts';
import { tempFolder } from '../support/temp.ts';
import { openTunnel, sendRaw } from '../support/tunnel.ts';

const [host, watched] = ['api.openai.com', 'aicamp.so'] as const;
const [hour, year] = [3_600_000, 366 * 86_400_000];
const clock = join(tempFolder('clock'), 'ahead');

writeFileSync(clock, '0');
writeFileSync(`${clock}.seen`, '0');
const origin = await startOrigin({ names: [host, watched] });
const echo = await startRecorder((socket, sofar) => socket.write(sofar.subarray(-4)));
const gateway = await startGatewayProcess({
  hosts: { [host]: origin, [watched]: origin, 'echo.test': echo.address },
  config: { policy: { coach: true } },
  env: {
    TEST_CLOCK_FILE: clock,
    NODE_OPTIONS: `--import ${resolve(import.meta.dirname, '../support/shifted-clock.mjs')}`,
    PROXY_STORE: 'sqlite',
    PROXY_TOKEN_TTL: String(2 * hour),
  },
});

let ahead = 0;
/** Sets the clock, and waits until the gateway shows it. */
async function set(ms: number): Promise<void> {
  ahead = ms;
  writeFileSync(`${clock}.new`, String(ms));
  renameSync(`${clock}.new`, clock);
  await expect.poll(() => readFileSync(`${clock}.seen`, 'utf8')).toBe(String(ms));
}

/** A connection of a client that trusts the root; the tests check the validity times of certificates themselves. */
async function secure(name: string): Promise<TLSSocket> {
  const { socket } = await openTunnel(gateway, `${name}:443`);
  const client = connectTls({
    socket,
    servername: name,
    ca: gateway.ca,
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
  });
  onTestFinished(() => void client.destroy());
  client.on('error', () => undefined);
  await once(client, 'secureConnect');
  return client;
}

/** The text as the service receives it. */
async function sent(text: string): Promise<string> {
  origin.reset();
  const body = JSON.stringify({ messages: [{ role: 'user', content: text }] });
  const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer one\r\nContent-Type: application/json`;
  const { status } = await sendRaw(await secure(host), `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  expect(status).toBe(200);
  return (
    (JSON.parse(String(origin.requests[0]?.body)) as { messages: { content: string }[] }).messages[0]?.content ?? ''
  );
}

/** Whether the leaf and its chain are valid at the time that the gateway shows. */
async function chainCounts(name: string): Promise<boolean> {
  const at = Date.now() + ahead;
  let certificate: X509Certificate | undefined = (await secure(name)).getPeerX509Certificate();
  for (let depth = 0; certificate !== undefined && depth < 4; depth++) {
    const { validFromDate, validToDate } = certificate;
    if (validFromDate.getTime() > at || validToDate.getTime() < at) return false;
    certificate = certificate.issuerCertificate;
  }
  return true;
}

const navigation =
  'Accept: text/html\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\nUser-Agent: Mozilla/5.0';
async function visit(form?: string): Promise<{ status: number; ticket: string }> {
  const head =
    form === undefined
      ? `GET / HTTP/1.1\r\nHost: ${watched}\r\n${navigation}\r\n\r\n`
      : `POST /.privet/coach HTTP/1.1\r\nHost: ${watched}\r\n${navigation}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`;
  const { status, body } = await sendRaw(await secure(watched), head);
  return { status, ticket: /name="ticket" value="([^"]+)"/.exec(body.toString())?.[1] ?? '' };
}

test('forward and back: expiries follow the clock, connections and limits continue, and no certificate is out of date', async () => {
  const { socket: tunnel } = await openTunnel(gateway, 'echo.test:443');
  onTestFinished(() => void tunnel.destroy());
  tunnel.resume();
  let round = 0;
  const tunnelLives = async () => {
    const text = `\x01${String(round++).padStart(3, '0')}`;
    const got = once(tunnel, 'data');
    tunnel.write(text);
    return String((await got)[0]) === text;
  };
  const created = await gateway.api('/admin/keys', jsonPost({ name: 'app', plan: 'starter' }));
  const key = (await created.json()) as { id: string; key: string };
  const demoStatus = async () => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${gateway.apiUrl}/demo/detect`, { method: 'POST', headers, body: '{"text":"hello"}' })).status;
  };
  const callStatus = async () =>
    (
      await fetch(`${gateway.apiUrl}/detect`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
        body: '{"text":"hello"}',
      })
    ).status;

  expect(await sent('ana@mail.example, ben@mail.example')).toBe('[EMAIL-1], [EMAIL-2]');
  const first = await visit();
  expect(first.status).toBe(403);

  await set(hour);
  expect(await sent('ben@mail.example')).toBe('[EMAIL-2]');
  expect(await chainCounts(host)).toBe(true);
  expect(await tunnelLives()).toBe(true);
  // A confirmation is valid for eight hours.
  const second = await visit();
  expect((await visit(`ticket=${second.ticket}`)).status).toBe(303);
  expect((await visit()).status).toBe(200);

  await set(year);
  // The session has ended: its tokens are no longer restored, and the next one starts again.
  expect(await sent('ben@mail.example')).toBe('[EMAIL-3]');
  expect(await chainCounts(host)).toBe(true);
  expect(await chainCounts(watched)).toBe(true);
  // The confirmation has expired too, and an old form can no longer be submitted.
  expect((await visit(`ticket=${first.ticket}`)).status).toBe(403);
  expect((await visit()).status).toBe(403);
  expect(await tunnelLives()).toBe(true);
  // The client's limit per minute is used up.
  for (let i = 0; i < 40; i++) await demoStatus();
  expect(await demoStatus()).toBe(429);
  expect(await callStatus()).toBe(200);
  expect((await fetch(`${gateway.apiUrl}/ready`)).status).toBe(200);

  await set(-hour);
  expect(await chainCounts(host)).toBe(true);
  expect(await chainCounts(watched)).toBe(true);
  expect(await sent('cleo@mail.example')).toMatch(/^\[EMAIL-\d+\]$/);
  expect(await tunnelLives()).toBe(true);
  // A window that ends in a year is ignored, and certificates for new hosts are issued at once.
  expect(await demoStatus()).toBe(200);
  for (let i = 0; i < 3; i++) expect(await chainCounts(`new${i}.${host}`)).toBe(true);
  // A key is not cached any longer, either, because the clock was set back.
  expect((await gateway.api(`/admin/keys/${key.id}`, { method: 'DELETE' })).ok).toBe(true);
  await expect.poll(callStatus).toBe(401);
  const get = 'GET http://01.ai/ HTTP/1.1\r\nHost: 01.ai\r\n\r\n';
  expect(await exchangeRaw(gateway.proxyPort, get, { until: isCompleteAnswer })).toMatch(/^HTTP\/1\.1 403 /);
});
