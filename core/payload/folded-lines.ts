/** Lines of calendars and contacts (RFC 5545 §3.1, RFC 6350 §3.2), which are broken anywhere, also within an address. */

const border = /^\uFEFF?(begin|end):(vcalendar|vcard)[ \t]*$/gim;
const property = /^[\w.-]+[:;]/;

/** The text with the broken lines of the calendars and contacts in it joined, as their readers do. */
export function unfolded(text: string): string {
  // A colon is rare, and quickly found.
  if (!text.includes(':V') && !text.includes(':v')) return text;
  let result = '';
  let from = 0;
  for (const { start, end } of blocksIn(text)) {
    result += text.slice(from, start) + joinedLines(text.slice(start, end));
    from = end;
  }
  return from === 0 ? text : result + text.slice(from);
}

type Block = { readonly start: number; readonly end: number };

/** Calendars and contacts that end; the outer ones of those within each other. */
function blocksIn(text: string): Block[] {
  const blocks: Block[] = [];
  const open: Record<string, number[]> = { vcalendar: [], vcard: [] };
  for (const { index, 1: word = '', 2: kind = '' } of text.matchAll(border)) {
    const starts = open[kind.toLowerCase()];
    if (word.toLowerCase() === 'begin') {
      starts?.push(index);
      continue;
    }
    const start = starts?.pop();
    if (start === undefined) continue;
    while ((blocks.at(-1)?.start ?? -1) > start) blocks.pop();
    // Two that cross each other are none.
    if ((blocks.at(-1)?.end ?? 0) <= start) blocks.push({ start, end: index });
  }
  return blocks;
}

/** Only what goes on with a property is joined: other lines that begin with a blank are texts of their own. */
function joinedLines(block: string): string {
  const parts: string[] = [];
  let isProperty = false;
  for (const line of block.split('\n')) {
    if (isProperty && /^[ \t]/.test(line)) {
      parts.push((parts.pop() ?? '').replace(/\r$/, ''), line.slice(1));
      continue;
    }
    isProperty = property.test(line.replace(/^\uFEFF/, ''));
    parts.push(parts.length === 0 ? line : `\n${line}`);
  }
  return parts.join('');
}
