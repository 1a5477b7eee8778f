/**
 * Accounts in records of banks, told by their form alone: ACH entries, the data of Japanese banks (zengin) in columns and
 * separated by commas, direct entries of Australia, and the magnetic line at the foot of a cheque.
 */
import { isAbaRouting } from '../checksums.ts';
import type { ScanText } from '../shadow.ts';
import type { Stretch } from './stretch.ts';

/** What records hold, and the lines of theirs in which nothing else is an account. */
export type Records = { readonly accounts: readonly Stretch[]; readonly lines: readonly Stretch[] };

const lineMin = 20;
const lineMax = 240;
/** So many lines of magnetic ink are looked at for the British form. */
const magneticMax = 64;
const none: Records = { accounts: [], lines: [] };
/** A line with many digits at its beginning, a form of records. */
const recordLine = /^[ \t>]{0,4}"?[1-9](?:[0-9]{3}|[0-9]{0,3}"?,)/;
/** So many characters may stand before the first digit. */
const leadMax = 5;
/** Entry of ACH: code of the transaction, routing with its check digit, 17 characters of account, amount. */
const achEntry = /^[ \t>]{0,4}6(?:2[2-9]|3[2-9])([0-9]{9})([0-9A-Z -]{17})[0-9]{10}/d;
/** Entry of zengin: bank and name, branch and name, clearing house, kind, account. */
const zenginEntry =
  /^[ \t>]{0,4}2[0-9]{4}[^0-9\n,]{8,20}[0-9]{3}[^0-9\n,]{8,24}(?:[0-9]{4})?[1249]([0-9]{7})(?![0-9]{1,2}(?![0-9]))/d;
const zenginHeader =
  /^[ \t>]{0,4}1[1-9][0-9][01]?[0-9]{10}[^0-9\n,]{8,44}[0-9]{8}[^0-9\n,]{8,20}[0-9]{3}[^0-9\n,]{8,20}[1249]([0-9]{7})(?![0-9])/d;
/** The same with commas: some of its fields are empty. */
const zenginFields =
  /^[ \t>]{0,4}"?(?:2|1"?,"?[1-9][0-9]"?,"?[01]?"?,"?[0-9]{10}"?,[^,\n]{1,48},"?[0-9]{4})"?,"?[0-9]{4}"?,[^,\n]{0,24},"?[0-9]{0,3}"?,[^,\n]{0,24},(?:"?(?:[0-9]{4})?"?,)?"?[1249]"?,"?([0-9]{7})(?![0-9])/d;
/** Direct entry of Australia: branch, nine places of account, code of the transaction, amount. */
const directEntry = /^1[0-9]{3}-[0-9]{3}([0-9 -]{9})[ NTWXY](?:13|5[0-7])[0-9]{10}/d;
/** BACS: sort code and account of the payee, kind, code of the transaction, sort code and account of the payer. */
const bacsEntry = /^[0-9]{6}([0-9]{8})[0-9](?:0[1-9]|1[0-9]|99)[0-9]{6}([0-9]{8})[0-9 ]{4}[0-9]{11}/d;
/** Those that may begin with a digit; the last with any. */
const entriesOf: ReadonlyMap<number, readonly RegExp[]> = new Map([
  [0x31, [zenginHeader, zenginFields, directEntry, bacsEntry]],
  [0x32, [zenginEntry, zenginFields, bacsEntry]],
  [0x36, [achEntry, bacsEntry]],
]);
const otherEntries = [bacsEntry];
/** Between the signs of magnetic ink: `⑆091000019⑆ 6027714583⑈`. */
const magnetic =
  /⑆[ ]?([0-9]{9}|[0-9]{5}[⑉-][0-9]{3}|[0-9]{2}[⑉-]?[0-9]{2}[⑉-]?[0-9]{2})[ ]?⑆[ ]{0,3}([0-9]{4,17}(?:[ ⑉-][0-9]{2,8}){1,2}(?=[ ]?⑈)|[0-9]{4,17})/dg;
