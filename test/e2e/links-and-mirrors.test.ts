/**
 * Personal data outside the messages: in links that a service is to fetch, and in header fields that describe the
 * request.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { openAiClient, proxiedFetch } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { jsonPost } from '../support/json-post.ts';
import { startOrigin } from '../support/origin.ts';

const host = 'api.openai.com';

const origin = await startOrigin({ names: [host], protocols: ['http/1.1'] });
const gateway = await startGateway({ hosts: { [host]: origin } });
const proxied = proxiedFetch(gateway);
beforeEach(() => origin.reset());

const sentBody = () => JSON.parse(origin.requests[0]?.body.toString() ?? '');
const sentHeader = (name: string) => origin.requests[0]?.headers[name];

describe('a link is masked as in a message', () => {
  test.each([
    'https://files.example/report?email=hana.morita%40example.co.jp',
    'https://files.example/u/+81-90-1234-5678/face.png',
    'https://files.example/?ssn=536-22-1234',
    'https://hana:Hunter2-secret-9@git.example/r.git',
    'ssh://git.example/r.git?owner=hana.morita%40example.co.jp',
  ])('%s', async (link) => {
    await openAiClient(proxied).chat.completions.create({
      model: 'm',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: link },
            { type: 'image_url', image_url: { url: link } },
            { type: 'input_image', image_url: link } as never,
            { fileData: { fileUri: link } } as never,
          ],
        },
      ],
      tools: [{ type: 'mcp', server_url: link } as never],
    });
    const { messages, tools } = sentBody();
    const [{ text }, picture, input, file] = messages[0].content;
    expect(text).not.toBe(link);
    expect([picture.image_url.url, input.image_url, file.fileData.fileUri, tools[0].server_url]).toEqual(
      Array(4).fill(text),
    );
  });

  test('a link without personal data is unchanged', async () => {
    const url = 'https://files.example/v2/4f1c9a/20260918/face.png?size=1024&v=17';
    const content = [{ type: 'image_url' as const, image_url: { url } }];
    await openAiClient(proxied).chat.completions.create({ model: 'm', messages: [{ role: 'user', content }] });
    expect(sentBody().messages[0].content).toEqual(content);
  });
});

const post = (headers: Record<string, string>, body: object = {}) =>
  proxied.fetch(`https://${host}/v1/mcp`, jsonPost(body, headers));
const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  [
    'http-referer',
    'https://app.example/chat?to=hana.morita%40example.co.jp',
    /^https:\/\/app\.example\/chat\?to=.*EMAIL-\d/,
  ],
  ['x-title', 'Letters to hana.morita@example.co.jp', /^Letters to \[EMAIL-\d\]$/],
  ['x-request-context', '{"asker":"hana.morita@example.co.jp"}', /^\{"asker":"\[EMAIL-\d\]"\}$/],
  ['x-litellm-tags', 'letters,hana.morita@example.co.jp', /^letters,\[EMAIL-\d\]$/],
  ['x-title', 'Offers 2026', /^Offers 2026$/],
])('the header %s: %s', async (name, value, sent) => {
  await post({ [name]: value });
  expect(sentHeader(name)).toMatch(sent);
});

test('a header in base64 is read', async () => {
  await post({ 'x-request-context': base64('{"asker":"hana.morita@example.co.jp","app":"letters"}') });
  expect(Buffer.from(String(sentHeader('x-request-context')), 'base64').toString()).toMatch(
    /^\{"asker":"\[EMAIL-\d\]","app":"letters"\}$/,
  );
});

describe('MCP fields that repeat the body', () => {
  const call = (args: object, name = 'send_mail') => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });

  test('repeat the masked body', async () => {
    const args = {
      to: 'hana.morita@example.co.jp',
      subject: '森田花 <hana.morita@example.co.jp>',
      card: 4111111111111111,
      count: 3,
    };
    await post(
      {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'send_mail',
        'mcp-param-to': args.to,
        'mcp-param-subject': `=?base64?${base64(args.subject)}?=`,
        'mcp-param-card': String(args.card),
        'mcp-param-count': '3',
      },
      call(args),
    );
    const sent = sentBody().params.arguments;
    expect(sent.to).toMatch(/^\[EMAIL-\d\]$/);
    expect(sentHeader('mcp-name')).toBe('send_mail');
    expect(sentHeader('mcp-param-to')).toBe(sent.to);
    const subject = String(sentHeader('mcp-param-subject'));
    const encoded = /^=\?base64\?(.*)\?=$/.exec(subject)?.[1];
    expect(encoded === undefined ? subject : Buffer.from(encoded, 'base64').toString()).toBe(sent.subject);
    expect(sentHeader('mcp-param-card')).toBe(String(sent.card));
    expect(sentHeader('mcp-param-count')).toBe('3');
    expect(origin.everything()).not.toMatch(/hana\.morita|4111111111111111/);
    expect(origin.everything()).not.toContain(base64(args.subject));
  });

  test('refer to a resource by its address', async () => {
    const uri = 'mail://inbox/?of=hana.morita%40example.co.jp';
    await post({ 'mcp-name': uri }, { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } });
    expect(sentHeader('mcp-name')).toBe(sentBody().params.uri);
    expect(sentBody().params.uri).toContain('[EMAIL-');
  });

  test('are inspected themselves if the body lacks them', async () => {
    await post({ 'mcp-param-to': 'hana.morita@example.co.jp' }, call({}));
    expect(sentHeader('mcp-param-to')).toMatch(/^\[EMAIL-\d\]$/);
  });
});
