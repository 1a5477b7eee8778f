/** The fields around a restored body: which caches may store it, and its trailers. */
import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { type OriginHandler, startOrigin } from '../support/origin.ts';
import { tokensIn } from '../support/provider.ts';
import { openHttp2, openTls } from '../support/tunnel.ts';

const host = 'api.openai.com';
const mail = 'anna.berg@example.com';
const body = JSON.stringify({ messages: [{ role: 'user', content: `Mail ${mail}` }] });
let answer: OriginHandler;

const origin = await startOrigin({
  names: [host],
  handler: (request, response) => answer(request, response),
});
const gateway = await startGateway({ hosts: { [host]: origin } });

type Answer = { headers: Record<string, unknown>; trailers: Record<string, unknown>; text: string };

async function ask(fields: Record<string, string> = {}, sent = body): Promise<Answer> {
  const socket = await openTls(gateway, `${host}:443`);
  return new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/json', connection: 'close', ...fields };
    const request = httpRequest(
      { createConnection: () => socket, method: 'POST', path: '/v1/chat/completions', headers },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece) => {
          text += piece;
        });
        response.on('end', () => resolve({ headers: response.headers, trailers: response.trailers, text }));
      },
    );
    request.on('error', reject).end(sent);
  });
}

const content = (request: { body: Buffer }): string =>
  JSON.stringify({ choices: [{ message: { content: tokensIn(request.body.toString())[0] } }] });

describe('caches', () => {
  test.each([
    ['public, max-age=600', 'private, no-store'],
    ['PUBLIC, s-maxage=60, stale-while-revalidate=5', 'private, no-store'],
    ['no-cache, no-transform', 'private, no-store, no-transform'],
    ['max-age=60, ext="a, public"', 'private, no-store'],
    ['no-store', 'private, no-store'],
  ])('Cache-Control: %s', async (sent, expected) => {
    answer = (request, response) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'cache-control': sent,
        'cdn-cache-control': 'max-age=600',
      });
      response.end(content(request));
    };
    const { headers, text } = await ask();
    expect(text).toContain(mail);
    expect(headers['cache-control']).toBe(expected);
    expect(headers['cdn-cache-control']).toBeUndefined();
  });

  test('an unrestored response keeps its headers', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'cache-control': 'public, max-age=600' });
      response.end('x');
    };
    expect((await ask()).headers['cache-control']).toBe('public, max-age=600');
  });
});

describe('the name of a downloaded file', () => {
  const japanese = '氏名：山田 太郎';
  const encoded = encodeURIComponent(japanese.slice(3));
  const both = (token: string) =>
    `attachment; filename="${token}.csv"; filename*=UTF-8''${encodeURIComponent(token)}.csv`;
  test.each<[what: string, value: string, sent: (token: string) => string, received: (token: string) => string]>([
    ['in quotes', mail, (token) => `attachment; filename="${token}.wav"`, () => `attachment; filename="${mail}.wav"`],
    ['as a word', mail, (token) => `inline; filename=${token}`, () => `inline; filename="${mail}"`],
    [
      'no ASCII',
      japanese,
      (token) => `attachment; filename="${token}.csv"`,
      () => `attachment; filename*=UTF-8''${encoded}.csv`,
    ],
    ['both', japanese, both, (token) => `attachment; filename="${token}.csv"; filename*=UTF-8''${encoded}.csv`],
  ])('%s', async (_what, value, sent, received) => {
    let token = '';
    answer = (request, response) => {
      token = tokensIn(request.body.toString())[0] ?? '';
      const fields = { 'content-type': 'audio/wav', 'cache-control': 'public', 'content-disposition': sent(token) };
      response.writeHead(200, fields).end('x');
    };
    const { headers } = await ask({}, JSON.stringify({ messages: [{ role: 'user', content: value }] }));
    expect(token).toMatch(/^\[/);
    expect(headers['content-disposition']).toBe(received(token));
    expect(headers['cache-control']).toBe('private, no-store');
  });
});

describe('trailers after a restored document', () => {
  const withTrailers: OriginHandler = (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', trailer: 'x-checksum' });
    response.write(content(request));
    response.addTrailers({ 'x-checksum': 'abc' });
    response.end();
  };

  test('arrive over HTTP/1.1 if requested', async () => {
    answer = withTrailers;
    const { headers, trailers, text } = await ask({ te: 'trailers', connection: 'TE, close' });
    expect(text).toContain(mail);
    expect(headers.trailer).toBe('x-checksum');
    expect(trailers).toEqual({ 'x-checksum': 'abc' });
  });

  test('are not announced if they will not be sent', async () => {
    answer = (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', trailer: 'x-checksum' });
      response.end(content(request));
    };
    const { headers, text } = await ask({ te: 'trailers', connection: 'TE, close' });
    expect(text).toContain(mail);
    expect(headers.trailer).toBeUndefined();
    expect(headers['content-length']).toBe(String(text.length));
  });

  test('arrive over HTTP/2', async () => {
    answer = (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', trailer: 'x-checksum' });
      response.write(content(request));
      response.addTrailers({ 'x-checksum': 'abc' });
      response.end();
    };
    const session = await openHttp2(gateway, `${host}:443`);
    const stream = session.request({
      ':method': 'POST',
      ':path': '/v1/chat/completions',
      'content-type': 'application/json',
    });
    let trailers: Record<string, unknown> = {};
    stream.on('trailers', (fields) => {
      trailers = fields;
    });
    stream.end(body);
    let text = '';
    for await (const piece of stream.setEncoding('utf8')) text += piece;
    session.destroy();
    expect(text).toContain(mail);
    expect(trailers['x-checksum']).toBe('abc');
  });
});
