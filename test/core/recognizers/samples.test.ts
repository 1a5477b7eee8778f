import { describe, expect, test } from 'vitest';
import { builtinTypes, Detector } from '../../../core/detect/detector.ts';
import { KeywordIndex } from '../../../core/detect/keywords.ts';
import { TextScanner } from '../../../core/detect/scan.ts';
import { recognizers } from '../../../core/recognizers/index.ts';
import { samplesOf } from '../../support/recognizer-samples.ts';

const scanner = new TextScanner(new KeywordIndex(recognizers));

describe.each(recognizers.map((recognizer) => [recognizer.name, recognizer] as const))('%s', (_name, recognizer) => {
  const { type, name } = recognizer;
  const samples = samplesOf(name);
  const detector = new Detector({ types: [type] });
  test.each(samples.match.map(([text, value]) => [text, value]))('finds in %j exactly %j', (text, value) => {
    const start = text.indexOf(value);
    expect(detector.detect(text).map((found) => [found.start, found.value])).toContainEqual([start, value]);
    // The same within other text, and together with all other recognizers.
    const among = `はい。 ${text}\nNext line.`;
    const found = new Detector({ types: builtinTypes }).detect(among).filter((hit) => hit.type === type);
    expect(found.map((hit) => hit.value)).toContain(value);
  });
  test.each(samples.noMatch)('finds nothing in %j', (text) => {
    expect(recognizer.find(scanner.scan(text))).toEqual([]);
  });
});
