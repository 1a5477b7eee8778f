import { countBefore } from '../detect/keywords.ts';
import type { ScanText } from '../detect/scan.ts';
import { identifierLabels } from '../recognizers/identifiers/recognizer.ts';
import { headingHits } from './headings.ts';

const headingMax = 60;

/**
 * Whether a cell says what is in its column or row: a heading, a word that recognizers know, or the label of an identifier.
 * @param isDelimited only a heading counts: recognizers read the columns of separated values by their own words
 */
export function isHeadingCell(scan: ScanText, from: number, to: number, isDelimited = false): boolean {
  if (to <= from || to - from > headingMax) return false;
  const hits = headingHits(scan);
  const hit = hits[countBefore(hits, from)];
  if (hit !== undefined && hit.end <= to) return true;
  if (isDelimited) return false;
  const labels = scan.keywords.ordered;
  const next = labels[countBefore(labels, from)];
  if (next !== undefined && next.end <= to) return true;
  return (identifierLabels().in(scan.shadow.slice(from, to))?.owners.length ?? 0) > 0;
}
