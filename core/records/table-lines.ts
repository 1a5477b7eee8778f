/**
 * Rewrites tables of any format as lines of `heading: cell`: JSON rows with separate column names, SQL `INSERT`, HTML,
 * delimited values. Recognizers then read them as ordinary text.
 */
import { isDigit } from '../characters.ts';
import type { Decoded } from '../detect/escapes.ts';
import { countBefore, type KeywordHit } from '../detect/keywords.ts';
import type { ScanText } from '../detect/scan.ts';
import type { Detection } from '../recognizer.ts';
import { isHeadingCell } from './heading-cell.ts';
import { isListedHeading, isNoValue, personalHits, typeOfHeading } from './headings.ts';
import { jsonTables } from './json-tables.ts';
import { hasInsertValues, htmlTableAt, insertAt, type Table } from './table-syntax.ts';
import { tableFrom } from './tables.ts';
import { turnedTables } from './turned-tables.ts';

/** Maximum number of cells; further cells are not read again. */
const cellsMax = 200_000;
const cellMax = 1_000;
const headerMax = 1_000;
/** Stands for headings such as `name` in tables of people. */
const personHeading = 'name of a person';
/** Offset of characters that are not in the text. */
const nowhere = -1;

/** The lines, and a check whether a detection is inside a cell. */
export type TableLines = Decoded & { isInCell(detection: Detection): boolean };

/** The lines of all tables; undefined if there are none. */
export function tableLines(scan: ScanText): TableLines | undefined {
  /** Cells of delimited tables, whose columns other recognizers read themselves. */
  const delimited = new Set<Table['cells']>();
  const tables = tablesIn(scan, delimited);
  if (tables.length === 0) return undefined;
  const { original } = scan;
  const starts: number[] = [];
  const parts: string[] = [];
  const ofPeople = personalHits(scan);
  let left = cellsMax;
  for (const { header, cells, width } of tables) {
    const isTelling = Array.from({ length: width }, (_, n) =>
      isHeadingCell(scan, header[2 * n] as number, header[2 * n + 1] as number, delimited.has(cells)),
    );
    if (!isTelling.includes(true)) continue;
    const headings = isTelling.map((_, n) =>
      scan.original.slice(header[2 * n], header[2 * n + 1]).replaceAll('\n', ' '),
    );
    const isOfPeople = hasHit(ofPeople, header[0] as number, header[2 * width - 1] as number);
    for (let i = 0; i < cells.length && left > 0; i += 2, left--) {
      const column = (i >> 1) % width;
      const [start, end] = [cells[i] as number, Math.min(cells[i + 1] as number, (cells[i] as number) + cellMax)];
      const heading = headings[column] as string;
      if (isTelling[column] && holdsValue(scan.shadow, start, end) && !original.startsWith(heading, start)) {
        const lead = `${isOfPeople && isListedHeading(heading) ? personHeading : heading}: `;
        parts.push(lead, original.slice(start, end), '\n');
        for (let k = 0; k < lead.length; k++) starts.push(nowhere);
        for (let at = start; at < end; at++) starts.push(at);
        starts.push(nowhere);
      }
      if (column === width - 1) {
        parts.push('\n');
        starts.push(nowhere);
      }
    }
  }
  starts.push(nowhere);
  const places = Int32Array.from(starts);
  return {
    text: parts.join(''),
    starts: places,
    isInCell: ({ start, end }) =>
      places[start] !== nowhere && (places[end - 1] as number) - (places[start] as number) === end - 1 - start,
  };
}

function hasHit(hits: readonly KeywordHit[], from: number, to: number): boolean {
  const hit = hits[countBefore(hits, from)];
  return hit !== undefined && hit.end <= to;
}

/** True for three digits or a word; anything shorter is never a value. */
function holdsValue(shadow: string, start: number, end: number): boolean {
  if (end - start > 12) return true;
  const cell = shadow.slice(start, end);
  // A heading below a heading: a list of fields, or translated names.
  if (isNoValue(cell) || (end - start > 4 && typeOfHeading(cell) === 'NAME')) return false;
  if (end - start > 8) return true;
  let digits = 0;
  for (let i = start; i < end; i++) {
    const c = shadow.charCodeAt(i);
    if (isDigit(c)) digits++;
    else if (c > 0x3000 || (c > 0x40 && end - start > 1)) return true;
  }
  return digits > 2;
}

function tablesIn(scan: ScanText, delimited: Set<Table['cells']>): Table[] {
  const { shadow } = scan;
  const tables = [...turnedTables(scan), ...jsonTables(shadow)];
  if (shadow.includes('<th')) addHtml(shadow, tables);
  if (hasInsertValues(shadow)) addInserts(shadow, tables);
  if (shadow.includes('\n')) addDelimited(scan, tables, delimited);
  tables.sort((a, b) => a.start - b.start);
  let end = -1;
  return tables.filter((table) => {
    if (table.start < end) return false;
    end = table.end;
    return true;
  });
}

function addHtml(shadow: string, tables: Table[]): void {
  for (let at = shadow.indexOf('<th'); at >= 0; at = shadow.indexOf('<th', at)) {
    const place = shadow.indexOf('>', at) + 1;
    const table = place > 0 ? htmlTableAt(shadow, place) : undefined;
    if (table !== undefined) tables.push(table);
    at = table?.end ?? shadow.indexOf('<tr', at);
    if (at < 0) return;
  }
}

const insert = /\binsert\s{1,8}into\s{1,8}[^\s(]{1,80}\s{0,8}\(/gi;

function addInserts(shadow: string, tables: Table[]): void {
  insert.lastIndex = 0;
  for (let found = insert.exec(shadow); found !== null; found = insert.exec(shadow)) {
    const table = insertAt(shadow, found.index + found[0].length);
    if (table === undefined) continue;
    tables.push(table);
    insert.lastIndex = table.end;
  }
}

/** Delimited tables with a heading of people's records. */
function addDelimited(scan: ScanText, tables: Table[], delimited: Set<Table['cells']>): void {
  const { shadow } = scan;
  let seen = 0;
  for (const { start } of personalHits(scan)) {
    if (start < seen) continue;
    const end = shadow.indexOf('\n', start);
    if (end < 0) return;
    const from = shadow.lastIndexOf('\n', start) + 1;
    seen = end + 1;
    if (end - from > headerMax) continue;
    const table = tableFrom(shadow, from, end);
    if (table === undefined) continue;
    tables.push(table);
    delimited.add(table.cells);
    seen = table.end;
  }
}
