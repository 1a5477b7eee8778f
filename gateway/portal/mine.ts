/** A user's own figures: types and counts from stored events, which contain nothing else. */
import { typeLabel } from '../../core/types.ts';
import type { ServiceRegistry } from '../../policy/registry.ts';
import type { EventStore } from '../stores/events.ts';
import type { ExceptionRequest } from '../stores/exceptions.ts';
import type { Brand } from './brand.ts';
import { type Html, html } from './html.ts';
import { numberText, type PortalAnswer, pageAnswer, portalHost, timeTag } from './page.ts';
import { table } from './table.ts';
import type { Words } from './words.ts';

export const daysShown = 30;
const pageMax = 1_000;
const countedMax = 5_000;

/** The figures of one subject. */
export type OwnFigures = {
  readonly requests: number;
  readonly masked: number;
  readonly restored: number;
  readonly refused: number;
  /** Values found and masked, by PII type. */
  readonly types: ReadonlyMap<string, { readonly found: number; readonly masked: number }>;
  /** Requests, masked values and time of the last use in ms, by service id. */
  readonly services: ReadonlyMap<
    string,
    { readonly requests: number; readonly masked: number; readonly lastAt: number }
  >;
  /** False if only the newest events are counted. */
  readonly isComplete: boolean;
};

/** Counts the events of a subject since a given time. Throws the store's errors. */
export async function figuresOf(events: Pick<EventStore, 'query'>, subject: string, from: number): Promise<OwnFigures> {
  const types = new Map<string, { found: number; masked: number }>();
  const services = new Map<string, { requests: number; masked: number; lastAt: number }>();
  const sums = { requests: 0, masked: 0, restored: 0, refused: 0 };
  let after: string | undefined;
  let counted = 0;
  do {
    const page = await events.query({ subject, from, limit: pageMax, ...(after === undefined ? {} : { after }) });
    for (const { service, action, at, fields } of page.events) {
      counted++;
      const masked = Number(fields.masked ?? 0);
      if (action === 'block') sums.refused++;
      if (service === '') continue;
      sums.requests++;
      sums.masked += masked;
      sums.restored += Number(fields.restored ?? 0);
      const use = services.get(service) ?? { requests: 0, masked: 0, lastAt: 0 };
      services.set(service, {
        requests: use.requests + 1,
        masked: use.masked + masked,
        lastAt: Math.max(use.lastAt, at),
      });
      for (const [type, found] of Object.entries((fields.piiTypes ?? {}) as Record<string, number>)) {
        const before = types.get(type) ?? { found: 0, masked: 0 };
        types.set(type, { found: before.found + found, masked: before.masked + (masked > 0 ? found : 0) });
      }
    }
    after = page.next;
  } while (after !== undefined && counted < countedMax);
  return { ...sums, types, services, isComplete: after === undefined };
}

/** The page's data; `figures` is undefined if the store is unavailable. */
export type MineFacts = {
  readonly words: Words;
  readonly brand: Brand;
  readonly registry: ServiceRegistry;
  readonly figures: OwnFigures | undefined;
  readonly requests: readonly ExceptionRequest[] | undefined;
  readonly subject: string;
  /** True if the user has a name in the proxy, but is identified here by address only. */
  readonly isByAddress: boolean;
  readonly wasSent: boolean;
};

/** The page. */
export function minePage(facts: MineFacts): PortalAnswer {
  const { words, brand, figures, requests, subject, isByAddress, wasSent } = facts;
  const body = html`
${wasSent ? html`<p class="note good" role="status">${words.sent}</p>` : ''}
<p>${words.whoOf}<strong>${subject}</strong></p>
${isByAddress ? html`<p class="note care">${words.directIdentity} <a href="http://${portalHost}/me">http://${portalHost}/me</a></p>` : ''}
${figures === undefined ? html`<p class="note bad" role="alert">${words.storeAway}</p>` : figuresPart(figures, facts)}
<section aria-labelledby="exceptions">
<h2 id="exceptions">${words.exceptionsTitle}</h2>
${requests === undefined ? html`<p>${words.storeAway}</p>` : requestsPart(requests, words)}
<p><a class="button" href="/me/exceptions">${words.askTitle}</a></p>
</section>`;
  return pageAnswer({ words, brand, path: '/me', title: words.mineTitle, lead: words.mineLead(daysShown), body });
}

function figuresPart(figures: OwnFigures, { words, registry }: MineFacts): Html {
  const { requests, masked, restored, refused, types, services, isComplete } = figures;
  const tiles = [
    [masked, words.maskedHead],
    [restored, words.restoredValues],
    [requests, words.requests],
    [refused, words.refused],
  ] as const;
  const byType = [...types].sort((a, b) => b[1].found - a[1].found);
  const byService = [...services].sort((a, b) => b[1].lastAt - a[1].lastAt).slice(0, 20);
  return html`
<ul class="tiles">${tiles.map(([count, name]) => html`<li><strong>${numberText(count)}</strong><span>${name}</span></li>`)}</ul>
${isComplete ? '' : html`<p class="soft">${words.cutShort}</p>`}
<section aria-labelledby="types"><h2 id="types">${words.byType}</h2>
${
  byType.length === 0
    ? html`<p>${words.nothingYet}</p>`
    : table(
        [{ name: words.type }, { name: words.found, isNumber: true }, { name: words.ofThemMasked, isNumber: true }],
        byType.map(([type, { found, masked }]) => [
          typeLabel(type, words.language === 'English' ? 'en' : 'ja'),
          numberText(found),
          numberText(masked),
        ]),
      )
}
</section>
${
  byService.length === 0
    ? ''
    : html`<section aria-labelledby="used"><h2 id="used">${words.byService}</h2>
${table(
  [
    { name: words.service },
    { name: words.requestsHead, isNumber: true },
    { name: words.maskedHead, isNumber: true },
    { name: words.lastUsed },
  ],
  byService.map(([id, use]) => [
    registry.get(id)?.service_name ?? id,
    numberText(use.requests),
    numberText(use.masked),
    timeTag(use.lastAt, words, true),
  ]),
)}</section>`
}`;
}

function requestsPart(requests: readonly ExceptionRequest[], words: Words): Html {
  if (requests.length === 0) return html`<p>${words.noExceptions}</p>`;
  const states = {
    open: ['care', words.stateOpen],
    granted: ['good', words.stateGranted],
    denied: ['bad', words.stateDenied],
  } as const;
  return table(
    [{ name: words.host }, { name: words.state }, { name: words.asked }, { name: words.note }],
    requests.slice(0, 50).map(({ host, state, at, note, expires_at }) => {
      const [tone, text] = states[state];
      const until =
        expires_at === null ? '' : html` <span class="soft">${words.until} ${timeTag(expires_at, words, true)}</span>`;
      return [host, html`<span class="badge ${tone}">${text}</span>${until}`, timeTag(at, words, true), note ?? ''];
    }),
  );
}
