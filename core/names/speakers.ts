import { isDigit } from '../characters.ts';

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
  let last = -1;
  const mark = (at: number) => {
    const first = Math.max(0, at - reach);
    const start = first + block.slice(first, at).lastIndexOf('\n') + 1;
    if (start === last) return;
    last = start;
    opening.lastIndex = start;
    const found = opening.exec(block);
    if (found !== null) marks[opening.lastIndex - (found[1] ?? found[2] ?? found[3] ?? found[4] ?? '').length] = 1;
  };
  // Most lines have neither a time nor a bracket.
  for (let at = block.indexOf(':'); at >= 0; at = block.indexOf(':', at + 1))
    if (isDigit(block.charCodeAt(at - 1))) mark(at - 1);
  if (block.startsWith('<')) mark(0);
  for (let at = block.indexOf('\n<'); at >= 0; at = block.indexOf('\n<', at + 1)) mark(at + 1);
}
