/** The policy's decisions about the registered services for the current user. */
import type { Policy } from '../../policy/decide.ts';
import type { ServiceRegistry } from '../../policy/registry.ts';
import { categories, mentions, type Service } from '../../policy/service.ts';
import { type Client, whoOf } from '../proxy/request/record.ts';
import type { Brand } from './brand.ts';
import { html } from './html.ts';
import { type PortalAnswer, pageAnswer } from './page.ts';
import { table } from './table.ts';
import type { Words } from './words.ts';

const shownMax = 100;

/** What the page shows. */
export type ServicesFacts = {
  readonly words: Words;
  readonly brand: Brand;
  readonly client: Client;
  readonly registry: ServiceRegistry;
  readonly policy: Policy;
  readonly query: URLSearchParams;
};

/** The page; without a search, approved services come first. */
export function servicesPage({ words, brand, client, registry, policy, query }: ServicesFacts): PortalAnswer {
  const text = (query.get('q') ?? '').trim().slice(0, 100);
  const category = categories.find((name) => name === query.get('category'));
  const all = orderOf(registry).filter(
    (service) => (category === undefined || service.category === category) && mentions(service, text.toLowerCase()),
  );
  const shown = all.slice(0, shownMax);
  const names = { approved: words.approvedOnly, monitoring: words.monitoringOnly, blocked: words.blockedOnly };
  const option = (value: string, name: string) =>
    html`<option value="${value}"${(category ?? '') === value ? html` selected` : ''}>${name}</option>`;
  const body = html`
<form class="line" method="get" action="/services" role="search">
<div class="field"><label for="q">${words.search}</label>
<input id="q" name="q" type="search" value="${text}" placeholder="${words.searchHint}" maxlength="100"></div>
<div class="field"><label for="category">${words.category}</label>
<select id="category" name="category">
${option('', words.all)}${categories.map((name) => option(name, names[name]))}</select></div>
<button type="submit">${words.find}</button>
</form>
<section aria-label="${words.allowed}">
${
  shown.length === 0
    ? html`<p>${words.noneFound}</p>`
    : table(
        [{ name: words.service }, { name: words.kind }, { name: words.availability }],
        shown.map((service) => row(service, words, policy, client)),
      )
}
${all.length > shown.length ? html`<p class="soft">${words.more(shown.length, all.length)}</p>` : ''}
</section>`;
  return pageAnswer({ words, brand, path: '/services', title: words.servicesTitle, lead: words.servicesLead, body });
}

/** The services in display order, sorted once per registry version, because anyone may request the page. */
const orders = new WeakMap<ServiceRegistry, { readonly version: number; readonly services: readonly Service[] }>();

function orderOf(registry: ServiceRegistry): readonly Service[] {
  let order = orders.get(registry);
  if (order?.version !== registry.version) {
    const rank = (service: Service) => categories.indexOf(service.category);
    const services = registry.list().sort((a, b) => rank(a) - rank(b) || a.service_name.localeCompare(b.service_name));
    order = { version: registry.version, services };
    orders.set(registry, order);
  }
  return order.services;
}

function row(service: Service, words: Words, policy: Policy, client: Client) {
  const { service_name: name, domain, kind = '' } = service;
  const [tone, text] = standingOf(service, words, policy, client);
  const ask =
    tone === 'bad' ? html` <a href="/me/exceptions?host=${encodeURIComponent(domain)}">${words.askFor}</a>` : '';
  return [
    html`${name}<br><span class="soft">${domain}</span>`,
    words.kinds[kind] ?? kind,
    html`<span class="badge ${tone}">${text}</span>${ask}`,
  ];
}

function standingOf(
  service: Service,
  words: Words,
  policy: Policy,
  client: Client,
): readonly [tone: 'good' | 'care' | 'bad', text: string] {
  // As for opening the page: with the host alone, a rule about paths or sizes would leave the decision open. For a
  // service that is only part of a host, the path decides.
  const prefix = service.scope === 'path' ? service.url_prefixes[0] : undefined;
  const slash = prefix?.indexOf('/') ?? -1;
  const where =
    prefix === undefined
      ? { host: service.domain, path: '/' }
      : { host: prefix.slice(0, slash), path: prefix.slice(slash) };
  const { action, inspect } = policy.decide({ ...where, method: 'GET', size: 0, port: 443, ...whoOf(client) });
  if (action === 'block') return ['bad', words.blocked];
  if (action === 'warn') return ['care', words.warned];
  return ['good', inspect === 'mask' ? words.masked : inspect === 'audit' ? words.watched : words.open];
}
