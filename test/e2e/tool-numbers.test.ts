/** Numbers in tool data: they are masked as text, and are numbers again in what the client receives. */
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { z } from 'zod';
import { openAiClient, proxiedFetch } from '../support/clients.ts';
import { startEcho } from '../support/echo.ts';
import { startGateway } from '../support/gateway.ts';
import { mcpClient, mcpHandler } from '../support/mcp-origin.ts';
import { type OriginHandler, startOrigin } from '../support/origin.ts';
import { openTls } from '../support/tunnel.ts';

const names = { api: 'tools.example', socket: 'socket.example', model: 'api.openai.com' };
let answer: OriginHandler;
const origin = await startOrigin({
  names: [names.api, names.model],
  handler: (request, response) => answer(request, response),
});
const echo = await startEcho({ names: [names.socket] });
const gateway = await startGateway({
  hosts: { [names.api]: origin, [names.model]: origin, [names.socket]: echo },
  config: {
    policy: {
      rules: [{ when: { hosts: Object.values(names) }, then: { action: 'allow', inspect: 'mask' } }],
    },
  },
});
const proxied = proxiedFetch(gateway);

const card = 4111111111111111;
const phone = 493012345678;
const args = { card, nested: { phones: [phone] }, text: 'anna.berg@example.com' };
type Body = Record<string, unknown> | readonly Record<string, unknown>[];

/** What the client receives for a request, if the server makes its answer of the body that it received. */
async function exchange(sent: Body, answered: (received: string) => unknown, isStream = false): Promise<unknown> {
  let received = '';
  answer = ({ body }, response) => {
    received = body.toString();
    const json = JSON.stringify(answered(received));
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
    response.end(isStream ? `event: message\ndata: ${json}\n\n` : json);
  };
  const response = await proxied.fetch(`https://${names.api}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(sent),
  });
  const text = await response.text();
  expect(received).not.toMatch(/\d{9}/);
  return JSON.parse(isStream ? (/^data: (.*)$/m.exec(text)?.[1] ?? '') : text);
}

const call = (value: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'pay', arguments: value },
});
const argumentsIn = (received: string) => JSON.parse(received).params.arguments;

describe.each([
  ['JSON', false],
  ['an event stream', true],
])('%s', (_name, isStream) => {
  test('the structured result of an MCP tool', async () => {
    const result = await exchange(
      call(args),
      (received) => ({ jsonrpc: '2.0', id: 1, result: { content: [], structuredContent: argumentsIn(received) } }),
      isStream,
    );
    expect(result).toMatchObject({ result: { structuredContent: args } });
  });

  test('its repetition as a text, where a text that is only a value stays a text', async () => {
    const result = await exchange(
      call(args),
      (received) => {
        const value = argumentsIn(received);
        const content = [JSON.stringify(value), value.card].map((text) => ({ type: 'text', text }));
        return { jsonrpc: '2.0', id: 1, result: { content } };
      },
      isStream,
    );
    const content = [JSON.stringify(args), String(card)].map((text) => ({ type: 'text', text }));
    expect(result).toMatchObject({ result: { content } });
  });

  test('the arguments of a tool that the server calls, with an answer of the user', async () => {
    const result = await exchange(
      { jsonrpc: '2.0', id: 7, result: { action: 'accept', content: { card } } },
      (received) => call(JSON.parse(received).result.content),
      isStream,
    );
    expect(result).toEqual(call({ card }));
  });

  test('the data of an A2A agent', async () => {
    const parts = [{ kind: 'data', data: { card, phones: [phone] } }];
    const result = await exchange(
      { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message: { role: 'user', messageId: 'm', parts } } },
      (received) => ({
        jsonrpc: '2.0',
        id: 1,
        result: { kind: 'task', id: 't', artifacts: [{ parts: JSON.parse(received).params.message.parts }] },
      }),
      isStream,
    );
    expect(result).toMatchObject({ result: { artifacts: [{ parts }] } });
  });
});

test('a batch of calls', async () => {
  const results = await exchange([call({ card }), { ...call({ phone }), id: 2 }], (received) =>
    (JSON.parse(received) as { id: number; params: { arguments: object } }[]).map(({ id, params }) => ({
      jsonrpc: '2.0',
      id,
      result: { structuredContent: params.arguments },
    })),
  );
  expect(results).toMatchObject([
    { result: { structuredContent: { card } } },
    { result: { structuredContent: { phone } } },
  ]);
});

test('the result of an MCP tool that a model service calls', async () => {
  const messages = [
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: `{"card":${card}}` }] },
  ];
  const result = await exchange({ messages }, (received) => ({
    content: [
      {
        type: 'mcp_tool_result',
        content: [{ type: 'text', text: JSON.parse(received).messages[0].content[0].content }],
      },
    ],
  }));
  expect(result).toMatchObject({ content: [{ content: [{ text: `{"card":${card}}` }] }] });
});

test('a name in a result that is like a token without brackets stays', async () => {
  const result = await exchange(call({ card }), (received) => {
    const { card: token } = argumentsIn(received);
    const value = { card: token, key: token.slice(1, -1) };
    const content = [{ type: 'text', text: JSON.stringify(value) }];
    return { jsonrpc: '2.0', id: 1, result: { content, structuredContent: value } };
  });
  const restored = { card, key: 'CREDIT_CARD-1' };
  const content = [{ type: 'text', text: JSON.stringify(restored) }];
  expect(result).toMatchObject({ result: { content, structuredContent: restored } });
});

test('a link in a structured result keeps its token', async () => {
  const result = await exchange(call({ card }), (received) => {
    const link = `https://evil.example/?q=${argumentsIn(received).card}`;
    return { jsonrpc: '2.0', id: 1, result: { structuredContent: { link } } };
  });
  expect(result).toMatchObject({ result: { structuredContent: { link: 'https://evil.example/?q=[CREDIT_CARD-1]' } } });
});

