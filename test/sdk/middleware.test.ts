/** Middleware on real servers: what the handler sees, what the client gets, and that nothing passes when masking fails. */

import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import express from 'express';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { PrivetError } from '../../core/errors.ts';
import type { TokenVault } from '../../core/vault.ts';
import { privetExpress } from '../../sdk/express.ts';
import { privetFastify } from '../../sdk/fastify.ts';
import type { FieldsOptions } from '../../sdk/fields.ts';
import { createPrivet } from '../../sdk/index.ts';
import { privetHandler } from '../../sdk/web.ts';
import { closedAtEnd } from '../support/closing.ts';
import { jsonPost } from '../support/json-post.ts';
import { listening } from '../support/listening.ts';

const email = 'hanako.yamada@example.co.jp';
const sse =
  'data: {"choices":[{"index":0,"delta":{"content":"To [EMA"}}]}\n\ndata: {"choices":[{"index":0,"delta":{"content":"IL-1]."}}]}\n\n';

/** Nothing follows, and the stream stays open. */
const silent = 'data: {"text":"see ["}\n\n';

const broken: TokenVault = {
  reserve: () => Promise.reject(new PrivetError('unavailable', 'The store is away.')),
  tokens: () => undefined,
  drop: () => false,
};

/** The handler's responses, by path: `/json`, `/text`, `/bytes`, `/stream`, `/silent`, `/raw`. */
type Ask = (path: string, body: unknown, contentType?: string) => Promise<{ status: number; text: string }>;
type App = { readonly url: string; readonly ask: Ask; readonly seen: unknown[] };
type Start = (options: FieldsOptions & { vault?: TokenVault }) => Promise<App>;

const asker =
  (url: string): Ask =>
  async (path, body, contentType = 'application/json') => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };

const urlOf = async (app: express.Express) => `http://127.0.0.1:${await listening(createServer(app))}`;

const startExpress: Start = async ({ vault, ...options }) => {
  const seen: unknown[] = [];
  const app = express();
  app.use(express.json(), express.text(), express.raw({ type: 'application/x-bytes' }), express.urlencoded());
  app.use(privetExpress(createPrivet(vault === undefined ? {} : { vault }), options));
  app.use((req, _res, next) => {
    seen.push(req.body);
    next();
  });
  app.post('/json', (_req, res) => void res.json({ to: '[EMAIL-1]' }));
  app.post('/text', (_req, res) => void res.type('text/plain').send('To [EMAIL-1]'));
  app.post('/bytes', (_req, res) => void res.type('image/png').send(Buffer.from('To [EMAIL-1]')));
  app.post('/stream', (_req, res) => {
    res.type('text/event-stream');
    for (const piece of sse.match(/.{1,20}/gs) ?? []) res.write(piece);
    res.end();
  });
  app.post('/silent', (_req, res) => void res.type('text/event-stream').write(silent));
  app.post('/raw', (_req, res) => {
    const body = JSON.stringify({ to: '[EMAIL-1]' });
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(body);
  });
  const url = await urlOf(app);
  return { url, ask: asker(url), seen };
};

const startFastify: Start = async ({ vault, ...options }) => {
  const seen: unknown[] = [];
  const app = Fastify();
  app.addContentTypeParser('application/x-bytes', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addContentTypeParser('application/x-left', (_request, _payload, done) => done(null, undefined));
  await app.register(privetFastify, { privet: createPrivet(vault === undefined ? {} : { vault }), ...options });
  app.addHook('preHandler', async (request) => void seen.push(request.body));
  app.post('/json', async () => ({ to: '[EMAIL-1]' }));
  app.post('/text', async (_request, reply) => reply.type('text/plain').send('To [EMAIL-1]'));
  app.post('/bytes', async (_request, reply) => reply.type('image/png').send(Buffer.from('To [EMAIL-1]')));
  app.post('/stream', async (_request, reply) =>
    reply.type('text/event-stream').send(Readable.from(sse.match(/.{1,20}/gs) ?? [])),
  );
  app.post('/silent', async (_request, reply) => {
    const source = new Readable({ read() {} });
    source.push(silent);
    return reply.type('text/event-stream').send(source);
  });
  app.post('/raw', async (_request, reply) =>
    reply.type('application/json').send(Buffer.from(JSON.stringify({ to: '[EMAIL-1]' }))),
  );
  closedAtEnd(() => app.close());
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url, ask: asker(url), seen };
};

