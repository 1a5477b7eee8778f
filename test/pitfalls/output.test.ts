/**
 * The output of the gateway: one line per event whatever it contains, and no secret, in every format, at the lowest
 * level.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { hashPassword } from '../../gateway/users/password-hash.ts';
import { TestAuthority } from '../support/authority.ts';
import { makeDocx } from '../support/documents.ts';
import { startEcho } from '../support/echo.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { leaksIn, prompt } from '../support/personal.ts';
import { makeProvider } from '../support/provider.ts';
import { exchangeRaw } from '../support/recorder.ts';
import { tempFolder } from '../support/temp.ts';
import { openHttp2, openTls, sendRaw } from '../support/tunnel.ts';

const hosts = { approved: 'api.openai.com', watched: 'aicamp.so', blocked: '01.ai', unknown: 'files.intranet.test' };
const formats = ['privet', 'ecs', 'ocsf', 'cef', 'squid'] as const;
/** Ends a line, begins another event, clears the screen, reverses the direction of the text. */
const forged = '{"event":"decision","action":"allow"}';
const acting = `\r\n${forged}\n<134>1 - - - - - - x\u001b[2J\u009b31m\u202e\u2028|a=b\\`;
const hostileName = `eve \u202e|a=b\\ "${forged.replaceAll(':', ' ')}`;
/** In every position that may hold a secret; nothing else contains it. */
const canary = 'canary-5e1c77';
const folder = tempFolder('sinks');
const fileOf = (format: string) => join(folder, `${format}.log`);
const authority = new TestAuthority();

const origin = await startEcho({ authority, names: Object.values(hosts), handler: makeProvider().handler });
const users = [
  { name: hostileName, password_hash: hashPassword(`${canary}-password`), groups: [`staff \u202e|=${forged}`] },
];
const gateway = await startGatewayProcess({
  authority,
  hosts: Object.fromEntries(Object.values(hosts).map((host) => [host, origin])),
  env: { LOG_LEVEL: 'trace', OPENAI_LOG: 'debug', DEBUG: '*' },
  config: {
    policy: { coach: true },
    auth: { proxy: { mode: 'basic', users } },
    log: {
      audit: {
        sinks: [
          ...formats.map((format) => ({ to: 'file', path: fileOf(format), format })),
          { to: 'stdout', format: 'cef' },
        ],
      },
    },
  },
});
beforeAll(async () => {
  await hostileRequests();
  await secretRequests();
});

const credentials = Buffer.from(`${hostileName}:${canary}-password`).toString('base64');
const signIn = `Proxy-Authorization: Basic ${credentials}`;
const secretFields = [
  `Authorization: Bearer ${canary}-bearer`,
  `Cookie: session=${canary}-cookie`,
  `X-Api-Key: ${canary}-key`,
  `Referer: https://example.com/?q=${canary}-referer`,
];

async function raw(text: string, encoding: 'latin1' | 'utf8' = 'latin1'): Promise<string> {
  return exchangeRaw(gateway.proxyPort, Buffer.from(text, encoding), { until: (sofar) => sofar.includes('\r\n\r\n') });
}

