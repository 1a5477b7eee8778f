import { describe, expect, test } from 'vitest';
import { loadServices } from '../../config/services.ts';
import { assess, isWorthKeeping, type Signal, signalWeights } from '../../policy/discovery.ts';
import { isLocalName, registrableDomain } from '../../policy/discovery-domain.ts';
import { countDistinct, evidenceOf, type Finding, hashRange, mergeFindings } from '../../policy/discovery-finding.ts';
import { hostSignals } from '../../policy/discovery-host.ts';
import { LookalikeIndex } from '../../policy/discovery-lookalike.ts';
import { answerBodyShapes, answerShapes, requestBodyShapes, requestShapes } from '../../policy/discovery-shapes.ts';

describe('the name of a host', () => {
  test.each<[host: string, signals: Signal[]]>([
    ['chat.newgpt.ai', ['host-tld-ai', 'host-model-word', 'host-chat-word']],
    ['api.deepseek-mirror.example', ['host-model-word', 'host-api-label']],
    ['my-llm.example.com', ['host-model-word']],
    ['perplexityai.example', ['host-token-ai']],
    ['ai21.example', ['host-token-ai']],
    ['undress-now.example', ['host-risk-word']],
    ['chatbot.example', ['host-model-word', 'host-chat-word']],
    // Ordinary hosts.
    ['www.dubai.ae', []],
    ['thai.example', []],
    ['hyundai.com', []],
    ['snapchat.com', []],
    ['robots.example', []],
    ['gptx', []],
    ['gpt', []],
    ['a-thai.example', []],
    ['thebot.example', []],
    ['bot.example.com', ['host-chat-word']],
    ['avatar-maker.example', ['host-chat-word']],
    ['example.bot', []],
    ['example.ai', ['host-tld-ai']],
    ['ai.example', ['host-token-ai']],
    ['my-ai-shop.example', ['host-token-ai']],
    ['wxyai.example', ['host-token-ai']],
    ['wxai.example', []],
    ['x-ai2.example', ['host-token-ai']],
    ['aix.example', []],
    ['supergpt.example', ['host-model-word']],
    ['gpt4all.example', ['host-model-word']],
    ['mycorpllm.example', ['host-model-word']],
    ['llmops.example', ['host-model-word']],
    ['averyveryverylonggpt.example', []],
    ['api.claude.example', ['host-model-word', 'host-api-label']],
    ['api.example.ai', ['host-tld-ai', 'host-api-label']],
    ['api.ai', ['host-tld-ai']],
    ['face-swap.example', ['host-risk-word']],
    ['mail.example.co.jp', []],
    ['api.example.com', []],
    ['192.0.2.7', []],
    ['2001:db8::1', []],
  ])('%s', (host, signals) => expect(hostSignals(host).sort()).toEqual([...signals].sort()));

  test('finds four of ten registered domains', () => {
    const domains = (loadServices() as { domain: string; scope?: string }[]).filter(({ scope }) => scope !== 'path');
    const found = domains.filter(({ domain }) => hostSignals(domain).some((signal) => signalWeights[signal] !== 'C'));
    expect(found.length / domains.length).toBeGreaterThan(0.4);
  });
});

describe('the registrable domain', () => {
  test.each([
    ['a.b.example.com', 'example.com'],
    ['example.com', 'example.com'],
    ['www.example.co.jp', 'example.co.jp'],
    ['shop.example.com.au', 'example.com.au'],
    ['a.b.example.ai', 'example.ai'],
    ['a.me.io', 'me.io'],
    ['my-app.vercel.app', 'my-app.vercel.app'],
    ['preview.my-app.vercel.app', 'my-app.vercel.app'],
    ['vercel.app', 'vercel.app'],
    ['user-space.hf.space', 'user-space.hf.space'],
    ['a.b.my-app.vercel.app', 'my-app.vercel.app'],
    ['x.y.execute-api.amazonaws.com', 'y.execute-api.amazonaws.com'],
    ['x.y.cloudapp.azure.com', 'y.cloudapp.azure.com'],
    ['x.readthedocs.io', 'x.readthedocs.io'],
    ['a.com.ai', 'a.com.ai'],
    ['b.a.net.io', 'a.net.io'],
    ['a.co.ai', 'co.ai'],
    ['co.jp', 'co.jp'],
    ['a.b.co.example', 'co.example'],
    ['a.b.edu.au', 'b.edu.au'],
    ['a.b.ac.uk', 'b.ac.uk'],
    ['2001:db8::1', '2001:db8::1'],
    ['192.0.2.7', '192.0.2.7'],
    ['localhost', 'localhost'],
  ])('%s → %s', (host, domain) => expect(registrableDomain(host)).toBe(domain));

  test.each([
    ['ollama.local', true],
    ['gpu-box', true],
    ['10.0.0.7', true],
    ['model.corp', true],
    ['a.b.internal', true],
    ['local.example', false],
    ['x.localx', false],
    ['2001:db8::1', true],
    ['example.com', false],
  ])('%s is of this network: %s', (host, isLocal) => expect(isLocalName(host)).toBe(isLocal));
});

