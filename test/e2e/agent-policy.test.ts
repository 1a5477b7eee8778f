import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { anthropicClient, openAiClient } from '../support/clients.ts';
import { fn, input, mcp, startAgentScene } from './agent-scene.ts';

const { origin, gateway, proxied, sent, gemini, respond } = await startAgentScene();

describe('definitions', () => {
  test('allowed content keeps its bytes', async () => {
    const body = `{"model": "m", "input": "${input}",\n "tools": [ {"type":"function","name":"mcp__github__search","parameters":{}} ] , "x": 1.0}`;
    await proxied.fetch('https://api.openai.com/v1/responses', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(origin.requests[0]?.body.toString()).toBe(body);
  });

  test('OpenAI Chat: a forbidden tool is removed, the others keep their bytes', async () => {
    const tool = (name: string) => ({ type: 'function' as const, function: { name, parameters: { type: 'object' } } });
    await openAiClient(proxied).chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: input }],
      tools: [tool('mcp__github__search'), tool('mcp__github__delete_repo'), tool('own')],
    });
    expect(sent().tools).toEqual([tool('mcp__github__search'), tool('own')]);
    const event = await gateway.event((one) => JSON.stringify(one.toolFindings ?? '').includes('delete_repo'));
    expect(event).toMatchObject({
      agent: 'openai/js',
      mcpServers: ['github'],
      toolFindings: expect.arrayContaining([
        { kind: 'not_allowed', tool: 'github/delete_repo', place: 'tools[1]', answer: 'strip', rule: 'no deletion' },
      ]),
    });
  });

  test('in a body over 4 MB, and in lines after other text, tools are found as in any other', async () => {
    const tool = (name: string) => ({ type: 'function', name, parameters: {} });
    const post = (body: string, type = 'application/json') =>
      proxied.fetch('https://api.openai.com/v1/responses', {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
    const large = (tools: object[]) => JSON.stringify({ model: 'm', input: 'what is new '.repeat(360_000), tools });
    await Promise.all([1, 2].map(() => post(large([tool('drop_table'), tool('own')]))));
    expect(origin.requests.map(({ body }) => JSON.parse(body.toString()).tools)).toEqual([
      [tool('own')],
      [tool('own')],
    ]);
    const lines = (count: number) =>
      `request\n${'{}\n'.repeat(count)}{"model":"m","tools":[{"type":"function","name":"drop_table"}]}`;
    for (const count of [10, 200_000]) {
      expect((await post(lines(count), 'text/plain')).status).toBe(200);
      expect(origin.requests.at(-1)?.body.toString()).toMatch(/^request\n(?:\{\}\n)+\{"model":"m"\}$/);
    }
    const heavy = `request\n{"tools":[${'{},'.repeat(200_000)}{}]}`;
    expect((await post(heavy, 'text/plain')).status).toBe(413);
  });

  test('if no tool is left, the list and its dependent fields are removed', async () => {
    await openAiClient(proxied).responses.create({ model: 'm', input, tools: [fn('drop_table')], tool_choice: 'auto' });
    expect(sent().tools).toBeUndefined();
    expect(sent().tool_choice).toBeUndefined();
  });

  test.each<[name: string, tools: OpenAI.Responses.Tool[], expected: unknown]>([
    ['an allowed server stays', [mcp('a', 'https://mcp.good.example/mcp')], [{ server_label: 'a' }]],
    [
      'an allowed connector stays',
      [{ type: 'mcp', server_label: 'm', connector_id: 'connector_gmail' }],
      [{ server_label: 'm' }],
    ],
    [
      'its label does not identify a server',
      [mcp('github', 'https://other.example/mcp'), fn('own')],
      [{ name: 'own' }],
    ],
    [
      'the server inside the URL of a provider proxy decides',
      [
        mcp('a', 'https://api.anthropic.com/v2/ccr-sessions/1/mcp?mcp_url=https%3A%2F%2Fother.example%2Fmcp'),
        fn('own'),
      ],
      [{ name: 'own' }],
    ],
    [
      'a server with only some allowed tools is narrowed to them',
      [
        mcp('d', 'https://docs.example/mcp', { allowed_tools: ['search', 'write'] }),
        mcp('e', 'https://docs.example/mcp'),
      ],
      [{ allowed_tools: ['search'] }, { allowed_tools: ['search', 'read'] }],
    ],
  ])('OpenAI Responses: %s', async (_name, tools, expected) => {
    await respond(tools);
    expect(sent().tools).toMatchObject(expected as object[]);
    expect(sent().tools).toHaveLength((expected as object[]).length);
  });

  test('a forbidden server causes the request to be refused', async () => {
    await expect(respond([mcp('x', 'https://a.evil.example/mcp')])).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('a.evil.example'),
    });
    expect(origin.requests).toHaveLength(0);
  });

  test('Anthropic: servers with their toolsets', async () => {
    await anthropicClient(proxied).beta.messages.create({
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user', content: input }],
      mcp_servers: [
        { type: 'url', name: 'a', url: 'https://mcp.good.example/mcp' },
        { type: 'url', name: 'b', url: 'https://other.example/mcp' },
        { type: 'url', name: 'c', url: 'https://docs.example/mcp' },
      ],
      tools: ['a', 'b', 'c'].map((name) => ({ type: 'mcp_toolset' as const, mcp_server_name: name })),
      betas: ['mcp-client-2025-11-20'],
    });
    expect(sent().mcp_servers).toMatchObject([{ name: 'a' }, { name: 'c' }]);
    expect(sent().tools).toEqual([
      { type: 'mcp_toolset', mcp_server_name: 'a' },
      {
        type: 'mcp_toolset',
        mcp_server_name: 'c',
        default_config: { enabled: false },
        configs: { search: { enabled: true }, read: { enabled: true } },
      },
    ]);
  });

  test('Gemini: declarations and servers', async () => {
    await gemini().models.generateContent({
      model: 'g',
      contents: [{ role: 'user', parts: [{ text: input }] }],
      config: {
        tools: [
          { functionDeclarations: [{ name: 'own' }, { name: 'drop_table' }] },
          { mcpServers: [{ name: 'o', streamableHttpTransport: { url: 'https://other.example/mcp' } }] },
        ],
      },
    });
    expect(sent().tools).toEqual([{ functionDeclarations: [{ name: 'own' }] }]);
    await expect(
      gemini().models.generateContent({
        model: 'g',
        contents: input,
        config: {
          tools: [{ mcpServers: [{ name: 'x', streamableHttpTransport: { url: 'https://a.evil.example/mcp' } }] }],
        },
      }),
    ).rejects.toMatchObject({ status: 403, message: expect.stringContaining('a.evil.example') });
  });

  test('Anthropic: a managed agent is narrowed in the format of its API', async () => {
    await anthropicClient(proxied).beta.agents.create({
      name: 'helper',
      model: 'm',
      mcp_servers: [
        { type: 'url', name: 'b', url: 'https://other.example/mcp' },
        { type: 'url', name: 'c', url: 'https://docs.example/mcp' },
      ],
      tools: ['b', 'c'].map((name) => ({ type: 'mcp_toolset' as const, mcp_server_name: name })),
    });
    expect(sent().mcp_servers).toMatchObject([{ name: 'c' }]);
    expect(sent().tools).toEqual([
      {
        type: 'mcp_toolset',
        mcp_server_name: 'c',
        default_config: { enabled: false },
        configs: [
          { name: 'search', enabled: true },
          { name: 'read', enabled: true },
        ],
      },
    ]);
  });

  test('a forbidden program is refused', async () => {
    const response = await proxied.fetch('https://api.openai.com/v1/models', {
      headers: { 'user-agent': 'robot/1.2' },
    });
    expect(response.status).toBe(403);
  });
});

