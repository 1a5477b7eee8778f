/**
 * Tool loops with models that sign their reasoning: the client sends it back with every turn, and the service refuses
 * it if it has changed. The model names people itself, and repeats tokens that it received.
 */
import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type Anthropic from '@anthropic-ai/sdk';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bedrockFrame } from '../support/bedrock.ts';
import { anthropicClient, type ProxiedFetch, proxiedFetch } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { jsonPost } from '../support/json-post.ts';
import { type ReceivedRequest, startOrigin } from '../support/origin.ts';

const anthropic = 'api.anthropic.com';
const openRouter = 'openrouter.ai';
const bedrock = 'bedrock-runtime.us-east-1.amazonaws.com';
const gemini = 'generativelanguage.googleapis.com';
const names = [anthropic, openRouter, bedrock, gemini];

const email = 'hana.morita@example.co.jp';
/** The reasoning of the model: a person who was not in its input, and a token. */
const thoughts = 'Albert Einstein, a.einstein@ias.example, published it. I write to [EMAIL-1] now.';
const pieces = ['Albert Einstein, a.einstein@ias.ex', 'ample, published it. I write to [EM', 'AIL-1] now.'];
const sign = (text: string) => createHmac('sha256', 'of the provider').update(text).digest('base64');
const signature = sign(thoughts);

