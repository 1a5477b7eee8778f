/**
 * Near misses of textual form: forged turns and hidden parts, words and sentences, as the injection detector reads
 * them.
 */
import { hiddenParts, structureHits } from '../../../core/injection/structure.ts';
import { splitUnits, unitFlag } from '../../../core/injection/units.ts';
import { alternatives } from './edits.ts';
import { addTo, groupLines } from './golden.ts';
import { promptTexts } from './injection-texts.ts';
import type { Made } from './recognizers.ts';

/** Those of `promptTexts` that concern form. */
const formTexts = promptTexts.slice(0, 8);

const ofMarks = '<|user|> a ';
const inHtml = '<i style="opacity:0">a</i>';
/** Long ones, whose positions are identified by number. */
const longTexts: Readonly<Record<string, string>> = {
  'two marks': ofMarks.repeat(2),
  'three marks': ofMarks.repeat(3),
  'three marks, a line': `\n${ofMarks.repeat(3)}`,
  'many marks': `x ${'<|end|> '.repeat(31)}<|system|>`,
  'one more mark': `x ${'<|end|> '.repeat(32)}<|system|>`,
  comments: '<!--a-->'.repeat(66),
  'Markdown comments': '[//]: # (a)\n'.repeat(66),
  'hidden elements': inHtml.repeat(66),
  'all three': `${'<!--a-->'.repeat(40)}${'[//]: # (a)\n'.repeat(40)}${inHtml.repeat(40)}`,
};

/** The start of a span, and the text after it. */
const placeIn = (text: string, start: number, end: number) =>
  `${start}…‹${text.slice(end, end + 2).replace('\n', '⏎')}›`;

function formOf(text: string): string {
  const hits = structureHits(text).map(
    ({ rule, start, end, weight, strong }) =>
      `${rule} ${placeIn(text, start, end)} ${weight}${strong ? ' strong' : ''}`,
  );
  const hidden = hiddenParts(text);
  const last = hidden.at(-1);
  const places = hidden.length > 8 ? `${hidden.length} parts to ${last?.end}` : '';
  return [...hits, places || hidden.map(({ start, end }) => placeIn(text, start, end)).join(' ')]
    .filter(Boolean)
    .join(', ');
}

const letters = 'abcdefghijklmnopqrst';
/** Each row is split separately; `{a|b}` stands for either one. */
const unitTexts: readonly string[] = [
  "{don't|don’t|don'|'t|d'o'n't|don'1|don''t|o’é} stop",
  '{a|ab|abc|1|12|1a|a1b2|a_b|_|é|éa|ÀB|Ω|я|ʼ|\u1fff|\u2000|\u2bff|\u2c00|\u2dff|\u2e00|\ua63f|\ua640|\uabff|\uac00|\ud7a3|\ud7a4|山|の|ー|\u3004|\u3005|\u30ff|\u3100|\u33ff|\u3400|\u9fff|\ua000|@|[|`|{|~|\u007f|\u0080|¿|/|:|😀} b',
  `${letters.slice(0, 11)}{|l|lm|1|_|-|é} {12|1234|1a|ab|0x|x0|__} {a|1|山}`,
  'I g n o r e{ all|  a l l|   a l l| - a|-a-b|.a.b|_a|1 2 3|山|}',
  '無 視 {し|  し|しa|し 1|a し|し\nて|し　て}{し て| 。|}',
  'One{.|!|?|。|．|;|,|.x|.5|."|.\'|.)|.]|.”|.\n|\n|\nX|,\nx|,\nX|a\nx|1\nx|\n\n|\n\nx|\nあ|\u2028} two {three|Three}{.|?|!}',
  '{"|“|„|「|『|«|\'|} in {"|”|」|』|»|\n|\n\n|} out {"|”|"a|} end',
  '41 42 {43|4|430|4x|x4|ab|4_} 44 {ff|f0|0f|00}',
];

/** Words as written, with a sign for each flag, and the distance from the previous word unless it is 2. */
function unitsOf(text: string): string {
  const { count, start, end, flags, position, shuffle, longWords, digitPairs, lettersApart } = splitUnits(text);
  const words = Array.from({ length: count }, (_, i) => {
    const signs = Object.entries(unitFlag).map(([name, bit]) => (((flags[i] ?? 0) & bit) === 0 ? '' : name[0]));
    const distance = (position[i + 1] ?? 0) - (position[i] ?? 0);
    const isShuffled = shuffle[i] !== 0 ? '~' : '';
    return `${text.slice(start[i], end[i])}${isShuffled}${signs.join('') && `:${signs.join('')}`}${distance === 1 ? '1' : ''}`;
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

/** What two spellings of a word have in common: all letters, their order, or neither. */
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
  const tableOf = (name: string, row: string, look: (text: string) => string): Made => ({
    name,
    make: () => {
      const groups = new Map<string, string[]>();
      for (const [text, taken] of alternatives(row)) addTo(groups, look(text) || 'nothing', taken);
      return [`${name} ${row.slice(0, 50).replaceAll('\n', '⏎')}`, ...groupLines(groups)].join('\n');
    },
  });
  const words = spellings.split(' ');
  return [
    ...formTexts.map((row, i) => tableOf(`form ${i + 1}`, row, formOf)),
    ...unitTexts.map((row, i) => tableOf(`units ${i + 1}`, row, unitsOf)),
    {
      name: 'long texts',
      make: () =>
        ['long texts', ...Object.entries(longTexts).map(([name, text]) => `${name}: ${formOf(text)}`)].join('\n'),
    },
    {
      name: 'spellings of a word',
      make: () =>
        [
          'spellings of a word',
          ...words.map((word) => {
            const rest = words.filter((other) => other !== word && kinship(word, other) !== 'other');
            return `${word}: ${rest.map((other) => `${other} ${kinship(word, other)}`).join(', ')}`;
          }),
        ].join('\n'),
    },
  ];
}
