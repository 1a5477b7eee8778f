/** Signals in the heads and bodies of requests and responses. */
import { describe, expect, test } from 'vitest';
import type { Signal } from '../../policy/discovery.ts';
import { answerBodyShapes, answerShapes, requestBodyShapes, requestShapes } from '../../policy/discovery-shapes.ts';

const head = (path: string, fields: Record<string, string> = {}, method = 'POST') => ({
  method,
  path,
  port: 443,
  rawHeaders: Object.entries(fields).flat(),
});

describe('the head of a request', () => {
  const key = ['sk', 'ant', 'api03', 'x'].join('-');
  test.each<[name: string, request: ReturnType<typeof head>, signals: Signal[], family?: string]>([
    ['chat completions below a prefix', head('/openai/v1/chat/completions?x=1'), ['path-model-api'], 'openai-like'],
    ['messages of a version', head('/v1/messages'), ['path-model-api'], 'anthropic-like'],
    ['generateContent', head('/v1beta/models/m:streamGenerateContent?alt=sse'), ['path-model-api'], 'gemini-like'],
    ['Ollama', head('/api/generate'), ['path-model-api'], 'ollama-like'],
    ['a list of models', head('/v1/models', {}, 'GET'), ['path-model-list']],
    ['messages of a mail API', head('/api/mail/messages'), ['path-model-list']],
    ['a key of a provider', head('/x', { Authorization: `Bearer ${key}` }), ['header-provider-key']],
    ['a key in its own field', head('/x', { 'X-Api-Key': key }), ['header-provider-key']],
    [
      'an SDK',
      head('/x', { 'User-Agent': 'OpenAI/Python 1.2', 'X-Stainless-Lang': 'python' }),
      ['agent-sdk', 'header-sdk'],
    ],
    ['fields of a provider', head('/x', { 'anthropic-version': '2023-06-01' }), ['header-provider'], 'anthropic-like'],
    ['images', head('/v1/images/edits'), ['path-model-api'], 'image'],
    ['speech', head('/v1/audio/speech/'), ['path-model-api'], 'openai-like'],
    ['responses of a version', head('/v1beta/responses'), ['path-model-api'], 'openai-like'],
    ['responses of none', head('/api/responses'), ['path-model-list']],
    ['count of tokens', head('/v1/messages/count_tokens'), ['path-model-api'], 'anthropic-like'],
    ['Stable Diffusion', head('/sdapi/v1/txt2img'), ['path-model-api'], 'image'],
    ['Bedrock', head('/model/m/converse-stream'), ['path-model-api'], 'anthropic-like'],
    ['a pre-flight request', head('/v1/messages', {}, 'OPTIONS'), ['path-model-list'], 'anthropic-like'],
    ['a longer path', head('/v1/messages/7'), []],
    ['the port of a model server', { ...head('/x'), port: 11434 }, ['port-model-server']],
    ['a key without Bearer', head('/x', { 'api-key': key }), ['header-provider-key']],
    ['a key in another field', head('/x', { 'x-token': key }), []],
    ['a key after another word', head('/x', { authorization: `Basic ${key}` }), []],
    ['the field of OpenAI', head('/x', { 'OpenAI-Organization': 'o' }), ['header-provider']],
    ['a gateway', head('/x', { 'x-portkey-trace': '1' }), ['header-sdk']],
    ['another gateway', head('/x', { 'Helicone-Auth': 'x' }), ['header-sdk']],
    ['an agent in the middle', head('/x', { 'user-agent': 'x/1 (langchain/0.3)' }), ['agent-sdk']],
    ['an agent far back', head('/x', { 'user-agent': `${'x'.repeat(300)} openai/1` }), []],
    ['an ordinary request', head('/cart', { Authorization: 'Bearer abc', 'User-Agent': 'Mozilla/5.0' }), []],
    ['consent of OAuth', head('/authorize?prompt=consent', {}, 'GET'), []],
  ])('%s', (_name, request, signals, family) => {
    const shapes = requestShapes(request);
    expect([...shapes.signals].sort()).toEqual([...signals].sort());
    expect(shapes.family).toBe(family);
  });
});

