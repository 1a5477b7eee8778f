import { anyOf } from '../../patterns.ts';
import { unescapedEntities, unescapedPercent } from '../decode.ts';
import { cellOf, joinHash, type LinearModel, unpackModel, windowNorm } from '../hashed-ngrams.ts';
import {
  type InjectionMatch,
  type InjectionOptions,
  type InjectionResult,
  type InjectionRisk,
  nothingFound,
} from '../result.ts';
import { originalOffset, viewOf } from '../text-view.ts';
import { sqlPatterns, statementKind } from './patterns.ts';
import { type SqlTokens, sqlTokens } from './tokens.ts';
import sqlWeights from './weights.json' with { type: 'json' };

/** Minimum score of an attack, by sensitivity. Tuned on sources that the model was not trained on. */
const thresholds = { low: 1.5, normal: 0.8, high: -0.4 } as const;

const ruleShare = 0.6;
/** Subtracted from the model's score: a complete, balanced statement is probably code. */
const statementDiscount = { none: 0, begun: 1.5, quoted: 1.5, whole: 5 } as const;

const sliceChars = 65_536;
const sliceOverlap = 2_048;

let defaultModel: LinearModel | undefined;

function sqlModel(): LinearModel {
  defaultModel ??= unpackModel(sqlWeights);
  return defaultModel;
}

/**
 * Detects SQL injection: a break-out followed by a tautology, `union select`, stacked statement, delay, error or file
 * function, plus a linear model over token sequences. Ordinary statements and prose with the same words pass. Linear
 * time; never throws. The only category is `sql_injection`.
 * @example detectSqlInjection("7' or 8=8 -- x").risk // 'high'
 */
export function detectSqlInjection(text: string, options: InjectionOptions = {}, model = sqlModel()): InjectionResult {
  const sensitivity = options.sensitivity ?? 'normal';
  if (text.length <= sliceChars) return detectSlice(text, { offset: 0, sensitivity, model });
  let best = nothingFound();
  for (let at = 0; at < text.length; at += sliceChars - sliceOverlap) {
    const found = detectSlice(text.slice(at, at + sliceChars), { offset: at, sensitivity, model });
    if (
      riskOrder.indexOf(found.risk) > riskOrder.indexOf(best.risk) ||
      (found.risk === best.risk && found.score > best.score)
    )
      best = found;
    if (at + sliceChars >= text.length) break;
  }
  return best;
}

const riskOrder: readonly InjectionRisk[] = ['none', 'low', 'medium', 'high', 'critical'];

const statements = anyOf('union select or and order having exec sleep waitfor declare');
/** An attack needs a character to break out with, or a statement. */
const trigger = new RegExp(
  String.raw`['"\`;#*|&%=<>()\u2018\u2019\u2032\u201c\u201d\uff07\uff1d]|--|\b${statements}\b`,
  'i',
);

type SliceOptions = {
  readonly offset: number;
  readonly sensitivity: keyof typeof thresholds;
  readonly model: LinearModel;
};

/** A request for an explanation, as it precedes a quoted attack. */
const asks =
  /\b(?:explain|(?:what|how|why) does|how do|why is|describe|teach|lecture|lesson)\b|説明して|とは|意味|仕組み/i;

/** Patterns and model score of one slice; undefined when there can be no attack. */
function evidenceIn(text: string, model: LinearModel) {
  if (!trigger.test(text)) return undefined;
  const read = sqlText(text);
  const tokens = sqlTokens(read.text);
  if (tokens.count < 2) return undefined;
  const statement = statementKind(read.text, tokens);
  const patterns = sqlPatterns(tokens, statement !== 'none');
  const linear = sqlLinear(tokens, model);
  // A question about an attack quotes it.
  const first = Math.min(...patterns.map(({ start }) => tokens.start[start] ?? 0));
  if (patterns.length > 0 && first > 8 && asks.test(read.text.slice(0, first))) {
    for (const pattern of patterns) pattern.weight *= 0.3;
    linear.score = Math.min(linear.score, 0);
  }
  const rules = patterns.reduce((sum, pattern) => sum + pattern.weight, 0);
  const score = linear.score - statementDiscount[statement] + ruleShare * Math.min(6, rules);
  return { read, tokens, patterns, linear, rules, score };
}

/** The evidence in a text, to tune thresholds. */
export function sqlEvidence(text: string, model: LinearModel) {
  const found = evidenceIn(text.slice(0, sliceChars), model);
  if (found === undefined) return { score: -10, learned: -10, rules: 0, strong: false };
  const strong = found.patterns.some((pattern) => pattern.weight >= 3);
  const { score, linear, rules } = found;
  return { score: strong ? Number.MAX_VALUE : score, learned: linear.score, rules, strong };
}

