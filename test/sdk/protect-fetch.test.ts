import Anthropic from '@anthropic-ai/sdk';
import { ChatOpenAI } from '@langchain/openai';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPrivet, protectFetch } from '../../sdk/index.ts';
import { type OriginHandler, startOrigin } from '../support/origin.ts';
import { defaultSay, makeProvider } from '../support/provider.ts';

const email = 'hanako.yamada@example.co.jp';
let answer: OriginHandler;
const {
  address,
  requests: received,
  reset,
} = await startOrigin({
  handler: (request, response) => answer(request, response),
});
const url = `http://${address}`;
beforeEach(() => {
  reset();
  answer = ({ body, headers }, response) => {
    response.writeHead(200, { 'content-type': String(headers['content-type'] ?? 'text/plain') }).end(body);
  };
});

const json = { 'content-type': 'application/json' };

describe('sent requests', () => {
  const form = new FormData();
  form.set('prompt', `Write to ${email}`);
  form.set('file', new File([`mail,${email}\n`], 'list.csv', { type: 'text/csv' }));

  test.each<[name: string, init: RequestInit, sent: RegExp]>([
    ['JSON', { body: JSON.stringify({ text: email }), headers: json }, /^\{"text":"\[EMAIL-1\]"\}$/],
    ['JSON without a type', { body: JSON.stringify({ text: email }) }, /^\{"text":"\[EMAIL-1\]"\}$/],
    ['bytes', { body: new TextEncoder().encode(`{"text":"${email}"}`), headers: json }, /^\{"text":"\[EMAIL-1\]"\}$/],
    ['a Blob', { body: new Blob([email], { type: 'text/plain' }) }, /^\[EMAIL-1\]$/],
    ['a form', { body: new URLSearchParams({ text: email }) }, /^text=(?:%5BEMAIL-1%5D|\[EMAIL-1\])$/],
    ['multipart', { body: form }, /Write to \[EMAIL-1\][\s\S]*mail,\[EMAIL-1\]/],
    [
      'lines of JSON',
      { body: `{"a":"${email}"}\n{"b":1}\n`, headers: { 'content-type': 'application/x-ndjson' } },
      /^\{"a":"\[EMAIL-1\]"\}\n\{"b":1\}\n$/,
    ],
    [
      'a stream',
      {
        body: ReadableStream.from([new TextEncoder().encode(email)]),
        headers: { 'content-type': 'text/plain' },
        duplex: 'half',
      } as RequestInit,
      /^\[EMAIL-1\]$/,
    ],
  ])('%s is masked, its answer restored', async (_name, init, sent) => {
    const response = await protectFetch()(url, { method: 'POST', ...init });
    expect(received[0]?.body.toString()).toMatch(sent);
    expect(received[0]?.headers['content-length']).toBe(String(received[0]?.body.length));
    const type = response.headers.get('content-type') ?? '';
    if (!/multipart|urlencoded/.test(type)) expect(await response.text()).toContain(email);
  });

  test.each([
    ['JSON', 'application/json', (json: string) => json],
    ['an event stream', 'text/event-stream', (json: string) => `data: ${json}\n\n`],
  ])('numbers in tool data are numbers again, in %s', async (_name, type, framed) => {
    const args = { card: 4111111111111111, to: [email] };
    answer = ({ body }, response) => {
      const { params } = JSON.parse(body.toString()) as { params: { arguments: object } };
      const result = { structuredContent: params.arguments };
      response.writeHead(200, { 'content-type': type }).end(framed(JSON.stringify({ jsonrpc: '2.0', id: 1, result })));
    };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pay', arguments: args } };
    const response = await protectFetch()(url, { method: 'POST', headers: json, body: JSON.stringify(call) });
    expect(received[0]?.body.toString()).toContain('"card":"[CREDIT_CARD-1]"');
    expect(await response.text()).toContain(JSON.stringify(args));
  });

  test('a Request object, by itself and with another body', async () => {
    const fetch = protectFetch();
    const request = new Request(url, { method: 'POST', body: JSON.stringify({ text: email }), headers: json });
    expect(await (await fetch(request)).json()).toEqual({ text: email });
    expect(received[0]?.body.toString()).toBe('{"text":"[EMAIL-1]"}');
    const plain = new Request(url, { method: 'POST', body: '{"n":1}', headers: json });
    expect(await (await fetch(plain)).json()).toEqual({ n: 1 });
  });

  test('without a detection the same body and headers are sent', async () => {
    const body = '{ "n": 1.0e3,\n"text":"Hello" }';
    await protectFetch()(url, { method: 'POST', body, headers: { ...json, 'x-own': 'a' } });
    expect(received[0]?.body.toString()).toBe(body);
    expect(received[0]?.headers).toMatchObject({ ...json, 'x-own': 'a' });
  });

  test('a value keeps its token over the calls of one wrapper', async () => {
    const fetch = protectFetch();
    for (const text of [email, `taro@example.com ${email}`]) {
      await fetch(url, { method: 'POST', body: JSON.stringify({ text }), headers: json });
    }
    expect(received[1]?.body.toString()).toBe('{"text":"[EMAIL-2] [EMAIL-1]"}');
  });
});

