/**
 * The host whose page another host shows. A translator that puts the host into its own name, and readers that take an
 * address as their path, would else be a way around the decision about that host.
 */
import { normalizeHost } from './host.ts';

/** Pages that Google translates: `01-ai.translate.goog`, where "-" stands for "." and "--" for "-". */
const translated = '.translate.goog';
/** Services of the registry that take an address as their path: `r.jina.ai/https://01.ai/`. */
const readers: ReadonlySet<string> = new Set(['r.jina.ai', 's.jina.ai', 'eu.r.jina.ai', 'eu.s.jina.ai']);

/** The host that `host` (from `normalizeHost`) shows at the path; undefined when it shows none but its own. */
export function shownHost(host: string, path: string | undefined): string | undefined {
  if (host.endsWith(translated)) return nameIn(host.slice(0, -translated.length));
  return path !== undefined && readers.has(host) ? hostIn(path) : undefined;
}

function nameIn(label: string): string | undefined {
  return known(label.replaceAll(/--|-/g, (dash) => (dash === '--' ? '-' : '.')));
}

function hostIn(path: string): string | undefined {
  let text: string;
  try {
    text = decodeURIComponent(path);
  } catch {
    text = path;
  }
  const match = /^\/+(?:[a-z][a-z0-9+.-]*:\/*)?(?:[^/?#@\\]*@)?(\[[^\]]*\]|[^/?#:\\]+)/i.exec(text);
  return match === null ? undefined : known(match[1] as string);
}

function known(name: string): string | undefined {
  try {
    return normalizeHost(name).host;
  } catch {
    return undefined;
  }
}
