/** Seeded random numbers, for everything that must be repeatable: figures, training, benches. */

/** Numbers from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/** The same numbers for a seed (mulberry32); good enough to draw samples. */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
