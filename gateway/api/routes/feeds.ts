/** /admin/feeds: external service lists, their pending changes, and their approval. */

import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { nextPage, pageOf, pageQuery } from '../paging.ts';
import type { ApiParts } from '../parts.ts';

const digest = z.string().nullable().describe('Digest of the list waiting for approval; null when there is none.');
const counts = z.object({ added: z.int(), changed: z.int(), removed: z.int() });
const view = z.object({
  name: z.string(),
  source: z.union([z.object({ url: z.string() }), z.object({ file: z.string() })]),
  approve: z.enum(['manual', 'auto']),
  state: z.enum(['new', 'current', 'pending', 'rejected', 'failed']),
  last_fetch: z.iso.datetime().nullable(),
  error: z.string().nullable(),
  entries: z.int().describe('Number of entries in effect.'),
  diff: counts.describe('Entries that approving the waiting list would add, change and remove.'),
  digest,
  warnings: z.array(z.string()).describe('Warnings about entries that cannot be used.'),
});
export type Feed = z.infer<typeof view>;
const entry = z.looseObject({
  domain: z.string(),
  service_name: z.string().optional(),
  category: z.string().optional(),
});
const diff = z.object({
  added: z.array(entry),
  removed: z.array(entry),
  changed: z.array(z.object({ domain: z.string(), before: entry, after: entry })),
  digest,
  warnings: z.array(z.string()),
});
export type FeedChanges = z.infer<typeof diff>;

const seen = z
  .strictObject({
    digest: z
      .string()
      .max(100)
      .optional()
      .describe('Digest of the reviewed diff: 409 when another list is waiting by now. Default: whatever is waiting.'),
  })
  .optional();

export function feedRoutes(endpoints: Endpoints, { feeds }: ApiParts): void {
  const shared = { group: 'registry', access: 'admin' } as const;
  if (feeds === undefined) return;

  endpoints.add({
    ...shared,
    method: 'GET',
    path: '/admin/feeds',
    summary: 'The registry feeds and their state.',
    query: z.strictObject(pageQuery),
    answer: z.object({ feeds: z.array(view), ...nextPage }),
    handle: ({ query }) => pageOf('feeds', feeds.list(), query),
  });

  endpoints.add({
    ...shared,
    method: 'GET',
    path: '/admin/feeds/:name/diff',
    summary: 'What approving a feed would change.',
    answer: diff,
    handle: ({ params: { name = '' } }) => feeds.diff(name),
  });

  const decisions = [
    ['approve', 'Approve and apply the fetched list.'],
    ['reject', 'Reject the fetched list; the same list will not be proposed again.'],
  ] as const;
  for (const [decision, summary] of decisions) {
    endpoints.add({
      ...shared,
      method: 'POST',
      path: `/admin/feeds/:name/${decision}`,
      summary,
      body: seen,
      answer: view,
      handle: ({ params: { name = '' }, body }) => feeds[decision](name, body),
    });
  }

  endpoints.add({
    ...shared,
    method: 'POST',
    path: '/admin/feeds/:name/fetch',
    summary: 'Fetch a feed now; `error` says what went wrong.',
    answer: view,
    handle: ({ params: { name = '' } }) => feeds.fetch(name),
  });
}
