import { tooManyDetections } from '../../../core/detect/detector.ts';
import { repeated } from '../../../core/detect/memory.ts';
import { outsideTokens } from '../../../core/mask.ts';
import type { Detection } from '../../../core/recognizer.ts';
import { tokensPerSessionMax } from '../../../core/vault.ts';
import type { MaskingInput } from './masking-types.ts';

/** Above this total length, repeated values are searched only within their own text. */
const repeatUnitsMax = 2_000_000;

const isApart = (one: Detection, other: Detection) => one.end <= other.start || other.end <= one.start;

/** The findings in the texts of a body. */
export class Found {
  readonly leaves: readonly string[];
  private readonly accepts: MaskingInput['accepts'];
  /** By text; undefined while there are none. */
  detections: Detection[][] | undefined;
  /** Counts by type. */
  counts: Record<string, number> | undefined;
  total = 0;

  constructor(leaves: readonly string[], accepts: MaskingInput['accepts']) {
    this.leaves = leaves;
    this.accepts = accepts;
  }

  /** Adds detections that do not overlap known ones of a text. Returns true if any of them counts. */
  add(i: number, searched: Detection[]): boolean {
    if (searched.length === 0) return false;
    const known = this.detections?.[i];
    let detections = outsideTokens(this.leaves[i] as string, searched);
    if (this.accepts) detections = detections.filter(this.accepts);
    if (known) detections = detections.filter((one) => known.every((other) => isApart(one, other)));
    if (detections.length === 0) return false;
    this.detections ??= new Array(this.leaves.length);
    this.detections[i] = known ? [...known, ...detections].sort((a, b) => a.start - b.start) : detections;
    this.total += detections.length;
    if (this.total > tokensPerSessionMax) throw tooManyDetections(tokensPerSessionMax);
    this.counts ??= {};
    for (const { type } of detections) this.counts[type] = (this.counts[type] ?? 0) + 1;
    return true;
  }

  /**
   * Adds occurrences of detected values in other texts of the first `count`, where no context identifies them, except in
   * `signed` ones.
   */
  addRepeats(count: number, signed?: ReadonlyMap<number, unknown>): void {
    // Document texts after the body's own are read several ways; each value in them has been counted once.
    const texts = this.leaves.slice(0, count);
    if (this.detections === undefined || count < 2 || unitsIn(texts) > repeatUnitsMax) return;
    // Each detector has searched its text for the values in it.
    const more = repeated(texts, this.detections.slice(0, count), true);
    for (const [i, detections] of more?.entries() ?? [])
      if (detections && !signed?.has(i)) this.add(i, [...detections]);
  }
}

/** Total number of characters. */
export function unitsIn(texts: readonly string[]): number {
  let units = 0;
  for (const { length } of texts) units += length;
  return units;
}
