/** RFC 8785: the examples of the document, and equal texts for equal values. */
import { expect, test } from 'vitest';
import { canonicalJson } from '../../../core/agents/canonical-json.ts';

test.each<[name: string, value: string, expected: string]>([
  [
    'members in the order of their code units (RFC 8785 §3.2.3)',
    '{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7}',
    '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
  ],
  [
    'numbers (§3.2.2.3)',
    '[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]',
    '[333333333.3333333,1e+30,4.5,0.002,1e-27]',
  ],
  [
    'literals and nesting',
    '{"b":[null, true ,{"d":"\\u000f", "c":"\\/"}],"a":{}}',
    '{"a":{},"b":[null,true,{"c":"/","d":"\\u000f"}]}',
  ],
])('%s', (_name, value, expected) => {
  expect(canonicalJson(JSON.parse(value))).toBe(expected);
});
