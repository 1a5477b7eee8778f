/** The frame of all portal pages, with navigation and headers. The only script converts times to local time. */
import { brandHtml, companyText, contactHtml } from '../proxy/answer/pages.ts';
import type { Brand } from './brand.ts';
import { Html, html } from './html.ts';
import type { Words } from './words.ts';

/** The portal's host name through the proxy; it exists nowhere else. */
export const portalHost = 'privet.proxy';
/** The host of an image that loads only if the browser trusts the root. */
export const trustHost = `check.${portalHost}`;

/** True for a name of the portal. */
export const isPortalName = (host: string): boolean => host === portalHost || host === trustHost;

/** A response of the portal. */
export type PortalAnswer = {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string | Buffer;
};

/** A page: its texts, its position in the navigation, and its content. */
export type Page = {
  readonly words: Words;
  readonly brand: Brand;
  readonly path: string;
  readonly title: string;
  readonly lead?: string;
  readonly body: Html;
  readonly status?: number;
};

const headers: readonly string[] = [
  'Content-Type',
  'text/html; charset=utf-8',
  'Cache-Control',
  'no-store',
  'Vary',
  'Accept-Language, Cookie',
  'Content-Security-Policy',
  [
    "default-src 'none'; script-src 'self'; style-src 'self'",
    `img-src 'self' data: https://${trustHost}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  ].join('; '),
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'same-origin',
];

/** The complete page. */
export function pageAnswer({ words, brand, path, title, lead, body, status = 200 }: Page): PortalAnswer {
  const entries = [
    ['/', words.home],
    ['/ca', words.install],
    ['/services', words.allowed],
    ['/me', words.mine],
  ] as const;
  const here = (entry: string) =>
    path === entry || (entry !== '/' && path.startsWith(`${entry}/`)) ? html` aria-current="page"` : '';
  const isEnglish = words.language === 'English';
  const own = brand.text[isEnglish ? 'en' : 'ja'];
  const text = html`<!doctype html>
<html lang="${isEnglish ? 'en' : 'ja'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Privet</title>
<link rel="stylesheet" href="/portal.css">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<script src="/local-times.js" defer></script>
</head>
<body>
<a class="skip" href="#content">${words.skip}</a>
<header>
<a class="mark" href="/">${new Html(brandHtml(brand))}</a>
<nav aria-label="${words.navigation}"><ul class="pages">
${entries.map(([entry, name]) => html`<li><a href="${entry}"${here(entry)}>${name}</a></li>`)}
<li><a href="${path}?lang=${isEnglish ? 'ja' : 'en'}" lang="${isEnglish ? 'ja' : 'en'}">${words.otherLanguage}</a></li>
</ul></nav>
</header>
<main id="content">
<h1>${title}</h1>
${lead === undefined ? '' : html`<p class="lead">${lead}</p>`}
${body}
</main>
<footer>${own === null ? '' : html`<p>${new Html(companyText(own))}</p>`}
${brand.contact === null ? '' : html`<p>${words.contact}${new Html(contactHtml(brand.contact))}</p>`}
<p>${words.footer}</p></footer>
</body>
</html>
`;
  return { status, headers, body: text.text };
}

/** A response that redirects a browser with GET (RFC 9110 §15.4.4). */
export function redirect(location: string, extra: readonly string[] = []): PortalAnswer {
  return { status: 303, headers: ['Location', location, 'Cache-Control', 'no-store', ...extra], body: '' };
}

/** A time in UTC, which the page's script converts to local time. */
export function timeTag(time: string | number | Date, words: Words, withTime = false): Html {
  const style = withTime ? 'minute' : 'day';
  return html`<time datetime="${new Date(time).toISOString()}" data-style="${style}">${dateText(time, words, withTime)}</time>`;
}

/** A formatted time in UTC. */
export function dateText(time: string | number | Date, { language }: Words, withTime = false): string {
  const locale = language === 'English' ? 'en-GB' : 'ja-JP';
  const style = withTime ? ({ dateStyle: 'medium', timeStyle: 'short' } as const) : ({ dateStyle: 'long' } as const);
  const text = new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' }).format(new Date(time));
  return withTime ? `${text} UTC` : text;
}

/** A formatted count. */
export const numberText = (count: number): string => new Intl.NumberFormat('en').format(count);
