/** Joined lines of calendars and contacts, and Socket.IO packets. */
import { describe, expect, test } from 'vitest';
import { packetPrefix, splitPackets } from '../../../core/payload/packets.ts';
import { parseRequestBody } from '../../../core/payload/request.ts';
import { inJson, opened, part } from './opened-files.ts';

describe('folded lines of calendars and contacts are joined', () => {
  const lines = 'BEGIN:VCARD\r\nEMAIL:hanako.yam\r\n ada@example.co.jp\r\nEND:VCARD\r\n';
  const joined = lines.replace('\r\n ', '');
  test.each<[where: string, leaves: () => readonly string[], expected: string]>([
    ['in a message', () => inJson({ messages: [{ role: 'user', content: lines }] }).leaves, joined],
    [
      'within a message',
      () => inJson({ content: `Read:\n${lines} - and\n that.` }).leaves,
      `Read:\n${joined} - and\n that.`,
    ],
    ['in a tool result', () => inJson({ content: [{ type: 'text', text: lines }] }).leaves, joined],
    ['in a text source', () => inJson({ source: { type: 'text', data: lines } }).leaves, joined],
    [
      'after a byte order mark',
      () => part('name="file"; filename="a.vcf"', `\xef\xbb\xbf${lines}`).leaves,
      `\uFEFF${joined}`,
    ],
    ['several', () => inJson({ content: lines + lines }).leaves, joined + joined],
    [
      'in mixed case',
      () => inJson({ content: 'Begin:vCard\nEmail:a@exam\n ple.com\nEnd:VCard' }).leaves,
      'Begin:vCard\nEmail:a@example.com\nEnd:VCard',
    ],
    [
      'with parameters over several lines',
      () => inJson({ content: 'BEGIN:VCALENDAR\r\nATTENDEE;RSVP=\r\n TRUE:a@\r\n\tx.jp\r\nEND:VCALENDAR' }).leaves,
      'BEGIN:VCALENDAR\r\nATTENDEE;RSVP=TRUE:a@x.jp\r\nEND:VCALENDAR',
    ],
    [
      'contacts within a calendar',
      () => inJson({ content: `BEGIN:VCALENDAR\nA:b\n c\n${lines}D:e\n f\nEND:VCALENDAR` }).leaves,
      `BEGIN:VCALENDAR\nA:bc\n${joined}D:ef\nEND:VCALENDAR`,
    ],
    [
      'after one that does not end',
      () => inJson({ content: `BEGIN:VCARD\nA:b\n c\n\n${lines}` }).leaves,
      `BEGIN:VCARD\nA:bc\n\n${joined}`,
    ],
    [
      'in a truncated one',
      () =>
        inJson({ content: 'BEGIN:VCALENDAR\r\nATTENDEE;X=1:mailto:a@\r\n x.jp\r\nSUMMARY:x\r\n\r\nSee:\r\n b' }).leaves,
      'BEGIN:VCALENDAR\r\nATTENDEE;X=1:mailto:a@x.jp\r\nSUMMARY:x\r\n\r\nSee:\r\n b',
    ],
    [
      'in an event on its own',
      () => inJson({ content: 'BEGIN:VEVENT\nA:b\n c\nEND:VEVENT' }).leaves,
      'BEGIN:VEVENT\nA:bc\nEND:VEVENT',
    ],
    [
      'in a calendar without its first line',
      () => inJson({ content: 'X:y\nBEGIN:VTODO\nA:b\n c\nEND:VTODO\nEND:VCALENDAR' }).leaves,
      'X:y\nBEGIN:VTODO\nA:bc\nEND:VTODO\nEND:VCALENDAR',
    ],
    [
      'after other line separators',
      () => inJson({ content: 'BEGIN:VCARD\nA:b\u2028c\nC:d\n e' }).leaves,
      'BEGIN:VCARD\nA:b\u2028c\nC:de',
    ],
    [
      'after a label of a phone book',
      () => inJson({ content: 'BEGIN:VCARD\nitem1.X-ABLabel:_$!<HomePage>!$_\nA:b\n c' }).leaves,
      'BEGIN:VCARD\nitem1.X-ABLabel:_$!<HomePage>!$_\nA:bc',
    ],
    [
      'in a truncated one around a complete one',
      () => inJson({ content: 'BEGIN:VCALENDAR\nBEGIN:VCARD\nA:b\n c\nEND:VCARD\nD:e\n f' }).leaves,
      'BEGIN:VCALENDAR\nBEGIN:VCARD\nA:bc\nEND:VCARD\nD:ef',
    ],
  ])('%s', (_where, leaves, expected) => expect(leaves()).toContain(expected));

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

test('a packet of Socket.IO is read as JSON', () => {
  const { leaves, rewrite } = opened('text', '42["message",{"content":"mail:\\nhanako@example.com"}]');
  expect(leaves).toContain('mail:\nhanako@example.com');
  expect(rewrite(leaves.map((leaf) => leaf.replace('hanako@example.com', '[EMAIL-1]')))).toBe(
    '42["message",{"content":"mail:\\n[EMAIL-1]"}]',
  );
});

test('each of several packets is read as JSON', () => {
  const { leaves, rewrite } = opened(
    'text',
    '2\x1e42["a",{"t":"x:\\nhanako@example.com"}]\x1e451-["b","hanako@example.com"]\x1e',
  );
  expect(leaves).toContain('x:\nhanako@example.com');
  const again = rewrite(leaves.map((leaf) => leaf.replace('hanako@example.com', '[EMAIL-1]')));
  expect(again).toBe('2\x1e42["a",{"t":"x:\\n[EMAIL-1]"}]\x1e451-["b","[EMAIL-1]"]\x1e');
});

test('a person in the namespace of a packet', () => {
  const { leaves, rewrite } = opened(
    'text',
    '42/hanako@example.com,["hanako@example.com"]\x1e{"a":"\\nhanako@example.com"}',
  );
  expect(rewrite(leaves.map((leaf) => leaf.replace('hanako@example.com', '[EMAIL-1]')))).toBe(
    '42/[EMAIL-1],["[EMAIL-1]"]\x1e{"a":"\\n[EMAIL-1]"}',
  );
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
