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
};
const texts: readonly (readonly [kind: keyof typeof options, text: string])[] = [
  ['bare', '{"a":"[EMAIL-1]","b":["NAME-2",-1]}'],
  ['bare', '[["[EMAIL-1]"],"\\u005bEMAIL-1] \\"[NAME-2]"]'],
  ['plain', '{"a":"é [EMAIL-1] é [NAME-2] \\[NAME-2\\] [EMAIL-1'],
];

/** The originals as written, how often text is held, the counts, and how far a position moves. */
function lookFor(kind: keyof typeof options): Look {
  const restored = (pieces: readonly string[], place: number) => {
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
    const [start, middle, end = 0] = [0, place, 99].map((at) => run.shifts.map(at, false));
    // Behind the text, an offset has moved by what the text has grown.
    const isGrown = end - 99 === size(text) - size(pieces.join(''));
    const shifts = [start, (middle ?? 0) - place, ...(isGrown ? [] : [end])].join();
    return { text, holds, facts: `${count.restored}+${count.unresolved} ${shifts}` };
  };
  return ({ text, start }) => {
    const whole = restored([text], start);
    const pieces = restored(Array.from(text), start);
    const original = /é[\\n"\n]+z|öz/g;
    const originals = pieces.text.match(original) ?? [];
    // What is not restored is as it was, and in the same order.
    let at = 0;
    const isKept = pieces.text.split(original).every((part) => {
      const found = text.indexOf(part, at);
      at = found + part.length;
      return found >= 0;
    });
    const isSame = pieces.text === whole.text && pieces.facts === whole.facts;
    return `${originals.join(' ').replaceAll('\n', '⏎')} ${pieces.holds} ${pieces.facts}${isSame ? '' : ' otherwise whole'}${isKept ? '' : ' changed'}`;
  };
}

/** The offset whose new place is compared. */
const place = 9;

const names = ['drop', 'kind', 'space>'];
const by: Edits = {
  ...characterwise,
  edits: {
    ...Object.fromEntries(Object.entries(characterwise.edits).filter(([name]) => names.includes(name))),
    ...Object.fromEntries([...'"\\[{}]'].map((sign) => [`to ${sign}`, () => sign])),
  },
  wholes: ({ text }) => [
    ['twice', { text: text + text, start: place, end: place }],
    ['in a string', { text: json(text), start: place, end: place }],
    ['in two strings', { text: json(json(text)), start: place, end: place }],
    [
      'deep',
      {
        text: Array.from({ length: 9 }).reduce<string>((inner) => json([inner]), '[EMAIL-1]'),
        start: place,
        end: place,
      },
    ],
  ],
};

/** A block for each text. */
export function runBlocks(): Made[] {
  return texts.map(([kind, text]) => ({
    name: `${kind} ${text}`,
    make: () => blockOf({ text, start: place, end: place }, { kind: '+', look: lookFor(kind), by }),
  }));
}