describe('refused requests', () => {
  const refusing = createPrivet({
    vault: {
      reserve: () => Promise.reject(new Error('the store is away')),
      tokens: () => undefined,
      drop: () => false,
    },
  });
  test.each<[name: string, init: RequestInit, status: number, code: string]>([
    ['broken JSON', { body: `{"text":"${email}`, headers: json }, 400, 'invalid_json'],
    [
      'no UTF-8',
      { body: new Uint8Array([0xff, 0xfe, 0x41]), headers: { 'content-type': 'text/plain' } },
      400,
      'undecodable_body',
    ],
    [
      'unknown bytes',
      { body: new Uint8Array([0, 1, 2, 3, 0xff]), headers: { 'content-type': 'application/x-unknown' } },
      403,
      'uninspectable',
    ],
  ])('%s', async (_name, init, status, code) => {
    const response = await protectFetch()(url, { method: 'POST', ...init });
    expect([response.status, response.headers.get('x-should-retry'), response.url]).toEqual([status, 'false', url]);
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'privet_error', code } });
    expect(received).toEqual([]);
  });

  test('an unavailable vault', async () => {
    const call = protectFetch(fetch, { privet: refusing })(url, {
      method: 'POST',
      body: JSON.stringify({ text: email }),
      headers: json,
    });
    await expect(call).rejects.toThrow('the store is away');
    expect(received).toEqual([]);
  });

  describe('the packages show the reason and do not retry', () => {
    const file = `data:application/x-unknown;base64,${Buffer.from([0, 1, 2, 3, 0xff, 9, 9, 9]).toString('base64')}`;
    const reason = /^(?:\d+ )?(?:.*)Privet: Not sent: .* cannot be read/;
    let calls = 0;
    const counting = protectFetch((...args) => {
      calls++;
      return fetch(...args);
    });
    const counted: typeof fetch = (...args) => {
      asked++;
      return counting(...args);
    };
    let asked = 0;
    beforeEach(() => {
      calls = 0;
      asked = 0;
    });
    afterEach(() => expect([asked, calls, received]).toEqual([1, 0, []]));

    test('openai', async () => {
      const client = new OpenAI({ apiKey: 'none', baseURL: url, fetch: counted });
      const content = [{ type: 'file' as const, file: { file_data: file, filename: 'a.bin' } }];
      const call = client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content }] });
      await expect(call).rejects.toMatchObject({
        name: 'Error',
        status: 403,
        code: 'uninspectable',
        message: expect.stringMatching(reason),
      });
    });

    test('openai, a stream', async () => {
      const client = new OpenAI({ apiKey: 'none', baseURL: url, fetch: counted });
      const content = [{ type: 'input_file' as const, file_data: file, filename: 'a.bin' }];
      const call = client.responses.create({ model: 'm', input: [{ role: 'user', content }], stream: true });
      await expect(call).rejects.toMatchObject({ status: 403, message: expect.stringMatching(reason) });
    });

    test('anthropic', async () => {
      const client = new Anthropic({ apiKey: 'none', baseURL: url, fetch: counted });
      const source = {
        type: 'base64' as const,
        media_type: 'application/pdf' as const,
        data: file.split(',')[1] as string,
      };
      const call = client.messages.create({
        model: 'm',
        max_tokens: 9,
        messages: [{ role: 'user', content: [{ type: 'document', source }] }],
      });
      await expect(call).rejects.toMatchObject({
        status: 403,
        error: { type: 'error', error: { code: 'uninspectable' } },
        message: expect.stringMatching(/Privet: Not sent/),
      });
    });

    test('LangChain', async () => {
      const model = new ChatOpenAI({ apiKey: 'none', model: 'm', configuration: { baseURL: url, fetch: counted } });
      const content = [{ type: 'file', file: { file_data: file, filename: 'a.bin' } }];
      await expect(model.invoke([{ role: 'user', content }])).rejects.toThrow(reason);
    });
  });
});