describe('the body of a request', () => {
  const turns = [{ role: 'user', content: 'hello' }];
  const long = 'please tell me something about the weather';
  test.each<[name: string, body: unknown, signal: Signal | undefined, path?: boolean]>([
    ['chat completions', { model: 'm', messages: turns }, 'body-chat'],
    ['Gemini', { contents: [{ role: 'user', parts: [{ text: 'x' }] }], generationConfig: {}, tools: [] }, 'body-chat'],
    ['a web chat', { prompt: long, conversation_id: 'c', model: 'm' }, 'body-chat'],
    ['roles alone', { history: turns }, 'body-prompt'],
    ['a prompt on the path of a model', { model: 'm', prompt: 'x' }, 'body-chat', true],
    ['GraphQL', { query: 'mutation', variables: { model: 'm', messages: turns } }, 'body-chat'],
    ['settings make a web prompt one', { query: long, thread_id: 't', stream: true, tools: [] }, 'body-prompt'],
    ['one setting does not', { query: long, thread_id: 't', stream: true }, undefined],
    ['a question in a thread, of a path', { query: long, thread_id: 't' }, undefined, true],
    ['a question with settings', { query: long, model: 'm', seed: 1, stop: [] }, 'body-prompt'],
    ['a short question', { query: 'what time', thread_id: 't', stream: true, tools: [] }, undefined],
    ['a long question without spaces', { query: 'x'.repeat(40), chat_id: 't', seed: 1, stop: 1 }, undefined],
    [
      'a question in Japanese',
      { query: '明日の天気について教えてくださいお願いします', chat_id: 't', seed: 1, stop: 1 },
      'body-prompt',
    ],
    ['an image', { prompt: long, negative_prompt: 'x', model: 'm' }, 'body-chat'],
    ['an image further down', { model: 'm', input: { guidance_scale: 7 } }, 'body-prompt'],
    ['a model alone', { model: 'm', aspect_ratio: '1:1' }, undefined],
    ['turns of a web chat', { turns: [{ author: { role: 'user' }, content: {} }] }, 'body-prompt'],
    ['turns with parts', { x: [{ role: 'model', parts: [] }] }, 'body-prompt'],
    ['turns without words', { x: [{ role: 'user' }] }, undefined],
    ['turns of other roles', { x: [{ role: 'admin', content: 'x' }] }, undefined],
    ['a number as role', { x: [{ role: 1, content: 'x' }] }, undefined],
    ['the first five turns', { x: [1, 2, 3, 4, { role: 'user', content: 'x' }] }, 'body-prompt'],
    ['no sixth', { x: [1, 2, 3, 4, 5, { role: 'user', content: 'x' }] }, undefined],
    ['text alone', 'model messages', undefined],
    ['null', null, undefined],
    ['mail', { messages: [{ from: 'a', to: 'b', content: 'x' }] }, undefined],
    ['a form', { prompt: 'consent', text: long }, undefined],
    ['team chat', { text: long, channel: 'c', thread_ts: '1' }, undefined],
    ['a shop', { model: 'XL', seed: 1, items: [1] }, undefined],
    ['a list', [1, 2, 3], undefined],
  ])('%s', (_name, body, signal, path) => {
    expect(requestBodyShapes(JSON.stringify(body), path).signals).toEqual(signal === undefined ? [] : [signal]);
  });

  test.each<[string, object, string | undefined]>([
    ['Gemini', { contents: [] }, 'gemini-like'],
    ['an image', { prompt: 'x', num_inference_steps: 9 }, 'image'],
    ['any other', { model: 'm', messages: turns }, undefined],
  ])('the product it resembles: %s', (_name, body, family) => {
    for (const text of [JSON.stringify(body), JSON.stringify({ model: 'm', input: 'x', ...body })])
      if (requestBodyShapes(text, true).signals.length > 0) expect(requestBodyShapes(text, true).family).toBe(family);
    expect(requestBodyShapes(JSON.stringify({ model: 'm', input: 'x', ...body }), true).signals).toEqual(['body-chat']);
  });

  test.each([
    ['{"model": "m", "input": "', ['body-prompt']],
    ['  [{"model":"m","messages":[{"role" : "user","content":"x', ['body-chat']],
    ['{"x":[{"role":"model","parts":[', ['body-prompt']],
    ['{"x":[{"role":"user","text":"', []],
    ['{"x":[{"role":"admin","content":"', []],
    ['{"model":"m","x":"', []],
    ['{"model":7,"input":"', []],
    ['{"x":[{"role":"user","content":"x"}],"seed":1,"stop":"', ['body-chat']],
    ['{"seed":1,"stop":1,"voice_id":"', ['body-prompt']],
    ['{"seed":1,"voice_id":"', []],
    ['x{"model": "m", "input": "', []],
  ])('truncated: %s', (text, signals) => expect(requestBodyShapes(text).signals).toEqual(signals));

  test('longer than the examined part', () => {
    const cut = JSON.stringify({ model: 'm', messages: [...turns, { role: 'user', content: 'x'.repeat(200) }] }).slice(
      0,
      120,
    );
    expect(requestBodyShapes(cut).signals).toEqual(['body-chat']);
  });
});

