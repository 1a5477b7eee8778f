/**
 * What may stand beside a number. `\b` is wrong next to kana and kanji, and it would find parts of longer serials,
 * versions, dates and UUIDs.
 */

/** Before: no letter or digit, and no joint that a longer serial goes through. */
export const numberLeft = '(?<![0-9A-Za-z_])(?<![0-9A-Za-z][-/])(?<![0-9]\\.)';

/** Behind: the same the other way round; the full stop of a sentence is no joint. */
export const numberRight = '(?![0-9A-Za-z_])(?![-/][0-9A-Za-z])(?!\\.[0-9])';
