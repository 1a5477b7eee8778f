/** POST /detect-injection, /detect-sql-injection and /detect-all-injections. Free of credits on every plan. */

import { z } from 'zod';
import type { InjectionOptions, InjectionResult } from '../../../core/injection/index.ts';
import { checked } from '../../long-texts/long-texts.ts';
import type { Metrics } from '../../observe/metrics.ts';
import type { JobClient } from '../../threads/thread-pool.ts';
import { jobClient } from '../detectors.ts';
import type { Endpoints } from '../endpoint.ts';
import { anyLang, creditsUsed, text } from '../fields.ts';
import type { ApiParts } from '../parts.ts';

const risks = ['none', 'low', 'medium', 'high', 'critical'] as const;

export const injectionBody = z.strictObject({
  text,
  lang: anyLang,
  sensitivity: z.enum(['low', 'normal', 'high']).optional().describe('How much evidence a finding needs.'),
});
const found = {
  categories: z.array(z.string()),
  risk: z.enum(risks),
  matches: z.array(
    z
      .object({ category: z.string(), start: z.int(), end: z.int(), rule: z.string(), score: z.number() })
      .meta({ id: 'InjectionMatch' }),
  ),
};
const one = { ...found, score: z.number() };
const promptAnswer = z.object({ injectionDetected: z.boolean(), ...one, creditsUsed }).meta({ id: 'InjectionResult' });
const sqlAnswer = z
  .object({ sqlInjectionDetected: z.boolean(), injectionDetected: z.boolean(), ...one, creditsUsed })
  .meta({ id: 'SqlInjectionResult' });
const part = z.object({ injectionDetected: z.boolean(), ...one }).meta({ id: 'InjectionFinding' });
export const allAnswer = z
  .object({
    hasPromptInjection: z.boolean(),
    hasSQLInjection: z.boolean(),
    compositeRisk: z.boolean(),
    ...found,
    prompt: part,
    sql: part,
    creditsUsed,
  })
  .meta({ id: 'AllInjectionsResult' });
export type AllInjections = z.infer<typeof allAnswer>;

export function injectionRoutes(endpoints: Endpoints, { billing, metrics }: ApiParts): void {
  const shared = { group: 'injection', body: injectionBody } as const;

  endpoints.addShort({
    ...shared,
    path: '/detect-injection',
    summary: 'Check a text for prompt injection.',
    answer: promptAnswer,
    async handle({ body: { text, ...options }, ...parties }) {
      await billing.run(parties, 0);
      const result = await checked('prompt', text, optionsOf(options), jobClient(parties));
      count(metrics, 'prompt', result);
      return { ...result, creditsUsed: 0 };
    },
  });

  endpoints.addShort({
    ...shared,
    path: '/detect-sql-injection',
    summary: 'Check a text for SQL injection.',
    answer: sqlAnswer,
    async handle({ body: { text, ...options }, ...parties }) {
      await billing.run(parties, 0);
      const result = await checked('sql', text, optionsOf(options), jobClient(parties));
      count(metrics, 'sql', result);
      return { sqlInjectionDetected: result.injectionDetected, ...result, creditsUsed: 0 };
    },
  });

  endpoints.addShort({
    ...shared,
    path: '/detect-all-injections',
    summary: 'Both checks at once.',
    answer: allAnswer,
    async handle({ body: { text, ...options }, ...parties }) {
      await billing.run(parties, 0);
      const all = await checkAll(metrics, text, optionsOf(options), jobClient(parties));
      return { ...all, creditsUsed: 0 };
    },
  });
}

/** Both checks of a text, counted; with the combined categories, risk and matches. */
export async function checkAll(metrics: Metrics, text: string, options: InjectionOptions = {}, client?: JobClient) {
  const all = await checked('all', text, options, client);
  const { prompt, sql } = all;
  count(metrics, 'prompt', prompt);
  count(metrics, 'sql', sql);
  const worst = risks.indexOf(prompt.risk) >= risks.indexOf(sql.risk) ? prompt.risk : sql.risk;
  return {
    hasPromptInjection: all.hasPromptInjection,
    hasSQLInjection: all.hasSQLInjection,
    compositeRisk: all.compositeRisk,
    categories: [...prompt.categories, ...sql.categories],
    risk: worst,
    matches: [...prompt.matches, ...sql.matches],
    prompt,
    sql,
  };
}

function count(metrics: Metrics, kind: 'prompt' | 'sql', result: InjectionResult): void {
  if (result.injectionDetected) metrics.injectionDetected.with(kind, result.risk).value++;
}

/** The detection options of a call. */
export function optionsOf({ sensitivity }: Omit<z.infer<typeof injectionBody>, 'text'>): InjectionOptions {
  return sensitivity === undefined ? {} : { sensitivity };
}
