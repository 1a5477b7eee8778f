/**
 * The gateway's pages for its users: certificate, status, allowed services, their own figures. Served in origin form on
 * the proxy port, and as `http://privet.proxy/` through the proxy. Such a request is never forwarded, whatever its
 * Host: otherwise any page that can reach the port could reach any host.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CertificateAuthority } from '../../certs/ca.ts';
import { PrivetError } from '../../core/errors.ts';
import { platformOf } from '../../core/wording/platforms.ts';
import type { Policy } from '../../policy/decide.ts';
import type { ServiceRegistry } from '../../policy/registry.ts';
import { directSuffixes, isDirectAddress } from '../direct-hosts.ts';
import { dayMs } from '../durations.ts';
import { readForm } from '../form.ts';
import { isOwnName } from '../own-name.ts';
import { errorAnswer } from '../proxy/answer/answers.ts';
import type { ClientRequest } from '../proxy/request/client-request.ts';
import { type Client, nextRequestId } from '../proxy/request/record.ts';
import { Exceptions } from '../stores/exceptions.ts';
import type { Stores } from '../stores/stores.ts';
import { askPage, fileRequest, formToken } from './ask.ts';
import { type Brand, markFile } from './brand.ts';
import { certificatePage } from './certificate.ts';
import { Downloads } from './downloads.ts';
import { homePage } from './home.ts';
import { html } from './html.ts';
import { daysShown, figuresOf, minePage } from './mine.ts';
import { type PortalAnswer, pageAnswer, portalHost, redirect } from './page.ts';
import { servicesPage } from './services.ts';
import { preferredLanguage, type Words, wordsOf } from './words.ts';

/** The portal's dependencies. */
export type PortalParts = {
  readonly ca: CertificateAuthority;
  readonly registry: ServiceRegistry;
  readonly policy: () => Policy;
  readonly brand: () => Brand;
  /** Writes pending events, so that a page includes the last request. */
  readonly flushEvents: () => Promise<void>;
  readonly stores: Pick<Stores, 'events' | 'records' | 'secret'>;
  /** Hosts that browsers should reach directly. */
  readonly bypass: () => readonly string[];
  /** The configured public address of the proxy port (`ca.public_url`). */
  readonly publicUrl: () => string | null;
  readonly proxyPort: () => number;
  /** PEM of further CAs trusted for upstream connections. */
  readonly extraPem: () => string;
  readonly now?: () => number;
};

/** How a request arrived: through the proxy, directly on the proxy port, or inside an intercepted tunnel. */
export type PortalWay = 'through' | 'direct' | 'secure';

const styleSheet = join(import.meta.dirname, 'portal.css');
const localTimes = join(import.meta.dirname, 'local-times.js');

/** Answers requests to the portal. */
export class Portal {
  readonly #parts: PortalParts;
  readonly #downloads: Downloads;
  readonly #exceptions: Exceptions;
  readonly #now: () => number;
  #style: Buffer | undefined;
  #script: Buffer | undefined;

  constructor(parts: PortalParts) {
    this.#parts = parts;
    this.#downloads = new Downloads(parts.ca, parts.extraPem);
    this.#exceptions = new Exceptions({ records: parts.stores.records });
    this.#now = parts.now ?? Date.now;
  }

  /** The response to a request; `url` is its path and query. Never throws. */
  async answer(request: ClientRequest, url: string, client: Client, way: PortalWay): Promise<PortalAnswer> {
    try {
      return await this.#route(request, url, client, way);
    } catch (error) {
      const known = error instanceof PrivetError ? error : new PrivetError('internal', 'The page cannot be shown.');
      return errorAnswer(known, { requestId: nextRequestId(), rawHeaders: request.rawHeaders, host: '' });
    }
  }