describe('a name that imitates', () => {
  const index = new LookalikeIndex([
    'openai.com',
    'chatgpt.com',
    'perplexity.ai',
    'huggingface.co',
    'poe.com',
    'claude.ai',
    '*.cdn.midjourney.com',
    'shared.example/midjourneys',
    'api.elevenlabs.io',
    'chatgpt.example',
    'cohere.com',
    'wordware.com',
    'together.ai',
    'deepseek.io',
  ]);
  test.each<[host: string, imitated: string | undefined]>([
    ['openal.com', 'openai.com'],
    ['opena1.com', 'openai.com'],
    ['chatgtp.com', 'chatgpt.com'],
    ['www.chatgpt.com.login.example', 'chatgpt.com'],
    ['openai-support.net', 'openai.com'],
    ['xn--oenai-vye.com', 'openai.com'],
    ['perp1exity.ai', 'perplexity.ai'],
    ['huggingfaces.co', 'huggingface.co'],
    ['openaii.com', 'openai.com'],
    ['oepnai.com', 'openai.com'],
    ['opemai.com', 'openai.com'],
    ['chatgpts.com', 'chatgpt.com'],
    ['elevenlab.io', 'elevenlabs.io'],
    ['elevenlabz.io', 'elevenlabs.io'],
    ['elevenlabz.com', 'elevenlabs.io'],
    ['elevenlabz.example', 'elevenlabs.io'],
    ['perplexitie.org', undefined],
    ['perplexitx.com', 'perplexity.ai'],
    ['vvordware.com', 'wordware.com'],
    ['worclware.com', 'wordware.com'],
    ['chatgpt.com.example', 'chatgpt.com'],
    ['www.claude.ai.login.co.jp', 'claude.ai'],
    ['www.poe.com.login.example', 'poe.com'],
    ['login-chatgpt.example.com', undefined],
    ['my-elevenlabs-key.example', 'elevenlabs.io'],
    ['chatgpt-key.test', 'chatgpt.com'],
    ['xn--claude-8nf.ai', undefined],
    // No imitations.
    ['chatgpt.test', undefined],
    ['midjourneyx.com', undefined],
    ['cohere-energy.example', undefined],
    ['together-today.example', undefined],
    ['poes.com', undefined],
    ['opennai.test', undefined],
    ['openaixx.com', undefined],
    ['opnai.com', undefined],
    ['deepseeq.com', 'deepseek.io'],
    ['deepseeq.net', undefined],
    ['chatgqt.example', 'chatgpt.example'],
    ['poe.com.au', undefined],
    ['openai.com', undefined],
    ['chat.openai.com', undefined],
    ['openai.org', undefined],
    ['open.com', undefined],
    ['pie.com', undefined],
    ['claude-monet.example', undefined],
    ['perplexing.com', undefined],
    ['192.0.2.7', undefined],
  ])('%s: %s', (host, imitated) => expect(index.find(host)).toBe(imitated));

  test('of a registry with a million names only the first are indexed, so that no request waits for it', () => {
    let taken = 0;
    function* names() {
      for (let i = 0; i < 1_000_000; i++) {
        taken++;
        yield i === 0 ? 'chatgpt.com' : `s${i}.example`;
      }
    }
    expect(new LookalikeIndex(names()).find('chatgtp.com')).toBe('chatgpt.com');
    expect(taken).toBeLessThan(10_000);
  });
});

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
    ['a key behind another word', head('/x', { authorization: `Basic ${key}` }), []],
    ['the field of OpenAI', head('/x', { 'OpenAI-Organization': 'o' }), ['header-provider']],
    ['a gateway', head('/x', { 'x-portkey-trace': '1' }), ['header-sdk']],
    ['another gateway', head('/x', { 'Helicone-Auth': 'x' }), ['header-sdk']],
    ['an agent in the middle', head('/x', { 'user-agent': 'x/1 (langchain/0.3)' }), ['agent-sdk']],
    ['an agent far behind', head('/x', { 'user-agent': `${'x'.repeat(300)} openai/1` }), []],
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
  ])('whose shape it is: %s', (_name, body, family) => {
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
  ])('cut off: %s', (text, signals) => expect(requestBodyShapes(text).signals).toEqual(signals));

  test('that is longer than what is looked at', () => {
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

describe('the score', () => {
  const of = (signals: Signal[], use: Partial<{ subjects: number; days: number; bytesUp: number }> = {}) =>
    assess({ signals: new Set(signals), subjects: 1, days: 1, bytesUp: 0, ...use });

  test.each<
    [name: string, signals: Signal[], use: object, score: number, confidence: string, kind: string, category: string]
  >([
    ['a top level alone', ['host-tld-ai'], {}, 3, 'weak', 'ai', 'monitoring'],
    ['a top level in use', ['host-tld-ai'], { subjects: 3, days: 3 }, 5, 'low', 'ai', 'monitoring'],
    ['two words of a name', ['host-tld-ai', 'host-model-word'], {}, 6, 'low', 'ai', 'monitoring'],
    ['a name and a shape', ['host-model-word', 'body-chat'], {}, 8, 'medium', 'ai', 'monitoring'],
    ['much use', ['host-tld-ai'], { subjects: 2, days: 2, bytesUp: 1024 * 1024 }, 4, 'weak', 'ai', 'monitoring'],
    ['little use', ['host-tld-ai'], { subjects: 2, days: 2, bytesUp: 1024 * 1024 - 1 }, 3, 'weak', 'ai', 'monitoring'],
    ['with a weak one', ['body-chat', 'host-tld-ai', 'host-token-ai'], {}, 9, 'medium', 'ai', 'monitoring'],
    ['a little less', ['body-chat', 'host-chat-word', 'host-token-ai'], {}, 7, 'low', 'ai', 'monitoring'],
    ['nearly much', ['body-chat', 'answer-usage'], {}, 10, 'medium', 'ai', 'monitoring'],
    ['nothing', [], { subjects: 9, days: 9, bytesUp: 9e9 }, 0, 'weak', 'ai', 'monitoring'],
    ['much', ['host-tld-ai', 'path-model-api', 'body-chat'], {}, 11, 'high', 'ai', 'monitoring'],
    [
      'weak ones never suffice',
      ['host-token-ai', 'host-chat-word', 'host-api-label', 'path-model-list', 'port-model-server'],
      { subjects: 9, days: 9, bytesUp: 9e9 },
      3,
      'weak',
      'ai',
      'monitoring',
    ],
    ['a key for a stranger', ['header-provider-key'], {}, 5, 'low', 'relay', 'blocked'],
    ['an imitation', ['host-lookalike'], {}, 5, 'low', 'lookalike', 'blocked'],
    ['harm', ['host-risk-word', 'host-tld-ai'], {}, 6, 'low', 'ai', 'blocked'],
  ])('%s', (_name, signals, use, score, confidence, kind, category) =>
    expect(of(signals, use)).toMatchObject({ score, confidence, kind, category }),
  );

  test.each<[reason: string, signals: Signal[]]>([
    ['The name resembles that of an AI service'.replace('The', 'the'), ['host-token-ai']],
    ['The name ends in .ai; an AI SDK sends the requests', ['host-tld-ai', 'host-chat-word', 'agent-sdk']],
    ['The name imitates a registered service', ['host-lookalike']],
    ['The name imitates a registered service; the name ends in .ai', ['host-tld-ai', 'host-lookalike']],
    [
      'The name holds the word of a model or product; the name holds a word of harmful image services; requests go to the paths of model interfaces; a key of an AI provider is sent to it',
      ['host-model-word', 'host-risk-word', 'path-model-api', 'header-provider-key', 'header-provider'],
    ],
    [
      'Requests carry the fields of an AI provider; requests carry the fields of an AI SDK; request bodies are those of a chat with a model; request bodies hold a prompt',
      ['header-provider', 'header-sdk', 'body-chat', 'body-prompt'],
    ],
    [
      'Answers carry the fields of an AI provider; answers carry the fields of an AI gateway; answers limit tokens; answers to JSON requests are event streams',
      ['answer-provider', 'answer-gateway', 'answer-token-limit', 'answer-stream'],
    ],
    [
      'Answers stream as those of a model; answers count tokens; errors are those of a model interface',
      ['answer-events', 'answer-usage', 'answer-error'],
    ],
  ])('in words: %s', (reason, signals) => expect(of(signals).reason).toBe(reason));

  test.each<[Signal[], boolean]>([
    [[], false],
    [['host-token-ai', 'path-model-list'], false],
    [['host-token-ai', 'host-tld-ai'], true],
    [['body-chat'], true],
  ])('%j are worth keeping: %s', (signals, expected) => expect(isWorthKeeping(signals)).toBe(expected));
});

describe('findings of two replicas', () => {
  const one = (subjects: readonly number[], more: Partial<Finding> = {}): Finding => ({
    hosts: ['a.example'],
    signals: { 'host-tld-ai': 1 },
    requests: 1,
    subjects,
    days: ['2026-11-21'],
    bytesUp: 10,
    firstSeen: '2026-11-21T00:00:00.000Z',
    lastSeen: '2026-11-21T00:00:00.000Z',
    state: 'open',
    ...more,
  });

  test('add up, and the state of what is stored stays', () => {
    const merged = mergeFindings(
      one([1, 5], { state: 'dismissed' }),
      one([5, 9], { hosts: ['b.example'], days: ['2026-11-20'], family: 'openai-like' }),
    );
    expect(merged).toMatchObject({
      hosts: ['a.example', 'b.example'],
      signals: { 'host-tld-ai': 2 },
      requests: 2,
      subjects: [1, 5, 9],
      days: ['2026-11-20', '2026-11-21'],
      bytesUp: 20,
      family: 'openai-like',
      state: 'dismissed',
    });
  });

  test('keep what either knows, and no more than there is room for', () => {
    const early = { firstSeen: '2026-11-20T00:00:00.000Z', lastSeen: '2026-11-20T01:00:00.000Z' };
    const hosts = Array.from({ length: 15 }, (_, i) => `h${i}.example`);
    const days = Array.from({ length: 31 }, (_, i) => `2026-10-${String(i + 1).padStart(2, '0')}`);
    const a = one([], { ...early, hosts, days, family: 'image', service: 'a', state: 'registered' });
    const b = one([], {
      hosts: hosts.map((host) => `x.${host}`),
      imitates: 'openai.com',
      family: 'ollama-like',
      service: 'b',
      signals: { 'host-tld-ai': 2, 'body-chat': 1 },
    });
    const both = mergeFindings(a, b);
    expect(both.hosts).toEqual([...hosts, ...b.hosts.slice(0, 5)]);
    expect(both.days).toEqual([...days.slice(1), '2026-11-21']);
    expect(both).toMatchObject({
      signals: { 'host-tld-ai': 3, 'body-chat': 1 },
      firstSeen: early.firstSeen,
      lastSeen: '2026-11-21T00:00:00.000Z',
      family: 'image',
      imitates: 'openai.com',
      service: 'a',
    });
    const turned = mergeFindings(b, a);
    expect([turned.firstSeen, turned.lastSeen]).toEqual([both.firstSeen, both.lastSeen]);
    expect(turned).toMatchObject({ family: 'ollama-like', imitates: 'openai.com', service: 'b', state: 'open' });
    const plain = mergeFindings(one([1]), one([2]));
    for (const key of ['family', 'imitates', 'service']) expect(plain).not.toHaveProperty(key);
    expect(evidenceOf(both)).toEqual({
      signals: new Map([
        ['host-tld-ai', 3],
        ['body-chat', 1],
      ]),
      subjects: 0,
      days: 31,
      bytesUp: 20,
    });
  });

  test('few are counted, many reckoned', () => {
    expect(countDistinct([1, 2, 3])).toBe(3);
    const full = Array.from({ length: 64 }, (_, i) => i);
    expect(countDistinct([...full.slice(0, 63), hashRange / 2])).toBe(126);
  });

  test.each([1, 64, 1_000, 50_000])('%i subjects are counted within a fifth', (count) => {
    // Evenly spread hashes, as a good hash makes them.
    const step = hashRange / (count + 1);
    let sketch: readonly number[] = [];
    for (let from = 0; from < count; from += 500) {
      const part = Array.from({ length: Math.min(500, count - from) }, (_, i) => Math.floor((from + i + 1) * step));
      sketch = mergeFindings(one(sketch), one(part)).subjects;
    }
    expect(sketch.length).toBeLessThanOrEqual(64);
    expect(Math.abs(countDistinct(sketch) - count) / count).toBeLessThan(0.2);
  });
});