describe('answers', () => {
  const ask = async (fetch: typeof globalThis.fetch) =>
    fetch(url, { method: 'POST', body: JSON.stringify({ text: email }), headers: json });

  test('a JSON document keeps status, url and headers', async () => {
    answer = (_request, response) => {
      response
        .writeHead(429, { ...json, 'retry-after': '3', 'content-length': '26' })
        .end('{"error":"Not [EMAIL-1]!"}');
    };
    const response = await ask(protectFetch());
    expect(response).toMatchObject({ status: 429, ok: false, url: `${url}/` });
    expect(response.headers.get('retry-after')).toBe('3');
    expect(await response.text()).toBe(`{"error":"Not ${email}!"}`);
  });

  test('non-text is unchanged', async () => {
    const bytes = Buffer.from([0, 1, 2, ...Buffer.from('[EMAIL-1]')]);
    answer = (_request, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);
    expect(Buffer.from(await (await ask(protectFetch())).arrayBuffer())).toEqual(bytes);
  });

  test('an empty answer stays empty', async () => {
    answer = (_request, response) => void response.writeHead(204).end();
    expect((await ask(protectFetch())).status).toBe(204);
  });

  test('an array that is written in pieces is restored before it is complete', async () => {
    let finish: () => void = () => undefined;
    answer = (_request, response) => {
      response.writeHead(200, json);
      response.write('[{"candidates":[{"content":{"parts":[{"text":"To [EMAIL-1]"}]}}]}\n');
      finish = () => response.end(',{"candidates":[]}]');
    };
    const response = await ask(protectFetch());
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const first = new TextDecoder().decode((await reader.read()).value);
    expect(first).toContain(`To ${email}`);
    finish();
  });

  test.each<[name: string, sent: string, got: string]>([
    ['a list', '[{"name":"Up 5%"},{"name":"[EMAIL-1] ["}]', `[{"name":"Up 5%"},{"name":"${email} ["}]`],
    ['events declared as JSON', 'data: {"a":"[EMAIL-1]"}\n\n', `data: {"a":"${email}"}\n\n`],
  ])('%s is restored', async (_name, sent, got) => {
    answer = (_request, response) => void response.writeHead(200, json).end(sent);
    expect(await (await ask(protectFetch())).text()).toBe(got);
  });

  test('a stream that breaks off stays broken', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"To [EMAIL-1]"}}]}\n\n', () =>
        response.destroy(),
      );
    };
    const response = await ask(protectFetch());
    await expect(response.text()).rejects.toThrow();
  });

  test('a cancelled answer cancels the request', async () => {
    const closed = new Promise<void>((resolve) => {
      answer = (_request, response) => {
        response.once('close', resolve);
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"a":1}\n\n');
      };
    });
    const response = await ask(protectFetch());
    await response.body?.cancel();
    await closed;
  });
});

describe('AI packages', () => {
  const wanted = defaultSay([email]);
  const messages = [{ role: 'user' as const, content: `Repeat: ${email}` }];
  beforeEach(() => {
    answer = makeProvider({ deltaLength: 4 }).handler;
  });
  afterEach(() => {
    for (const { body } of received) expect(body.toString()).toContain('Repeat: [EMAIL-1]');
  });

  test('openai: answer, stream, tool call', async () => {
    const { chat } = new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, fetch: protectFetch(), maxRetries: 0 });
    const body = { model: 'gpt-4o-mini', messages };
    expect((await chat.completions.create(body)).choices[0]?.message.content).toBe(wanted);
    const tools = [{ type: 'function' as const, function: { name: 'send_mail' } }];
    const call = (await chat.completions.create({ ...body, tools })).choices[0]?.message.tool_calls?.[0];
    expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toMatchObject({ to: email });
    let text = '';
    for await (const chunk of await chat.completions.create({ ...body, stream: true }))
      text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe(wanted);
  });

  test('anthropic: stream with the helper', async () => {
    const client = new Anthropic({ apiKey: 'none', baseURL: url, fetch: protectFetch(), maxRetries: 0 });
    const stream = client.messages.stream({ model: 'claude-haiku-4-5', max_tokens: 9, messages });
    expect(await stream.finalText()).toBe(wanted);
  });
});
