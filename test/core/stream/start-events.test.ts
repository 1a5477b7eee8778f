import { describe, expect, test } from 'vitest';
import { eventsOf, restoreStream, tokenMap } from './wire-fixtures.ts';

const map = tokenMap({ '[EMAIL-1]': 'a@b.example' });
const sse = (events: readonly { type: string }[]) =>
  new TextEncoder().encode(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));

const block = (text: string) => ({ type: 'content_block_start', index: 0, content_block: { type: 'text', text } });
const text = (piece: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } });
const stop = { type: 'content_block_stop', index: 0 };
const call = (type: string, more: object, args: string) => ({
  type,
  index: 0,
  delta: { message: { tool_calls: { ...more, function: { ...more, arguments: args } } } },
});
const content = (type: string, piece: string) => ({ type, index: 0, delta: { message: { content: { text: piece } } } });

describe('a token that begins in the event that opens its block', () => {
  test.each([
    [
      'continues in the next event',
      [block('To [EM'), text('AIL-1] now.'), stop],
      [block('To '), text('a@b.example now.'), stop],
    ],
    ['is complete', [block('To [EMAIL-1]'), stop], [block('To a@b.example'), stop]],
    ['never ends', [block('To [EM'), stop], [block('To '), text('[EM'), stop]],
    [
      'is truncated in the arguments of a Cohere tool',
      [
        call('tool-call-start', { id: 'c' }, '{"to":"[EM'),
        call('tool-call-delta', {}, 'AIL-1]"}'),
        { type: 'tool-call-end', index: 0 },
      ],
      [
        call('tool-call-start', { id: 'c' }, '{"to":"'),
        call('tool-call-delta', {}, 'a@b.example"}'),
        { type: 'tool-call-end', index: 0 },
      ],
    ],
    [
      'is truncated in a Cohere text',
      [content('content-start', 'To [EM'), content('content-delta', 'AIL-1]'), { type: 'content-end', index: 0 }],
      [content('content-start', 'To '), content('content-delta', 'a@b.example'), { type: 'content-end', index: 0 }],
    ],
  ])('%s', (_name, events, restored) => {
    expect(eventsOf('sse', restoreStream('sse', map, sse(events)))).toEqual(restored);
  });

  test('inserted events have their event name', () => {
    const bytes = restoreStream('sse', map, sse([block('To [EM'), stop]));
    const shown = typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);
    expect(shown).toContain('event: content_block_delta\ndata: {"type":"content_block_delta"');
    expect(shown.match(/content_block_start"/g)).toHaveLength(1);
  });
});
