/**
 * A map by text for very many entries: three numbers in addition to key and value. With a million texts a `Map` takes
 * three times as long to fill and twice the memory, and the garbage collector moves it around; typed arrays stay in
 * place.
 */
const empty = 0;

/** Like {@link Map}, in insertion order. */
export class TextMap<T> {
  #keys: (string | undefined)[] = [];
  #values: (T | undefined)[] = [];
  #hashes: Uint32Array;
  /** Slot → entry number + 1, or {@link empty}. A removed entry stays until the next growth. */
  #slots: Int32Array;
  #mask: number;
  #removed = 0;

  /** `expected`: expected number of entries, if known. */
  constructor(expected = 8) {
    const slots = 2 ** Math.ceil(Math.log2(Math.max(16, expected * 2)));
    this.#slots = new Int32Array(slots);
    this.#hashes = new Uint32Array(slots / 2);
    this.#mask = slots - 1;
  }

  get size(): number {
    return this.#keys.length - this.#removed;
  }

  get(key: string): T | undefined {
    const entry = this.#find(key, textHash(key));
    return entry === -1 ? undefined : this.#values[entry];
  }

  has(key: string): boolean {
    return this.#find(key, textHash(key)) !== -1;
  }

  set(key: string, value: T): void {
    const hash = textHash(key);
    const known = this.#find(key, hash);
    if (known === -1) this.#append(key, value, hash);
    else this.#values[known] = value;
  }

  /** Sets the value of a new key. Returns false and keeps the old value if the key exists. */
  add(key: string, value: T): boolean {
    const hash = textHash(key);
    if (this.#find(key, hash) !== -1) return false;
    this.#append(key, value, hash);
    return true;
  }

  #append(key: string, value: T, hash: number): void {
    if (this.#keys.length === this.#hashes.length) this.#grow();
    const entry = this.#keys.push(key) - 1;
    this.#values.push(value);
    this.#hashes[entry] = hash;
    this.#place(entry, hash);
  }

  delete(key: string): void {
    const entry = this.#find(key, textHash(key));
    if (entry === -1) return;
    this.#keys[entry] = undefined;
    this.#values[entry] = undefined;
    this.#removed++;
  }

  *values(): Generator<T> {
    for (const [entry, value] of this.#values.entries()) if (this.#keys[entry] !== undefined) yield value as T;
  }

  #find(key: string, hash: number): number {
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const entry = (this.#slots[slot] as number) - 1;
      if (entry === -1) return -1;
      if (this.#hashes[entry] === hash && this.#keys[entry] === key) return entry;
    }
  }

  #place(entry: number, hash: number): void {
    let slot = hash & this.#mask;
    while (this.#slots[slot] !== empty) slot = (slot + 1) & this.#mask;
    this.#slots[slot] = entry + 1;
  }

  /** Doubles the capacity and drops removed entries. */
  #grow(): void {
    const [keys, values, hashes] = [this.#keys, this.#values, this.#hashes];
    const slots = this.#slots.length * 2;
    this.#slots = new Int32Array(slots);
    this.#hashes = new Uint32Array(slots / 2);
    this.#mask = slots - 1;
    this.#keys = [];
    this.#values = [];
    this.#removed = 0;
    for (const [before, key] of keys.entries()) {
      if (key === undefined) continue;
      const entry = this.#keys.push(key) - 1;
      this.#values.push(values[before]);
      const hash = hashes[before] as number;
      this.#hashes[entry] = hash;
      this.#place(entry, hash);
    }
  }
}

/** FNV-1a over UTF-16 code units, mixed so that the low bits depend on all input. */
function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 16;
  return Math.imul(hash, 0x85ebca6b) >>> 0;
}
