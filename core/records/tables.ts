/**
 * Tables in plain text: delimited values, Markdown, database client output; also HTML and SQL `INSERT`. A label in a
 * header cell applies to its column. Linear time.
 */

import type { KeywordHit } from '../detect/keywords.ts';
import type { ScanText } from '../detect/scan.ts';
import words from '../lexicon/record-words.json' with { type: 'json' };
import { alignedRow } from './aligned-rows.ts';
import { hasInsertValues, htmlTableAt, insertAt, isAnnounced, type Table } from './table-syntax.ts';

/** The cells below a header cell. `id` is equal for all labels in that cell. */
export type Column = {
  readonly id: number;
  cells(): Generator<readonly [start: number, end: number]>;
  /** All headings of the table, in lower case, one per line. */
  headings(): string;
};

/** Maximum length of a header line, and of a heading. */
const headerMax = 1_000;
const headingMax = 40;
/** Maximum length of a line in a list of values, without and with spaces and quotes. */
const lineMax = 64;
const outerCellMax = headingMax + 6;
/** Length of the outer cells, which are checked first. */
const outerMax = 80;
/** A line between the header and the rows, or around them: `|---|:-:|`, `+----+----+`. */
const ruler = /^[ \t]*[|+:=-][-+|:= \t]*$/;
/** Column separator in Japanese texts; only the original text distinguishes it from a space. */
const wideSpace = '\u3000';
const delimiters = ['\t', '|', ';', ',', '  ', ' / ', '^', '~'];
const noDelimiters: readonly string[] = [];
const anyDelimiter = /[\t|;,^~]| {2}| \/ /;
const none: readonly Table[] = [];

/** A heading of another property of the value: `password_changed_at`, `パスポート有効期限`. */
const otherHeading = new RegExp(`^["'\`]?[\\s_.-]*(?:${words.otherProperties.join('|')})`, 'i');

/** The column below a label; undefined outside a table header. */
export function columnUnder(text: ScanText, hit: KeywordHit): Column | undefined {
  const table = tableAt(tablesOf(text), hit.start);
  if (table === undefined || hit.start >= table.headerEnd) return undefined;
  const at = cellAt(table.header, 0, table.header.length, hit.start);
  if (at < 0) return undefined;
  const isOther = otherHeading.test(text.shadow.slice(hit.end, table.header[at + 1]));
  return {
    id: table.start + at,
    cells: () => (isOther ? noCells() : cellsOf(table, at)),
    headings: () => headingsOf(text, table),
  };
}

function headingsOf({ shadow }: ScanText, { header }: Table): string {
  let all = '';
  for (let i = 0; i < header.length; i += 2) all += `${shadow.slice(header[i], header[i + 1])}\n`;
  return all.toLowerCase();
}

/** The header cell above an offset in a table row, and the start of the row. Undefined elsewhere. */
export function headingOver(
  text: ScanText,
  at: number,
): { readonly start: number; readonly end: number; readonly row: number } | undefined {
  const table = tableAt(tablesOf(text), at);
  if (table === undefined || at < table.headerEnd) return undefined;
  const { cells, header, width } = table;
  let low = 0;
  for (let high = cells.length >> 1; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((cells[2 * middle] as number) <= at) low = middle + 1;
    else high = middle;
  }
  const cell = low - 1;
  if (cell < 0 || at > (cells[2 * cell + 1] as number)) return undefined;
  const column = cell % width;
  return {
    start: header[2 * column] as number,
    end: header[2 * column + 1] as number,
    row: cells[2 * (cell - column)] as number,
  };
}

function* noCells(): Generator<never> {}

function* cellsOf({ cells, width }: Table, headerAt: number): Generator<readonly [number, number]> {
  for (let i = headerAt; i < cells.length; i += 2 * width) yield [cells[i] as number, cells[i + 1] as number];
}

/** The index of the cell that contains the offset, or -1. */
function cellAt(cells: readonly number[], from: number, to: number, at: number): number {
  for (let i = from; i < to; i += 2) if (at >= (cells[i] as number) && at < (cells[i + 1] as number)) return i;
  return -1;
}

function tableAt(tables: readonly Table[], at: number): Table | undefined {
  let low = 0;
  for (let high = tables.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((tables[middle] as Table).start <= at) low = middle + 1;
    else high = middle;
  }
  // Index -1 would be a slow property lookup.
  const table = low === 0 ? undefined : tables[low - 1];
  return table !== undefined && at < table.end ? table : undefined;
}

