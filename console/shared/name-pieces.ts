/** Where a name of any length may break. */

/** A word of so many characters stays whole; the columns of a table find room for it. */
const wholeMax = 20;
/** A part of a longer word that has no sign to break at is cut into pieces of so many. */
const pieceMax = 12;
const pieces = new RegExp(`.{1,${pieceMax}}`, 'gsu');

/** The text in pieces between which it may break. Spaces and hyphens are such places anyway. */
export function piecesOf(text: string): string[] {
  return text
    .split(/(?<=[\s-])/)
    .flatMap((word) => (isShort(word) ? [word] : word.split(/(?<=[.@_/:])/)))
    .flatMap((piece) => (isShort(piece) ? [piece] : (piece.match(pieces) ?? [])));
}

function isShort(text: string): boolean {
  return [...text].length <= wholeMax;
}
