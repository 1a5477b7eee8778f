import { expect, test } from 'vitest';

// Imported by its address, because its types are those of a browser.
const { whyFound } = await import(new URL('../../console/test-console/why.ts', import.meta.url).href);

const at = { start: 0, end: 4, score: 1 };

test.each([
  [
    { ...at, type: 'NAME', value: 'Lena', recognizer: 'person-name' },
    "Reads as a person's name here.",
    '文脈から氏名と判定',
  ],
  [{ ...at, type: 'EMAIL', value: 'a@b.example', recognizer: 'email' }, 'Format matches.', '形式が一致'],
  [
    {
      ...at,
      type: 'CREDIT_CARD',
      value: '4111111111111111',
      recognizer: 'credit-card',
      checksum: true,
      context: 'card',
    },
    'Check digits are valid. Context word: “card”.',
    'チェックディジットが正しい、文脈語「card」',
  ],
])('why a value was found: %#', (detection, english, japanese) => {
  expect(whyFound(detection, 'en')).toBe(english);
  expect(whyFound(detection, 'ja')).toBe(japanese);
});