/** All tables with a label in their header. */
function tablesOf(text: ScanText): readonly Table[] {
  text.shared.tables ??= findTables(text);
  return text.shared.tables;
}

function findTables({ shadow, original, bytes, keywords }: ScanText): readonly Table[] {
  if (keywords.ordered.length === 0) return none;
  const tables: Table[] = [];
  let seen = 0;
  let lineSeen = 0;
  let hasInsert: boolean | undefined;
  for (const hit of keywords.ordered) {
    if (hit.start < seen) continue;
    let marked: Table | undefined;
    if (isBetweenTags(shadow, hit)) marked = htmlTableAt(shadow, hit.start);
    else if (isColumnName(shadow, hit)) {
      hasInsert ??= hasInsertValues(shadow);
      if (hasInsert) marked = insertAt(shadow, hit.start);
    }
    if (marked !== undefined) {
      tables.push(marked);
      seen = marked.end;
      continue;
    }
    if (hit.start < lineSeen) continue;
    const end = shadow.indexOf('\n', hit.end);
    if (end < 0) {
      lineSeen = shadow.length;
      continue;
    }
    lineSeen = end + 1;
    const start = headerStart(bytes, hit, end, seen);
    if (start < 0) continue;
    const isWide = original.slice(start, end).includes(wideSpace);
    const table = (isWide ? tableBetween(original, start, end, wideSpace) : undefined) ?? tableFrom(shadow, start, end);
    if (table === undefined) continue;
    tables.push(table);
    seen = table.end;
  }
  return tables.length === 0 ? none : tables;
}

/** The start of the header line of a label, at or after `floor`; -1 if its cells are too long for a header. */
function headerStart(bytes: Uint8Array, label: KeywordHit, end: number, floor: number): number {
  if (end - label.end > headerMax) return -1;
  let ownCell = 0;
  for (let i = label.end, cell = label.end - label.start; i < end; i++) {
    if (cell > outerCellMax) return -1;
    cell = isDelimiter(bytes, i) ? 0 : cell + 1;
    if (cell === 0 && ownCell === 0) ownCell = i - label.start;
  }
  let start = label.start;
  for (let cell = ownCell || end - label.start; start > floor && bytes[start - 1] !== 0x0a; start--) {
    if (isAnnounced(bytes, start, end)) break;
    if (cell > outerCellMax) return -1;
    cell = isDelimiter(bytes, start - 1) ? 0 : cell + 1;
  }
  return end - start > headerMax ? -1 : start;
}

/** True for a delimiter, or the last character of one. */
function isDelimiter(bytes: Uint8Array, i: number): boolean {
  const c = bytes[i] as number;
  if (c === 0 || c > 0x3b) return c === 0x7c;
  if (c === 0x2f) return bytes[i - 1] === 0x20 && bytes[i + 1] === 0x20;
  return c === 0x20 ? bytes[i - 1] === 0x20 : c === 0x2c || c === 0x09 || c === 0x3b;
}

/** True next to a tag of an HTML table. */
function isBetweenTags(shadow: string, { start, end }: KeywordHit): boolean {
  return shadow.charCodeAt(start - 1) === 0x3e || shadow.charCodeAt(end) === 0x3c;
}

/** True for a column name: in a list or part of a longer name. */
function isColumnName(shadow: string, { start, end }: KeywordHit): boolean {
  const lead = shadow.charCodeAt(start - 1);
  const tail = shadow.charCodeAt(end);
  return (lead === 0x28 || isColumnSign(lead)) && (tail === 0x29 || isColumnSign(tail));
}

function isColumnSign(c: number): boolean {
  const lower = c | 0x20;
  if (c >= 0x80) return (c < 0x3001 || c === 0xfeff) && isSpace.test(String.fromCharCode(c));
  if ((lower >= 0x61 && lower <= 0x7a) || c === 0x20 || (c >= 0x09 && c <= 0x0d)) return true;
  return c === 0x2c || c === 0x22 || c === 0x60 || c === 0x5f;
}

const isSpace = /\s/;

/** The table whose header is this line; undefined for any other line. */
export function tableFrom(shadow: string, start: number, headerEnd: number): Table | undefined {
  // Checks the outer cells first: most lines are prose.
  const head = shadow.slice(start, Math.min(headerEnd, start + outerMax + 1));
  const tail = shadow.slice(Math.max(start, headerEnd - outerMax), headerEnd);
  for (const delimiter of anyDelimiter.test(head) ? delimiters : noDelimiters) {
    if (!head.includes(delimiter) || !tail.includes(delimiter)) continue;
    const table = tableBetween(shadow, start, headerEnd, delimiter);
    if (table !== undefined) return table;
  }
  return listBelow(shadow, start, headerEnd);
}

