import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Detector } from '../../../../core/detect/detector.ts';
import type { Detection } from '../../../../core/recognizer.ts';
import { RememberingDetector } from '../../../../gateway/proxy/body/known-texts.ts';

const filler = 'The quarterly report is ready and the team has read it with care. '.repeat(5);

test('a repeated text yields the same result without being inspected again', () => {
  let looks = 0;
  const detector = new Detector();
  const counting = new RememberingDetector(
    {},
    {
      detect(text: string) {
        looks++;
        return detector.detect(text);
      },
    },
  );
  const text = `${filler}Write to ana.lopez@example.com or call +1 415 555 0132.`;
  const first = counting.detect(text);
  expect((first as Detection[]).map(({ type, value }) => [type, value])).toEqual([
    ['EMAIL', 'ana.lopez@example.com'],
    ['PHONE', '+1 415 555 0132'],
  ]);
  // A copy: another string of the same characters.
  expect(counting.detect(Buffer.from(text).toString())).toEqual(first);
  expect(looks).toBe(1);
  counting.detect(text.replace('ana', 'eva'));
  expect(looks).toBe(2);
});

test('equals the detector, for every text', () => {
  const detector = new Detector();
  const remembering = new RememberingDetector({});
  const piece = fc.oneof(
    fc.constantFrom('a@b.example', '4111 1111 1111 1111', filler, '\ud800', '\ufffd'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const text = pieces.join(' ');
      expect(remembering.detect(text)).toEqual(detector.detect(text));
      expect(remembering.detect(text)).toEqual(detector.detect(text));
    }),
  );
});

test.each<[pattern: string, isAside: boolean]>([
  ['/Zq.*end|Zq/', true],
  ['/(Z?){40}q/', true],
  ['/Z{2,}q/', true],
  ['/Project (Falcon|Heron)/i', false],
  ['/E-\\d{6}/', false],
  ['Bluebird', false],
])('with the expression %s, texts of some length are searched in a thread: %s', async (pattern, isAside) => {
  const detector = new RememberingDetector({ dictionary: [{ label: 'PROJECT', pattern }] });
  const found = detector.detect(`${'so it goes. '.repeat(500)} anna@mail.example`);
  expect(found instanceof Promise).toBe(isAside);
  expect((await found).map(({ type }) => type)).toEqual(['EMAIL']);
});
