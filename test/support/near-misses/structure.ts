/**
 * Near misses of textual form: forged turns and hidden parts, words and sentences, as the injection detector reads
 * them.
 */
import { hiddenParts, structureHits } from '../../../core/injection/structure.ts';
import { splitUnits, unitFlag } from '../../../core/injection/units.ts';
import { type Alternative, alternatives, spanIn } from './edits.ts';
import { addTo, groupLines } from './golden.ts';
import { formTexts } from './injection-texts.ts';
import type { Made } from './recognizers.ts';

function formOf(one: Alternative): string {
  const hits = structureHits(one.text).map(
    ({ rule, start, end, weight, strong }) => `${rule} ${spanIn(one, start, end)} ${weight}${strong ? ' strong' : ''}`,
  );
  const hidden = hiddenParts(one.text).map(({ start, end }) => spanIn(one, start, end));
  return [...hits, hidden.join(' ')].filter(Boolean).join(', ');
}

/** Each row is split separately; `{a|b}` stands for either one. */
const unitTexts: readonly string[] = [
  '{a|ab|abc|1|12|1a|a1b2|a_b|_|é|éa|ÀB|Ω|я|ʼ|\u1fff|\u2000|\u2bff|\u2c00|\u2dff|\u2e00|\ua63f|\ua640|\uabff|\uac00|\ud7a3|\ud7a4|山|の|ー|\u3004|\u3005|\u30ff|\u3100|\u33ff|\u3400|\u9fff|\ua000|@|[|`|{|~|\u007f|\u0080|¿|/|:|😀} b',
  'I g n o r e{ all|  a l l|   a l l| - a|-a-b|.a.b|_a|1 2 3|山|}',
  '41 42 {43|4|430|4x|x4|ab|4_} 44 {ff|f0|0f|00}',
];

/** Words as alternatives or as written, with a sign for each flag, and the distance from the previous word unless it is 2. */
function unitsOf(one: Alternative): string {
  const { text } = one;
  const { count, start, end, flags, position, shuffle, longWords, digitPairs, lettersApart } = splitUnits(text);
  const words = Array.from({ length: count }, (_, i) => {
    const signs = Object.entries(unitFlag).map(([name, bit]) => (((flags[i] ?? 0) & bit) === 0 ? '' : name[0]));
    const distance = (position[i + 1] ?? 0) - (position[i] ?? 0);
    const isShuffled = shuffle[i] !== 0 ? '~' : '';
    const span = spanIn(one, start[i] ?? 0, end[i] ?? 0);
    const word = /^\d+$/.test(span) ? `{${span}}` : text.slice(start[i], end[i]);
    return `${word}${isShuffled}${signs.join('') && `:${signs.join('')}`}${distance === 1 ? '1' : ''}`;
  });
  return [
    words.join(' '),
    longWords.length > 0 ? `long ${longWords.join(' ')}` : '',
    digitPairs > 0 ? `pairs ${digitPairs}` : '',
    lettersApart > 0 ? `apart ${lettersApart}` : '',
  ]
    .filter(Boolean)
    .join(' | ');
}

/** What two spellings of a word have in common, whichever comes first: all letters, their order, or neither. */
function kinship(one: string, other: string): string {
  const [a, b] = [splitUnits(one), splitUnits(other)];
  return a.hash[0] === b.hash[0]
    ? 'equal'
    : a.shuffle[0] !== 0 && a.shuffle[0] === b.shuffle[0]
      ? 'shuffled'
      : a.shuffle[0] === b.hash[0] || a.hash[0] === b.shuffle[0]
        ? 'digits'
        : 'other';
}
const spellings =
  'ignore IGNORE Ignore ingore iGNROE ignoer gnoire ignor ignores 1gnore ign0re i9nore 1gn0r3 "ig\'nore" 123 77 a4t45 atsas a8b abb s7t stt éa éA ωλ sense snese';

/** Blocks of forged turns and hidden parts, and of words. */
export function structureBlocks(): Made[] {
  const tableOf = (name: string, row: string, look: (one: Alternative) => string): Made => ({
    name,
    make: () => {
      const groups = new Map<string, string[]>();
      for (const one of alternatives(row)) addTo(groups, look(one) || 'nothing', one.name);
      return [`${name} ${row.slice(0, 50).replaceAll('\n', '⏎')}`, ...groupLines(groups)].join('\n');
    },
  });
  const words = spellings.split(' ');
  return [
    ...formTexts.map((row, i) => tableOf(`form ${i + 1}`, row, formOf)),
    ...unitTexts.map((row, i) => tableOf(`units ${i + 1}`, row, unitsOf)),
    {
      name: 'spellings of a word',
      make: () =>
        [
          'spellings of a word',
          ...words.flatMap((word, i) => {
            const kin = words.slice(i + 1).filter((other) => kinship(word, other) !== 'other');
            return kin.length > 0
              ? `${word}: ${kin.map((other) => `${other} ${kinship(word, other)}`).join(', ')}`
              : [];
          }),
        ].join('\n'),
    },
  ];
}
