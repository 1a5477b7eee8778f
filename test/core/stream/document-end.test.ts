/** The end of a document whose text arrives in pieces. */
import { expect, test } from 'vitest';
import { DocumentEnd } from '../../../core/stream/document-end.ts';

test.each<[document: string, rest: string]>([
  ['{}', ' {}'],
  ['[]', ']'],
  ['{"a":1}', '\n{"b":2}'],
  ['{"a":{"b":[1,{"c":2}]}}', ' x'],
  ['[[1],{"a":[]}]', '{'],
  ['{"":1}', ' "}"'],
  ['{"a":"}"}', '}'],
  ['{"a":"]{["}', '"'],
  ['{"}":1}', ' "}"'],
  ['{"a":"\\"}"}', ' \\"'],
  ['{"a":"\\\\"}', '"}'],
  ['{"a":"\\\\\\"}"}', '"}'],
  ['{"a":"x\\u007d"}', '}'],
  ['{"a":"é}"}', ' é'],
])('%s ends before %j, in any pieces', (document, rest) => {
  const bytes = new TextEncoder().encode(document + rest);
  const length = new TextEncoder().encode(document).length;
  for (let cut = 0; cut <= length; cut++) {
    const end = new DocumentEnd();
    const found = end.find(bytes.subarray(0, cut));
    if (cut === length) expect(found).toBe(length);
    else expect([found, end.find(bytes.subarray(cut))]).toEqual([-1, length - cut]);
  }
});

test.each(['', '{', '{"a":"}', '[{}', '{"a":"\\"}', '"{}"', 'a b'])('%s has no end', (text) => {
  expect(new DocumentEnd().find(new TextEncoder().encode(text))).toBe(-1);
});
