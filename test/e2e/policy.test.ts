/** Blocked, monitored and approved services, as clients see them. */
import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { proxiedFetch } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { type Origin, startOrigin } from '../support/origin.ts';
import { leaksIn, personal, prompt } from '../support/personal.ts';
import { programPath } from '../support/programs.ts';
import { exchangeRaw } from '../support/recorder.ts';
import { type RunResult, run } from '../support/run.ts';
import { openHttp2, openTls, openTunnel, sendRaw, sendTls } from '../support/tunnel.ts';

// In the shipped registry 01.ai is blocked, abridge.com is monitored, and api.openai.com is approved.
const blocked = '01.ai';
const monitored = 'abridge.com';
const approved = 'api.openai.com';
const unknown = 'files.intranet.test';
const names = [blocked, `www.${blocked}`, monitored, approved, unknown];

const authority = new TestAuthority();

const origin = await startOrigin({ authority, names });
const hosts = Object.fromEntries(names.map((name) => [name, origin]));
const gateway = await startGateway({ authority, hosts });
/** Each test sets its own configuration. */
const other = await startGateway({ authority, hosts });
beforeEach(() => origin.reset());

function curl(...args: string[]): Promise<RunResult> {
  return run(programPath('curl'), ['-sS', '-x', gateway.proxyUrl, '--cacert', gateway.caFile, ...args]);
}

