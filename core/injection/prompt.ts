import {
  type DecodedRun,
  decodedRuns,
  digitsAsLetters,
  eastJoined,
  hasSignsForLetters,
  lettersJoined,
  rot13,
  unescapedText,
} from './decode.ts';
import { classFeatures, type FeatureSink, LearnedScorer, promptWindow, wordFeatures } from './features.ts';
import { type LinearModel, unpackModel } from './hashed-ngrams.ts';
import { PromptEngine } from './prompt-engine.ts';
import {
  type InjectionMatch,
  type InjectionOptions,
  type InjectionResult,
  type InjectionRisk,
  nothingFound,
  type PromptCategory,
  promptCategories,
} from './result.ts';
import { hiddenParts, structureHits } from './structure.ts';
import { originalOffset, reversed, type TextView, viewOf } from './text-view.ts';
import { joinCutWords, splitUnits, straighten, type Units } from './units.ts';
import promptWeights from './weights.json' with { type: 'json' };

/** Minimum score of an injection, by sensitivity. Tuned on sources that the model was not trained on. */
const thresholds = { low: 2.6, normal: 1.4, high: 0.4 } as const;

/** Factor for a leak request in a text that also forbids leaks, where it is quoted as an example. */
const defendedShare = 0.4;

/** Added to the threshold per doubling of length: more windows give a higher maximum by chance. */
const thresholdPerDoubling = 0.7;

/** Subtracted for Japanese, which scores lower, attacks and harmless texts alike: few training sources contain any. */
const japaneseAllowance = 0.7;
const kana = /[\u3040-\u30ff]{2}/;

/** The weight of the rule score relative to the model's. */
const ruleShare = 0.9;
const ruleScoreMax = 6;

/** Margin above the threshold from which a text without a strong signal is a high risk. */
const sureAbove = 1.5;

/** Lower bound of the model's score: a confident model must not outvote many signals. */
const linearMin = -2;

/** Longer texts are processed in overlapping slices. */
const sliceChars = 65_536;
const sliceOverlap = 2_048;

type Signal = {
  readonly rule: string;
  readonly category: PromptCategory;
  readonly start: number;
  readonly end: number;
  readonly weight: number;
  readonly strong: boolean;
  readonly acts: boolean;
  /** Set if found only in invisible text or after decoding. */
  readonly covered: 'hidden_text' | 'encoded_payload' | undefined;
};

/** The model's score, and the span of the sentence that contributed most. */
type Learned = { readonly score: number; readonly start: number; readonly end: number };

type Reading = {
  readonly signals: Signal[];
  readonly learned: Learned;
  /** The threshold's adjustment for length and language. */
  readonly raised: number;
};

let engine: PromptEngine | undefined;
let defaultModel: LinearModel | undefined;

/** The weights, unpacked on first use. */
function promptModel(): LinearModel {
  defaultModel ??= unpackModel(promptWeights);
  return defaultModel;
}

/** The compiled rules, built on first use. */
function promptEngine(): PromptEngine {
  engine ??= new PromptEngine();
  return engine;
}

/**
 * Detects prompt injection: overriding instructions, leak requests, jailbreaks, exfiltration, tool abuse, hidden and
 * encoded instructions. Covers English, Japanese and, less completely, eight other languages. Linear time; never
 * throws.
 * @example detectInjection('Ignore all previous instructions.').categories // ['prompt_injection', 'role_override']
 */
export function detectInjection(text: string, options: InjectionOptions = {}, model = promptModel()): InjectionResult {
  const sensitivity = options.sensitivity ?? 'normal';
  if (text.length <= sliceChars) return decide(read(text, model), sensitivity);
  let signals: Signal[] = [];
  let learned: Learned = { score: Number.NEGATIVE_INFINITY, start: 0, end: 0 };
  const seen = new Set<string>();
  for (let at = 0; at < text.length; at += sliceChars - sliceOverlap) {
    const reading = read(text.slice(at, at + sliceChars), model);
    const { score, start, end } = reading.learned;
    if (score > learned.score) learned = { score, start: start + at, end: end + at };
    for (const signal of reading.signals) {
      const key = `${signal.rule} ${signal.covered} ${signal.strong}`;
      if (seen.has(key)) continue;
      seen.add(key);
      signals.push({ ...signal, start: signal.start + at, end: signal.end + at });
    }
    if (at + sliceChars >= text.length) break;
  }
  signals = signals.slice(0, 200);
  return decide({ signals, learned, raised: raisedBy(text, text.length / 6) }, sensitivity);
}

