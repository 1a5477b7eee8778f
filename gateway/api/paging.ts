/** Paging for lists that are built for each call: `limit`, `cursor` and `next`, like those of stored lists. */
import { z } from 'zod';
import { queryInt } from './fields.ts';

/** Maximum items per page. */
const limitMax = 1_000;

/** The query of a list that is returned whole without a `limit`, as its clients expect. */
export const pageQuery = {
  cursor: z
    .string()
    .regex(/^\d{1,9}$/, 'is not a cursor')
    .optional()
    .describe('`next` of the previous page.'),
  limit: queryInt(1, limitMax).optional().describe('Items of a page. Default all.'),
};

/** The query of a list that may be long: without a `limit` a page has `limitDefault` items. */
export function pageQueryOf(limitDefault: number) {
  return {
    ...pageQuery,
    limit: queryInt(1, limitMax).optional().describe(`Items of a page. Default ${limitDefault}.`),
  };
}

/** The response field next to the items. */
export const nextPage = { next: z.string().optional().describe('`cursor` of the next page; absent on the last one.') };

/** The items of a page, and its `next`. */
export function pageOf<T>(
  all: readonly T[],
  { cursor = '0', limit = all.length }: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
): { readonly items: readonly T[]; readonly next: { readonly next?: string } } {
  const from = Number(cursor);
  const end = from + limit;
  return { items: all.slice(from, end), next: end < all.length ? { next: String(end) } : {} };
}
