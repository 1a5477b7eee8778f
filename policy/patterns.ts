/** Builds long regular expressions from word lists; policy/ may not import those of core/patterns.ts. */

/** A group that matches any of the alternatives, which white space separates. */
export function oneOf(alternatives: string): string {
  return `(?:${alternatives.trim().split(/\s+/).join('|')})`;
}
