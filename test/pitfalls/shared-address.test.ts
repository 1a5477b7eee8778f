/** Two browsers behind one address, at a service without accounts and cookies: it keeps working, for each by itself. */
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { type BrowserOptions, startBrowser } from '../support/browser.ts';
import { startEcho } from '../support/echo.ts';
import { startGateway } from '../support/gateway.ts';
import { listening } from '../support/listening.ts';

const host = 'chatgpt.com';
const value = ['ann.secret', 'corp.example'].join('@');
const authority = new TestAuthority();
/** The service keeps the last message of all its visitors. */
let kept = '';
const origin = await startEcho({
  authority,
  names: [host],
  handler: (request, response) => {
    if (request.url === '/')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    if (request.method === 'POST') kept = JSON.parse(request.body.toString()).messages[0].content;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices: [{ message: { content: kept } }] }));
  },
});
const gateway = await startGateway({ authority, hosts: { [host]: origin } });

/** A balancer that reports one address for all clients, as a NAT has. */
async function natUrl(): Promise<string> {
  await gateway.configure({
    auth: { clients: ['10.0.0.0/8'] },
    listen: { proxy_protocol_from: ['127.0.0.1/32'] },
  });
  const server = createServer((client) => {
    const inside = connect(gateway.proxyPort, '127.0.0.1');
    inside.write('PROXY TCP4 10.1.2.3 10.1.2.3 5000 3128\r\n');
    client.pipe(inside).pipe(client);
    for (const socket of [client, inside]) socket.on('error', () => undefined);
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

test('a page has its own values restored, over all its requests, and those of a neighbour stay tokens', async () => {
  const options: BrowserOptions = { proxyUrl: await natUrl(), trust: [authority.file] };
  const [ann, ben] = await Promise.all([startBrowser(gateway, options), startBrowser(gateway, options)]);
  const pages = await Promise.all([ann, ben].map(({ context }) => context.newPage()));
  for (const page of pages) await page.goto(`https://${host}/`);
  const asked = (content?: string) => {
    const body = content && JSON.stringify({ messages: [{ role: 'user', content }] });
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', headers, body };
    return `fetch('/v1/chat/completions', ${JSON.stringify(init)}).then((answer) => answer.text())`;
  };
  const [first, second] = pages;
  expect(await first?.evaluate(asked(`write to ${value}`))).toContain(value);
  expect(kept).toMatch(/^write to \[EMAIL-\d+\]$/);
  expect(await second?.evaluate(asked())).toContain(kept);
  expect(await first?.evaluate(asked())).toContain(value);
});
