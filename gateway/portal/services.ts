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
/** How many services are decided for one page, because anyone may request it. */
const decidedMax = 5_000;

/** What a user may choose to see, with the category that usually leads to it. */
const standings = { good: 'approved', care: 'monitoring', bad: 'blocked' } as const;
type Tone = keyof typeof standings;
type Standing = readonly [tone: Tone, text: string];

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
  const wanted = (Object.keys(standings) as Tone[]).find((tone) => tone === query.get('show'));
  const all = orderOf(registry).filter((service) => mentions(service, text.toLowerCase()));
  const standing = (service: Service) => standingOf(service, words, policy, client);
  const { shown, isAll } = firstOf(all, standing, wanted);
  const option = (value: string, name: string) =>
    html`<option value="${value}"${(wanted ?? '') === value ? html` selected` : ''}>${name}</option>`;
  const body = html`
<form class="line" method="get" action="/services" role="search">
<div class="field"><label for="q">${words.search}</label>
<input id="q" name="q" type="search" value="${text}" placeholder="${words.searchHint}" maxlength="100"></div>
<div class="field"><label for="show">${words.show}</label>
<select id="show" name="show">
${option('', words.all)}${option('good', words.open)}${option('care', words.withCare)}${option('bad', words.blocked)}
</select></div>
<button type="submit">${words.find}</button>
</form>
<section aria-label="${words.allowed}">
${
  shown.length === 0
    ? html`<p>${words.noneFound}</p>`
    : table(
        [{ name: words.service }, { name: words.kind }, { name: words.availability }],
        shown.map(([service, state]) => row(service, state, words)),
      )
}
${isAll ? '' : html`<p class="soft">${wanted ? words.first(shown.length) : words.more(shown.length, all.length)}</p>`}
</section>`;
  return pageAnswer({ words, brand, path: '/services', title: words.servicesTitle, lead: words.servicesLead, body });
}

/** The first services of a list with their states: all states, or one, by what the policy decides for this user. */
function firstOf(
  all: readonly Service[],
  standing: (service: Service) => Standing,
  wanted: Tone | undefined,
): { readonly shown: readonly (readonly [Service, Standing])[]; readonly isAll: boolean } {
  if (wanted === undefined) {
    const shown = all.slice(0, shownMax).map((service) => [service, standing(service)] as const);
    return { shown, isAll: shown.length === all.length };
  }
  const likely = (service: Service) => service.category === standings[wanted];
  const shown: [Service, Standing][] = [];
  let decided = 0;
  for (const service of [...all.filter(likely), ...all.filter((one) => !likely(one))]) {
    if (++decided > decidedMax) return { shown, isAll: false };
    const state = standing(service);
    if (state[0] !== wanted) continue;
    if (shown.length === shownMax) return { shown, isAll: false };
    shown.push([service, state]);
  }
  return { shown, isAll: true };
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

function row({ service_name: name, domain, kind = '' }: Service, [tone, text]: Standing, words: Words) {
  const ask =
    tone === 'bad' ? html` <a href="/me/exceptions?host=${encodeURIComponent(domain)}">${words.askFor}</a>` : '';
  return [
    html`${name}<br><span class="soft">${domain}</span>`,
    words.kinds[kind] ?? kind,
    html`<span class="badge ${tone}">${text}</span>${ask}`,
  ];
}

function standingOf(service: Service, words: Words, policy: Policy, client: Client): Standing {
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
