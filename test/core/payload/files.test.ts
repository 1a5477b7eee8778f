/** Files and other data within a request: JSON files, base64 in its many spellings, mail and calendars. */
import { describe, expect, test } from 'vitest';
import { dataUrlOf, isBase64, isTextInBase64 } from '../../../core/payload/base64.ts';
import { isModelRequest } from '../../../core/payload/structure.ts';
import { inJson, opened, part } from './opened-files.ts';

const coded = (text: string) => Buffer.from(text).toString('base64');

const secret = 'Contact hanako.yamada@example.co.jp, card 4111 1111 1111 1111';

const record =
  '{"user":{"password":"Tr0ub4dor&3x","phone":9012345678,"card_number":4111111111111111},"id":"GB29NWBK60161331926819"}';

describe('in the JSON of a file, names have no meaning', () => {
  const found = ['password=Tr0ub4dor&3x', 'phone=9012345678', 'card_number=4111111111111111'];
  test.each([
    ['an upload', () => part('name="file"; filename="config.json"', record)],
    ['lines', () => part('name="file"; filename="a.jsonl"', `${record}\n${record}`)],
    ['raw bytes', () => opened('content', record, 'application/octet-stream')],
    ['base64', () => inJson({ source: { media_type: 'text/plain', data: coded(record) } })],
    ['an address', () => inJson({ file_data: `data:application/json;base64,${coded(record)}` })],
    ['a list', () => part('name="file"; filename="a.json"', `[${record}]`)],
  ])('%s', (_name, open) => {
    const { labels, leaves } = open();
    expect(labels).toEqual(expect.arrayContaining(found));
    expect(leaves).toContain('GB29NWBK60161331926819');
  });

  test.each([
    ['a field of a form', () => part('name="metadata"', record)],
    ['a request whose type is not declared', () => opened('content', record)],
    ['a request as text', () => opened('text', record)],
  ])('%s is a request', (_name, open) => expect(open().labels).not.toContain('password=Tr0ub4dor&3x'));

  test('token ids do not count in data', () => {
    const ids = '{"input":[12,15,99]}';
    expect(part('name="file"; filename="a.json"', ids).uninspectable).toEqual([]);
    expect(opened('json', ids).uninspectable).toHaveLength(1);
  });

  const dialogue = { messages: [{ role: 'user', content: 'x' }] };
  test.each([
    [{ custom_id: 'a', method: 'POST', body: dialogue }, true],
    [{ custom_id: 'a', params: dialogue }, true],
    [{ key: 'a', request: { contents: [{ parts: [{ text: 'x' }] }] } }, true],
    [{ recordId: 'a', modelInput: dialogue }, true],
    [dialogue, true],
    [{ ...dialogue, tools: [], model: 'm' }, true],
    [[dialogue, dialogue], true],
    [{ contents: [{ role: 'user', parts: [] }], systemInstruction: {} }, true],
    [{ ...dialogue, customer: { phone: 9012345678 } }, false],
    [{ messages: [{ user_id: 'U1', text: 'x' }] }, false],
    [{ messages: [] }, false],
    [{ custom_id: 'a' }, false],
    [{ request: 'text' }, false],
    [[], false],
    [[dialogue, 1], false],
    [null, false],
  ])('made for a model: %j, %s', (value, expected) => expect(isModelRequest(value)).toBe(expected));
});

describe('data for tools', () => {
  const inner = { card: 4111111111111111, password: 'Tr0ub4dor&3x' };
  test.each([
    [{ messages: [{ content: [{ toolResult: { content: [{ json: inner }] } }] }] }],
    [{ tool_results: [{ call: { name: 'q', parameters: inner } }] }],
    [{ tool_results: [{ outputs: [inner] }] }],
    [{ documents: [{ data: inner }] }],
    [{ messages: [{ role: 'tool', content: [{ type: 'document', document: { data: inner } }] }] }],
    [{ messages: [{ copilot_references: [{ data: inner }] }] }],
    [{ messages: [{ parts: [{ type: 'tool-x', output: inner }] }] }],
    [{ inputs: inner }],
    [{ vectors: [{ metadata: inner }] }],
    [{ sessionState: { sessionAttributes: inner } }],
  ])('%j', (body) => {
    const { leaves, labels } = inJson(body);
    expect(leaves).toContain('4111111111111111');
    expect(labels).toContain('password=Tr0ub4dor&3x');
  });
});

