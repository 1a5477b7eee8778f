import labels from '../lexicon/recognizer-labels.json' with { type: 'json' };

/** The words that name the values of a recognizer, in all languages; see `KeywordLists` for the notation. */
export function labelsOf(recognizer: keyof typeof labels): readonly string[] {
  return Object.values(labels[recognizer]).flat();
}
