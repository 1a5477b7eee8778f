/**
 * POST /admin/services/bulk and /admin/services/impact: change many services at once, and preview a change against
 * recent requests.
 */

import { z } from 'zod';
import { PrivetError } from '../../../core/errors.ts';
import type { Service } from '../../../policy/service.ts';
import type { Endpoints } from '../endpoint.ts';
import type { ApiParts } from '../parts.ts';
import { impactAnswer, impactOf } from '../services-impact.ts';
import { invalidFields } from '../validate.ts';

const itemsMax = 5_000;
const id = z.int();
/** Validated by the registry, field by field. */
const change = z
  .record(z.string().max(50), z.unknown())
  .nullable()
  .describe(
    'Fields as in PATCH /shadow-ai/services/:id; null removes the service, a whole removed service puts it back.',
  );
const bulkBody = z
  .strictObject({
    ids: z.array(id).min(1).max(itemsMax).optional(),
    change: change.optional(),
    items: z
      .array(z.strictObject({ id, change }))
      .min(1)
      .max(itemsMax)
      .optional()
      .describe('Instead of ids and change: a separate change for each.'),
  })
  .refine(
    ({ ids, change, items }) => (items === undefined) === (ids !== undefined && change !== undefined),
    'give either ids and change, or items',
  );
const bulkAnswer = z.object({
  changed: z
    .array(z.object({ id, before: z.record(z.string(), z.unknown()).nullable() }))
    .describe(
      '`before` has the previous values of changed fields, the whole service if it was removed, null if it was put ' +
        'back. Sending these as items in reverse order undoes the change.',
    ),
  failed: z.array(z.object({ id, error: z.object({ code: z.string(), message: z.string() }) })),
});
export type BulkAnswer = z.infer<typeof bulkAnswer>;
const impactBody = z
  .strictObject({
    ids: z.array(id).min(1).max(itemsMax).optional(),
    domain: z.string().min(1).max(1024).optional().describe('Domain of a service to be added.'),
    change,
    days: z.int().min(1).max(90).optional().describe('Default 7.'),
  })
  .refine(({ ids, domain }) => (ids === undefined) !== (domain === undefined), 'give either ids or domain');

export function servicesAdminRoutes(endpoints: Endpoints, parts: ApiParts): void {
  const { registry, log, stores } = parts;
  const shared = { group: 'registry', access: 'admin', method: 'POST' } as const;

  endpoints.add({
    ...shared,
    path: '/admin/services/bulk',
    summary: 'Change or remove many services at once.',
    body: bulkBody,
    answer: bulkAnswer,
    async handle({ body: { ids = [], change = {}, items }, request }) {
      const wanted = items ?? ids.map((id) => ({ id, change }));
      assertOnce(wanted, (i) => (items === undefined ? `ids[${i}]` : `items[${i}].id`));
      const patches = wanted.map(({ id, change }) => ({ id, patch: change }));
      const { changed, failed } = await parts.registryWriter.updateAll(patches);
      const removed = changed.filter(({ after }) => after === null).length;
      const added = changed.filter(({ before }) => before === null).length;
      for (const [change, services] of Object.entries({ changed: changed.length - removed - added, removed, added }))
        if (services > 0)
          log.info(
            { event: 'registry_change', change, services, requestId: request.id },
            'the registry was changed over the API',
          );
      const fields = new Map(wanted.map(({ id, change }) => [id, change]));
      return {
        changed: changed.map(({ id, before }) => ({ id, before: fieldsBefore(before, fields.get(id) ?? null) })),
        failed: failed.map(({ id, error: { code, message } }) => ({ id, error: { code, message } })),
      };
    },
  });

  endpoints.add({
    ...shared,
    path: '/admin/services/impact',
    summary: 'Preview a change of services against recent requests; nothing is changed.',
    refusals: [404],
    body: impactBody,
    answer: impactAnswer,
    async handle({ body: { ids, domain, change, days = 7 } }) {
      const copy = registry.copy();
      if (ids !== undefined) {
        const [failed] = copy.updateAll(ids.map((id) => ({ id, patch: change }))).failed;
        if (failed !== undefined) throw failed.error;
      } else {
        if (change === null) throw new PrivetError('invalid_input', 'A service to be added needs its fields.');
        copy.add({ service_name: '(new)', category: 'monitoring', ...change, domain });
      }
      return impactOf({ events: stores.events, policy: parts.policy(), registry, changed: copy, ids, days });
    },
  });
}

/** If a service changed twice, the response could not undo both changes. @throws PrivetError `invalid_input` */
function assertOnce(wanted: readonly { readonly id: number }[], fieldOf: (i: number) => string): void {
  const seen = new Set<number>();
  const again = wanted.flatMap(({ id }, i) => (seen.size === seen.add(id).size ? [fieldOf(i)] : []));
  if (again.length > 0) throw invalidFields(again.map((field) => ({ field, message: 'is in the list twice' })));
}

/** The patch that restores a service: all fields of one that was removed, null for one that did not exist. */
function fieldsBefore(
  before: Service | null,
  change: Readonly<Record<string, unknown>> | null,
): Record<string, unknown> | null {
  if (before === null || change === null) return before && { ...before };
  const names = new Set(Object.keys(change));
  return Object.fromEntries([...names].map((name) => [name, before[name as keyof Service] ?? null]));
}
