/** Results of batches and files that a service serves again: they are restored whatever their declared type. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openAiClient, proxiedFetch } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';

const host = 'api.openai.com';
const address = 'hana.morita@example.co.jp';
const person = '森田花';
const headers = { authorization: 'Bearer test-key' };
/** The next answer to a GET. */
let served: { readonly type: string | undefined; readonly body: string | Buffer; readonly fields?: object };

const origin = await startOrigin({
  names: [host],
  protocols: ['http/1.1'],
  handler: ({ method }, response) => {
    if (method !== 'GET') {
      response.end('{}');
      return;
    }
    const { type, body, fields } = served;
    response.writeHead(200, { ...(type === undefined ? {} : { 'content-type': type }), ...fields });
    const bytes = Buffer.from(body as string);
    // Cut inside a token.
    const cut = Math.max(1, bytes.indexOf('MAIL-1'));
    response.write(bytes.subarray(0, cut));
    setTimeout(() => response.end(bytes.subarray(cut)), 20);
  },
});
const config = { masking: { dictionary: [{ label: 'PERSON', pattern: person }] } };
const gateway = await startGateway({ hosts: { [host]: origin }, config });
const proxied = proxiedFetch(gateway);
const client = openAiClient(proxied);
await client.chat.completions.create({
  model: 'm',
  messages: [{ role: 'user', content: `To ${address}, ${person}` }],
});

const lines = (to: string) =>
  ['a', 'b']
    .map((custom_id) => `${JSON.stringify({ custom_id, response: { body: { text: `To ${to}.` } } })}\n`)
    .join('');
const json = (to: string) => JSON.stringify([{ custom_id: 'a', text: `To ${to}.` }], null, 2);
const object = (to: string) => JSON.stringify({ custom_id: 'a', text: `To ${to}.` }, null, 2);
const table = (to: string) => `name,address\nHana,${to}\n`;
const letter = (to: string) => `${to}, please answer.\n[1] Yes\n`;
const sentence = (to: string) => `${to} is the address.`;
const numbers = (to: string) => `[\n  1, "${to}"\n]`;
const component = (to: string) => `0:{"a":"$@1"}\n1:{"text":"To ${to}."}\n`;
const types = ['application/octet-stream', 'binary/octet-stream', 'unknown/unknown', undefined, 'text/x-component'];

test.each(
  types.flatMap((type) =>
    [lines, json, object, table, component, letter, sentence, numbers].map((content) => ({
      type: type ?? 'no type',
      content,
      told: type,
    })),
  ),
)('a file as $type: $content.name', async ({ told, content }) => {
  served = { type: told, body: content('[EMAIL-1]') };
  const answer = await openAiClient(proxied).files.content('file-1');
  expect(await answer.text()).toBe(content(address));
});

test.each(
  ['application/octet-stream', 'application/gzip', undefined].flatMap((type) =>
    [lines, object, table].map((content) => ({ type, content })),
  ),
)('a compressed file as $type: $content.name', async ({ type, content }) => {
  served = { type, body: gzipSync(content('[EMAIL-1]')) };
  const answer = await openAiClient(proxied).files.content('file-1');
  expect(gunzipSync(Buffer.from(await answer.arrayBuffer())).toString()).toBe(content(address));
  served = { type, body: gzipSync('nothing to see').subarray(0, 20) };
  const damaged = await openAiClient(proxied).files.content('file-1');
  expect(Buffer.from(await damaged.arrayBuffer())).toEqual(served.body);
});

test('binary data is unchanged, even with token-like bytes', async () => {
  const body = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0xff]), Buffer.from('\n[EMAIL-1]\n')]);
  served = { type: 'application/octet-stream', body };
  const answer = await openAiClient(proxied).files.content('file-1');
  expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true);
});

