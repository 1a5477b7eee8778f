import { expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import { findCutValues } from '../../../core/payload/adjoining.ts';
import type { Detection } from '../../../core/recognizer.ts';

const detector = new Detector({ types: ['EMAIL', 'CREDIT_CARD', 'API_KEY'] });

const key = `sk-proj-${'aB3dE5gH7jK9'.repeat(13)}`;

/** The texts with pieces of values in angle brackets, and the number of characters searched. */
function cut(texts: readonly string[]) {
  const shown = [...texts];
  let searched = 0;
  const detect = (text: string) => {
    searched += text.length;
    return detector.detect(text);
  };
  const pieces: [at: number, piece: Detection][] = [];
  findCutValues(texts, [[...texts.keys()]], detect, (at, piece) => pieces.unshift([at, piece]));
  for (const [at, { start, end, value }] of pieces) {
    const text = shown[at] as string;
    shown[at] = `${text.slice(0, start)}<${value}>${text.slice(end)}`;
  }
  return { shown, searched };
}

test.each([
  ['mail anna@exam|ple.com now', 'mail <anna@example.com>|<anna@example.com> now'],
  ['anna@|exam|ple.com', '<anna@example.com>|<anna@example.com>|<anna@example.com>'],
  ['anna@example.com| bob@example.com', 'anna@example.com| bob@example.com'],
  ['4111 1111 1111| 1111', '4111 1111 1111| 1111'],
  [`key |${key.slice(0, 82)}|${key.slice(82)} ok`, `key |<${key}>|<${key}> ok`],
  // One border has a space, but another one joins.
  ['4111 1111| 1111 11|11', '<4111 1111 1111 1111>|<4111 1111 1111 1111>|<4111 1111 1111 1111>'],
])('pieces of values in %j', (texts, shown) => {
  expect(cut(texts.split('|')).shown).toEqual(shown.split('|'));
});

test('many short parts are searched hardly more than once, and each value once', () => {
  const texts = Array.from({ length: 3_000 }, (_, i) => `ex.com a${i}@`);
  const { shown, searched } = cut(texts);
  const token = (i: number) => `<a${i}@ex.com>`;
  const inner = texts.map((_, i) => `${token(i - 1)} ${token(i)}`).slice(1, -1);
  expect(shown).toEqual([`ex.com ${token(0)}`, ...inner, `${token(2_998)} a2999@`]);
  expect(searched).toBeLessThan(1.1 * texts.join('').length);
});
