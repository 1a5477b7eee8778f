/**
 * Canonical URL paths, for comparison only: what is forwarded keeps the client's bytes. It errs on the side of
 * matching: escapes, `//`, `/./`, `/../`, `\`, `;parameters` and letter case cannot be used to evade a rule.
 */

/**
 * The path of a request target in the form that policy compares: no query, percent-decoded once, dot segments resolved,
 * empty segments and path parameters dropped, lower case. Always starts with `/`.
 */
export function normalizePath(target: string): string {
  const path = target.replace(/[?#].*$/s, '');
  if (/^(?:\/[a-z0-9_-]+)+$/.test(path)) return path;
  const decoded = percentDecode(path).replaceAll('\\', '/').toLowerCase();
  const segments: string[] = [];
  for (const raw of decoded.split('/')) {
    const semicolon = raw.indexOf(';');
    const segment = semicolon === -1 ? raw : raw.slice(0, semicolon);
    if (segment === '' || segment === '.') continue;
    if (segment === '..') segments.pop();
    else segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

/**
 * Whether servers disagree on what a `..` in the path removes, so that no canonical form fits all of them: next to an
 * escaped slash, a backslash, a parameter or an empty segment. A `..` between plain slashes means the same everywhere.
 */
export function hasDisputedDots(target: string): boolean {
  if (!/(?:\.|%2e){2}/i.test(target)) return false;
  const path = target.replace(/[?#].*$/s, '');
  const decoded = percentDecode(path);
  if (!/(?:^|[/\\])\.\.(?:[/\\;]|$)/.test(decoded)) return false;
  return /[\\;]|\/\//.test(decoded) || /%2f/i.test(path);
}

/** Whether a normalised path equals the prefix or continues it with `/`. Both are from {@link normalizePath}. */
export function isPathUnder(path: string, prefix: string): boolean {
  if (prefix === '/') return true;
  return path.startsWith(prefix) && (path.length === prefix.length || path.charCodeAt(prefix.length) === 47);
}

/** Decodes percent escapes once; never throws. */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // Not valid UTF-8: decode the ASCII escapes only.
    return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}
