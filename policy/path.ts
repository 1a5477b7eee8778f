/**
 * One spelling for a URL path, for comparing only: what is forwarded keeps the client's bytes.
 * It errs on the side of matching: escapes, `//`, `/./`, `/../`, `\`, `;parameters` and letter case do not lead around a rule.
 */

/**
 * The path of a request target as policy compares it: no query, percent-decoded once, dot segments resolved, empty
 * segments and path parameters dropped, lower case. Always starts with `/`.
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
 * Whether servers differ on what a `..` of the path takes away, so that no one spelling holds for all of them: beside an
 * escaped slash, a backslash, a parameter or an empty segment. A `..` between plain slashes is the same everywhere.
 */
export function hasDisputedDots(target: string): boolean {
  if (!/(?:\.|%2e){2}/i.test(target)) return false;
  const path = target.replace(/[?#].*$/s, '');
  const decoded = percentDecode(path);
  if (!/(?:^|[/\\])\.\.(?:[/\\;]|$)/.test(decoded)) return false;
  return /[\\;]|\/\//.test(decoded) || /%2f/i.test(path);
}

/** Whether a normalised path is the prefix itself or continues it with `/`. Both sides from {@link normalizePath}. */
export function isPathUnder(path: string, prefix: string): boolean {
  if (prefix === '/') return true;
  return path.startsWith(prefix) && (path.length === prefix.length || path.charCodeAt(prefix.length) === 47);
}

/** The text with its escapes decoded once; never throws. */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // Not UTF-8: the ASCII escapes alone decide.
    return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}
