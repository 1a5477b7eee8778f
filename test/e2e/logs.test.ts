/** No content in logs, metrics, the gateway's own answers, or files, at any log level. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { proxiedFetch } from '../support/clients.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { startOrigin } from '../support/origin.ts';
import { leaksIn, prompt } from '../support/personal.ts';
import { makeProvider } from '../support/provider.ts';
import { exchangeRaw } from '../support/recorder.ts';
import { openTls } from '../support/tunnel.ts';

const hosts = ['api.openai.com', 'abridge.com', '01.ai'];
const canary = 'canary-7f3a91';
const authority = new TestAuthority();

const origin = await startOrigin({ authority, names: hosts, handler: makeProvider().handler });
const plain = await startOrigin();
const gateway = await startGatewayProcess({
  authority,
  hosts: Object.fromEntries(hosts.map((host) => [host, origin])),
  env: { LOG_LEVEL: 'debug' },
});

/** A request with the canary in every position that may hold a secret. */
async function send(host: string, path: string, body: string): Promise<string> {
  const { fetch, dispatcher } = proxiedFetch(gateway);
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${canary}-bearer`,
    cookie: `session=${canary}-cookie`,
    'x-api-key': `${canary}-key`,
  };
  const answer = await fetch(`https://${host}${path}?token=${canary}-query`, { method: 'POST', headers, body }).then(
    (response) => response.text(),
    () => '',
  );
  await dispatcher.close();
  return answer;
}

test('debug logs of good, refused and broken requests contain no value, key, cookie, query or token map', async () => {
  const body = { model: 'm', messages: [{ role: 'user', content: `${prompt} ${canary}-text` }] };
  for (const host of hosts) {
    await send(host, '/v1/chat/completions', JSON.stringify(body));
    await send(host, '/v1/chat/completions', JSON.stringify({ ...body, stream: true }));
    await send(host, '/v1/chat/completions', `${JSON.stringify(body).slice(0, -2)} ${canary}-broken`);
  }
  const target = `http://user:${canary}-password@${plain.address}/a?key=${canary}-query`;
  const lines = [
    `POST ${target} HTTP/1.1`,
    `Host: ${plain.address}`,
    `Proxy-Authorization: Basic ${Buffer.from(`u:${canary}`).toString('base64')}`,
    `Authorization: ${canary}-plain`,
    `Content-Length: ${prompt.length}`,
    'Connection: close',
  ];
  await exchangeRaw(gateway.proxyPort, `${lines.join('\r\n')}\r\n\r\n${prompt}`);
  const bad = `GET http://${plain.address}/bad?key=${canary} HTTP/1.1\r\nHost: ${plain.address}\r\nX A: ${canary}\r\n\r\n`;
  const badAnswer = await exchangeRaw(gateway.proxyPort, bad);
  const distrust = await openTls(gateway, 'api.openai.com:443', { ca: authority.pem }).catch(() => undefined);
  distrust?.destroy();
  const metrics = await (await gateway.api('/metrics')).text();

  expect(gateway.events().length).toBeGreaterThan(10);
  for (const [name, text] of [
    ['log', gateway.output()],
    ['metrics', metrics],
    ['answer', badAnswer],
  ] as const) {
    expect(leaksIn(text), name).toEqual([]);
    expect(text.includes(canary), `${name} holds the canary`).toBe(false);
    expect(text.includes(Buffer.from(`u:${canary}`).toString('base64')), `${name} holds credentials`).toBe(false);
  }
});

test('no file of the data folder contains a value', () => {
  const files = readdirSync(gateway.dataDir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const text = readFileSync(join(file.parentPath, file.name), 'latin1');
    expect(leaksIn(text), file.name).toEqual([]);
    expect(text.includes(canary), file.name).toBe(false);
  }
});

test('a response about an unreadable body does not quote it', async () => {
  const answer = await send('api.openai.com', '/v1/chat/completions', `{"a": "${prompt} ${canary}`);
  expect(answer).toMatch(/"code"/);
  expect(leaksIn(answer)).toEqual([]);
  expect(answer).not.toContain(canary);
});
