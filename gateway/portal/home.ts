/** The start page: proxy use, identification and trust in the certificate. */
import type { Client } from '../proxy/request/record.ts';
import type { Brand } from './brand.ts';
import { type Html, html } from './html.ts';
import { type PortalAnswer, pageAnswer, portalHost, trustHost } from './page.ts';
import type { Words } from './words.ts';

/** The page's data. `authority`: host and port under which clients reach the proxy. */
export type HomeFacts = {
  readonly words: Words;
  readonly brand: Brand;
  readonly client: Client;
  readonly isThrough: boolean;
  readonly authority: string;
};

/** The page. */
export function homePage({ words, brand, client, isThrough, authority }: HomeFacts): PortalAnswer {
  const { user, address, groups = [] } = client;
  const language = words.language === 'English' ? 'en' : 'ja';
  const rows: [string, Html | string][] = [
    [words.who, user ?? words.anonymous],
    [words.address, html`<code>${address}</code>`],
    ...(groups.length === 0 ? [] : ([[words.groups, groups.join(', ')]] as [string, string][])),
    [
      words.trust,
      html`<img src="https://${trustHost}/trusted.svg?lang=${language}" alt="${words.trustBad}" height="26"><br>
<span class="soft">${words.trustHint}<a href="/ca">${words.installTitle}</a></span>`,
    ],
  ];
  const body = html`
<section aria-labelledby="status">
<h2 id="status">${words.status}</h2>
${
  isThrough
    ? html`<p class="note good">${words.usingProxy}</p>`
    : html`<p class="note care">${words.notThrough} <a href="http://${portalHost}/">http://${portalHost}/</a></p>`
}
<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
</section>
<section aria-labelledby="next">
<h2 id="next">${words.next}</h2>
<ul>
<li><a href="/ca">${words.goInstall}</a></li>
<li><a href="/services">${words.goAllowed}</a></li>
<li><a href="/me">${words.goMine}</a></li>
<li><a href="/me/exceptions">${words.goException}</a></li>
</ul>
</section>
<section aria-labelledby="setup">
<h2 id="setup">${words.setUp}</h2>
<dl>
<dt>${words.setUpProxy}</dt><dd><code>http://${authority}</code></dd>
<dt>${words.setUpPac}</dt><dd><code>http://${authority}/proxy.pac</code></dd>
</dl>
</section>`;
  return pageAnswer({ words, brand, path: '/', title: words.homeTitle, lead: words.homeLead, body });
}
