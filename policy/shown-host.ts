/**
 * Hosts that show pages of other hosts. A translator that puts the other host into its own name, and readers that take
 * a URL as their path, would otherwise bypass the decision about that host.
 */
import { normalizeHost } from './host.ts';
import { percentDecode } from './path.ts';

/** `host` is from `normalizeHost`; `path` (a request target) is missing while only the CONNECT target is known. */
export type Page = { readonly host: string; readonly path?: string };

/** Pages translated by Google, with the original host in the first label: `01-ai.translate.goog`. */
const translator = 'translate.goog';
/** Registered services that take a URL as their path: `r.jina.ai/https://01.ai/`, `r.jina.ai/?url=https://01.ai/`. */
const readers: ReadonlySet<string> = new Set([
  'r.jina.ai',
  's.jina.ai',
  'eu.r.jina.ai',
  'eu.s.jina.ai',
  'eu-r-beta.jina.ai',
  'eu-s-beta.jina.ai',
]);

/** Domains that cover every host that shows pages of others. */
export const showingDomains: readonly string[] = [translator, ...readers];

/** Whether the path and query select the host whose page is shown. */
export function showsByPath(host: string): boolean {
  return readers.has(host) || isTranslated(host);
}

/**
 * The page that a host shows; undefined when it is the host's own, and for a reader also when the path is unknown or
 * contains no URL. The shown page may itself show another one. Without its path, a translated page is derived from the
 * host name alone, to which the query may add a prefix.
 * @example shownPage({ host: 'r.jina.ai', path: '/https://01.ai/chat' }) // { host: '01.ai', path: '/chat' }
 */
export function shownPage({ host, path }: Page): Page | undefined {
  if (isTranslated(host)) {
    const shownPath = path === undefined ? undefined : untranslated(path);
    // A query that cannot be parsed does not override the host name.
    return pageOf(translatedHost(host, path ?? ''), shownPath) ?? pageOf(translatedHost(host, ''), shownPath);
  }
  return path !== undefined && readers.has(host) ? pageIn(path) : undefined;
}

function isTranslated(host: string): boolean {
  return host.endsWith(`.${translator}`);
}

/**
 * The original host of a translated page: "-" stands for "." and "--" for "-". The query may contain its beginning
 * (`_x_tr_hp`) and say that a prefix was added (`_x_tr_enc`). Source: Google Search Central, "Enabling your ad network
 * to work with translation-related Google Search features".
 */
function translatedHost(host: string, path: string): string {
  const query = URL.parse(`http://${translator}${path}`)?.searchParams;
  const marks = query?.get('_x_tr_enc')?.split(',') ?? [];
  let label = (query?.get('_x_tr_hp') ?? '') + host.slice(0, -translator.length - 1);
  if (marks.includes('1') && label.startsWith('1-')) label = label.slice(2);
  const isEncoded = marks.includes('0') && label.startsWith('0-');
  if (isEncoded) label = label.slice(2);
  return (isEncoded ? 'xn--' : '') + label.replace(/\b-\b/g, '.').replaceAll('--', '-');
}

/** The path without the translator's own parameters, as the original site receives it. */
function untranslated(path: string): string {
  const mark = path.indexOf('?');
  if (mark === -1) return path;
  const kept = path
    .slice(mark + 1)
    .split('&')
    .filter((field) => !percentDecode(field).startsWith('_x_tr_'));
  return path.slice(0, mark) + (kept.length > 0 ? `?${kept.join('&')}` : '');
}

/** The URL in the path, or in `url=` when the path is empty, parsed as leniently as readers do. */
function pageIn(target: string): Page | undefined {
  const url = URL.parse(`http://reader${target}`);
  if (url === null) return undefined;
  const inPath = plain(percentDecode(url.pathname));
  const address = withoutSchemes(inPath === '' ? plain(url.searchParams.get('url') ?? '') : inPath + url.search);
  // Everything up to the last "@" is user information.
  const parts = /^(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#:]+)(?::\d*)?(.*)$/s.exec(address);
  if (parts === null) return undefined;
  const [, host = '', rest = ''] = parts;
  return pageOf(percentDecode(host), rest.startsWith('/') ? rest : `/${rest}`);
}

/**
 * Strips any number of schemes before the host. Without slashes only web schemes and `view-source` count, so that a
 * host with a port is not mistaken for one.
 */
function withoutSchemes(address: string): string {
  const scheme = /(?:https?:\/*|view-source:\/*|[a-z][a-z0-9+-]*:\/+)/iy;
  let at = 0;
  while (scheme.test(address)) at = scheme.lastIndex;
  return address.slice(at);
}

const blank = /[\s\u0000-\u0020]/;

/** Cleans a URL the way URL parsers do: trims blanks, drops line breaks and leading slashes, and turns `\` into `/`. */
function plain(address: string): string {
  const joined = address.replace(/[\t\n\r]/g, '').replaceAll('\\', '/');
  const begun = joined.replace(/^[/\s\u0000-\u0020]+/, '');
  let end = begun.length;
  while (end > 0 && blank.test(begun[end - 1] as string)) end--;
  return begun.slice(0, end);
}

function pageOf(name: string, path: string | undefined): Page | undefined {
  try {
    const { host } = normalizeHost(name);
    return path === undefined ? { host } : { host, path };
  } catch {
    return undefined;
  }
}
