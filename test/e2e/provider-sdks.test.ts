/** The providers' own packages through the gateway: masked at the origin, exact at the client. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anthropicClient, openAiClient, type ProxiedFetch, proxiedFetch } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { leaksIn, personal, prompt } from '../support/personal.ts';
import { defaultSay, makeProvider, tokensIn } from '../support/provider.ts';
import { run } from '../support/run.ts';

const values = Object.values(personal);
const expectedText = defaultSay(values);
const expectedArguments = { to: values[0], all: values, note: `for ${values.join(', ')}` };
const messages = [{ role: 'user' as const, content: prompt }];
const schema = { type: 'object' as const, properties: { to: { type: 'string' } } };
const openAiTools = [{ type: 'function' as const, function: { name: 'send_mail', parameters: schema } }];
const anthropicTools = [{ name: 'send_mail', input_schema: schema }];

const provider = makeProvider();

const names = ['api.openai.com', 'api.anthropic.com'];
const origin = await startOrigin({ names, handler: provider.handler });
const gateway = await startGateway({ hosts: Object.fromEntries(names.map((name) => [name, origin])) });
beforeEach(() => {
  origin.reset();
  provider.options = {};
});

/** Invariant 1 for the last request: five tokens and no value arrived. */
function expectMasked(): void {
  expect(origin.requests).toHaveLength(1);
  expect(leaksIn(origin.everything())).toEqual([]);
  expect(tokensIn(origin.requests[0]?.body.toString() ?? '')).toHaveLength(values.length);
}

describe.each([
  ['HTTP/1.1', false],
  ['h2', true],
] as const)('in process, %s', (_name, allowH2) => {
  let proxied: ProxiedFetch;
  beforeAll(() => {
    proxied = proxiedFetch(gateway, { allowH2 });
  });

  test('openai: answer in one piece', async () => {
    const answer = await openAiClient(proxied).chat.completions.create({ model: 'gpt-test', messages });
    expect(answer.choices[0]?.message.content).toBe(expectedText);
    expectMasked();
  });

  test('openai: stream', async () => {
    const stream = await openAiClient(proxied).chat.completions.create({ model: 'gpt-test', messages, stream: true });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe(expectedText);
    expectMasked();
  });

  test('openai: tool call in one piece', async () => {
    const answer = await openAiClient(proxied).chat.completions.create({
      model: 'gpt-test',
      messages,
      tools: openAiTools,
    });
    const call = answer.choices[0]?.message.tool_calls?.[0];
    expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toEqual(expectedArguments);
    expectMasked();
  });

  test('openai: streamed tool call', async () => {
    const stream = openAiClient(proxied).chat.completions.stream({ model: 'gpt-test', messages, tools: openAiTools });
    const call = (await stream.finalChatCompletion()).choices[0]?.message.tool_calls?.[0];
    expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toEqual(expectedArguments);
    expectMasked();
  });

  test('anthropic: answer in one piece', async () => {
    const answer = await anthropicClient(proxied).messages.create({ model: 'claude-test', max_tokens: 99, messages });
    expect(answer.content[0]).toMatchObject({ type: 'text', text: expectedText });
    expectMasked();
  });

  test('anthropic: stream', async () => {
    const stream = anthropicClient(proxied).messages.stream({ model: 'claude-test', max_tokens: 99, messages });
    expect(await stream.finalText()).toBe(expectedText);
    expectMasked();
  });

  test('anthropic: tool call in one piece', async () => {
    const answer = await anthropicClient(proxied).messages.create({
      model: 'claude-test',
      max_tokens: 99,
      messages,
      tools: anthropicTools,
    });
    expect(answer.content[0]).toMatchObject({ type: 'tool_use', input: expectedArguments });
    expectMasked();
  });

  test('anthropic: streamed tool call', async () => {
    const stream = anthropicClient(proxied).messages.stream({
      model: 'claude-test',
      max_tokens: 99,
      messages,
      tools: anthropicTools,
    });
    expect((await stream.finalMessage()).content[0]).toMatchObject({ type: 'tool_use', input: expectedArguments });
    expectMasked();
  });

  test('a conversation keeps its tokens, and the restored answer is masked again', async () => {
    const client = openAiClient(proxied);
    const first = await client.chat.completions.create({ model: 'gpt-test', messages });
    const content = first.choices[0]?.message.content ?? '';
    await client.chat.completions.create({
      model: 'gpt-test',
      messages: [...messages, { role: 'assistant', content }, { role: 'user', content: `Again for ${values[0]}.` }],
    });
    expect(leaksIn(origin.everything())).toEqual([]);
    const [one, two] = origin.requests.map((request) => tokensIn(request.body.toString()));
    expect(two).toEqual(one);
  });

  test('an unknown token is unchanged', async () => {
    provider.options = { say: (tokens) => `${tokens[0]} and [EMAIL-999]` };
    const answer = await openAiClient(proxied).chat.completions.create({ model: 'gpt-test', messages });
    expect(answer.choices[0]?.message.content).toBe(`${values[0]} and [EMAIL-999]`);
  });
});

describe('as a program with NODE_USE_ENV_PROXY', () => {
  test.each([
    [
      'openai',
      `import OpenAI from 'openai';
       const stream = await new OpenAI().chat.completions.create({ model: 'm', messages: [{ role: 'user', content: process.env.PROMPT }], stream: true });
       for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '');`,
    ],
    [
      'anthropic',
      `import Anthropic from '@anthropic-ai/sdk';
       const stream = new Anthropic().messages.stream({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: process.env.PROMPT }] });
       stream.on('text', (text) => process.stdout.write(text));
       await stream.finalMessage();`,
    ],
  ])('%s, streaming', async (_name, code) => {
    const result = await run(process.execPath, ['--input-type=module', '-e', code], {
      env: {
        NODE_USE_ENV_PROXY: '1',
        HTTPS_PROXY: gateway.proxyUrl,
        NODE_EXTRA_CA_CERTS: gateway.caFile,
        OPENAI_API_KEY: 'test-key',
        ANTHROPIC_API_KEY: 'test-key',
        PROMPT: prompt,
      },
    });
    expect(result.stderr).toBe('');
    expect(result.text).toBe(expectedText);
    expectMasked();
  });
});
