/** Splits a long list into pages. */

import { inBoth } from '../../core/wording/in-both.ts';
import { Button } from './button.ts';
import { html, useState, type VNode } from './html.ts';
import { useTexts } from './preferences.ts';

const texts = inBoth({
  pages: ['Pages', 'ページ'],
  before: ['Previous', '前へ'],
  next: ['Next', '次へ'],
  page: [(n: number, of: number) => `Page ${n} of ${of}`, (n: number, of: number) => `${n} / ${of} ページ`],
});

export type Pages<Row> = {
  readonly rows: readonly Row[];
  /** Shows the page with the row at this index. */
  readonly show: (at: number) => void;
  /** The buttons; false if one page is enough. */
  readonly pager: VNode | false;
};

/** The rows of the current page, or of the last one if the list has become shorter. */
export function usePages<Row>(all: readonly Row[], size: number): Pages<Row> {
  const words = useTexts(texts);
  const [page, setPage] = useState(0);
  const count = Math.max(1, Math.ceil(all.length / size));
  const at = Math.min(page, count - 1);
  const pager =
    count > 1 &&
    html`<nav class="row pager" aria-label=${words.pages}>
      <${Button} isDisabled=${at === 0} onClick=${() => setPage(at - 1)}>${words.before}</${Button}>
      <${Button} isDisabled=${at === count - 1} onClick=${() => setPage(at + 1)}>${words.next}</${Button}>
      <span class="quiet-text number" role="status">${words.page(at + 1, count)}</span>
    </nav>`;
  return {
    rows: all.slice(at * size, (at + 1) * size),
    show: (row) => setPage(Math.floor(row / size)),
    pager,
  };
}
