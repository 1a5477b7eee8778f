/** Removes or replaces elements of lists in a body; all other bytes stay. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Change, withChanges } from '../../../core/agents/strip.ts';

const tool = (at: number): Change => ({ keys: ['tools', at] });
const withTools = (tools: string) => `{"tools":[${tools}]}`;

test.each<[name: string, json: string, changes: Change[], expected: string]>([
  ['the first of two', '{"tools": [ {"a":1.0} , {"b":2} ], "x":1}', [tool(0)], '{"tools": [{"b":2}], "x":1}'],
  ['all, with what depends on them', '{"a":1, "tools":[{}], "tool_choice":"auto","z":2}', [tool(0)], '{"a":1,  "z":2}'],
  ['all, as the last member', '{"a":1 , "tools":[{}]}', [tool(0)], '{"a":1 }'],
  [
    'all declarations of one entry',
    withTools('{"functionDeclarations":[{}]},{"googleSearch":{}}'),
    [{ keys: ['tools', 0, 'functionDeclarations', 0] }],
    withTools('{"googleSearch":{}}'),
  ],
  [
    'servers and their toolset',
    '{"mcp_servers":[{"n":1},{"n":2}],"tools":[{"t":1},{"t":2}]}',
    [{ keys: ['mcp_servers', 1] }, tool(0)],
    '{"mcp_servers":[{"n":1}],"tools":[{"t":2}]}',
  ],
  [
    'one replaced, one removed',
    withTools('{"a":1},{"b":2},{"c":3}'),
    [{ ...tool(0), value: { a: 9 } }, tool(2)],
    withTools('{"a":9},{"b":2}'),
  ],
  [
    'all of the last of two lists with the same name, which counts',
    '{"tools":[{"a":1}], "x":1, "tools":[{"b":2}],"tools":[{"b":2}] ,"y":2}',
    [tool(0)],
    '{"x":1,"y":2}',
  ],
  [
    'one of the last of two lists with the same name',
    '{"tools":[{"a":1}],"tools":[{"b":2},{"c":3}]}',
    [tool(0)],
    '{"tools":[{"a":1}],"tools":[{"c":3}]}',
  ],
  ['nothing that exists', '{"tools":[]}', [tool(3)], '{"tools":[]}'],
])('%s', (_name, json, changes, expected) => {
  expect(withChanges(json, changes, false)).toBe(expected);
});

test('lists that become empty stay in an answer', () => {
  const keys = [0, 1].map((at) => ({ keys: ['result', 'tools', at] }));
  const answer = (tools: string) => `{"result":{"tools":[${tools}],"nextCursor":"c"}}`;
  expect(withChanges(answer('{},{}'), keys, true)).toBe(answer(''));
  expect(withChanges('{"id":1}', [{ keys: [], value: { id: 2 } }], true)).toBe('{"id":2}');
});

test('the result equals that of filtering', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { maxLength: 8 }),
      fc.jsonValue(),
      fc.array(fc.nat(8)),
      (list, other, positions) => {
        const json = JSON.stringify({ tools: list, other }, null, 1);
        const changes = positions.map((at) => ({ keys: ['tools', at] }));
        const kept = list.filter((_, i) => !positions.includes(i));
        expect(JSON.parse(withChanges(json, changes, true))).toEqual(
          JSON.parse(JSON.stringify({ tools: kept, other })),
        );
      },
    ),
  );
});
