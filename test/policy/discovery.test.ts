import { describe, expect, test } from 'vitest';
import { loadServices } from '../../config/services.ts';
import { assess, type Signal, signalWeights } from '../../policy/discovery.ts';
import { isLocalName, registrableDomain } from '../../policy/discovery-domain.ts';
import { countDistinct, type Finding, hashRange, mergeFindings } from '../../policy/discovery-finding.ts';
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
    ['192.0.2.7', '192.0.2.7'],
    ['localhost', 'localhost'],
  ])('%s → %s', (host, domain) => expect(registrableDomain(host)).toBe(domain));

  test.each([
    ['ollama.local', true],
    ['gpu-box', true],
    ['10.0.0.7', true],
    ['model.corp', true],
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
    // No imitations.
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
    ['mail', { messages: [{ from: 'a', to: 'b', content: 'x' }] }, undefined],
    ['a form', { prompt: 'consent', text: long }, undefined],
    ['team chat', { text: long, channel: 'c', thread_ts: '1' }, undefined],
    ['a shop', { model: 'XL', seed: 1, items: [1] }, undefined],
    ['a list', [1, 2, 3], undefined],
  ])('%s', (_name, body, signal, path) => {
    expect(requestBodyShapes(JSON.stringify(body), path).signals).toEqual(signal === undefined ? [] : [signal]);
  });

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
    ['that streams after a GET', { 'content-type': 'text/event-stream' }, false, []],
  ])('%s', (_name, fields, isPost, signals) =>
    expect(answerShapes(Object.entries(fields).flat(), isPost).signals).toEqual(signals),
  );

  test.each<[name: string, text: string, type: string, signals: Signal[]]>([
    ['Anthropic events', 'event: message_start\ndata: {}\n\n', 'text/event-stream', ['answer-events']],
    ['OpenAI events', 'data: {"choices":[{"delta":{"content":"x"}}]}\n\n', 'text/event-stream', ['answer-events']],
    ['a ticker', 'data: {"price":1}\n\n', 'text/event-stream', []],
    ['usage', '{"usage":{"prompt_tokens":1}}', 'application/json', ['answer-usage']],
    ['quota of storage', '{"usage":{"bytes":1}}', 'application/json', []],
    [
      'an error of a model',
      '{"error":{"type":"invalid_request_error","code":"model_not_found"}}',
      'application/json',
      ['answer-error'],
    ],
    ['Ollama lines', '{"response":"x","done":false}\n', 'application/x-ndjson', ['answer-events']],
    ['a page', '<p>"usage":{"prompt_tokens":1}', 'text/html', []],
  ])('%s', (_name, text, type, signals) => expect(answerBodyShapes(text, type).signals).toEqual(signals));
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
