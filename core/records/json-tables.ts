/**
 * JSON rows with separate column names: `[["phone",…],["030…",…]]` (sheets), `{"columns":[…],"rows":[[…]]}` and similar (query
 * results, pandas), `{"schema":{"fields":[{"name":…}]},"rows":[{"f":[{"v":…}]}]}` (BigQuery).
 */
import { isBlank } from '../context/gap.ts';
import { patternsOf } from '../pattern-data.ts';
import { beforeBlanks, listFrom, listKeyBefore } from './json-lists.ts';
import type { Table } from './table-syntax.ts';

const { headKey, listStart, rowsStart, headName, cellOrRow, isOfObjects, isOfCells } = patternsOf('json-tables');

const rowsReach = 2_000;
/** Maximum length of the column names, and of the text between two cells. */
const namesMax = 20_000;
const gapMax = 400;
const headMax = 60;
/** Maximum number of blanks between brackets. */
const blanksMax = 16;
const columnsMax = 500;
const cellsMax = 200_000;

/** All tables of that kind, in order. */
export function jsonTables(shadow: string): Table[] {
  const tables: Table[] = [];
  let done = 0;
  for (let at = shadow.indexOf('['); at >= 0; at = shadow.indexOf('[', Math.max(at + 1, done))) {
    if (!mayBeHeader(shadow, at, done)) continue;
    const table = tableAt(shadow, at);
    if (table !== undefined) tables.push(table);
    done = table?.end ?? (isOfObjects.test(shadow.slice(at, at + 36)) ? at + namesMax : at);
  }
  return tables;
}

/** True for a list of texts that starts a list, and for one of texts or objects after a key such as `columns`. */
function mayBeHeader(shadow: string, at: number, done: number): boolean {
  let next = at + 1;
  while (next < at + 1 + blanksMax && isBlank(shadow.charCodeAt(next))) next++;
  const opens = shadow.charCodeAt(next);
  if (opens !== 0x22 && opens !== 0x7b) return false;
  const before = beforeBlanks(shadow, at, blanksMax);
  if (shadow.charCodeAt(before) === 0x5b) return opens === 0x22 && before >= done;
  const key = listKeyBefore(shadow, at);
  return key !== undefined && key.start > done && headKey.test(shadow.slice(key.start, key.end));
}

type List = { readonly cells: number[]; readonly end: number };

function tableAt(shadow: string, start: number): Table | undefined {
  const header = listAt(shadow, start) ?? namesAt(shadow, start);
  if (header === undefined || !isHeader(shadow, header.cells)) return undefined;
  const width = header.cells.length >> 1;
  const rest = shadow.slice(header.end, header.end + rowsReach);
  const lead = rowsStart.exec(rest);
  if (lead === null) return undefined;
  const from = header.end + lead.index + lead[0].length;
  const cells: number[] = [];
  const end = rowsFrom(shadow, from, width, cells) ?? cellsFrom(shadow, from, width, cells);
  return end === undefined ? undefined : { start, headerEnd: header.end, end, width, header: header.cells, cells };
}

/** The flat list at this offset. */
function listAt(shadow: string, at: number): List | undefined {
  listStart.lastIndex = at;
  const open = listStart.exec(shadow);
  if (open === null) return undefined;
  const cells: number[] = [];
  const end = listFrom(shadow, at + open[0].length, cells, columnsMax);
  return end === undefined ? undefined : { cells, end };
}

/** The names in a list of objects. */
function namesAt(shadow: string, at: number): List | undefined {
  const list = shadow.slice(at, at + namesMax);
  if (!isOfObjects.test(list)) return undefined;
  const cells: number[] = [];
  headName.lastIndex = 0;
  for (let found = headName.exec(list); found !== null; found = headName.exec(list)) {
    const end = at + headName.lastIndex;
    if (found[1] === undefined) return cells.length === 0 ? undefined : { cells, end };
    cells.push(end - 1 - found[1].length, end - 1);
  }
  return undefined;
}

/** Column names are short words without numbers. */
function isHeader(shadow: string, cells: readonly number[]): boolean {
  for (let i = 0; i < cells.length; i += 2) {
    const head = shadow.slice(cells[i], cells[i + 1]);
    if (head.length > headMax || /[0-9]{4}|@/.test(head) || !/\p{L}/u.test(head)) return false;
  }
  return cells.length > 0;
}

/** Adds the cells of lists of the same width; returns the end of the last one. */
function rowsFrom(shadow: string, from: number, width: number, cells: number[]): number | undefined {
  let end: number | undefined;
  for (
    let row = listAt(shadow, from);
    row !== undefined && cells.length < 2 * cellsMax;
    row = listAt(shadow, row.end)
  ) {
    if (row.cells.length !== 2 * width) break;
    for (const offset of row.cells) cells.push(offset);
    end = row.end;
  }
  return end;
}

/** The same for rows with objects as cells. */
function cellsFrom(shadow: string, from: number, width: number, cells: number[]): number | undefined {
  if (!isOfCells.test(shadow.slice(from, from + 90))) return undefined;
  cellOrRow.lastIndex = from;
  let end: number | undefined;
  for (
    let found = cellOrRow.exec(shadow);
    found !== null && cells.length < 2 * cellsMax;
    found = cellOrRow.exec(shadow)
  ) {
    const value = found[1] ?? found[2];
    if (end !== undefined && found.index - end > gapMax) break;
    if (value === undefined) {
      // A row with missing cells.
      if (cells.length % (2 * width) !== 0) break;
      continue;
    }
    const close = cellOrRow.lastIndex - (found[1] === undefined ? 0 : 1);
    cells.push(close - value.length, close);
    end = cellOrRow.lastIndex;
  }
  return end;
}
