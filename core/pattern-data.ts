/**
 * The patterns of recognizers as data, from `core/lexicon/patterns.json`. A part is a piece of a pattern or a list of alternatives;
 * `<name>` inserts it into patterns and other parts.
 */
import all from './lexicon/patterns.json' with { type: 'json' };

type All = typeof all;
type Parts = Readonly<Record<string, string | readonly string[]>>;

/**
 * The patterns of one owner.
 * @param lists further parts, such as words of a lexicon
 * @throws Error for an unknown part
 */
export function patternsOf<Owner extends keyof All>(
  owner: Owner,
  lists: object = {},
): Readonly<Record<keyof All[Owner]['patterns'], RegExp>> {
  const { parts = {}, patterns }: { parts?: Parts; patterns: Readonly<Record<string, string>> } = all[owner];
  const expand = (text: string): string =>
    text.replace(/(?<!\(\?)<([a-z]\w*)>/gi, (_, name: string) => {
      const part = parts[name] ?? (lists as Parts)[name];
      if (part === undefined) throw new Error(`unknown part ${name} of ${owner}`);
      return `(?:${[part].flat().map(expand).join('|')})`;
    });
  const compiled = Object.entries(patterns).map(([name, written]) => {
    const end = written.lastIndexOf('/');
    return [name, compile(expand(written.slice(1, end)), written.slice(end + 1))];
  });
  return Object.fromEntries(compiled);
}

/** The names of a pattern's groups. One name may stand in several alternatives, which not every engine allows. */
const groupNames = new WeakMap<RegExp, readonly string[]>();

function compile(written: string, flags: string): RegExp {
  const names: string[] = [];
  const source = written.replace(/\(\?<([a-z]+)>/g, (_, name: string) => {
    names.push(name);
    return '(';
  });
  const pattern = new RegExp(source, flags);
  if (names.length > 0) groupNames.set(pattern, names);
  return pattern;
}

/** The named groups of a pattern that took part in a match. A pattern with a named group has no others. */
export function groupsOf(pattern: RegExp, match: RegExpMatchArray): Readonly<Record<string, string | undefined>> {
  const groups: Record<string, string> = {};
  for (const [i, name] of (groupNames.get(pattern) ?? []).entries()) {
    const value = match[i + 1];
    if (value !== undefined) groups[name] = value;
  }
  return groups;
}