describe('reported and explained', () => {
  test('what was seen, by user and service', async () => {
    const { agents } = (await (await gateway.api('/admin/agents')).json()) as { agents: { agent: string }[] };
    expect(agents.find(({ agent }) => agent === 'openai/js')).toMatchObject({
      users: ['127.0.0.1'],
      services: ['openai-api'],
    });
    const { servers } = (await (await gateway.api('/admin/mcp-servers')).json()) as { servers: { id: string }[] };
    expect(servers.map(({ id }) => id)).toEqual(expect.arrayContaining(['github', 'docs.example', 'other.example']));
  });

  test('GET /admin/explain', async () => {
    const ask = async (query: string) => {
      const response = await gateway.api(`/admin/explain?url=api.openai.com&${query}`);
      return ((await response.json()) as { tools: { answer: string; rule: string } }).tools;
    };
    expect(await ask('tool=github/delete_repo')).toMatchObject({ answer: 'strip', rule: 'no deletion' });
    expect(await ask('mcp_server=https://mcp.good.example/mcp')).toMatchObject({
      answer: 'allow',
      rule: 'known servers',
    });
  });

  test('a policy dry run reports its tool decisions on recorded events', async () => {
    await gateway.event((one) => one.mcpServers !== undefined);
    const tried = async () => {
      const response = await gateway.api('/admin/policy/dry-run', {
        method: 'POST',
        body: JSON.stringify({ yaml: 'rules:\n  - when: { mcp_servers: [github] }\n    then: { tools: block }\n' }),
      });
      return (await response.json()) as { diffs: { after: { tools?: string } }[] };
    };
    await expect.poll(async () => (await tried()).diffs.map(({ after }) => after.tools)).toContain('block');
  });

  test('findings are counted', async () => {
    const metrics = await (await gateway.api('/metrics')).text();
    expect(metrics).toMatch(/privet_tool_findings_total\{kind="not_allowed",answer="strip"\} [1-9]/);
    expect(metrics).toMatch(/privet_blocked_total\{reason="tool"\} [1-9]/);
  });
});
