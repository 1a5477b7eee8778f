/** Tables of loaded rows. */
import { type ComponentChildren, html, type VNode, type WithChildren } from '../shared/html.ts';
import { type Column, Table, type TableProps } from '../shared/table.ts';
import { type Load, Loaded } from './load.ts';

type Cell<Row> = (row: Row) => ComponentChildren;

/** Columns by id; the heading of each is the word with its id. */
export function columnsOf<Row, Id extends string>(
  words: Readonly<Record<Id, unknown>>,
  columns: { readonly [Key in Id]?: Cell<Row> | Omit<Column<Row>, 'id' | 'label'> },
): Column<Row>[] {
  return Object.entries(columns as Record<string, Cell<Row> | Omit<Column<Row>, 'id' | 'label'>>).map(
    ([id, column]) => ({
      id,
      label: String(words[id as Id]),
      ...(typeof column === 'function' ? { show: column } : column),
    }),
  );
}

type TableCardProps<Body, Row> = WithChildren<Omit<TableProps<Row>, 'rows'>> & {
  readonly load: Load<Body>;
  readonly rows: (body: Body) => readonly Row[];
};

/** A card with the table of what was loaded, and its children below. */
export function TableCard<Body, Row>({ load, rows, children, ...table }: TableCardProps<Body, Row>): VNode {
  return html`<${Loaded}
    load=${load}
    show=${(body: Body) => html`<section class="card"><${Table} ...${table} rows=${rows(body)} />${children}</section>`}
  />`;
}
