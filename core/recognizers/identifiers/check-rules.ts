/**
 * Check digits as data. A row of an identifier file lists its rules; the value without separators, in upper case, must pass
 * all of them.
 */
import { isDayOfYear, isMod11And10, isVerhoeff, remainderOf, valueAt } from '../../check-digits.ts';
import {
  isAbaRouting,
  isCorporateNumber,
  isEan,
  isInsurerNumber,
  isJapaneseLicense,
  isLuhn,
  isMyNumber,
  isNhsNumber,
} from '../../checksums.ts';
import { structures } from './structures.ts';

/** The check character is selected by the remainder of a weighted sum. */
export type SumRule = {
  /** Weights of the characters before the check character, right-aligned and repeated to the left. */
  readonly weights?: readonly number[];
  /** The check character for each remainder, `-` where none is issued. The length is the modulus. */
  readonly characters: string;
  /** The range that is summed. Default: all but the last character. */
  readonly body?: readonly [from: number, to: number];
  /** The index of the check character. Default: the last one. */
  readonly at?: number;
  /** Character values by index in this string. Default: digits, then letters from A = 10. */
  readonly alphabet?: string;
  /** Sums the digits of each product. */
  readonly digitSums?: boolean;
  /** Applies when the remainder has no check character. */
  readonly otherwise?: SumRule;
};

/** Indexes of the two-digit month and day; negative ones count from the end. */
export type DayRule = {
  readonly month: number;
  readonly day: number;
  readonly monthPlus?: number;
  readonly dayPlus?: number;
};

/** A named rule for the whole value or a part of it. */
export type NamedRule = { readonly rule: string; readonly part?: readonly [from: number, to?: number] };

export type CheckRule =
  | string
  | ((SumRule | DayRule | NamedRule | { readonly matches: string }) & { readonly only?: string });

const named: Readonly<Record<string, (bare: string) => boolean>> = {
  luhn: isLuhn,
  verhoeff: isVerhoeff,
  'mod 11,10': isMod11And10,
  ean: isEan,
  NHS: isNhsNumber,
  'ABA routing': isAbaRouting,
  'JP driver license': isJapaneseLicense,
  'JP insurer': isInsurerNumber,
  'JP individual number': isMyNumber,
  'JP corporate number': isCorporateNumber,
  ...structures,
};

/** The check of a row: true when all of its rules pass. */
export function checkOf(rules: readonly CheckRule[]): (bare: string) => boolean {
  const tests = rules.map(testOf);
  return (bare) => tests.every((test) => test(bare));
}

function testOf(rule: CheckRule): (bare: string) => boolean {
  if (typeof rule === 'string') return namedTest(rule);
  const test = bareTest(rule);
  if (rule.only === undefined) return test;
  const only = new RegExp(rule.only);
  return (bare) => !only.test(bare) || test(bare);
}

function bareTest(rule: Exclude<CheckRule, string>): (bare: string) => boolean {
  if ('matches' in rule) {
    const pattern = new RegExp(rule.matches);
    return (bare) => pattern.test(bare);
  }
  if ('rule' in rule) {
    const test = namedTest(rule.rule);
    return (bare) => test(bare.slice(...(rule.part ?? [0])));
  }
  if ('month' in rule) return (bare) => isDay(bare, rule);
  return (bare) => hasCheckCharacter(bare, rule);
}

function namedTest(name: string): (bare: string) => boolean {
  const test = named[name];
  if (test === undefined) throw new Error(`unknown check rule ${name}`);
  return test;
}

/** True for a valid day; `monthPlus` and `dayPlus` are constants that a country adds for women, foreigners or centuries. */
function isDay(bare: string, { month, day, monthPlus = 100, dayPlus = 100 }: DayRule): boolean {
  const two = (at: number) => Number(bare.slice(at, at === -2 ? undefined : at + 2));
  return isDayOfYear(two(month) % monthPlus, two(day) % dayPlus);
}

function hasCheckCharacter(bare: string, rule: SumRule): boolean {
  const expected = rule.characters[remainder(bare, rule)];
  if (expected === '-') return rule.otherwise !== undefined && hasCheckCharacter(bare, rule.otherwise);
  return expected === bare.at(rule.at ?? -1);
}

function remainder(bare: string, { weights, characters, body = [0, -1], alphabet, digitSums }: SumRule): number {
  const modulus = characters.length;
  const summed = bare.slice(...body);
  if (weights === undefined) return remainderOf(summed, modulus);
  let sum = 0;
  for (let i = 0; i < summed.length; i++) {
    const fromEnd = summed.length - 1 - i;
    const weight = weights[weights.length - 1 - (fromEnd % weights.length)] as number;
    const product = weight * (alphabet === undefined ? valueAt(summed, i) : alphabet.indexOf(summed.charAt(i)));
    sum += digitSums ? Math.floor(product / 10) + (product % 10) : product;
  }
  return ((sum % modulus) + modulus) % modulus;
}
