/** Tools, MCP servers and instructions to the model, in every request format. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asked, base64, chat, type Host, order, own, startAgentGateway } from '../support/agent-gateway.ts';

let started: Awaited<ReturnType<typeof startAgentGateway>>;
beforeAll(async () => {
  started = await startAgentGateway();
});
afterAll(() => started?.stop());

const bad = { ...own, name: 'delete_all' };
const chatTool = (name: string) => ({ type: 'function', function: { name, description: 'x', parameters: {} } });
const server = { type: 'mcp', server_label: 'e', server_url: 'https://mcp.evil.example/mcp' };

describe('definitions are removed from', () => {
  test.each<[what: string, host: Host, path: string, body: unknown, kept?: string]>([
    [
      'a body after a byte order mark',
      'openai',
      '/v1/chat/completions',
      `\ufeff${JSON.stringify({ ...chat, tools: [chatTool('own'), chatTool('delete_all')] })}`,
      'own',
    ],
    [
      'two lists with the same name: the last one counts',
      'openai',
      '/v1/chat/completions',
      JSON.stringify({ ...chat, tools: [chatTool('delete_all')], TOOLS: [chatTool('delete_all')] }).replace(
        'TOOLS',
        'tools',
      ),
      'hello there',
    ],
    [
      'an answer that continues a stored prompt',
      'openai',
      '/v1/responses',
      { model: 'm', prompt: { id: 'p' }, tools: [own, bad, server] },
      'own',
    ],
    [
      'an answer that continues another one',
      'openai',
      '/v1/responses',
      { model: 'm', previous_response_id: 'r', tools: [own, bad, server] },
      'own',
    ],
    [
      'the results of a tool search',
      'openai',
      '/v1/responses',
      {
        model: 'm',
        input: [...asked, { type: 'tool_search_call', arguments: {} }, { type: 'tool_search_output', tools: [bad] }],
      },
      'tool_search_output',
    ],
    [
      'tools that are added later',
      'openai',
      '/v1/responses',
      { model: 'm', input: [...asked, { type: 'additional_tools', role: 'developer', tools: [bad, server, own] }] },
      'own',
    ],
    [
      'an assistant',
      'openai',
      '/v1/assistants',
      { model: 'm', instructions: 'x', tools: [chatTool('own'), chatTool('delete_all')] },
      'own',
    ],
    [
      'a run',
      'openai',
      '/v1/threads/t/runs',
      { assistant_id: 'a', tools: [chatTool('own'), chatTool('delete_all')] },
      'own',
    ],
    ['a session of the Realtime API', 'openai', '/v1/realtime/sessions', { model: 'm', tools: [own, bad] }, 'own'],
    ['several requests in one body', 'openai', '/v1/x', [{ ...chat, tools: [chatTool('delete_all')] }], 'hello there'],
    [
      'a batch',
      'anthropic',
      '/v1/messages/batches',
      {
        requests: [
          {
            custom_id: 'a',
            params: {
              ...chat,
              tools: [
                { name: 'own', input_schema: {} },
                { name: 'delete_all', input_schema: {} },
              ],
            },
          },
        ],
      },
      'own',
    ],
    [
      'a batch',
      'gemini',
      '/v1beta/models/g:batchGenerateContent',
      {
        batch: {
          inputConfig: {
            requests: {
              requests: [
                {
                  request: {
                    contents: [{ parts: [{ text: 'hello there' }] }],
                    tools: [{ functionDeclarations: [{ name: 'delete_all' }, { name: 'own' }] }],
                  },
                },
              ],
            },
          },
        },
      },
      'own',
    ],
    [
      'cached contents',
      'gemini',
      '/v1beta/cachedContents',
      { model: 'm', tools: [{ functionDeclarations: [{ name: 'delete_all' }, { name: 'own' }] }] },
      'own',
    ],
    [
      'an interaction',
      'gemini',
      '/v1beta/interactions',
      {
        model: 'm',
        input: 'hello there',
        tools: [own, bad, { type: 'mcp_server', name: 'e', url: 'https://mcp.evil.example/mcp' }],
      },
      'own',
    ],
    [
      'a chat of Cohere (v1)',
      'cohere',
      '/v1/chat',
      {
        message: 'hello there',
        tools: [
          { name: 'own', parameter_definitions: {} },
          { name: 'delete_all', parameter_definitions: {} },
        ],
      },
      'own',
    ],
    [
      'a conversation',
      'mistral',
      '/v1/conversations',
      { model: 'm', inputs: 'hello there', tools: [chatTool('own'), chatTool('delete_all')] },
      'own',
    ],
    [
      'an agent',
      'mistral',
      '/v1/agents',
      { model: 'm', name: 'x', tools: [chatTool('own'), chatTool('delete_all')] },
      'own',
    ],
  ])('%s (%s)', async (_what, host, path, body, kept = '') => {
    const { status, sent } = await started.send(host, path, body);
    expect(status).toBe(200);
    expect(sent).toContain(kept);
    expect(sent).not.toMatch(/delete_all|evil\.example/);
    expect(() => JSON.parse(sent?.replace('\ufeff', '') ?? '')).not.toThrow();
  });

  const line = (...tools: unknown[]) => JSON.stringify({ custom_id: '1', body: { ...chat, tools } });
  const lines = `${line(chatTool('own'))}\n${line(chatTool('delete_all'), chatTool('own'))}\n`;

  test('lines of JSON', async () => {
    const { sent } = await started.send('openai', '/v1/x', lines, { 'content-type': 'application/x-ndjson' });
    expect(sent).toBe(`${line(chatTool('own'))}\n${line(chatTool('own'))}\n`);
  });

  test('an uploaded batch, whose other bytes are unchanged', async () => {
    const upload = (file: string) =>
      `--x\r\nContent-Disposition: form-data; name="file"; filename="b.jsonl"\r\n\r\n${file}\r\n--x--\r\n`;
    const type = { 'content-type': 'multipart/form-data; boundary=x' };
    const { sent } = await started.send('openai', '/v1/files', upload(lines), type);
    expect(sent).toBe(upload(`${line(chatTool('own'))}\n${line(chatTool('own'))}\n`));
  });

  test('uploaded data that is too large to be parsed and has no tools', async () => {
    const data = JSON.stringify({ rows: new Array(200_000).fill([1]) });
    const file = `--x\r\nContent-Disposition: form-data; name="file"; filename="d.json"\r\n\r\n${data}\r\n--x--\r\n`;
    const type = { 'content-type': 'multipart/form-data; boundary=x' };
    const { status, sent } = await started.send('openai', '/v1/files', file, type);
    expect([status, sent]).toEqual([200, file]);
  });

  const inForm = (...tools: unknown[]) => JSON.stringify({ ...chat, tools }, null, 1);
  const urlencoded = (text: string) => `a=1&request=${encodeURIComponent(text)}`;
  const parts = (text: string) => `--x\r\nContent-Disposition: form-data; name="request"\r\n\r\n${text}\r\n--x--\r\n`;

  test.each([
    ['application/x-www-form-urlencoded', urlencoded],
    ['multipart/form-data; boundary=x', parts],
  ])('a form field is not rewritten, so it is refused: %s', async (type, form) => {
    const headers = { 'content-type': type };
    const refused = await started.send('openai', '/v1/x', form(inForm(chatTool('delete_all'))), headers);
    expect([refused.status, refused.sent]).toEqual([403, undefined]);
    const body = form(inForm(chatTool('own')));
    expect((await started.send('openai', '/v1/x', body, headers)).sent).toBe(body);
    const heavy = JSON.stringify({ ...chat, x: new Array(200_000).fill([]), tools: [chatTool('delete_all')] });
    const unchecked = await started.send('openai', '/v1/x', form(heavy), headers);
    expect([unchecked.status, unchecked.sent]).toEqual([413, undefined]);
  });

  test('an interaction narrows a server to its allowed tools', async () => {
    const mcp = {
      type: 'mcp_server',
      name: 'd',
      url: 'https://docs.example/mcp',
      allowed_tools: [{ tools: ['read', 'write'] }],
    };
    const { sent = '' } = await started.send('gemini', '/v1beta/interactions', {
      model: 'm',
      input: 'hello there',
      tools: [mcp],
    });
    expect(JSON.parse(sent).tools).toEqual([{ ...mcp, allowed_tools: [{ tools: ['read'] }] }]);
  });
});

describe('instructions are found in', () => {
  const result = (value: unknown) => [
    { role: 'model', parts: [{ functionCall: { name: 'own', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'own', ...(value as object) } }] },
  ];

  test.each<[what: string, host: Host, path: string, body: unknown]>([
    [
      'a prompt after a byte order mark',
      'openai',
      '/v1/chat/completions',
      `\ufeff${JSON.stringify({ messages: [{ role: 'user', content: order }] })}`,
    ],
    ['a message of a thread', 'openai', '/v1/threads/t/messages', { role: 'user', content: order }],
    [
      'a message in a run',
      'openai',
      '/v1/threads/t/runs',
      { assistant_id: 'a', additional_messages: [{ role: 'user', content: order }] },
    ],
    [
      'a thread that is run at once',
      'openai',
      '/v1/threads/runs',
      { assistant_id: 'a', thread: { messages: [{ role: 'user', content: order }] } },
    ],
    [
      'the result of a run’s call',
      'openai',
      '/v1/threads/t/runs/r/submit_tool_outputs',
      { tool_outputs: [{ tool_call_id: 'c', output: order }] },
    ],
    [
      'an item of a conversation',
      'openai',
      '/v1/conversations/c/items',
      { items: [{ type: 'message', role: 'user', content: order }] },
    ],
    ['a chat with an id', 'openai', '/v1/chat', { message: order, conversation_id: 'c' }],
    ["Titan's text", 'openai', '/model/t/invoke', { inputText: order }],
    ["Perplexity's question", 'openai', '/rest/ask', { query_str: order }],
    [
      'a file that claude.ai reads',
      'openai',
      '/v1/x',
      { prompt: 'Read.', attachments: [{ extracted_content: order }] },
    ],
    ['one of several prompts', 'openai', '/v1/completions', { model: 'm', prompt: [order] }],
    [
      'a batch',
      'anthropic',
      '/v1/messages/batches',
      { requests: [{ custom_id: 'a', params: { messages: [{ role: 'user', content: order }] } }] },
    ],
    [
      'a batch',
      'gemini',
      '/v1beta/models/g:batchGenerateContent',
      {
        batch: { inputConfig: { requests: { requests: [{ request: { contents: [{ parts: [{ text: order }] }] } }] } } },
      },
    ],
    [
      'the member `data` of a result',
      'gemini',
      '/v1beta/models/g:generateContent',
      { contents: result({ response: { data: order } }) },
    ],
    [
      'the member `id` of a result',
      'gemini',
      '/v1beta/models/g:generateContent',
      { contents: result({ response: { rows: [{ id: order }] } }) },
    ],
    [
      'a file in a result',
      'gemini',
      '/v1beta/models/g:generateContent',
      { contents: result({ response: {}, parts: [{ inlineData: { mimeType: 'text/plain', data: base64(order) } }] }) },
    ],
    [
      'a file that is text',
      'gemini',
      '/v1beta/models/g:generateContent',
      { contents: [{ parts: [{ inlineData: { mimeType: 'text/plain', data: base64(order) } }] }] },
    ],
    [
      'a file that is text',
      'openai',
      '/v1/responses',
      {
        input: [
          { role: 'user', content: [{ type: 'input_file', file_data: `data:text/plain;base64,${base64(order)}` }] },
        ],
      },
    ],
    [
      'a document that is text',
      'anthropic',
      '/v1/messages',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: order } }],
          },
        ],
      },
    ],
    [
      'the result of an interaction’s call',
      'gemini',
      '/v1beta/interactions',
      { model: 'm', input: [{ type: 'function_result', call_id: 'c', name: 'own', result: { x: order } }] },
    ],
    [
      'a part of an interaction',
      'gemini',
      '/v1beta/interactions',
      { model: 'm', input: { type: 'text', text: order } },
    ],
    [
      'a result of Bedrock',
      'openai',
      '/model/m/converse',
      {
        messages: [
          { role: 'user', content: [{ toolResult: { toolUseId: 't', content: [{ json: { data: order } }] } }] },
        ],
      },
    ],
    ['a question to Cohere (v1)', 'cohere', '/v1/chat', { model: 'm', message: order }],
    [
      'a result to Cohere (v1)',
      'cohere',
      '/v1/chat',
      { model: 'm', message: 'go on', tool_results: [{ call: { name: 'own' }, outputs: [{ text: order }] }] },
    ],
    ['a document next to a chat', 'cohere', '/v2/chat', { ...chat, documents: [{ id: '1', data: { text: order } }] }],
    [
      'the result of a conversation’s call',
      'mistral',
      '/v1/conversations/c',
      { inputs: [{ type: 'function.result', tool_call_id: 'c', result: order }] },
    ],
    ['inputs', 'mistral', '/v1/conversations', { model: 'm', inputs: order }],
  ])('%s (%s)', async (_what, host, path, body) => {
    const { status, text, sent } = await started.send(host, path, body);
    expect({ status, sent }).toEqual({ status: 403, sent: undefined });
    expect(text).toContain('Step injection');
  });

  test('an image in a result is not text', async () => {
    const data = base64(order.repeat(3));
    const contents = result({ response: {}, parts: [{ inlineData: { mimeType: 'image/png', data } }] });
    expect((await started.send('gemini', '/v1beta/models/g:generateContent', { contents })).status).toBe(200);
  });
});
