/** Removes or replaces elements of lists in a body; all other bytes stay. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Change, withChanges } from '../../../core/agents/strip.ts';

test.each<[name: string, json: string, changes: Change[], keepsEmpty: boolean, expected: string]>([
  [
    'the first of two',
    '{"tools": [ {"a":1.0} , {"b":2} ], "x":1}',
    [{ keys: ['tools', 0] }],
    false,
    '{"tools": [{"b":2}], "x":1}',
  ],
  [
    'all, with what depends on them',
    '{"a":1, "tools":[{}], "tool_choice":"auto","z":2}',
    [{ keys: ['tools', 0] }],
    false,
    '{"a":1,  "z":2}',
  ],
  ['all, as the last member', '{"a":1 , "tools":[{}]}', [{ keys: ['tools', 0] }], false, '{"a":1 }'],
  [
    'all of an answer',
    '{"result":{"tools":[{},{}],"nextCursor":"c"}}',
    [{ keys: ['result', 'tools', 0] }, { keys: ['result', 'tools', 1] }],
    true,
    '{"result":{"tools":[],"nextCursor":"c"}}',
  ],
  [
    'all declarations of one entry',
    '{"tools":[{"functionDeclarations":[{}]},{"googleSearch":{}}]}',
    [{ keys: ['tools', 0, 'functionDeclarations', 0] }],
    false,
    '{"tools":[{"googleSearch":{}}]}',
  ],
  [
    'servers and their toolset',
    '{"mcp_servers":[{"n":1},{"n":2}],"tools":[{"t":1},{"t":2}]}',
    [{ keys: ['mcp_servers', 1] }, { keys: ['tools', 0] }],
    false,
    '{"mcp_servers":[{"n":1}],"tools":[{"t":2}]}',
  ],
  [
    'one replaced, one removed',
    '{"tools":[{"a":1},{"b":2},{"c":3}]}',
    [{ keys: ['tools', 0], value: { a: 9 } }, { keys: ['tools', 2] }],
    false,
    '{"tools":[{"a":9},{"b":2}]}',
  ],
  [
    'all of the last of two lists with the same name, which counts',
    '{"tools":[{"a":1}], "x":1, "tools":[{"b":2}],"tools":[{"b":2}] ,"y":2}',
    [{ keys: ['tools', 0] }],
    false,
    '{"x":1,"y":2}',
  ],
  [
    'one of the last of two lists with the same name',
    '{"tools":[{"a":1}],"tools":[{"b":2},{"c":3}]}',
    [{ keys: ['tools', 0] }],
    false,
    '{"tools":[{"a":1}],"tools":[{"c":3}]}',
  ],
  ['a whole message', '{"id":1}', [{ keys: [], value: { id: 2 } }], true, '{"id":2}'],
  ['nothing that exists', '{"tools":[]}', [{ keys: ['tools', 3] }], false, '{"tools":[]}'],
])('%s', (_name, json, changes, keepsEmpty, expected) => {
  expect(withChanges(json, changes, keepsEmpty)).toBe(expected);
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
