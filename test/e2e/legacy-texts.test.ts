/**
 * Files as people and programs write them, uploaded by curl through the gateway: other encodings, names, declarations.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { tempFolder } from '../support/temp.ts';

const host = 'api.openai.com';
const address = 'hana.morita@example.co.jp';

const folder = tempFolder('legacy');
const origin = await startOrigin({ names: [host], protocols: ['http/1.1'] });
const gateway = await startGateway({ hosts: { [host]: origin } });
beforeEach(() => origin.reset());

const curl = (path: string, ...args: string[]) =>
  promisify(execFile)('curl', [
    '-sS',
    '--fail',
    '-x',
    gateway.proxyUrl,
    '--cacert',
    gateway.caFile,
    ...args,
    `https://${host}${path}`,
  ]);
const file = (name: string, content: Buffer | string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const sent = () => origin.requests[0]?.body ?? Buffer.alloc(0);

const latin = (text: string) => Buffer.from(text, 'latin1');
/** 氏名,住所,森田花 in each encoding. */
const sjis = (to: string) =>
  Buffer.concat([
    latin('\x8e\x81\x96\xbc,\x83\x81\x81[\x83\x8b\r\n\x90X\x93c\x89\xd4,'),
    latin(`${to}\r\n-,\x8aw\x8dZ\r\n`),
  ]);
const utf16 = (to: string) =>
  Buffer.concat([latin('\xff\xfe'), Buffer.from(`氏名,メール\r\n森田,${to}\r\n`, 'utf16le')]);
const utf16be = (to: string) => Buffer.from(utf16(to)).swap16();
const windows = (to: string) => latin(`Gr\xf6\xdfe;Adresse\r\n\xfcber 9;${to}\r\n`);

describe.each([
  ['Shift_JIS', sjis],
  ['UTF-16', utf16],
  ['UTF-16, big endian', utf16be],
  ['Windows-1252', windows],
])('a table in %s', (_name, table) => {
  test.each(['text/csv', 'application/octet-stream'])('as a file of type %s', async (type) => {
    await curl('/v1/files', '-F', `file=@${file('list.csv', table(address))};type=${type}`, '-F', 'purpose=assistants');
    expect(sent().includes(Buffer.from(address)) || sent().includes(Buffer.from(address, 'utf16le'))).toBe(false);
    const tokens = ['[EMAIL-1]', '[EMAIL-2]', '[EMAIL-3]', '[EMAIL-4]', '[EMAIL-5]', '[EMAIL-6]', '[EMAIL-7]'];
    const found = tokens.some((token) => {
      const masked = table(token);
      return sent().includes(masked) || sent().includes(masked.subarray(masked.length - token.length - 4));
    });
    expect(found).toBe(true);
  });

  test('as a body', async () => {
    await curl('/v1/files', '-H', 'content-type: text/csv', '--data-binary', `@${file('list.csv', table(address))}`);
    expect(sent().length).toBeGreaterThan(10);
    expect(sent().includes(Buffer.from(address)) || sent().includes(Buffer.from(address, 'utf16le'))).toBe(false);
  });
});

test.each([
  ['application/octet-stream', utf16be],
  ['application/vnd.ms-excel', utf16],
  ['application/x-subrip', (to: string) => Buffer.from(`1\n00:00:01,000 --> 00:00:02,000\n${to}\n`)],
])('a text as a body of type %s', async (type, text) => {
  await curl('/v1/files', '-H', `content-type: ${type}`, '--data-binary', `@${file('list', text(address))}`);
  const token = /\[EMAIL-\d+\]/.exec(sent().toString('latin1').replaceAll('\0', ''))?.[0] ?? '';
  expect(token).not.toBe('');
  expect(sent().includes(text(token).subarray(-token.length))).toBe(true);
});

test('the name of a file keeps its extension', async () => {
  await curl('/v1/files', '-F', `file=@${file('a.txt', 'Hello.')};filename=${address}.wav`);
  expect(sent().toString()).toMatch(/filename="\[EMAIL-\d+\]\.wav"/);
  origin.reset();
  await curl('/v1/files', '-F', `file=@${file('a.txt', 'Hello.')};filename=${address}.2026-03.final.docx`);
  expect(sent().toString()).toMatch(/filename="\[EMAIL-\d+\]\.2026-03\.final\.docx"/);
  origin.reset();
  await curl('/v1/files', '-H', `x-file-name: ${address}.pdf`, '-d', '{}');
  expect(origin.requests[0]?.headers['x-file-name']).toMatch(/^\[EMAIL-\d+\]\.pdf$/);
});

test('JSON lines declared as JSON are read', async () => {
  const lines = (to: string) => `{"a":"${to}"}\n{"b":"${to}"}\n`;
  await curl('/v1/rows', '-H', 'content-type: application/json', '--data-binary', lines(address));
  expect(sent().toString()).toMatch(/^\{"a":"\[EMAIL-(\d+)\]"\}\n\{"b":"\[EMAIL-\1\]"\}\n$/);
});

test.each(['/v1/organization/invites', '/v1/organizations/invites', '/v1/organization/projects/p_1/users'])(
  'an invitation reaches its recipient: %s',
  async (path) => {
    const body = JSON.stringify({ email: address, role: 'reader' });
    await curl(path, '-H', 'content-type: application/json', '-d', body);
    expect(sent().toString()).toBe(body);
  },
);
