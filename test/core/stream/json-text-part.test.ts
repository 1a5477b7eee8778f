/** A text that is one JSON document, shown while it is written, and what may follow it. */
import { describe, expect, it, test } from 'vitest';
import type { RestoreCount } from '../../../core/payload/response.ts';
import { eventBytesMax } from '../../../core/stream/frame.ts';
import { JsonTextPart } from '../../../core/stream/json-text-part.ts';
import { tokenMap } from './wire-fixtures.ts';

const map = tokenMap({ '[EMAIL-1]': 'a@b.example', '[NAME-1]': 'O"Hara' });
const encode = (text: string) => new TextEncoder().encode(text);

function opened() {
  const count: RestoreCount = { restored: 0, unresolved: 0 };
  const part = new JsonTextPart({ map, count });
  const call = (use: (out: Uint8Array[]) => void) => {
    const out: Uint8Array[] = [];
    use(out);
    return Buffer.concat(out).toString();
  };
  return {
    part,
    count,
    push: (text: string) => call((out) => part.push(encode(text), out)),
    flush: () => call((out) => part.flushHeld(out)),
    end: () => call((out) => part.end(out)),
  };
}

const events = '{"delta":"to [EM"}\n{"delta":"AIL-1]"}\n';
const asEvents = '{"delta":"to "}\n{"delta":"a@b.example"}\n';

describe('in any writes', () => {
  test.each<[what: string, input: string, expected: string]>([
    ['a document', '{"a":"[NAME-1]"}', '{"a":"O\\"Hara"}'],
    ['a document after blanks', ' \r\n\t{"a":"[NAME-1]"}\n', ' \r\n\t{"a":"O\\"Hara"}\n'],
    ['lines after a document are events', `{"a":"[NAME-1]"}\n${events}`, `{"a":"O\\"Hara"}\n${asEvents}`],
    ['after blanks', ` \r\n\t{"a":1}\n${events}`, ` \r\n\t{"a":1}\n${asEvents}`],
    ['with blank lines between', `{"a":1} \t\r\n\n${events}`, `{"a":1} \t\r\n\n${asEvents}`],
    ['after a list', `["[NAME-1]"]\n${events}`, `["O\\"Hara"]\n${asEvents}`],
    ['after strings with brackets', `{"a":"}{","b":"\\"}"}\n${events}`, `{"a":"}{","b":"\\"}"}\n${asEvents}`],
    [
      'the first event continues in them',
      '{"delta":"to "}\n{"delta":"[EMAIL-1]"}\n',
      '{"delta":"to "}\n{"delta":"a@b.example"}\n',
    ],
    ['text on the same line is text', `{"a":"[NAME-1]"}${events}`, `{"a":"O\\"Hara"}${events}`],
    ['text after it is text', `{"a":1}\nx "[NAME-1]"\n${events}`, `{"a":1}\nx "O"Hara"\n${events}`],
    ['lines after a multi-line document are text', `{"a":\n1}\n${events}`, `{"a":\n1}\n${events}`],
    ['lines after invalid JSON are text', `{"a":x}\n${events}`, `{"a":x}\n${events}`],
    ['nothing', '', ''],
    ['blanks', ' \n', ' \n'],
  ])('%s', (_what, input, expected) => {
    for (let cut = 0; cut <= input.length; cut++) {
      const { push, end } = opened();
      expect(push(input.slice(0, cut)) + push(input.slice(cut)) + end()).toBe(expected);
    }
    const { push, end } = opened();
    expect([...input].map(push).join('') + end()).toBe(expected);
  });
});

it('a URL that begins in a document continues in the events after it', () => {
  const { push } = opened();
  expect(push('{"delta":"https://evil.example/?q="}\n')).toBe('{"delta":"https://evil.example/?q="}\n');
  expect(push('{"delta":"[EMAIL-1]"}\n')).toBe('{"delta":"[EMAIL-1]"}\n');
  expect(push('{"delta":" [EMAIL-1]"}\n')).toBe('{"delta":" a@b.example"}\n');
});

it('a document whose end may begin a token is sent as it is, and what follows is a separate text', () => {
  const { part, push } = opened();
  expect(push('{"delta":"to [EM"}')).toBe('{"delta":"to [EM"}');
  expect(push(`\n{"delta":"AIL-1] [EMAIL-1]"}\n`)).toBe('\n{"delta":"AIL-1] a@b.example"}\n');
  expect(part.isHolding).toBe(false);
});

it('lines after a document that is too large for an event are text', () => {
  const { push } = opened();
  push('{"a":"');
  push('x'.repeat(eventBytesMax));
  expect(push(`"}\n${events}`)).toBe(`"}\n${events}`);
});

it('blanks pass as they arrive', () => {
  const { push } = opened();
  expect([' ', '\n', '{"a":1}', '\n', '\t', '\n', '{}\n'].map(push)).toEqual([
    ' ',
    '\n',
    '{"a":1}',
    '\n',
    '\t',
    '\n',
    '{}\n',
  ]);
});

it('held text is sent on flush, before and after the end of a document', () => {
  const { part, push, flush, end } = opened();
  expect(part.isHolding).toBe(false);
  expect(push('{"a":"[EM')).toBe('{"a":"');
  expect(part.isHolding).toBe(true);
  expect(flush()).toBe('[EM');
  expect(part.isHolding).toBe(false);
  expect(push('AIL-1] [NAME-1]"}\n{"delta":"to [EM"}\n')).toBe('AIL-1] O\\"Hara"}\n{"delta":"to "}\n');
  expect(part.isHolding).toBe(true);
  expect(flush()).toBe('{"delta":"[EM"}\n');
  expect(push('{"delta":"[EM"}\n')).toBe('{"delta":""}\n');
  expect(end()).toBe('{"delta":"[EM"}\n');
});

it('a document is counted once, and so are the events after it', () => {
  const { push, count } = opened();
  push('{"delta":"[EMAIL-1] [EMAIL-9]"}');
  expect(count).toMatchObject({ restored: 1, unresolved: 1 });
  push('\n{"delta":" [EMAIL-1] [EMAIL-9]"}\n');
  expect({ unreadable: 0, ...count }).toEqual({ restored: 2, unresolved: 2, unreadable: 0 });
});

it('the buffer of the input may be reused', () => {
  const { part, push } = opened();
  const buffer = Buffer.from('{"delta":"https://a.example/"}');
  part.push(buffer, []);
  buffer.fill(0x20);
  expect(push('\n{"delta":"[EMAIL-1]"}\n')).toBe('\n{"delta":"[EMAIL-1]"}\n');
});
