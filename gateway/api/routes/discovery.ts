/** GET /admin/discovery and POST /admin/discovery/:host: unregistered hosts that look like AI. */

import { z } from 'zod';
import { PrivetError } from '../../../core/errors.ts';
import { assess, confidences, type Signal, signalWeights } from '../../../policy/discovery.ts';
import { isLocalName } from '../../../policy/discovery-domain.ts';
import { countDistinct, evidenceOf, type Finding } from '../../../policy/discovery-finding.ts';
import type { Service } from '../../../policy/service.ts';
import type { Endpoints } from '../endpoint.ts';
import { nextPage, pageOf, pageQueryOf } from '../paging.ts';
import type { ApiParts } from '../parts.ts';
import { hostOf } from '../target.ts';

const limitDefault = 100;
const states = ['seen', 'proposed', 'dismissed', 'registered'] as const;
const query = z.strictObject({
  state: z.enum(states).optional().describe('Default all; `seen` are those with too few signals to be proposed.'),
  confidence: z.enum(confidences).optional(),
  ...pageQueryOf(limitDefault),
});
const found = z.object({
  host: z.string().describe('The registrable domain, or the name of the customer on a shared platform.'),
  hosts: z.array(z.string()),
  confidence: z.enum(confidences),
  score: z.int(),
  kind: z.enum(['ai', 'relay', 'lookalike']),
  imitates: z.string().nullable().describe('The registered domain that the name imitates.'),
  local: z.boolean().describe('A host of this network: a model server or gateway of your own.'),
  family: z.string().nullable(),
  category_proposed: z.enum(['monitoring', 'blocked']),
  reason: z.string(),
  signals: z.array(z.object({ signal: z.string(), weight: z.enum(['A', 'B', 'C']), count: z.int() })),
  requests: z.int(),
  subjects: z.int().describe('Distinct; exact up to 64, then within about 12 %.'),
  days: z.int(),
  bytes_up: z.int(),
  first_seen: z.iso.datetime(),
  last_seen: z.iso.datetime(),
  state: z.enum(states),
  service: z.string().nullable().describe('Key of the service that the host belongs to.'),
});
export type FoundHost = z.infer<typeof found>;
const decision = z.strictObject({
  state: z.enum(['dismissed', 'registered', 'seen']).describe('`seen` reverts an earlier decision.'),
  service: z
    .union([z.int(), z.looseObject({})])
    .optional()
    .describe('For `registered`: the id of a service that the host belongs to, or the fields of a new one.'),
});

export function discoveryRoutes(endpoints: Endpoints, parts: ApiParts): void {
  const { learning, registry } = parts;
  const shared = { group: 'admin', access: 'admin' } as const;

  endpoints.add({
    ...shared,
    method: 'GET',
    path: '/admin/discovery',
    summary: 'Unregistered hosts that look like AI services, highest confidence first.',
    query,
    answer: z.object({ hosts: z.array(found), total: z.int(), ...nextPage }),
    handle({ query: { state, confidence, cursor, limit = limitDefault } }) {
      const all = [...(learning?.discovery.list() ?? [])]
        .map(([host, finding]) => view(host, finding, parts))
        .filter((row) => (state ?? row.state) === row.state && (confidence ?? row.confidence) === row.confidence)
        .sort((a, b) => b.score - a.score || b.subjects - a.subjects || (a.host < b.host ? -1 : 1));
      return { ...pageOf('hosts', all, { cursor, limit }), total: all.length };
    },
  });

  endpoints.add({
    ...shared,
    method: 'POST',
    path: '/admin/discovery/:host',
    summary: 'Register a host as a service, or dismiss it for good.',
    body: decision,
    answer: found,
    async handle({ params, body: { state, service }, request }) {
      const host = hostOf(params.host ?? '');
      if (learning === undefined) throw new PrivetError('not_found', 'There is no finding with this name.');
      const { discovery } = learning;
      const finding = discovery.find(host);
      if (finding === undefined) throw new PrivetError('not_found', 'There is no finding with this name.');
      if (service !== undefined && state !== 'registered')
        throw new PrivetError('invalid_input', 'Send a service only with the state registered.');
      let key: string | undefined;
      if (state === 'registered') {
        const registered = await register(finding.domain, finding.finding, service);
        key = registered.key;
      }
      const next = state === 'seen' ? ('open' as const) : state;
      const after = await discovery.decide(finding.domain, { state: next, service: key });
      parts.log.info(
        { event: 'discovery_decided', host: finding.domain, state, service: key, requestId: request.id },
        'a discovered host was registered or dismissed over the API',
      );
      return view(finding.domain, after, parts);
    },
  });

  /** Assigns the host to a service: an existing one gets it as a domain, else a new one is created. */
  async function register(domain: string, finding: Finding, service: number | object | undefined): Promise<Service> {
    const claimed = registry.match(domain)?.service;
    if (typeof service === 'number') {
      const known = registry.withId(service);
      if (known === undefined) throw new PrivetError('not_found', 'There is no service with this id.');
      if (claimed?.id === known.id) return known;
      return parts.registryWriter.update(known.id, { alternate_domains: [...known.alternate_domains, domain] });
    }
    // Registered by hand meanwhile: only the finding remains to be closed.
    if (claimed !== undefined && service === undefined) return claimed;
    const { category, reason } = assess(evidenceOf(finding));
    return parts.registryWriter.add({
      service_name: domain,
      domain,
      category,
      reason: reason.slice(0, 500),
      ...service,
    });
  }
}

function view(host: string, finding: Finding, { registry }: ApiParts): z.infer<typeof found> {
  const { score, confidence, kind, category, reason } = assess(evidenceOf(finding));
  const claimed = finding.imitates === undefined ? registry.match(host)?.service.key : undefined;
  const open = confidence === 'weak' ? 'seen' : 'proposed';
  const decided = finding.state === 'registered' || claimed !== undefined ? 'registered' : finding.state;
  const isLocal = isLocalName(host);
  return {
    host,
    hosts: [...finding.hosts],
    confidence,
    score,
    kind,
    imitates: finding.imitates ?? null,
    local: isLocal,
    family: finding.family ?? null,
    category_proposed: isLocal ? 'monitoring' : category,
    reason,
    signals: (Object.entries(finding.signals) as [Signal, number][])
      .map(([signal, count]) => ({ signal, weight: signalWeights[signal], count }))
      .sort((a, b) => (a.weight < b.weight ? -1 : a.weight > b.weight ? 1 : b.count - a.count)),
    requests: finding.requests,
    subjects: countDistinct(finding.subjects),
    days: finding.days.length,
    bytes_up: finding.bytesUp,
    first_seen: finding.firstSeen,
    last_seen: finding.lastSeen,
    state: decided === 'open' ? open : decided,
    service: finding.service ?? claimed ?? null,
  };
}
