/**
 * The page of another host that a host shows. A translator that puts the host into its own name, and readers that take an
 * address as their path, would else be a way around the decision about that host.
 */
import { normalizeHost } from './host.ts';
import { percentDecode } from './path.ts';

/** `host` from `normalizeHost`; no `path` (a request target) while only the target of a CONNECT is known. */
export type Page = { readonly host: string; readonly path?: string };

/** Pages that Google translates, with the host in the first label: `01-ai.translate.goog`. */
const translator = 'translate.goog';
/** Services of the registry that take an address as their path: `r.jina.ai/https://01.ai/`, `r.jina.ai/?url=https://01.ai/`. */
const readers: ReadonlySet<string> = new Set([
  'r.jina.ai',
  's.jina.ai',
  'eu.r.jina.ai',
  'eu.s.jina.ai',
  'eu-r-beta.jina.ai',
  'eu-s-beta.jina.ai',
]);

/** Domains under which all hosts lie that show pages of others. */
export const showingDomains: readonly string[] = [translator, ...readers];

/** Whether it depends on the path, with its query, which host's page it shows. */
export function showsByPath(host: string): boolean {
  return readers.has(host) || isTranslated(host);
}

/**
 * The page that stands behind another; undefined when it is its own, and for a reader also when the path is not known yet
 * or holds no address. What is shown may be a page that shows a further one. Without its path a translated page is the one
 * that its name alone says, which the query may put something before.
 * @example shownPage({ host: 'r.jina.ai', path: '/https://01.ai/chat' }) // { host: '01.ai', path: '/chat' }
 */
export function shownPage({ host, path }: Page): Page | undefined {
  if (isTranslated(host)) {
    const shownPath = path === undefined ? undefined : untranslated(path);
    // A query that nobody can read does not take back what the name says.
    return pageOf(translatedHost(host, path ?? ''), shownPath) ?? pageOf(translatedHost(host, ''), shownPath);
  }
  return path !== undefined && readers.has(host) ? pageIn(path) : undefined;
}

function isTranslated(host: string): boolean {
  return host.endsWith(`.${translator}`);
}

/**
 * The host of a translated page: "-" stands for "." and "--" for "-"; the query may hold its beginning (`_x_tr_hp`) and say
 * that a mark was put before it (`_x_tr_enc`). Source: Google Search Central, "Enabling your ad network to work with
 * translation-related Google Search features".
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

/** The path without what is said to the translator, as the page gets it. */
function untranslated(path: string): string {
  const mark = path.indexOf('?');
  if (mark === -1) return path;
  const kept = path
    .slice(mark + 1)
    .split('&')
    .filter((field) => !percentDecode(field).startsWith('_x_tr_'));
  return path.slice(0, mark) + (kept.length > 0 ? `?${kept.join('&')}` : '');
}

/** The address in the path, or in `url=` where the path is empty, read as leniently as readers do. */
function pageIn(target: string): Page | undefined {
  const url = URL.parse(`http://reader${target}`);
  if (url === null) return undefined;
  const inPath = plain(percentDecode(url.pathname));
  const address = withoutSchemes(inPath === '' ? plain(url.searchParams.get('url') ?? '') : inPath + url.search);
  // Anything up to the last "@" is a user.
  const parts = /^(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#:]+)(?::\d*)?(.*)$/s.exec(address);
  if (parts === null) return undefined;
  const [, host = '', rest = ''] = parts;
  return pageOf(percentDecode(host), rest.startsWith('/') ? rest : `/${rest}`);
}

/**
 * Without the schemes before the host, however many. Without slashes only those of the web and the viewer's of sources are
 * one, and not a host with its port.
 */
function withoutSchemes(address: string): string {
  const scheme = /(?:https?:\/*|view-source:\/*|[a-z][a-z0-9+-]*:\/+)/iy;
  let at = 0;
  while (scheme.test(address)) at = scheme.lastIndex;
  return address.slice(at);
}

const blank = /[\s\u0000-\u0020]/;

/** An address as parsers of URLs take it: no blanks around it, no line breaks within, `\` for `/`; also no slash before it. */
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