describe.each<[name: string, start: Start]>([
  ['Express', startExpress],
  ['Fastify', startFastify],
])('%s', (_name, start) => {
  test('the handler sees tokens, the client its values', async () => {
    const { ask, seen } = await start({});
    const body = { question: `Who is ${email}?`, n: 5, nested: { list: [email] } };
    expect(await ask('/json', body)).toEqual({ status: 200, text: JSON.stringify({ to: email }) });
    expect(seen).toEqual([{ question: 'Who is [EMAIL-1]?', n: 5, nested: { list: ['[EMAIL-1]'] } }]);
    expect(await ask('/text', body)).toEqual({ status: 200, text: `To ${email}` });
    expect(await ask('/raw', body)).toEqual({ status: 200, text: JSON.stringify({ to: email }) });
  });

  test('streams are restored for any split, other bytes are unchanged', async () => {
    const { ask } = await start({});
    const { text } = await ask('/stream', { question: email });
    const said = text
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => JSON.parse(line.slice(5)).choices[0].delta.content);
    expect(said.join('')).toBe(`To ${email}.`);
    expect((await ask('/bytes', { question: email })).text).toBe('To [EMAIL-1]');
  });

  test('a silent stream releases held-back text', async () => {
    const { url } = await start({});
    const left = new AbortController();
    const response = await fetch(`${url}/silent`, { ...jsonPost({ question: email }), signal: left.signal });
    let text = '';
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      if (text.includes('[')) break;
    }
    left.abort();
    expect(text).toBe('data: {"text":"see "}\n\ndata: {"text":"["}\n\n');
  });

  test('only the named fields', async () => {
    const { ask, seen } = await start({ fields: ['question', 'list.note', 'missing.field'] });
    await ask('/json', { question: email, sender: email, list: [{ note: email }, { note: 5 }] });
    expect(seen).toEqual([{ question: '[EMAIL-1]', sender: email, list: [{ note: '[EMAIL-1]' }, { note: 5 }] }]);
  });

  test('text and raw bodies', async () => {
    const { ask, seen } = await start({});
    await ask('/json', `Who is ${email}?`, 'text/plain');
    expect(seen[0]).toBe('Who is [EMAIL-1]?');
  });

  test('without a detection nothing changes, and a typed token is kept', async () => {
    const { ask, seen } = await start({});
    const { text } = await ask('/json', { question: 'Hello' });
    expect(seen).toEqual([{ question: 'Hello' }]);
    expect(text).toBe('{"to":"[EMAIL-1]"}');
  });

  test.each<[name: string, options: Parameters<Start>[0], body: string, contentType: string, code: string]>([
    ['an unavailable store', { vault: broken }, JSON.stringify({ a: email }), 'application/json', 'unavailable'],
    ['bytes that cannot be read', {}, '\u0000\u0001\u0002\u0003', 'application/x-bytes', 'uninspectable'],
    ['a body that was not parsed', {}, email, 'application/x-left', 'internal'],
  ])('%s: 500 with the code, and no handler is called', async (_case, options, body, contentType, code) => {
    const { ask, seen } = await start(options);
    const { status, text } = await ask('/json', body, contentType);
    expect(status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({ error: { code, hint: expect.any(String) } });
    expect(text).not.toContain(email);
    expect(seen).toEqual([]);
  });
});

test('Express: a custom session keeps tokens across requests', async () => {
  const privet = createPrivet();
  const app = express();
  const seen: unknown[] = [];
  app.use(express.json(), privetExpress(privet, { session: () => 'ana' }));
  app.post('/', (req, res) => {
    seen.push(req.body.q, (req as { privet?: unknown }).privet);
    res.json({});
  });
  const ask = asker(await urlOf(app));
  await ask('/', { q: email });
  await ask('/', { q: `taro@example.com ${email}` });
  expect(seen).toEqual(['[EMAIL-1]', { sessionId: 'ana' }, '[EMAIL-2] [EMAIL-1]', { sessionId: 'ana' }]);
});

test.each<[name: string, fields: unknown]>([
  ['an object', { 'Content-Type': 'text/event-stream', 'Content-Length': '19' }],
  ['a list', ['Content-Type', 'text/event-stream', 'Content-Length', '19']],
])('Express: a response that begins with writeHead and %s is restored, too', async (_name, fields) => {
  const app = express();
  // With this field Node keeps all headers of writeHead; without it, it sends and forgets them.
  app.disable('x-powered-by');
  app.use(express.json(), privetExpress(createPrivet()));
  app.post('/', (_req, res) => {
    res.writeHead(200, fields as Record<string, string>);
    res.write('data: to [EMA');
    res.end('IL-1]\n\n');
  });
  const ask = asker(await urlOf(app));
  expect(await ask('/', { q: email })).toEqual({ status: 200, text: `data: to ${email}\n\n` });
});

