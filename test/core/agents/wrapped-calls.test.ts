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

test.each([
  ['an object', (parameters: object) => parameters],
  ['a text', (parameters: object) => JSON.stringify(parameters)],
])('a wrapper in a wrapper, whose arguments are %s', (_what, written) => {
  const inner = { tool_uses: [{ recipient_name: 'functions.delete_all', parameters: written({ all: true }) }] };
  const text = JSON.stringify({
    tool_uses: [{ recipient_name: 'multi_tool_use.parallel', parameters: written(inner) }, { recipient_name: 'own' }],
  });
  const calls = new OpenCalls().add({ pieces: [{ key: '0', name: 'parallel', arguments: text }], endsAll: true });
  expect(calls.map(({ calledAs, arguments: args }) => [calledAs, args])).toEqual([
    ['parallel', text],
    ['multi_tool_use.parallel', JSON.stringify(inner)],
    ['delete_all', '{"all":true}'],
    ['own', '{}'],
  ]);
});
