import { expect, test } from 'vitest';
import { makeDocx, makePackage, makePdf, makePptx, makeXlsx } from '../support/documents.ts';
import { startApi } from './api-under-test.ts';

const mail = 'ana@example.com';
const text = `Write to ${mail}`;

async function start() {
  const api = await startApi();
  const upload = (
    file: Uint8Array | string | undefined,
    name: string,
    fields: Record<string, string> = {},
    key?: string,
  ) => {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    if (file !== undefined) form.append('file', new Blob([file as string]), name);
    return api.call('/upload', { method: 'POST', body: form, ...(key && { key }) });
  };
  return { ...api, upload };
}

const files: [name: string, kind: string, bytes: Uint8Array | string, title?: string][] = [
  ['note.txt', 'txt', text],
  ['note.md', 'md', `# ${text}`],
  ['people.csv', 'csv', `title,mail\nOffice,${mail}`],
  ['people.json', 'json', JSON.stringify({ mail })],
  ['letter.docx', 'docx', makeDocx([['Write to ana@', 'example.com']])],
  ['people.xlsx', 'xlsx', makeXlsx([['mail'], [mail]]), 'Customers'],
  ['talk.pptx', 'pptx', makePptx(['Hello', text]), 'Slide 2'],
  ['letter.pdf', 'pdf', makePdf(['Hello', text]), 'Page 2'],
];
test.each(files)('%s', async (name, kind, bytes, title) => {
  const { upload, post } = await start();
  const { status, body } = await upload(bytes, name);
  expect([status, body.kind]).toEqual([200, kind]);
  expect(body.tokenMap).toEqual({ '[EMAIL-1]': mail });
  expect(body.text).toContain(mail);
  expect(body.masked).toContain('[EMAIL-1]');
  expect(body.masked).not.toContain(mail);
  const section = body.sections.find(({ text }: { text: string }) => text.includes(mail));
  expect(section).toMatchObject({ masked: expect.stringContaining('[EMAIL-1]'), detections: [{ type: 'EMAIL' }] });
  if (title !== undefined) expect(section.title).toBe(title);
  const back = await post('/restore', { text: body.masked, sessionId: body.sessionId });
  expect(back.body.restored).toBe(body.text);
});

test('the other fields of the form', async () => {
  const { upload } = await start();
  const { body: first } = await upload(text, 'a.txt', { tokenFormat: 'secured', types: 'EMAIL,PHONE' });
  expect(first.masked).toContain('[SECURED:type=EMAIL');
  const dictionary = JSON.stringify([{ label: 'VERB', pattern: 'Write' }]);
  const more = { sessionId: first.sessionId, types: '["PHONE"]', dictionary };
  expect((await upload(text, 'a.txt', more)).body).toMatchObject({
    sessionId: first.sessionId,
    masked: `[VERB_1] to ${mail}`,
  });
});

test('fields after the file count too', async () => {
  const { call } = await start();
  const form = new FormData();
  form.append('file', new Blob([text]), 'a.txt');
  form.append('types', 'PHONE');
  expect((await call('/upload', { method: 'POST', body: form })).body.masked).toBe(text);
});

test('files as Japanese programs write them', async () => {
  const { upload } = await start();
  // 氏名 山田太郎, in Shift_JIS.
  const csv = await upload(Buffer.from('8e8196bc0d0a8e5293639 1be98590d0a'.replaceAll(' ', ''), 'hex'), 'people.csv');
  expect(csv.body).toMatchObject({ kind: 'csv', text: '氏名\r\n山田太郎\r\n', masked: '氏名\r\n[NAME-1]\r\n' });
  const json = await upload(String.raw`{"name":"\u5c71\u7530\u592a\u90ce"}`, 'people.json');
  expect(json.body).toMatchObject({ kind: 'json', masked: '{"name":"[NAME-1]"}' });
  const shared = '<si><t>山田太郎</t><rPh sb="0" eb="2"><t>ヤマダ</t></rPh><rPh sb="2" eb="4"><t>タロウ</t></rPh></si>';
  const sheet = await upload(
    makeXlsx([['氏名'], ['x']], { 'xl/sharedStrings.xml': `<sst><si><t>氏名</t></si>${shared}</sst>` }),
    'a.xlsx',
  );
  expect(sheet.body).toMatchObject({ text: '氏名\n山田太郎', masked: '氏名\n[NAME-1]' });
});

