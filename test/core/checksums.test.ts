import { describe, expect, test } from 'vitest';
import {
  entropyOf,
  isAbaRouting,
  isCorporateNumber,
  isEan,
  isIbanChecksum,
  isInsurerNumber,
  isJapaneseLicense,
  isLuhn,
  isMyNumber,
  isNhsNumber,
} from '../../core/checksums.ts';

describe.each<[name: string, check: (digits: string) => boolean, valid: string[], shapes: string[]]>([
  ['isLuhn', isLuhn, ['4111111111111111', '79927398713', '18', '0'], ['']],
  ['isIbanChecksum', isIbanChecksum, ['GB82WEST12345698765432', 'DE89370400440532013000'], ['']],
  [
    'isMyNumber',
    isMyNumber,
    // The remainders 0 and 1 give the check digit 0, 2 gives 9.
    ['123456789018', '000000000000', '000000000060', '000000000019'],
    ['1234567890180', '12345678901', 'x23456789018', ' 123456789018'],
  ],
  ['isEan', isEan, ['4006381333931', '9783161484100'], ['400638133393', '40063813339310', 'x006381333931']],
  ['isAbaRouting', isAbaRouting, ['021000021', '111000025'], ['000000000', '02100002', '0210000210', 'x21000021']],
  [
    'isNhsNumber',
    isNhsNumber,
    ['9434765919', '4010232137', '0000000000'],
    ['943476591', '94347659190', 'x434765919', '0000000060', '0000000061'],
  ],
  [
    'isInsurerNumber',
    isInsurerNumber,
    ['06139463', '138057'],
    ['6139463', '061394630', '13805', 'x6139463', '4111111111111111'],
  ],
  [
    'isCorporateNumber',
    isCorporateNumber,
    ['7000012050002', '8000000000001'],
    ['0000000000009', '700001205000', '70000120500020', 'x000012050002'],
  ],
])('%s', (_name, check, valid, shapes) => {
  test.each(valid)('%s', (digits) => expect(check(digits)).toBe(true));
  test.each(shapes)('%j is invalid', (digits) => expect(check(digits)).toBe(false));
  test.each(valid)('%s is valid with no other last digit', (digits) => {
    if (digits.length < 2) return;
    const others = [...'0123456789'].map((digit) => digits.slice(0, -1) + digit).filter((other) => other !== digits);
    expect(others.filter((other) => check(other))).toEqual([]);
  });
  test.each(valid)('changing any digit of %s makes it invalid', (digits) => {
    for (const [i, digit] of [...digits].entries()) {
      if (!/[0-9]/.test(digit) || digits.length < 2) continue;
      const changed = digits.slice(0, i) + ((Number(digit) + 1) % 10) + digits.slice(i + 1);
      // Changing a digit by one always changes the sum if the modulus is above 9, or weight and modulus are coprime.
      expect(check(changed), changed).toBe(false);
    }
  });
});

describe('isJapaneseLicense', () => {
  const digitOf = (body: string) => [...'0123456789'].filter((digit) => isJapaneseLicense(`${body}${digit}0`));
  test.each('10 14 20 26 30 40 45 50 55 60 65 70 74 80 83 90 97'.split(' '))('the commission %s', (commission) =>
    expect(digitOf(`${commission}90123456`)).toHaveLength(1),
  );
  test.each('00 09 15 19 27 29 31 39 46 49 56 59 66 69 75 79 84 98'.split(' '))('no commission %s', (commission) =>
    expect(digitOf(`${commission}90123456`)).toEqual([]),
  );
  test('eleven or twelve digits, of which the last counts reissues', () => {
    expect([0, 1, 9].map((lost) => isJapaneseLicense(`30901234562${lost}`))).toEqual([true, true, true]);
    const others = ['30901234562', '3090123456200', '309012345610', '309012345630'];
    expect(others.filter(isJapaneseLicense)).toEqual([]);
  });
});

test.each([
  ['', 0],
  ['aaaa', 0],
  ['ab', 1],
  ['aabb', 1],
  ['abcd', 2],
  ['aaab', 0.8113],
])('the entropy of %j is %f bits per character', (text, bits) => expect(entropyOf(text)).toBeCloseTo(bits, 4));
