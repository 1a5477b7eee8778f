/**
 * A token that a service has stored never stands for somebody else's value, whatever credential the caller uses later.
 */
import { afterAll, expect, test } from 'vitest';
import { startEcho } from '../support/echo.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { tempFolder } from '../support/temp.ts';
import { sendTls } from '../support/tunnel.ts';

const host = 'api.openai.com';
const addressOf = (name: string) => [name, 'corp.example'].join('@');

const folder = tempFolder('kept');
/** The conversations that the origin stores. */
const kept: string[] = [];

const origin = await startEcho({
  names: [host],
  handler: (request, response) => {
    kept.push(JSON.parse(request.body.toString()).input);
    const body = JSON.stringify({ output: kept.join(' | ') });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  },
});
const start = () => startGatewayProcess({ hosts: { [host]: origin }, env: { PROXY_DATA_DIR: folder } });
let gateway = await start();
afterAll(async () => {
  await gateway?.stop();
});

async function ask(credential: string, input: string): Promise<string> {
  const body = JSON.stringify({ model: 'm', input });
  const lines = ['POST /v1/responses HTTP/1.1', `Host: ${host}`, `Authorization: Bearer ${credential}`];
  lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, '', body);
  const answer = await sendTls(gateway, `${host}:443`, lines.join('\r\n'));
  return JSON.parse(answer.body.toString()).output;
}

test('after a credential is renewed, old tokens stay tokens', async () => {
  expect(await ask('ya29.AAA', `Write to ${addressOf('ann')}.`)).toBe(`Write to ${addressOf('ann')}.`);
  expect(kept[0]).toBe('Write to [EMAIL-1].');
  expect(await ask('ya29.BBB', `Write to ${addressOf('ben')}.`)).toBe(
    `Write to [EMAIL-1]. | Write to ${addressOf('ben')}.`,
  );
  // The session of the first credential still has its own.
  expect(await ask('ya29.AAA', 'Go on.')).toBe(`Write to ${addressOf('ann')}. | ${kept[1]} | Go on.`);
  expect(kept[1]).toBe('Write to [EMAIL-2].');
});

test('token numbers continue after a restart of the memory store, also after a crash', async () => {
  const before = kept.length;
  for (const [name, end] of [
    ['cleo', 'stop'],
    ['dora', 'kill'],
  ] as const) {
    await ask('sk-restart', `Write to ${addressOf(name)}.`);
    if (end === 'kill') process.kill(gateway.pid, 'SIGKILL');
    await gateway.stop();
    gateway = await start();
  }
  const answer = await ask('sk-restart', `Write to ${addressOf('ella')}.`);
  const numbers = kept.slice(before).map((text) => Number(/\[EMAIL-(\d+)\]/.exec(text)?.[1]));
  expect(numbers).toEqual([3, 4, expect.any(Number)]);
  expect(numbers[2]).toBeGreaterThan(4);
  expect(answer.endsWith(`${kept[before]} | ${kept[before + 1]} | Write to ${addressOf('ella')}.`)).toBe(true);
});
