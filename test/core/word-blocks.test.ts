import { expect, it } from 'vitest';
import { WordBlocks } from '../../core/word-blocks.ts';

const words = /(?<![A-Za-z])(?:car|van)(?![A-Za-z])/;

it('says where a word may stand', () => {
  const text = `${'x '.repeat(2_000)}a van here${' y'.repeat(2_000)}`;
  const at = text.indexOf('van');
  const blocks = new WordBlocks(text, words);
  expect(blocks.mayHave(at - 10, at + 10)).toBe(true);
  expect(blocks.mayHave(-48, 60)).toBe(false);
  expect(blocks.mayHave(text.length - 40, text.length + 48)).toBe(false);
  expect(blocks.mayHave(at, at + 3)).toBe(true);
});

it('finds a word on the border of two blocks', () => {
  for (let lead = 505; lead < 520; lead++)
    expect(new WordBlocks(`${' '.repeat(lead)}car`, words).mayHave(lead, lead + 3)).toBe(true);
});

it('looks at each block once', () => {
  let looks = 0;
  const counted = { test: () => looks++ < 0 } as unknown as RegExp;
  const blocks = new WordBlocks('x'.repeat(4_096), counted);
  for (let at = 0; at < 4_096; at++) blocks.mayHave(at, at + 100);
  expect(looks).toBe(9);
});
