/** Values in encodings that a model or a server reads, but a literal search would miss. */
import { beforeEach, describe, expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { sendTls } from '../support/tunnel.ts';

const host = 'api.openai.com';
const mail = 'anna.berg@example.com';

const origin = await startOrigin({ names: [host] });
const gateway = await startGateway({ hosts: { [host]: origin } });
beforeEach(() => origin.reset());

async function post(type: string, body: string): Promise<{ status: number; sent: string | undefined; text: string }> {
  const bytes = Buffer.from(body);
  const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes.length}\r\n\r\n`;
  const answer = await sendTls(gateway, `${host}:443`, Buffer.concat([Buffer.from(head), bytes]));
  return { status: answer.status, sent: origin.requests.at(0)?.body.toString(), text: answer.body.toString() };
}

const said = (content: unknown): string => JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] });

describe('invisible characters', () => {
  test.each([
    ['a zero width space', '\u200b'],
    ['a soft hyphen', '\u00ad'],
    ['a word joiner', '\u2060'],
    ['a variation selector', '\ufe0f'],
    ['a tag', '\u{e0041}'],
    ['a backspace', '\b'],
    ['a NUL', '\0'],
    ['the next line', '\u0332'],
    ['a framed key', '\u20e3'],
  ])('%s inside a value', async (_name, c) => {
    const { status, sent } = await post('application/json', said(`Write to ${[...mail].join(c)} today`));
    expect(status).toBe(200);
    expect(sent).toContain('Write to [EMAIL-');
    expect(sent).toMatch(/\] today"/);
  });
});

test.each([
  ['small letters', 'anna.berg\ufe6bexample\ufe52com', 'EMAIL'],
  ['a tag inside', 'anna.berg<b>@</b>example.com', 'EMAIL'],
  ['Markdown inside', 'anna.berg**@**example.com', 'EMAIL'],
  ['a block inside', 'anna.berg<p>@example.com', 'EMAIL'],
  ['percent-encoding without a URL', 'anna%2Eberg%40example%2Ecom', 'EMAIL'],
  ['an escape of a program', String.raw`anna.berg\x40example.com`, 'EMAIL'],
  ['a reference without its semicolon', 'anna.berg&#64example.com', 'EMAIL'],
  ['digits in circles', '④①①① ①①①① ①①①① ①①①①', 'CREDIT_CARD'],
  ['raised digits', '⁴¹¹¹ ¹¹¹¹ ¹¹¹¹ ¹¹¹¹', 'CREDIT_CARD'],
  ['letters of macOS', 'josé.garcía@example.com'.normalize('NFD'), 'EMAIL'],
  ['a private character', 'anna\ue123berg@example.com', 'EMAIL'],
  ['an escape of JSON in JSON', String.raw`anna.berg\\u0040example.com`, 'EMAIL'],
  ['a colour of a terminal', 'anna\u001b[31mberg@example.com', 'EMAIL'],
  ['brackets against links', 'anna.berg[at]example[.]com', 'EMAIL'],
  ['an accent of LaTeX', String.raw`jos\'e@example.com`, 'EMAIL'],
  ['a section of XML', 'anna.berg<![CDATA[@]]>example.com', 'EMAIL'],
  ['quoted-printable without its header', 'anna.berg=40example.com', 'EMAIL'],
])('%s', async (_name, value, type) => {
  expect((await post('application/json', said(`Here is ${value} for you`))).sent).toMatch(
    new RegExp(`Here is \\[${type}-\\d+\\] for you`),
  );
});

test('circled line numbers are kept', async () => {
  const { sent } = await post('application/json', said('①090-1234-5678 ②090-1234-5679'));
  expect(sent).toMatch(/①\[PHONE-\d+\] ②\[PHONE-\d+\]/);
});

describe('base64 in form fields', () => {
  const coded = Buffer.from(`Please write to ${mail} >>>~~~ about it`).toString('base64');
  const mask = /^Please write to \[EMAIL-\d+\] >>>~~~ about it$/;

  test.each([
    ['percent-encoded', encodeURIComponent(coded)],
    ['with literal plus signs', coded],
  ])('of a form, %s', async (_name, value) => {
    expect(coded).toContain('+');
    const { sent = '' } = await post('application/x-www-form-urlencoded', `a=1&note=${value}&b=2`);
    const note = new URLSearchParams(sent).get('note') ?? '';
    expect(Buffer.from(note.replaceAll(' ', '+'), 'base64').toString()).toMatch(mask);
    expect(sent).toMatch(/^a=1&note=.*&b=2$/);
  });

  test('of a multipart form', async () => {
    const body = `--x\r\nContent-Disposition: form-data; name="note"\r\n\r\n${coded}\r\n--x--\r\n`;
    const { sent = '' } = await post('multipart/form-data; boundary=x', body);
    expect(Buffer.from(sent.split('\r\n')[3] ?? '', 'base64').toString()).toMatch(mask);
  });
});

