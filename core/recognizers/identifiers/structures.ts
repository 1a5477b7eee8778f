/** Named checks that a weighted sum cannot express. */
import {
  isDayOfYear,
  isVerhoeff,
  numberAt,
  remainderOf,
  valueAt,
  weighted,
  weightedDigits,
} from '../../check-digits.ts';
import { isIbanChecksum, isLuhn } from '../../checksums.ts';
import numbers from '../number-lengths.json' with { type: 'json' };

/** Length of an IBAN by country: SWIFT IBAN registry, then countries outside it that use the format (from `AO`). */
const ibanLengths: Readonly<Record<string, number>> = numbers.iban;
/** Countries whose account number starts with four letters of the bank. */
const bankLetters = /^(?:AZ|BG|BH|BY|DO|GB|GI|GT|IE|IQ|JO|KW|LC|LV|MT|MU|NL|PK|PS|QA|RO|SC|SV|VG)..(?![A-Z]{4})/;

export const structures: Readonly<Record<string, (bare: string) => boolean>> = {
  /** Letters count as two digits, A = 01. */
  'DE letter as two digits': (d) =>
    d.length === 12
      ? weightedDigits(lettersAsDigits(d.slice(0, 11)), 2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1) % 10 === valueAt(d, 11)
      : weightedDigits(lettersAsDigits(d.slice(0, 9)), 1, 2) % 10 === valueAt(d, 9),
  /** Eight or nine different digits among the first ten. */
  'DE repeated digits': (d) => [8, 9].includes(new Set(d.slice(0, 10)).size),
  'GB VAT': (d) => [0, 55].some((add) => (weighted(d, 8, 7, 6, 5, 4, 3, 2, 10, 1) + add) % 97 === 0),
  /** The departments of Corsica count as 19 and 18. */
  'FR NIR': (d) => isMod97Key(d.slice(0, 13).replace('2A', '19').replace('2B', '18'), d.slice(13)),
  'FR NIF': (d) => numberAt(d, 0, 10) % 511 === numberAt(d, 10, 13),
  /** Establishments of La Poste are exempt. */
  'FR SIRET': (d) => d.startsWith('356000000') || (isLuhn(d) && isLuhn(d.slice(0, 9))),
  'FR VAT': (d) => (12 + 3 * (numberAt(d, 4, 13) % 97)) % 97 === numberAt(d, 2, 4),
  /** People born from 2000 on have a 2 in front. */
  'BE national number': (d) => [d, `2${d}`].some((all) => isMod97Key(all.slice(0, -2), all.slice(-2))),
  'BE VAT': (d) => isMod97Key(d.slice(-10, -2), d.slice(-2)),
  'ES DNI': (d) => {
    const digits = d.slice(0, -1).replace(/[XYZ]/, (letter) => String('XYZ'.indexOf(letter)));
    return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23] === d.at(-1);
  },
  /** The check character is a digit, a letter or either, by kind of entity. */
  'ES CIF': (d) => {
    const check = (10 - (weightedDigits(d.slice(1, 8), 2, 1) % 10)) % 10;
    const isLetter = d[8] === 'JABCDEFGHI'[check] && !'ABEH'.includes(d.charAt(0));
    return isLetter || (d[8] === String(check) && !'PQRSNW'.includes(d.charAt(0)));
  },
  'ES NSS': (d) =>
    remainderOf(numberAt(d, 2, 10) < 10_000_000 ? d.slice(0, 2) + d.slice(3, 10) : d.slice(0, 10), 97) ===
    numberAt(d, 10, 12),
  /** Codice fiscale (D.M. 23/12/1976): odd positions through a table, even ones as they are; the sum mod 26 is the letter. */
  'IT codice fiscale': (d) => {
    let sum = 0;
    for (let i = 0; i < 15; i++) {
      const value = valueAt(d, i) < 10 ? valueAt(d, i) : valueAt(d, i) - 10;
      sum += i % 2 === 0 ? (oddValues[value] as number) : value;
    }
    return valueAt(d, 15) - 10 === sum % 26;
  },
  /** Luhn with letters as values. */
  'PT cartão de cidadão': (d) => {
    let sum = 0;
    for (let i = 0; i < d.length; i++) {
      const value = valueAt(d, d.length - 1 - i) * (i % 2 === 1 ? 2 : 1);
      sum += i % 2 === 1 && value > 9 ? value - 9 : value;
    }
    return sum % 10 === 0;
  },
  'IE PPS': (d) => {
    const second = d[8] === undefined || d[8] === 'W' ? 0 : 9 * (valueAt(d, 8) - 9);
    return 'WABCDEFGHIJKLMNOPQRSTUV'[(weighted(d.slice(0, 7), 8, 7, 6, 5, 4, 3, 2) + second) % 23] === d[7];
  },
  'FI HETU': (d) => '0123456789ABCDEFHJKLMNPRSTUVWXY'[numberAt(d.replace(/[^0-9]/, ''), 0, 9) % 31] === d.at(-1),
  /** Divisible by 11 since 1954; women have 50 added to the month, full days another 20. */
  'CZ birth number': (d) => {
    const month = numberAt(d, 2, 4) % 50;
    if (!isDayOfYear(month > 20 ? month - 20 : month, numberAt(d, 4, 6))) return false;
    const remainder = numberAt(d, 0, 9) % 11;
    return d.length === 9 || numberAt(d, 0, 10) % 11 === 0 || (remainder === 10 && d[9] === '0');
  },
  'RU SNILS': (d) => (weighted(d.slice(0, 9), 9, 8, 7, 6, 5, 4, 3, 2, 1) % 101) % 100 === numberAt(d, 9, 11),
  'RU OGRN': (d) => remainderOf(d.slice(0, -1), d.length - 2) % 10 === valueAt(d, d.length - 1),
  /** Each digit is shifted by its position and multiplied by a power of two, mod 9. */
  'TR VKN': (d) => {
    let sum = 0;
    for (let i = 0; i < 9; i++) {
      const shifted = (valueAt(d, i) + 9 - i) % 10;
      sum += shifted === 0 ? 0 : (shifted * 2 ** (9 - i)) % 9 || 9;
    }
    return (10 - (sum % 10)) % 10 === valueAt(d, 9);
  },
  'IN no palindrome': (d) => d !== [...d].reverse().join(''),
  /** Base 36 with alternating weights 1 and 2; adds the quotient and remainder by 36. */
  'IN GSTIN': (d) => {
    let sum = 0;
    for (let i = 0; i < 14; i++) {
      const product = valueAt(d, i) * (i % 2 === 0 ? 1 : 2);
      sum += Math.floor(product / 36) + (product % 36);
    }
    return (36 - (sum % 36)) % 36 === valueAt(d, 14);
  },
  /** A missing first letter counts as 36. */
  'HK identity card': (d) =>
    (weighted(d.slice(0, -1).padStart(8, '['), 9, 8, 7, 6, 5, 4, 3, 2) + valueAt(d, d.length - 1)) % 11 === 0,
  /** The letter counts as 10 to 35, in its own order. */
  'TW identity card': (d) => {
    const letter = 'ABCDEFGHJKLMNPQRSTUVXYWZIO'.indexOf(d.charAt(0)) + 10;
    return weighted(String(letter) + d.slice(1), 1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1) % 10 === 0;
  },
  'TW company': (d) => {
    const sum = weightedDigits(d, 1, 2, 1, 2, 1, 2, 4, 1);
    return sum % 5 === 0 || (d[6] === '7' && (sum + 1) % 5 === 0);
  },
  'KR company': (d) => (weighted(d, 1, 3, 7, 1, 3, 7, 1, 3, 5, 1) + Math.floor((5 * valueAt(d, 8)) / 10)) % 10 === 0,
  /** T and G add four, M adds three. */
  'SG identity card': (d) => {
    const prefix = d.charAt(0);
    const sum = weighted(d.slice(1, 8), 2, 7, 6, 5, 4, 3, 2) + (prefix === 'M' ? 3 : 'TG'.includes(prefix) ? 4 : 0);
    const letters = 'ST'.includes(prefix) ? 'JZIHGFEDCBA' : prefix === 'M' ? 'XWUTRQPNJLK' : 'XWUTRQPNMLK';
    return letters[sum % 11] === d[8];
  },
  'AU ABN': (d) => (weighted(d, 10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19) - 10) % 89 === 0,
  'US NPI': (d) => isLuhn(`80840${d}`),
  'VE RIF': (d) =>
    '00987654321'[(weighted(d.slice(1, 9), 3, 2, 7, 6, 5, 4, 3, 2) + 4 * ('VEJPG'.indexOf(d.charAt(0)) + 1)) % 11] ===
    d[9],
  'LU second check': (d) => isVerhoeff(d.slice(0, 11) + d[12]),
  /** 49 CFR 565.15; letters count as digits. */
  VIN: (d) => {
    const digits = d.replace(
      /[A-Z]/g,
      (c) => '12345678-12345-7-923456789'['ABCDEFGHIJKLMNOPQRSTUVWXYZ'.indexOf(c)] ?? '',
    );
    const remainder = weighted(digits, 8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2) % 11;
    return d[8] === 'X0123456789'[(remainder + 1) % 11];
  },
  IBAN: (d) => d.length === ibanLengths[d.slice(0, 2)] && isIbanChecksum(d) && !bankLetters.test(d),
  'SIM card': (d) => isLuhn(d.replace('F', '')),
  /** A valid date: day, month or year first. */
  'calendar day': (written) => {
    const parts = /^\d{8}$/.test(written)
      ? [written.slice(0, 4), written.slice(4, 6), written.slice(6)]
      : written.split(/[./ -]/);
    const [a = 0, b = 0, c = 0] = parts.map(Number);
    if (parts[0]?.length === 4) return isYear(a) && isDayOfYear(b, c);
    return isYear(c < 100 ? c + 1900 : c) && (isDayOfYear(b, a) || isDayOfYear(a, b));
  },
  'starts with a date': (written) => {
    const [date = ''] = /^(?:\d{4}([./-])\d\d?\1\d\d?|\d\d?([./-])\d\d?\2\d{4})(?!\d)/.exec(written) ?? [];
    return structures['calendar day']?.(date) === true;
  },
};

const oddValues = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

function isYear(year: number): boolean {
  return year > 1899 && year < 2100;
}

/** True when the key is the complement of the remainder mod 97. */
function isMod97Key(digits: string, key: string): boolean {
  return 97 - remainderOf(digits, 97) === Number(key);
}

function lettersAsDigits(bare: string): string {
  return bare.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 64).padStart(2, '0'));
}
