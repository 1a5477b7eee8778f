import { viewOf } from '../../../core/injection/text-view.ts';
import { addTo } from './golden.ts';
import type { Made } from './recognizers.ts';

/** Unicode ranges of letters and signs that look like Latin ones, and of invisible characters. */
const blocks = [
  [0x80, 0x600],
  [0x1100, 0x1200],
  [0x1780, 0x1810],
  [0x1d00, 0x2200],
  [0x2400, 0x2500],
  [0x3000, 0x3001],
  [0xfb00, 0xfb07],
  [0xfe00, 0xfe70],
  [0xfeff, 0x10000],
  [0x1d400, 0x1d800],
  [0x1f100, 0x1f1ff],
] as const;

const codes = blocks.flatMap(([from, to]) => Array.from({ length: to - from }, (_, i) => from + i));

/** What a character is read as: most are read as Unicode's compatibility form without marks, which is not repeated. */
function namedAfter(char: string, letter: string): string {
  const form = char.normalize('NFKD').replace(/\p{M}/gu, '');
  if (letter !== '' && letter === form) return 'compatible';
  if (letter !== '' && letter === form.toLowerCase()) return 'compatible, in lower case';
  return letter || 'nothing';
}

/** For each letter, the characters that are read as it. */
export function letterBlocks(): Made[] {
  const make = () => {
    const groups = new Map<string, string[]>();
    for (const code of codes) {
      const char = String.fromCodePoint(code);
      const letter = viewOf(char).text;
      if (letter === char || !/^[ -~]*$/.test(letter)) continue;
      addTo(groups, namedAfter(char, letter), letter === '' ? code.toString(16) : char);
    }
    const lines = [...groups]
      .sort()
      .map(([letter, chars]) => `${letter} ${chars.join(letter === 'nothing' ? ' ' : '')}`);
    return ['alone', ...lines].join('\n');
  };
  return [{ name: 'alone', make }];
}
