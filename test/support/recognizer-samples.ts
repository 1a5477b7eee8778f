import samples from '../../core/recognizers/samples.json' with { type: 'json' };

/** Texts that prove a recognizer: what it must find (exact value), and near misses that it must leave alone. */
export type RecognizerSamples = {
  readonly match: readonly (readonly [text: string, value: string])[];
  readonly noMatch: readonly string[];
};

/** Secrets have a `‖` inside: hosting services block a push that contains a whole one. */
const all: Readonly<Record<string, RecognizerSamples>> = JSON.parse(JSON.stringify(samples).replaceAll('‖', ''));

/** The samples of a recognizer, by its name. */
export function samplesOf(name: string): RecognizerSamples {
  return all[name] ?? { match: [], noMatch: [] };
}
