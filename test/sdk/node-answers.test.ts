/** Middleware on Express 4 and 5 and on Fastify, however a handler answers and whatever other middleware is used. */
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import compression from 'compression';
import express from 'express';
import Fastify from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { privetExpress } from '../../sdk/express.ts';
import { privetFastify } from '../../sdk/fastify.ts';
import { createPrivet } from '../../sdk/index.ts';
import { listening } from '../support/listening.ts';

const email = 'hanako.yamada@example.co.jp';
const body = JSON.stringify({ to: '[EMAIL-1]', rest: 'x'.repeat(3_000) });
const restored = JSON.stringify({ to: email, rest: 'x'.repeat(3_000) });
const events = ['data: {"text":"To [EMA"}\n\n', 'data: {"text":"IL-1]."}\n\n'];

// It has no types of its own; those of Express 5 fit what is used here.
const express4: typeof express = (await import('express4' as string)).default;
const expresses = { 'Express 4': express4, 'Express 5': express };
type Handler = (res: express.Response, done: () => void) => void;

const listen = async (app: express.Express) => `http://127.0.0.1:${await listening(createServer(app))}`;

const post = (url: string, type: string, text: string, headers = {}): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': type, ...headers }, body: text });

describe.each(Object.entries(expresses))('%s: a declared body that was not parsed', (_name, make) => {
  test.each([
    ['text, whose parser comes after', 'text/plain', `mail ${email}`],
    ['a form, without a parser', 'application/x-www-form-urlencoded', `to=${email}`],
    ['bytes', 'application/octet-stream', email],
  ])('%s is 500, and reaches no handler', async (_kind, type, text) => {
    const app = make();
    const seen: unknown[] = [];
    app.use(make.json(), privetExpress(createPrivet()), make.text());
    app.post('/', (req, res) => {
      seen.push(req.body);
      res.json({});
    });
    const response = await post(await listen(app), type, text);
    expect([response.status, seen]).toEqual([500, []]);
    expect(await response.json()).toMatchObject({
      error: { code: 'internal', message: expect.stringMatching(/not parsed/) },
    });
  });

  test.each([
    ['JSON', 'application/json', JSON.stringify({ to: email }), { to: '[EMAIL-1]' }],
    ['an empty object', 'application/json', '{}', {}],
  ])('%s that was parsed is handled', async (_kind, type, text, expected) => {
    const app = make();
    app.use(make.json(), privetExpress(createPrivet(), { restore: false }), make.text());
    app.post('/', (req, res) => void res.json(req.body));
    expect(await (await post(await listen(app), type, text)).json()).toEqual(expected);
  });
});

const answers: [name: string, handler: Handler, expected: string][] = [
  ['json', (res) => void res.json(JSON.parse(body)), restored],
  ['send of bytes', (res) => void res.type('json').send(Buffer.from(body)), restored],
  ['end of a text', (res) => void res.type('json').end(body), restored],
  ['end with a callback', (res, done) => void res.type('json').end(body, done), restored],
  ['end with a coding and a callback', (res, done) => void res.type('json').end(body, 'utf8', done), restored],
  ['end in hex', (res) => void res.type('json').end(Buffer.from(body).toString('hex'), 'hex'), restored],
  [
    'write, and end with a callback alone',
    (res, done) => {
      res.type('json').write(body, 'utf8');
      res.end(done);
    },
    restored,
  ],
  [
    'write in base64',
    (res) => {
      res.type('json').write(Buffer.from(body).toString('base64'), 'base64');
      res.end();
    },
    restored,
  ],
  [
    'writeHead and end',
    (res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      res.end(body);
    },
    restored,
  ],
  [
    'events, flushed',
    (res) => {
      res.type('text/event-stream').flushHeaders();
      for (const event of events) res.write(event);
      res.end();
    },
    `data: {"text":"To "}\n\ndata: {"text":"${email}."}\n\n`,
  ],
  [
    'a stream that is piped',
    (res) => void Readable.from(events).pipe(res.type('text/event-stream')),
    `data: {"text":"To "}\n\ndata: {"text":"${email}."}\n\n`,
  ],
  [
    'jsonp',
    (res) => void res.jsonp({ to: '[EMAIL-1]' }),
    `/**/ typeof show === 'function' && show(${JSON.stringify({ to: email })});`,
  ],
];