describe('base64', () => {
  const wrapped = coded(`${secret} `.repeat(3)).replace(/.{76}/g, '$&\r\n');
  test.each([
    ['one line', coded(secret), true],
    ['with a line end', `${coded(secret)}\n`, true],
    ['lines of equal length', wrapped, true],
    ['lines of equal length, without CR', wrapped.replaceAll('\r', ''), true],
    ['words on separate lines', 'HanakoYamada\nKenMorita\nHanaSato', false],
    ['lines of different lengths', `${'A'.repeat(64)}\n${'A'.repeat(60)}\n${'A'.repeat(64)}`, false],
    ['a longer last line', `${'A'.repeat(64)}\n${'A'.repeat(68)}`, false],
    ['an impossible length for base64', `${'A'.repeat(65)}\nAAAA`, false],
    ['text', 'hello world', false],
    ['too short', 'abcd', false],
  ])('%s', (_name, value, expected) => expect(isBase64(value)).toBe(expected));

  test.each([
    [coded(secret), true],
    [coded('日本語のテキスト、山田太郎様'), true],
    [coded(`${secret} `.repeat(3)).replace(/.{32}/g, '$&\r\n'), true],
    [coded('あ'.repeat(40)), true],
    [coded(`a${'あ'.repeat(40)}`), true],
    [coded(`${'x'.repeat(80)}\x01`), false],
    ['HelloWorldHelloWorldHelloWorld', false],
    ['d41d8cd98f00b204e9800998ecf8427e', false],
    [coded('\x01\x02 some bytes that are no text'), false],
    [coded('short'), false],
    ['abcdefghijklmnopqrstuvwx=', false],
  ])('text in it: %s, %s', (value, expected) => expect(isTextInBase64(value)).toBe(expected));

  test.each([
    ['data:text/plain;base64,', 'text/plain'],
    ['data:text/plain;name=my%20file.txt;base64,', 'text/plain'],
    ['data:text/plain; charset=utf-8;base64,', 'text/plain'],
    ['data:text/plain;charset="utf-8"; base64,', 'text/plain'],
    ['data:text/plain;filename=山田.txt;base64,', 'text/plain'],
    ['Data:text/plain;base64,', 'text/plain'],
    [' data:;base64,', undefined],
  ])('the data URL %s', (head, mediaType) => {
    expect(dataUrlOf(head + coded(secret))).toEqual({ mediaType, start: head.length });
    const { leaves, rewrite } = inJson({ file_data: head + coded(secret) });
    expect(leaves).toContain(secret);
    const masked = rewrite(leaves.map((leaf) => (leaf === secret ? 'none' : undefined)));
    expect(masked).toBe(JSON.stringify({ file_data: head + coded('none') }));
  });

  test.each(['data: see the notes; base64, of course', 'data:text/plain,hello', 'dat', 'data:text/plain;base64,a b'])(
    'not a data URL: %s',
    (value) => expect(dataUrlOf(value)).toBeUndefined(),
  );

  test('the name in a damaged URL is also text', () => {
    const body = { a: 'data:text/plain;name=Ann.txt;base64,SE4er', b: 'after' };
    const { leaves, rewrite } = inJson(body);
    expect(rewrite(leaves.map((leaf) => leaf.replace('Ann', 'Bob').replace('after', 'AFTER')))).toBe(
      JSON.stringify({ a: body.a.replace('Ann', 'Bob'), b: 'AFTER' }),
    );
  });

  test('the file name in a URL is text', () => {
    const value = `data:application/pdf;name=offer%20for%20Hana%20Morita.pdf;base64,${coded(`%PDF-1.7${secret}`)}`;
    const { leaves, rewrite, uninspectable } = inJson({ file_data: value });
    expect(leaves).toContain('data:application/pdf;name=offer for Hana Morita.pdf;base64,');
    expect(uninspectable).toEqual([expect.objectContaining({ mediaType: 'application/pdf' })]);
    const masked = rewrite(leaves.map((leaf) => leaf.replace('Hana Morita', '[NAME-1]')));
    expect(masked).toBe(JSON.stringify({ file_data: value.replace('Hana%20Morita', '%5BNAME-1%5D') }));
  });

  test.each([
    [{ source: { media_type: 'text/plain', data: wrapped } }],
    [{ image: { bytesBase64Encoded: coded(secret), mimeType: 'text/plain' } }],
    [{ Document: { Bytes: coded(secret) } }],
    [{ rawDocument: { content: coded(secret), mimeType: 'text/plain' } }],
    [{ attachments: [{ name: 'a.txt', data: coded(secret) }] }],
    [{ messages: [{ role: 'user', content: coded(secret) }] }],
  ])('text at any position: %j', (body) => {
    expect(inJson(body).leaves.some((leaf) => leaf.startsWith(secret))).toBe(true);
  });

  test('a key keeps its name', () => {
    const key = coded('abcdefghijklmnopqrstuvwxyz');
    expect(inJson({ messages: [{ content: JSON.stringify({ api_key: key }) }] }).labels).toEqual([`api_key=${key}`]);
  });

  test('data URLs within a text', () => {
    const url = `data:text/plain;base64,${coded(secret)}`;
    const image = `![](data:image/png;base64,${coded('\x89PNG\r\n\x1a\n\0\0\0\0')})`;
    const { leaves, rewrite, uninspectable } = inJson({ content: `Read ${url} and ${image}.` });
    expect(leaves).toEqual(['Read ', secret, ` and ${image}.`]);
    expect(uninspectable).toEqual([]);
    expect(rewrite(leaves.map((leaf) => (leaf === secret ? 'none' : undefined)))).toBe(
      JSON.stringify({ content: `Read data:text/plain;base64,${coded('none')} and ${image}.` }),
    );
    const pdf = `data:application/pdf;base64,${coded(`%PDF-1.7 ${'and more '.repeat(100)}`)}`;
    expect(inJson({ content: `Read ${pdf}` }).uninspectable).toEqual([
      expect.objectContaining({ kind: 'document', mediaType: 'application/pdf' }),
    ]);
  });

  test.each([
    'src="data:application/pdf;base64,JVBERi0xLjcKJeLjz9MK..."',
    'src="data:application/pdf;base64,BASE64_ENCODED_PDF"',
    'use data:text/html;base64,PGh0bWw+PGJvZHk+PGgxPkhlbGxvPC9oM...',
    `trust data:application/x-x509-ca-cert;base64,${coded('\x30\x82\x01\n and bytes \xff\xfe\x80')}`,
    'nothing;base64,SGVsbG8gd29ybGQsIGhlbGxvIHdvcmxk',
  ])('an example in a text is part of it: %s', (content) => {
    expect(inJson({ content })).toMatchObject({ leaves: [content], uninspectable: [] });
  });

  test('cursors belong to the service', () => {
    const value = coded('{"shard":"10.0.12.7","offset":100}');
    for (const name of 'page_token|cursor|next|nextPageToken|next_page_token|pageToken|start_cursor'.split('|'))
      expect(inJson({ input: { [name]: value } }).leaves).toEqual([value]);
    for (const name of 'after|before|since|continuation|continuationToken|endCursor|offset|state'.split('|'))
      expect(inJson({ input: { [name]: value } }).leaves).toEqual([value]);
    for (const name of ['note', 'page_content', 'statement', 'afterword', 'previous_text', 'sincerely'])
      expect(inJson({ input: { [name]: value } }).leaves).toEqual(['10.0.12.7']);
  });

  // Counts steps, not time: a text twice as long may take twice as many.
  test.each([
    ['spaces after base64', (n: number) => `data:;base64,${'\n'.repeat(n)}!`],
    ['headers within headers', (n: number) => `;base64,${';a=data:'.repeat(n / 8)}`],
    ['marks', (n: number) => `data:${';base64,'.repeat(n / 8)}`],
    ['parameters', (n: number) => `data:text/plain${';a=b'.repeat(n / 4)};base64,SGVsbG8=`],
  ])('%s of 400,000 characters are read', (_name, make) => {
    const value = make(400_000);
    expect(inJson({ content: value }).leaves.join('').length).toBeLessThanOrEqual(value.length);
  });

  test('many of them in one object take linear time', () => {
    const files = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, 'data:;base64,AAAA']));
    expect(inJson(files).leaves).toEqual([]);
  });

  test('RTF by its beginning', () => {
    expect(inJson({ content: coded(`{\\rtf1 ${secret}`) }).uninspectable).toEqual([
      expect.objectContaining({ kind: 'document' }),
    ]);
  });
});

