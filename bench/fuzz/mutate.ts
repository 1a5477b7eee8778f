/** Mutates inputs: flips, removes, repeats and moves bytes, or inserts them from a word list or another input. */
import type { Random } from './random.ts';

const interesting = [0, 1, 9, 10, 13, 32, 34, 39, 44, 58, 91, 92, 93, 123, 125, 127, 128, 192, 224, 237, 240, 255];
/** Characters that parsers treat differently. */
const oddities = [
  '\u0000',
  '\r\n',
  '\r',
  '\n\n',
  '\u0085',
  '\u00a0',
  '\u00ad',
  '\u0130',
  '\u200b',
  '\u200d',
  '\u2028',
  '\u3000',
  '\u3002',
  '\ufeff',
  '\uff0e',
  '\uff10',
  '\uff3b',
  '\u{1f600}',
  '\u{e0041}',
  'e\u0301',
  '\\u0000',
  '\\ud83d',
  '\\',
  '0',
  '-1',
  '65536',
  '4294967296',
  '1e309',
  '__proto__',
  'constructor',
].map((text) => Buffer.from(text));

/** Sources of material for mutations. */
export type Material = {
  readonly words: readonly Buffer[];
  readonly other: () => Buffer;
  readonly bytesMax: number;
};

/** Applies one or more changes, usually few. */
export function mutate(input: Buffer, random: Random, material: Material): Buffer {
  let bytes = input;
  for (let rounds = 1 << random.below(5); rounds > 0; rounds--) bytes = change(bytes, random, material);
  return bytes.length > material.bytesMax ? bytes.subarray(0, material.bytesMax) : bytes;
}

function change(bytes: Buffer, random: Random, { words, other }: Material): Buffer {
  const at = random.below(bytes.length + 1);
  const length = Math.min(bytes.length - at, 1 + random.below(random.below(3) === 0 ? 64 : 6));
  const piece = bytes.subarray(at, at + length);
  const put = (insert: Uint8Array, over = 0) =>
    Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(Math.min(bytes.length, at + over))]);
  switch (random.below(12)) {
    case 0: {
      if (length === 0) return put(Buffer.from([random.below(256)]));
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] as number) ^ (1 << random.below(8));
      return copy;
    }
    case 1:
      return put(Buffer.from([random.pick(interesting)]), random.below(2));
    case 2:
      return put(Buffer.from([random.below(256)]), random.below(2));
    case 3:
    case 4:
      return put(Buffer.alloc(0), length);
    case 5:
      return put(Buffer.concat(Array.from({ length: 1 + random.below(random.below(8) === 0 ? 200 : 3) }, () => piece)));
    case 6:
    case 7:
      return words.length === 0 ? bytes : put(random.pick(words), random.below(2) * length);
    case 8:
      return put(random.pick(oddities), random.below(2) * length);
    case 9: {
      const to = random.below(bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, to), piece, bytes.subarray(to)]);
    }
    case 10: {
      const from = other();
      const start = random.below(from.length + 1);
      return put(from.subarray(start, start + 1 + random.below(64)), random.below(2) * length);
    }
    default: {
      const from = other();
      return Buffer.concat([bytes.subarray(0, at), from.subarray(random.below(from.length + 1))]);
    }
  }
}
