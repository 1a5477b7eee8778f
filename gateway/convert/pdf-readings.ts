/**
 * Other readings of the lines of a page, for values that the page shows in pieces: wrapped at the end of a line, or one letter
 * in each box. They would make values of numbers that only stand beside each other, so that a reading is kept only where a
 * value with a check digit or an address is in it, at the place where it differs.
 */
import type { Detection } from '../../core/recognizer.ts';

type Find = (text: string) => readonly Detection[];

/** What is read of a place where the lines differ: where the pieces are joined. */
type Reading = {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** The pieces of one that goes on in the next line. */
  readonly pieces?: readonly string[];
};

const types = ['EMAIL', 'CREDIT_CARD', 'IBAN', 'MY_NUMBER'];
/** As much of a line as is looked at beside its end. */
const sideMax = 200;

/** The readings of lines that hold a value which the lines do not show. Takes time linear in the lines. */
export async function otherReadings(lines: readonly string[]): Promise<string[]> {
  const readings = [...wrapped(lines), ...spaced(lines)];
  if (readings.length === 0) return [];
  const find = await finder();
  const isFound = (reading: Reading) => find(reading.text).some((one) => isApart(one, reading, find));
  return readings.flatMap((ways) => ways.find(isFound)?.text ?? []);
}

let loaded: Promise<Find> | undefined;

/** Loaded when first needed: few pages have such places. */
function finder(): Promise<Find> {
  loaded ??= import('../../core/detection.ts').then(({ Detector }) => {
    const detector = new Detector({ types });
    return (text) => detector.detect(text);
  });
  return loaded;
}

/**
 * Whether a value is only in the reading. Numbers in tables stand at the ends of lines, too: one without its name counts only
 * among words and no other numbers.
 */
function isApart(
  { type, value, start, end, context }: Detection,
  { text, from, to, pieces }: Reading,
  find: Find,
): boolean {
  if (start >= to || end <= from) return false;
  if (pieces === undefined || type === 'IBAN' || context !== undefined) return true;
  // What stands behind an address in the next line.
  if (type === 'EMAIL') return !pieces.some((piece) => find(piece).some((one) => value.includes(one.value)));
  const around = `${text.slice(0, start)} ${text.slice(end)}`;
  return type === 'CREDIT_CARD' && !/\d/.test(around) && (around.match(/\p{L}{2,}/gu) ?? []).length > 1;
}

const numberAtEnd = /\d[\dA-Z -]{0,12}$/;
const numberAtStart = /^[\dA-Z]/;
const word = /\p{L}{2}|[A-Z]{2}\d{2}/u;

/** Line ends where a number or an address may go on, without the end, and with a blank in its place. */
function* wrapped(lines: readonly string[]): Generator<readonly Reading[], void> {
  for (let i = 1; i < lines.length; i++) {
    const before = (lines[i - 1] as string).slice(-sideMax).trimEnd();
    const behind = (lines[i] as string).slice(0, sideMax).trimStart();
    const at = before.length;
    const isNumber = numberAtEnd.test(before) && numberAtStart.test(behind) && (word.test(before) || word.test(behind));
    const isAddress = (/\S{1,80}$/.exec(before)?.[0] ?? '').concat(/^\S+/.exec(behind)?.[0] ?? '').includes('@');
    if (!isNumber && !isAddress) continue;
    const pieces = [before, behind];
    const joined = { text: before + behind, from: at - 1, to: at + 1, pieces };
    yield isNumber ? [joined, { text: `${before} ${behind}`, from: at, to: at + 1, pieces }] : [joined];
  }
}

const spacedLetters = /(?<!\S)(?:\S {1,3}){8,}\S(?!\S)/g;

/** Lines with letters that stand apart, without the blanks between them; the line before may name what they are. */
function* spaced(lines: readonly string[]): Generator<readonly Reading[], void> {
  for (const [i, line] of lines.entries()) {
    for (const { 0: letters, index } of line.matchAll(spacedLetters)) {
      const before = `${(lines[i - 1] ?? '').slice(-sideMax)}\n${line.slice(Math.max(0, index - sideMax), index)}`;
      const joined = letters.replaceAll(' ', '');
      const behind = line.slice(index + letters.length).slice(0, sideMax);
      const from = before.length;
      yield [{ text: before + joined + behind, from, to: from + joined.length }];
    }
  }
}

/** Letters that stand apart, joined. */
export function withoutSpacing(text: string): string {
  return text.replaceAll(spacedLetters, (letters) => letters.replaceAll(' ', ''));
}
