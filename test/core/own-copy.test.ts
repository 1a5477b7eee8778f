import { expect, test } from 'vitest';
import { Detector } from '../../core/detect/detector.ts';
import { ownCopy } from '../../core/own-copy.ts';
import { isLabel } from '../../core/payload/labelled.ts';
import { parseRequestBody } from '../../core/payload/request.ts';
import { typeOfHeading } from '../../core/records/headings.ts';
import { collectGarbage } from '../support/garbage.ts';

const rest = ' lorem ipsum dolor'.repeat(11_000);

/** A long text that contains something new. */
const longText = (part: string) => JSON.parse(`"${part}${rest}"`) as string;

/** The bytes per text that stay in memory. */
function keptFor(use: (i: number) => void): number {
  use(-1);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 12; i++) use(i);
  collectGarbage();
  return (process.memoryUsage().heapUsed - before) / 12;
}

const detector = new Detector({ types: ['ADDRESS'] });
const nameIn = (text: string) => text.slice(0, text.indexOf(' '));

test.each<[string, (i: number) => unknown]>([
  [
    'an address',
    (i) =>
      detector.detect(
        longText(
          `Please send it to 12 Wordsworthington${i} Street, Springfieldhampton${i}, Karl-Marx-Strasse${i} 12, 10178 Berlin `,
        ),
      ),
  ],
  ['a heading', (i) => typeOfHeading(nameIn(longText(`some_new_heading_${i} `)))],
  ['a label', (i) => isLabel(nameIn(longText(`some_new_label_${i} `)), 'value', true)],
  ['a member', (i) => parseRequestBody('json', `{"some_new_member_${i}": "value", "text": "${rest}"}`)],
])('%s keeps the text it was in only while that is used', (_, use) => {
  expect(keptFor(use)).toBeLessThan(rest.length / 2);
});

test('a copy is the same text', () => {
  for (const text of ['', 'a', 'ab \ud800', '日本', 'a'.repeat(50)]) expect(ownCopy(text)).toBe(text);
});