test.each([
  ['in a sentence', (coded: string) => `Please decode ${coded} and answer.`],
  ['in lines of their own', (coded: string) => `Data:\n\n${coded}\n\nThanks`],
])('base64 of a text %s', async (_name, write) => {
  const text = `Please write to ${mail} about it, and soon`;
  const { sent = '' } = await post('application/json', said(write(Buffer.from(text).toString('base64'))));
  const [, coded = ''] = /(?:\\n| )([A-Za-z0-9+/]{40,}={0,2})/.exec(sent) ?? [];
  expect(Buffer.from(coded, 'base64').toString()).toMatch(/^Please write to \[EMAIL-\d+\] about it, and soon$/);
});

test.each<[name: string, encode: (text: string) => Buffer]>([
  ['little-endian', (text) => Buffer.from(text, 'utf16le')],
  ['big-endian', (text) => Buffer.from(text, 'utf16le').swap16()],
  ['with a byte order mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
])('base64 of a text in UTF-16, %s', async (name, encode) => {
  const base64 = encode(`お願いします: please write to ${mail}, thanks`).toString('base64');
  for (const text of [`powershell -enc ${base64} now`, base64]) {
    const { sent = '' } = await post('application/json', said(text));
    const [, coded = ''] = /(?: |")([A-Za-z0-9+/]{80,}={0,2})/.exec(sent) ?? [];
    const bytes = Buffer.from(coded, 'base64');
    const read = (name === 'big-endian' ? bytes.swap16() : bytes).toString('utf16le').replace('\ufeff', '');
    expect(read).toMatch(/^お願いします: please write to \[EMAIL-\d+\], thanks$/);
  }
});

test('base64 of base64 of a text', async () => {
  const base64 = (one: string) => Buffer.from(one).toString('base64');
  const coded = base64(base64(`Please write to ${mail} about it, and soon`));
  const { sent = '' } = await post('application/json', said(`Please decode ${coded} twice.`));
  const [, outer = ''] = / ([A-Za-z0-9+/]{40,}={0,2}) /.exec(sent) ?? [];
  const inner = Buffer.from(Buffer.from(outer, 'base64').toString(), 'base64').toString();
  expect(inner).toMatch(/^Please write to \[EMAIL-\d+\] about it, and soon$/);
});

describe('hexadecimal of a text', () => {
  const hex = Buffer.from(`Grüße an ${mail} und alle`).toString('hex');

  test.each([
    ['as it is', hex],
    ['in capitals', hex.toUpperCase()],
    ['with its prefix', `0x${hex}`],
  ])('%s', async (_name, coded) => {
    const { sent = '' } = await post('application/json', said(`Please decode ${coded} and answer.`));
    const [, word = ''] = /decode (?:0x)?([\dA-Fa-f]+) and answer/.exec(sent) ?? [];
    expect(Buffer.from(word, 'hex').toString()).toMatch(/^Grüße an \[EMAIL-\d+\] und alle$/);
    expect(sent.includes('decode 0x')).toBe(coded.startsWith('0x'));
  });

  test.each([
    ['little-endian', false],
    ['big-endian', true],
  ])('of UTF-16, %s', async (_name, isBig) => {
    const bytes = Buffer.from(`Grüße an ${mail} und alle`, 'utf16le');
    const { sent = '' } = await post(
      'application/json',
      said(`REG_SZ ${(isBig ? bytes.swap16() : bytes).toString('hex')} here`),
    );
    const read = Buffer.from(/REG_SZ ([\da-f]+) here/.exec(sent)?.[1] ?? '', 'hex');
    expect((isBig ? read.swap16() : read).toString('utf16le')).toMatch(/^Grüße an \[EMAIL-\d+\] und alle$/);
  });

  test('a hash and an id keep their bytes', async () => {
    const text =
      'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 of 9fceb02d0ae598e95dc970b74767f193';
    expect((await post('application/json', said(text))).sent).toBe(said(text));
  });
});

describe('texts in a charset encoded in ASCII', () => {
  // In UTF-7 (RFC 2152): anna.berg@example.com.
  const hidden = '+AGEAbgBuAGEALgBiAGUAcgBn-+AEA-example.com';
  const multipart = (fields: string): string =>
    `--x\r\nContent-Disposition: form-data; name="note"${fields}\r\n--x--\r\n`;

  test.each([
    [
      'of a part',
      'multipart/form-data; boundary=x',
      multipart(`\r\nContent-Type: text/plain; charset=utf-7\r\n\r\n${hidden}`),
    ],
    [
      'of a part, named twice',
      'multipart/form-data; boundary=x',
      multipart(`\r\nContent-Type: text/plain; charset=utf-8; charset="UTF-7"\r\n\r\n${hidden}`),
    ],
    [
      'of a file',
      'multipart/form-data; boundary=x',
      multipart(`; filename="a.txt"\r\nContent-Type: text/plain;charset=UTF-7\r\n\r\n${hidden}`),
    ],
    [
      'of a _charset_ field',
      'multipart/form-data; boundary=x',
      multipart(`\r\n\r\n${hidden}\r\n--x\r\nContent-Disposition: form-data; name="_charset_"\r\n\r\nutf-7`),
    ],
    ['of the whole body', 'multipart/form-data; charset=utf-7; boundary=x', multipart(`\r\n\r\n${hidden}`)],
    ['of a form', 'application/x-www-form-urlencoded', `_charset_=UTF-7&note=${encodeURIComponent(hidden)}`],
  ])('%s: refused with the reason', async (_name, type, body) => {
    const { status, sent, text } = await post(type, body);
    expect({ status, sent }).toEqual({ status: 400, sent: undefined });
    expect(text).toMatch(/utf-7/i);
    expect(text).toContain('UTF-8');
  });

  test.each([
    ['UTF-8', 'UTF-8', 'grün'],
    ['Shift_JIS, all in ASCII', 'Shift_JIS', 'plain'],
    ['windows-1252', 'windows-1252', 'plain'],
  ])('%s passes', async (_name, charset, value) => {
    const body = multipart(
      `\r\n\r\n${value} ${mail}\r\n--x\r\nContent-Disposition: form-data; name="_charset_"\r\n\r\n${charset}`,
    );
    const { status, sent } = await post('multipart/form-data; boundary=x', body);
    expect(status).toBe(200);
    expect(sent).toMatch(new RegExp(`${value} \\[EMAIL-\\d+\\]`));
  });
});

describe('escapes of JavaScript in forms', () => {
  test.each([
    [
      'a value',
      'a=Gr%u00fc%u00dfe+an+anna.berg%u0040example.com&b=%u0041',
      /^a=Gr%C3%BC%C3%9Fe\+an\+%5BEMAIL-\d+%5D&b=%u0041$/,
    ],
    ['a name', 'anna.berg%u0040example.com=1', /^%5BEMAIL-\d+%5D=1$/],
  ])('%s', async (_name, body, expected) => {
    expect((await post('application/x-www-form-urlencoded', body)).sent).toMatch(expected);
  });

  test.each(['/v1/search?q=anna.berg%u0040example.com', '/v1/anna.berg%u0040example.com'])('in %s', async (path) => {
    await sendTls(gateway, `${host}:443`, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(origin.requests[0]?.url).toMatch(/[=/]%5BEMAIL-\d+%5D$/);
  });
});

test.each<[name: string, text: string, expected: RegExp]>([
  [
    'a name in quoted-printable',
    'From: =?UTF-8?Q?Gr=C3=BC=C3=9Fe_anna.berg=40example.com?=',
    /^From: Grüße \[EMAIL-\d+\]$/,
  ],
  [
    'words in base64',
    `To: =?utf-8?B?${Buffer.from(`Grüße ${mail}`).toString('base64')}?= (x)`,
    /^To: Grüße \[EMAIL-\d+\] \(x\)$/,
  ],
  [
    'a text in quoted-printable',
    'See:\n\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n' +
      'Gr=FC=DFe anna.be=\nrg=40example.com!',
    /\n\nGr=FC=DFe \[EMAIL-\d+\]!$/,
  ],
  [
    'plain text below the header of such a part',
    'Content-Transfer-Encoding: quoted-printable\n\n=E5\n--b\n\ncard=4111111111111111 mail=ab@example.com a=beef',
    /\n\n=E5\n--b\n\ncard=\[CREDIT_CARD-\d+\] mail=\[EMAIL-\d+\] a=beef$/,
  ],
  ['an encoded quote in JSON', `{"from": "=?utf-8?q?=22A=22?= ${mail}"}`, /^\{"from": "\\"A\\" \[EMAIL-\d+\]"\}$/],
])('the source of a mail in a prompt, %s', async (_name, text, expected) => {
  const { sent = '' } = await post('application/json', said(text));
  expect(JSON.parse(sent).messages[0].content).toMatch(expected);
});

test('the source of a mail without a value is unchanged', async () => {
  const text = 'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=\nContent-Transfer-Encoding: quoted-printable\n\n=C3=BC=\n.';
  expect((await post('application/json', said(text))).sent).toBe(said(text));
});

test('a number that a program has written as a fraction', async () => {
  const row =
    '{"card": 4111111111111111.0, "lat": 35.6812362, "also": 4.111111111111111e15, "sum": 123456.75, "n": 1.0}';
  const { sent = '' } = await post('application/json', JSON.stringify({ messages: [{ role: 'tool', content: row }] }));
  expect(JSON.parse(sent).messages[0].content.replaceAll(/-\d+\]/g, '-1]')).toBe(
    '{"card": "[CREDIT_CARD-1]", "lat": 35.6812362, "also": "[CREDIT_CARD-1]", "sum": 123456.75, "n": 1.0}',
  );
});

describe('the name of a file in multipart', () => {
  const part = (name: string) => `--x\r\nContent-Disposition: form-data; name="f"; ${name}\r\n\r\nhi\r\n--x--\r\n`;

  test('in encoded words', async () => {
    const coded = `=?UTF-8?B?${Buffer.from(`für ${mail}.txt`).toString('base64')}?=`;
    const { sent } = await post('multipart/form-data; boundary=x', part(`filename="${coded}"`));
    expect(sent).toMatch(/filename="für \[EMAIL-\d+\]\.txt"/);
  });

  test('in pieces: refused', async () => {
    const { status, sent } = await post(
      'multipart/form-data; boundary=x',
      part('filename*0="anna.berg@"; filename*1="example.com"'),
    );
    expect({ status, sent }).toEqual({ status: 400, sent: undefined });
  });
});

describe('percent-encoding in addresses', () => {
  test.each([
    [
      'an e-mail address',
      'https://img.example/a.png?to=anna.berg%40example.com&w=1',
      /^https:\/\/img\.example\/a\.png\?to=\[EMAIL-\d+\]&w=1$/,
    ],
    [
      'a card',
      'https://img.example/?card=4111%201111%201111%201111',
      /^https:\/\/img\.example\/\?card=\[CREDIT_CARD-\d+\]$/,
    ],
    [
      'a telephone number',
      'https://img.example/?tel=%2B81%2090-1234-5678#x',
      /^https:\/\/img\.example\/\?tel=\[PHONE-\d+\]#x$/,
    ],
  ])('%s in image_url.url', async (_name, url, expected) => {
    const { sent = '' } = await post('application/json', said([{ type: 'image_url', image_url: { url } }]));
    expect(JSON.parse(sent).messages[0].content[0].image_url.url).toMatch(expected);
  });

  test('a URL without a value is unchanged', async () => {
    const url = 'https://img.example/My%20Pictures/cat%201.png?x=%2Fa';
    const { sent = '' } = await post('application/json', said([{ type: 'image_url', image_url: { url } }]));
    expect(JSON.parse(sent).messages[0].content[0].image_url.url).toBe(url);
  });
});

describe('a value split across the parts of a message', () => {
  const parts = (...texts: string[]) => ({
    messages: [{ role: 'user', content: texts.map((text) => ({ type: 'text', text })) }],
  });

  test.each([
    [
      ['Write to anna.be', 'rg@mail.example, please'],
      ['Write to [EMAIL-1]', '[EMAIL-1], please'],
    ],
    [
      ['Write to anna', '.berg@', 'mail.example'],
      ['Write to [EMAIL-1]', '[EMAIL-1]', '[EMAIL-1]'],
    ],
    [
      ['Card 4111111', '111111111 it is'],
      ['Card [CREDIT_CARD-1]', '[CREDIT_CARD-1] it is'],
    ],
    [['Nothing here.', 'Nothing there, anna', 'lies.'], undefined],
  ])('%j', async (texts, expected) => {
    const { sent = '' } = await post('application/json', JSON.stringify(parts(...texts)));
    const numbered = (text: string) => text.replaceAll(/-\d+\]/g, '-1]');
    expect(JSON.parse(numbered(sent))).toEqual(parts(...(expected ?? texts)));
  });

  test.each(['parts', 'content'])('texts in a list called %s', async (name) => {
    const { sent = '' } = await post(
      'application/json',
      JSON.stringify({ messages: [{ [name]: ['Write to anna.berg@', 'mail.example now'] }] }),
    );
    expect(JSON.parse(sent).messages[0][name].join('')).toMatch(/^Write to (\[EMAIL-\d+\])\1 now$/);
  });

  test('texts in any other list are not joined', async () => {
    const body = JSON.stringify({ input: ['Write to anna.berg@', 'mail.example now'] });
    expect((await post('application/json', body)).sent).toBe(body);
  });

  test('parts with something in between are not joined', async () => {
    const content = [
      { type: 'text', text: 'anna.berg@mail' },
      { type: 'image_url', image_url: { url: 'https://pictures.example/1.png' } },
      { type: 'text', text: '.example' },
    ];
    const body = JSON.stringify({ messages: [{ role: 'user', content }] });
    expect((await post('application/json', body)).sent).toBe(body);
  });
});
