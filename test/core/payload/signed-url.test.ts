/** Presigned URLs that a service fetches must not change. */
import { describe, expect, test } from 'vitest';
import { parseRequestBody } from '../../../core/payload/request.ts';
import { besideSignature, isPresigned } from '../../../core/payload/signed-url.ts';

const s3 =
  'https://b.s3.amazonaws.com/k.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA4ZQ7XK2M9PLR3TNV%2F20261127%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20261127T040000Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature=9f3b0c44298fc1c1';
const gcs =
  'https://storage.googleapis.com/b/k.png?GoogleAccessId=reader@my-proj.iam.gserviceaccount.com&Expires=1732678574&Signature=AbC%2Bdef';
const azure =
  'https://a.blob.core.windows.net/c/k.png?sv=2024-11-04&se=2026-11-28T00%3A00%3A00Z&sr=b&sp=r&sig=AbC%2B123%3D';
const cloudFront = 'https://d1.cloudfront.net/k.png?Expires=1&Signature=AbC~&Key-Pair-Id=K2JCJMDEHXQW5F';
const ofPerson = s3.replace('/k.pdf?', '/ana%40example.com.pdf?versionId=7&');
const plain = 'https://b.example/k.pdf?versionId=7&user=ana@example.com';

describe('parts outside the signature', () => {
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

describe('a presigned URL', () => {
  test.each<[address: string, isIt: boolean]>([
    ['/k?X-Amz-Signature=a', true],
    ['/k?x-goog-signature=a', true],
    ['/k?Signature=a&Expires=1', true],
    ['/k?Expires=1&Signature=a&x=y', true],
    ['/k?Signature=a&Key-Pair-Id=K', true],
    ['/k?sig=a&sv=1', true],
    ['?sv=1&sig=a', true],
    ['/k?sig=a&sv=1#top', true],
    ['/k?sig=a?x&sv=1', true],
    ['/k?Signature=a', false],
    ['/k?Expires=1&Key-Pair-Id=K', false],
    ['/k?sig=a', false],
    ['/k?sv=1', false],
    ['/k?sig=a#&sv=1', false],
    ['/k#?sig=a&sv=1', false],
    ['sig=a&sv=1', false],
    ['/k?x=X-Amz-Signature', false],
    ['/k', false],
    ['', false],
  ])('%s: %j', (address, isIt) => expect(isPresigned(address)).toBe(isIt));
});

describe('a storage URL', () => {
  const link = 'https://app.example/r?u=ana&expires=1700000000&signature=abc';
  const aws = 'https://b.example/k?X-Amz-Signature=a';
  test.each<[address: string, isIt: boolean]>([
    [link, false],
    [`${link}&Key-Pair-Id=K`, true],
    [`${link}&GoogleAccessId=a`, true],
    [`${link}&AWSAccessKeyId=A`, true],
    [`${link}&OSSAccessKeyId=A`, true],
    [`${link}&X-Amz-Signature=a`, true],
    [`${link}&X-Goog-Signature=a`, true],
    [aws, true],
    [aws.replace('https', 'HTTP'), true],
    [aws.replace('https', 'ftp'), false],
    [aws.replace('https:', ''), false],
    [`x${aws}`, false],
    [aws.replace('/k', '/a k'), false],
    [`${aws}\n`, false],
    ['https://b.example/k', false],
  ])('%j: %j', (address, isIt) => expect(besideSignature(address) !== undefined).toBe(isIt));
});

describe('a parameter', () => {
  const signed = 'https://b.example/k?X-Amz-Signature=a';
  const id = '8f1c2b3a-0d4e-4f5a-9b6c-7d8e9fa0b1c2';
  test.each([
    ...['X-Amz-Date', 'x-goog-date', 'se', 'st', 'sv', 'ske', 'skt', 'skv'].map((name) => `${name}=20261127T040000Z`),
    ...['2026-11-28', '20261128', '2026-11-28T09:30Z', '2026-11-28T09%3A30%3a15Z', '2026-11-28T09:30:15'].map(
      (time) => `se=${time}`,
    ),
    'se=2026-11-28T09:30:15.1Z',
    'se=2026-11-28T09:30:15.1234567Z',
    'Expires=900',
    'X-Amz-Expires=9999999',
    'X-Goog-Expires=1',
    'Expires=1732678574',
    'Expires=2732678574',
    ...['sr', 'sp', 'spr', 'sks', 'sdd'].map((name) => `${name}=b`),
    'sdd=3',
    'sp=',
    'SP=RACWDLUPXYETMFIO',
    'spr=https,http',
    'spr=https%2chttp',
    ...['skoid', 'sktid', 'saoid', 'suoid', 'scid'].map((name) => `${name}=${id}`),
    `skoid=${id.toUpperCase()}`,
    'sip=8.1.5.6',
    'SIP=168.100.115.160',
    'sip=168.1.5.60-168.1.5.70',
    'sip=168.100.115.160-168.100.115.170',
    'Policy=eyJTdGF0ZW1lbnQiOlt7fV19',
    'Policy=ewogIC%2B%2F/+=~-_',
    'Policy=ey',
    'X-Goog-Credential=reader@p.iam.gserviceaccount.com/20261127/auto/storage/goog4_request',
    'GoogleAccessId=reader%40p.example+~:=-_',
    ...['Algorithm', 'Credential', 'SignedHeaders', 'Security-Token'].map((name) => `X-Amz-${name}=A1+/=~.:-_%2F`),
    ...['Algorithm', 'SignedHeaders', 'Signature', 'Security-Token'].map((name) => `x-goog-${name}=A1+/=~.:-_%2F`),
    ...['AWSAccessKeyId', 'OSSAccessKeyId', 'Signature', 'sig', 'Key-Pair-Id', 'security-token'].map(
      (name) => `${name}=A1+/=~.:-_%2F`,
    ),
    'sig=',
    'sig=%254x%25',
  ])('%s belongs to the signature', (parameter) => {
    expect(besideSignature(`${signed}&${parameter}`)).toBe('https://b.example/k');
    expect(besideSignature(`https://b.example/k?${parameter}&${signed.split('?')[1]}`)).toBe('https://b.example/k');
  });

  test.each([
    // Not a time in any of their formats.
    ...['2026', '202-11-28', '2026-1-28', '2026-11-2', '2026-11-281', '12026-11-28', 'x2026-11-28', '2026-11-28x'].map(
      (time) => `se=${time}`,
    ),
    ...['T', 'T09', 'T09Z', 'T9:30', 'T09:30:15:16', 'T09:30:15.', 'T09:30:15.Z', 'T09:30:15.12345678Z', 'T09;30'].map(
      (time) => `se=2026-11-28${time}`,
    ),
    'se=2026-11-28T09:30:15.aZ',
    'se=ab26-11-28',
    'se=2026-ab-28',
    'se=2026-11-ab',
    'se=2026-11-28Tab:cd',
    'sx=2026-11-28',
    'ase=2026-11-28',
    'sex=2026-11-28',
    'skx=2026-11-28',
    'x-date=2026-11-28',
    'x-oss-date=2026-11-28',
    'ax-amz-date=2026-11-28',
    'x-amz-dates=2026-11-28',
    // A telephone number, a card number, a name.
    'Expires=03012345678',
    'Expires=12345678',
    'Expires=4111111111',
    'Expires=17326785740',
    'Expires=173267857a',
    'Expires=',
    'Expires=a1',
    'Expires=1a',
    'aExpires=1',
    'Expiress=1',
    'x-oss-Expires=1',
    'sp=abcdefghijklmnopq',
    'sp=12',
    'sp=1a',
    'sp=a1',
    'sp=a.b',
    'sp=.a',
    'asp=a',
    'sps=a',
    'asr=a',
    'sdds=a',
    `skoid=${id.slice(1)}`,
    `skoid=${id}0`,
    `skoid=0${id}`,
    `skoid=${id.replace('8', 'g')}`,
    `askoid=${id}`,
    `skoids=${id}`,
    `skxid=${id}`,
    `sxoid=${id}`,
    'sip=168.1.5',
    'sip=1680.1.5.60',
    'sip=168.1.5.6000',
    'sip=168.1.5.60.70',
    'sip=168.1.5.60-168.1.5',
    'sip=168.1.5.60-168.1.5.7000',
    'sip=168.1.5.60-1680.1.5.7',
    'sip=168.1.5.60-a.1.5.7',
    'sip=168.1.5.60-168.1.5.a',
    'sip=168.1.5.60-',
    'sip=a.1.5.60',
    'sip=168.1.5.a',
    'sip=168a1a5a60',
    'sip=168.1.5.60-168a1a5a60',
    'asip=168.1.5.60',
    'sips=168.1.5.60',
    'Policy=Ana',
    'Policy=eAna',
    'Policy=xey',
    'Policy=eyJ;Ana',
    'aPolicy=ey',
    'Policys=ey',
    'GoogleAccessId=Ana;',
    'GoogleAccessId=;Ana',
    'aGoogleAccessId=Ana',
    'GoogleAccessIds=Ana',
    'X-Amz-Credential=ana@example.com',
    'sig=ana%40example.com',
    'sig=ana%2540example.com',
    'sig=ana%252540example.com',
    'sig=;Ana',
    'sig=Ana;',
    'asig=Ana',
    'sigs=Ana',
    'x-amz-meta=Ana',
    'x-oss-signature=Ana',
    'sig',
    '=sig',
    'se',
  ])('%s is outside it', (parameter) => {
    const beside = `https://b.example/k ${decodeURIComponent(parameter)}`;
    expect(besideSignature(`${signed}&${parameter}`)).toBe(beside);
    expect(besideSignature(`${signed}&${parameter}&sr=b#top`)).toBe(`${beside} top`);
  });
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
    ['numbered images', { input: { image_1: url, image2: url, input_image_3: url, image_input: [url] } }],
    ['a reference', { input_reference: url, input: { image_reference: url, video_input: url } }],
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
    ['an input to embed', { input: url }],
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

test('parts outside the signature are inspected, and cannot be changed', () => {
  expect(parsed({ document: { document_url: ofPerson } }).sealed).toEqual([
    'https://b.s3.amazonaws.com/ana@example.com.pdf versionId=7',
  ]);
  expect(parsed({ document: { document_url: plain } })).toMatchObject({ leaves: [plain], sealed: [] });
});
