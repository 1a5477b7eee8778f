/**
 * A linear chain over five tags: a unit is outside a name, a single-unit name, or the begin, inside or end of a name. The
 * weights of "outside" are zero, so a feature has four weights.
 */

export const tag = { outside: 0, single: 1, begin: 2, inside: 3, end: 4 } as const;
export const tagCount = 5;

/** The tags that may come before each tag, and those that may follow it: a name that has begun continues to its end. */
const closed = Uint8Array.of(tag.outside, tag.single, tag.end);
const opened = Uint8Array.of(tag.begin, tag.inside);
const before = [closed, closed, closed, opened, opened];
const starts = Uint8Array.of(tag.outside, tag.single, tag.begin);
const goesOn = Uint8Array.of(tag.inside, tag.end);
const behind = [starts, starts, goesOn, goesOn, starts];
const mayEnd = [true, true, false, false, true];

export const chainMax = 64;
const never = -1e9;

/** Scores of one chain and the results. Reused for all chains. */
export class Chain {
  length = 0;
  /** Scores of the tags, five for each unit. */
  readonly scores = new Float64Array(chainMax * tagCount);
  readonly path = new Uint8Array(chainMax);
  private readonly best = new Float64Array(chainMax * tagCount);
  private readonly from = new Uint8Array(chainMax * tagCount);
  readonly forward = new Float64Array(chainMax * tagCount);
  readonly backward = new Float64Array(chainMax * tagCount);
  logTotal = 0;

  /** Fills {@link path} with the best tags. */
  decode(transitions: Float64Array): void {
    const { best, from, scores, length } = this;
    for (let t = 0; t < tagCount; t++) best[t] = t <= tag.begin ? (scores[t] as number) : never;
    for (let at = 1; at < length; at++) {
      for (let t = 0; t < tagCount; t++) {
        let top = never * 2;
        let source = 0;
        const sources = before[t] as Uint8Array;
        for (let k = 0; k < sources.length; k++) {
          const p = sources[k] as number;
          const score = (best[(at - 1) * tagCount + p] as number) + (transitions[p * tagCount + t] as number);
          if (score > top) {
            top = score;
            source = p;
          }
        }
        best[at * tagCount + t] = top + (scores[at * tagCount + t] as number);
        from[at * tagCount + t] = source;
      }
    }
    let last = 0;
    for (let t = 1; t < tagCount; t++) {
      if (mayEnd[t] && (best[(length - 1) * tagCount + t] as number) > (best[(length - 1) * tagCount + last] as number))
        last = t;
    }
    for (let at = length - 1; at >= 0; at--) {
      this.path[at] = last;
      last = from[at * tagCount + last] as number;
    }
  }

  /** Fills {@link forward}, {@link backward} (logarithms) and {@link logTotal}. */
  sum(transitions: Float64Array): void {
    const { forward, backward, scores, length } = this;
    for (let t = 0; t < tagCount; t++) {
      forward[t] = t <= tag.begin ? (scores[t] as number) : never;
      backward[(length - 1) * tagCount + t] = mayEnd[t] ? 0 : never;
    }
    for (let at = 1; at < length; at++) {
      for (let t = 0; t < tagCount; t++) {
        let total = never;
        const sources = before[t] as Uint8Array;
        for (let k = 0; k < sources.length; k++) {
          const p = sources[k] as number;
          total = logAdd(
            total,
            (forward[(at - 1) * tagCount + p] as number) + (transitions[p * tagCount + t] as number),
          );
        }
        forward[at * tagCount + t] = total + (scores[at * tagCount + t] as number);
      }
    }
    for (let at = length - 2; at >= 0; at--) {
      for (let t = 0; t < tagCount; t++) {
        let total = never;
        const targets = behind[t] as Uint8Array;
        for (let k = 0; k < targets.length; k++) {
          const n = targets[k] as number;
          const next = (at + 1) * tagCount + n;
          total = logAdd(
            total,
            (backward[next] as number) + (scores[next] as number) + (transitions[t * tagCount + n] as number),
          );
        }
        backward[at * tagCount + t] = total;
      }
    }
    let total = never;
    for (let t = 0; t < tagCount; t++) total = logAdd(total, (forward[t] as number) + (backward[t] as number));
    this.logTotal = total;
  }

  /** The probability that a name covers exactly the units from `first` to `last`; needs {@link sum}. */
  spanProbability(first: number, last: number, transitions: Float64Array): number {
    if (first === last) return this.marginal(first, tag.single);
    let score = this.forward[first * tagCount + tag.begin] as number;
    for (let at = first + 1; at <= last; at++) {
      const before = at - 1 === first ? tag.begin : tag.inside;
      const now = at === last ? tag.end : tag.inside;
      score += (transitions[before * tagCount + now] as number) + (this.scores[at * tagCount + now] as number);
    }
    return Math.exp(score + (this.backward[last * tagCount + tag.end] as number) - this.logTotal);
  }

  /** The probability of a tag at a unit; needs {@link sum}. */
  marginal(at: number, t: number): number {
    const cell = at * tagCount + t;
    return Math.exp((this.forward[cell] as number) + (this.backward[cell] as number) - this.logTotal);
  }
}

function logAdd(a: number, b: number): number {
  const high = a > b ? a : b;
  const low = a > b ? b : a;
  return low < high - 40 ? high : high + Math.log1p(Math.exp(low - high));
}