/** Like programs that count or log: it wraps the methods and observes. */
const logger: express.RequestHandler = (_req, res, next) => {
  const end = res.end;
  res.end = function logged(this: unknown, ...args: unknown[]) {
    res.locals.ended = true;
    return (end as (...all: unknown[]) => unknown).apply(this, args);
  } as typeof res.end;
  next();
};

const orders: [name: string, before: express.RequestHandler[], after: express.RequestHandler[]][] = [
  ['alone', [], []],
  ['compression before', [compression({ threshold: 0 })], []],
  ['compression after', [], [compression({ threshold: 0 })]],
  ['a logger after', [], [logger]],
  ['a logger and compression after', [], [logger, compression({ threshold: 0 })]],
];

describe.each(Object.entries(expresses))('%s', (_name, make) => {
  describe.each(orders)('%s', (order, before, after) => {
    test.each(answers)('%s is restored', async (answer, handler, expected) => {
      const app = make();
      let isDone = false;
      const done = () => {
        isDone = true;
      };
      app.use(...before, make.json());
      app.use(privetExpress(createPrivet()));
      for (const one of after) app.use(one);
      app.post('/', (_req, res) => handler(res, done));
      const headers = { 'accept-encoding': 'gzip' };
      const response = await post(
        `${await listen(app)}/?callback=show`,
        'application/json',
        JSON.stringify({ to: email }),
        headers,
      );
      expect(await response.text()).toBe(expected);
      const isCompressed = order.includes('compression');
      expect(response.headers.get('content-encoding')).toBe(isCompressed ? 'gzip' : null);
      if (answer.includes('callback')) await expect.poll(() => isDone).toBe(true);
    });
  });
});

describe('Fastify', () => {
  type Answer = (reply: import('fastify').FastifyReply) => unknown;
  const json = { 'content-type': 'application/json' };
  test.each<[name: string, answer: Answer, expected: string]>([
    ['an object', () => JSON.parse(body), restored],
    ['a Response', () => new Response(body, { headers: json }), restored],
    [
      'a Response that streams',
      () =>
        new Response(Readable.toWeb(Readable.from(events.map((one) => Buffer.from(one)))) as never, {
          headers: { 'content-type': 'text/event-stream' },
        }),
      `data: {"text":"To "}\n\ndata: {"text":"${email}."}\n\n`,
    ],
    ['a Response that is sent', (reply) => reply.send(new Response(body, { headers: json })), restored],
    [
      'the raw response, hijacked',
      (reply) => {
        reply.hijack();
        reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const event of events) reply.raw.write(event);
        reply.raw.end();
      },
      `data: {"text":"To "}\n\ndata: {"text":"${email}."}\n\n`,
    ],
    [
      'the raw response',
      (reply) => {
        reply.raw.setHeader('content-type', 'application/json');
        reply.raw.end(body);
        return reply;
      },
      restored,
    ],
    ['a stream', (reply) => reply.type('application/json').send(Readable.from([body])), restored],
  ])('%s is restored', async (_name, answer, expected) => {
    const app = Fastify();
    onTestFinished(() => void app.close());
    await app.register(privetFastify, { privet: createPrivet() });
    app.post('/', async (_request, reply) => answer(reply));
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const response = await post(url, 'application/json', JSON.stringify({ to: email }));
    expect(await response.text()).toBe(expected);
  });

  test('a token inside a value is not restored twice', async () => {
    const app = Fastify();
    onTestFinished(() => void app.close());
    const privet = createPrivet({ dictionary: [{ label: 'NOTE', pattern: 'see \\[EMAIL-1\\]' }] });
    await app.register(privetFastify, { privet });
    app.post('/', async () => ({ note: '[NOTE-1]' }));
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const response = await post(url, 'application/json', JSON.stringify({ note: 'see [EMAIL-1]', to: email }));
    expect(await response.text()).toMatch(/^\{"note":"(?:see \[EMAIL-1\]|\[NOTE-1\])"\}$/);
  });
});
