import { expect, test } from 'vitest';
import { candidateGroups } from '../../../core/context/candidates.ts';
import { FeatureReader } from '../../../core/context/features.ts';
import { trainedModel } from '../../../core/context/scorer.ts';
import { FeatureSum, vocabularyOf, weightsOf } from '../../../core/context/word-weights.ts';
import { KeywordIndex } from '../../../core/detect/keywords.ts';
import { TextScanner } from '../../../core/detect/scan.ts';
import { contextTypes } from '../../../core/recognizers/context-types.ts';
import { recognizers } from '../../../core/recognizers/index.ts';
import { scoreOf } from '../../../scripts/context/learn.ts';
import { samplesOf } from '../../support/recognizer-samples.ts';

const scanner = new TextScanner(new KeywordIndex(recognizers));
const samples = contextTypes.flatMap(({ name }) => {
  const { match, noMatch } = samplesOf(name);
  return [...match.map(([text]) => text), ...noMatch];
});
/** All samples as one text, repeated until it is longer than the window of words that is kept. */
const long = `${samples.join('\n')}\n`.repeat(40);
const table =
  'Name,Account No,Passport,Kennzeichen\nAnna,12345678,C01X00T47,B-AB 1234\nBen,87654321,K8392011,M-XY 77\n';

/** Reads all features of every candidate. */
class WholeSum extends FeatureSum {
  override get isHopeless(): boolean {
    return false;
  }
}

test.each([
  ['each sample', samples],
  ['a long text of all samples', [long]],
  ['a table', [table]],
  [
    'words of other scripts and lone surrogates',
    ['口座番号は１２３４５６７です。\ud800 ПАСПОРТ 4509 123456, ſtraße Passport-Nr. C01X00T47'],
  ],
])('%s: the weights of numbered words add up to those of the features as texts', (_name, texts) => {
  const model = trainedModel();
  let count = 0;
  for (const original of texts) {
    const text = scanner.scan(original);
    for (const type of contextTypes) {
      const reader = new FeatureReader(text, vocabularyOf(model));
      for (const one of candidateGroups(text, type).flat()) {
        const weights = weightsOf(model, type.name);
        const { score } = reader.read(type, one, undefined, new WholeSum(weights));
        expect(score).toBeCloseTo(scoreOf(model, type.name, reader.list(type, one)), 9);
        const sum = reader.read(type, one, undefined, new FeatureSum(weights));
        // A candidate that was given up is none with all its features either.
        if (sum.isHopeless) expect(score).toBeLessThanOrEqual(0);
        else expect(sum.score).toBe(score);
        count++;
      }
    }
  }
  expect(count).toBeGreaterThan(0);
});
