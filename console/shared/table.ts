/** Rows of one kind. On a narrow screen each row becomes a small card with its column names. */
import { type ComponentChildren, html, type VNode } from './html.ts';

export type Column<Row> = {
  readonly id: string;
  readonly label: string;
  readonly show: (row: Row) => ComponentChildren;
  readonly align?: 'end';
  /** Makes the column heading a sort button. */
  readonly onSort?: () => void;
  readonly sorted?: 'ascending' | 'descending';
  readonly isLabelHidden?: boolean;
};

export type TableProps<Row> = {
  /** Read by screen readers before the table. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Shown if there are no rows. */
  readonly empty?: ComponentChildren;
  readonly onRow?: (row: Row) => void;
  readonly isChosen?: (row: Row) => boolean;
};

export function Table<Row>({ caption, columns, rows, keyOf, empty, onRow, isChosen }: TableProps<Row>): VNode {
  if (rows.length === 0 && empty !== undefined) return html`<div>${empty}</div>`;
  return html`<div class="table-scroll" role="region" aria-label=${caption} tabindex="0">
    <table class="table">
      <caption class="unseen">${caption}</caption>
      <thead><tr>${columns.map(
        ({
          id,
          label,
          align,
          onSort,
          sorted,
          isLabelHidden,
        }) => html`<th key=${id} scope="col" class=${align} data-column=${id} aria-sort=${sorted}>
          ${
            onSort === undefined
              ? html`<span class=${isLabelHidden ? 'unseen' : ''}>${label}</span>`
              : html`<button type="button" class="sort" onClick=${onSort}
                  >${label}<span aria-hidden="true">${sorted === undefined ? '↕' : sorted === 'ascending' ? '↑' : '↓'}</span
                ></button>`
          }
        </th>`,
      )}</tr></thead>
      <tbody>${rows.map(
        (row) => html`<tr
          key=${keyOf(row)}
          class=${[onRow ? 'pressable' : '', isChosen?.(row) ? 'chosen' : ''].join(' ')}
          onClick=${onRow && (() => onRow(row))}
        >${columns.map(
          ({
            id,
            label,
            show,
            align,
            isLabelHidden,
          }) => html`<td key=${id} class=${align} data-column=${id} data-label=${isLabelHidden ? '' : label}>
            <div>${show(row)}</div>
          </td>`,
        )}</tr>`,
      )}</tbody>
    </table>
  </div>`;
}
