/** Edits rules in a policy's YAML. Only the lines of the changed rule change; comments and all others stay. */

/** A rule in the file; keys that the form does not know are kept. */
export type Rule = {
  readonly name?: string;
  readonly owner?: string;
  readonly expires?: string;
  readonly report_only?: boolean;
  readonly when?: Readonly<Record<string, unknown>>;
  readonly then?: Readonly<Record<string, unknown>>;
  readonly [more: string]: unknown;
};

type Section = {
  readonly before: readonly string[];
  /** The line `rules:`; with `rules: []` the list comes from elsewhere. */
  readonly head: string;
  /** The lines of each rule, including the comments above it. */
  readonly blocks: readonly (readonly string[])[];
  readonly after: readonly string[];
  readonly indent: string;
};

/** Moves the rule at `from` to `to`. `rules` are the current rules of the text. */
export function moveRule(yaml: string, rules: readonly Rule[], { from, to }: { from: number; to: number }): string {
  if (from === to) return yaml;
  return edit(yaml, rules, (blocks) => moved(blocks, from, to));
}

/** Moves the item at `from` to `to`. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}

export function removeRule(yaml: string, rules: readonly Rule[], at: number): string {
  return edit(yaml, rules, (blocks) => blocks.filter((_, i) => i !== at));
}

/** Changes a rule, or appends one if `at` is the number of rules. */
export function putRule(yaml: string, rules: readonly Rule[], { at, rule }: { at: number; rule: Rule }): string {
  return edit(yaml, rules, (blocks, indent) => {
    const next = [...blocks];
    const comments = (blocks[at] ?? []).filter((line) => /^\s*#/.test(line));
    next[at] = [...comments.slice(0, leadingComments(blocks[at])), ...ruleLines(rule, indent)];
    return next;
  });
}

function leadingComments(block: readonly string[] = []): number {
  const first = block.findIndex((line) => /^\s*-/.test(line));
  return block.slice(0, Math.max(0, first)).filter((line) => /^\s*#/.test(line)).length;
}

type Work = (blocks: readonly (readonly string[])[], indent: string) => readonly (readonly string[])[];

function edit(yaml: string, rules: readonly Rule[], work: Work): string {
  const found = sectionOf(yaml);
  // If rules share lines, all are rewritten.
  const isSplit = found.blocks.length === rules.length;
  const blocks = isSplit ? found.blocks : rules.map((rule) => ruleLines(rule, found.indent));
  const next = work(blocks, found.indent);
  const head = next.length === 0 ? `${found.head} []` : found.head;
  return `${[...found.before, head, ...next.flat(), ...found.after].join('\n').replace(/\n+$/, '')}\n`;
}

function sectionOf(yaml: string): Section {
  const lines = yaml.replace(/\r\n/g, '\n').replace(/\n+$/, '').split('\n');
  const at = lines.findIndex((line) => /^\s*rules\s*:/.test(line));
  const wrapper = lines.findIndex((line) => /^policy\s*:/.test(line));
  if (at === -1) {
    const indent = wrapper === -1 ? '' : '  ';
    const before = lines.length === 1 && lines[0] === '' ? [] : lines;
    return { before, head: `${indent}rules:`, blocks: [], after: [], indent: `${indent}  ` };
  }
  const line = lines[at] as string;
  const own = indentOf(line);
  const isEnd = (text: string): boolean =>
    text.trim() !== '' &&
    !/^\s*#/.test(text) &&
    (indentOf(text) < own || (indentOf(text) === own && !/^\s*-/.test(text)));
  const length = lines.slice(at + 1).findIndex(isEnd);
  let end = length === -1 ? lines.length : at + 1 + length;
  if (/^\s*rules\s*:\s*\[/.test(line)) end = endOfBrackets(lines, at);
  // Comments and blank lines right above the next key belong to it.
  while (end > at + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1] ?? '') && indentOf(lines[end - 1] ?? '') <= own) end--;
  const inside = lines.slice(at + 1, end);
  const first = inside.find((text) => /^\s*-/.test(text));
  const indent = ' '.repeat(first === undefined ? own + 2 : indentOf(first));
  return {
    before: lines.slice(0, at),
    head: `${' '.repeat(own)}rules:`,
    blocks: blocksOf(inside, indent.length),
    after: lines.slice(end),
    indent,
  };
}

/** The line after the one that closes the bracket opened on line `at`; brackets in quotes are ignored. */
function endOfBrackets(lines: readonly string[], at: number): number {
  let open = 0;
  for (let i = at; i < lines.length; i++) {
    const bare = (lines[i] ?? '').replace(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\s#.*$/g, '');
    for (const sign of bare) open += sign === '[' ? 1 : sign === ']' ? -1 : 0;
    if (open <= 0) return i + 1;
  }
  return lines.length;
}

/** One block for each `- ` at the indent; comments and blank lines belong to the rule below them. */
function blocksOf(lines: readonly string[], indent: number): string[][] {
  const blocks: string[][] = [];
  let above: string[] = [];
  for (const line of lines) {
    const isItem = /^\s*-(?:\s|$)/.test(line) && indentOf(line) === indent;
    const isBetween = /^\s*(?:#.*)?$/.test(line) && (line.trim() === '' || indentOf(line) <= indent);
    if (isItem) {
      blocks.push([...above, line]);
      above = [];
    } else if (isBetween || blocks.length === 0) above.push(line);
    else {
      blocks.at(-1)?.push(...above, line);
      above = [];
    }
  }
  blocks.at(-1)?.push(...above);
  return blocks;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

const order = ['name', 'owner', 'expires', 'report_only', 'when', 'then'];

/** Formats a rule like the shipped file: `when` and `then` as maps on their own lines, short lists in brackets. */
function ruleLines(rule: Rule, indent: string): string[] {
  const otherKeys = Object.keys(rule).filter((key) => !order.includes(key));
  const lines = [...order, ...otherKeys]
    .filter((key) => rule[key] !== undefined)
    .flatMap((key) => entryLines(key, rule[key]));
  if (lines.length === 0) return [`${indent}- {}`];
  return lines.map((line, i) => `${indent}${i === 0 ? '- ' : '  '}${line}`);
}

function entryLines(key: string, value: unknown): string[] {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isMap) return [`${scalar(key)}: ${flow(value)}`];
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  if (entries.length === 0) return [`${scalar(key)}: {}`];
  return [`${scalar(key)}:`, ...entries.map(([name, item]) => `  ${scalar(name)}: ${flow(item)}`)];
}

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([key, item]) => `${scalar(key)}: ${flow(item)}`)
      .join(', ')} }`;
  }
  return scalar(value);
}

const plain = /^[A-Za-z](?:[\w ./()+-]*[\w./()+-])?$/;
const words = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n']);

/** Plain if unambiguous YAML, else quoted. JSON strings are YAML (YAML 1.2 §5.7). */
function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return plain.test(value) && !words.has(value.toLowerCase()) ? value : JSON.stringify(value);
}
