/**
 * The heading over a cell of a table, whichever words it holds: for values that need their column to be told. Looked up
 * only for cells in doubt; going through a text in order takes time linear in it.
 */
import type { Table } from './table-syntax.ts';
import { htmlTableAt } from './table-syntax.ts';
import { delimitedTableAt } from './tables.ts';

const markup = 60;
const htmlHeaderMax = 20_000;

/** Finds headings in one text, in order of the places asked for. */
export class CellHeadings {
  readonly #shadow: string;
  #table: Table | undefined;
  /** No header of a table that was not found yet stands before this place. */
  #floor = 0;
  /** End of a line that is known to belong to no table. */
  #proseEnd = -1;

  constructor(shadow: string) {
    this.#shadow = shadow;
  }

  /** The heading of the column whose cell is exactly `start..end`, in lower case; undefined elsewhere. */
  over(start: number, end: number): string | undefined {
    const shadow = this.#shadow;
    const left = leftOf(shadow, start);
    const right = rightOf(shadow, end);
    if (left === '' && right === '') return undefined;
    if (this.#table === undefined || start >= this.#table.end) {
      // Without this each place of a long line would look for the ends of the line anew.
      if (left !== '>' && start < this.#proseEnd) return undefined;
      this.#table = left === '>' ? this.#htmlTable(start) : delimitedTableAt(shadow, start, this.#floor);
      if (this.#table === undefined) {
        this.#pass(start, left === '>');
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

  /** Notes that there is no table at the place. The line of the cell may itself be the header of the next rows. */
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

/** The sign before a cell, without blanks and a quote; empty where none of those that stand between cells is. */
function leftOf(shadow: string, start: number): string {
  let i = start - 1;
  while (i >= 0 && isSpace(shadow[i])) i--;
  if (i >= 0 && isQuote(shadow[i])) i--;
  const c = i < 0 ? '\n' : (shadow[i] as string);
  if (c === '>') return /<td[^<>]*>\s*$/i.test(shadow.slice(Math.max(0, start - markup), start)) ? '>' : '';
  return cellSigns.has(c) || (start > 1 && shadow[start - 1] === ' ' && shadow[start - 2] === ' ') ? c : '';
}

function rightOf(shadow: string, end: number): string {
  let i = end;
  if (isQuote(shadow[i])) i++;
  while (i < shadow.length && isSpace(shadow[i])) i++;
  const c = shadow[i] ?? '\n';
  return cellSigns.has(c) || c === '\r' || c === '<' || (shadow[end] === ' ' && shadow[end + 1] === ' ') ? c : '';
}

const cellSigns = new Set([',', ';', '|', '\t', '\n']);

function isSpace(c: string | undefined): boolean {
  return c === ' ';
}

function isQuote(c: string | undefined): boolean {
  return c === '"' || c === "'" || c === '`';
}

/** The number of the cell that starts at the place, or -1. */
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
