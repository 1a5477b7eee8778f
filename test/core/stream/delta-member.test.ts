/** Which strings of an event continue in the next one, so that a token may be split at their end. */
import { describe, expect, test } from 'vitest';
import { scanJson } from '../../../core/payload/json-strings.ts';
import { isDelta } from '../../../core/stream/delta-member.ts';
import { scopeOf } from '../../../core/stream/run-key.ts';
import { eventsOf, restoreStream, tokenMap } from './wire-fixtures.ts';

const map = tokenMap({ '[EMAIL-1]': 'a@b.example' });
const encode = (text: string) => new TextEncoder().encode(text);

const looked = new Set(['to you', 'stop', '7']);

/** True if the first of these values in an event, or an empty one, continues. */
function goesOn(event: string, before = 0): boolean {
  const members = scanJson(event);
  const member = members.find(({ value, isKey }) => looked.has(value) || (value === '' && !isKey));
  const scope = scopeOf(members, undefined);
  if (!member || !scope) throw new Error('no text');
  return isDelta(scope, member, before);
}

describe('a text continues', () => {
  test.each([
    '{"delta":"to you"}',
    '{"text":"to you"}',
    '{"response":"to you"}',
    '{"choices":[{"index":0,"delta":{"content":"to you"}}]}',
    '{"type":"content_block_delta","delta":{"type":"text_delta","text":"to you"}}',
    '{"message":{"role":"assistant","content":"to you","thinking":"x"}}',
    '{"anything":["to you"]}',
    '{"delta":""}',
    '{"status":""}',
    '{"text":"to you","thoughtSignature":"CiQB"}',
    '{"a":{"usage":"to you"}}',
    '{"kind":"x","roles":"to you"}',
  ])('%s', (event) => expect(goesOn(event)).toBe(true));
});

describe('a text is complete', () => {
  test.each([
    '{"to you":"x"}',
    '{"t":7}',
    '{"type":"to you","t":"x"}',
    '{"id":"to you"}',
    '{"object":"to you"}',
    '{"model":"to you"}',
    '{"role":"to you"}',
    '{"role":""}',
    '{"a":{"id":""}}',
    '{"a":{"type":""}}',
    '{"a":{"object":""}}',
    '{"a":{"model":""}}',
    '{"signature":"to you"}',
    '{"encrypted_content":""}',
    '{"type":"thinking","thinking":"to you","signature":"x"}',
    '{"choices":[{"delta":{"reasoning_details":[{"text":"to you"}]}}]}',
    '{"delta":{"type":"thinking_delta","thinking":"to you"}}',
    '{"type":"response.output_text.done","text":"to you"}',
    '{"choices":[{"logprobs":{"content":[{"token":"to you"}]}}]}',
    '{"usage":{"note":"to you"}}',
    '{"usageMetadata":{"note":"to you"}}',
    `{"${'x'.repeat(101)}":"to you"}`,
    '{"finish_reason":"stop"}',
    '{"text":"","thoughtSignature":"CiQB"}',
    '{"text":"","thought_signature":"CiQB"}',
  ])('%s', (event) => expect(goesOn(event)).toBe(false));
});

test.each<[event: string, before: number, expected: boolean]>([
  ['{"list":["to you"]}', 255, true],
  ['{"list":["to you"]}', 256, false],
  ['{"list":[{"text":"to you"}]}', 256, false],
  ['{"text":"to you"}', 256, true],
  ['{"text":"to you"}', 1_023, true],
  ['{"text":"to you"}', 1_024, false],
])('%s behind %d other texts goes on: %j', (event, before, expected) => {
  expect(goesOn(event, before)).toBe(expected);
});

describe('texts next to a held text', () => {
  const rows: [beside: Record<string, unknown>][] = [
    [{ id: 'a [EM' }],
    [{ model: 'm [EM' }],
    [{ role: 'r [EM' }],
    [{ usage: { note: 'n [EM' } }],
    [{ logprobs: [{ token: '[EM' }] }],
    [{ [`k${'x'.repeat(101)}`]: 'long [EM' }],
  ];
  test.each(rows)('%j is sent completely', (beside) => {
    const lines = [
      { delta: 'to [EM', ...beside },
      { delta: 'AIL-1]', ...beside },
    ];
    const output = restoreStream('ndjson', map, encode(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
    expect(eventsOf('ndjson', output)).toEqual([
      { delta: 'to ', ...beside },
      { delta: 'a@b.example', ...beside },
    ]);
  });
});
