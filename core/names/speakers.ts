import { isDigit } from '../characters.ts';
import { isKnownWord, isListedName } from './word-kinds.ts';

/** Up to three words, as a group that is read without going back. */
const name = String.raw`(?=(\p{L}[\p{L}\p{M}'’._-]{0,24}(?: \p{L}[\p{L}\p{M}'’.-]{0,24}){0,2}))`;
const time = String.raw`\d:\d\d(?:[:.,]\d{2,3}){0,2}(?: ?[AaPp]\.?[Mm]\b\.?)?`;
const stamp = String.raw`(?:[\[(]|(?=\d))[^\n\[\]<>"=|\t]{0,30}?${time}[\])]?[ \t,]*(?:[-–—|] ?)?`;
/**
 * How lines open that say who speaks, up to the name: with a time before it, in angle brackets, with a number or a time behind
 * it or a time in the brackets after it. A word with only a colon behind it is as often a key.
 */
const openings = [
  String.raw`(?:${stamp}[<*@~]{0,3} ?|<[@+~]?)${name}\1(?=\*{0,2}(?:> | ?[:|\t]|[ \t]*$))`,
  String.raw`<v ${name}\2(?=>)`,
  String.raw`[*>• -]{0,4}${name}\3(?= \d{1,2}:|\*{0,2},?[ \t]{1,3}[^\n\d]{0,14}(?=\d)[^\n"=<>]{0,22}?${time}[\])]?(?:\*{0,2}:|[ \t]*$))`,
  String.raw`\[${name}\4(?=\] \[[^\n\]\d]{0,6}\d?${time}\])`,
];
const opening = new RegExp(`^(?:${openings.join('|')})`, 'muy');
/** How far behind the start of a line its first time is, at most. */
const reach = 60;

/** Sets `marks`, by offset from `from`, to 1 where a line between the two offsets names its speaker, and to 0 elsewhere. */
export function markSpeakers(text: string, from: number, to: number, marks: Uint8Array): void {
  marks.fill(0, 0, to - from + 1);
  const block = text.slice(from, to);
  const note = ({ start }: Speaker) => {
    marks[start] = 1;
  };
  eachTimed(block, note);
  if (block.startsWith('<')) openAt(block, 0, note);
  for (let at = block.indexOf('\n<'); at >= 0; at = block.indexOf('\n<', at + 1)) openAt(block, at + 1, note);
}

type Speaker = { readonly start: number; readonly end: number };

/** The lines with a time; most have none. */
function eachTimed(block: string, note: (speaker: Speaker) => void): void {
  let last = -1;
  for (let at = block.indexOf(':'); at >= 0; at = block.indexOf(':', at + 1)) {
    if (!isDigit(block.charCodeAt(at - 1))) continue;
    const first = Math.max(0, at - 1 - reach);
    const start = first + block.slice(first, at - 1).lastIndexOf('\n') + 1;
    if (start !== last) openAt(block, start, note);
    last = start;
  }
}

function openAt(block: string, at: number, note: (speaker: Speaker) => void): void {
  opening.lastIndex = at;
  const found = opening.exec(block);
  if (found === null) return;
  const end = opening.lastIndex;
  note({ start: end - (found[1] ?? found[2] ?? found[3] ?? found[4] ?? '').length, end });
}

/**
 * The speakers of a chat: two or more who take turns, so that most lines with a time are of somebody who speaks again.
 * A log has components there, and a timetable what happens only once.
 */
export function chatSpeakers(text: string): readonly Speaker[] {
  const all: Speaker[] = [];
  eachTimed(text, (speaker) => {
    if (mayBeName(text.slice(speaker.start, speaker.end))) all.push(speaker);
  });
  if (all.length < 3) return [];
  const turns = new Map<string, number>();
  const nameOf = ({ start, end }: Speaker) => text.slice(start, end);
  for (const speaker of all) turns.set(nameOf(speaker), (turns.get(nameOf(speaker)) ?? 0) + 1);
  const again = all.filter((speaker) => (turns.get(nameOf(speaker)) ?? 0) > 1).length;
  return turns.size > 1 && 2 * again >= all.length ? all : [];
}

const uncased = /^(?:[\u3041-\u30ff\u3400-\u9fff々]{1,8}|(?![\u3041-\u9fff])[\p{Lo}\p{M}]{2,20})$/u;
const cased = /^\p{Lu}[\p{Ll}\p{M}'’-]*\p{Ll}\.?$/u;

/** True for words that are names or unknown, not for levels of a log and its components. */
function mayBeName(name: string): boolean {
  return name.split(' ').every((word) => {
    const lower = word.toLowerCase();
    return isListedName(lower) || ((cased.test(word) || uncased.test(word)) && !isKnownWord(lower));
  });
}