test('a batch of answers in parts', async () => {
  const inner = (to: string) => JSON.stringify({ text: `To ${to}.` }, null, 2);
  const part = (id: string, to: string) => {
    const http = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${inner(to).length}\r\n\r\n${inner(to)}`;
    return `--batch_x\r\nContent-Type: application/http\r\nContent-ID: <${id}>\r\n\r\n${http}\r\n`;
  };
  const whole = (to: string) => `${part('1', to)}${part('2', to)}--batch_x--\r\n`;
  served = { type: 'multipart/mixed; boundary=batch_x', body: whole('[EMAIL-1]') };
  const answer = await proxied.fetch(`https://${host}/batch/v1`, { headers });
  expect(await answer.text()).toBe(whole(address));
});

/** 氏名, what follows and 様, in each encoding; a value and a token in that encoding. */
const sjis = (name: Buffer) => Buffer.concat([latin('\x8e\x81\x96\xbc,'), name, latin('\x97l\r\n')]);
const eucjp = (name: Buffer) => Buffer.concat([latin('\xbb\xe1\xcc\xbe,'), name, latin('\xcd\xcd\r\n')]);
const utf16 = (name: Buffer) =>
  Buffer.concat([latin('\xff\xfe'), Buffer.from('氏名,', 'utf16le'), name, Buffer.from('様\r\n', 'utf16le')]);
const latin = (text: string) => Buffer.from(text, 'latin1');
const base64 = (text: string) => `Content-Transfer-Encoding: base64\r\n\r\n${btoa(text)}\r\n`;
const mail = (to: string) =>
  `From: a@b.example\r\nSubject: =?utf-8?B?${btoa(`for ${to}`)}?=\r\nContent-Type: text/plain\r\n${base64(`To ${to}.`)}`;
const contact = (to: string) =>
  `BEGIN:VCARD\r\nVERSION:2.1\r\nNOTE;ENCODING=QUOTED-PRINTABLE:=41 ${to}\r\nEND:VCARD\r\n`;

test.each([
  ['Shift_JIS', sjis(latin('[PERSON_1]')), sjis(latin('\x90X\x93c\x89\xd4'))],
  ['EUC-JP', eucjp(latin('[PERSON_1]')), eucjp(latin('\xbf\xb9\xc5\xc4\xb2\xd6'))],
  ['UTF-16', utf16(Buffer.from('[PERSON_1]', 'utf16le')), utf16(Buffer.from(person, 'utf16le'))],
])('a table in %s', async (_name, masked, whole) => {
  for (const type of ['text/csv', 'application/octet-stream']) {
    served = { type, body: masked };
    const answer = await openAiClient(proxied).files.content('file-1');
    expect(Buffer.from(await answer.arrayBuffer()).toString('hex')).toBe(whole.toString('hex'));
  }
});

test('a large table in Shift_JIS, restored in a worker thread', async () => {
  const rows = (name: Buffer) => Buffer.concat(Array(15_000).fill(sjis(name)));
  served = { type: 'text/csv', body: rows(latin('[PERSON_1]')) };
  const answer = await openAiClient(proxied).files.content('file-1');
  expect(Buffer.from(await answer.arrayBuffer()).equals(rows(latin('\x90X\x93c\x89\xd4')))).toBe(true);
});

test.each(['message/rfc822', 'application/octet-stream'])('a mail with encoded parts as %s', async (type) => {
  served = { type, body: mail('[EMAIL-1]') };
  const answer = await proxied.fetch(`https://${host}/v1/files/file-1/content`, { headers });
  const text = await answer.text();
  expect(text).toContain(btoa(`To ${address}.`));
  expect(text).toMatch(/^From: a@b\.example\r\nSubject: .*hana\.morita@example\.co\.jp/);
});

test('a contact in the old format', async () => {
  served = { type: 'text/vcard', body: contact('[EMAIL-1]') };
  const answer = await proxied.fetch(`https://${host}/v1/files/file-1/content`, { headers });
  expect(await answer.text()).toContain(address);
});

test('a checksum is dropped after a change', async () => {
  served = {
    type: 'application/octet-stream',
    body: lines('[EMAIL-1]'),
    fields: { 'x-goog-hash': 'crc32c=AAAAAA==', 'x-goog-meta-a': 'b' },
  };
  const answer = await proxied.fetch(`https://${host}/v1/files/file-1/content`, { headers });
  expect(await answer.text()).toBe(lines(address));
  expect(answer.headers.get('x-goog-hash')).toBeNull();
  expect(answer.headers.get('x-goog-meta-a')).toBe('b');
});