/** The table with cells between this delimiter. */
function tableBetween(text: string, start: number, headerEnd: number, delimiter: string): Table | undefined {
  const header = cellsOfLine(text, start, headerEnd, delimiter, true);
  const width = header.length >> 1;
  if (width < (delimiter === wideSpace || delimiter === ' / ' ? 3 : 2) || !isHeader(text, header, delimiter))
    return undefined;
  const cells: number[] = [];
  let end = headerEnd + 1;
  // A header followed by an empty line.
  if (delimiter !== '  ' && text.charCodeAt(end) === 0x0a) end++;
  while (end < text.length) {
    const newline = text.indexOf('\n', end);
    const rowEnd = newline < 0 ? text.length : newline;
    if (rowEnd - end > 4 * headerMax) break;
    if (!ruler.test(text.slice(end, Math.min(rowEnd, end + headerMax)))) {
      const row = rowOf(text, end, rowEnd, { start, header, delimiter });
      if (row === undefined) break;
      for (const offset of row) cells.push(offset);
    }
    end = rowEnd + 1;
  }
  return cells.length > 0 ? { start, headerEnd, end, width, header, cells } : undefined;
}

type Header = { readonly start: number; readonly header: readonly number[]; readonly delimiter: string };

/** The cells of a row, one per heading; undefined for any other line. */
function rowOf(shadow: string, start: number, end: number, of: Header): readonly number[] | undefined {
  const row = cellsOfLine(shadow, start, end, of.delimiter);
  if (row.length === of.header.length) return row;
  // Spreadsheets omit empty cells at the end of a row.
  if (of.delimiter === '\t' && row.length > 2 && row.length < of.header.length) {
    const last = row[row.length - 1] as number;
    return [...row, ...new Array<number>(of.header.length - row.length).fill(last)];
  }
  if (of.delimiter !== '  ' && of.delimiter !== wideSpace) return undefined;
  return alignedRow(shadow, { lineStart: start, row }, { headerStart: of.start, header: of.header });
}

/** Maximum number of rows searched upwards for a header. */
const rowsAboveMax = 400;
/** A header contains a word. */
const headingWord = /[A-Za-z\u3040-\u9FFF]/;

/** The delimited table with a row at the offset. Its header is the first row above, after `floor`. */
export function delimitedTableAt(shadow: string, at: number, floor: number): Table | undefined {
  const lineStart = shadow.lastIndexOf('\n', at - 1) + 1;
  // The header is above.
  if (lineStart <= floor) return undefined;
  const newline = shadow.indexOf('\n', at);
  const lineEnd = newline < 0 ? shadow.length : newline;
  if (lineEnd - lineStart > 4 * headerMax) return undefined;
  for (const delimiter of delimiters) {
    if (shadow.slice(lineStart, lineEnd).indexOf(delimiter) < 0) continue;
    const width = cellsOfLine(shadow, lineStart, lineEnd, delimiter).length;
    if (width < 4) continue;
    let top = lineStart;
    let seen = lineStart;
    let most = width;
    for (let rows = 0; seen > floor && rows < rowsAboveMax; rows++) {
      const start = shadow.lastIndexOf('\n', seen - 2) + 1;
      if (start < floor || seen - 1 - start > 4 * headerMax) break;
      const own = ruler.test(shadow.slice(start, seen - 1))
        ? most
        : cellsOfLine(shadow, start, seen - 1, delimiter).length;
      // Space-aligned rows may lack cells; the header does not.
      if (own !== width && (delimiter !== '  ' || own < 4)) break;
      seen = start;
      if (own < most) continue;
      most = own;
      top = start;
    }
    if (top === lineStart) continue;
    while (ruler.test(shadow.slice(top, shadow.indexOf('\n', top)))) top = shadow.indexOf('\n', top) + 1;
    const headerEnd = shadow.indexOf('\n', top);
    if (headerEnd < 0 || top >= lineStart || !headingWord.test(shadow.slice(top, headerEnd))) continue;
    const table = tableFrom(shadow, top, headerEnd);
    if (table !== undefined && table.width > 1 && at < table.end) return table;
  }
  return undefined;
}

