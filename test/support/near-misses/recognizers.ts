/** Near misses of the recognizers' samples. */
import { Detector, type DetectorOptions } from '../../../core/detect/detector.ts';
import type { Detection, Recognizer } from '../../../core/recognizer.ts';
import { samplesOf } from '../recognizer-samples.ts';
import { alternatives, placeOf, type Sample, spanIn, type Variant } from './edits.ts';
import { addTo, blockOf, groupLines, type Look, rounded, sampled } from './golden.ts';
import { texts } from './texts.ts';

/** A block that is computed on demand, with the name of its test. */
export type Made = { readonly name: string; readonly make: () => string };

/** Throws unless the detection has the text at its place as its value. */
function checkValue(found: Detection, text: string): void {
  if (text.slice(found.start, found.end) !== found.value) throw new Error(`${JSON.stringify(found)} in ${text}`);
}

function wordsOf(found: Detection, variant: Variant, own: Recognizer): string {
  const { type, value, start, end, score, recognizer, context, checksum } = found;
  checkValue(found, variant.text);
  const isExact = start === variant.start && end === variant.end;
  const isAgain = !isExact && value === variant.text.slice(variant.start, variant.end);
  return [
    type === own.type ? '' : type,
    recognizer === own.name || type !== own.type ? '' : `by ${recognizer}`,
    rounded(score),
    context === undefined ? '' : `‹${context.replaceAll('\n', '⏎')}›`,
    checksum ? 'checked' : '',
    isExact ? '' : isAgain ? 'again' : `${placeOf(start, variant)}..${placeOf(end, variant)}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function lookWith(options: DetectorOptions, own: Recognizer): Look {
  let detector: Detector | undefined;
  return (variant) => {
    detector ??= new Detector(options);
    return detector
      .detect(variant.text)
      .map((found) => wordsOf(found, variant, own))
      .join(' + ');
  };
}

const secretTypes = ['API_KEY', 'JWT', 'PRIVATE_KEY', 'PASSWORD'];

/** All blocks of a recognizer: one per sample and per row of texts. */
export function recognizerBlocks(own: Recognizer): Made[] {
  const look = lookWith({ types: [own.type] }, own);
  const isSecret = secretTypes.includes(own.type);
  const { match, noMatch } = samplesOf(own.name);
  const block = (kind: '+' | '-', sample: Sample): Made => ({
    name: sample.text,
    make: () => blockOf(sample, { kind, look, isSecret }),
  });
  const samples = [
    ...match.map(([text, value]) => {
      const start = text.indexOf(value);
      return block('+', { text, start, end: start + value.length });
    }),
    ...noMatch.map((text) => block('-', { text, start: 0, end: text.length })),
  ];
  const rows = (texts[own.name] ?? []).map((row, i) => ({
    name: `texts ${i + 1}`,
    make: () => rowOfTexts(own, row, i + 1),
  }));
  return [...sampled(samples), ...rows];
}

/** The findings in the texts of one row, by the alternatives used. */
function rowOfTexts(own: Recognizer, row: string, number: number): string {
  const detector = new Detector({ types: [own.type] });
  const isSecret = secretTypes.includes(own.type);
  const groups = new Map<string, string[]>();
  for (const one of alternatives(row, isSecret)) {
    const found = detector.detect(one.text).map((detection) => {
      const { start, end, score, context } = detection;
      checkValue(detection, one.text);
      const at = context === undefined ? -1 : one.text.toLowerCase().indexOf(context);
      const label = at < 0 ? context : spanIn(one, at, at + (context?.length ?? 0));
      return [rounded(score), ...(label === undefined ? [] : [`‹${label}›`]), spanIn(one, start, end)].join(' ');
    });
    addTo(groups, found.join(' + ') || 'nothing', one.name);
  }
  return [
    `texts ${number} ${isSecret ? '' : row.slice(0, 60).replaceAll('\n', '⏎')}`.trim(),
    ...groupLines(groups),
  ].join('\n');
}
