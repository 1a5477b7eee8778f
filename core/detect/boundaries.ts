/** Boundaries of numbers. `\b` fails next to kana and kanji, and matches parts of serials, versions, dates and UUIDs. */

/** Before: no letter, digit, or separator of a longer serial. */
export const numberLeft = '(?<![0-9A-Za-z_])(?<![0-9A-Za-z][-/])(?<![0-9]\\.)';

/** After: the same; a full stop that ends the sentence is allowed. */
export const numberRight = '(?![0-9A-Za-z_])(?![-/][0-9A-Za-z])(?!\\.[0-9])';
