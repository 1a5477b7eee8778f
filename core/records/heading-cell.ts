import { countBefore } from '../detect/keywords.ts';
import type { ScanText } from '../detect/scan.ts';
import { identifierLabels } from '../recognizers/identifiers/recognizer.ts';
import { headingHits, listedNameHits } from './headings.ts';

const headingMax = 60;

/**
 * True for a known heading, a recognizer's label, or an identifier label.
 * @param isDelimited accepts known headings only, because recognizers read delimited columns by their own labels
 */
export function isHeadingCell(scan: ScanText, from: number, to: number, isDelimited = false): boolean {
  if (to <= from || to - from > headingMax) return false;
  for (const hits of [headingHits(scan), listedNameHits(scan)]) {
    const hit = hits[countBefore(hits, from)];
    if (hit !== undefined && hit.end <= to) return true;
  }
  if (isDelimited) return false;
  const labels = scan.keywords.ordered;
  const next = labels[countBefore(labels, from)];
  if (next !== undefined && next.end <= to) return true;
  return (identifierLabels().in(scan.shadow.slice(from, to))?.owners.length ?? 0) > 0;
}