const pdf = makePdf(['x']);
/** The container of Word 97 and of encrypted documents, with the name of a stream in it. */
const compoundFile = (stream: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1016), Buffer.from(stream, 'utf16le')]);
/** A password of the standard handler that is not known. */
const encryption = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O (${'o'.repeat(32)}) /U (${'u'.repeat(32)}) >> /ID [<00><00>]`;
const refused: [
  name: string,
  bytes: Uint8Array | string | undefined,
  fields: Record<string, string>,
  status: number,
  what: RegExp,
][] = [
  ['no file', undefined, {}, 422, /file: is missing/],
  ['unknown field', text, { color: 'red' }, 422, /color: is not known/],
  ['wrong type', text, { types: 'MAIL' }, 422, /types\[0\].*EMAIL/],
  ['wrong dictionary', text, { dictionary: '{' }, 422, /dictionary: is not a JSON list/],
  ['wrong score', text, { minScore: 'high' }, 422, /minScore/],
  ['unknown session', text, { sessionId: 'nobody' }, 404, /session does not exist/],
  ['broken package', makeDocx([[text]]).slice(0, 300), {}, 422, /damaged|cannot be read/i],
  ['broken PDF', pdf.slice(0, 200), {}, 422, /damaged|cannot be read/i],
  [
    'encrypted PDF',
    Buffer.from(Buffer.from(pdf).toString('latin1').replace('/Root', `${encryption} /Root`), 'latin1'),
    {},
    422,
    /encrypted|password/i,
  ],
  ['encrypted office document', compoundFile('EncryptedPackage'), {}, 422, /encrypted/],
  ['document of an old program', compoundFile('WordDocument'), {}, 415, /cannot be opened/],
  ['text that is not a document', text, { name: 'letter.docx' }, 422, /damaged: it is not a docx file/],
  ['text that is not a PDF', text, { name: 'letter.PDF' }, 422, /damaged: it is not a pdf file/],
  ['nothing', '', { name: 'people.xlsx' }, 422, /damaged: it is not a xlsx file/],
  ['bytes', Buffer.from('0001fffe', 'hex'), { name: 'talk.pptx' }, 422, /damaged: it is not a pptx file/],
  [
    'a package without its parts',
    makePackage({ 'a.txt': 'x' }),
    { name: 'a.docx' },
    422,
    /damaged: it is not a docx file/,
  ],
  ['text in no known encoding', Buffer.from('80ff81fe', 'hex'), { name: 'a.csv' }, 422, /encoding/],
  ['a program', Buffer.from('7f454c4602010100000000', 'hex'), {}, 415, /cannot be opened|not an office document/],
  ['a package of something else', makePackage({ 'a.txt': 'x' }), {}, 415, /cannot be opened|not an office document/],
  ['too large', 'x'.repeat(10 * 1024 * 1024 + 10), {}, 413, /over the limit of 10 MiB/],
];
test.each(refused)('%s is refused with the reason, and free', async (_name, bytes, fields, status, what) => {
  const { upload, keyOn, call } = await start();
  const key = await keyOn('starter');
  const { name = 'file.bin', ...others } = fields;
  const answer = await upload(bytes, name, others, key);
  expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringMatching(what)]);
  expect((await call('/credits', { key })).body.used).toBe(0);
});

test.each([
  ['JSON', '{"file":"x"}', 'application/json', 415],
  ['no type', 'x', 'application/octet-stream', 415],
  ['a form without boundary', 'x', 'multipart/form-data', 400],
  [
    'a form that breaks off',
    '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nx',
    'multipart/form-data; boundary=b',
    400,
  ],
])('%s is not an upload', async (_name, body, type, status) => {
  const { call } = await start();
  const answer = await call('/upload', { method: 'POST', body, headers: { 'content-type': type } });
  expect([answer.status, typeof answer.body?.error?.code]).toEqual([status, 'string']);
});

test('a form elsewhere is 415, and a call without a key is not parsed', async () => {
  const { call } = await start();
  const form = new FormData();
  form.append('text', 'x');
  expect((await call('/mask', { method: 'POST', body: form })).status).toBe(415);
  expect((await call('/upload', { method: 'POST', body: form, key: null })).status).toBe(401);
});
