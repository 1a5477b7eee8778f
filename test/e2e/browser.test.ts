/** A real browser behind the gateway: block page, a page over h2, a streamed chat, a WebSocket. */
import { beforeEach, describe, expect, test } from 'vitest';
import { shoot, startBrowser } from '../support/browser.ts';
import { startEcho } from '../support/echo.ts';
import { startGateway } from '../support/gateway.ts';
import type { OriginHandler } from '../support/origin.ts';
import { leaksIn, personal, prompt } from '../support/personal.ts';
import { defaultSay, makeProvider, tokensIn } from '../support/provider.ts';

const approved = 'chatgpt.com';
const blocked = '01.ai';
/** Screenshots of each run, for inspection; not under version control. */

const provider = makeProvider();
const handler: OriginHandler = (request, response) => {
  if (request.url.startsWith('/v1/')) return provider.handler(request, response);
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><title>Origin</title><h1>Hello over ${request.httpVersion}</h1>`);
};

const origin = await startEcho({ names: [approved, blocked], handler });
const gateway = await startGateway({ hosts: { [approved]: origin, [blocked]: origin } });
const browser = await startBrowser(gateway, { isDesktop: true });
beforeEach(() => {
  origin.reset();
  origin.messages.length = 0;
});

describe('a blocked service', () => {
  test.each(['http', 'https'])('shows the block page over %s', async (scheme) => {
    const before = origin.connections();
    const page = await browser.context.newPage();
    const answer = await page.goto(`${scheme}://${blocked}/chat?q=1`);
    expect(answer?.status()).toBe(403);
    await page.getByText(blocked).first().waitFor();
    await shoot(page, `block-page-${scheme}`);
    // The page must be self-contained: it may not need anything from the blocked host.
    expect(await page.evaluate('document.styleSheets.length + document.querySelectorAll("style").length')).not.toBe(0);
    expect(origin.connections()).toBe(before);
    await page.close();
  });

  test('a script of another page cannot access it', async () => {
    const page = await browser.context.newPage();
    await page.goto(`https://${approved}/`);
    await page.evaluate(`fetch('https://${blocked}/api', { mode: 'no-cors' }).catch(() => undefined)`);
    expect(origin.requests.filter((request) => request.serverName === blocked)).toEqual([]);
    await page.close();
  });
});

describe('an approved service', () => {
  test('is a trusted page over h2', async () => {
    const page = await browser.context.newPage();
    const answer = await page.goto(`https://${approved}/`);
    expect(answer?.status()).toBe(200);
    expect(await page.textContent('h1')).toMatch(/^Hello over /);
    expect(await page.evaluate('performance.getEntriesByType("navigation")[0].nextHopProtocol')).toBe('h2');
    expect((await answer?.securityDetails())?.issuer).toMatch(/privet/i);
    await shoot(page, 'page-h2');
    await page.close();
  });

  test('a streamed chat is masked at the origin and exact on the page', async () => {
    const page = await browser.context.newPage();
    await page.goto(`https://${approved}/`);
    const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: prompt }] });
    const stream = (await page.evaluate(
      `fetch('/v1/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' },
        body: ${JSON.stringify(body)} }).then((answer) => answer.text())`,
    )) as string;
    const text = [...stream.matchAll(/^data: (\{.*)$/gm)]
      .map(([, json]) => JSON.parse(json ?? '').choices[0]?.delta.content ?? '')
      .join('');
    expect(text).toBe(defaultSay(Object.values(personal)));
    expect(leaksIn(origin.everything())).toEqual([]);
    await page.close();
  });

  test('a WebSocket echo is masked at the origin and exact on the page', async () => {
    const page = await browser.context.newPage();
    await page.goto(`https://${approved}/`);
    const echoed = await page.evaluate(
      `new Promise((resolve, reject) => {
        const socket = new WebSocket('wss://${approved}/ws');
        socket.onopen = () => socket.send(${JSON.stringify(prompt)});
        socket.onmessage = (event) => resolve(event.data);
        socket.onclose = (event) => reject(new Error('closed with ' + event.code));
      })`,
    );
    expect(echoed).toBe(prompt);
    expect(leaksIn(origin.messages.join('\n'))).toEqual([]);
    expect(tokensIn(origin.messages.join('\n'))).toHaveLength(5);
    await page.close();
  });
});