/** Host, method, path, user agent, user, group, reason: everything that a log may repeat. */
async function hostileRequests(): Promise<void> {
  const target = `http://${origin.address}`;
  for (const host of [
    'a\u001b[31m.test',
    'a\u0085b.test',
    'a\u202eb.test',
    'a\tb.test',
    'a|b=c.test',
    'a%0d%0a.test',
  ]) {
    await raw(`GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n${signIn}\r\n\r\n`, 'utf8');
    await raw(`CONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}:443\r\n${signIn}\r\n\r\n`, 'utf8');
  }
  await raw(`G|E=T ${target}/ HTTP/1.1\r\nHost: ${origin.address}\r\n${signIn}\r\n\r\n`);
  await raw(`A!#$%&'*+-.^_\`|~ ${target}/ HTTP/1.1\r\nHost: ${origin.address}\r\n${signIn}\r\n\r\n`);
  await raw(`GET ${target}/\u001b[2J${forged}\u202e HTTP/1.1\r\nHost: ${origin.address}\r\n${signIn}\r\n\r\n`, 'utf8');
  const agent = `User-Agent: \u001b[2J${forged}\u009b\u202e\tx`;
  await raw(`GET http://${hosts.blocked}/ HTTP/1.1\r\nHost: ${hosts.blocked}\r\n${agent}\r\n${signIn}\r\n\r\n`, 'utf8');
  const eve = Buffer.from(`eve${acting}:wrong`).toString('base64');
  await raw(`GET ${target}/ HTTP/1.1\r\nHost: ${origin.address}\r\nProxy-Authorization: Basic ${eve}\r\n\r\n`);
  // A user's reason is kept, so it may contain anything.
  const asking = await openTls(gateway, `${hosts.watched}:443`, { fields: [signIn] });
  const navigation =
    'Accept: text/html\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\nUser-Agent: Mozilla/5.0';
  const page = await sendRaw(asking, `GET / HTTP/1.1\r\nHost: ${hosts.watched}\r\n${navigation}\r\n\r\n`);
  const ticket = /name="ticket" value="([^"]+)"/.exec(page.body.toString())?.[1] ?? '';
  const form = new URLSearchParams({ ticket, reason: `because${acting}` }).toString();
  const head = `POST /.privet/coach HTTP/1.1\r\nHost: ${hosts.watched}\r\n${navigation}\r\nContent-Type: application/x-www-form-urlencoded`;
  expect((await sendRaw(asking, `${head}\r\nContent-Length: ${form.length}\r\n\r\n${form}`)).status).toBe(303);
  asking.destroy();
}

/** Valid, refused and malformed requests of every kind. */
async function secretRequests(): Promise<void> {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: `${prompt} ${canary}-text` }] });
  const path = `/v1/chat/completions?token=${canary}-query`;
  for (const host of [hosts.approved, hosts.watched, hosts.blocked]) {
    const socket = await openTls(gateway, `${host}:443`, { fields: [signIn] }).catch(() => undefined);
    if (socket === undefined) continue;
    const multipart = `--b\r\nContent-Disposition: form-data; name="file"; filename="${canary}-name.docx"\r\n\r\n`;
    const document = Buffer.concat([
      Buffer.from(multipart),
      Buffer.from(makeDocx([[`${prompt} ${canary}`]])),
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const bodies: [type: string, body: string | Buffer][] = [
      ['application/json', body],
      ['application/json', body.replace('"model"', '"stream":true,"model"')],
      ['application/json', `${body.slice(0, -2)} ${canary}-broken`],
      ['multipart/form-data; boundary=b', document],
      ['multipart/form-data; boundary=b', document.subarray(0, 300)],
      ['application/octet-stream', `\0\u0001${canary}-binary`],
    ];
    for (const [type, content] of bodies) {
      const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, ...secretFields, `Content-Type: ${type}`];
      const bytes = Buffer.from(content as string);
      await sendRaw(
        socket,
        Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\nContent-Length: ${bytes.length}\r\n\r\n`), bytes]),
      ).catch(() => undefined);
      if (socket.destroyed) break;
    }
    socket.destroy();
  }
  // Framing that is refused, and clients that disconnect or distrust the certificate.
  await raw(
    `GET http://user:${canary}-userinfo@${origin.address}/?k=${canary} HTTP/1.1\r\nHost: ${origin.address}\r\n${signIn}\r\n${secretFields.join('\r\n')}\r\nX A: ${canary}\r\n\r\n`,
  );
  await raw(
    `GET http://user:${canary}-userinfo@${origin.address}/?k=${canary} HTTP/1.1\r\nHost: ${origin.address}\r\n${signIn}\r\n${secretFields.join('\r\n')}\r\n\r\n`,
  );
  await raw(
    `GET http://${origin.address}/ HTTP/1.1\r\nHost: ${origin.address}\r\nProxy-Authorization: Basic ${Buffer.from(`ann:${canary}-wrong`).toString('base64')}\r\n\r\n`,
  );
  await openTls(gateway, `${hosts.approved}:443`, { fields: [signIn], ca: authority.pem }).catch(() => undefined);
  const session = await openHttp2(gateway, `${hosts.approved}:443`, { fields: [signIn] });
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/json',
    cookie: `c=${canary}`,
  });
  stream.on('error', () => undefined);
  stream.end(`[{"text": "${canary}-h2`);
  await new Promise((resolve) => stream.once('close', resolve).resume());
  session.destroy();
  const secure = await openTls(gateway, `${hosts.approved}:443`, { fields: [signIn] });
  const client = new WebSocket(`wss://${hosts.approved}/ws?key=${canary}-ws`, {
    createConnection: () => secure as never,
  });
  await new Promise((resolve) => client.once('open', resolve));
  client.send(`${prompt} ${canary}-message`);
  await new Promise((resolve) => client.once('message', resolve));
  client.send(Buffer.from(`${canary}-binary`));
  await new Promise((resolve) => client.once('close', resolve));
  // A server that breaks off, and the API with all possible errors.
  await gateway.api('/mask', { method: 'POST', body: JSON.stringify({ text: `${prompt} ${canary}` }) });
  await gateway.api('/mask', { method: 'POST', body: `{"text":"${prompt} ${canary}` });
  await gateway.api(`/${canary}?q=${canary}`, { headers: { authorization: `Bearer ${canary}-api-key` } });
}

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