test('Fastify: a client that disconnects ends a silent source', async () => {
  const source = new Readable({ read() {} });
  const app = Fastify();
  await app.register(privetFastify, { privet: createPrivet() });
  app.post('/', (_request, reply) => reply.type('text/event-stream').send(source));
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  closedAtEnd(() => app.close());
  source.push('data: to [EMAIL-1]\n\n');
  const left = new AbortController();
  const answer = await fetch(url, { ...jsonPost({ q: email }), signal: left.signal });
  const { value } = (await answer.body?.getReader().read()) ?? {};
  expect(new TextDecoder().decode(value)).toContain(email);
  const closed = new Promise((resolve) => source.once('close', resolve));
  left.abort();
  await closed;
  expect(source.destroyed).toBe(true);
});

const password = 'a"b<c>9\\n$Kx7';
/** A single string as response; `p` is the spelling of the password in it. */
const wholes: [type: string, text: string, restored: string][] = [
  ['application/x-ndjson', '{"p":"[PASSWORD-1]"}\n{"b":1}\n', `{"p":${JSON.stringify(password)}}\n{"b":1}\n`],
  ['text/event-stream', 'data: {"p":"[PASSWORD-1]"}\n\n', `data: {"p":${JSON.stringify(password)}}\n\n`],
  ['text/plain', 'p [PASSWORD-1]', `p ${password}`],
  ['text/plain', '{\n"p":"[PASSWORD-1]"}', `{\n"p":${JSON.stringify(password)}}`],
  ['application/json', '[{"p":"a ["},{"p":"[PASSWORD-1]"}]', JSON.stringify([{ p: 'a [' }, { p: password }])],
  ['text/html', '<b title="x">[PASSWORD-1]</b>', '<b title="x">a&#34;b&#60;c&#62;9&#92;n$Kx7</b>'],
];

test.each(wholes)('one string of %s is restored in its own framing', async (type, text, restored) => {
  const privet = createPrivet({ dictionary: [{ label: 'PASSWORD', pattern: password }] });
  const fastify = Fastify();
  await fastify.register(privetFastify, { privet });
  fastify.post('/', (_request, reply) => reply.type(type).send(text));
  const app = express();
  app.use(express.json(), privetExpress(privet));
  app.post('/', (_req, res) => void res.type(type).send(text));
  closedAtEnd(() => fastify.close());
  for (const url of [await fastify.listen({ port: 0, host: '127.0.0.1' }), await urlOf(app)])
    expect((await asker(url)('/', { q: `it is ${password} now` })).text).toBe(restored);
});

describe('web-standard handlers', () => {
  const post = (body: RequestInit['body'], type = 'application/json') =>
    new Request('http://localhost/x', { method: 'POST', body, headers: { 'content-type': type } } as RequestInit);

  test('masks, passes other arguments on, restores', async () => {
    const handler = privetHandler(createPrivet(), async (request: Request, context: { id: number }) => {
      const { q } = (await request.json()) as { q: string };
      return Response.json({ seen: q.length, id: context.id, answer: q });
    });
    const response = await handler(post(JSON.stringify({ q: email })), { id: 7 });
    expect(await response.json()).toEqual({ seen: '[EMAIL-1]'.length, id: 7, answer: email });
  });

  test('a stream', async () => {
    const handler = privetHandler(
      createPrivet(),
      () =>
        new Response(ReadableStream.from(sse.match(/.{1,9}/gs) ?? []).pipeThrough(new TextEncoderStream()), {
          headers: { 'content-type': 'text/event-stream' },
        }),
    );
    const text = await (await handler(post(JSON.stringify({ q: email })))).text();
    expect(text).toContain(email.slice(-10));
    expect(text).not.toContain('[EMAIL-1]');
  });

  test('a response compressed by the handler is unchanged', async () => {
    const json = JSON.stringify({ to: '[EMAIL-1]' });
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const handler = privetHandler(createPrivet(), () => new Response(gzipSync(json), { headers }));
    const response = await handler(post(JSON.stringify({ q: email })));
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(Buffer.from(await response.arrayBuffer())).toString()).toBe(json);
  });

  test('a GET has nothing to mask', async () => {
    const handler = privetHandler(createPrivet(), (request) => new Response(request.method));
    expect(await (await handler(new Request('http://localhost/x'))).text()).toBe('GET');
  });

  test.each<[name: string, privet: ReturnType<typeof createPrivet>, request: () => Request, code: string]>([
    ['an unavailable store', createPrivet({ vault: broken }), () => post(JSON.stringify({ q: email })), 'unavailable'],
    ['broken JSON', createPrivet(), () => post(`{"q":"${email}`), 'invalid_json'],
    ['an invalid form', createPrivet(), () => post('x', 'multipart/form-data'), 'bad_request'],
  ])('%s: 500 with the code, and the handler is not called', async (_case, privet, request, code) => {
    let calls = 0;
    const handler = privetHandler(privet, () => {
      calls++;
      return new Response('x');
    });
    const response = await handler(request());
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: { code } });
    expect(calls).toBe(0);
  });
});