describe('a blocked service', () => {
  test('curl is refused, and the origin sees no connection', async () => {
    const before = origin.connections();
    const result = await curl('-o', '/dev/null', '-w', '%{http_connect} %{http_code}', `https://${blocked}/`);
    expect(result.text).toMatch(/^(403 000|200 403)$/);
    expect(origin.connections()).toBe(before);
  });

  test('a program gets JSON with a code and a sentence', async () => {
    const { fetch, dispatcher } = proxiedFetch(gateway);
    const tunnel = await openTunnel(gateway, `${blocked}:443`);
    if (tunnel.status === 403) {
      const answer = await exchangeRaw(
        gateway.proxyPort,
        `CONNECT ${blocked}:443 HTTP/1.1\r\nHost: ${blocked}:443\r\n\r\n`,
        { until: (text) => text.includes('}}') },
      );
      const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as ErrorBody;
      expect(body.error).toMatchObject({ code: 'blocked_by_policy', message: expect.stringMatching(/\S/) });
    } else {
      const answer = await fetch(`https://${blocked}/`);
      expect(answer.status).toBe(403);
      expect(((await answer.json()) as ErrorBody).error.code).toBe('blocked_by_policy');
    }
    tunnel.socket.destroy();
    await dispatcher.close();
  });

  test('plain http gets JSON, or a page for a browser', async () => {
    const json = await curl('-i', `http://${blocked}/`);
    expect(json.text).toMatch(/^HTTP\/1\.1 403 /);
    expect(json.text).toContain('"blocked_by_policy"');
    const page = await curl('-i', '-H', 'Accept: text/html', '-H', 'Sec-Fetch-Mode: navigate', `http://${blocked}/`);
    expect(page.text).toMatch(/^HTTP\/1\.1 403 /);
    expect(page.text.toLowerCase()).toContain('content-type: text/html');
    expect(page.text).toContain("default-src 'none'");
  });

  test.each([
    ['upper case', 'GET http://01.AI/ HTTP/1.1', '01.AI'],
    ['a trailing dot', `GET http://${blocked}./ HTTP/1.1`, `${blocked}.`],
    ['a subdomain', `GET http://a.b.${blocked}/ HTTP/1.1`, `a.b.${blocked}`],
    ['another port', `GET http://${blocked}:8443/ HTTP/1.1`, `${blocked}:8443`],
    ['an alternate domain', 'GET http://lingyiwanwu.com/ HTTP/1.1', 'lingyiwanwu.com'],
    ['full-width letters', 'GET http://01.\u00ef\u00bd\u0081i/ HTTP/1.1', '01.\u00ef\u00bd\u0081i'],
    ['CONNECT', `CONNECT ${blocked}:443 HTTP/1.1`, `${blocked}:443`],
    ['CONNECT, upper case', 'CONNECT 01.AI:443 HTTP/1.1', '01.AI:443'],
    ['CONNECT, a trailing dot', `CONNECT ${blocked}.:443 HTTP/1.1`, `${blocked}.:443`],
    ['CONNECT, another port', `CONNECT ${blocked}:8443 HTTP/1.1`, `${blocked}:8443`],
  ])('cannot be reached by %s', async (_name, requestLine, host) => {
    const before = origin.connections();
    const head = `${requestLine}\r\nHost: ${host}\r\n\r\n`;
    const answer = await exchangeRaw(gateway.proxyPort, head, { until: (text) => text.includes('\r\n\r\n') });
    // A tunnel that is answered with a page inside counts as refused: what matters is the origin.
    expect(answer).toMatch(requestLine.startsWith('CONNECT') ? /^HTTP\/1\.1 (200|4\d\d) / : /^HTTP\/1\.1 4\d\d /);
    expect(origin.connections()).toBe(before);
  });

  test.each([
    ['Host', `GET / HTTP/1.1\r\nHost: ${blocked}\r\n\r\n`],
    ['an absolute target', `GET https://${blocked}/ HTTP/1.1\r\nHost: ${blocked}\r\n\r\n`],
  ])('cannot be reached by %s inside the tunnel of an approved one', async (_name, request) => {
    const socket = await openTls(gateway, `${approved}:443`);
    const answer = await sendRaw(socket, request);
    expect([400, 403, 421]).toContain(answer.status);
    expect(origin.requests).toEqual([]);
    socket.destroy();
  });

  test('cannot be reached by SNI in the tunnel of an approved one', async () => {
    const outcome = await openTls(gateway, `${approved}:443`, { serverName: blocked }).then(
      (socket) => sendRaw(socket, `GET / HTTP/1.1\r\nHost: ${blocked}\r\n\r\n`).then((answer) => answer.status),
      () => 'handshake refused',
    );
    expect([400, 403, 421, 'handshake refused']).toContain(outcome);
    expect(origin.requests).toEqual([]);
  });

  test('cannot be reached by SNI in the tunnel of an unregistered host', async () => {
    const outcome = await openTls(gateway, `${unknown}:443`, { serverName: blocked, ca: authority.pem }).then(
      (socket) => sendRaw(socket, `GET / HTTP/1.1\r\nHost: ${blocked}\r\n\r\n`).then((answer) => answer.status),
      () => 'handshake refused',
    );
    expect([400, 403, 421, 'handshake refused']).toContain(outcome);
    expect(origin.requests).toEqual([]);
  });
});

