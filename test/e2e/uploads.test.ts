/**
 * Files through the gateway, sent by the providers' own packages, which know only the proxy: batch files, documents in
 * multipart and in base64, fields next to audio, resumable uploads.
 */
import type { ServerResponse } from 'node:http';
import { unzipSync } from 'fflate';
import { beforeEach, expect, test } from 'vitest';
import { makeDocx, makePdf } from '../support/documents.ts';
import { startGateway } from '../support/gateway.ts';
import { type ReceivedRequest, startOrigin } from '../support/origin.ts';
import { leaksIn, personal } from '../support/personal.ts';
import { run } from '../support/run.ts';

const names = [
  'api.openai.com',
  'api.anthropic.com',
  'generativelanguage.googleapis.com',
  'api.cohere.com',
  'ollama.com',
];
const { EMAIL: email } = personal;
const docx = Buffer.from(makeDocx([['Write to ', email.slice(0, 9), email.slice(9), ' today']]));
const secretPdf = Buffer.from(makePdf([`Write to ${email}`]));
const plainPdf = Buffer.from(makePdf(['Nothing of anybody']));
const audio = Buffer.concat([Buffer.from('ID3'), Buffer.from([0, 255, 254, 0, 13, 10])]);
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

/** The last upload that the origin stored, by its declared length. */
let announced: string | undefined;

const origin = await startOrigin({ names, protocols: ['http/1.1'], handler: answer });
const rule = { when: { hosts: names }, then: { action: 'allow', inspect: 'mask' } };
const gateway = await startGateway({
  hosts: Object.fromEntries(names.map((name) => [name, origin])),
  config: { policy: { rules: [rule] } },
});
beforeEach(() => {
  origin.reset();
  announced = undefined;
});

const token = /\[EMAIL-\d+\]/;

