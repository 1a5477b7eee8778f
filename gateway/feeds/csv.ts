/** Service lists as CSV (RFC 4180; also with semicolons or tabs). The first line names the columns. */

import { PrivetError } from '../../core/errors.ts';
import { unguarded } from '../csv.ts';
import type { RawEntry } from './raw-entry.ts';

/** Single-valued columns, and multi-valued ones, separated by spaces, `|` or `;`. */
const single = ['service_name', 'domain', 'category', 'kind', 'vendor', 'country', 'reason', 'scope', 'is_blocked'];
const several = ['alternate_domains', 'host_patterns', 'url_prefixes', 'api_hosts', 'user_content'];
/** Other column names in use. */
const alias: Readonly<Record<string, string>> = {
  name: 'service_name',
  service: 'service_name',
  host: 'domain',
  hostname: 'domain',
  domains: 'domain',
  action: 'category',
  blocked: 'is_blocked',
  aliases: 'alternate_domains',
  alternates: 'alternate_domains',
};
const words: Readonly<Record<string, string>> = { allow: 'approved', warn: 'monitoring', block: 'blocked' };

function categoryOf(word: string): string {
  return Object.hasOwn(words, word) ? (words[word] as string) : word;
}

/** The entries, by line. @throws PrivetError `invalid_input` without a column `domain`, or for an unclosed quote */
export function readCsv(text: string): { entries: RawEntry[]; warnings: string[] } {
  const rows = rowsOf(text.replace(/^\ufeff/, ''));
  const head = rows.shift()?.cells.map((cell) => cell.trim().toLowerCase().replace(/[ -]/g, '_')) ?? [];
  const columns = head.map((name) => (Object.hasOwn(alias, name) ? (alias[name] as string) : name));
  if (!columns.includes('domain')) {
    throw new PrivetError('invalid_input', 'The first line must name the columns, one of them "domain".');
  }
  const unknown = columns.filter((name) => !single.includes(name) && !several.includes(name));
  const warnings = unknown.map((name) => `the column "${name.slice(0, 60)}" is unknown and ignored`);
  const entries = rows.flatMap(({ line, cells }): RawEntry[] => {
    const fields: Record<string, unknown> = {};
    for (const [i, name] of columns.entries()) {
      const cell = unguarded((cells[i] ?? '').trim());
      if (cell === '') continue;
      if (several.includes(name)) fields[name] = cell.split(/[\s|;]+/).filter(Boolean);
      else if (name === 'is_blocked') fields[name] = /^(?:true|yes|1)$/i.test(cell);
      else if (name === 'category') fields[name] = categoryOf(cell.toLowerCase());
      else if (single.includes(name)) fields[name] = cell;
    }
    return Object.keys(fields).length === 0 ? [] : [{ where: `line ${line}`, fields }];
  });
  return { entries, warnings };
}

type Row = { readonly line: number; readonly cells: string[] };

function rowsOf(text: string): Row[] {
  const separator = /^[^\r\n"]*?([,;\t])/.exec(text)?.[1] ?? ',';
  const rows: Row[] = [];
  let line = 1;
  let quote = text.indexOf('"');
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const stop = end === -1 ? text.length : end;
    if (quote !== -1 && quote < at) quote = text.indexOf('"', at);
    const isPlain = quote === -1 || quote > stop;
    // Fast path for nearly all lines; reading character by character takes ten times as long.
    const row = isPlain
      ? { cells: text.slice(at, stop).replaceAll('\r', '').split(separator), next: stop + 1, lines: 1 }
      : quotedRow(text, at, { separator, line });
    if (row.cells.some((cell) => cell !== '') && !row.cells[0]?.startsWith('#')) rows.push({ line, cells: row.cells });
    line += row.lines;
    at = row.next;
  }
  return rows;
}

/** The row that starts here; its cells may contain line breaks. `next`: where the next row starts. */
function quotedRow(text: string, from: number, { separator, line }: { separator: string; line: number }) {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let lines = 0;
  for (let i = from; i < text.length; i++) {
    const character = text[i] as string;
    if (character === '\n') lines++;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[i + 1] === '"') cell += text[i++];
      else isQuoted = false;
    } else if (character === '"' && cell.trim() === '') {
      cell = '';
      isQuoted = true;
    } else if (character === separator) {
      cells.push(cell);
      cell = '';
    } else if (character === '\n') return { cells: [...cells, cell], next: i + 1, lines };
    else if (character !== '\r') cell += character;
  }
  if (isQuoted) throw new PrivetError('invalid_input', `The quote that begins in line ${line} is not closed.`);
  return { cells: [...cells, cell], next: text.length, lines };
}
