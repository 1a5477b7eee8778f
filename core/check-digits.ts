/**
 * Arithmetic of check digits and of dates inside numbers. Functions take the characters without separators, letters in
 * capitals. Letters count from A = 10 (ISO 7064 and most national rules).
 */

/** The value of one character: a digit as it is, letters from A = 10. */
export function valueAt(bare: string, at: number): number {
  const c = bare.charCodeAt(at);
  return c < 58 ? c - 48 : c - 55;
}

/** The number written by the characters `from..to`. */
export function numberAt(bare: string, from: number, to = from + 1): number {
  return Number(bare.slice(from, to));
}

/** Sum of the characters times their weights; weights repeat if there are fewer. */
export function weighted(bare: string, ...weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < bare.length; i++) sum += valueAt(bare, i) * (weights[i % weights.length] as number);
  return sum;
}

/** As {@link weighted}, with the digits of each product added up. */
export function weightedDigits(bare: string, ...weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < bare.length; i++) {
    const product = valueAt(bare, i) * (weights[i % weights.length] as number);
    sum += Math.floor(product / 10) + (product % 10);
  }
  return sum;
}

/** Remainder of a number too long for a `number`. */
export function remainderOf(digits: string, modulus: number): number {
  let remainder = 0;
  for (let i = 0; i < digits.length; i++) remainder = (remainder * 10 + digits.charCodeAt(i) - 48) % modulus;
  return remainder;
}

/** ISO 7064 MOD 11,10 over digits, the last of them the check digit. */
export function isMod11And10(digits: string): boolean {
  let product = 10;
  for (let i = 0; i < digits.length - 1; i++) {
    const sum = (valueAt(digits, i) + product) % 10 || 10;
    product = (2 * sum) % 11;
  }
  return (product + valueAt(digits, digits.length - 1)) % 10 === 1;
}

/** ISO 7064 MOD 97-10, letters as two digits: the remainder is 1. */
export function isMod97(bare: string): boolean {
  return remainderOf([...bare].map((_, i) => valueAt(bare, i)).join(''), 97) === 1;
}

const dihedral = '0123456789123406789523401789563401289567401239567859876043216598710432765982104387659321049876543210';
const permutation = '01234567891576283094580379614289160435279453126870428657390127938064157046913258';

/** Verhoeff's check digit: the product of all digits in the dihedral group of ten elements is zero. */
export function isVerhoeff(digits: string): boolean {
  let check = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = valueAt(digits, digits.length - 1 - i);
    check = Number(dihedral[check * 10 + Number(permutation[(i % 8) * 10 + digit])]);
  }
  return check === 0;
}

const monthLengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether the month has this day in any year. */
export function isDayOfYear(month: number, day: number): boolean {
  return day >= 1 && day <= (monthLengths[month - 1] ?? 0);
}