test('a sign-in to an approved service reveals the user, and nothing else', async () => {
  const post = async (path: string, said: object) => {
    const socket = await openTls(gateway, `${approved}:443`);
    const body = JSON.stringify(said);
    const head = `POST ${path} HTTP/1.1\r\nHost: ${approved}\r\nContent-Type: application/json\r\nReferer: https://${approved}/?q=${personal.EMAIL}\r\n`;
    await sendRaw(socket, `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    socket.destroy();
    const request = origin.requests.at(-1) as Origin['requests'][number];
    expect(request.headers.referer).not.toContain(personal.EMAIL);
    return [request.url, JSON.parse(request.body.toString())];
  };
  const who = { email_address: personal.EMAIL, password: 'Pr1vet-hedge!' };
  const path = `/api/auth/send_magic_link?login_hint=${personal.EMAIL}`;
  expect(await post(path, who)).toEqual([path, who]);
  expect((await post('/api/mail', who))[1]).not.toEqual(who);
  const [, said] = await post(path, { ...who, card: personal.CREDIT_CARD });
  expect(said).toEqual({ ...who, card: expect.stringMatching(/^\[CREDIT_CARD-\d+\]$/) });
});

describe('the body of a sign-in that cannot be inspected', () => {
  const send = async (type: string, body: Buffer, more = '') => {
    const head = `POST /login HTTP/1.1\r\nHost: ${approved}\r\nContent-Type: ${type}\r\n${more}Content-Length: ${body.length}\r\n\r\n`;
    const { status } = await sendTls(gateway, `${approved}:443`, Buffer.concat([Buffer.from(head), body]));
    return { status, sent: origin.requests.at(-1)?.body };
  };
  const tokens = Array.from({ length: 10 }, (_, i) => 1000 + i);

  test('passes unchanged if its type is specific to the service', async () => {
    const body = Buffer.from('\x0a\x03\x00\x01\xff\x12', 'latin1');
    expect(await send('application/x-protobuf', body)).toEqual({ status: 200, sent: body });
  });

  test('is refused if the rest of it can be read', async () => {
    const body = Buffer.from(JSON.stringify({ text: `card ${personal.CREDIT_CARD}`, prompt: tokens }));
    expect((await send('application/json', body)).status).toBe(403);
    expect((await send('application/octet-stream', body)).sent?.toString()).toContain('card [CREDIT_CARD-');
    const parts = `--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n\0\x01\xff\r\n--b\r\nContent-Disposition: form-data; name="t"\r\n\r\n${personal.CREDIT_CARD}\r\n--b--\r\n`;
    expect((await send('multipart/form-data; boundary=b', Buffer.from(parts, 'latin1'))).status).toBe(403);
  });

  test('is masked like any other if compressed, because its length is unknown', async () => {
    const body = gzipSync(JSON.stringify({ email: personal.EMAIL }));
    const { sent } = await send('application/json', body, 'Content-Encoding: gzip\r\n');
    expect(sent?.toString()).toMatch(/^{"email":"\[EMAIL-\d+\]"}$/);
  });
});

describe('a blocked service with blocked_answer: refuse', () => {
  test('browsers get the same as programs, also over plain HTTP', async () => {
    await other.configure({ policy: { blocked_answer: 'refuse' } });
    const answer = await exchangeRaw(
      other.proxyPort,
      `GET http://${blocked}/ HTTP/1.1\r\nHost: ${blocked}\r\nAccept: text/html\r\nSec-Fetch-Mode: navigate\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403 .*content-type: application\/json/is);
  });
});

describe('a blocked type of personal data', () => {
  test('is refused, counted and reported', async () => {
    await other.configure({ masking: { types: { EMAIL: 'block' } } });
    const body = JSON.stringify({ messages: [{ role: 'user', content: prompt + personal.EMAIL }] });
    const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: ${approved}\r\nContent-Type: application/json\r\n`;
    const answer = await sendTls(
      other,
      `${approved}:443`,
      `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    expect(answer.status).toBe(403);
    const event = await other.event((line) => line.error === 'blocked_by_policy' && line.piiTypes !== undefined);
    // In the prompt, and again after the key.
    expect(event).toMatchObject({ piiTypes: { EMAIL: 2 } });
    const metrics = await (await other.api('/metrics')).text();
    expect(metrics).toContain('privet_blocked_total{reason="pii_type"} 1');
    expect(metrics).not.toContain('privet_pii_masked_total{');
    expect(metrics).toMatch(/privet_pii_detected_total\{type="EMAIL",mode="mask"\} 2/);
  });
});

