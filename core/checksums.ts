/**
 * Check digits. All functions take digits (and capitals, for IBAN) without separators.
 */

/** Luhn, ISO/IEC 7812-1: from the right double every second digit; the sum is a multiple of ten. */
export function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    let digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    if (i % 2 === 1) {
      digit *= 2;
      if (digit > 9) digit -= 9;
    }
    sum += digit;
  }
  return digits.length > 0 && sum % 10 === 0;
}

/** ISO 7064 mod 97-10 as ISO 13616 applies it to an IBAN: the first four characters moved to the end, A=10 … Z=35. */
export function isIbanChecksum(iban: string): boolean {
  let remainder = 0;
  for (let i = 0; i < iban.length; i++) {
    const c = iban.charCodeAt((i + 4) % iban.length);
    remainder = c < 58 ? (remainder * 10 + c - 48) % 97 : (remainder * 100 + c - 55) % 97;
  }
  return remainder === 1;
}

const myNumberWeights = [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/** The twelfth digit of a Japanese individual number (行政手続における特定の個人を識別するための番号…施行規則 第5条). */
export function isMyNumber(digits: string): boolean {
  if (!/^[0-9]{12}$/.test(digits)) return false;
  let sum = 0;
  for (const [i, weight] of myNumberWeights.entries()) sum += (digits.charCodeAt(i) - 48) * weight;
  const remainder = sum % 11;
  return digits.charCodeAt(11) - 48 === (remainder <= 1 ? 0 : 11 - remainder);
}

/** Article numbers of thirteen digits (EAN, JAN, ISBN-13; GS1 General Specifications §7.9): weights 1 3, a multiple of ten. */
export function isEan(digits: string): boolean {
  return /^[0-9]{13}$/.test(digits) && weightedSum(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;
}

/** Shannon entropy in bits per character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / text.length) * Math.log2(count / text.length);
  return entropy;
}

/** ABA routing transit number: weights 3 7 1, the sum is a multiple of ten (American Bankers Association key book). */
export function isAbaRouting(digits: string): boolean {
  return (
    /^[0-9]{9}$/.test(digits) && digits !== '000000000' && weightedSum(digits, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0
  );
}

/** The eleventh digit of a Japanese driver's license number, mod 11 over the first ten. */
export function isJapaneseLicense(digits: string): boolean {
  if (!/^(?:1[0-4]|2[0-6]|30|4[0-5]|5[0-5]|6[0-5]|7[0-4]|8[0-3]|9[0-7])[0-9]{10}$/.test(digits)) return false;
  const check = (11 - (weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 10;
  return digits.charCodeAt(10) - 48 === check;
}

/**
 * Number of a Japanese health insurer, eight digits or six: from the right double every second digit of the body, add
 * the digits of the products (保険者番号等の設定について, 厚生省通知).
 */
export function isInsurerNumber(digits: string): boolean {
  return /^(?:[0-9]{6}|[0-9]{8})$/.test(digits) && isLuhn(digits);
}

/** UK National Health Service number: weights 10 to 2, mod 11 (NHS Data Dictionary). */
export function isNhsNumber(digits: string): boolean {
  if (!/^[0-9]{10}$/.test(digits)) return false;
  const check = 11 - (weightedSum(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return check !== 10 && digits.charCodeAt(9) - 48 === check % 11;
}

/** Japanese corporate number, thirteen digits, the first a check digit (法人番号の指定等に関する省令 第2条). */
export function isCorporateNumber(digits: string): boolean {
  if (!/^[1-9][0-9]{12}$/.test(digits)) return false;
  return digits.charCodeAt(0) - 48 === 9 - (weightedSum(digits.slice(1), [2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1]) % 9);
}

function weightedSum(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (const [i, weight] of weights.entries()) sum += (digits.charCodeAt(i) - 48) * weight;
  return sum;
}
