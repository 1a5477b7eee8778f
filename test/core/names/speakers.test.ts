import { describe, expect, test } from 'vitest';
import { tagNames } from '../../../core/names/index.ts';

/** A chat of two speakers, each line opened as `format` says; `{s}` is the speaker. */
function chat(format: string, speakers: readonly string[], lines: readonly string[]): string {
  return lines
    .map((line, at) => format.replace('{s}', speakers[at % speakers.length] as string).replace('{x}', line))
    .join('\n');
}

const formats: readonly (readonly [program: string, format: string])[] = [
  ['KakaoTalk on a phone', '2024-03-12 PM 7:02, {s} : {x}'],
  ['IRC', '<{s}> {x}'],
  ['IRC with times', '[17:10] <{s}> {x}'],
  ['Discord', '{s} — Today at 5:02 PM\n{x}'],
  ['WhatsApp on an iPhone', '[12.03.24, 19:02:11] {s}: {x}'],
  ['WhatsApp on Android', '12/03/24, 19:02 - {s}: {x}'],
  ['Teams', '{s} 5:02 PM\n{x}\n'],
  ['LINE', '19:02\t{s}\t{x}'],
  ['WeChat', '{s} 2024-03-12 19:02\n{x}'],
  ['Telegram', '{s}, [12.03.2024 17:10]\n{x}'],
  ['an interview', '00:01:12 {s}\n{x}\n'],
];
const english = ['the lift is broken', 'who ordered the blue chairs', 'can we move it to noon', 'fine by me'];

describe('speakers', () => {
  const found = (text: string): string[] => tagNames(text).map(({ start, end }) => text.slice(start, end));

  test.each(formats)('names in lower case in chats as %s writes them', (_, format) => {
    expect(found(chat(format, ['zuri', 'knox'], english))).toEqual(['zuri', 'knox', 'zuri', 'knox']);
  });

  test.each([
    ['levels of a log', '2024-03-12 17:10:22 {s}: {x}', ['info', 'warn']],
    ['roles', '<{s}> {x}', ['user', 'assistant']],
    ['the parts of a day', '17:10 {s}', ['Registration', 'Lunch']],
    ['elements of HTML', '<{s}>{x}</p>', ['p', 'li']],
  ])('%s are no speakers', (_, format, heads) => {
    expect(found(chat(format, heads, english))).toEqual([]);
  });
});
