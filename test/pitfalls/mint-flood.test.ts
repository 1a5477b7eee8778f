/** One client that opens tunnels to ever new hosts of a service: it is limited, the others are not. */
import { expect, onTestFinished, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { openTls, sendRaw } from '../support/tunnel.ts';

test('certificates for ever new hosts', async () => {
  const authority = new TestAuthority();
  const origin = await startOrigin({ authority, names: ['*.openai.com'] });
  const names = Array.from({ length: 4_000 }, (_, i) => `n${i}.openai.com`);
  const gateway = await startGateway({ authority, hosts: Object.fromEntries(names.map((name) => [name, origin])) });
  onTestFinished(async () => {
    await gateway.stop();
    await origin.close();
  });
  const ask = async (name: string, from: string) => {
    const socket = await openTls(gateway, `${name}:443`, { from }).catch(() => undefined);
    if (socket === undefined) return undefined;
    const { status } = await sendRaw(socket, `GET /v1/models HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
    socket.destroy();
    return status;
  };
  expect(await ask('n0.openai.com', '127.0.0.1')).toBe(200);
  let made = 0;
  let refused: string | undefined;
  const rest = names.slice(1).values();
  const flood = async () => {
    for (const name of rest) {
      if (refused !== undefined) return;
      const socket = await openTls(gateway, `${name}:443`).catch(() => undefined);
      if (socket === undefined) refused = name;
      else made++;
      socket?.destroy();
    }
  };
  await Promise.all(Array.from({ length: 20 }, flood));
  // Its allowance, and not less: an office may open many hosts.
  expect([made > 500, refused !== undefined]).toEqual([true, true]);
  // Hosts that have their certificate are served to it, and new ones to others.
  expect(await ask('n0.openai.com', '127.0.0.1')).toBe(200);
  expect(await ask('n3999.openai.com', '127.0.0.2')).toBe(200);
  expect((await fetch(`${gateway.apiUrl}/health`)).status).toBe(200);
}, 180_000);
