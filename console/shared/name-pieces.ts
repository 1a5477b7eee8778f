/** Break opportunities in names of any length. */

/** Maximum length of a word that never breaks; table columns are wide enough. */
const wholeMax = 20;
/** Longer parts without punctuation are cut into pieces of this length; Chinese and Japanese characters are twice as wide. */
const pieceMax = 12;
const wide = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー]';
const pieces = new RegExp(`${wide}{1,${pieceMax / 2}}|.{1,${pieceMax}}`, 'gsu');

/** Splits the text where it may break, in addition to spaces and hyphens. */
export function piecesOf(text: string): string[] {
  return text
    .split(/(?<=[\s-])/)
    .flatMap((word) => (isShort(word) ? [word] : word.split(/(?<=[.@_/:])/)))
    .flatMap((piece) => (isShort(piece) ? [piece] : (piece.match(pieces) ?? [])));
}

function isShort(text: string): boolean {
  return [...text].length <= wholeMax;
}
