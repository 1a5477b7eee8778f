import { randomFrom } from '../../eval/random.ts';

/** Seeded random numbers, so that a run can be repeated. */
export class Random {
  /** From 0 to 1, exclusive. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomFrom(seed);
  }

  /** A whole number from 0 to `end`, exclusive. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** An entry of a non-empty list. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Ascending offsets at which to cut a text of this length; often none, often after every unit. */
  cuts(length: number): number[] {
    const kind = this.below(6);
    if (kind === 0) return Array.from({ length: Math.max(0, length - 1) }, (_, i) => i + 1);
    const places = new Set(Array.from({ length: kind * kind }, () => this.below(length + 1)));
    return [...places].sort((a, b) => a - b);
  }
}

/** A seed derived from the bytes (FNV-1a), so that a target's other choices are repeatable for an input. */
export function seedOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