/** Answers as the services do, with the first token of the request in the text. */
function answer(request: ReceivedRequest, response: ServerResponse): void {
  const said = token.exec(everyText(request.body))?.[0] ?? 'nothing';
  const path = request.url.split('?', 1)[0] ?? '';
  const send = (body: unknown, fields: Record<string, string> = {}, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json', ...fields }).end(JSON.stringify(body));
  if (path === '/v1/files/file-1/content') {
    const line = { custom_id: 'row-1', response: { body: { choices: [{ message: { content: 'for [EMAIL-1]' } }] } } };
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(`${JSON.stringify(line)}\n`);
  } else if (path === '/v1/files')
    send({ id: 'file-1', object: 'file', filename: 'x', purpose: 'batch', type: 'file' });
  else if (path === '/v1/audio/transcriptions') send({ text: `heard ${said}` });
  else if (path === '/v1/chat/completions')
    send({ choices: [{ index: 0, message: { role: 'assistant', content: `read ${said}` }, finish_reason: 'stop' }] });
  else if (path === '/v1/messages/batches') send({ id: 'batch_1', type: 'message_batch', processing_status: 'ended' });
  else if (path === '/v1/messages')
    send({ id: 'm', type: 'message', role: 'assistant', content: [{ type: 'text', text: `read ${said}` }] });
  else if (path === '/upload/v1/files' || path === '/upload/v1beta/files') {
    announced = request.headers['x-goog-upload-header-content-length'] as string | undefined;
    send(
      {},
      { 'x-goog-upload-url': 'https://generativelanguage.googleapis.com/upload/1', 'x-goog-upload-status': 'active' },
    );
  } else if (path === '/upload/1') {
    if (announced !== undefined && Number(announced) !== request.body.length) return void send({}, {}, 400);
    send({ file: { name: 'files/1', displayName: `got ${said}` } }, { 'x-goog-upload-status': 'final' });
  } else if (path.endsWith(':generateContent'))
    send({ candidates: [{ content: { role: 'model', parts: [{ text: `read ${said}` }] }, finishReason: 'STOP' }] });
  else if (path === '/v2/chat')
    send({
      id: 'c',
      finish_reason: 'COMPLETE',
      message: { role: 'assistant', content: [{ type: 'text', text: `read ${said}` }] },
    });
  else if (path === '/api/chat')
    send({ model: 'm', message: { role: 'assistant', content: `read ${said}` }, done: true });
  else send({ error: { message: `no such route ${path}` } }, {}, 404);
}

/** A body as text, including the content of base64 and office files in it. */
function everyText(body: Buffer): string {
  let text = body.toString('latin1');
  for (const match of text.matchAll(/[A-Za-z0-9+/]{40,}={0,2}/g)) text += unpacked(Buffer.from(match[0], 'base64'));
  const zip = body.indexOf('PK\x03\x04');
  return zip < 0 ? text : text + unpacked(body.subarray(zip));
}

function unpacked(bytes: Buffer): string {
  if (!bytes.subarray(0, 2).equals(Buffer.from('PK'))) return bytes.toString('latin1');
  // A package ends with its last record; the rest of the form is not part of it.
  const end = bytes.lastIndexOf('PK\x05\x06') + 22;
  return Object.values(unzipSync(bytes.subarray(0, end)))
    .map((part) => Buffer.from(part).toString('utf8'))
    .join('\n');
}

async function program(code: string): Promise<string> {
  const result = await run(process.execPath, ['--input-type=module', '-e', code], {
    env: {
      NODE_USE_ENV_PROXY: '1',
      HTTPS_PROXY: gateway.proxyUrl,
      NODE_EXTRA_CA_CERTS: gateway.caFile,
      OPENAI_API_KEY: 'test-key',
      ANTHROPIC_API_KEY: 'test-key',
      EMAIL: email,
      DOCX: docx.toString('base64'),
      SECRET_PDF: secretPdf.toString('base64'),
      PLAIN_PDF: plainPdf.toString('base64'),
      AUDIO: audio.toString('base64'),
      PNG: png.toString('base64'),
    },
  });
  expect(result.stderr).toBe('');
  return result.text;
}

/** No value arrived, in any form that the texts have; one token of the address did. */
function expectMasked(): void {
  const arrived = origin.requests.map((request) => everyText(request.body)).join('\n') + origin.everything();
  expect(leaksIn(arrived)).toEqual([]);
  expect(arrived).toMatch(token);
}

const openai = `import OpenAI, { toFile } from 'openai';
  const client = new OpenAI({ maxRetries: 0 });
  const { EMAIL } = process.env;
  const bytes = (name) => Buffer.from(process.env[name], 'base64');`;
const anthropic = `import Anthropic, { toFile } from '@anthropic-ai/sdk';
  const client = new Anthropic({ maxRetries: 0 });
  const { EMAIL } = process.env;`;

test('openai: a batch file is masked, and its results are restored', async () => {
  const text = await program(`${openai}
    const line = (i) => JSON.stringify({ custom_id: 'row-' + i, method: 'POST', url: '/v1/chat/completions',
      body: { model: 'm', messages: [{ role: 'user', content: 'a\\n' + EMAIL + ' "b"' }] } });
    const file = await toFile(Buffer.from(line(1) + '\\n' + line(2) + '\\n'), 'rows.bin');
    await client.files.create({ file, purpose: 'batch' });
    const content = await client.files.content('file-1');
    process.stdout.write(await content.text());`);
  expect(text).toContain(`for ${email}`);
  expectMasked();
  const body = origin.requests[0]?.body.toString() ?? '';
  const lines = body.split(/\r?\n/).filter((line) => line.startsWith('{'));
  expect(lines.map((line) => JSON.parse(line).body.messages[0].content)).toEqual(Array(2).fill('a\n[EMAIL-1] "b"'));
});

test('openai: an office file in a form is masked in place', async () => {
  await program(`${openai}
    await client.files.create({ file: await toFile(bytes('DOCX'), EMAIL + '.docx'), purpose: 'user_data' });`);
  expectMasked();
  expect(everyText(origin.requests[0]?.body as Buffer)).toContain('Write to </w:t>');
});

test('openai: a PDF with an address is refused with the finding; one without is unchanged', async () => {
  const text = await program(`${openai}
    await client.files.create({ file: await toFile(bytes('PLAIN_PDF'), 'plain.pdf'), purpose: 'user_data' });
    await client.files.create({ file: await toFile(bytes('SECRET_PDF'), 'secret.pdf'), purpose: 'user_data' })
      .catch((error) => process.stdout.write(error.status + ' ' + JSON.stringify(error.error)));`);
  expect(text).toMatch(/^403 /);
  expect(text).toContain('PDF document contains EMAIL (1)');
  expect(text).not.toContain(email);
  expect(origin.requests).toHaveLength(1);
  expect(origin.requests[0]?.body.includes(plainPdf)).toBe(true);
});

test('openai: a text file whose last letter is cut is masked, and its bytes stay', async () => {
  await program(`${openai}
    const data = Buffer.from('日本 ' + EMAIL + ' です').subarray(0, -1);
    await client.files.create({ file: new File([data], 'blob'), purpose: 'user_data' });`);
  expect(origin.everything()).not.toContain(email);
  const [sent] = origin.requests;
  expect(sent?.body.toString('latin1')).toMatch(
    /\r\n\r\n\xe6\x97\xa5\xe6\x9c\xac \[EMAIL-\d\] \xe3\x81\xa7\xe3\x81\r\n--/,
  );
});

test('openai: a part of a text file is refused', async () => {
  const text = await program(`${openai}
    const data = new File(['mail ' + EMAIL], 'blob');
    await client.uploads.parts.create('upload_1', { data }).catch((error) => process.stdout.write(error.status + ' ' + error.message));`);
  expect(text).toMatch(/^403 .*a piece of a text file cannot be masked by itself/);
  expect(text).not.toContain(email);
  expect(origin.everything()).not.toContain(email);
});

test('openai: fields next to audio are masked, the audio is unchanged', async () => {
  const text = await program(`${openai}
    const answer = await client.audio.transcriptions.create({ file: await toFile(bytes('AUDIO'), 'a.mp3'),
      model: 'whisper-1', prompt: 'Spoken by ' + EMAIL });
    process.stdout.write(answer.text);`);
  expect(text).toBe(`heard ${email}`);
  expectMasked();
  expect(origin.requests[0]?.body.includes(audio)).toBe(true);
});

test('openai: an office file in base64', async () => {
  const text = await program(`${openai}
    const file_data = 'data:application/vnd.openxmlformats-officedocument.wordprocessingml.document;base64,' + process.env.DOCX;
    const answer = await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: [
      { type: 'file', file: { filename: 'a.docx', file_data } }, { type: 'text', text: 'summarise' } ] }] });
    process.stdout.write(answer.choices[0].message.content);`);
  expect(text).toBe(`read ${email}`);
  expectMasked();
});

test('anthropic: a text file, a batch, and a PDF in base64', async () => {
  const text = await program(`${anthropic}
    await client.beta.files.upload({ file: await toFile(Buffer.from('for ' + EMAIL), 'note.txt', { type: 'text/plain' }) });
    await client.messages.batches.create({ requests: [{ custom_id: 'a', params: { model: 'm', max_tokens: 1,
      messages: [{ role: 'user', content: 'for ' + EMAIL }] } }] });
    const pdf = (data) => ({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: [
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } },
      { type: 'text', text: 'for ' + EMAIL } ] }] });
    const answer = await client.messages.create(pdf(process.env.PLAIN_PDF));
    process.stdout.write(answer.content[0].text + '\\n');
    await client.messages.create(pdf(process.env.SECRET_PDF)).catch((error) => process.stdout.write(String(error.status)));`);
  expect(text).toBe(`read ${email}\n403`);
  expectMasked();
  expect(origin.requests).toHaveLength(3);
  expect(origin.requests[2]?.body.includes(plainPdf.toString('base64'))).toBe(true);
});

test('google: a resumable upload whose length changes, and text in base64', async () => {
  const text = await program(`import { GoogleGenAI } from '@google/genai';
    const client = new GoogleGenAI({ apiKey: 'test-key' });
    const { EMAIL } = process.env;
    const file = await client.files.upload({ file: new Blob(['for ' + EMAIL], { type: 'text/plain' }),
      config: { displayName: EMAIL } });
    process.stdout.write(file.displayName + '\\n');
    const answer = await client.models.generateContent({ model: 'gemini-x', contents: [{ role: 'user', parts: [
      { inlineData: { mimeType: 'text/csv', data: Buffer.from('name,mail\\nSomebody Unknown,' + EMAIL).toString('base64') } },
      { inlineData: { mimeType: 'image/png', data: process.env.PNG } } ] }] });
    process.stdout.write(answer.text);`);
  expect(text).toBe(`got ${email}\nread ${email}`);
  expectMasked();
  expect(origin.requests.at(-1)?.body.includes(png.toString('base64'))).toBe(true);
});

test('cohere: documents', async () => {
  const text = await program(`import { CohereClientV2 } from 'cohere-ai';
    const client = new CohereClientV2({ token: 'test-key', maxRetries: 0 });
    const answer = await client.chat({ model: 'command-a', messages: [{ role: 'user', content: 'who?' }],
      documents: [{ id: 'd1', data: { title: 'list', text: 'Ask ' + process.env.EMAIL } }] });
    process.stdout.write(answer.message.content[0].text);`);
  expect(text).toBe(`read ${email}`);
  expectMasked();
});

test('ollama: images next to text', async () => {
  const text = await program(`import { Ollama } from 'ollama';
    const client = new Ollama({ host: 'https://ollama.com' });
    const answer = await client.chat({ model: 'm', messages: [
      { role: 'user', content: 'for ' + process.env.EMAIL, images: [process.env.PNG] }] });
    process.stdout.write(answer.message.content);`);
  expect(text).toBe(`read ${email}`);
  expectMasked();
  expect(origin.requests[0]?.body.includes(png.toString('base64'))).toBe(true);
});
