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

/** A page as a response: its items under `name`, and `next`. */
export function pageOf<N extends string, T>(
  name: N,
  all: readonly T[],
  { cursor = 0, limit = all.length }: { readonly cursor?: string | number; readonly limit?: number },
): Record<N, readonly T[]> & { readonly next: string | undefined } {
  const from = Number(cursor);
  const end = from + limit;
  const next = end < all.length ? String(end) : undefined;
  return { [name]: all.slice(from, end), next } as Record<N, readonly T[]> & { readonly next: string | undefined };
}
