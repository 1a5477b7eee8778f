/** Values whose name gives their meaning: members, tool arguments, form fields. */
import { describe, expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import { detectLabelled, isLabel } from '../../../core/payload/labelled.ts';
import { parseRequestBody, type TextBodyKind } from '../../../core/payload/request.ts';
import type { Detection } from '../../../core/recognizer.ts';

const detector = new Detector();

/** The body with each detection replaced by `<TYPE>`. */
function masked(kind: TextBodyKind, body: string, contentType?: string): string {
  const parsed = parseRequestBody(kind, body, contentType === undefined ? {} : { contentType });
  return parsed.rewrite(
    parsed.leaves.map((leaf, i) => {
      const found = detectLabelled((text) => detector.detect(text), parsed.labels?.get(i), leaf);
      return [...found]
        .reverse()
        .reduce((text, { type, start, end }) => `${text.slice(0, start)}<${type}>${text.slice(end)}`, leaf);
    }),
  );
}

const message = (content: unknown) => JSON.stringify({ messages: [{ role: 'user', content }] });

describe('a name in front of a short value', () => {
  test.each<[name: string, value: string | number, type: string]>([
    ['ssn', '536221234', 'SSN'],
    ['ssn', 536221234, 'SSN'],
    ['socialSecurityNumber', '536221234', 'SSN'],
    ['dob', '1985-04-01', 'DATE_OF_BIRTH'],
    ['生年月日', '1985年4月1日', 'DATE_OF_BIRTH'],
    ['passport_no', '123456789', 'PASSPORT'],
    ['accountNumber', '12345678', 'BANK_ACCOUNT'],
    ['my_number', '123456789018', 'MY_NUMBER'],
    ['phone', '4155550132', 'PHONE'],
    ['phone', 4155550132, 'PHONE'],
    ['電話番号', '0355550123', 'PHONE'],
    ['driver_license', 'D1234567', 'DRIVER_LICENSE'],
    ['password', 'Tr0ub4dor&3x', 'PASSWORD'],
    ['password', 'Tr0ub"4dor\\3x', 'PASSWORD'],
    ['api_key', 'q8Zk2Lm9Xv4Rt7Yb1Nc6Wd3', 'API_KEY'],
  ])('%s: %s', (name, value, type) => {
    const args = JSON.stringify({ person: { [name]: value } });
    const expected = JSON.stringify({ person: { [name]: `<${type}>` } });
    // In a text, in tool arguments, in a list.
    expect(masked('json', message(args))).toBe(message(expected));
    const input = (inner: string) => `{"messages":[{"content":[{"type":"tool_use","input":${inner}}]}]}`;
    expect(masked('json', input(args))).toBe(input(expected));
    const list = JSON.stringify({ [`${name}s`]: [value] });
    if (type === 'PHONE')
      expect(masked('json', message(list))).toBe(message(JSON.stringify({ [`${name}s`]: ['<PHONE>'] })));
  });

  test.each<[name: string, value: string | number, type: string]>([
    ['first_name', 'May', 'NAME'],
    ['Vorname', 'Grace', 'NAME'],
    ['姓', '森', 'NAME'],
    ['customerLastName', 'Chase', 'NAME'],
    ['cvv', '737', 'CARD_CVV'],
    ['cvv', 737, 'CARD_CVV'],
    ['otp', 482910, 'OTP_CODE'],
    ['Geburtsdatum', '01.04.1985', 'DATE_OF_BIRTH'],
  ])('a short value or a common word: %s: %s', (name, value, type) => {
    const input = (inner: unknown) => message(JSON.stringify(inner));
    expect(masked('json', input({ row: { [name]: value } }))).toBe(input({ row: { [name]: `<${type}>` } }));
    const columns = ['id', name];
    const rows = (cell: unknown) => ({ values: [columns, ...['1'].map((id) => [id, cell])] });
    expect(masked('json', input(rows(value)))).toBe(input(rows(`<${type}>`)));
    const result = (cell: unknown) => ({ columns, rows: [1, 2].map((id) => [id, cell]) });
    expect(masked('json', input(result(value)))).toBe(input(result(`<${type}>`)));
  });

  test.each([
    { order_id: '536221234', quantity: 12345678, total: '12345678', query: 'weather in Paris' },
    { name: 'Quarterly report', status: 'active', password: 'required', phone: 'iPhone 15', card: 'blue' },
    { next_page_token: 'q8Zk2Lm9Xv4Rt7Yb1Nc6Wd3', address: '0x1234567890abcdef' },
  ])('%j contains nothing', (args) => {
    const body = message(JSON.stringify(args));
    expect(masked('json', body)).toBe(body);
  });

  test('secrets of a body itself are for the receiver', () => {
    const login = '{"username":"x","password":"Tr0ub4dor&3x","ssn":"536221234"}';
    expect(masked('json', login)).toBe('{"username":"x","password":"Tr0ub4dor&3x","ssn":"<SSN>"}');
    expect(masked('form', 'password=Tr0ub4dor3x&ssn=536221234&n=1')).toBe('password=Tr0ub4dor3x&ssn=%3CSSN%3E&n=1');
  });

  test('parts of a form', () => {
    const form = (value: string) => `--b\r\nContent-Disposition: form-data; name="ssn"\r\n\r\n${value}\r\n--b--\r\n`;
    expect(masked('multipart', form('536221234'), 'multipart/form-data; boundary=b')).toBe(form('<SSN>'));
  });
});

describe('values under the name of an id or setting that are neither', () => {
  test.each([
    [
      '{"inputs":{"caller_id":"+14155550132","guestId":"4111-1111-1111-1111"}}',
      '{"inputs":{"caller_id":"<PHONE>","guestId":"<CREDIT_CARD>"}}',
    ],
    ['{"dynamic_variables":{"applicant_id":"536-22-1234"}}', '{"dynamic_variables":{"applicant_id":"<SSN>"}}'],
    ['{"session_id":"536-22-1234","status":"+14155550132"}', '{"session_id":"<SSN>","status":"<PHONE>"}'],
    ['{"id":"msg_01","conversation_id":"4111111111111111","model":"gpt-4o"}', undefined],
    [
      '{"messages":[{"content":[{"toolResult":{"content":[{"json":{"id":"4111111111111111"}}]}}]}]}',
      '{"messages":[{"content":[{"toolResult":{"content":[{"json":{"id":"<CREDIT_CARD>"}}]}}]}]}',
    ],
  ])('%s', (body, expected) => {
    expect(masked('json', body)).toBe(expected ?? body);
  });
});

test('base64 in a form is opened as in JSON', () => {
  const text = Buffer.from('mail jo@example.com now').toString('base64');
  const out = masked('form', `doc=${encodeURIComponent(`data:text/plain;base64,${text}`)}&n=1`);
  expect(Buffer.from(decodeURIComponent(out).split(/[,&]/)[1] as string, 'base64').toString()).toBe('mail <EMAIL> now');
  const pdf = `data:application/pdf;base64,${Buffer.from('%PDF-1.7 x').toString('base64')}`;
  expect(parseRequestBody('form', `doc=${encodeURIComponent(pdf)}`).uninspectable).toMatchObject([
    { kind: 'document' },
  ]);
  const part = `--b\r\nContent-Disposition: form-data; name="doc"\r\n\r\n${pdf}\r\n--b--\r\n`;
  const contentType = 'multipart/form-data; boundary=b';
  expect(parseRequestBody('multipart', part, { contentType }).uninspectable).toMatchObject([{ kind: 'document' }]);
});

test.each<[name: string, value: string, isData: boolean, expected: boolean]>([
  ['ssn', 'x', false, false],
  ['ssn', 'xx', false, true],
  ['ssn', 'x'.repeat(128), false, true],
  ['ssn', 'x'.repeat(129), false, false],
  ['ssn', 'x\ny', false, false],
  ['', 'xx', true, false],
  [`ssn ${'x'.repeat(60)}`, 'xx', false, true],
  [`ssn ${'x'.repeat(61)}`, 'xx', false, false],
  ['password', 'xx', false, false],
  ['password', 'xx', true, true],
  ['quantity', 'xx', true, false],
])('%j before %j, as data %s: %s', (name, value, isData, expected) => {
  expect(isLabel(name, value, isData)).toBe(expected);
});

/** A detector that finds these values. */
const finding = (seen: string[], ...places: [type: string, value: string][]) => {
  return (text: string): Detection[] => {
    seen.push(text);
    return places.flatMap(([type, value]) => {
      const start = text.indexOf(value);
      return start < 0 ? [] : [{ type, value, start, end: start + value.length, score: 1, recognizer: 'test' }];
    });
  };
};

test('the name comes first as in JSON, or with a colon if the value has quotes', () => {
  const seen: string[] = [];
  expect(detectLabelled(finding(seen, ['SSN', '12']), undefined, '12')).toHaveLength(1);
  detectLabelled(finding(seen, ['SSN', '12']), 's"s\\n', '12');
  detectLabelled(finding(seen, ['SSN', '12']), 'ssn', '"12');
  expect(seen).toEqual(['12', '"s s n": "12"', 'ssn: "12']);
});

test('findings in or overlapping the name do not belong to the value', () => {
  const seen: string[] = [];
  expect(detectLabelled(finding(seen, ['NAME', 'ann']), 'ann', 'xx')).toEqual([]);
  expect(detectLabelled(finding(seen, ['NAME', '": "xx']), 'ann', 'xx')).toEqual([]);
  expect(detectLabelled(finding(seen, ['NAME', 'xx"']), 'ann', 'xx')).toEqual([]);
  // Then the value is searched alone.
  expect(seen.filter((text) => text === 'xx')).toHaveLength(3);
  expect(detectLabelled(finding(seen, ['SSN', '34']), 'ssn', '1234')).toMatchObject([
    { start: 2, end: 4, value: '34' },
  ]);
});

test('a one-word secret is the whole word, other findings are not', () => {
  const of = (value: string, ...places: [string, string][]) =>
    (detectLabelled(finding([], ...places), 'x', value) as Detection[]).map(({ type, start, end }) => [
      type,
      start,
      end,
    ]);
  expect(of('abcdef', ['PASSWORD', 'abc'])).toEqual([['PASSWORD', 0, 6]]);
  expect(of('abcdef', ['API_KEY', 'abc'])).toEqual([['API_KEY', 0, 6]]);
  expect(of('abcdef', ['SSN', 'abc'])).toEqual([['SSN', 0, 3]]);
  expect(of('abc def', ['PASSWORD', 'abc'])).toEqual([['PASSWORD', 0, 3]]);
  expect(of('abcdef', ['PASSWORD', 'abc'], ['SSN', 'def'])).toEqual([
    ['PASSWORD', 0, 3],
    ['SSN', 3, 6],
  ]);
});

test('an asynchronous detector gets only the value', async () => {
  const seen: string[] = [];
  const later = async (text: string) => finding(seen, ['SSN', '12'])(text);
  expect(await detectLabelled(later, 'ssn', '12')).toMatchObject([{ start: 0, end: 2 }]);
  expect(seen.at(-1)).toBe('12');
});

describe('numbers of people in records of stores and indexes', () => {
  const person = { phone: 5551234567, card: 4111111111111111, ssn: 536221234 };
  const expected = { phone: '<PHONE>', card: '<CREDIT_CARD>', ssn: '<SSN>' };
  test.each<[store: string, body: (record: object) => object]>([
    ['Chroma', (record) => ({ ids: ['a'], metadatas: [record] })],
    ['Qdrant', (record) => ({ points: [{ id: 1, vector: [0.1], payload: record }] })],
    ['Qdrant in batches', (record) => ({ batch: { ids: [1], payloads: [record] } })],
    ['Weaviate', (record) => ({ class: 'P', properties: record })],
    ['Milvus', (record) => ({ collectionName: 'c', data: [record] })],
    ['Azure AI Search', (record) => ({ value: [record] })],
    ['Cohere', (record) => ({ message: 'x', documents: [record] })],
    ['Flowise', (record) => ({ question: 'x', overrideConfig: { vars: record } })],
    ['Elasticsearch', (record) => ({ _source: record })],
  ])('%s', (_store, body) => {
    expect(masked('json', JSON.stringify(body(person)))).toBe(JSON.stringify(body(expected)));
  });

  test('a name counts as a whole', () => {
    const record = (cell: unknown, account_number: unknown) => {
      const cells = ['cell', 'employee_cell', 'ownerCell', 'cell_number', 'CellNo'].map((name) => [name, cell]);
      return JSON.stringify({ data: [{ ...Object.fromEntries(cells), account_number }] });
    };
    expect(masked('json', record(4155550132, 12345678))).toBe(record('<PHONE>', '<BANK_ACCOUNT>'));
  });

  test.each([
    { points: [{ id: 5551234567, vector: [5551234567, 4111111111111111], score: 5551234567, payload: { at: 1 } }] },
    {
      metadatas: [
        { tweet_id: 4111111111111111, phone_model_id: 5551234567, ts: 1732678574004, total_tokens: 5551234567 },
      ],
    },
    { data: [{ id: 4111111111111111, embedding: [4111111111111111], index: 4111111111111111 }] },
    { value: [{ count: 5551234567, views: 4111111111111111 }] },
    { data: [{ cells: 12345678, cellCount: 12345678, total_cells: 12345678, cellIndex: 12345678 }] },
    {
      data: [
        { Cells: 41555501, TotalCells: 41555501, cell_voltage_mv: 41555501, excel_cell: 41555501, CellId: 41555501 },
      ],
    },
    { data: [{ phone_verified_at: 1732678574, phoneTs: 1732678574004, faxSentAt: 1732678574, 電話件数: 12345678 }] },
    {
      data: [{ mobileUsers: 4155550132, mobileVersion: 20240131, phone_number_count: 1234567, routingHops: 12345678 }],
    },
    { data: [{ license_expires_at: 1732678574, insuranceAmount: 123456789, socialFollowers: 123456789 }] },
    { tools: [{ parameters: { properties: { phone: { minimum: 2000000000, phone: 5551234567 } } } }] },
  ])('%j contains none', (body) => {
    const json = JSON.stringify(body);
    expect(masked('json', json)).toBe(json);
  });
});

describe('secrets the service presents to its tools and sources', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c';
  const key = 'sk_live_0123456789abcdefABCDEF01';
  const mongo = 'mongodb+srv://admin:S3cretPw9@x.example/?tls=true';
  const tool = { type: 'mcp', server_label: 'x', authorization: key, headers: { Authorization: `Bearer ${key}` } };
  test.each<[place: string, body: object]>([
    ['a tool server', { tools: [tool], input: 'hi' }],
    ['a tool server of a session', { type: 'session.update', session: { tools: [{ ...tool, authorization: jwt }] } }],
    ['a tool server of an answer', { type: 'response.create', response: { tools: [tool] } }],
    ['a tool server of a batch', { custom_id: 'a', body: { tools: [tool], messages: [] } }],
    ['a list of tool servers', { mcp_servers: [{ type: 'url', name: 'x', headers: { 'X-Token': jwt } }] }],
    ['Gemini', { tools: [{ mcpServers: [{ streamableHttpTransport: { headers: { Authorization: key } } }] }] }],
    [
      'a data source',
      { data_sources: [{ parameters: { authentication: { type: 'connection_string', connection_string: mongo } } }] },
    ],
    ['a connection of GraphQL', { type: 'connection_init', payload: { headers: { Authorization: `Bearer ${jwt}` } } }],
  ])('%s', (_place, body) => expect(masked('json', JSON.stringify(body))).toBe(JSON.stringify(body)));

  test('a wide message takes linear time', () => {
    const names = Object.fromEntries(Array.from({ length: 80_000 }, (_, at) => [`k${at}`, 1]));
    const message = { type: 'connection_init', ...names, payload: { list: Array(80_000).fill({ a: key }) } };
    expect(masked('json', JSON.stringify(message))).toBe(JSON.stringify(message));
  });

  test('a packet that opens a connection', () => {
    expect(masked('text', `40{"token":"${jwt}"}`)).toBe(`40{"token":"${jwt}"}`);
    expect(masked('text', `40/chat,{"token":"${jwt}"}`)).toBe(`40/chat,{"token":"${jwt}"}`);
    expect(masked('text', `42["q",{"token":"${jwt}"}]`)).toBe('42["q",{"token":"<JWT>"}]');
  });

  test.each<[body: object, expected: object]>([
    [
      { tools: [{ headers: { 'X-User': 'ana@example.com', 'X-Phone': '4155550132', 'X-Key': key } }] },
      { tools: [{ headers: { 'X-User': '<EMAIL>', 'X-Phone': '<PHONE>', 'X-Key': key } }] },
    ],
    [{ tools: [{ description: `use ${key}` }] }, { tools: [{ description: 'use <API_KEY>' }] }],
    [
      { messages: [{ content: [{ type: 'tool_use', input: { tools: [{ authorization: jwt }] } }] }] },
      { messages: [{ content: [{ type: 'tool_use', input: { tools: [{ authorization: '<JWT>' }] } }] }] },
    ],
    [
      { tools: [{ parameters: { properties: { headers: { description: key } } } }] },
      { tools: [{ parameters: { properties: { headers: { description: '<API_KEY>' } } } }] },
    ],
    [
      { type: 'ping', payload: { Authorization: jwt } },
      { type: 'ping', payload: { Authorization: '<JWT>' } },
    ],
  ])('anything else there, and secrets elsewhere: %j', (body, expected) => {
    expect(masked('json', JSON.stringify(body))).toBe(JSON.stringify(expected));
  });
});
