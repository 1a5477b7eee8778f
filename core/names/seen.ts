/** How the block uses a word, as bit flags. */
export const seen = { lower: 1, cued: 2, besideName: 4, address: 8, speaker: 16, speaksAgain: 32 } as const;

/** A hash table from words to bits of {@link seen}, made for at most 12,000 words. */
export class SeenWords {
  private readonly keys = new Int32Array(1 << 14);
  private readonly bits = new Uint8Array(1 << 14);

  clear(): void {
    this.bits.fill(0);
  }

  add(hash: number, bit: number): void {
    const slot = this.slotOf(hash);
    this.keys[slot] = hash;
    this.bits[slot] = (this.bits[slot] as number) | bit;
  }

  get(hash: number): number {
    return this.bits[this.slotOf(hash)] as number;
  }

  private slotOf(hash: number): number {
    const mask = this.keys.length - 1;
    let slot = hash & mask;
    while (this.bits[slot] !== 0 && this.keys[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }
}