describe('doubly encoded texts', () => {
  const file = (name: string, body: string) => part(`name="file"; filename="${name}"`, body);
  test.each([
    ['mail in base64', `From: a@x.example\nMIME-Version: 1.0\nContent-Transfer-Encoding: base64\n\n${coded(secret)}`],
    ['mail, quoted', 'Subject: x\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n4111=2011=\r\n11 1111 1111'],
    [
      'mail with parts',
      `Delivered-To: a@x.example\r\nContent-Type: multipart/alternative;\r\n boundary="c"\r\n\r\n--c\r\nContent-Transfer-Encoding: base64\r\n\r\n${coded(secret)}\r\n--c--`,
    ],
    [
      'a mailbox',
      `From 1810@xxx Fri Nov 27 04:06:14 +0000 2026\nX-GM-THRID: 1810\n\nhi\n\nFrom 2@xxx Fri\nContent-Transfer-Encoding: BASE64\n\n${coded(secret)}`,
    ],
    [
      'contacts',
      'BEGIN:VCARD\r\nVERSION:2.1\r\nNOTE;ENCODING=QUOTED-PRINTABLE:4111 1111=20=\r\n1111 1111\r\nEND:VCARD',
    ],
  ])('%s is opened', (_name, body) => {
    const { leaves, uninspectable } = file('a.txt', body);
    expect(uninspectable).toEqual([]);
    expect(leaves.join('')).toContain('4111 1111 1111 1111');
  });

  test.each([
    ['mail in damaged base64', 'From: a@x.example\nContent-Transfer-Encoding: base64\n\n4111 1111 1111 1111'],
    ['ISO-2022-JP', '\x1b$B;3ED\x1b(B'],
  ])('%s is no text', (_name, body) => {
    const { leaves, uninspectable } = file('a.txt', body);
    expect(uninspectable).toHaveLength(1);
    expect(leaves.join('')).not.toContain('4111');
  });

  test.each([
    ['mail in plain text', 'From: a@x.example\nContent-Transfer-Encoding: 8bit\n\nhello'],
    ['a text about it', 'The field is\nContent-Transfer-Encoding: base64\nin mails.'],
    ['notes about it', 'Note: how mail works\nContent-Transfer-Encoding: base64 is a header\nbye'],
    ['an article about it', 'Title: Mail\n\nA part may say\nContent-Transfer-Encoding: base64\nand then'],
    ['mail with a part that is quoted in it', 'From: a@x.example\n\nContent-Transfer-Encoding: base64\n'],
    ['a sentence', 'From Ana we know\nthat\nContent-Transfer-Encoding: base64'],
    ['colours of a terminal', '\x1b[31mred\x1b[0m'],
  ])('%s is one', (_name, body) => expect(file('a.txt', body).leaves).toContain(body));

  test('a non-file is text, even with part headers in it', () => {
    const log = `Content-Type: multipart/mixed; boundary=inner\n\n--inner\nContent-Transfer-Encoding: base64\n\n${secret}\n`;
    const field = part('name="prompt"', log);
    expect(field.leaves).toContain(log);
    expect(field.uninspectable).toEqual([]);
    // Its base64 is damaged.
    expect(file('a.eml', log).uninspectable).toHaveLength(1);
  });

  test('folded lines of calendars and contacts are joined if something changes', () => {
    const body = 'BEGIN:VCALENDAR\r\nATTENDEE:mailto:hanako.yam\r\n ada@example.co.jp\r\nEND:VCALENDAR\r\n';
    const { leaves, rewrite } = file('a.ics', body);
    const joined = body.replace('\r\n ', '');
    expect(leaves).toContain(joined);
    expect(rewrite([])).toContain(body);
    expect(rewrite(leaves.map((leaf) => leaf.replace('hanako.yamada@example.co.jp', '[EMAIL-1]')))).toContain(
      'ATTENDEE:mailto:[EMAIL-1]\r\nEND',
    );
  });
});
