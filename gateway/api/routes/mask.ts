/** POST /mask, /restore and /restore-all: replaces PII with tokens, and tokens with their values. */

import { z } from 'zod';
import { addNoise } from '../../../core/noise.ts';
import { requireFeature } from '../../../policy/plans.ts';
import type { CallResult } from '../../stores/calls.ts';
import type { Endpoints } from '../endpoint.ts';
import {
  actions,
  creditsUsed,
  detection,
  guardUrls,
  oneSource,
  sessionId,
  sources,
  text,
  texts,
  tokenFormat,
  tokenMap,
  unusedLang,
  wanted,
} from '../fields.ts';
import { type Masked, Masking } from '../masking.ts';
import type { ApiParts } from '../parts.ts';
import { restoreFrom } from '../restoring.ts';
import { TextAnswer } from '../text-answer.ts';
import { Uuids } from '../uuids.ts';

const noise = z
  .strictObject({
    epsilon: z.number().gt(0).max(1000),
    seed: z.union([z.number(), z.string().max(200)]).optional(),
    sensitivity: z.number().gt(0).optional(),
  })
  .optional()
  .describe(
    'Numeric noise (Laplace) on numbers that are not identifiers: a smaller epsilon means more noise; 1 is typical.',
  );

type Noise = z.infer<typeof noise>;

const maskBody = z.strictObject({
  text,
  sessionId: sessionId.optional(),
  ...wanted,
  tokenFormat,
  actions,
  dpMode: noise,
});
const batchBody = maskBody.omit({ text: true, dpMode: true }).extend({ texts });
const batchAnswer = z
  .object({
    results: z
      .array(z.object({ masked: z.string(), detections: z.array(detection) }))
      .describe('In the order of `texts`.'),
    sessionId: z.string(),
    tokenMap,
    creditsUsed,
  })
  .meta({ id: 'MaskBatchResult' });
export const maskAnswer = z
  .object({
    masked: z.string(),
    sessionId: z.string(),
    tokenMap,
    detections: z.array(detection),
    numbersChanged: z.int().optional().describe('With dpMode: how many numbers got noise.'),
    creditsUsed,
  })
  .meta({ id: 'MaskResult' });
export type MaskAnswer = z.infer<typeof maskAnswer>;
const restoreBody = z.strictObject({ text, lang: unusedLang, sessionId, guardUrls });
const restoreAllBody = z.strictObject({ text, lang: unusedLang, ...sources, guardUrls }).refine(...oneSource);
export const restoreAnswer = z
  .object({
    restored: z.string().describe('The text with the original values.'),
    restoredCount: z.int().describe('Number of tokens that were replaced.'),
    unresolved: z.array(z.string()).describe('Tokens left in place: unknown ones, and those in a URL.'),
    creditsUsed,
  })
  .meta({ id: 'RestoreResult' });
export type RestoreAnswer = z.infer<typeof restoreAnswer>;

export function maskRoutes(endpoints: Endpoints, parts: ApiParts): void {
  const { billing, detectors } = parts;
  const sessionIds = new Uuids();
  const newId = () => sessionIds.next();
  endpoints.addShort({
    path: '/mask',
    group: 'mask',
    summary: 'Replace personal data with tokens.',
    body: maskBody,
    answer: maskAnswer,
    handle(call) {
      const { body, caller } = call;
      billing.admit(call);
      if (body.dictionary?.length) requireFeature(caller.plan, 'dictionary');
      const masking = new Masking(detectors, call, body, newId);
      const answer = ({ tokens }: CallResult) => answerOf(masking, tokens, body.dpMode);
      const mask = () => {
        const charging = billing.run(call, 1, { reserve: masking.reserve });
        return charging instanceof Promise ? charging.then(answer) : answer(charging);
      };
      const searching = masking.add(body.text);
      // Calls of one turn are first all searched, then all masked: each phase then runs with warm code (7 %).
      return searching instanceof Promise ? searching.then(mask) : mask;
    },
  });

  endpoints.add({
    method: 'POST',
    path: '/mask/batch',
    group: 'mask',
    summary: 'The same for many texts at once, in one session. One call, one credit.',
    access: 'key',
    body: batchBody,
    answer: batchAnswer,
    async handle({ body: { texts, ...wish }, ...parties }) {
      billing.admit(parties);
      if (wish.dictionary?.length) requireFeature(parties.caller.plan, 'dictionary');
      const masking = new Masking(detectors, parties, wish, newId);
      for (const text of texts) await masking.add(text);
      const { tokens } = await billing.run(parties, 1, { reserve: masking.reserve });
      const { texts: results, tokenMap } = await masking.apply(tokens);
      return { results, sessionId: masking.sessionId, tokenMap, creditsUsed: 1 };
    },
  });

  const restores = [
    ['/restore', restoreBody, 'Replace the tokens of a session with their values.'],
    [
      '/restore-all',
      restoreAllBody,
      'Replace tokens with their values: from a session, from a token map, or from the only session of the account that has the token.',
    ],
  ] as const;
  for (const [path, body, summary] of restores) {
    endpoints.addShort<z.infer<typeof restoreAllBody>>({
      path,
      group: 'mask',
      summary,
      body,
      answer: restoreAnswer,
      async handle({ body, ...parties }) {
        const restored = await restoreFrom(parts, parties, body, 'text');
        return { ...restored, creditsUsed: 1 };
      },
    });
  }
}

function answerOf(
  masking: Masking,
  tokens: readonly string[] | undefined,
  noise: Noise,
): TextAnswer | Promise<TextAnswer> {
  const applied = masking.apply(tokens);
  const tell = (masked: Masked) => textAnswer(masking.sessionId, masked, noise);
  return applied instanceof Promise ? applied.then(tell) : tell(applied);
}

function textAnswer(sessionId: string, { texts, tokenMap }: Masked, noise: Noise): TextAnswer {
  const { masked = '', detections = [] } = texts[0] ?? {};
  if (noise === undefined) return new TextAnswer('masked', masked, { sessionId, tokenMap, detections, creditsUsed: 1 });
  // Identifiers are already tokens, which get no noise.
  const { text, changed } = addNoise(masked, { ...noise, detections: [] });
  const rest = { sessionId, tokenMap, detections, numbersChanged: changed, creditsUsed: 1 };
  return new TextAnswer('masked', text, rest);
}
