/**
 * Near misses of streamed text in pieces: plain, JSON, and JSON in JSON strings; what is restored, held back and
 * counted.
 */
import { TextRun, type TextRunOptions } from '../../../core/stream/text-run.ts';
import { tokenMap } from '../../core/stream/wire-fixtures.ts';
import { blockOf, characterwise, type Edits, type Look } from './golden.ts';
import type { Made } from './recognizers.ts';

const map = tokenMap({ '[EMAIL-1]': 'é"\\\nz', '[NAME-2]': 'öz' });
const json = JSON.stringify;

const options: Readonly<Record<string, Partial<TextRunOptions>>> = {
  bare: { bare: true },
  plain: { bare: false, plainOnly: true, countsBytes: true },
  encoded: { bare: false, encode: (value) => `<${value}>` },
};
const texts: readonly (readonly [kind: keyof typeof options, text: string])[] = [
  ['bare', '{"a":"[EMAIL-1]","b":["NAME-2",-1]}'],
  ['bare', json({ a: json({ b: '[EMAIL-1]' }) })],
  ['bare', json([json([json(['[EMAIL-1]'])])])],
  ['bare', '[["[EMAIL-1]"],"\\u005bEMAIL-1] \\"[NAME-2]"]'],
  ['bare', '{"[EMAIL-1]":1} NAME-2 [EMAIL-1]'],
  ['bare', 'EMAIL-1 or "[NAME-2]" {"NAME-2"}'],
  ['bare', json({ a: ' [ {x} [EMAIL-1]', b: '{ "NAME-2" }', c: '[1] NAME-2', d: '[]NAME-2' })],
  ['encoded', '[EMAIL-1] {"a":"[EMAIL-1]"}'],
  ['encoded', ' \n[ "[EMAIL-1]", "https://x.example/[EMAIL-1]" ]'],
  ['encoded', '[NAME-2]: [ {"a":"b\\u00e9[NAME-2]\\ud83d\\ude00 [EMAIL-1"} ] [NAME-2'],
  ['plain', '{"a":"é [EMAIL-1] é [NAME-2] \\[NAME-2\\] [EMAIL-1'],
  ['plain', 'see [x](https://x.example/?q=[NAME-2]) [EMAIL-1] [E'],
];

/** The originals as written, how often text is held, the counts, and the new offset of a position. */
function lookFor(kind: keyof typeof options): Look {
  const restored = (pieces: readonly string[]) => {
    const count = { restored: 0, unresolved: 0 };
    const run = new TextRun({ map, count, bare: false, ...options[kind] });
    let holds = 0;
    let text = '';
    for (const piece of pieces) {
      const wasHeld = run.carry !== '';
      text += run.push(piece);
      if (run.carry !== '' && !wasHeld) holds++;
    }
    text += run.push('', true);
    const size = (part: string) => (options[kind]?.countsBytes ? Buffer.byteLength(part) : part.length);
    const [start, middle, end = 0] = [0, 9, 99].map((at) => run.shifts.map(at, false));
    // Behind the text, an offset has moved by what the text has grown.
    const isGrown = end - 99 === size(text) - size(pieces.join(''));
    const shifts = [start, middle, ...(isGrown ? [] : [end])].join();
    return { text, holds, facts: `${count.restored}+${count.unresolved} ${shifts}` };
  };
  return ({ text }) => {
    const whole = restored([text]);
    const pieces = restored(Array.from(text));
    const originals = pieces.text.match(/<?[éö].*?z>?/g) ?? [];
    const isSame = pieces.text === whole.text && pieces.facts === whole.facts;
    return `${originals.join(' ')} ${pieces.holds} ${pieces.facts}${isSame ? '' : ' otherwise whole'}`;
  };
}

const names = ['drop', 'kind', 'space>'];
const by: Edits = {
  ...characterwise,
  edits: {
    ...Object.fromEntries(Object.entries(characterwise.edits).filter(([name]) => names.includes(name))),
    ...Object.fromEntries([...'"\\[{}]'].map((sign) => [`to ${sign}`, () => sign])),
  },
  wholes: ({ text }) => [
    ['twice', { text: text + text, start: 0, end: 0 }],
    ['in a string', { text: json(text), start: 0, end: 0 }],
    ['in two strings', { text: json(json(text)), start: 0, end: 0 }],
    [
      'deep',
      { text: Array.from({ length: 9 }).reduce<string>((inner) => json([inner]), '[EMAIL-1]'), start: 0, end: 0 },
    ],
  ],
};

/** A block for each text. */
export function runBlocks(): Made[] {
  return texts.map(([kind, text]) => ({
    name: `${kind} ${text}`,
    make: () => blockOf({ text, start: 0, end: text.length }, { kind: '+', look: lookFor(kind), by }),
  }));
}
