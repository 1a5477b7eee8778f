/**
 * Who reads the response to a request: the service's own page, a page of another site, or a program. Values that a user
 * has masked at a service must not be restored for any other page the user opens: it could send requests with its own
 * key and read the responses.
 * Browsers set Origin, Referer and Sec-Fetch-* themselves, and pages cannot override them (Fetch §2.2.2 "forbidden
 * request-header"). Programs can send anything, but a program has its user's rights anyway.
 */
import type { Policy } from '../../../policy/decide.ts';
import { holdsUserContent, type Service } from '../../../policy/service.ts';
import { FieldNames } from './headers.ts';
import { originOf, type Target } from './target.ts';

/**
 * `program`: not a page, or a program's own page (an extension, an editor). `own`: a page of the service. `unnamed`: a
 * page of unknown origin. Otherwise the origin of a page of another site, or of the service's users.
 */
export type Reader = string;

/** The input that determines the reader. */
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

/** The reader of the response to a request. */
export function readerOf(asked: Asked): Reader {
  const fields = fieldsOf(asked.rawHeaders);
  if (fields === undefined) return inPlace(asked, 'program');
  const { origin, referer, 'sec-fetch-site': site } = fields;
  if (origin !== undefined && origin !== 'null') return ofPage(asked, origin);
  if (site === 'same-origin') return inPlace(asked, 'own');
  // A sandboxed frame, a file, or a page behind another site's redirect.
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
 * True if the response becomes a page, which only its own origin can read. That also applies in another site's frame,
 * but services are hardly ever framed, and it may be an attack. Before Sec-Fetch, and over plain http, only navigations
 * send Upgrade-Insecure-Requests.
 */
function isNavigation(fields: Fields): boolean {
  if (fields['sec-fetch-site'] === undefined) return fields['upgrade-insecure-requests'] === '1';
  return fields['sec-fetch-mode'] === 'navigate' && fields['sec-fetch-dest'] === 'document';
}

/** `other` for a page with the target's origin; pages of the service's users are separate readers. */
function inPlace({ target, service }: Asked, other: 'own' | 'program'): Reader {
  return service !== undefined && holdsUserContent(service, target.host) ? originOf(target) : other;
}

const webOrigin = /^(https?):\/\/(?:\[([\da-f:.]+)\]|([^/:@[\]]+))(?::\d+)?$/i;
/** Schemes from which a page can be opened, but not those of programs' own pages (`vscode-webview:`). */
const openScheme = /^(?:https?|file|ftp|data|blob|content|about):/i;

function ofPage(asked: Asked, origin: string): Reader {
  const { target, service, policy } = asked;
  const [, scheme = '', address, name] = webOrigin.exec(origin) ?? [];
  if (scheme === '') {
    if (/^[a-z][a-z\d+.-]*:\/\//i.test(origin) && !openScheme.test(origin)) return inPlace(asked, 'program');
    return 'unnamed';
  }
  const host = (address ?? name ?? '').toLowerCase();
  // A page loaded over plain http may come from anyone on the path.
  if (target.scheme === 'https' && scheme.toLowerCase() !== 'https') return origin.toLowerCase();
  if (service === undefined) return host === target.host ? 'own' : origin.toLowerCase();
  const isOwn = host === target.host ? !holdsUserContent(service, host) : policy.isOwnPage(service, host);
  return isOwn ? 'own' : origin.toLowerCase();
}
