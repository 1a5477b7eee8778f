/** Finds the heading above a cell in any wording. Only for ambiguous cells; linear time for offsets in text order. */
import type { Table } from './table-syntax.ts';
import { htmlTableAt } from './table-syntax.ts';
import { delimitedTableAt } from './tables.ts';

const markup = 60;
const htmlHeaderMax = 20_000;

/** Finds headings in one text, for offsets in increasing order. */
export class CellHeadings {
  readonly #shadow: string;
  #table: Table | undefined;
  /** No undiscovered header starts before this offset. */
  #floor = 0;
  /** End of a line that is not in a table. */
  #proseEnd = -1;

  constructor(shadow: string) {
    this.#shadow = shadow;
  }

  /** The heading of the column whose cell is exactly `start..end`, in lower case; undefined elsewhere. */
  over(start: number, end: number): string | undefined {
    const shadow = this.#shadow;
    const left = leftOf(shadow, start);
    if (left === noSign && !isCellEnd(shadow, end)) return undefined;
    if (this.#table === undefined || start >= this.#table.end) {
      // Do not search the end of a long line again for each offset.
      if (left !== 0x3e && start < this.#proseEnd) return undefined;
      this.#table = left === 0x3e ? this.#htmlTable(start) : delimitedTableAt(shadow, start, this.#floor);
      if (this.#table === undefined) {
        this.#pass(start, left === 0x3e);
        return undefined;
      }
      this.#floor = this.#table.end;
    }
    const { header, cells, width } = this.#table;
    const cell = cellStartingAt(cells, start);
    if (cell < 0 || cells[2 * cell + 1] !== end) return undefined;
    const column = cell % width;
    return shadow.slice(header[2 * column], header[2 * column + 1]).toLowerCase();
  }

  /** Records that there is no table here. The line may still be the header of the rows below. */
  #pass(start: number, isHtml: boolean): void {
    if (isHtml) {
      this.#floor = start;
      return;
    }
    this.#floor = this.#shadow.lastIndexOf('\n', start - 1) + 1;
    const newline = this.#shadow.indexOf('\n', start);
    this.#proseEnd = newline < 0 ? this.#shadow.length : newline;
  }

  #htmlTable(start: number): Table | undefined {
    const from = Math.max(this.#floor, start - htmlHeaderMax);
    const at = this.#shadow.slice(from, start).toLowerCase().lastIndexOf('<th');
    if (at < 0) return undefined;
    const table = htmlTableAt(this.#shadow, from + at + 4);
    return table !== undefined && start < table.end ? table : undefined;
  }
}

const noSign = -1;

/** The separator before a cell, ignoring spaces and a quote; -1 if there is none. */
function leftOf(shadow: string, start: number): number {
  let i = start - 1;
  while (i >= 0 && shadow.charCodeAt(i) === 0x20) i--;
  if (i >= 0 && isQuote(shadow.charCodeAt(i))) i--;
  const c = i < 0 ? 0x0a : shadow.charCodeAt(i);
  if (c === 0x3e) return /<td[^<>]*>\s*$/i.test(shadow.slice(Math.max(0, start - markup), start)) ? c : noSign;
  return isCellSign(c) || (start > 1 && shadow.charCodeAt(start - 1) === 0x20 && shadow.charCodeAt(start - 2) === 0x20)
    ? c
    : noSign;
}

/** True before a separator, ignoring a quote and spaces. */
function isCellEnd(shadow: string, end: number): boolean {
  let i = end;
  if (isQuote(shadow.charCodeAt(i))) i++;
  while (shadow.charCodeAt(i) === 0x20) i++;
  const c = i < shadow.length ? shadow.charCodeAt(i) : 0x0a;
  return (
    isCellSign(c) ||
    c === 0x0d ||
    c === 0x3c ||
    (shadow.charCodeAt(end) === 0x20 && shadow.charCodeAt(end + 1) === 0x20)
  );
}

function isCellSign(c: number): boolean {
  return c === 0x2c || c === 0x3b || c === 0x7c || c === 0x09 || c === 0x0a;
}

function isQuote(c: number): boolean {
  return c === 0x22 || c === 0x27 || c === 0x60;
}

/** The index of the cell that starts here, or -1. */
function cellStartingAt(cells: readonly number[], start: number): number {
  let low = 0;
  let high = cells.length >> 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((cells[2 * middle] as number) < start) low = middle + 1;
    else high = middle;
  }
  return cells[2 * low] === start ? low : -1;
}