  async #route(request: ClientRequest, url: string, client: Client, way: PortalWay): Promise<PortalAnswer> {
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1, mark + 4_096));
    const isPost = request.method === 'POST' && path === '/me/exceptions';
    if (!isPost && request.method !== 'GET' && request.method !== 'HEAD')
      throw new PrivetError('method_not_allowed', 'The proxy pages support only GET.');
    if (way === 'secure') return trustMark(query, request);
    const download = this.#downloads.answer(path) ?? this.#file(path);
    if (download !== undefined) return download;
    // Another name that leads here may belong to a page that wants to read the response (DNS rebinding).
    if (way === 'direct' && path !== '/ca' && !this.#isOwnName(request)) return foreignName(path, query);
    if (path === '/proxy.pac' || path === '/wpad.dat')
      return asset('application/x-ns-proxy-autoconfig', pacFile(this.#authority(request), this.#parts.bypass()));

    const wanted = query.get('lang');
    if (wanted === 'en' || wanted === 'ja') return chooseLanguage(path, query, wanted);
    const words = wordsOf(languageOf(request));
    const { registry, policy, ca, stores, flushEvents } = this.#parts;
    const brand = this.#parts.brand();
    const authority = this.#authority(request);
    switch (path) {
      case '/':
        return homePage({ words, brand, client, isThrough: way === 'through', authority });
      case '/ca':
        return certificatePage({ words, brand, ca, platform: platformOf(fieldOf(request, 'user-agent')), authority });
      case '/services':
        return servicesPage({ words, brand, client, registry, policy: policy(), query });
      case '/status.json':
        return statusAnswer(client, way, ca);
    }
    if (path !== '/me' && path !== '/me/exceptions') return notFound({ words, brand }, request);
    const { subject } = client;
    if (path === '/me') {
      const from = this.#now() - daysShown * dayMs;
      const [figures, requests] = await Promise.all([
        flushEvents()
          .then(() => figuresOf(stores.events, subject, from))
          .catch(() => undefined),
        this.#exceptions.list({ subject }).catch(() => undefined),
      ]);
      const isByAddress = way === 'direct' && client.user === undefined;
      return minePage({ words, brand, registry, figures, requests, subject, isByAddress, wasSent: query.has('sent') });
    }
    const secret = stores.secret();
    const now = this.#now();
    if (!isPost) {
      const input = { host: (query.get('host') ?? '').slice(0, 253), reason: '' };
      return askPage({ words, brand, token: formToken(subject, secret, now), input });
    }
    const form = await readForm(request, fieldOf(request, 'content-type'));
    return fileRequest({ words, brand, subject, form, secret, exceptions: this.#exceptions, registry, now });
  }

  #file(path: string): PortalAnswer | undefined {
    switch (path) {
      case '/portal.css':
        this.#style ??= readFileSync(styleSheet);
        return asset('text/css; charset=utf-8', this.#style);
      case '/favicon.svg':
        return asset('image/svg+xml', markFile);
      case '/local-times.js':
        this.#script ??= readFileSync(localTimes);
        return asset('text/javascript; charset=utf-8', this.#script);
    }
    return undefined;
  }

  /** Host and port under which this client reaches the proxy; its own value counts only if plain host and port. */
  #authority(request: ClientRequest): string {
    const configured = this.#parts.publicUrl();
    const port = this.#parts.proxyPort();
    if (configured !== null) return new URL(configured).host;
    const host = fieldOf(request, 'host');
    const isPlain = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.test(host);
    if (isPlain && host.replace(/:\d+$/, '').toLowerCase() !== portalHost)
      return /:\d+$/.test(host) ? host : `${host}:${port}`;
    const own = request.socket.localAddress?.replace(/^::ffff:/i, '') ?? '127.0.0.1';
    return `${own.includes(':') ? `[${own}]` : own}:${port}`;
  }

  /** True for a name of the gateway, or one without a dot: it belongs to the local network, so no web page has it. */
  #isOwnName(request: ClientRequest): boolean {
    const host = fieldOf(request, 'host');
    if (/^[a-z0-9-]+(?::\d+)?$/i.test(host)) return true;
    const configured = this.#parts.publicUrl();
    const also = configured === null ? [] : [new URL(configured).hostname.toLowerCase()];
    return isOwnName(host, [portalHost, ...also]);
  }
}

/** Redirects pages to the gateway's own name; tells programs the valid names. */
function foreignName(path: string, query: URLSearchParams): PortalAnswer {
  if (/^\/(?:services|me(?:\/exceptions)?)?$/.test(path)) {
    const rest = query.toString();
    return redirect(`http://${portalHost}${path}${rest === '' ? '' : `?${rest}`}`);
  }
  throw new PrivetError('misdirected_request', 'The proxy does not serve this host name.', {
    hint: `Use its address, http://${portalHost}/ through the proxy, or set ca.public_url to the name that clients use.`,
  });
}

function asset(type: string, body: string | Buffer): PortalAnswer {
  return {
    status: 200,
    headers: ['Content-Type', type, 'Cache-Control', 'max-age=300', 'X-Content-Type-Options', 'nosniff'],
    body,
  };
}

/** An image that proves trust in the certificate: the browser has verified the connection. */
function trustMark(query: URLSearchParams, request: ClientRequest): PortalAnswer {
  const language = query.get('lang') === 'ja' ? 'ja' : query.get('lang') === 'en' ? 'en' : languageOf(request);
  const text = wordsOf(language).trustGood;
  const size = language === 'ja' ? 12 : 13.5;
  const width = Math.ceil([...text].reduce((sum, char) => sum + size * (char > '\u2e80' ? 1 : 0.475), 38));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="26" viewBox="0 0 ${width} 26" role="img">
<title>${text}</title><rect width="100%" height="100%" rx="13" fill="#0b6b64"/>
<path d="M11 13l3 3 6-6" fill="none" stroke="#fff" stroke-width="2"/>
<text x="26" y="18" fill="#fff" font-family="system-ui,sans-serif" font-size="${size}">${text}</text></svg>`;
  return {
    status: 200,
    headers: [
      'Content-Type',
      'image/svg+xml',
      'Cache-Control',
      'no-store',
      'Cross-Origin-Resource-Policy',
      'cross-origin',
      'Content-Security-Policy',
      "default-src 'none'",
    ],
    body: svg,
  };
}

function statusAnswer(client: Client, way: PortalWay, ca: CertificateAuthority): PortalAnswer {
  const { address, user = null, groups = [], subject } = client;
  const facts = {
    proxy: way === 'through',
    subject,
    user,
    groups,
    address,
    ca: { fingerprint256: ca.fingerprint256, not_after: ca.notAfter.toISOString() },
  };
  return {
    status: 200,
    headers: ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'],
    body: JSON.stringify(facts),
  };
}

function notFound({ words, brand }: { words: Words; brand: Brand }, request: ClientRequest): PortalAnswer {
  if (!fieldOf(request, 'accept').includes('text/html'))
    throw new PrivetError('not_found', 'There is no page at this address.');
  const { notFoundTitle: title, notFoundText: lead } = words;
  return pageAnswer({ words, brand, path: '/404', title, lead, body: html``, status: 404 });
}

/** Stores the selected language and redirects to the page. */
function chooseLanguage(path: string, query: URLSearchParams, language: string): PortalAnswer {
  query.delete('lang');
  const rest = query.toString();
  // Two leading slashes would name another host.
  const location = `/${path.replace(/^[/\\]+/, '')}${rest === '' ? '' : `?${rest}`}`;
  return redirect(location.replace(/[^\x21-\x7e]/g, ''), [
    'Set-Cookie',
    `privet_lang=${language}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly`,
  ]);
}

function languageOf(request: ClientRequest) {
  const chosen = /(?:^|;\s*)privet_lang=(en|ja)(?:;|$)/.exec(fieldOf(request, 'cookie'))?.[1];
  return chosen === 'en' || chosen === 'ja' ? chosen : preferredLanguage(fieldOf(request, 'accept-language'));
}

function fieldOf(request: ClientRequest, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}

/** The file. `authority`: host and port of the proxy; `bypass`: entries of `policy.bypass`. */
export function pacFile(authority: string, bypass: readonly string[]): string {
  const direct = bypass
    .filter((entry) => /^[a-z0-9.*-]+$/i.test(entry) && /[a-z]/i.test(entry))
    .map((entry) => entry.replace(/^\*?\./, ''))
    .map(
      (host) =>
        `  if (host === ${JSON.stringify(host)} || dnsDomainIs(host, ${JSON.stringify(`.${host}`)})) return "DIRECT";\n`,
    )
    .join('');
  const suffixes = directSuffixes.map((suffix) => `dnsDomainIs(host, "${suffix}")`).join(' || ');
  return `function FindProxyForURL(url, host) {
  if (${isDirectAddress}) return "DIRECT";
  if (host.indexOf(":") < 0 && (isPlainHostName(host) || ${suffixes})) return "DIRECT";
${direct}  return "PROXY ${authority}";
}
`;
}