const sse = (events: readonly object[]) =>
  events
    .map((event) => `${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
    .join('');

const anthropicDelta = (delta: object) => ({ type: 'content_block_delta', index: 0, delta });
const anthropicEvents = [
  {
    type: 'message_start',
    message: { id: 'm', type: 'message', role: 'assistant', content: [], model: 'x', usage: { input_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  ...pieces.map((thinking) => anthropicDelta({ type: 'thinking_delta', thinking })),
  anthropicDelta({ type: 'signature_delta', signature }),
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];
const thinking = { type: 'thinking', thinking: thoughts, signature };
const detail = { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0 };
const bedrockDelta = (reasoningContent: object) =>
  bedrockFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent } });

/** Every answer with signed reasoning, by path. */
const answers: Readonly<Record<string, (response: ServerResponse, isStream: boolean) => void>> = {
  '/v1/messages': (response, isStream) => {
    if (isStream) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of anthropicEvents) response.write(sse([event]));
      response.end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync(JSON.stringify({ id: 'm', type: 'message', role: 'assistant', content: [thinking] })));
  },
  '/api/v1/chat/completions': (response, isStream) => {
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
    const all = { ...detail, text: thoughts, signature };
    if (!isStream) response.end(JSON.stringify({ choices: [{ index: 0, message: { reasoning_details: [all] } }] }));
    else {
      const parts = [...pieces.map((text) => ({ ...detail, text })), { ...detail, signature }];
      response.end(sse(parts.map((one) => ({ choices: [{ index: 0, delta: { reasoning_details: [one] } }] }))));
    }
  },
  '/model/x/converse-stream': (response) => {
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
    for (const text of pieces) response.write(bedrockDelta({ text }));
    response.end(
      Buffer.concat([bedrockDelta({ signature }), bedrockFrame('contentBlockStop', { contentBlockIndex: 0 })]),
    );
  },
  '/model/x/converse': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const content = [{ reasoningContent: { reasoningText: { text: thoughts, signature } } }];
    response.end(JSON.stringify({ output: { message: { role: 'assistant', content } } }));
  },
  '/v1beta/models/x:streamGenerateContent?alt=sse': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = (part: object) => ({ candidates: [{ index: 0, content: { role: 'model', parts: [part] } }] });
    response.end(
      sse([
        ...pieces.map((text) => chunk({ text, thought: true })),
        chunk({ text: 'Done.', thoughtSignature: signature }),
      ]),
    );
  },
};

/** Refuses signed reasoning that differs from what was signed, as Anthropic does. */
function handle({ url, body }: ReceivedRequest, response: ServerResponse): void {
  const asked = body.toString();
  const signed = [...asked.matchAll(/"(?:thinking|text)":("(?:[^"\\]|\\.)*"),"signature":"([^"]+)"/g)];
  if (signed.some(([, text = '', of]) => sign(JSON.parse(text) as string) !== of)) {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end('{"error":{"type":"invalid_request_error","message":"thinking blocks cannot be modified"}}');
    return;
  }
  answers[url]?.(response, asked.includes('"stream":true'));
}

const origin = await startOrigin({ names, handler: handle, protocols: ['http/1.1'] });
beforeEach(() => origin.reset());

const rule = { when: { hosts: names }, then: { action: 'allow', inspect: 'mask' } };
const gateway = await startGateway({ hosts: Object.fromEntries(names.map((name) => [name, origin])) });
const configure = (signed: 'block' | 'allow') =>
  gateway.configure({ policy: { rules: [rule] }, masking: { uninspectable: { signed } } });

const question = { role: 'user', content: `Write to ${email}.` };
const masked = (text: string) => text.replaceAll(email, '[EMAIL-1]');

describe('masking.uninspectable.signed: block', () => {
  let proxied: ProxiedFetch;
  let clients = 1;
  beforeAll(() => configure('block'));
  // A service gets each number only once from a client, and the model names the first one: every test is a separate
  // client.
  beforeEach(() => {
    proxied = proxiedFetch(gateway, { from: `127.0.0.${++clients}` });
  });
  afterEach(() => proxied?.dispatcher.close());

  /** Sends a request as a user of whom only the key is known. */
  const post = (host: string, path: string, key: string, body: object) =>
    proxied.fetch(`https://${host}${path}`, jsonPost(body, { authorization: `Bearer ${key}` }));
  const last = () => origin.requests.at(-1)?.body.toString() ?? '';

  test.each([['as a stream'], ['in one piece, compressed']])('a tool loop of @anthropic-ai/sdk, %s', async (how) => {
    const client = anthropicClient(proxied);
    const ask = { model: 'x', max_tokens: 99 };
    const messages = [question] as Anthropic.MessageParam[];
    for (let turn = 0; turn < 3; turn++) {
      const answer =
        how === 'as a stream'
          ? await client.messages.stream({ ...ask, messages }).finalMessage()
          : await client.messages.create({ ...ask, messages });
      expect(answer.content).toEqual([thinking]);
      messages.push({ role: 'assistant', content: answer.content }, { role: 'user', content: 'Go on.' });
    }
    expect(origin.requests).toHaveLength(3);
    expect(last()).toContain(JSON.stringify(thinking));
    expect(last()).toContain('Write to [EMAIL-1].');
  });

  test.each([false, true])('reasoning_details of OpenRouter, stream: %s', async (stream) => {
    const path = '/api/v1/chat/completions';
    const all = { ...detail, text: thoughts, signature };
    await (await post(openRouter, path, `or-${stream}`, { model: 'x', stream, messages: [question] })).text();
    const history = [question, { role: 'assistant', content: 'Hm.', reasoning_details: [all] }];
    expect((await post(openRouter, path, `or-${stream}`, { model: 'x', messages: history })).status).toBe(200);
    expect(last()).toBe(masked(JSON.stringify({ model: 'x', messages: history })));
  });

  test.each(['/model/x/converse', '/model/x/converse-stream'])('Bedrock, %s', async (path) => {
    const ask = { role: 'user', content: [{ text: question.content }] };
    await (await post(bedrock, path, path, { messages: [ask] })).arrayBuffer();
    const reasoningContent = { reasoningText: { text: thoughts, signature } };
    const history = { messages: [ask, { role: 'assistant', content: [{ reasoningContent }] }] };
    expect((await post(bedrock, path, path, history)).status).toBe(200);
    expect(last()).toBe(masked(JSON.stringify(history)));
  });

  test('Gemini: thoughts shown restored to the client are sent back as the model wrote them', async () => {
    const path = '/v1beta/models/x:streamGenerateContent?alt=sse';
    const ask = { role: 'user', parts: [{ text: question.content }] };
    const answer = await (await post(gemini, path, 'g', { contents: [ask] })).text();
    const shown = [...answer.matchAll(/"text":"([^"]*)","thought"/g)].map(([, text]) => text).join('');
    expect(shown).toBe(thoughts.replace('[EMAIL-1]', email));
    const thought = { text: shown, thought: true, thoughtSignature: signature };
    const history = { contents: [ask, { role: 'model', parts: [thought, { text: 'Done.' }] }] };
    expect((await post(gemini, path, 'g', history)).status).toBe(200);
    expect(last()).toBe(masked(JSON.stringify(history)));
  });

  test('Gemini: unknown thoughts are masked, because their signature does not cover the text', async () => {
    const path = '/v1beta/models/x:streamGenerateContent?alt=sse';
    const part = { text: `I think of ${email}.`, thought: true, thoughtSignature: 'EqQBCgIYAhIM' };
    const history = { contents: [{ role: 'model', parts: [part] }] };
    expect((await post(gemini, path, 'g2', history)).status).toBe(200);
    expect(last()).toBe(masked(JSON.stringify(history)));
  });

  test('restored thinking is sent back with its tokens, although its response was never seen', async () => {
    const own = {
      type: 'thinking',
      thinking: 'I write to [EMAIL-1] now.',
      signature: sign('I write to [EMAIL-1] now.'),
    };
    await (await post(anthropic, '/v1/messages', 'r', { messages: [question] })).text();
    const restored = { ...own, thinking: own.thinking.replace('[EMAIL-1]', email) };
    const body = { messages: [question, { role: 'assistant', content: [restored] }] };
    expect((await post(anthropic, '/v1/messages', 'r', body)).status).toBe(200);
    expect(last()).toContain(JSON.stringify(own));
  });

  test.each([
    ['another text under a signature of the session', { ...thinking, thinking: `Write to ${email} at once.` }],
    ['an unknown signature', { ...thinking, signature: 'EqQBCgIYAhIM' }],
  ])('%s is refused, and the message gives its position', async (_name, block) => {
    await (await post(anthropic, '/v1/messages', 'x', { messages: [{ role: 'user', content: 'Hello.' }] })).text();
    const sent = origin.requests.length;
    const body = {
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: [block] },
      ],
    };
    const answer = await post(anthropic, '/v1/messages', 'x', body);
    expect(answer.status).toBe(403);
    expect(await answer.text()).toMatch(
      /messages\[1\]\.content\[0\]\.thinking is signed by the service and contains .*EMAIL/,
    );
    expect(origin.requests).toHaveLength(sent);
  });

  test('recorded reasoning is sent back unchanged in a large conversation, too', async () => {
    await (await post(anthropic, '/v1/messages', 'l', { messages: [question] })).text();
    const long = { role: 'user', content: 'All of it is as it was. '.repeat(20_000) };
    const body = { messages: [question, { role: 'assistant', content: [thinking] }, long] };
    expect((await post(anthropic, '/v1/messages', 'l', body)).status).toBe(200);
    expect(last()).toBe(masked(JSON.stringify(body)));
    const restored = { ...thinking, thinking: thoughts.replace('[EMAIL-1]', email) };
    const shown = { messages: [question, { role: 'assistant', content: [restored] }, long] };
    expect((await post(anthropic, '/v1/messages', 'l', shown)).status).toBe(200);
    expect(last()).toBe(masked(JSON.stringify(body)));
  });

  test('recorded reasoning is sent back unchanged when the user writes a value that is in it', async () => {
    await (await post(anthropic, '/v1/messages', 'v', { messages: [question] })).text();
    const known = { role: 'user', content: 'Tell Albert Einstein, a.einstein@ias.example.' };
    const body = { messages: [question, { role: 'assistant', content: [thinking] }, known] };
    expect((await post(anthropic, '/v1/messages', 'v', body)).status).toBe(200);
    expect(last()).toContain(JSON.stringify(thinking));
    expect(last()).not.toContain(known.content);
  });

  test('reasoning of one session is unknown to another', async () => {
    await (await post(anthropic, '/v1/messages', 'one', { messages: [question] })).text();
    const body = { messages: [{ role: 'assistant', content: [thinking] }] };
    expect((await post(anthropic, '/v1/messages', 'one', body)).status).toBe(200);
    expect((await post(anthropic, '/v1/messages', 'two', body)).status).toBe(403);
  });
});

describe('masking.uninspectable.signed: allow', () => {
  beforeAll(() => configure('allow'));

  test('unknown signed reasoning passes', async () => {
    const body = JSON.stringify({ messages: [question, { role: 'assistant', content: [thinking] }] });
    const headers = { 'content-type': 'application/json' };
    const url = `https://${anthropic}/v1/messages`;
    expect((await proxiedFetch(gateway).fetch(url, { method: 'POST', headers, body })).status).toBe(200);
    expect(origin.requests.at(-1)?.body.toString()).toBe(masked(body));
  });
});
