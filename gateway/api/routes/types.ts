/** GET /types: the PII types that are detected. */
import { z } from 'zod';
import { typeGroups, typeInfos, typeLabel } from '../../../core/types.ts';
import type { Endpoints } from '../endpoint.ts';
import { nextPage, pageOf, pageQuery } from '../paging.ts';

const answer = z.object({
  types: z.array(
    z
      .object({
        type: z.string(),
        label: z.object({ en: z.string(), ja: z.string() }),
        group: z.enum(typeGroups).describe('A name that settings may use for all types of the group.'),
        default: z.enum(['on', 'off']),
        country: z.string().optional().describe('ISO 3166-1 code, for a type of one country.'),
      })
      .meta({ id: 'PiiType' }),
  ),
  ...nextPage,
});
export type PiiType = z.infer<typeof answer>['types'][number];

export function typeRoutes(endpoints: Endpoints): void {
  let types: z.infer<typeof answer>['types'] | undefined;
  endpoints.add({
    method: 'GET',
    path: '/types',
    group: 'detect',
    summary: 'All types of personal data, with their names, groups and defaults.',
    access: 'open',
    query: z.strictObject(pageQuery),
    answer,
    handle({ query }) {
      types ??= typeInfos.map((info) => ({
        ...info,
        label: { en: typeLabel(info.type, 'en'), ja: typeLabel(info.type, 'ja') },
      }));
      return pageOf('types', types, query);
    },
  });
}