describe('an answer', () => {
  test.each<[name: string, fields: Record<string, string>, isPost: boolean, signals: Signal[]]>([
    ['of a provider', { 'openai-processing-ms': '9' }, false, ['answer-provider']],
    ['of a gateway', { 'x-litellm-version': '1' }, false, ['answer-gateway']],
    ['with a budget of tokens', { 'x-ratelimit-remaining-tokens': '1' }, false, ['answer-token-limit']],
    ['with a budget of requests', { 'x-ratelimit-remaining': '1' }, false, []],
    ['that streams after a POST', { 'content-type': 'text/event-stream' }, true, ['answer-stream']],
    ['of Anthropic', { 'Anthropic-Ratelimit-Requests-Limit': '9' }, false, ['answer-provider']],
    ['of a part of the name', { 'x-openai-version': '9' }, false, []],
    ['of Bedrock', { 'x-amzn-bedrock-invocation-latency': '9' }, false, ['answer-gateway']],
    ['of a machine', { 'x-compute-type': '9' }, false, ['answer-gateway']],
    ['of another machine', { 'x-compute-types': '9' }, false, []],
    ['with a limit of tokens', { 'x-ratelimit-limit-tokens': '1' }, false, ['answer-token-limit']],
    ['that streams other things', { 'content-type': 'text/event-streams' }, true, []],
    ['with two', { 'x-litellm-version': '1', 'openai-model': 'm' }, true, ['answer-gateway', 'answer-provider']],
    ['that streams after a GET', { 'content-type': 'text/event-stream' }, false, []],
  ])('%s', (_name, fields, isPost, signals) =>
    expect(answerShapes(Object.entries(fields).flat(), isPost).signals).toEqual(signals),
  );

  const events = 'text/event-stream; charset=utf-8';
  const json = 'application/json';
  test.each<[name: string, text: string, type: string, signals: Signal[], family?: string]>([
    ['Anthropic events', 'event: message_start\ndata: {}\n\n', events, ['answer-events'], 'anthropic-like'],
    ['Anthropic blocks', 'x: 1\nevent:content_block_delta \n', events, ['answer-events'], 'anthropic-like'],
    ['events of Responses', 'event: response.output_text.delta\n', events, ['answer-events']],
    ['events of a web chat', 'event: delta_encoding\ndata: "v1"\n', events, ['answer-events']],
    ['events of others', 'event: message_started\ndata: {}\n\n', events, []],
    ['OpenAI events', 'data: {"choices":[{"delta":{"content":"x"}}]}\n\n', events, ['answer-events']],
    ['Gemini events', 'data: {"candidates": [{"content":{}}]}\n\n', events, ['answer-events']],
    ['the end of OpenAI', 'data: [DONE]\n\n', events, ['answer-events']],
    ['choices of others', 'data: {"choices":[{"label":"x"}]}\n\n', events, []],
    ['contents of others', 'data: {"content":"x"}\n\n', events, []],
    ['a ticker', 'data: {"price":1}\n\n', events, []],
    ['events in JSON', 'event: message_start\n', json, []],
    ['usage', '{"usage":{"prompt_tokens":1}}', json, ['answer-usage']],
    ['usage of Gemini', '{"usageMetadata" : {"x":1,"promptTokenCount":1}}', json, ['answer-usage']],
    ['usage further down', '{"usage":{"x":{}},"y":{"prompt_tokens":1}}', json, []],
    ['choices', '{"choices": [{"finish_reason":"stop"}]}', json, ['answer-usage'], 'openai-like'],
    ['choices alone', '{"choices":[{"text":"x"}]}', json, []],
    ['candidates', '{"candidates":[{"finishReason":"STOP"}]}', json, ['answer-usage'], 'gemini-like'],
    ['candidates with parts', '{"candidates":[{"content":{"parts":[]}}]}', json, ['answer-usage'], 'gemini-like'],
    ['candidates of a vote', '{"candidates":[{"name":"x"}]}', json, []],
    ['a message', '{"role": "assistant","stop_reason":null}', json, ['answer-usage'], 'anthropic-like'],
    ['a message of others', '{"role":"user","stop_reason":null}', json, []],
    ['a reason alone', '{"role":"assistant"}', json, []],
    ['quota of storage', '{"usage":{"bytes":1}}', json, []],
    ['an error of a model', '{"error":{"type":"x","code":"model_not_found"}}', json, ['answer-error']],
    ['an error of a key', '{"error":{"type": "invalid_api_key"}}', 'application/problem+json', ['answer-error']],
    ['an error of others', '{"error":{"code":"not_found"}}', json, []],
    ['Ollama lines', '{"response":"x","done":false}\n', 'application/x-ndjson', ['answer-events'], 'ollama-like'],
    ['Ollama turns of JSON', '{"message" : {},"done": true}\n', 'application/jsonl', ['answer-events'], 'ollama-like'],
    ['lines of others', '{"response":"x"}\n', 'application/x-ndjson', []],
    ['lines that are done', '{"x":"x","done":true}\n', 'application/x-ndjson', []],
    ['a page', '<p>"usage":{"prompt_tokens":1}', 'text/html', []],
  ])('%s', (_name, text, type, signals, family) => {
    const shapes = answerBodyShapes(text, type);
    expect(shapes.signals).toEqual(signals);
    expect(shapes.family).toBe(family);
  });
});
