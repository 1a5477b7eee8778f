/** Lines of calendars and contacts (RFC 5545 §3.1, RFC 6350 §3.2), which may break anywhere, even within an address. */

const border = /^\uFEFF?(begin|end):(vcalendar|vcard|vevent|vtodo|vjournal)[ \t]*$/gim;
const property = /^[\w.-]+[:;]/;
/** A line of a calendar or contact within other text: a name in capitals, or a continuation line. */
const cutLine = /\r?\n(?:(?:item\d+\.)?(?:X-[\w-]+|[A-Z][A-Z\d-]*)[:;]|[ \t])[^\n]*/y;

/** Joins the folded lines of calendars and contacts, as their readers do. */
export function unfolded(text: string): string {
  let result = '';
  let from = 0;
  for (const { start, end } of foldsIn(text)) {
    result += text.slice(from, start);
    from = end;
  }
  return from === 0 ? text : result + text.slice(from);
}

type Fold = { readonly start: number; readonly end: number; readonly character: string };

/** Where the lines of calendars and contacts are folded: a line break and the blank behind it, which stand for nothing. */
export function foldsIn(text: string): Fold[] {
  // A colon is rare and quickly found.
  if (!text.includes(':V') && !text.includes(':v')) return [];
  return blocksIn(text).flatMap(({ start, end }) => foldsOf(text.slice(start, end), start));
}

type Block = { readonly start: number; readonly end: number };

/** Finds calendars and contacts, without nested ones. One without an end extends as far as its lines look like one. */
function blocksIn(text: string): Block[] {
  const blocks: Block[] = [];
  const open = new Map<string, number[]>();
  for (const { index, 1: word = '', 2: kind = '' } of text.matchAll(border)) {
    const starts = open.get(kind.toLowerCase()) ?? [];
    open.set(kind.toLowerCase(), starts);
    if (word.toLowerCase() === 'begin') {
      starts.push(index);
      continue;
    }
    const start = starts.pop();
    if (start === undefined) continue;
    while ((blocks.at(-1)?.start ?? -1) > start) blocks.pop();
    // Blocks that overlap partially are not calendars or contacts.
    if ((blocks.at(-1)?.end ?? 0) <= start) blocks.push({ start, end: index });
  }
  return withCut(blocks, [...open.values()].flat(), text);
}

function withCut(blocks: Block[], starts: readonly number[], text: string): Block[] {
  if (starts.length === 0) return blocks;
  const all: Block[] = [];
  for (const { start, end } of [...blocks, ...starts.map((at) => ({ start: at, end: -1 }))].sort(byStart)) {
    const last = all.at(-1);
    if (last !== undefined && start < last.end) {
      if (end > last.end) all[all.length - 1] = { start: last.start, end };
      continue;
    }
    all.push({ start, end: end < 0 ? cutEnd(text, start) : end });
  }
  return all;
}

function cutEnd(text: string, start: number): number {
  const lineEnd = text.indexOf('\n', start);
  if (lineEnd < 0) return text.length;
  let end = lineEnd;
  cutLine.lastIndex = lineEnd;
  while (cutLine.test(text)) end = cutLine.lastIndex;
  return end;
}

const byStart = (a: Block, b: Block) => a.start - b.start;

/** The folds of properties; other lines that start with a space are separate texts. */
function foldsOf(block: string, offset: number): Fold[] {
  const folds: Fold[] = [];
  let isProperty = false;
  let at = offset;
  for (const line of block.split('\n')) {
    const isFolded = isProperty && /^[ \t]/.test(line);
    if (isFolded) folds.push({ start: at - (block[at - offset - 2] === '\r' ? 2 : 1), end: at + 1, character: '' });
    else isProperty = property.test(line.replace(/^\uFEFF/, ''));
    at += line.length + 1;
  }
  return folds;
}
