/** Builds long regular expressions from word lists and named parts. */

/** A group that matches any of the alternatives, which white space separates. */
export function anyOf(alternatives: string): string {
  return `(?:${alternatives.trim().split(/\s+/).join('|')})`;
}
