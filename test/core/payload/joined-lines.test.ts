/** Joined lines of calendars and contacts, and Socket.IO packets. */
import { describe, expect, test } from 'vitest';
import { packetPrefix, splitPackets } from '../../../core/payload/packets.ts';
import { parseRequestBody } from '../../../core/payload/request.ts';
import { inJson, opened, part } from './opened-files.ts';

describe('folded lines of calendars and contacts are joined', () => {
  const lines = 'BEGIN:VCARD\r\nEMAIL:hanako.yam\r\n ada@example.co.jp\r\nEND:VCARD\r\n';
  const joined = lines.replace('\r\n ', '');
  test.each<[where: string, leaves: () => readonly string[], expected: string]>([
    ['a message', () => inJson({ messages: [{ role: 'user', content: lines }] }).leaves, joined],
    ['a tool result', () => inJson({ content: [{ type: 'text', text: lines }] }).leaves, joined],
    ['a text source', () => inJson({ source: { type: 'text', data: lines } }).leaves, joined],
    ['a file', () => part('name="file"; filename="a.vcf"', `\xef\xbb\xbf${lines}`).leaves, `\uFEFF${joined}`],
  ])('in %s', (_where, leaves, expected) => expect(leaves()).toContain(expected));

  const truncated = (attendee: string) =>
    `BEGIN:VCALENDAR\r\nATTENDEE;X=1:mailto:${attendee}\r\nSUMMARY:x\r\n\r\nSee:\r\n b`;
  const ofCalendar = (attendee: string) => `BEGIN:VCALENDAR\r\nATTENDEE;RSVP=${attendee}\r\nEND:VCALENDAR`;
  const ofContact = (email: string) => `Begin:vCard\nEmail:${email}\nEnd:VCard`;
  const phoneBook = 'BEGIN:VCARD\nitem1.X-ABLabel:_$!<HomePage>!$_\nA:b';
  test.each([
    ['within other text', `Read:\n${lines} - and\n that.`, `Read:\n${joined} - and\n that.`],
    ['several', lines + lines, joined + joined],
    ['in mixed case', ofContact('a@exam\n ple.com'), ofContact('a@example.com')],
    ['with parameters over several lines', ofCalendar('\r\n TRUE:a@\r\n\tx.jp'), ofCalendar('TRUE:a@x.jp')],
    [
      'contacts within a calendar',
      `BEGIN:VCALENDAR\nA:b\n c\n${lines}D:e\n f\nEND:VCALENDAR`,
      `BEGIN:VCALENDAR\nA:bc\n${joined}D:ef\nEND:VCALENDAR`,
    ],
    ['after one that does not end', `BEGIN:VCARD\nA:b\n c\n\n${lines}`, `BEGIN:VCARD\nA:bc\n\n${joined}`],
    ['in a truncated one', truncated('a@\r\n x.jp'), truncated('a@x.jp')],
    ['in an event on its own', 'BEGIN:VEVENT\nA:b\n c\nEND:VEVENT', 'BEGIN:VEVENT\nA:bc\nEND:VEVENT'],
    [
      'in a calendar without its first line',
      'X:y\nBEGIN:VTODO\nA:b\n c\nEND:VTODO\nEND:VCALENDAR',
      'X:y\nBEGIN:VTODO\nA:bc\nEND:VTODO\nEND:VCALENDAR',
    ],
    ['after other line separators', 'BEGIN:VCARD\nA:b\u2028c\nC:d\n e', 'BEGIN:VCARD\nA:b\u2028c\nC:de'],
    ['after a label of a phone book', `${phoneBook}\n c`, `${phoneBook}c`],
    [
      'in a truncated one around a complete one',
      'BEGIN:VCALENDAR\nBEGIN:VCARD\nA:b\n c\nEND:VCARD\nD:e\n f',
      'BEGIN:VCALENDAR\nBEGIN:VCARD\nA:bc\nEND:VCARD\nD:ef',
    ],
  ])('%s', (_where, content, expected) => expect(inJson({ content }).leaves).toContain(expected));

  test.each([
    ['a list after a mention of a truncated one', 'BEGIN:VEVENT\nDTSTART:1\n\nContacts:\n jo@example.com'],
    ['a list after a mention', 'begin:vcard\nContacts:\n - Tel 415-555-0132\n - jo@example.com'],
    ['lines after a lower-case name in a truncated one', 'BEGIN:VCARD\nTel:\n 415-555-0132\n 212-555-0198'],
    ['a mention at the end', 'x\nBEGIN:VCARD'],
    ['lines after an empty one', 'BEGIN:VCARD\nA:b\n\n jo@example.com\n 415-555-0132\nEND:VCARD'],
    ['lines after a sentence', 'BEGIN:VCARD\nA sentence\n jo@example.com\nEND:VCARD'],
    ['many that overlap', 'BEGIN:VCARD\nBEGIN:VCALENDAR\nx\n y\nEND:VCARD\nEND:VCALENDAR\n'.repeat(3)],
  ])('%s are unchanged', (_what, text) => expect(inJson({ content: text }).leaves).toContain(text));

  test('a truncated one may have any number of lines', () => {
    const text = `BEGIN:VCARD\n${'TEL:1\r\n'.repeat(1_000_000)}EMAIL:a@\n b.jp`;
    expect(inJson({ content: text }).leaves.join('').endsWith('EMAIL:a@b.jp')).toBe(true);
  });

  test('many of them take linear time', () => {
    const text = `${'BEGIN:VCARD\nA:b\n c\n'.repeat(20_000)}${'END:VCARD\n'.repeat(20_000)}`;
    expect(inJson({ content: text }).leaves.join('')).toContain('A:bc\n');
  });
});

