/** Pages of lists that are made anew for each call: `limit`, `cursor` and `next`, as every list has them. */
import { z } from 'zod';
import { queryInt } from './fields.ts';

/** Most items of a page. */
const limitMax = 1_000;

/** The query of a list that is whole without a `limit`, because its readers expect it so. */
export const pageQuery = {
  cursor: z
    .string()
    .regex(/^\d{1,9}$/, 'is no cursor')
    .optional()
    .describe('`next` of the page before.'),
  limit: queryInt(1, limitMax).optional().describe('Items of a page. Default all.'),
};

/** The same for a list that may be long: a page of `limitDefault` without a `limit`. */
export function pageQueryOf(limitDefault: number) {
  return {
    ...pageQuery,
    limit: queryInt(1, limitMax).optional().describe(`Items of a page. Default ${limitDefault}.`),
  };
}

/** What the answer of a list holds beside its items. */
export const nextPage = { next: z.string().optional().describe('`cursor` of the next page; absent on the last one.') };

/** The items of a page and the `next` that stands beside them. */
export function pageOf<T>(
  all: readonly T[],
  { cursor = '0', limit = all.length }: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
): { readonly items: readonly T[]; readonly next: { readonly next?: string } } {
  const from = Number(cursor);
  const end = from + limit;
  return { items: all.slice(from, end), next: end < all.length ? { next: String(end) } : {} };
}
