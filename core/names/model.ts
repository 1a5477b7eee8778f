import { mix } from './hash.ts';
import { unpackBytes } from './tables.ts';

/** Stored weights, deflated: four signed bytes for each hashed feature, multiplied by `scale`. */
export type PackedModel = {
  readonly bits: number;
  readonly scale: number;
  readonly transitions: readonly number[];
  readonly data: string;
};

/** The weights of one tagger. */
export type Model = {
  readonly mask: number;
  readonly scale: number;
  /** By feature: four signed bytes for the tags 1 to 4, lowest first. */
  readonly weights: Int32Array;
  readonly transitions: Float64Array;
};

/** Decodes stored weights. */
export function unpackModel(packed: PackedModel): Model {
  const bytes = unpackBytes(packed.data, 4 << packed.bits);
  return {
    mask: (1 << packed.bits) - 1,
    scale: packed.scale,
    // One read for the four weights of a feature, because most reads miss the cache. All current platforms are little-endian.
    weights: new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2),
    transitions: Float64Array.from(packed.transitions),
  };
}

/** Collects the features of one unit as hashes. */
export class Features {
  static readonly max = 160;
  readonly ids = new Int32Array(Features.max);
  count = 0;

  /** Adds the hash of a template and up to two values. */
  add(template: number, a: number, b = 0): void {
    this.addHash(mix(template, a, b));
  }

  addHash(id: number): void {
    if (this.count < Features.max) this.ids[this.count++] = id;
  }
}

/** Adds the weights of `features` to the scores of one unit, which start at `cell`. */
export function addScores(model: Model, features: Features, scores: Float64Array, cell: number): void {
  const { weights, mask, scale } = model;
  const { ids, count } = features;
  let single = 0;
  let begin = 0;
  let inside = 0;
  let end = 0;
  for (let at = 0; at < count; at++) {
    const row = weights[(ids[at] as number) & mask] as number;
    single += (row << 24) >> 24;
    begin += (row << 16) >> 24;
    inside += (row << 8) >> 24;
    end += row >> 24;
  }
  scores[cell + 1] = (scores[cell + 1] as number) + single * scale;
  scores[cell + 2] = (scores[cell + 2] as number) + begin * scale;
  scores[cell + 3] = (scores[cell + 3] as number) + inside * scale;
  scores[cell + 4] = (scores[cell + 4] as number) + end * scale;
}
