/** Numbers that are not personal data: order, tracking, part, product and ticket numbers. */
import things from '../lexicon/number-things.json' with { type: 'json' };
import { patternsOf } from '../pattern-data.ts';
import { codesOf } from './code-set.ts';

const { english, japanese, namedJapanese, idMember, namedEnglish, continued } = patternsOf(
  'other-numbers',
  things.otherNumbers,
);

const reach = 28;

/** True for the ID of a record. */
export function isIdMember(shadow: string, start: number): boolean {
  return idMember.test(shadow.slice(Math.max(0, start - reach), start));
}

/** True for the number of a ticket (`(#1234`, `(Closes: #1234)`, `[!1234]`), and the rest of a decimal, a time or a product. */
export function isContinued(shadow: string, start: number): boolean {
  const sign = shadow.charCodeAt(start - 1);
  if (!isJoint(sign) || !continued.test(shadow.slice(Math.max(0, start - 12), start))) return false;
  // The numbers of accounts are longer than those of tickets. Without a blank it is a color.
  return (
    !shadow.startsWith(' #', start - 2) || /^[0-9]{1,7}(?![0-9A-Za-z]|-[0-9])/.test(shadow.slice(start, start + 9))
  );
}

const isJoint = codesOf('#!.:*');

/** True when the word before names another kind of number. */
export function isOtherNumber(shadow: string, start: number): boolean {
  const before = shadow.slice(Math.max(0, start - reach), start);
  return english.test(before) || japanese.test(before);
}

/**
 * A stricter {@link isOtherNumber} for unmistakable forms: the word must name the number itself, as in `issue number 4111 …`,
 * not the topic, as in `the issue: 4111 1111 1111 1111 was charged`.
 */
export function isNamedNumber(shadow: string, start: number): boolean {
  const before = shadow.slice(Math.max(0, start - reach), start);
  return isOtherNumber(shadow, start) && (namedEnglish.test(before) || namedJapanese.test(before));
}
