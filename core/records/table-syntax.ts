/** Tables in markup: HTML rows, and the columns and values of an SQL `INSERT`. */

/** A header and its rows. Offsets of the text. */
export type Table = {
  readonly start: number;
  readonly headerEnd: number;
  readonly end: number;
  readonly width: number;
  /** Start and end of each header cell. */
  readonly header: readonly number[];
  /** Start and end of each cell below, row by row. */
  readonly cells: readonly number[];
};

const rowMax = 2_000;
/** Maximum distance between two rows: `</thead><tbody>`. */
const betweenRows = 200;
const headingMax = 40;

/** The HTML table whose heading (`<th>`) contains the offset. A row with both `<td>` and `<th>` is a form, not a header. */
export function htmlTableAt(shadow: string, at: number): Table | undefined {
  if (shadow.slice(at, at + headingMax + 8).search(/<\/th/i) < 0) return undefined;
  const before = shadow.slice(Math.max(0, at - rowMax), at);
  const start = at - before.length + before.toLowerCase().lastIndexOf('<tr');
  if (start < at - before.length) return undefined;
  const first = htmlRow(shadow, start);
  if (first === undefined || first.cells.length < 4 || !first.isHeader) return undefined;
  const cells: number[] = [];
  let end = first.end;
  for (;;) {
    const next = shadow.slice(end, end + betweenRows).search(/<tr[\s>]/i);
    const row = next < 0 ? undefined : htmlRow(shadow, end + next);
    if (row === undefined || row.cells.length !== first.cells.length) break;
    for (const offset of row.cells) cells.push(offset);
    end = row.end;
  }
  if (cells.length === 0) return undefined;
  return { start, headerEnd: first.end, end, width: first.cells.length >> 1, header: first.cells, cells };
}

function htmlRow(shadow: string, start: number) {
  const row = shadow.slice(start, start + rowMax);
  const length = row.search(/<\/tr/i);
  if (length < 0) return undefined;
  const cells: number[] = [];
  let isHeader = true;
  for (const cell of row.slice(0, length).matchAll(/<t([dh])(?:\s[^<>]*)?>([^<]*)/gi)) {
    const text = cell[2] ?? '';
    if (cell[1] === 'd' || cell[1] === 'D') isHeader = false;
    const from = start + cell.index + cell[0].length - text.trimStart().length;
    cells.push(from, from + text.trim().length);
  }
  return { cells, isHeader, end: start + length };
}

const insertSign = /\)\s{0,8}VALUES?\s{0,8}\(/iy;

/** True if the text contains the values of an `INSERT`. */
export function hasInsertValues(shadow: string): boolean {
  for (let at = shadow.indexOf(')'); at >= 0; at = shadow.indexOf(')', at + 1)) {
    // Most brackets are function calls.
    let next = at + 1;
    while (next < at + 9 && shadow.charCodeAt(next) <= 0x20) next++;
    const c = shadow.charCodeAt(next);
    if (c < 0x80 && (c | 0x20) !== 0x76) continue;
    insertSign.lastIndex = at;
    if (insertSign.test(shadow)) return true;
  }
  return false;
}

/** The `INSERT` whose column list contains the offset. */
export function insertAt(shadow: string, at: number): Table | undefined {
  const before = shadow.slice(Math.max(0, at - rowMax), at);
  const open = before.lastIndexOf('(');
  if (open < 0 || /[)'";]/.test(before.slice(open).replace(/["`]/g, ''))) return undefined;
  const start = at - before.length + open;
  const list = shadow.slice(start, start + rowMax);
  const close = list.indexOf(')');
  const values = /^\s{0,8}VALUES?\s{0,8}(?=\()/i.exec(list.slice(close + 1, close + 28));
  if (close < 0 || values === null) return undefined;
  const header = tuple(shadow, start)?.cells;
  if (header === undefined) return undefined;
  const cells: number[] = [];
  let end = start + close + 1 + values[0].length;
  for (
    let row = tuple(shadow, end);
    row !== undefined && row.cells.length === header.length;
    row = tuple(shadow, end)
  ) {
    for (const offset of row.cells) cells.push(offset);
    end = row.end;
    const gap = /^\s{0,8},\s{0,8}(?=\()/.exec(shadow.slice(end, end + 20));
    if (gap === null) break;
    end += gap[0].length;
  }
  if (cells.length === 0) return undefined;
  return { start, headerEnd: start + close, end, width: header.length >> 1, header, cells };
}

/** The parts of `(1, 'a, b', NULL)` without their quotes. */
function tuple(shadow: string, start: number) {
  if (shadow[start] !== '(') return undefined;
  const cells: number[] = [];
  let from = start + 1;
  for (let i = from; i < shadow.length && i - start < rowMax; i++) {
    const c = shadow[i];
    if (c === "'" || c === '"' || c === '`') {
      for (i++; i < shadow.length && i - start < rowMax && shadow[i] !== c; i++) if (shadow[i] === '\\') i++;
    } else if (c === ',' || c === ')') {
      const part = shadow.slice(from, i);
      const quotes = /^\s*(?:[A-Za-z]{1,9}\s?(?=['"`]))?['"`]?/.exec(part)?.[0].length ?? 0;
      const end = i - (/['"`]?\s*$/.exec(part)?.[0].length ?? 0);
      cells.push(Math.min(from + quotes, end), end);
      if (c === ')') return { cells, end: i + 1 };
      from = i + 1;
    }
  }
  return undefined;
}

/** True after `Pipe delimited: `, for a header separated by bars or tabs, or by commas without spaces. */
export function isAnnounced(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start - 1] !== 0x20 || bytes[start - 2] !== 0x3a) return false;
  let signs = 0;
  for (let i = start; i < end; i++) {
    const c = bytes[i] as number;
    if (c === 0x20) return false;
    if (c === 0x7c || c === 0x09 || c === 0x2c) signs++;
  }
  return signs > 1;
}
