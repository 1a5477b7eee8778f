import { keyword, type SqlTokens, tokenKind } from './tokens.ts';

/** An attack pattern. `start` and `end` are token numbers. */
export type SqlPattern = {
  readonly rule: string;
  readonly start: number;
  readonly end: number;
  weight: number;
  /** True if it destroys data, runs a command or touches files. */
  readonly destroys: boolean;
};

const k = Object.fromEntries(
  (
    'all alter and benchmark create database declare delay delete distinct drop dumpfile exec execute ' +
    'explain extractvalue from insert into is like load_file master merge not null or outfile pg_sleep ' +
    'receive_message regexp rlike select set shutdown sleep sp_executesql table true truncate union ' +
    'update updatexml user waitfor where with'
  )
    .split(' ')
    .map((name) => [name, keyword(name)]),
) as Readonly<Record<string, number>>;

const sign = {
  quote: 39,
  double: 34,
  backtick: 96,
  open: 40,
  close: 41,
  semicolon: 59,
  comma: 44,
  equal: 61,
  hash: 35,
  less: 60,
  greater: 62,
} as const;

const isQuote = (kind: number): boolean => kind === sign.quote || kind === sign.double;

/** Token kinds: those of keywords, and others. */
const kinds = (keywords: string, ...more: number[]): ReadonlySet<number | undefined> =>
  new Set([...keywords.split(' ').map(keyword), ...more]);
const logical = kinds('and or xor having', tokenKind.orSigns, tokenKind.andSigns);
const comparisons = kinds(
  'like is rlike regexp',
  ...[sign.equal, sign.less, sign.greater, tokenKind.notEqual, tokenKind.lessEqual],
);
const catalogues = kinds(
  'information_schema sysobjects syscolumns sysusers sqlite_master pg_catalog pg_shadow pg_user all_tables user_tables',
);
const commands = kinds('xp_cmdshell xp_dirtree xp_regread openrowset utl_http utl_inaddr utl_file');
const condition = kinds('and or xor if case when select union having', tokenKind.orSigns, tokenKind.andSigns);

