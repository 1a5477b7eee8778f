/**
 * The patterns of recognizers as data, from `core/lexicon/patterns.json`. A part is a piece of a pattern or a list of alternatives;
 * `<name>` inserts it into patterns and other parts.
 */
import all from '../lexicon/patterns.json' with { type: 'json' };

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
    return [name, new RegExp(withOwnGroups(expand(written.slice(1, end))), written.slice(end + 1))];
  });
  return Object.fromEntries(compiled);
}

/** Numbers the groups of a name, `hex1` and `hex2`: not every engine allows one name in several alternatives. */
function withOwnGroups(pattern: string): string {
  let count = 0;
  return pattern.replace(/\(\?<([a-z]+)>/g, (_, name: string) => `(?<${name}${++count}>`);
}

/** The groups that took part in a match, by their name in the pattern. */
export function groupsOf({ groups = {} }: RegExpMatchArray): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([name, value]) => (value === undefined ? [] : [[name.replace(/\d+$/, ''), value]])),
  );
}