/** All signals of one slice: visible, hidden and encoded text. */
function read(text: string, model: LinearModel): Reading {
  const view = viewOf(text);
  const units = splitUnits(view.text);
  const { lexicon } = promptEngine();
  const withDigits = straighten(units, lexicon);
  const cut = joinCutWords(view.text, units, lexicon);
  const main = readView(view, units, model);
  const { signals } = main;
  const cover = (run: DecodedRun, covered: 'hidden_text' | 'encoded_payload'): void => {
    const inner = readInner(run.text, model);
    if (inner.learned.score > main.learned.score) {
      main.learned = { score: inner.learned.score, start: run.start, end: run.end };
    }
    for (const signal of inner.signals) {
      signals.push({ ...signal, start: run.start, end: run.end, covered: signal.covered ?? covered });
    }
    if (covered === 'hidden_text') {
      signals.push({
        rule: 'hidden-run',
        category: 'hidden_text',
        start: run.start,
        end: run.end,
        weight: 1,
        strong: false,
        acts: false,
        covered,
      });
    }
  };
  for (const run of view.tagRuns) cover(run, 'hidden_text');
  for (const run of view.reversedRuns) cover(run, 'hidden_text');
  const whole = (plain: string): DecodedRun => ({ start: 0, end: text.length, text: plain });
  for (const run of decodedRuns(view.text, units)) {
    cover({ ...run, start: originalOffset(view, run.start), end: originalOffset(view, run.end) }, 'encoded_payload');
  }
  const unescaped = unescapedText(text);
  if (unescaped !== undefined) addView(main, unescaped, text, model);
  if (units.lettersApart >= 5) addView(main, eastJoined(lettersJoined(view.text)), text, model);
  if (withDigits > 1 || cut > 1) signals.push(disguisedSignal(text));
  if (hasSignsForLetters(view.text, lexicon.known)) {
    addView(main, digitsAsLetters(view.text, lexicon.known), text, model);
  }
  if (main.decode) {
    if (/rot-? ?13|caesar|シーザー/i.test(text)) cover(whole(rot13(text)), 'encoded_payload');
    if (/backward|revers|right.to.left|from the end|逆|反転/i.test(text))
      cover(whole(reversed(text)), 'encoded_payload');
  }
  return { signals, learned: main.learned, raised: raisedBy(text, units.count) };
}

/** Passes the features of a text to `sink` exactly as the detector computes them; for training. */
export function promptFeatures(text: string, sinkOf: (units: Units) => FeatureSink): void {
  const view = viewOf(text);
  const units = promptUnits(view);
  const sink = sinkOf(units);
  wordFeatures(view.text, units, sink);
  promptEngine().run(view.text, units, (events) => classFeatures(units, events, sink));
}

function promptUnits(view: TextView): Units {
  const units = splitUnits(view.text);
  const { lexicon } = promptEngine();
  straighten(units, lexicon);
  joinCutWords(view.text, units, lexicon);
  return units;
}

/** Analyses a decoded run, without decoding further. */
function readInner(text: string, model: LinearModel): ReadView {
  const view = viewOf(text);
  return readView(view, promptUnits(view), model);
}

type ReadView = { signals: Signal[]; learned: Learned; decode: boolean };

/** Adds signals found only in a second view of the same text. */
function addView(main: ReadView, plain: string, text: string, model: LinearModel): void {
  const inner = readInner(plain, model);
  if (inner.learned.score > main.learned.score) {
    main.learned = { score: inner.learned.score, start: 0, end: text.length };
  }
  let disguised = 0;
  for (const signal of inner.signals) {
    const known = main.signals.find((other) => other.rule === signal.rule);
    if (known !== undefined && known.weight >= signal.weight) continue;
    main.signals.push({ ...signal, start: 0, end: text.length });
    disguised = Math.max(disguised, signal.weight);
  }
  if (disguised >= 1.5) main.signals.push(disguisedSignal(text));
}

/** Signal for a disguised word: its letters are not spaced out or replaced by digits by chance. */
function disguisedSignal(text: string): Signal {
  return {
    rule: 'disguised',
    category: 'role_override',
    start: 0,
    end: text.length,
    weight: 1,
    strong: false,
    acts: false,
    covered: undefined,
  };
}

