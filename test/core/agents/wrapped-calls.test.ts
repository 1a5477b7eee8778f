/** Calls that a model wraps into one. */
import { expect, test } from 'vitest';
import { OpenCalls } from '../../../core/agents/model-answer.ts';

test.each<[name: unknown, called: readonly string[]]>([
  ['functions.delete_all', ['parallel', 'delete_all']],
  [{ toString: null }, ['parallel']],
  [undefined, ['parallel']],
])('recipient %j', (name, called) => {
  const text = JSON.stringify({ tool_uses: [{ recipient_name: name, parameters: {} }] });
  const calls = new OpenCalls().add({
    pieces: [{ key: '0', name: 'parallel', arguments: text, ends: true }],
    endsAll: true,
  });
  expect(calls.map(({ calledAs }) => calledAs)).toEqual(called);
});
