/**
 * Who reads the response to a request: the service's own page, a page of another site, or a program. Values that a user
 * has masked at a service must not be restored for any other page the user opens: it could send requests with its own
 * key and read the responses.
 * Browsers set Origin, Referer and Sec-Fetch-* themselves, and pages cannot override them (Fetch §2.2.2 "forbidden
 * request-header"). Programs can send anything, but a program has its user's rights anyway.
 */
import type { Policy } from '../../../policy/decide.ts';
import { holdsUserContent, type Service } from '../../../policy/service.ts';
import { credentialsOf } from './credential.ts';
import { FieldNames } from './headers.ts';
import { originOf, type Target } from './target.ts';

/**
 * `program`: not a page, or a program's own page (an extension, an editor). `own`: a page of the service; `own ORIGIN`:
 * one that others may serve too, over plain http or on a port of its own. `unnamed`: a page of unknown origin. Otherwise
 * the origin of a page of another site, or of the service's users.
 */
export type Reader = string;

/** The input that determines the reader. */
export type Asked = {
  /** Undefined for WebSockets. */
  readonly method?: string | undefined;
  readonly rawHeaders: readonly string[];
  readonly target: Target;
  readonly service: Service | undefined;
  readonly policy: Pick<Policy, 'isOwnPage'>;
};

/** Whether the reader is a page of the service. */
export function isOwn(reader: Reader): boolean {
  return reader === 'own' || reader.startsWith('own ');
}

const readerFields = new FieldNames([
  'origin',
  'referer',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
  'upgrade-insecure-requests',
  'user-agent',
]);

/** The reader of the response to a request. */
export function readerOf(asked: Asked): Reader {
  const fields = fieldsOf(asked.rawHeaders);
  if (fields === undefined) return ofProgram(asked);
  const { origin, referer, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = fields;
  // A link, form or frame: the new page reads the response, not the one that is named.
  if (mode === 'navigate' && inPlace(asked) !== 'own') return inPlace(asked);
  if (origin !== undefined && origin !== 'null') return ofPage(asked, origin);
  if (site === 'same-origin') return inPlace(asked);
  // A sandboxed frame, a file, or a page behind another site's redirect.
  if (origin !== undefined) return 'unnamed';
  if (isNavigation(fields)) return inPlace(asked);
  if (site === 'none') return ofProgram(asked);
  // Only a script reads it, which may be in a sandboxed frame of the page in Referer.
  if (site === 'cross-site' && mode === 'no-cors') return 'unnamed';
  if (referer !== undefined) {
    const reader = ofPage(asked, /^[^:]+:\/\/[^/?#]*/.exec(referer)?.[0] ?? '');
    return reader === 'own' ? inPlace(asked) : reader;
  }
  return site !== undefined || mayBePage(asked, fields) ? 'unnamed' : ofProgram(asked);
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

/** Credentials that browsers add to a page's requests by themselves; a page needs Origin to add others. */
const browserCredential = /^(?:basic|digest|ntlm|negotiate)\b/i;

/**
 * True for a request that a page with a hidden referrer may have sent: over plain http, and in old browsers, its scripts
 * have no field about the page. Browsers send Origin with all other methods and with WebSockets.
 */
function mayBePage({ method, rawHeaders }: Asked, fields: Fields): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (!fields['user-agent']?.startsWith('Mozilla/')) return false;
  const credentials = credentialsOf({ rawHeaders, path: '' });
  return credentials === '' || credentials.split('\n').every((credential) => browserCredential.test(credential));
}

/** A page with the target's origin; pages of the service's users are separate readers. */
function inPlace({ target, service }: Asked): Reader {
  const origin = originOf(target);
  return service !== undefined && holdsUserContent(service, target.host) ? origin : ownPage(origin);
}

/** What a host with its users' content returns counts as their page, whoever asks for it. */
function ofProgram({ target, service }: Asked): Reader {
  return service !== undefined && holdsUserContent(service, target.host) ? originOf(target) : 'program';
}

/**
 * A page of the service. One over plain http may come from anyone on the path, and another port may belong to another
 * program of the machine.
 */
function ownPage(origin: string): Reader {
  return origin.startsWith('https:') && !/:\d+$/.test(origin) ? 'own' : `own ${origin}`;
}

const webOrigin = /^(https?):\/\/(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i;
const otherOrigin = /^([a-z][a-z\d+.-]*):\/\/[\w.-]+(?::\d+)?$/i;
/** Schemes of the pages that a program brings with it: of extensions, editors, and apps made of pages. */
const programSchemes = new Set([
  'app',
  'capacitor',
  'chrome-extension',
  'extension',
  'ionic',
  'moz-extension',
  'ms-browser-extension',
  'safari-extension',
  'safari-web-extension',
  'tauri',
  'vscode-app',
  'vscode-file',
  'vscode-webview',
  'wails',
]);

function ofPage(asked: Asked, text: string): Reader {
  const { target, service, policy } = asked;
  const [, scheme = '', address, name, port] = webOrigin.exec(text.toLowerCase()) ?? [];
  if (scheme !== 'http' && scheme !== 'https') {
    const other = otherOrigin.exec(text)?.[1]?.toLowerCase();
    if (other === undefined || other.startsWith('http')) return 'unnamed';
    return programSchemes.has(other) ? ofProgram(asked) : text.toLowerCase();
  }
  const host = address ?? name ?? '';
  const origin = originOf({ scheme, host, port: Number(port ?? (scheme === 'http' ? 80 : 443)) });
  const isHostOfService =
    service === undefined
      ? host === target.host
      : host === target.host
        ? !holdsUserContent(service, host)
        : policy.isOwnPage(service, host);
  return isHostOfService ? ownPage(origin) : origin;
}
