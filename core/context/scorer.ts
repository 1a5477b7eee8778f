/** The trained log-linear model that scores candidates by their features. */
import weights from './weights.json' with { type: 'json' };

/** Weights as stored. Features of places (see `wordPlaces`) have words, which are stored by number; `words` has one per line. */
export type StoredWeights = { readonly words: string; readonly types: Readonly<Record<string, StoredType>> };

type StoredType = {
  /** Features without numbered words, one per line. */
  readonly features: string;
  /** How many features of each place follow; those with two words under the place and a space. */
  readonly places: Readonly<Record<string, number>>;
  /** The numbers of their words, two bytes each, in base64. */
  readonly numbers: string;
  /** The weights of all features as signed bytes in base64. */
  readonly weights: string;
};

/** Stored weights are multiplied by this and rounded. */
export const scale = 25;

/** Takes a weight as stored, of a feature or of a place and one or two words by number. */
type WeightSink = (weight: number, start: string, first?: number, second?: number) => void;

/** Weights of one type or of all. Only explanations and training look up a feature as text. */
export type Weights = { get(feature: string): number | undefined; read(sink: WeightSink): void };

/** `words`: the words of features, by number. */
export type Model = {
  readonly shared: Weights;
  readonly own: ReadonlyMap<string, Weights>;
  readonly words: readonly string[];
};

let model: Model | undefined;

/** The trained model, loaded on first use. */
export function trainedModel(): Model {
  model ??= modelOf(weights);
  return model;
}

/** Reads stored weights: shared ones under `shared`, the others by the name of the type. */
export function modelOf({ words: lines, types }: StoredWeights): Model {
  const words = lines.split('\n');
  const own = new Map(Object.entries(types).map(([name, stored]) => [name, weightsOf(stored, words)]));
  const shared = own.get('shared') ?? weightsOf({ features: '', places: {}, numbers: '', weights: '' }, words);
  own.delete('shared');
  return { shared, own, words };
}

function weightsOf(stored: StoredType, words: readonly string[]): Weights {
  const all = new Map<string, number>();
  const read = (sink: WeightSink) => {
    const weights = atob(stored.weights);
    const numbers = atob(stored.numbers);
    let at = 0;
    let n = 0;
    const weight = () => (weights.charCodeAt(at++) << 24) >> 24;
    const number = () => numbers.charCodeAt(n++) | (numbers.charCodeAt(n++) << 8);
    if (stored.features !== '') for (const feature of stored.features.split('\n')) sink(weight(), feature);
    for (const [start, count] of Object.entries(stored.places)) {
      const place = start.trimEnd();
      for (let i = 0; i < count; i++) sink(weight(), place, number(), place === start ? undefined : number());
    }
  };
  const get = (feature: string) => {
    if (all.size === 0)
      read((weight, start, ...numbers) =>
        all.set(start + numbers.flatMap((n) => words[n ?? -1] ?? []).join(' '), weight / scale),
      );
    return all.get(feature);
  };
  return { get, read };
}

/** True for a feature that means the same for every type. */
export function isShared(feature: string): boolean {
  return feature.startsWith('g:') || feature === '1';
}
