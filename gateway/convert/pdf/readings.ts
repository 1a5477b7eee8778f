/**
 * Alternative readings of a page's lines, for values displayed in pieces: wrapped at a line end, or one letter per box.
 * They would also join unrelated numbers, so a reading counts only if it contains a value with a check digit, or an
 * address, exactly where it differs.
 */
import type { Detection } from '../../../core/recognizer.ts';

type Find = (text: string) => readonly Detection[];

/** An alternative reading, and where its pieces are joined. */
type Reading = {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** The pieces of a value that continues on the next line. */
  readonly pieces?: readonly string[];
};

const types = ['EMAIL', 'CREDIT_CARD', 'IBAN', 'MY_NUMBER'];
/** Number of characters examined around the end of a line. */
const sideMax = 200;

/** The alternative readings with values that the lines do not show. Linear time. */
export async function otherReadings(lines: readonly string[]): Promise<string[]> {
  const readings = [...wrapped(lines), ...spaced(lines)];
  if (readings.length === 0) return [];
  const find = await finder();
  const isFound = (reading: Reading) => find(reading.text).some((one) => isApart(one, reading, find));
  return readings.flatMap((ways) => ways.find(isFound)?.text ?? []);
}

let loaded: Promise<Find> | undefined;

/** Loaded on first use, because few pages need it. */
function finder(): Promise<Find> {
  loaded ??= import('../../../core/detect/detector.ts').then(({ Detector }) => {
    const detector = new Detector({ types });
    return (text) => detector.detect(text);
  });
  return loaded;
}

/**
 * True if a value occurs only in the alternative reading. Table numbers are at line ends too, so a number without a
 * label counts only among words and no other numbers.
 */
function isApart(
  { type, value, start, end, context }: Detection,
  { text, from, to, pieces }: Reading,
  find: Find,
): boolean {
  if (start >= to || end <= from) return false;
  if (pieces === undefined || type === 'IBAN' || context !== undefined) return true;
  // A piece with a complete address of its own is only followed by other text.
  if (type === 'EMAIL') return !pieces.some((piece) => find(piece).some((found) => value.includes(found.value)));
  const around = `${text.slice(0, start)} ${text.slice(end)}`;
  return type === 'CREDIT_CARD' && !/\d/.test(around) && (around.match(/\p{L}{2,}/gu) ?? []).length > 1;
}

const numberAtEnd = /\d[\dA-Z -]{0,12}$/;
const numberAtStart = /^[\dA-Z]/;
const word = /\p{L}{2}|[A-Z]{2}\d{2}/u;

/** Line ends at which a number or address may continue: joined directly, and with a space. */
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

/** Lines with spaced letters, without the spaces; the previous line may be the label. */
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

/** Joins spaced letters. */
export function withoutSpacing(text: string): string {
  return text.replaceAll(spacedLetters, (letters) => letters.replaceAll(' ', ''));
}
