import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { textKey } from '../../../gateway/long-texts/text-key.ts';
import { collectGarbage } from '../../support/garbage.ts';

const units = 200_000;

test('the key of a text is its hash, and different texts have different keys', () => {
  const texts = [
    '',
    'short',
    'a'.repeat(200),
    `${'a'.repeat(199)}b`,
    'c'.repeat(128),
    'd'.repeat(127),
    'é'.repeat(300),
  ];
  for (const text of [...texts, ...texts.toReversed(), ...texts])
    expect(textKey(text)).toBe(createHash('sha256').update(text).digest('base64'));
});

test('a text is released as soon as other work runs, also if its request was refused', async () => {
  const used = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  for (let i = 0; i < 4; i++) textKey(`${i}${' of a text'.repeat(units / 10)}`.normalize());
  await setImmediate();
  expect(used() - before).toBeLessThan(2 * units);
});
