/** Tables of the portal. On a narrow screen each row becomes a list of column names and cells. */
import { type Html, html } from './html.ts';

/** The heading of a column; `isNumber` aligns its cells to the right. */
export type Column = { readonly name: string; readonly isNumber?: boolean };

/** A table of cells in the order of the columns. */
export function table(columns: readonly Column[], rows: readonly (readonly (Html | string)[])[]): Html {
  const kind = (column: Column | undefined) => (column?.isNumber ? html` class="number"` : '');
  const heads = columns.map((column) => html`<th scope="col"${kind(column)}>${column.name}</th>`);
  const cells = (row: readonly (Html | string)[]) =>
    row.map((cell, i) => html`<td data-name="${columns[i]?.name}"${kind(columns[i])}><div>${cell}</div></td>`);
  return html`<table><thead><tr>${heads}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody></table>`;
}
