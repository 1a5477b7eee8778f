/** Splits a text at marked spans. */

/** A marked span. Offsets are UTF-16 code units, `end` exclusive. */
export type Span<T> = { readonly start: number; readonly end: number; readonly mark: T };

/** A piece of the text with all marks that cover it. */
export type Piece<T> = { readonly text: string; readonly start: number; readonly marks: readonly T[] };

/** The pieces of a text in order; joined, they are the text. Marks may overlap; those beyond the text are cut off. */
export function piecesOf<T>(text: string, spans: readonly Span<T>[]): Piece<T>[] {
  const inside = spans
    .map(({ start, end, mark }) => ({ start: Math.max(0, start), end: Math.min(text.length, end), mark }))
    .filter(({ start, end }) => start < end);
  const cuts = [...new Set([0, text.length, ...inside.flatMap(({ start, end }) => [start, end])])].sort(
    (a, b) => a - b,
  );
  // Tracks open spans from cut to cut, so that many marks in a long text take linear time.
  const starting = Map.groupBy(inside, ({ start }) => start);
  let open: typeof inside = [];
  return cuts.slice(0, -1).map((start, i) => {
    open = [...open.filter(({ end }) => end > start), ...(starting.get(start) ?? [])];
    return { text: text.slice(start, cuts[i + 1]), start, marks: open.map(({ mark }) => mark) };
  });
}

/** Positions of tokens in a text; the longest if several start at the same position. */
export function tokenSpans(text: string, tokens: readonly string[]): Span<string>[] {
  const known = new Set(tokens);
  const lengths = new Map<string, readonly number[]>();
  for (const [first, members] of Map.groupBy(known, (token) => token.slice(0, 1))) {
    lengths.set(
      first,
      [...new Set(members.map((token) => token.length))].sort((a, b) => b - a),
    );
  }
  const spans: Span<string>[] = [];
  let at = 0;
  while (at < text.length) {
    const here = lengths.get(text.charAt(at))?.find((length) => known.has(text.slice(at, at + length)));
    if (here === undefined) {
      at++;
      continue;
    }
    spans.push({ start: at, end: at + here, mark: text.slice(at, at + here) });
    at += here;
  }
  return spans;
}