/** The patterns in a text, at most one per rule. `statement`: the text is ordinary SQL. */
export function sqlPatterns(tokens: SqlTokens, statement: boolean): SqlPattern[] {
  const found = new Map<string, SqlPattern>();
  const { count } = tokens;
  const at = (i: number): number => (i >= 0 && i < count ? (tokens.kind[i] ?? 0) : -1);
  const add = (rule: string, span: readonly [number, number], weight: number, destroys = false): void => {
    if ((found.get(rule)?.weight ?? 0) >= weight) return;
    found.set(rule, { rule, start: Math.max(0, span[0]), end: Math.min(count, span[1]), weight, destroys });
  };
  /** True if an attack may break out after the token before `i`. */
  const breaksOut = (i: number): boolean => {
    const before = at(i - 1);
    return (
      before === -1 ||
      isQuote(before) ||
      before === sign.close ||
      before === tokenKind.number ||
      before === tokenKind.comment ||
      before === tokenKind.commentStart ||
      before === sign.backtick ||
      before === tokenKind.variable
    );
  };
  let lastCondition = -100;
  let heavy = 0;
  let breakout = false;
  for (let i = 0; i < count; i++) {
    const kind = at(i);
    if (condition.has(kind) && (breaksOut(i) || kind !== k.and)) {
      lastCondition = i;
      if (breaksOut(i) && !statement) breakout = true;
    }
    if (logical.has(kind)) tautology(tokens, i, breaksOut(i), add);
    else if (kind === k.union) {
      let j = i + 1;
      while (
        at(j) === k.all ||
        at(j) === k.distinct ||
        at(j) === sign.open ||
        at(j) === tokenKind.comment ||
        at(j) === tokenKind.commentStart
      )
        j++;
      if (at(j) === k.select && !statement) {
        const listed = hasList(tokens, j + 1);
        add('union-select', [i, j + 2], breaksOut(i) || listed ? 3 : 0.5);
      }
    } else if (kind === sign.semicolon && !statement) stacked(tokens, i, add);
    else if (
      (kind === k.sleep || kind === k.benchmark || kind === k.pg_sleep || kind === k.receive_message) &&
      at(i + 1) === sign.open
    ) {
      const called = at(i - 1) === 46;
      const near = i - lastCondition <= 40 && breakout;
      add('delay', [i, i + 3], called && kind === k.sleep ? 0 : near ? 3 : kind === k.sleep ? 0.4 : 1.5);
    } else if (kind === k.waitfor && at(i + 1) === k.delay && isQuote(at(i + 2)))
      add('delay', [i, i + 4], statement ? 1 : 3);
    else if ((kind === k.extractvalue || kind === k.updatexml) && at(i + 1) === sign.open)
      add('error-function', [i, i + 3], breakout ? 3 : 1.5);
    else if (kind === k.into && (at(i + 1) === k.outfile || at(i + 1) === k.dumpfile))
      add('file-write', [i, i + 3], statement ? 1 : 3, true);
    else if (kind === k.load_file && at(i + 1) === sign.open) add('file-read', [i, i + 3], breakout ? 3 : 1.5, true);
    else if (commands.has(kind)) {
      const called = at(i - 1) === k.exec || at(i - 1) === k.execute || at(i - 1) === 46 || breakout;
      add('command', [i - 1, i + 2], called ? 3 : 1, true);
    } else if (catalogues.has(kind)) {
      // Repeating one catalogue table many times is a way to make a query slow.
      heavy++;
      if (heavy >= 3) add('heavy-query', [i, i + 1], 3);
      if (breakout) add('catalogue', [i, i + 1], 2);
    } else if (
      (kind === tokenKind.commentStart || kind === sign.hash) &&
      count - i <= 3 &&
      isQuote(at(i - 1)) &&
      i >= 1 &&
      oddQuotes(tokens, i)
    ) {
      add('comment-after-quote', [i - 1, i + 1], 2);
    }
  }
  return [...found.values()].filter((pattern) => pattern.weight > 0);
}

type Add = (rule: string, span: readonly [number, number], weight: number, destroys?: boolean) => void;

/** `or 'a'='a`, `and 2>1`, `having 1 like 1`. */
function tautology(tokens: SqlTokens, i: number, broken: boolean, add: Add): void {
  const at = (j: number): number => (j < tokens.count ? (tokens.kind[j] ?? 0) : -1);
  let j = i + 1;
  while (at(j) === sign.open || at(j) === k.not || at(j) === tokenKind.comment) j++;
  const left = operand(tokens, j);
  if (left === undefined) return;
  j = left.next;
  while (at(j) === sign.close || at(j) === k.not || at(j) === tokenKind.comment) j++;
  if (!comparisons.has(at(j))) return;
  const equals = at(j) === sign.equal || at(j) === k.like || at(j) === k.is || at(j) === k.rlike || at(j) === k.regexp;
  j++;
  while (at(j) === sign.open || at(j) === sign.equal || at(j) === k.not || at(j) === tokenKind.comment) j++;
  const right = operand(tokens, j);
  if (right === undefined) return;
  const same = left.value === right.value && (left.constant || broken);
  if (same && equals) add('tautology', [i - 1, right.next], broken ? (left.constant || right.constant ? 3 : 2) : 0.8);
  else if (left.constant && right.constant && left.quoted === right.quoted)
    add('constant-comparison', [i - 1, right.next], broken ? 2 : 0.5);
}

