/** Numbers that are not personal data: order, tracking, part, product and ticket numbers. */
import things from '../lexicon/number-things.json' with { type: 'json' };

const words = things.otherNumbers;
const oneOf = (list: readonly string[]) => `(?:${list.join('|')})`;
const english = new RegExp(
  `(?<![A-Za-z])(?<!for (?:the|my|our|your|a) )${oneOf(words.en)}(?:[ _-]?(?:no|nr|num|number|id|code|#))?[ _.:#="'>(-]{0,4}$`,
  'i',
);
const japanese = new RegExp(
  `${oneOf(words.ja)}(?:番号|番|コード|ナンバー|No|ID)?(?:は|が|：|:|\\.|#|「|（|\\(|\\||,| |\\t|=|"){0,4}$`,
  'i',
);
/** Words that name a number by themselves. `issue` or `transaction` may instead describe how it was used. */
const namedEnglish = new RegExp(
  `(?<![A-Za-z])(?:${oneOf(words.enAlone)}(?:[ _-]?(?:no|nr|num|number|id|code|#))?|${oneOf(words.en)}[ _-]?(?:no|nr|num|number|id|code|#))[ _.:#="'>(-]{0,4}$`,
  'i',
);
const namedJapanese = new RegExp(
  `(?:番号|番|コード|ナンバー|No|ID|${words.jaAlone.join('|')})(?:は|が|：|:|\\.|#|「|（|\\(|\\||,| |\\t|=|"){0,4}$`,
  'i',
);
const reach = 28;
/** An unquoted number under an ID key: `"id":682845905426699033`, `message_id=18…`. */
const idMember = /(?:["'][a-z_]{0,20}ids?["']\s?:\s?|(?<![a-z])[a-z_]{0,20}ids?=|_ids?:\s?)\[?$/i;

/** True for the ID of a record. */
export function isIdMember(shadow: string, start: number): boolean {
  return idMember.test(shadow.slice(Math.max(0, start - reach), start));
}

/** True when the word before names another kind of number. */
export function isOtherNumber(shadow: string, start: number): boolean {
  const before = shadow.slice(Math.max(0, start - reach), start);
  return english.test(before) || japanese.test(before);
}

/**
 * As {@link isOtherNumber} for a number that looks like nothing else: `the issue: 4111 1111 1111 1111 was charged` names
 * what it is about, `issue number 4111 …` the number.
 */
export function isNamedNumber(shadow: string, start: number): boolean {
  const before = shadow.slice(Math.max(0, start - reach), start);
  return isOtherNumber(shadow, start) && (namedEnglish.test(before) || namedJapanese.test(before));
}
