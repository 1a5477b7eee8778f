/** A name of any length in a cell of a table. */
import { html, type VNode } from './html.ts';
import { piecesOf } from './name-pieces.ts';

/** The text. A word too long for its column breaks after punctuation, else anywhere. */
export function LongName({ text }: { readonly text: string }): VNode {
  return html`${piecesOf(text).map((piece, i) => (i === 0 ? piece : html`<wbr />${piece}`))}`;
}