function operand(
  tokens: SqlTokens,
  i: number,
): { value: number; constant: boolean; quoted: boolean; next: number } | undefined {
  const at = (j: number): number => (j < tokens.count ? (tokens.kind[j] ?? 0) : -1);
  let j = i;
  const quoted = isQuote(at(j));
  if (quoted) j++;
  if (quoted && isQuote(at(j))) return { value: 0, constant: true, quoted, next: j + 1 };
  const kind = at(j);
  if (
    kind !== tokenKind.number &&
    kind !== tokenKind.word &&
    !(kind >= 160 && (tokens.value[j] ?? 0) !== 0 && (quoted || kind === k.true || kind === k.null))
  )
    return undefined;
  const value = tokens.value[j] ?? 0;
  j++;
  if (quoted && isQuote(at(j))) j++;
  return { value, constant: quoted || kind === tokenKind.number, quoted, next: j };
}

/** True if a select list, not prose, follows: a comma, bracket, number, null, variable, quoted text or `from`. */
function hasList(tokens: SqlTokens, i: number): boolean {
  for (let j = i; j < Math.min(i + 4, tokens.count); j++) {
    const kind = tokens.kind[j] ?? 0;
    if (kind === tokenKind.words || kind === tokenKind.foreign) return false;
    if (
      kind === sign.comma ||
      kind === tokenKind.number ||
      kind === k.null ||
      kind === tokenKind.variable ||
      kind === k.from ||
      kind === sign.open
    )
      return true;
  }
  return i >= tokens.count;
}

/** A second statement after a semicolon, unless the text itself starts as SQL. */
function stacked(tokens: SqlTokens, i: number, add: Add): void {
  const at = (j: number): number => (j < tokens.count ? (tokens.kind[j] ?? 0) : -1);
  let j = i + 1;
  while (at(j) === tokenKind.comment) j++;
  const verb = at(j);
  const next = at(j + 1);
  const ends = (from: number): boolean => {
    for (let n = from; n < from + 4; n++) {
      const kind = at(n);
      if (
        kind === -1 ||
        kind === sign.semicolon ||
        kind === tokenKind.commentStart ||
        kind === sign.hash ||
        kind === k.where ||
        kind === sign.open ||
        isQuote(kind)
      )
        return true;
    }
    return false;
  };
  const quoteBefore = isQuote(at(i - 1)) || at(i - 1) === tokenKind.number || at(i - 1) === sign.close || i === 0;
  const span = [i - 1, j + 3] as const;
  if (
    (verb === k.drop || verb === k.truncate || verb === k.alter || verb === k.create) &&
    (next === k.table || next === k.database || next === k.user) &&
    at(j + 2) !== tokenKind.words
  ) {
    add('stacked', span, ends(j + 2) || quoteBefore ? 3 : 1, true);
  } else if (verb === k.delete && next === k.from && ends(j + 2)) add('stacked', span, quoteBefore ? 3 : 1.5, true);
  else if (verb === k.insert && next === k.into && ends(j + 2)) add('stacked', span, quoteBefore ? 3 : 1.5, true);
  else if (verb === k.update && at(j + 2) === k.set) add('stacked', span, quoteBefore ? 3 : 1.5, true);
  else if (
    (verb === k.exec || verb === k.execute) &&
    (commands.has(next) || next === k.master || next === sign.open || next === k.sp_executesql)
  )
    add('stacked', span, 3, true);
  else if (verb === k.shutdown && (next === -1 || next === tokenKind.commentStart || next === sign.semicolon))
    add('stacked', span, 3, true);
  else if (verb === k.declare && next === tokenKind.variable) add('stacked', span, 2, true);
  else if (verb === k.waitfor && next === k.delay) add('stacked', span, 3);
  else if (verb === k.select && quoteBefore) add('stacked', span, 1.5);
}

function oddQuotes(tokens: SqlTokens, to: number): boolean {
  let count = 0;
  const mark = tokens.kind[to - 1] ?? 0;
  for (let i = 0; i < to; i++) if (tokens.kind[i] === mark) count++;
  return count % 2 === 1;
}

