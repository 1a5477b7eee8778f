/** Presigned URLs that a service is to fetch: nothing in them may change. */
import { describe, expect, test } from 'vitest';
import { parseRequestBody } from '../../../core/payload/request.ts';
import { besideSignature } from '../../../core/payload/signed-url.ts';

const s3 =
  'https://b.s3.amazonaws.com/k.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA4ZQ7XK2M9PLR3TNV%2F20261127%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20261127T040000Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature=9f3b0c44298fc1c1';
const gcs =
  'https://storage.googleapis.com/b/k.png?GoogleAccessId=reader@my-proj.iam.gserviceaccount.com&Expires=1732678574&Signature=AbC%2Bdef';
const azure =
  'https://a.blob.core.windows.net/c/k.png?sv=2024-11-04&se=2026-11-28T00%3A00%3A00Z&sr=b&sp=r&sig=AbC%2B123%3D';
const cloudFront = 'https://d1.cloudfront.net/k.png?Expires=1&Signature=AbC~&Key-Pair-Id=K2JCJMDEHXQW5F';
const ofPerson = s3.replace('/k.pdf?', '/ana%40example.com.pdf?versionId=7&');
const plain = 'https://b.example/k.pdf?versionId=7&user=ana@example.com';

describe('what is no part of the signature', () => {
  test.each<[url: string, beside: string | undefined]>([
    [s3, 'https://b.s3.amazonaws.com/k.pdf'],
    [gcs, 'https://storage.googleapis.com/b/k.png'],
    [azure, 'https://a.blob.core.windows.net/c/k.png'],
    [cloudFront, 'https://d1.cloudfront.net/k.png'],
    [ofPerson, 'https://b.s3.amazonaws.com/ana@example.com.pdf versionId=7'],
    [`${s3}&x-amz-meta-owner=Ana`, 'https://b.s3.amazonaws.com/k.pdf x-amz-meta-owner=Ana'],
    [plain, undefined],
    [`see ${s3}`, undefined],
    [`${s3} and more`, undefined],
    ['https://b.example/k.pdf?signature=x', undefined],
    [`${s3}#:~:text=ana@example.com`, 'https://b.s3.amazonaws.com/k.pdf :~:text=ana@example.com'],
    [`https://b.example/k.pdf#${s3.slice(s3.indexOf('?'))}`, undefined],
    ['https://app.example/reset?email=ana@example.com&expires=1700000000&signature=abc', undefined],
    [cloudFront.replace('AbC~', 'AbC;mail=a@x.jp'), 'https://d1.cloudfront.net/k.png Signature=AbC;mail=a@x.jp'],
    [`${cloudFront}&Policy=ana%2540example.com`, 'https://d1.cloudfront.net/k.png Policy=ana%40example.com'],
    [`${cloudFront}&Policy=eyJTdGF0ZW1lbnQiOlt7fV19__`, 'https://d1.cloudfront.net/k.png'],
    [azure.replace('sv=2024-11-04', 'sv=415-555-0132'), 'https://a.blob.core.windows.net/c/k.png sv=415-555-0132'],
    [`${azure}&ses=ana&sip=168.1.5.60-168.1.5.70`, 'https://a.blob.core.windows.net/c/k.png ses=ana'],
    [`${azure}&st=4155550132`, 'https://a.blob.core.windows.net/c/k.png st=4155550132'],
    [
      `${azure}&skoid=8f1c2b3a-0d4e-4f5a-9b6c-7d8e9fa0b1c2&spr=https%2Chttp&sp`,
      'https://a.blob.core.windows.net/c/k.png sp',
    ],
  ])('%s', (url, beside) => expect(besideSignature(url)).toBe(beside));
});

const parsed = (body: object) => parseRequestBody('json', JSON.stringify(body));

describe.each([s3, gcs, azure, cloudFront])('%s', (url) => {
  test.each<[place: string, body: object]>([
    ['file_url', { input: [{ role: 'user', content: [{ type: 'input_file', file_url: url }] }] }],
    ['image_url', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] }],
    ['source', { messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'url', url } }] }] }],
    ['document_url', { document: { type: 'document_url', document_url: url } }],
    ['fileUri', { contents: [{ parts: [{ fileData: { mimeType: 'application/pdf', fileUri: url } }] }] }],
    ['an input', { version: 'x', input: { audio: url } }],
    ['images', { image_urls: [url] }],
    ['an image to begin with', { promptImage: url, input: { mask: url, image_tail: url } }],
    ['a source of a talk', { source_url: url }],
    ['an audioUrl', { config: { audioUrl: url } }],
    ['an image of DashScope', { input: { messages: [{ content: [{ image: url }] }] } }],
  ])('as %s is not masked', (_place, body) => expect(parsed(body).leaves).not.toContain(url));

  test('in a form it is not masked', () => {
    expect(parseRequestBody('form', `url=${encodeURIComponent(url)}`).leaves).toEqual([]);
    const part = `--b\r\nContent-Disposition: form-data; name="url"\r\n\r\n${url}\r\n--b--\r\n`;
    expect(parseRequestBody('multipart', part, { contentType: 'multipart/form-data; boundary=b' }).leaves).toEqual([]);
  });

  test.each<[place: string, body: object]>([
    ['a message', { messages: [{ role: 'user', content: url }] }],
    ['a part of one', { messages: [{ role: 'user', content: [{ type: 'text', text: url }] }] }],
    ['a part of ChatGPT', { messages: [{ content: { content_type: 'text', parts: [url] } }] }],
    ['texts to embed', { texts: [url] }],
    ['documents to rank', { query: 'x', documents: [url] }],
    ['inputs', { inputs: url }],
    ['inputs of an application', { inputs: { url } }],
    ['a record', { points: [{ id: 1, payload: { file_url: url } }] }],
    ['metadata', { metadata: { url } }],
    ['a source', { chunks: [{ source_url: url }] }],
    ['the call of a tool', { messages: [{ content: [{ type: 'tool_use', id: 'x', name: 'get', input: { url } }] }] }],
  ])('in %s it is a text', (_place, body) => {
    expect(parsed(body).leaves).toContain(url);
    expect(parsed(body).sealed).toEqual([]);
  });
});

test('what is no part of the signature is looked at, and cannot be changed', () => {
  expect(parsed({ document: { document_url: ofPerson } }).sealed).toEqual([
    'https://b.s3.amazonaws.com/ana@example.com.pdf versionId=7',
  ]);
  expect(parsed({ document: { document_url: ofPerson } }).signedAddresses).toEqual(new Set([0]));
  expect(parsed({ document: { document_url: plain } })).toMatchObject({ leaves: [plain], sealed: [] });
});