describe('a blocked service with blocked_answer: page', () => {
  beforeAll(() => other.configure({ policy: { blocked_answer: 'page' } }));

  test.each([
    ['a program', '*/*', '', 'application/json'],
    ['a browser', 'text/html,*/*;q=0.8', 'Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n', 'text/html'],
  ])('%s is answered inside the tunnel', async (_name, accept, fields, contentType) => {
    const before = origin.connections();
    const socket = await openTls(other, `${blocked}:443`);
    const answer = await sendRaw(
      socket,
      `GET /%22%3E%3Cscript%3Ealert(1)%3C/script%3E HTTP/1.1\r\nHost: ${blocked}\r\nAccept: ${accept}\r\n${fields}\r\n`,
    );
    expect(answer.status).toBe(403);
    expect(fieldOf(answer.rawHeaders, 'content-type')).toContain(contentType);
    expect(answer.body.toString()).not.toContain('<script>alert');
    expect(origin.connections()).toBe(before);
    socket.destroy();
  });
});

describe('a monitored service', () => {
  const body = JSON.stringify({ text: `${prompt} And again ${personal.EMAIL}.` });
  const ask = async (): Promise<Response> => {
    const { fetch, dispatcher } = proxiedFetch(gateway);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`https://${monitored}/api?q=1`, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    await dispatcher.close();
    return answer;
  };

  test('gets a warning field and is otherwise unchanged', async () => {
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-privet-warning')).toMatch(/\S/);
    expect(origin.requests[0]?.body.toString()).toBe(body);
  });

  test('creates an audit event with types and without values', async () => {
    await ask();
    const event = await gateway.event((line) => /abridge/i.test(JSON.stringify(line)) && line.piiTypes !== undefined);
    expect(event.piiTypes).toMatchObject({ EMAIL: 2, CREDIT_CARD: 1, IBAN: 1, SSN: 1 });
    expect(leaksIn(gateway.output())).toEqual([]);
  });

  test('is counted in the metrics', async () => {
    await ask();
    const metrics = await (await gateway.api('/metrics')).text();
    expect(metrics).toMatch(/^privet_pii_detected_total\{type="EMAIL",mode="audit"\} [1-9]/m);
    expect(leaksIn(metrics)).toEqual([]);
  });
});

describe('an approved service', () => {
  test('gets no warning field', async () => {
    const { fetch, dispatcher } = proxiedFetch(gateway);
    const answer = await fetch(`https://${approved}/v1/models`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-privet-warning')).toBeNull();
    await dispatcher.close();
  });

  test('another :authority in its tunnel is misdirected', async () => {
    const session = await openHttp2(gateway, `${approved}:443`);
    const request = session.request({ ':path': '/', ':authority': blocked });
    const status = await new Promise((resolve) => {
      request.on('response', (fields) => resolve(fields[':status']));
      request.on('error', (error) => resolve(error.message));
    });
    expect([403, 421]).toContain(status);
    expect(origin.requests).toEqual([]);
    session.destroy();
  });
});

describe('changes over the API act on the next request', () => {
  test('a new service is blocked, monitored, and gone', async () => {
    const status = async (): Promise<string> =>
      (await curl('-o', '/dev/null', '-w', '%{http_code}', `http://${unknown}:${origin.port}/`)).text;
    expect(await status()).not.toBe('403');
    const created = await gateway.api('/shadow-ai/services', {
      method: 'POST',
      body: JSON.stringify({ service_name: 'Intranet Bot', domain: 'intranet.test', category: 'blocked' }),
    });
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: string };
    expect(await status()).toBe('403');
    const removed = await gateway.api(`/shadow-ai/services/${id}`, { method: 'DELETE' });
    expect(removed.ok).toBe(true);
    expect(await status()).not.toBe('403');
  });

  test('without the admin key nothing is revealed', async () => {
    const answer = await fetch(`${gateway.apiUrl}/shadow-ai/services`);
    expect(answer.status).toBe(401);
  });
});

type ErrorBody = { readonly error: { readonly code: string; readonly message: string } };

function fieldOf(rawHeaders: readonly string[], name: string): string | undefined {
  const index = rawHeaders.findIndex((entry, at) => at % 2 === 0 && entry.toLowerCase() === name);
  return index < 0 ? undefined : rawHeaders[index + 1];
}