const britishMagnetic = /(?<=[0-9]⑆ ?|[0-9]⑆ {2})[0-9]{8}(?=[ ⑈])/g;

/** The accounts in records, in order; work is done only where a line begins as one does. */
export function accountsInRecords({ shadow, bytes, numbers }: ScanText): Records {
  const accounts: Stretch[] = [];
  const lines: Stretch[] = [];
  addMagnetic(shadow, accounts);
  let hasEntry = false;
  let isBacs: boolean | undefined;
  const ofBacs = () => {
    isBacs ??= /bacs|st(?:andar)?d ?18/i.test(shadow);
    return isBacs;
  };
  for (const at of numbers) {
    const start = lineStart(bytes, at);
    // No record begins with a zero.
    if (start < 0 || bytes[at] === 0x30) continue;
    const newline = shadow.indexOf('\n', at);
    const end = newline < 0 ? shadow.length : newline;
    if (end - start <= lineMin) continue;
    const line = shadow.slice(start, Math.min(end, start + lineMax));
    if (!recordLine.test(line)) continue;
    lines.push({ start, end });
    const forms = entriesOf.get(bytes[at] as number) ?? otherEntries;
    if (addEntry(line, start, { forms, accounts, ofBacs })) hasEntry = true;
  }
  if (accounts.length === 0) return none;
  return { accounts: accounts.sort((a, b) => a.start - b.start), lines: hasEntry ? lines : [] };
}

/** True for a number in one of the lines, which are in order. */
export function isInLine(lines: readonly Stretch[], { start }: Stretch): boolean {
  let low = 0;
  for (let high = lines.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((lines[middle] as Stretch).end <= start) low = middle + 1;
    else high = middle;
  }
  return (lines[low]?.start ?? Number.POSITIVE_INFINITY) <= start;
}

/** Where the line starts that begins with the digit, behind blanks, marks of a quote and a quotation mark at most; else -1. */
function lineStart(bytes: Uint8Array, at: number): number {
  for (let i = at; i >= at - leadMax; i--) {
    if (i === 0) return 0;
    const c = bytes[i - 1];
    if (c === 0x0a) return i;
    if (c !== 0x20 && c !== 0x09 && c !== 0x22 && c !== 0x3e) return -1;
  }
  return -1;
}

type Into = { readonly forms: readonly RegExp[]; readonly accounts: Stretch[]; ofBacs(): boolean };

function addEntry(line: string, start: number, { forms, accounts, ofBacs }: Into): boolean {
  for (const entry of forms) {
    const groups = entry.exec(line)?.indices;
    if (groups === undefined || (entry === bacsEntry && !ofBacs())) continue;
    for (const [from, to] of groups.slice(1) as [number, number][]) {
      const field = line.slice(from, to);
      const value = field.trim();
      if (!/^[0-9](?:[0-9 -]{0,15}[0-9])$/.test(value)) continue;
      // The first field of ACH is the routing number.
      if (entry === achEntry && value.length === 9 && from < 8 && !isAbaRouting(value)) return false;
      const at = start + from + field.indexOf(value);
      accounts.push({ start: at, end: at + value.length });
    }
    return true;
  }
  return false;
}

function addMagnetic(shadow: string, accounts: Stretch[]): void {
  if (!shadow.includes('⑆')) return;
  for (const { indices } of shadow.matchAll(magnetic)) {
    const [, code, account] = indices as unknown as [number, number][];
    if (code !== undefined && isAbaRouting(shadow.slice(code[0], code[1])))
      accounts.push({ start: code[0], end: code[1] });
    if (account !== undefined) accounts.push({ start: account[0], end: account[1] });
  }
  for (const { index } of shadow.matchAll(britishMagnetic))
    if (accounts.length < magneticMax && !accounts.some(({ start }) => start === index))
      accounts.push({ start: index, end: index + 8 });
}
