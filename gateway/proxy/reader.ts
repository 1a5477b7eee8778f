/**
 * Who reads the answer to a request: the service's own page, a page of another site, or a program. What a user has masked
 * at a service must not be restored for any page that the user happens to open: it can send requests with a key of its
 * own and read what comes back.
 *
 * Browsers set Origin, Referer and Sec-Fetch-* themselves and let no page choose them (Fetch §2.2.2 "forbidden
 * request-header"). Programs may write what they like there, but a program has the rights of its user anyway.
 */
import type { Policy } from '../../policy/decide.ts';
import { holdsUserContent, type Service } from '../../policy/service.ts';
import { FieldNames } from './headers.ts';
import { originOf, type Target } from './target.ts';

/**
 * `program`: no page, or one of a program's own (an extension, an editor). `own`: a page of the service. `unnamed`: a page
 * that may be anybody's. Anything else is the origin of a page of another site, or of users of the service.
 */
export type Reader = string;

/** What tells the reader. */
export type Asked = {
  readonly rawHeaders: readonly string[];
  readonly target: Target;
  readonly service: Service | undefined;
  readonly policy: Pick<Policy, 'isOwnPage'>;
};

const readerFields = new FieldNames([
  'origin',
  'referer',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
  'upgrade-insecure-requests',
]);

/** The reader of the answer to a request. */
export function readerOf(asked: Asked): Reader {
  const fields = fieldsOf(asked.rawHeaders);
  if (fields === undefined) return inPlace(asked, 'program');
  const { origin, referer, 'sec-fetch-site': site } = fields;
  if (origin !== undefined && origin !== 'null') return ofPage(asked, origin);
  if (site === 'same-origin') return inPlace(asked, 'own');
  // A sandboxed frame, a file, a page behind a redirect of another site.
  if (origin !== undefined) return 'unnamed';
  if (isNavigation(fields)) return inPlace(asked, 'own');
  if (site === 'none') return inPlace(asked, 'program');
  if (referer !== undefined) {
    const reader = ofPage(asked, /^[^:]+:\/\/[^/?#]*/.exec(referer)?.[0] ?? '');
    return reader === 'own' ? inPlace(asked, 'own') : reader;
  }
  return site === undefined ? inPlace(asked, 'program') : 'unnamed';
}

type Fields = { [name: string]: string | undefined };

function fieldsOf(rawHeaders: readonly string[]): Fields | undefined {
  let fields: Fields | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (!readerFields.has(name)) continue;
    fields ??= {};
    fields[name.toLowerCase()] ??= rawHeaders[i + 1] as string;
  }
  return fields;
}

/**
 * Whether the answer becomes a page, which only its own origin reads. In a frame of another site it does so too, but
 * services are hardly ever shown there, and the frame may be a trick. Before Sec-Fetch, and over plain http,
 * Upgrade-Insecure-Requests comes with navigations alone.
 */
function isNavigation(fields: Fields): boolean {
  if (fields['sec-fetch-site'] === undefined) return fields['upgrade-insecure-requests'] === '1';
  return fields['sec-fetch-mode'] === 'navigate' && fields['sec-fetch-dest'] === 'document';
}

/** The page that has the origin of the target, or the `other` reader; users' pages are read as what they are. */
function inPlace({ target, service }: Asked, other: 'own' | 'program'): Reader {
  return service !== undefined && holdsUserContent(service, target.host) ? originOf(target) : other;
}

const webOrigin = /^(https?):\/\/(?:\[([\da-f:.]+)\]|([^/:@[\]]+))(?::\d+)?$/i;
/** Schemes of what a page can be opened from beside the web; those of programs' own pages (`vscode-webview:`) are others. */
const openScheme = /^(?:https?|file|ftp|data|blob|content|about):/i;

function ofPage(asked: Asked, origin: string): Reader {
  const { target, service, policy } = asked;
  const [, scheme = '', address, name] = webOrigin.exec(origin) ?? [];
  if (scheme === '') {
    if (/^[a-z][a-z\d+.-]*:\/\//i.test(origin) && !openScheme.test(origin)) return inPlace(asked, 'program');
    return 'unnamed';
  }
  const host = (address ?? name ?? '').toLowerCase();
  // A page that came over plain http may be anybody's who sits in between.
  if (target.scheme === 'https' && scheme.toLowerCase() !== 'https') return origin.toLowerCase();
  if (service === undefined) return host === target.host ? 'own' : origin.toLowerCase();
  const isOwn = host === target.host ? !holdsUserContent(service, host) : policy.isOwnPage(service, host);
  return isOwn ? 'own' : origin.toLowerCase();
}
