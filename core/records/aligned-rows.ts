/** Rows of space-aligned tables (terminals, PDF readers), where only the position determines a cell's column. */

/** Minimum number of cells; a line with one cell is prose. */
const cellsMin = 2;

/**
 * Start and end of one cell per column of the header, empty for a missing cell. Undefined if the line is not a row.
 * @param lineStart start of the row's line
 * @param row start and end of each run of text in the line
 * @param headerStart start of the header's line
 * @param header start and end of each heading
 */
export function alignedRow(
  shadow: string,
  { lineStart, row }: { readonly lineStart: number; readonly row: readonly number[] },
  { headerStart, header }: { readonly headerStart: number; readonly header: readonly number[] },
): number[] | undefined {
  if (row.length < 2 * cellsMin || row.length > header.length + 4) return undefined;
  const places = widthsAt(shadow, lineStart, row);
  const headings = widthsAt(shadow, headerStart, header);
  const cells: number[] = [];
  let next = 0;
  let done = lineStart;
  for (let column = 0; 2 * column < header.length; column++) {
    let own = -1;
    for (; 2 * next < row.length && columnOf(headings, places, next) <= column; next++)
      if (own < 0 && columnOf(headings, places, next) === column) own = next;
    if (own < 0) {
      cells.push(done, done);
      continue;
    }
    done = row[2 * own + 1] as number;
    cells.push(row[2 * own] as number, done);
  }
  return cells;
}

/** The display width up to each offset; Japanese characters take two columns. */
function widthsAt(shadow: string, lineStart: number, places: readonly number[]): number[] {
  const widths: number[] = [];
  let width = 0;
  let at = lineStart;
  for (const place of places) {
    for (; at < place; at++) width += isWide(shadow.charCodeAt(at)) ? 2 : 1;
    widths.push(width);
  }
  return widths;
}

function isWide(c: number): boolean {
  return c > 0x2e7f && (c < 0xff61 || c > 0xff9f);
}

/** The column whose heading overlaps the cell most, else the nearest one. */
function columnOf(headings: readonly number[], places: readonly number[], cell: number): number {
  const start = places[2 * cell] as number;
  const end = places[2 * cell + 1] as number;
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (let column = 0; 2 * column < headings.length; column++) {
    const from = headings[2 * column] as number;
    const to = headings[2 * column + 1] as number;
    const shared = Math.min(end, to) - Math.max(start, from);
    const weight = shared > 0 ? shared : -Math.abs(start - from) - 1;
    if (weight > most) {
      most = weight;
      best = column;
    }
  }
  return best;
}