function detectSlice(text: string, { offset, sensitivity, model }: SliceOptions): InjectionResult {
  const evidence = evidenceIn(text, model);
  if (evidence === undefined) return nothingFound();
  const { read, tokens, patterns, linear, score } = evidence;
  const place = (from: number, to: number): { start: number; end: number } => {
    if (read.original === undefined) return { start: offset, end: offset + text.length };
    return {
      start: offset + read.original(tokens.start[from] ?? 0),
      end: offset + read.original(tokens.end[Math.max(from, to - 1)] ?? read.text.length),
    };
  };
  const matches: InjectionMatch[] = patterns.map(({ rule, start, end, weight }) => ({
    category: 'sql_injection',
    ...place(start, end),
    rule,
    score: weight,
  }));
  const strong = patterns.filter((pattern) => pattern.weight >= 3);
  if (strong.length === 0 && score < thresholds[sensitivity]) return nothingFound(score, matches);
  if (strong.length === 0) {
    matches.push({
      category: 'sql_injection',
      ...place(linear.from, linear.to),
      rule: 'token-rows',
      score: linear.score,
    });
  }
  const destroys = strong.some((pattern) => pattern.destroys);
  const risk: InjectionRisk = strong.length === 0 ? 'medium' : destroys ? 'critical' : 'high';
  return { injectionDetected: true, categories: ['sql_injection'], risk, score, matches };
}

/** A text prepared for the tokeniser. */
type SqlText = {
  readonly text: string;
  /** Maps an offset in `text` to the original; undefined after decoding, which loses offsets. */
  readonly original: ((offset: number) => number) | undefined;
};

const percentEscape = /%[0-9a-f]{2}/i;
const curly = /[\u2018\u2019\u201a\u2032\u00b4\u201c\u201d\u201e\u2033]/;

/** Decodes up to two levels of percent escapes and entities; folds full-width, look-alike and invisible characters. */
export function sqlText(text: string): SqlText {
  let plain = text;
  for (let level = 0; level < 2; level++) {
    const before = plain;
    if (plain.includes('%') && percentEscape.test(plain)) {
      // In a form body or query a plus sign is a space, unless the text has real spaces.
      plain = unescapedPercent(plain.includes(' ') ? plain : plain.replaceAll('+', ' '));
    }
    if (plain.includes('&') && /&(?:#|[a-z]{2,6};)/i.test(plain)) plain = unescapedEntities(plain);
    if (plain === before) break;
  }
  const decoded = plain !== text;
  if (curly.test(plain)) {
    plain = plain.replace(/[\u2018\u2019\u201a\u2032\u00b4]/g, "'").replace(/[\u201c\u201d\u201e\u2033]/g, '"');
  }
  const view = viewOf(plain);
  return { text: view.text, original: decoded ? undefined : (offset) => originalOffset(view, offset) };
}

/** Maximum length of a token sequence that has a weight. */
const rowMax = 5;
/** Tokens per window; windows advance by half of it. */
export const sqlWindow = 24;

/** Passes the features of token `i` to `use`: the sequences of one to five tokens that end there. */
export function sqlFeatures(tokens: SqlTokens, i: number, use: (hash: number) => void): void {
  let row = 0;
  for (let length = 1; length <= rowMax && i - length + 1 >= -1; length++) {
    const at = i - length + 1;
    // The start of the text is a token as well: the string that an attack breaks out of is often outside the text.
    row = joinHash(row, at < 0 ? -1 : (tokens.kind[at] ?? 0));
    use(joinHash(row, length));
  }
}

/** The highest window score (sum of weights over the root of their number), and the window's position. */
function sqlLinear(tokens: SqlTokens, model: LinearModel): { score: number; from: number; to: number } {
  const { weights, bits, scale, bias } = model;
  const half = sqlWindow / 2;
  let before = 0;
  let beforeCount = 0;
  let current = 0;
  let count = 0;
  let best = Number.NEGATIVE_INFINITY;
  let from = 0;
  for (let i = 0; i < tokens.count; i++) {
    sqlFeatures(tokens, i, (hash) => {
      const weight = weights[cellOf(hash, bits)] ?? 0;
      if (weight === 0) return;
      current += weight;
      count++;
    });
    if ((i + 1) % half === 0 || i + 1 === tokens.count) {
      const sum = (before + current) / windowNorm(beforeCount + count);
      if (sum > best) {
        best = sum;
        from = Math.max(0, Math.floor(i / half) * half - half);
      }
      before = current;
      beforeCount = count;
      current = 0;
      count = 0;
    }
  }
  if (best === Number.NEGATIVE_INFINITY) return { score: bias, from: 0, to: 0 };
  return { score: best * scale + bias, from, to: Math.min(tokens.count, from + sqlWindow) };
}
