import samples from '../../core/recognizers/samples.json' with { type: 'json' };

/** Texts that prove a recognizer: exact values that it must find, and near misses that it must leave alone. */
export type RecognizerSamples = {
  readonly match: readonly (readonly [text: string, value: string])[];
  readonly noMatch: readonly string[];
};

/** Secrets contain a `‖`: hosting services block pushes with complete ones. */
const all: Readonly<Record<string, RecognizerSamples>> = JSON.parse(JSON.stringify(samples).replaceAll('‖', ''));

/** The samples of a recognizer, by its name. */
export function samplesOf(name: string): RecognizerSamples {
  return all[name] ?? { match: [], noMatch: [] };
}
