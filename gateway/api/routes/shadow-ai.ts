/** The registry of AI services: read, change, and check a URL against the policy. Admin key only. */

import { z } from 'zod';
import { PrivetError } from '../../../core/errors.ts';
import { categories, mentions, serviceInput, servicePatch } from '../../../policy/service.ts';
import type { Endpoints } from '../endpoint.ts';
import { nextPage, pageOf, pageQuery } from '../paging.ts';
import type { ApiParts } from '../parts.ts';
import { hostOf, visitOf } from '../target.ts';

const listQuery = z.strictObject({
  category: z.enum(categories).optional(),
  kind: z.string().max(50).optional(),
  q: z.string().max(200).optional(),
  ...pageQuery,
});

export const checkBody = z
  .strictObject({ url: z.string().min(1).max(8192).optional(), hostname: z.string().min(1).max(1024).optional() })
  .refine(({ url, hostname }) => (url === undefined) !== (hostname === undefined), 'give either url or hostname');

const service = z
  .looseObject({
    id: z.int(),
    key: z.string(),
    service_name: z.string(),
    domain: z.string(),
    alternate_domains: z.array(z.string()),
    category: z.enum(categories),
    is_blocked: z.boolean(),
  })
  .meta({ id: 'Service' });
export const checkAnswer = z
  .object({
    detected: z.boolean(),
    hostname: z.string().nullable(),
    service: z
      .object({ id: z.int(), service_name: z.string(), category: z.enum(categories) })
      .nullable()
      .describe('Null for an unregistered host; `hostname` is then null too.'),
    action: z.enum(['allow', 'warn', 'block']),
    category: z.enum(categories).nullable(),
    matchedHost: z.string().nullable(),
    rule: z.string(),
    reason: z.string(),
  })
  .meta({ id: 'ServiceCheck' });
export type CheckAnswer = z.infer<typeof checkAnswer>;

/** The response for `mailto:` and the like: no host is visited, so there is nothing to decide. */
const noVisit: z.infer<typeof checkAnswer> = {
  detected: false,
  hostname: null,
  service: null,
  action: 'allow',
  category: null,
  matchedHost: null,
  rule: 'no visit',
  reason: 'The link leads to no host.',
};

/** GET and POST /shadow-ai/services; GET, PATCH and DELETE /shadow-ai/services/:id; POST /shadow-ai/check. */
export function shadowAiRoutes(endpoints: Endpoints, parts: ApiParts): void {
  const { registry, registryWriter } = parts;
  const shared = { group: 'registry', access: 'admin' } as const;

  endpoints.add({
    ...shared,
    method: 'GET',
    path: '/shadow-ai/services',
    summary: 'The registered services.',
    query: listQuery,
    answer: z.object({ services: z.array(service), total: z.int(), ...nextPage }),
    handle({ query: { category, kind, q, ...page } }) {
      const text = q?.trim().toLowerCase();
      const services = registry
        .list()
        .filter((service) => category === undefined || service.category === category)
        .filter((service) => kind === undefined || service.kind === kind)
        .filter((service) => !text || mentions(service, text));
      return { ...pageOf('services', services, page), total: services.length };
    },
  });

  endpoints.add({
    ...shared,
    method: 'POST',
    path: '/shadow-ai/services',
    summary: 'Register a service.',
    described: serviceInput,
    answer: service,
    status: 201,
    // The registry validates it, so that files and the API follow the same rules.
    async handle({ request, reply }) {
      const service = await registryWriter.add(request.body);
      log('added', service.key, request.id);
      reply.header('location', `/shadow-ai/services/${service.id}`);
      return service;
    },
  });

  endpoints.add({
    ...shared,
    method: 'GET',
    path: '/shadow-ai/services/:id',
    summary: 'One service.',
    answer: service,
    handle({ params }) {
      const service = registry.withId(idOf(params.id));
      if (service === undefined) throw noService();
      return service;
    },
  });

  endpoints.add({
    ...shared,
    method: 'PATCH',
    path: '/shadow-ai/services/:id',
    summary: 'Change some fields of a service.',
    described: servicePatch,
    answer: service,
    async handle({ params, request }) {
      const service = await registryWriter.update(idOf(params.id), request.body);
      log('changed', service.key, request.id);
      return service;
    },
  });

  endpoints.add({
    ...shared,
    method: 'DELETE',
    path: '/shadow-ai/services/:id',
    summary: 'Remove a service.',
    status: 204,
    async handle({ params, request, reply }) {
      const { key } = await registryWriter.remove(idOf(params.id));
      log('removed', key, request.id);
      return reply.send();
    },
  });

  endpoints.add({
    ...shared,
    method: 'POST',
    path: '/shadow-ai/check',
    summary: 'The policy decision for a URL.',
    body: checkBody,
    answer: checkAnswer,
    handle: ({ body }) => checkVisit(parts, body),
  });

  function log(change: 'added' | 'changed' | 'removed', service: string, requestId: string): void {
    parts.log.info({ event: 'registry_change', change, service, requestId }, 'the registry was changed over the API');
  }
}

/** The decision for a URL and an unknown user. */
export function checkVisit(
  { policy, registry }: Pick<ApiParts, 'policy' | 'registry'>,
  body: z.infer<typeof checkBody>,
) {
  const target = body.url === undefined ? { host: hostOf(body.hostname ?? ''), port: 443 } : visitOf(body.url);
  if (target === undefined) return noVisit;
  const decision = policy().decide(target);
  const match = registry.match(target.host, 'path' in target ? target.path : undefined);
  const category = match?.service.category;
  return {
    detected: match !== undefined,
    hostname: match?.service.domain ?? null,
    service: match === undefined ? null : { id: match.service.id, service_name: match.service.service_name, category },
    action: decision.action,
    category: category ?? null,
    matchedHost: match?.matchedHost ?? null,
    rule: decision.rule,
    reason: decision.reason,
  };
}

/** The id in a path. @throws PrivetError `not_found` for anything but a whole number. */
function idOf(text = ''): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw noService();
  return id;
}

function noService(): PrivetError {
  return new PrivetError('not_found', 'There is no service with this id.', {
    hint: 'GET /shadow-ai/services lists the services with their ids, which are whole numbers.',
  });
}