test('a log whose lines begin with a bracket takes linear time', () => {
  const line = '[2026-11-27 10:00:01] INFO started\n';
  const parsed = parseRequestBody('content', line.repeat(60_000), { contentType: 'text/plain' });
  expect(parsed.leaves.join('')).toHaveLength(60_000 * line.length);
});

test.each([
  ['42["message",{}]', '42'],
  ['451-["x",{"_placeholder":true,"num":0}]', '451-'],
  ['4512-/chat,7["x"]', '4512-/chat,7'],
  ['42/chat,7["x"]', '42/chat,7'],
  ['0{"sid":"x"}', '0'],
  ['42[not JSON', ''],
  ['2', ''],
  ['["x"]', ''],
  ['1234[1]', '1234'],
  ['text 42[1]', ''],
  ['42', ''],
])('the packet %s: %j', (text, prefix) => expect(packetPrefix(text)).toBe(prefix));

test.each([
  ['a packet', '42["message",{"content":"mail:\\nhanako@example.com"}]', 'mail:\nhanako@example.com'],
  [
    'each of several packets',
    '2\x1e42["a",{"t":"x:\\nhanako@example.com"}]\x1e451-["b","hanako@example.com"]\x1e',
    'x:\nhanako@example.com',
  ],
  [
    'the namespace of a packet',
    '42/hanako@example.com,["hanako@example.com"]\x1e{"a":"\\nhanako@example.com"}',
    undefined,
  ],
])('%s is read', (_what, text, leaf) => {
  const { leaves, rewrite } = opened('text', text);
  if (leaf !== undefined) expect(leaves).toContain(leaf);
  const masked = (one: string) => one.replaceAll('hanako@example.com', '[EMAIL-1]');
  expect(rewrite(leaves.map(masked))).toBe(masked(text));
});

test('packets are split', () => {
  const text = '42["a"]\x1e2\x1e40/chat,{"t":1}';
  expect(splitPackets(text)).toEqual([
    { prefix: '42', rest: '["a"]' },
    { prefix: '', rest: '2' },
    { prefix: '40/chat,', rest: '{"t":1}' },
  ]);
  expect(splitPackets('{"type":6}\x1e{}\x1e')).toBeUndefined();
  expect(splitPackets('2\x1e3')).toBeUndefined();
});
