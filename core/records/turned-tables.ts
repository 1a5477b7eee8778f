/** Transposed tables, with a heading and its values per line: delimited, Markdown, HTML, JSON with lists. */
import type { ScanText } from '../detect/scan.ts';
import words from '../lexicon/record-words.json' with { type: 'json' };
import { isHeadingCell } from './heading-cell.ts';
import { headingHits, typeOfHeading } from './headings.ts';
import { listFrom, listKeyBefore } from './json-lists.ts';
import type { Table } from './table-syntax.ts';
import { cellsOfLine } from './tables.ts';

const delimiters = ['\t', '|', ';', ','];
const lineMax = 2_000;
const headingMax = 40;
const rowsMax = 2_000;
/** Minimum number of lines. With commas, which also separate words, one more line without numbers. */
const rowsMin = 2;
const ruler = /^[ \t]*[|+:=-][-+|:= \t]*$/;
const marksBefore = /^[\s|"'`*-]{0,6}$/;

/** A heading and the starts and ends of its values. */
type Row = { readonly start: number; readonly end: number; readonly cells: readonly number[] };

/** All transposed tables, in text order. */
export function turnedTables(scan: ScanText): Table[] {
  const { shadow } = scan;
  return [
    ...(shadow.includes('\n') ? turnedLines(scan) : []),
    ...(shadow.includes('<th') ? turnedHtml(shadow) : []),
    ...(shadow.includes('[') ? listsByHeading(shadow) : []),
  ];
}

function turnedLines(scan: ScanText): Table[] {
  const { shadow } = scan;
  const tables: Table[] = [];
  let seen = 0;
  for (const hit of headingHits(scan)) {
    if (hit.start < seen) continue;
    const lineStart = shadow.lastIndexOf('\n', hit.start - 1) + 1;
    const newline = shadow.indexOf('\n', hit.end);
    const lineEnd = newline < 0 ? shadow.length : newline;
    if (lineEnd - lineStart > lineMax) seen = lineEnd;
    if (lineEnd - lineStart > lineMax || !marksBefore.test(shadow.slice(lineStart, hit.start))) continue;
    const { table, end } = linesFrom(scan, lineStart, lineEnd);
    if (table !== undefined) tables.push(table);
    seen = end;
  }
  return tables;
}

/** The table at a line, if any, and the end of the examined lines. */
type Lines = { readonly table: Table | undefined; readonly end: number };

function linesFrom(scan: ScanText, start: number, lineEnd: number): Lines {
  const { shadow } = scan;
  let end = lineEnd;
  for (const delimiter of delimiters) {
    const at = shadow.indexOf(delimiter, start + 1);
    if (at < 0 || at >= lineEnd) continue;
    const rows = rowsFrom(shadow, start, delimiter);
    end = Math.max(end, rows.at(-1)?.end ?? end);
    const headed = rows.filter(({ cells }) => opens(scan, cells)).length;
    const isProse = delimiter === ',' && !/[0-9]/.test(shadow.slice(start, rows.at(-1)?.end));
    if (headed < rowsMin + (isProse ? 1 : 0) || headed * 2 < rows.length) continue;
    return { table: hasHeader(shadow, rows, delimiter) ? undefined : turned(rows), end };
  }
  return { table: undefined, end };
}

/** The lines with the same number of cells as the first one. */
function rowsFrom(shadow: string, start: number, delimiter: string): Row[] {
  const rows: Row[] = [];
  let width = 0;
  for (let from = start; from < shadow.length && rows.length < rowsMax; ) {
    const newline = shadow.indexOf('\n', from);
    const end = newline < 0 ? shadow.length : newline;
    if (end - from > lineMax) break;
    if (!ruler.test(shadow.slice(from, end)) || rows.length === 0) {
      const cells = cellsOfLine(shadow, from, end, delimiter);
      if (cells.length < 4 || (width !== 0 && cells.length !== width)) break;
      if ((cells[1] as number) - (cells[0] as number) > headingMax) break;
      width = cells.length;
      rows.push({ start: from, end, cells });
    }
    from = end + 1;
  }
  return rows;
}

/** True if only the first cell is a heading. */
function opens(scan: ScanText, cells: readonly number[]): boolean {
  const { shadow } = scan;
  if (!isHeadingCell(scan, cells[0] as number, cells[1] as number)) return false;
  for (let i = 2; i < cells.length; i += 2)
    if (isTyped(shadow, cells[i] as number, cells[i + 1] as number)) return false;
  return true;
}

function isTyped(shadow: string, start: number, end: number): boolean {
  return end > start && typeOfHeading(shadow.slice(start, end).replace(/[:：*\s]+$/, '')) !== undefined;
}

/** True below a line that starts with a word for fields or keys: such lines describe fields. */
function hasHeader(shadow: string, rows: readonly Row[], delimiter: string): boolean {
  const { start, cells } = rows[0] as Row;
  if (cells.length < 6 || start === 0) return false;
  let end = start - 1;
  let from = shadow.lastIndexOf('\n', end - 1) + 1;
  if (ruler.test(shadow.slice(from, end)) && from > 0) {
    end = from - 1;
    from = shadow.lastIndexOf('\n', end - 1) + 1;
  }
  if (end - from > lineMax) return false;
  const above = cellsOfLine(shadow, from, end, delimiter);
  return above.length === cells.length && fieldWord.test(shadow.slice(above[0], above[1]));
}

const fieldWord = new RegExp(`^(?:${words.fields.join('|')})(?!\\p{L})`, 'iu');

/** The table whose header is the first cells. */
function turned(rows: readonly Row[]): Table {
  const width = rows.length;
  const header = rows.flatMap(({ cells }) => [cells[0] as number, cells[1] as number]);
  const cells: number[] = [];
  const most = (rows[0] as Row).cells.length;
  for (let i = 2; i < most; i += 2) {
    for (const row of rows) cells.push(row.cells[i] as number, row.cells[i + 1] as number);
  }
  const start = (rows[0] as Row).start;
  return { start, headerEnd: start, end: (rows[width - 1] as Row).end, width, header, cells };
}

const htmlRow = new RegExp(
  String.raw`<tr\b[^<>]{0,200}>\s{0,40}<th\b[^<>]{0,200}>([^<>]{1,60})</th>` +
    String.raw`((?:\s{0,40}<td\b[^<>]{0,200}>[^<>]{0,400}</td>){1,40})`,
  'gi',
);
const htmlCell = /<td\b[^<>]{0,200}>([^<>]{0,400})<\/td>/gi;
/** Maximum distance between two rows. */
const betweenRows = 60;

function turnedHtml(shadow: string): Table[] {
  const tables: Table[] = [];
  let rows: Row[] = [];
  const end = () => {
    if (rows.length > 0) tables.push(turned(rows));
    rows = [];
  };
  for (const found of shadow.matchAll(htmlRow)) {
    const [whole, heading = '', rest = ''] = found;
    const from = found.index + whole.length - rest.length;
    const cells = [found.index + whole.indexOf(`>${heading}<`) + 1, 0];
    cells[1] = (cells[0] as number) + heading.length;
    for (const cell of rest.matchAll(htmlCell)) {
      const text = cell[1] ?? '';
      const at = from + cell.index + cell[0].length - text.length - '</td>'.length;
      cells.push(at, at + text.length);
    }
    const last = rows.at(-1);
    if (last !== undefined && (last.cells.length !== cells.length || found.index - last.end > betweenRows)) end();
    rows.push({ start: found.index, end: found.index + whole.length, cells });
  }
  end();
  return tables;
}

const betweenLists = 64;
/** Members of a table with separate column names and rows. */
const isOfTable = /^(?:columns?|index|data|rows?|values?|heads?|headers?|fields?|names?|cols|keys)$/i;

/** Members of an object with lists of equal length. */
function listsByHeading(shadow: string): Table[] {
  const tables: Table[] = [];
  let rows: Row[] = [];
  const end = () => {
    if (rows.length > 1) tables.push(turned(rows));
    rows = [];
  };
  let done = 0;
  for (let at = shadow.indexOf('['); at >= 0; at = shadow.indexOf('[', Math.max(at + 1, done))) {
    const key = listKeyBefore(shadow, at);
    if (key === undefined || key.start <= done || isOfTable.test(shadow.slice(key.start, key.end))) continue;
    const cells = [key.start, key.end];
    const listEnd = listFrom(shadow, at + 1, cells, rowsMax);
    if (listEnd === undefined) continue;
    const last = rows.at(-1);
    if (last !== undefined && (last.cells.length !== cells.length || key.start - last.end > betweenLists)) end();
    rows.push({ start: key.start - 1, end: listEnd, cells });
    done = listEnd;
  }
  end();
  return tables;
}