describe('events in every format', () => {
  test('the number of lines does not depend on injected line breaks', async () => {
    const count = () => formats.map((format) => lines(readFileSync(fileOf(format), 'utf8')).length);
    await expect.poll(() => new Set(count()).size).toBe(1);
    expect(count()[0]).toBeGreaterThan(25);
  });

  test.each([...formats, 'stdout'])('%s: no control characters, no forged lines', (format) => {
    const text = format === 'stdout' ? gateway.output() : readFileSync(fileOf(format), 'utf8');
    expect(text.replaceAll('\n', '')).not.toMatch(
      /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/,
    );
    // The greeting is between the lines of the log; nothing in it comes from outside.
    for (const line of lines(text).filter((one) => format !== 'stdout' || /^(?:CEF:|\{)/.test(one))) {
      if (format === 'cef' || (format === 'stdout' && line.startsWith('CEF:'))) {
        expect(line).toMatch(
          /^CEF:0\|Privet\|Privet\|[^|]*\|(?:allow|warn|block|refuse|fail|abort)\|[^|]*\|\d\|rt=\d+ /,
        );
      } else if (format === 'squid') {
        expect(line).toMatch(/^\d+\.\d{3} +\d+ \S+ (?:TCP_\w+)\/\d{3} \d+ \S+ \S+ \S+ HIER_\w+\/\S+ -$/);
      } else {
        const event = JSON.parse(line) as Record<string, unknown>;
        // A forged line would have nothing else.
        expect(Object.keys(event).length).toBeGreaterThan(3);
      }
    }
  });

  test('user text is kept as text', () => {
    const events = lines(readFileSync(fileOf('privet'), 'utf8')).map(
      (line) => JSON.parse(line) as Record<string, unknown>,
    );
    const [event] = events.filter(({ justification }) => justification !== undefined);
    expect(event).toMatchObject({ method: 'POST', status: 303, host: hosts.watched });
    expect(event?.justification).toMatch(/^because\\u000d\\u000a\{"event"/);
    expect(event?.subject).toBe(hostileName.replace('\u202e', '\\u202e'));
  });
});

describe('secrets', () => {
  const forbidden = [canary, credentials];
  const check = (name: string, text: string) => {
    expect(leaksIn(text), name).toEqual([]);
    expect(
      forbidden.filter((secret) => text.includes(secret)),
      name,
    ).toEqual([]);
    // A token next to its value would be a map; alone it concerns only its session.
    expect(text.match(/\[(?:EMAIL|CREDIT_CARD|IBAN|SSN|API_KEY)-\d+\]/g), name).toBeNull();
  };

  test('are in no line of the log at trace, and in no file of a sink', () => {
    expect(gateway.output()).toContain('"listening"');
    check('log', gateway.output());
    for (const format of formats) check(format, readFileSync(fileOf(format), 'utf8'));
  });

  test.each([
    '/metrics',
    '/admin/events?limit=200',
    '/admin/overview',
    '/admin/discovery',
    '/admin/policy',
    '/admin/config',
    '/admin/pins',
  ])('are not revealed by %s', async (path) => check(path, await (await gateway.api(path)).text()));

  test('are in no file of the data folder', () => {
    const files = readdirSync(gateway.dataDir, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) check(file.name, readFileSync(join(file.parentPath, file.name), 'latin1'));
  });

  test('have reached their destination', () => {
    expect(origin.everything()).toContain(`${canary}-bearer`);
    expect(origin.everything()).toContain(`${canary}-text`);
    expect(origin.messages.join()).toContain(`${canary}-message`);
    expect(leaksIn(origin.messages.join())).toEqual([]);
  });
});
