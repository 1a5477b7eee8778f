/** Tickets of the coaching page: forged, from another gateway, and submitted again after the confirmation. */
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { hashPassword } from '../../gateway/users/password-hash.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { openTls, sendRaw } from '../support/tunnel.ts';

const host = 'alphaxiv.org';
const password = 'correct horse battery';

const origin = await startOrigin({ names: [host] });
const users = ['cleo', 'dora'].map((name) => ({ name, password_hash: hashPassword(password) }));
const config = { auth: { proxy: { mode: 'basic', users } }, policy: { coach: true, coach_ttl: '3s' } };
const [gateway, other] = await Promise.all(
  [1, 2].map((replica) => startGateway({ hosts: { [host]: origin }, config, replica })) as [
    Promise<Gateway>,
    Promise<Gateway>,
  ],
);
afterAll(async () => {
  await Promise.all([gateway?.stop(), other?.stop(), origin?.close()]);
});

/** The status of the page, or of the answer to its form, and its ticket. */
async function ask(user: string, form?: string, to = gateway): Promise<{ status: number; ticket: string }> {
  const credentials = Buffer.from(`${user}:${password}`).toString('base64');
  const socket = await openTls(to, `${host}:443`, { fields: [`Proxy-Authorization: Basic ${credentials}`] });
  onTestFinished(() => void socket.destroy());
  const browser = [
    'Accept: text/html',
    'Sec-Fetch-Mode: navigate',
    'Sec-Fetch-Dest: document',
    'User-Agent: Mozilla/5.0',
  ];
  const body = form === undefined ? '' : `ticket=${form}`;
  const head =
    form === undefined
      ? ['GET /x HTTP/1.1']
      : [
          'POST /.privet/coach HTTP/1.1',
          'Content-Type: application/x-www-form-urlencoded',
          `Content-Length: ${body.length}`,
        ];
  const answer = await sendRaw(socket, `${[...head, `Host: ${host}`, ...browser].join('\r\n')}\r\n\r\n${body}`);
  const ticket = /name="ticket" value="([^"]+)"/.exec(answer.body.toString())?.[1] ?? '';
  return { status: answer.status, ticket };
}

test('a ticket of another gateway, and one with any letter changed, confirm nothing', async () => {
  const foreign = await ask('cleo', undefined, other);
  expect(foreign.ticket).not.toBe('');
  expect((await ask('cleo', foreign.ticket)).status).toBe(403);
  const { ticket } = await ask('cleo');
  // The last letter of a base64 text has unused bits.
  for (let i = 0; i < 24; i++) {
    const at = Math.floor((i * (ticket.length - 2)) / 24);
    const changed = `${ticket.slice(0, at)}${ticket[at] === 'A' ? 'B' : 'A'}${ticket.slice(at + 1)}`;
    expect((await ask('cleo', changed)).status).toBe(403);
  }
  expect((await ask('cleo')).status).toBe(403);
});

test('a used ticket is useless after its confirmation expires', async () => {
  const { ticket } = await ask('dora');
  expect((await ask('dora', ticket)).status).toBe(303);
  expect((await ask('dora')).status).toBe(200);
  await vi.waitFor(async () => expect((await ask('dora')).status).toBe(403), { timeout: 120_000, interval: 500 });
  await ask('dora', ticket);
  expect((await ask('dora')).status).toBe(403);
});
