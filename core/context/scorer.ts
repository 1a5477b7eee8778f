/** The trained log-linear model that scores candidates by their features. */
import weights from './weights.json' with { type: 'json' };

/** Weights of one type or of all: feature → weight. */
export type Weights = ReadonlyMap<string, number>;
export type Model = { readonly shared: Weights; readonly own: ReadonlyMap<string, Weights> };

/** One feature per line, and their weights as signed bytes in base64. */
export type StoredWeights = Readonly<Record<string, { readonly features: string; readonly weights: string }>>;
/** Stored weights are multiplied by this and rounded. */
export const scale = 25;

let model: Model | undefined;

/** The trained model, loaded on first use. */
export function trainedModel(): Model {
  model ??= modelOf(weights);
  return model;
}

/** Reads stored weights: shared ones under `shared`, the others by the name of the type. */
export function modelOf(stored: StoredWeights): Model {
  const own = new Map<string, Weights>();
  for (const [name, { features, weights }] of Object.entries(stored)) {
    const bytes = atob(weights);
    const all = new Map<string, number>();
    for (const [i, feature] of features.split('\n').entries())
      all.set(feature, ((bytes.charCodeAt(i) << 24) >> 24) / scale);
    own.set(name, all);
  }
  const shared = own.get('shared') ?? new Map();
  own.delete('shared');
  return { shared, own };
}

/** True for a feature that means the same for every type. */
export function isShared(feature: string): boolean {
  return feature.startsWith('g:') || feature === '1';
}
