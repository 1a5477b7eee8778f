/** What a fuzzer draws by chance. */
import { randomFrom } from '../../eval/random.ts';

/** Numbers that a seed decides, so that a run can be repeated. */
export class Random {
  /** From 0 up to, but without, 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomFrom(seed);
  }

  /** A whole number from 0 up to, but without, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** One of the list, which must not be empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Ascending places at which a text of this length is cut; often none, often after every unit. */
  cuts(length: number): number[] {
    const kind = this.below(6);
    if (kind === 0) return Array.from({ length: Math.max(0, length - 1) }, (_, i) => i + 1);
    const places = new Set(Array.from({ length: kind * kind }, () => this.below(length + 1)));
    return [...places].sort((a, b) => a - b);
  }
}

/** A seed that the bytes decide (FNV-1a): what a target chooses beside its input is repeated with the input. */
export function seedOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
