/** Cells with numbers too long for amounts: card, phone and identity numbers. */

const type = /(?:^|\s)t\s*=\s*(?:"([^"]*)"|'([^']*)')/;
const spelling = /^\+?(\d*)(?:\.(\d*))?(?:e([-+]?\d{1,2}))?$/i;
const digitsMin = 9;
/** Maximum length of a number in a workbook, except for plain digits. */
const spellingMax = 40;

/** The type of a cell by its tag; `n` if absent (ECMA-376-1 §18.3.1.4). */
export function cellType(inside: string): string {
  const match = type.exec(inside);
  return match?.[1] ?? match?.[2] ?? 'n';
}

/** The digits of a whole number of nine or more digits, in any spelling (`4111111111111111.0`, `4.111E15`). */
export function wholeDigits(value: string): string | undefined {
  const text = value.trim();
  if (/^\d+$/.test(text)) return text.length < digitsMin ? undefined : text;
  const match = text.length > spellingMax ? null : spelling.exec(text);
  if (match === null) return undefined;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const point = Math.max(0, whole.length + Number(exponent));
  const all = whole + fraction;
  if (/[1-9]/.test(all.slice(point))) return undefined;
  const digits = all.slice(0, point).padEnd(point, '0').replace(/^0+/, '');
  return digits.length < digitsMin ? undefined : digits;
}
