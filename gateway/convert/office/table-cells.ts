/** Finds table cells in text documents, slides and pages (`w:tbl`, `a:tbl`, `table:table`, `table`). */
import { isLabel } from '../../../core/payload/labelled.ts';
import { typeOfHeading } from '../../../core/records/headings.ts';
import type { TextGroup } from './text-runs.ts';

/** A cell: its table, row (numbered through the part) and column. */
export type TableCell = { readonly row: number; readonly table: number; readonly column: number };

const tag = /<(\/?)(?:[\w.-]+:)?(tbl|tr|tc|table(?:-row|-cell)?|covered-table-cell|td|th)(?=[\s/>])([^<>]*)>/gi;
const repeated = /number-columns-repeated\s*=\s*["'](\d{1,3})["']/;
/** Maximum number of columns. */
const columnsMax = 500;

type Open = { table: number; row: number; column: number };

/** The innermost cell from an offset on; undefined between cells. */
type Change = { readonly at: number; readonly cell: TableCell | undefined };

/** The innermost cell around each group of texts; undefined outside tables. Linear time. */
function cellsOfGroups(xml: string, groups: readonly TextGroup[]): (TableCell | undefined)[] {
  const changes = changesIn(xml);
  if (changes.length === 0) return groups.map(() => undefined);
  return groups.map(({ runs }) => {
    const at = runs[0]?.start ?? 0;
    let low = 0;
    for (let high = changes.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if ((changes[middle] as Change).at <= at) low = middle + 1;
      else high = middle;
    }
    return changes[low - 1]?.cell;
  });
}

function changesIn(xml: string): Change[] {
  const changes: Change[] = [];
  const tables: Open[] = [];
  const cells: (TableCell | undefined)[] = [];
  let count = 0;
  let rows = 0;
  for (const [whole, closes, name = '', attributes = '', at] of tagsOf(xml)) {
    const kind = name.toLowerCase();
    const open = tables.at(-1);
    if (kind === 'tbl' || kind === 'table') {
      if (closes) tables.pop();
      else if (!attributes.endsWith('/')) tables.push({ table: count++, row: -1, column: 0 });
    } else if (open === undefined) {
    } else if (kind === 'tr' || kind === 'table-row') {
      if (!closes) {
        open.row = rows++;
        open.column = 0;
      }
    } else if (closes) {
      cells.pop();
      changes.push({ at: at + whole.length, cell: cells.at(-1) });
    } else {
      const cell = { table: open.table, row: open.row, column: open.column };
      open.column = Math.min(columnsMax, open.column + Number(repeated.exec(attributes)?.[1] ?? 1));
      if (attributes.endsWith('/')) continue;
      cells.push(cell);
      changes.push({ at: at + whole.length, cell });
    }
  }
  return changes;
}

function* tagsOf(xml: string): Generator<readonly [string, boolean, string, string, number]> {
  for (const { 0: whole, 1: slash, 2: name = '', 3: attributes = '', index } of xml.matchAll(tag))
    yield [whole, slash === '/', name, attributes, index];
}

/** Maximum length of a cell whose paragraphs are joined into one line. */
const cellLineMax = 120;

/** The texts of groups as lines: a row's cells on one line, separated by tabs; every other text on its own. */
export function linesOfGroups(
  xml: string,
  groups: readonly TextGroup[],
  shown: (group: TextGroup) => string[],
): string {
  const cells = cellsOfGroups(xml, groups);
  const parts: string[] = [];
  let last: TableCell | undefined;
  let length = 0;
  for (const [i, group] of groups.entries()) {
    const cell = cells[i];
    for (const text of shown(group)) {
      const before = cell !== undefined && last?.row === cell.row && last.table === cell.table ? last : undefined;
      const further = before === undefined ? 0 : (cell?.column ?? 0) - before.column;
      const isSameCell = before !== undefined && further === 0;
      if (further > 0) parts.push('\t'.repeat(further));
      else if (isSameCell && length + text.length < cellLineMax) parts.push(' ');
      else parts.push(parts.length === 0 ? '' : '\n', before === undefined ? '\t'.repeat(cell?.column ?? 0) : '');
      length = isSameCell ? length + text.length : text.length;
      parts.push(text);
      last = cell;
    }
  }
  return parts.join('');
}

/** Labels groups from the tables: by the column heading in the first row, or by the first cell of the row. */
export function withCellLabels(xml: string, groups: readonly TextGroup[]): readonly TextGroup[] {
  const cells = cellsOfGroups(xml, groups);
  if (cells.every((cell) => cell === undefined)) return groups;
  const headings = new Map<string, string>();
  const firstRows = new Map<number, number>();
  const rowHeads = new Map<number, string>();
  /** The text of the previous cell, by row. */
  const before = new Map<number, string>();
  /** Rows whose first cell does not label the others, because another one is a heading. */
  const headerRows = new Set<number>();
  for (const [i, { text }] of groups.entries()) {
    const cell = cells[i];
    if (cell !== undefined && cell.column > 0 && typeOfHeading(withoutColon(text)) !== undefined)
      headerRows.add(cell.row);
  }
  return groups.map((group, i) => {
    const cell = cells[i];
    const own = withoutColon(group.text);
    if (cell === undefined || group.label !== undefined || own === '') return group;
    const { table, row, column } = cell;
    const first = firstRows.get(table) ?? row;
    firstRows.set(table, first);
    const labels = [
      row === first ? undefined : headings.get(`${table} ${column}`),
      column === 0 || headerRows.has(row) ? undefined : rowHeads.get(row),
      // Labels and values alternate; a heading has no digit.
      headerRows.has(row) && /\d/.test(own) ? before.get(row) : undefined,
    ];
    before.set(row, own);
    if (row === first) headings.set(`${table} ${column}`, own);
    if (column === 0) rowHeads.set(row, own);
    const label = labels.find((name) => name !== undefined && isLabel(name, group.text, true));
    return label === undefined ? group : { ...group, label };
  });
}

function withoutColon(text: string): string {
  return text.trim().replace(/[:：]$/, '');
}