function readView(view: TextView, units: Units, model: LinearModel): ReadView {
  const compiled = promptEngine();
  const scorer = new LearnedScorer(model, units.count);
  wordFeatures(view.text, units, scorer);
  const { hits, seen, defends } = compiled.run(view.text, units, (events) => classFeatures(units, events, scorer));
  const { score, from, to } = scorer.result(units);
  const hidden = hiddenParts(view.text);
  const signals: Signal[] = [];
  const place = (hit: { start: number; end: number }) => ({
    start: originalOffset(view, hit.start),
    end: originalOffset(view, hit.end),
  });
  for (const hit of hits) {
    if (hit.weight <= 0) continue;
    const inside = hidden.some((part) => hit.start >= part.start && hit.end <= part.end);
    signals.push({
      ...place(hit),
      rule: hit.rule.name,
      category: hit.rule.category,
      weight: hit.weight * (defends && hit.rule.category === 'system_prompt_leak' ? defendedShare : 1),
      strong: hit.strong && !(defends && hit.rule.category === 'system_prompt_leak'),
      acts: hit.rule.acts === true,
      covered: inside && hit.rule.weight >= 1 ? 'hidden_text' : undefined,
    });
  }
  for (const hit of structureHits(view.text)) {
    signals.push({ ...hit, ...place(hit), acts: false, covered: undefined });
  }
  for (const part of hidden) {
    const spoken = hits.find((hit) => hit.start >= part.start && hit.end <= part.end && hit.weight >= 1);
    if (spoken === undefined) continue;
    signals.push({
      ...place(part),
      rule: 'hidden-part',
      category: 'hidden_text',
      weight: 2,
      strong: false,
      acts: false,
      covered: 'hidden_text',
    });
    break;
  }
  return {
    signals,
    learned: { score, ...place({ start: units.start[from] ?? 0, end: units.end[to - 1] ?? 0 }) },
    decode: seen[compiled.lexicon.classOf.get('decode') ?? 0] === 1,
  };
}

/** Adds up the signals; a hit that overlaps a heavier one of its category counts a fifth. */
function ruleScore(signals: readonly Signal[]): number {
  const sorted = [...signals].sort((a, b) => b.weight - a.weight);
  const counted: Signal[] = [];
  let score = 0;
  for (const signal of sorted) {
    const overlaps = counted.some(
      (other) => other.category === signal.category && signal.start < other.end && other.start < signal.end,
    );
    score += overlaps ? signal.weight / 5 : signal.weight;
    if (signal.covered !== undefined && !overlaps) score += 1;
    if (score >= ruleScoreMax * 2) break;
    counted.push(signal);
  }
  return score;
}

/** The basis of a decision, exposed to tune thresholds. */
export type Evidence = {
  /** Compared with the threshold, unless there is a strong signal. */
  readonly score: number;
  readonly learned: number;
  readonly rules: number;
  readonly strong: boolean;
  readonly raised: number;
};

/** The evidence in a text, to tune thresholds. */
export function promptEvidence(text: string, model: LinearModel): Evidence {
  const reading = read(text, model);
  const { signals, learned, raised } = reading;
  const strong = signals.some((signal) => signal.strong);
  return {
    score: strong ? Number.MAX_VALUE : scoreOf(reading) - raised,
    learned: learned.score,
    rules: ruleScore(signals),
    strong,
    raised,
  };
}

function scoreOf({ signals, learned }: Reading): number {
  return Math.max(learned.score, linearMin) + ruleShare * Math.min(ruleScoreMax, ruleScore(signals));
}

/** The threshold's adjustment: raised by length, lowered for Japanese. */
function raisedBy(text: string, units: number): number {
  const length = thresholdPerDoubling * Math.max(0, Math.log2((2 * units) / promptWindow));
  return length - (kana.test(text) ? japaneseAllowance : 0);
}

function decide(reading: Reading, sensitivity: keyof typeof thresholds): InjectionResult {
  const { signals, learned, raised } = reading;
  const score = scoreOf(reading);
  const strong = signals.filter((signal) => signal.strong);
  const matches: InjectionMatch[] = signals.map(({ category, start, end, rule, weight }) => ({
    category,
    start,
    end,
    rule,
    score: weight,
  }));
  const threshold = thresholds[sensitivity] + raised;
  const found = strong.length > 0 || score >= threshold;
  if (!found) {
    const weak = sensitivity === 'high' && signals.some((signal) => signal.weight >= 1);
    if (!weak) return nothingFound(score, matches);
    return { injectionDetected: true, categories: categoriesOf(signals, 1), risk: 'low', score, matches };
  }
  if (strong.length === 0) {
    const { start, end } = learned;
    matches.push({ category: 'prompt_injection', start, end, rule: 'learned-wording', score: learned.score });
    const risk = score >= threshold + sureAbove ? 'high' : 'medium';
    return { injectionDetected: true, categories: categoriesOf(signals, 1.2), risk, score, matches };
  }
  const covered = strong.some((signal) => signal.covered !== undefined);
  const acts = strong.some((signal) => signal.acts);
  const kinds = new Set(strong.map((signal) => signal.category));
  const risk: InjectionRisk = covered || acts || kinds.size > 1 ? 'critical' : 'high';
  return { injectionDetected: true, categories: categoriesOf(signals, 2.5), risk, score, matches };
}

/** The umbrella category and those with signals of at least `least`, in fixed order. */
function categoriesOf(signals: readonly Signal[], least: number): string[] {
  const found = new Set<string>();
  for (const signal of signals) {
    if (signal.weight < least) continue;
    found.add(signal.category);
    if (signal.covered !== undefined) found.add(signal.covered);
  }
  return ['prompt_injection', ...promptCategories.filter((category) => found.has(category))];
}