/** Statement patterns: the first keyword, and the keywords that must follow within this many tokens. */
const statements = new Map<number | undefined, { needs: readonly (number | undefined)[]; within: number }>([
  [k.select, { needs: [k.from], within: 200 }],
  [k.insert, { needs: [k.into], within: 2 }],
  [k.update, { needs: [k.set], within: 6 }],
  [k.delete, { needs: [k.from], within: 2 }],
  [
    k.create,
    {
      needs: [
        k.table,
        keyword('index'),
        keyword('view'),
        k.database,
        keyword('procedure'),
        keyword('function'),
        keyword('trigger'),
      ],
      within: 4,
    },
  ],
  [k.alter, { needs: [k.table], within: 2 }],
  [k.with, { needs: [k.select], within: 12 }],
  [k.merge, { needs: [k.into], within: 2 }],
  [k.explain, { needs: [k.select], within: 3 }],
]);

/** True for a token, or the start of the text, that an attack can break out of before a semicolon. */
const endsValue = (kind: number): boolean =>
  kind === -1 || isQuote(kind) || kind === tokenKind.number || kind === sign.close;

/** The start of a statement, ignoring comments; a bracket after the first word would make it a call. */
const opening = new RegExp(
  `^(?:\\s|--[^\\n]*\\n|/\\*[^*]*\\*/)*(?:${[
    'select|insert|update|delete|drop|alter|create|truncate|with|merge|grant|revoke|set|declare|exec|execute|call|begin',
    'use|show|explain|describe|values|copy|comment|rename|lock|start|commit|analyze|load|put|do|if|while|prepare|pragma',
  ].join('|')})\\b(?!\\s*[(=])`,
  'i',
);

/** Tokens that never end a statement, but do end a truncated attack. */
const unfinished = new Set<number | undefined>([
  k.where,
  k.and,
  k.or,
  k.not,
  k.from,
  sign.equal,
  sign.comma,
  sign.open,
]);

/**
 * `whole` or `quoted` for pasted code: a complete statement with balanced quotation marks and brackets and nothing to
 * break out of before it. `begun`: starts as a statement but is not balanced.
 */
export function statementKind(text: string, tokens: SqlTokens): 'none' | 'begun' | 'quoted' | 'whole' {
  if (unfinished.has(tokens.kind[tokens.count - 1])) return 'none';
  const whole = opening.test(text);
  let single = 0;
  let double = 0;
  let depth = 0;
  let lowest = 0;
  let starts = whole;
  const { count } = tokens;
  for (let i = 0; i < count; i++) {
    const kind = tokens.kind[i] ?? 0;
    if (kind === sign.quote) single++;
    else if (kind === sign.double) double++;
    else if (kind === sign.open) depth++;
    else if (kind === sign.close) lowest = Math.min(lowest, --depth);
    if (starts) continue;
    const shape = statements.get(kind);
    if (shape === undefined) continue;
    // "select version();" needs no table.
    if (i === 0 && kind === k.select) starts = true;
    const before = i === 0 ? -1 : (tokens.kind[i - 1] ?? 0);
    // "1 union select", "' ; insert into" and "(select" do not start a statement of their own.
    if (
      before === tokenKind.number ||
      before === k.union ||
      before === k.all ||
      before === sign.close ||
      before === tokenKind.comment ||
      before === tokenKind.orSigns
    )
      return 'none';
    if (before === sign.quote && single % 2 === 0) return 'none';
    if (before === sign.semicolon && endsValue(i < 2 ? -1 : (tokens.kind[i - 2] ?? 0))) return 'none';
    if (before === sign.open && i > 1 && tokens.kind[i - 2] === tokenKind.orSigns) return 'none';
    for (let j = i + 1; j <= i + shape.within && j < count; j++) {
      if (shape.needs.includes(tokens.kind[j])) {
        starts = true;
        break;
      }
    }
  }
  const balanced = single % 2 === 0 && double % 2 === 0 && depth === 0 && lowest === 0;
  if (whole) return balanced ? 'whole' : 'begun';
  return starts && balanced ? 'quoted' : 'none';
}
