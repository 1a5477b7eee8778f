/** Where something stands in a text. */

/** Offsets of the text. */
export type Stretch = { readonly start: number; readonly end: number };

/** The same with the word that speaks for it. */
export type Place = readonly [start: number, end: number, context: string];

/** The later of what was taken and of a place; the place where both end together. */
export function lastOf(taken: Stretch | undefined, place: Place | undefined): Stretch | undefined {
  if (place === undefined || (taken?.end ?? 0) > place[1]) return taken;
  return { start: place[0], end: place[1] };
}
