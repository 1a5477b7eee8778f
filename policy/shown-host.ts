/**
 * The page of another host that a host shows. A translator that puts the host into its own name, and readers that take an
 * address as their path, would else be a way around the decision about that host.
 */
import { normalizeHost } from './host.ts';
import { percentDecode } from './path.ts';

/** `host` from `normalizeHost`; no `path` (a request target) while only the target of a CONNECT is known. */
export type Page = { readonly host: string; readonly path?: string };

/** Pages that Google translates: `01-ai.translate.goog`, where "-" stands for "." and "--" for "-". */
const translator = 'translate.goog';
/** Services of the registry that take an address as their path: `r.jina.ai/https://01.ai/`, `r.jina.ai/?url=https://01.ai/`. */
const readers: ReadonlySet<string> = new Set(['r.jina.ai', 's.jina.ai', 'eu.r.jina.ai', 'eu.s.jina.ai']);

/** Domains under which all hosts lie that show pages of others. */
export const showingDomains: readonly string[] = [translator, ...readers];

/** Whether it depends on the path which host's page it shows. */
export function isReader(host: string): boolean {
  return readers.has(host);
}

/**
 * The page that stands behind another; undefined when it is its own, and for a reader also when the path is not known yet
 * or holds no address. What is shown may be a page that shows a further one.
 * @example shownPage({ host: 'r.jina.ai', path: '/https://01.ai/chat' }) // { host: '01.ai', path: '/chat' }
 */
export function shownPage({ host, path }: Page): Page | undefined {
  if (host.endsWith(`.${translator}`)) {
    const label = host.slice(0, -translator.length - 1);
    return pageOf(
      label.replaceAll(/--|-/g, (dash) => (dash === '--' ? '-' : '.')),
      path,
    );
  }
  return path !== undefined && isReader(host) ? pageIn(path) : undefined;
}

/** The address in the path, or in `url=` where the path is empty, read as leniently as readers do. */
function pageIn(target: string): Page | undefined {
  const url = URL.parse(`http://reader${target}`);
  if (url === null) return undefined;
  const inPath = plain(percentDecode(url.pathname));
  const address = inPath === '' ? plain(url.searchParams.get('url') ?? '') : inPath + url.search;
  // Anything up to the last "@" is a user, and without slashes only the schemes of the web are one and not a host with port.
  const parts = /^(?:https?:\/*|[a-z][a-z0-9+-]*:\/+)?(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#:]+)(?::\d*)?(.*)$/is.exec(address);
  if (parts === null) return undefined;
  const [, host = '', rest = ''] = parts;
  return pageOf(host, rest.startsWith('/') ? rest : `/${rest}`);
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
