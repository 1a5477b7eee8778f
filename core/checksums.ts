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

/** Shannon entropy in bits per character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / text.length) * Math.log2(count / text.length);
  return entropy;
}
