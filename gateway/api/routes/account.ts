/** GET /credits: used and remaining credits of a key's account. */

import { z } from 'zod';
import { planNames } from '../../../policy/plans.ts';
import type { Endpoints } from '../endpoint.ts';
import type { ApiParts } from '../parts.ts';

const answer = z
  .object({
    plan: z.enum(planNames),
    creditsTotal: z.int().describe('Calls granted per month.'),
    creditsRemaining: z.int().describe('Calls left this month.'),
    used: z.int(),
    unlimited: z.boolean().describe('The plan has no limit; total and remaining are then 9007199254740991.'),
    resetsAt: z.iso.datetime().describe('First instant of the next month, UTC.'),
    overage: z
      .object({ calls: z.int(), yenPerThousand: z.number(), yen: z.number() })
      .optional()
      .describe('Calls beyond the credits, on plans that allow them.'),
  })
  .meta({ id: 'Credits' });
export type Credits = z.infer<typeof answer>;

export function accountRoutes(endpoints: Endpoints, { accounts }: ApiParts): void {
  endpoints.add({
    method: 'GET',
    path: '/credits',
    group: 'account',
    summary: 'Credits used and left this month. Free.',
    access: 'key',
    answer,
    handle: ({ caller }) => accounts.credits(caller),
  });
}
