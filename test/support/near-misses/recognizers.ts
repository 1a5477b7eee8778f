/** Near misses of the recognizers' samples. */
import { Detector, type DetectorOptions } from '../../../core/detect/detector.ts';
import type { Detection, Recognizer } from '../../../core/recognizer.ts';
import { samplesOf } from '../recognizer-samples.ts';
import { alternatives, filled, labelForms, type Sample, surroundings, type Variant } from './edits.ts';
import { addTo, blockOf, groupLines, type Look, rounded, tableBlock } from './golden.ts';
import { texts } from './texts.ts';

/** A block that is computed on demand, with the name of its test. */
export type Made = { readonly name: string; readonly make: () => string };

/** Positions in the variant: `<` start of the value, `>` its end, `^` the edit. */
function placeOf(at: number, { start, end, from, to }: Variant): string {
  if (at === start) return '<';
  if (at === end) return '>';
  if (at === from) return '^';
  if (at === to) return '$';
  if (at < start) return `<-${start - at}`;
  if (at > end) return `>+${at - end}`;
  // From the side that the edit does not move, so that edits with one effect have one description.
  const isFromStart = from === undefined ? at - start <= end - at : at < from;
  return isFromStart ? `<+${at - start}` : `>-${end - at}`;
}

function wordsOf(found: Detection, variant: Variant, own: Recognizer): string {
  const { type, value, start, end, score, recognizer, context, checksum } = found;
  if (variant.text.slice(start, end) !== value) throw new Error(`${JSON.stringify(found)} in ${variant.text}`);
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
const valuesMax = 4;

/** All blocks of a recognizer: one per sample, its labels, and its samples with all other recognizers. */
export function recognizerBlocks(own: Recognizer): Made[] {
  const alone = lookWith({ types: [own.type] }, own);
  const isSecret = secretTypes.includes(own.type);
  const { match, noMatch } = samplesOf(own.name);
  const positive = match.map(([text, value]): Sample => {
    const start = text.indexOf(value);
    return { text, start, end: start + value.length };
  });
  const negative = noMatch.map((text): Sample => ({ text, start: 0, end: text.length }));
  const made: Made[] = [
    ...positive.map((sample) => ({
      name: sample.text,
      make: () => blockOf(sample, { kind: '+', look: alone, isSecret }),
    })),
    ...negative.map((sample) => ({
      name: sample.text,
      make: () => blockOf(sample, { kind: '-', look: alone, isSecret }),
    })),
  ];
  const values = [...new Set(match.map(([, value]) => value))].slice(0, valuesMax);
  const labels = (own.labels ?? []).flatMap(spelled);
  if (labels.length > 0) {
    made.push({ name: 'labels', make: () => labelTable(labels, values[0] ?? '', alone) });
    made.push({ name: 'forms of labels', make: () => formsOfLabels(labels, values, alone) });
  }
  (texts[own.name] ?? []).forEach((row, i) => {
    made.push({ name: `texts ${i + 1}`, make: () => rowOfTexts(own, row, i + 1) });
  });
  if (positive.length > 0) made.push({ name: 'among all recognizers', make: () => amongAll(own, positive) });
  return made;
}

/** The findings in the texts of one row, by the alternatives used. */
function rowOfTexts(own: Recognizer, row: string, number: number): string {
  const detector = new Detector({ types: [own.type] });
  const isSecret = secretTypes.includes(own.type);
  const groups = new Map<string, string[]>();
  for (const [text, taken] of alternatives(row, isSecret)) {
    const found = detector.detect(text).map(({ value, score, context }) => {
      const speaks = context === undefined ? '' : ` ‹${context}›`;
      return `${rounded(score)}${speaks} ${isSecret ? value.length : value}`;
    });
    addTo(groups, found.join(' + ').replaceAll('\n', '⏎') || 'nothing', taken);
  }
  return [
    `texts ${number} ${isSecret ? '' : row.slice(0, 60).replaceAll('\n', '⏎')}`.trim(),
    ...groupLines(groups),
  ].join('\n');
}

/** Like a `Look`, but writes the text's label as `it`. */
function withoutLabel(look: Look, label: string): Look {
  const context = `‹${label.toLowerCase()}›`;
  return (variant) => look(variant).replaceAll(context, '‹it›');
}

/** Every label before the same value. */
function labelTable(labels: readonly string[], value: string, look: Look): string {
  const texts = labels.map((label) => [label, filled('L: V', label, value), withoutLabel(look, label)] as const);
  return tableBlock('labels', texts);
}

/** An English and a Japanese label with some values in all layouts; of later values, only what differs. */
function formsOfLabels(labels: readonly string[], values: readonly string[], look: Look): string {
  const english = labels.find((one) => /^[ -~]+$/.test(one));
  const japanese = labels.find((one) => !/^[ -~]+$/.test(one));
  const blocks: string[] = [];
  const usual = new Map<string, string>();
  for (const label of [english, japanese])
    for (const value of label === undefined ? [] : values) {
      const lookHere = withoutLabel(look, label ?? '');
      const texts = labelForms.flatMap((form) => {
        const variant = filled(form, label ?? '', value);
        const found = lookHere(variant);
        if (usual.get(form) === found) return [];
        if (!usual.has(form)) usual.set(form, found);
        return [[form, variant, lookHere] as const];
      });
      blocks.push(tableBlock(`‹${label}› with value ${values.indexOf(value) + 1}`, texts));
    }
  return ['forms of labels', ...blocks].join('\n');
}

const amongIn = ['json', 'csv', 'table row', 'query', 'path', 'log', 'english', 'japanese'];

/** The findings of all recognizers together in the samples, and the surroundings that change them. */
function amongAll(own: Recognizer, samples: readonly Sample[]): string {
  const look = lookWith({}, own);
  const lines = ['among all recognizers'];
  samples.forEach((sample, i) => {
    const usual = look(sample);
    lines.push(`${i + 1} ${usual || 'nothing'}`);
    const others = new Map<string, string[]>();
    for (const name of amongIn) {
      const [before, after] = surroundings[name] ?? ['', ''];
      const { text, start, end } = sample;
      const found = look({ text: before + text + after, start: start + before.length, end: end + before.length });
      if (found !== usual) others.set(found, [...(others.get(found) ?? []), name]);
    }
    for (const [found, names] of others) lines.push(`  ${found || 'nothing'}: ${names.join('  ')}`);
  });
  return lines.join('\n');
}

/** Expands `a(b|c)` of a label list. */
function spelled(label: string): string[] {
  const group = /^(.*?)\(([^()]*)\)(.*)$/.exec(label);
  if (group === null) return [label];
  const [, before = '', alternatives = '', after = ''] = group;
  return alternatives.split('|').flatMap((one) => spelled(before + one + after));
}
