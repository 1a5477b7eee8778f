/** IPv4 and IPv6 addresses (RFC 4291 §2.2), excluding versions, clock times and C++ scopes. */

import { codesOf } from '../detect/code-set.ts';
import { matchesIn, type ScanText } from '../detect/scan.ts';
import { patternsOf } from '../pattern-data.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';

const patterns = patternsOf('ip-address');

const sectionMax = 99;
const ipv6LengthMax = 45;
/** Shortest address without `::`: eight groups and seven colons. */
const fullLengthMin = 15;

/** Checks runs of digits with dots, and colons between hexadecimal digits. */
export const ipAddress: Recognizer = {
  name: 'ip-address',
  type: 'IP_ADDRESS',
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    const add = (start: number, end: number) =>
      found.push(detectionAt(text, start, end, { type: 'IP_ADDRESS', score: 0.9, recognizer: 'ip-address' }));
    for (const run of text.digitRuns) {
      if (run.dots < 3) continue;
      for (const { start, end } of matchesIn(text.shadow, patterns.ipv4, run)) {
        const written = text.shadow.slice(start, end);
        if (patterns.version.test(text.shadow.slice(Math.max(0, start - 16), start))) continue;
        const before = text.shadow.slice(Math.max(0, start - 24), start);
        const after = text.shadow.slice(end, end + 16);
        if (
          patterns.versionWords.test(before) ||
          patterns.revision.test(after) ||
          (written.startsWith('0.') && written !== '0.0.0.0' && after[0] !== '/')
        )
          continue;
        if (/[a-z0-9]@$/.test(before) && /^[0-9]\./.test(written)) continue;
        if (patterns.decimalBefore.test(before) && patterns.decimalAfter.test(after)) continue;
        if (patterns.identifier.test(written) && text.shadow[end] !== '/') continue;
        if (!isSection(text.shadow, written, start, end)) add(start, end);
      }
    }
    let done = 0;
    for (const colon of text.hexColons) {
      if (colon < done) continue;
      let start = colon;
      while (start > done && isAddressCode(text.shadow.charCodeAt(start - 1))) start--;
      let end = colon;
      while (isAddressCode(text.shadow.charCodeAt(end))) end++;
      done = end;
      if (end - start > ipv6LengthMax + 1) continue;
      end = trimmedEnd(text.shadow, start, end);
      // The colon of a label such as `IP:` or `接続元：` is not part of the address.
      const isLabelled = text.shadow[start] === ':' && text.shadow[start + 1] !== ':';
      if (isLabelled) start++;
      if (end - start < fullLengthMin && !text.shadow.slice(start, end).includes('::')) continue;
      const before = text.shadow[start - 1] ?? '';
      if ((!isLabelled && /[0-9A-Za-z_.:-]/.test(before)) || /[0-9A-Za-z_]/.test(text.shadow[end] ?? '')) continue;
      const tail = /^(?:%[A-Za-z0-9_.-]{1,15})?(?:\/[0-9]{1,3}(?![0-9A-Za-z]))?/.exec(text.shadow.slice(end, end + 24));
      const isPrefix = text.shadow[end] === '/' && tail?.[0] !== '';
      // A slice of a list: `items[::2]`.
      if (before === '[' && /[A-Za-z0-9_)\]]/.test(text.shadow[start - 2] ?? '') && text.shadow[end] === ']') continue;
      if (!isIpv6(text.shadow.slice(start, end), isPrefix || isSpokenOf(text.shadow, start))) continue;
      add(start, end + (tail?.[0].length ?? 0));
    }
    return found.sort((a, b) => a.start - b.start);
  },
};

function isSection(text: string, written: string, start: number, end: number): boolean {
  if (written.split('.').some((part) => Number(part) > sectionMax)) return false;
  const after = text.slice(end, end + 6);
  if (patterns.sectionAfter.test(after)) return true;
  const before = text.slice(Math.max(0, start - 12), start);
  // A comment that cites a section of a standard.
  if (/(?:\/\/|\*|#) ?$/.test(before) && /^\.?\s*(?:\n|$)/.test(after) && !written.startsWith('10.')) return true;
  if (!patterns.headingBefore.test(start < 12 ? `\n${before}` : before) || !patterns.headingAfter.test(after))
    return false;
  // A private network in a list of hosts.
  return !written.startsWith('10.') || after[0] === '.' || /[#第§]/.test(before);
}

const isAddressCode = codesOf('0-9:.A-Fa-f');

/** Excludes the full stop or colon of the sentence; a trailing `::` belongs to the address. */
function trimmedEnd(text: string, start: number, end: number): number {
  let trimmed = end;
  while (trimmed > start && text[trimmed - 1] === '.') trimmed--;
  if (text[trimmed - 1] === ':' && text[trimmed - 2] !== ':') trimmed--;
  return trimmed;
}

/** True where the word before `::` names an address. */
function isSpokenOf(text: string, start: number): boolean {
  return /(?:\bip(?:v6)?|src|dst|addr(?:ess)?|listen|bind|host|inet6?)["' :=[]{1,4}$/i.test(
    text.slice(Math.max(0, start - 16), start),
  );
}

/** True for a valid address with a digit that does not look like code such as `a::1b`. */
function isIpv6(text: string, isUnspecified: boolean): boolean {
  if (text === '::') return isUnspecified;
  if (!/[0-9]/.test(text)) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1) ?? '';
  let count = groups.length;
  if (last.includes('.')) {
    if (!patterns.wholeIpv4.test(last)) return false;
    groups.pop();
    count++;
  }
  if (!groups.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
  // Eight pairs are usually a long MAC address or part of a fingerprint.
  if (halves.length === 1) return count === 8 && groups.some((group) => group.length !== 2);
  return count <= 7 && (text.startsWith('::') || groups.some((group) => group.length > 2));
}
