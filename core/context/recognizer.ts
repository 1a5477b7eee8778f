/** Finds the values of a type by their surroundings: candidates, their features, the trained score. */

import type { ScanText } from '../detect/scan.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { candidateGroups } from './candidates.ts';
import type { ContextType, Span } from './context-type.ts';
import { type Candidate, FeatureReader } from './features.ts';
import { reasonsOf } from './reasons.ts';
import { type Model, trainedModel } from './scorer.ts';
import { bareOf } from './value-form.ts';
import { FeatureSum, vocabularyOf, weightsOf } from './word-weights.ts';

/** The recognizer of a type. */
export function contextRecognizer(type: ContextType, model: () => Model = trainedModel): Recognizer {
  return {
    name: type.name,
    type: type.type,
    labels: type.words.labels,
    topics: type.words.topics,
    find: (text) => findValues(text, type, model()),
  };
}

type Scored = { readonly one: Candidate; readonly score: number };

function findValues(text: ScanText, type: ContextType, model: Model): Detection[] {
  const found: Detection[] = [];
  const groups = candidateGroups(text, type);
  if (groups.length === 0) return found;
  const reader = new FeatureReader(text, vocabularyOf(model));
  const sum = new FeatureSum(weightsOf(model, type.name));
  let before: (Span & { isValue: boolean }) | undefined;
  for (const group of groups) {
    const scored = group.map((one): Scored => {
      sum.sum = 0;
      return { one, score: reader.read(type, one, before, sum).score };
    });
    const chosen = bestApart(scored.filter(({ score }) => score > 0));
    for (const { one, score } of chosen) {
      const why = text.shared.explains ? reasonsOf(model, type.name, reader.list(type, one, before)) : undefined;
      found.push({
        ...detectionAt(text, one.start, one.end, {
          type: type.type,
          score: Math.round(100 / (1 + Math.exp(-score))) / 100,
          recognizer: type.name,
          context: one.label ?? type.name,
          checksum: type.check?.(bareOf(text.shadow.slice(one.start, one.end))) === true,
        }),
        ...(why === undefined ? {} : { why }),
      });
    }
    const last = (chosen.at(-1) ?? scored.at(-1)) as Scored;
    before = { start: last.one.start, end: last.one.end, isValue: chosen.length > 0 };
  }
  return found;
}

/** The best candidates without overlaps, in order of their starts. */
function bestApart(scored: Scored[]): Scored[] {
  if (scored.length < 2) return scored;
  scored.sort((a, b) => b.score - a.score || a.one.start - b.one.start);
  const kept: Scored[] = [];
  for (const next of scored)
    if (kept.every(({ one }) => one.end <= next.one.start || one.start >= next.one.end)) kept.push(next);
  return kept.sort((a, b) => a.one.start - b.one.start);
}
