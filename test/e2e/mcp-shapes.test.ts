/** Instructions in the answers of an MCP server, in every member and spelling that a client reads. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, base64, document, events, order, startAgentGateway } from '../support/agent-gateway.ts';

let started: Awaited<ReturnType<typeof startAgentGateway>>;
beforeAll(async () => {
  started = await startAgentGateway();
});
afterAll(() => started?.stop());

describe('an MCP server cannot hide an instruction in', () => {
  const rpc = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  const of = (method: string) => ({ jsonrpc: '2.0', id: 1, method, params: { name: 'x', arguments: {} } });
  const result = (value: object) => document({ jsonrpc: '2.0', id: 1, result: value });
  const content = [{ type: 'text', text: order }];

  test.each<[what: string, method: string, answer: Answer]>([
    ['a result with a list of tools next to it', 'tools/call', result({ content, tools: [] })],
    ['the message of an error', 'tools/call', document({ jsonrpc: '2.0', id: 1, error: { code: -1, message: order } })],
    [
      'the data of an error',
      'tools/call',
      document({ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'x', data: { why: order } } }),
    ],
    ['a member `data`', 'tools/call', result({ content: [], structuredContent: { data: order } })],
    ['a member `type`', 'tools/call', result({ content: [], structuredContent: { rows: [{ type: order }] } })],
    [
      'a resource in base64',
      'tools/call',
      result({
        content: [{ type: 'resource', resource: { uri: 'a:b', mimeType: 'text/plain', blob: base64(order) } }],
      }),
    ],
    ['the result of a task', 'tasks/get', result({ taskId: 't', status: 'completed', result: { content } })],
    ['a custom member', 'tools/call', result({ output: order })],
    [
      'a prompt for the model',
      'tools/call',
      events({
        jsonrpc: '2.0',
        id: 9,
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: { type: 'text', text: order } }] },
      }),
    ],
    [
      'a prompt that waits for input',
      'tools/call',
      result({
        resultType: 'input_required',
        inputRequests: {
          a: {
            method: 'sampling/createMessage',
            params: { messages: [{ role: 'user', content: { type: 'text', text: order } }] },
          },
        },
      }),
    ],
    ['the description of a prompt', 'prompts/list', result({ prompts: [{ name: 'p', description: order }] })],
    [
      'the description of a resource',
      'resources/list',
      result({ resources: [{ uri: 'a:b', name: 'r', description: order }] }),
    ],
    [
      'an answer after a byte order mark',
      'tools/call',
      { type: 'application/json', body: `\ufeff${result({ content }).body}` },
    ],
    [
      'an answer with escaped names',
      'tools/call',
      { type: 'application/json', body: result({ content }).body.replace('jsonrpc', '\\u006asonrpc') },
    ],
    ['an answer without its version', 'tools/call', document({ id: 1, result: { content } })],
    ['a text', 'tools/call', { type: 'text/plain', body: ` \n${result({ content }).body}` }],
    ['an answer without a type', 'tools/call', { type: '', body: result({ content }).body }],
    [
      'events declared as text',
      'tools/call',
      {
        type: 'text/plain; charset=utf-8',
        body: `event: message\n${events({ jsonrpc: '2.0', id: 1, result: { content } }).body}`,
      },
    ],
    [
      'an answer that only some clients can read',
      'tools/call',
      { type: 'application/json', body: result({ content }).body.replace('{', '{"n":NaN,') },
    ],
  ])('%s', async (_what, method, given) => {
    const { text } = await started.send('tools', '/mcp', of(method), rpc, given);
    expect(text).toContain('-32010');
    expect(text).not.toMatch(/Ignore all|evil\.example/);
  });

  test.each(['not found', 'd', '', 'data'])('a text that is not a message stays: %j', async (body) => {
    const given = { type: 'text/plain', body };
    expect(await started.send('tools', '/mcp', of('tools/call'), rpc, given)).toMatchObject({
      status: 200,
      text: body,
    });
  });

  test('a stream at any path', async () => {
    const given = {
      type: 'text/event-stream',
      body: `event: endpoint\ndata: /m?s=1\n\nevent: message\n${events({ jsonrpc: '2.0', id: 1, result: { content } }).body}`,
    };
    const { text } = await started.send('tools', '/v1/events', undefined, { accept: 'text/event-stream' }, given);
    expect(text).toContain('data: /m?s=1');
    expect(text).toContain('-32010');
    expect(text).not.toContain('Ignore all');
  });

  test('a call without the protocol version, which some servers answer', async () => {
    const body = { id: 1, method: 'tools/call', params: { name: 'delete_all', arguments: {} } };
    expect((await started.send('tools', '/mcp', body, rpc)).sent).toBeUndefined();
    expect(
      (
        await started.send(
          'tools',
          '/mcp',
          `\ufeff${JSON.stringify(of('tools/call')).replace('"x"', '"delete_all"')}`,
          rpc,
        )
      ).sent,
    ).toBeUndefined();
  });
});
