/** Complete text responses, as from `res.send` and `response.text()`. */
import { expect, test } from 'vitest';
import { restoreResponse } from '../../sdk/protect-fetch.ts';
import { restoreAnswerText } from '../../sdk/streams.ts';
import { tokenMap } from '../core/stream/wire-fixtures.ts';

const map = tokenMap({ '[NAME-1]': 'O"Hara' });

test.each([
  ['id: 5\nname: [NAME-1]', 'id: 5\nname: O"Hara'],
  ['event: lunch with [NAME-1]\nat 5\n\nbye', 'event: lunch with O"Hara\nat 5\n\nbye'],
  ['data: [NAME-1]', 'data: O"Hara'],
  ['[NAME-1] writes', 'O"Hara writes'],
  ['{"to":"[NAME-1]"}', '{"to":"O\\"Hara"}'],
  ['data: {"to":"[NAME-1]"}\nid: 1\n\n', 'data: {"to":"O\\"Hara"}\nid: 1\n\n'],
  ['0:"Hi [NA"\n0:"ME-1]"\n', '0:"Hi "\n0:"O\\"Hara"\n'],
  ['data: {"to":"[NAME-1]"}\n\n', 'data: {"to":"O\\"Hara"}\n\n'],
])('%j', (text, restored) => {
  expect(restoreAnswerText('text', text, map)).toBe(restored);
});

test.each([
  ['an event stream after an empty write', ['', 'data: {"t":"to [NA"}\n\n', 'data: {"t":"ME-1]"}\n\n']],
  ['an event stream after a blank line', ['\n', 'data: {"t":"to [NA"}\n\n', 'data: {"t":"ME-1]"}\n\n']],
  ['a list after an empty write', ['', '[{"candidates":[{"text":"to [NA"}]},', '{"candidates":[{"text":"ME-1]"}]}]']],
  ['lines', ['{"t":"to "}\n', '{"t":"[NAME-1]"}\n']],
])('%s that is declared as JSON', async (_what, writes) => {
  const body = new ReadableStream({
    start(controller) {
      for (const write of writes) controller.enqueue(new TextEncoder().encode(write));
      controller.close();
    },
  });
  const response = new Response(body, { headers: { 'content-type': 'application/json' } });
  const expected = writes
    .join('')
    .replace('[NA"', '"')
    .replace(/(?:\[NA)?ME-1\]/, 'O\\"Hara');
  expect(await (await restoreResponse(response, map)).text()).toBe(expected);
});
