/** Generates texts with labels and values of each type and language, next to other numbers of the same format. */
import { wordsByLanguage } from '../../core/context/type-words.ts';
import { contextTypes } from '../../core/recognizers/context-types.ts';
import { type Random, randomFrom } from '../../eval/random.ts';
import type { PiiRecord } from '../../eval/records.ts';
import templates from './made-texts.json' with { type: 'json' };

type Templates = {
  readonly lines: readonly string[];
  readonly none: readonly string[];
  readonly rivals: readonly string[];
};

/** Number of texts per label and type. */
const textsPerLabel = 3;
const labelsMax = 40;

/**
 * The texts of each language; values come from other texts, with random digits.
 * @param values sample values by type
 */
export function madeTexts(values: ReadonlyMap<string, readonly string[]>): PiiRecord[] {
  const random = randomFrom(11);
  const all: PiiRecord[] = [];
  const known = [...values.values()].flat();
  for (const { type } of contextTypes) {
    const own = values.get(type) ?? [];
    for (const [lang, labels] of Object.entries(wordsByLanguage(type).labels)) {
      const of = (templates as Record<string, Templates>)[lang];
      if (of === undefined || own.length === 0) continue;
      const isJapanese = lang === 'ja';
      const mine = own.filter((value) => isJapanese === /[^\0-\u024f]/.test(value) || /^[0-9 -]+$/.test(value));
      const fill = { type, own: mine.length > 0 ? mine : own, known, rivals: of.rivals, isJapanese };
      for (const label of sample(random, labels.flatMap(choices), labelsMax)) {
        for (let i = 0; i < textsPerLabel; i++)
          all.push(filled(random, pick(random, of.lines), label, fill, all.length));
        if (of.none.length > 0) all.push(filled(random, pick(random, of.none), label, fill, all.length));
      }
    }
  }
  return all;
}

type Fill = {
  readonly type: string;
  readonly own: readonly string[];
  readonly known: readonly string[];
  readonly rivals: readonly string[];
  readonly isJapanese: boolean;
};

function filled(random: Random, template: string, label: string, fill: Fill, at: number): PiiRecord {
  const { type, own, known, rivals } = fill;
  const rival = pick(random, rivals);
  const spans: { type: string; start: number; end: number }[] = [];
  const written =
    random() < 0.3 ? label.charAt(0).toUpperCase() + label.slice(1) : random() < 0.15 ? label.toUpperCase() : label;
  let text = '';
  let done = 0;
  for (const mark of template.matchAll(/\{([a-z]+)2?\}/g)) {
    text += template.slice(done, mark.index);
    const start = text.length;
    if (mark[1] === 'label') text += written;
    else if (mark[1] === 'rival') text += rival;
    // Half of the other numbers have the format of a value.
    else if (mark[1] === 'r') text += redrawn(random, pick(random, random() < 0.5 ? own : known));
    else {
      text += redrawn(random, pick(random, own));
      spans.push({ type, start, end: text.length });
    }
    done = mark.index + mark[0].length;
  }
  text += template.slice(done);
  return {
    id: `made-${at}`,
    file: 'made',
    lang: fill.isJapanese ? 'ja' : 'en',
    source: 'made',
    text,
    spans,
    optional: [],
    judge: [type],
    isRecallOnly: false,
    isClean: false,
  };
}

/** The same format with other digits; dates are kept, because random digits are rarely a date. */
function redrawn(random: Random, value: string): string {
  if (/[年月日]|^[0-9]{1,4}[-/. ][0-9]{1,2}[-/. ][0-9]{1,4}$|[a-z]{3}/i.test(value)) return value;
  return value.replace(/[1-9]/g, () => String(1 + Math.floor(random() * 9)));
}

function sample<T>(random: Random, list: readonly T[], most: number): T[] {
  return list.length <= most ? [...list] : Array.from({ length: most }, () => pick(random, list));
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

function choices(label: string): string[] {
  const choice = /\(([^()]*\|[^()]*)\)/.exec(label);
  if (choice === null) return [label];
  const tail = label.slice(choice.index + choice[0].length);
  return (choice[1] ?? '')
    .split('|')
    .map((part) => label.slice(0, choice.index) + part + tail.replace(/\(([^|()]*)\|[^()]*\)/g, '$1'));
}
