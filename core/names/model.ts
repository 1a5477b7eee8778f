import { tagCount } from './chain.ts';
import { unpackBytes } from './tables.ts';

/** Weights as they are stored: four signed bytes for each hashed feature, times `scale`; deflated. */
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
  /** The weights of the tags 1 to 4, feature by feature. */
  readonly weights: Int8Array | Float32Array;
  readonly transitions: Float64Array;
};

/** Decodes stored weights. */
export function unpackModel(packed: PackedModel): Model {
  const bytes = unpackBytes(packed.data, 4 << packed.bits);
  return {
    mask: (1 << packed.bits) - 1,
    scale: packed.scale,
    weights: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length),
    transitions: Float64Array.from(packed.transitions),
  };
}

/** Collects the features of one unit as hashes. */
export class Features {
  static readonly max = 160;
  readonly ids = new Int32Array(Features.max);
  count = 0;

  add(id: number): void {
    if (this.count < Features.max) this.ids[this.count++] = id;
  }
}

/** Adds the weights of `features` from number `first` on to the scores of one unit, which start at `cell`. */
export function addScores(model: Model, features: Features, first: number, scores: Float64Array, cell: number): void {
  const { weights, mask, scale } = model;
  const { ids, count } = features;
  let single = 0;
  let begin = 0;
  let inside = 0;
  let end = 0;
  for (let at = first; at < count; at++) {
    const row = ((ids[at] as number) & mask) << 2;
    single += weights[row] as number;
    begin += weights[row + 1] as number;
    inside += weights[row + 2] as number;
    end += weights[row + 3] as number;
  }
  scores[cell + 1] = (scores[cell + 1] as number) + single * scale;
  scores[cell + 2] = (scores[cell + 2] as number) + begin * scale;
  scores[cell + 3] = (scores[cell + 3] as number) + inside * scale;
  scores[cell + 4] = (scores[cell + 4] as number) + end * scale;
}

export const scoresPerUnit = tagCount;
