/**
 * A linear model over hashed n-grams, one signed byte per cell. Shared by the prompt and SQL models and their training
 * script, so that all of them compute the same cells.
 */
export type LinearModel = {
  readonly bits: number;
  readonly weights: Int8Array;
  /** The weight of one step of a cell. */
  readonly scale: number;
  readonly bias: number;
};

/** The cell of a hash. */
export function cellOf(hash: number, bits: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> (32 - bits);
}

/** Extends the hash of a sequence by `next`. */
export function joinHash(row: number, next: number): number {
  return (Math.imul(row, 0x85ebca6b) + next + 0x165667b1) | 0;
}

/** Added to a window's feature count: three words alone weigh less than the same three in a sentence. */
const smoothing = 24;

/** The divisor for a window's sum of weights. */
export function windowNorm(features: number): number {
  return Math.sqrt(features + smoothing);
}

/** A model file. `data` is base64; a run of zero weights is stored as 128 (-128) and its length. */
export type PackedModel = {
  readonly bits: number;
  readonly scale: number;
  readonly bias: number;
  readonly data: string;
};

/** Reads a packed model. */
export function unpackModel({ bits, scale, bias, data }: PackedModel): LinearModel {
  const bytes = atob(data);
  const weights = new Int8Array(1 << bits);
  let at = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes.charCodeAt(i);
    if (byte === 128) at += bytes.charCodeAt(++i);
    else weights[at++] = byte;
  }
  return { bits, weights, scale, bias };
}

/** Packs a model; weights are between -127 and 127. */
export function packModel({ bits, weights, scale, bias }: LinearModel): PackedModel {
  let binary = '';
  for (let i = 0; i < weights.length; ) {
    let zeros = 0;
    while (zeros < 255 && i + zeros < weights.length && weights[i + zeros] === 0) zeros++;
    if (zeros > 1) {
      binary += String.fromCharCode(128, zeros);
      i += zeros;
    } else {
      binary += String.fromCharCode((weights[i] ?? 0) & 0xff);
      i++;
    }
  }
  return { bits, scale, bias, data: btoa(binary) };
}
