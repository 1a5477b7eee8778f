/** Suggests the name that was probably meant. */

/**
 * The candidate closest to a misspelt name, or undefined when none is close: at most a third of the letters (two for
 * short names) may be added, left out, changed or swapped.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  const wanted = name.toLowerCase();
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    const allowed = Math.max(2, Math.floor(Math.max(wanted.length, candidate.length) / 3));
    if (distance <= allowed && distance < Math.min(bestDistance, Math.max(wanted.length, candidate.length))) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The end of an error about an unknown name: `; did you mean "list"?`, or nothing. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  const near = nearestName(name, candidates);
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

/** Optimal string alignment: insertions, deletions, changes and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  // Anything long is not a misspelt name, and the table below is quadratic.
  if (a.length > 64 || b.length > 64) return Number.POSITIVE_INFINITY;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const change = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(change, at(i - 1, j) + 1, (row[j - 1] ?? 0) + 1);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] && i > 1 && j > 1)
        least = Math.min(least, at(i - 2, j - 2) + 1);
      row.push(least);
    }
  }
  return at(a.length, b.length);
}