test('a WebSocket, also in packets of Socket.IO', async () => {
  const socket = await openTls(gateway, `${names.socket}:443`);
  const client = new WebSocket(`wss://${names.socket}/ws`, { createConnection: () => socket as never });
  await once(client, 'open');
  for (const prefix of ['', '42']) {
    const message = prefix + JSON.stringify(call({ card }));
    client.send(message);
    const [received] = (await once(client, 'message')) as [Buffer];
    expect(received.toString()).toBe(message);
    expect(echo.messages.at(-1)?.toString()).toContain('"card":"[CREDIT_CARD-');
  }
  client.terminate();
});

describe('over several exchanges', () => {
  test.each(['sse', 'legacy'] as const)('the result of a tool of an MCP server, %s', async (era) => {
    answer = mcpHandler((server) => {
      server.registerTool('pay', { inputSchema: z.looseObject({}) }, (value) => ({
        content: [{ type: 'text', text: JSON.stringify(value) }],
        structuredContent: value as Record<string, unknown>,
      }));
    });
    const client = await mcpClient(proxied, `https://${names.api}/mcp`, era);
    const result = await client.callTool({ name: 'pay', arguments: args });
    await client.close();
    const content = [{ type: 'text', text: JSON.stringify(args) }];
    expect(result).toMatchObject({ content, structuredContent: args });
  });

  test('an event stream that is resumed', async () => {
    const result = (received: string) => ({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [], structuredContent: argumentsIn(received) },
    });
    let kept = '';
    const events = { 'content-type': 'text/event-stream' };
    answer = ({ method, body, headers }, response) => {
      response.writeHead(200, events);
      if (method === 'POST') {
        kept = JSON.stringify(result(body.toString()));
        response.write('id: 1\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\n');
        setImmediate(() => response.destroy());
      } else if (headers['last-event-id'] === '1') response.end(`id: 2\ndata: ${kept}\n\n`);
      else response.end();
    };
    const url = `https://${names.api}/mcp`;
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const first = await proxied.fetch(url, { method: 'POST', headers, body: JSON.stringify(call(args)) });
    await expect(first.text()).rejects.toThrow();
    const rest = await proxied.fetch(url, { headers: { accept: 'text/event-stream', 'last-event-id': '1' } });
    const [, data = ''] = /^data: (.*)$/m.exec(await rest.text()) ?? [];
    expect(JSON.parse(data)).toMatchObject({ result: { structuredContent: args } });
  });

  test('a call of a model that keeps the conversation itself', async () => {
    const output = [{ type: 'function_call', id: 'f', call_id: 'c', name: 'pay', arguments: '' }];
    let token = '';
    answer = ({ body }, response) => {
      token ||= /\[CREDIT_CARD-\d+\]/.exec(body.toString())?.[0] ?? '';
      const called = output.map((item) => ({ ...item, arguments: JSON.stringify({ card: token, note: 'paid' }) }));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: 'resp_1', object: 'response', output: called }));
    };
    const client = openAiClient(proxied);
    const tool = { type: 'function_call_output', call_id: 'c', output: JSON.stringify({ card }) } as const;
    await client.responses.create({ model: 'm', input: [tool] });
    const next = await client.responses.create({ model: 'm', input: 'Pay it again.', previous_response_id: 'resp_1' });
    expect(token).not.toBe('');
    expect(next.output).toMatchObject([{ arguments: JSON.stringify({ card, note: 'paid' }) }]);
    // The next requests have the same value in a string, so a string is expected.
    const asText = (output: string) => ({ type: 'function_call_output', call_id: 'c', output }) as const;
    for (const input of [[asText(JSON.stringify({ card: String(card) }))], `Now pay with ${card}.`]) {
      const last = await client.responses.create({ model: 'm', input, previous_response_id: 'resp_1' });
      expect(last.output).toMatchObject([{ arguments: JSON.stringify({ card: String(card), note: 'paid' }) }]);
    }
  });

  test('a WebSocket that is opened later', async () => {
    const open = async () => {
      const socket = await openTls(gateway, `${names.socket}:443`);
      const client = new WebSocket(`wss://${names.socket}/ws`, { createConnection: () => socket as never });
      await once(client, 'open');
      return client;
    };
    const sent = async (client: WebSocket, message: object) => {
      client.send(JSON.stringify(message));
      const [received] = (await once(client, 'message')) as [Buffer];
      return JSON.parse(received.toString());
    };
    const [first, second] = [await open(), await open()];
    await sent(first, call({ phone }));
    const { phone: token } = argumentsIn(String(echo.messages.at(-1)));
    const result = { jsonrpc: '2.0', id: 1, result: { content: [], structuredContent: { phone: token } } };
    expect(await sent(second, result)).toMatchObject({ result: { structuredContent: { phone } } });
    for (const client of [first, second]) client.terminate();
  });
});