/** A one-column table: a heading alone on its line above at least two lines of the same shape. */
function listBelow(shadow: string, start: number, headerEnd: number): Table | undefined {
  const header = trimmed(shadow, start, headerEnd);
  if (header[1] - header[0] > headingMax || !isHeader(shadow, header)) return undefined;
  const cells: number[] = [];
  let end = headerEnd + 1;
  for (let shape = ''; end < shadow.length; ) {
    const newline = shadow.indexOf('\n', end);
    const rowEnd = newline < 0 ? shadow.length : newline;
    if (rowEnd - end > lineMax) break;
    const row = trimmed(shadow, end, rowEnd);
    const own = shadow
      .slice(row[0], row[1])
      .replace(/[0-9]/g, '0')
      .replace(/[A-Za-z]/g, 'a');
    if (own === '' || (shape !== '' && own !== shape)) break;
    shape = own;
    cells.push(row[0], row[1]);
    end = rowEnd + 1;
  }
  return cells.length < 4 ? undefined : { start, headerEnd, end, width: 1, header, cells };
}

function trimmed(shadow: string, start: number, end: number): [start: number, end: number] {
  let a = start;
  let b = end;
  while (a < b && isBlank(shadow.charCodeAt(a))) a++;
  while (b > a && isBlank(shadow.charCodeAt(b - 1))) b--;
  return [a, b];
}

/** True for short cells without numbers that are neither code nor a list. */
function isHeader(shadow: string, cells: readonly number[], delimiter = ''): boolean {
  if (cells.at(-1) === cells.at(-2) && cells.length === 4) return false;
  // `Rego:     CKB 41T`: a form.
  const closing = shadow.charCodeAt((cells[1] as number) - 1);
  if (cells.length === 4 && (closing === 0x3a || closing === 0xff1a)) return false;
  // `Born  1 May 90`: a form without a colon.
  if (cells.length === 4 && delimiter === '  ' && /[0-9]/.test(shadow.slice(cells[2], cells[3]))) return false;
  if (delimiter === wideSpace && /[0-9０-９]/.test(shadow.slice(cells[0], cells.at(-1)))) return false;
  for (let i = 0; i < cells.length; i += 2) {
    const heading = shadow.slice(cells[i], cells[i + 1]);
    if (heading.length > headingMax || /[0-9]{3}|[:：=。！？]\s*\S|[{}<>[\]=;]|^[^(]*\)|\([^)]*$/.test(heading))
      return false;
  }
  return true;
}

/** Start and end of each cell, excluding whitespace and quotes; empty for a header with an overlong cell. */
export function cellsOfLine(
  shadow: string,
  start: number,
  end: number,
  delimiter: string,
  isOfHeader = false,
): number[] {
  const cells: number[] = [];
  let from = start;
  let to = end;
  while (from < to && isBlank(shadow.charCodeAt(from)) && shadow[from] !== delimiter) from++;
  while (to > from && isBlank(shadow.charCodeAt(to - 1)) && shadow[to - 1] !== delimiter) to--;
  // Markdown lines start and end with a bar.
  if (delimiter === '|' && shadow[from] === '|') from++;
  if (delimiter === '|' && to > from && shadow[to - 1] === '|') to--;
  while (from <= to) {
    let i = from;
    if (shadow[i] === '"' && delimiter !== '|') {
      const close = closingQuote(shadow, i + 1, to);
      if (close > 0) i = close;
    }
    let cut = shadow.indexOf(delimiter, i);
    if (cut < 0 || cut > to) cut = to;
    let [a, b] = trimmed(shadow, from, cut);
    if (b - a >= 2 && /["'`]/.test(shadow[a] as string) && shadow[b - 1] === shadow[a]) {
      a++;
      b--;
    }
    if (isOfHeader && b - a > headingMax) return [];
    cells.push(a, b);
    from = cut + delimiter.length;
    if (cut === to) break;
    if (delimiter === '  ' || delimiter === wideSpace) while (shadow[from] === delimiter[0]) from++;
  }
  return cells;
}

/** The end of the closing quote, or 0. A doubled quote is escaped. */
function closingQuote(shadow: string, from: number, end: number): number {
  for (let i = shadow.indexOf('"', from); i >= 0 && i < end; i = shadow.indexOf('"', i + 2)) {
    if (shadow[i + 1] !== '"') return i + 1;
  }
  return 0;
}

function isBlank(c: number): boolean {
  return c === 0x20 || c === 0x09 || c === 0x0d;
}
