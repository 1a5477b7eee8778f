/** The learned score of a candidate: a log-linear model over its features. */
import weights from './weights.json' with { type: 'json' };

/** Weights of one type or of all: feature → weight. */
export type Weights = ReadonlyMap<string, number>;
export type Model = { readonly shared: Weights; readonly own: ReadonlyMap<string, Weights> };

/** Features, each on a line, and a signed byte for the weight of each in base64. */
export type StoredWeights = Readonly<Record<string, { readonly features: string; readonly weights: string }>>;
/** Weights are stored as whole numbers of this part. */
export const scale = 25;

let model: Model | undefined;

/** The trained model, read when first needed. */
export function trainedModel(): Model {
  model ??= modelOf(weights);
  return model;
}

/** A model of stored weights: those of all types under `shared`, the others under the names of types. */
export function modelOf(stored: StoredWeights): Model {
  const own = new Map<string, Weights>();
  for (const [name, { features, weights }] of Object.entries(stored)) {
    const bytes = Int8Array.from(atob(weights), (c) => c.charCodeAt(0));
    const all = new Map<string, number>();
    for (const [i, feature] of features.split('\n').entries()) all.set(feature, (bytes[i] as number) / scale);
    own.set(name, all);
  }
  const shared = own.get('shared') ?? new Map();
  own.delete('shared');
  return { shared, own };
}

/** Features that say the same of every type. */
export function isShared(feature: string): boolean {
  return feature.startsWith('g:') || feature === '1';
}
