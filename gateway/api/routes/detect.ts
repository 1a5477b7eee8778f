/** POST /detect and /detect-pii: detects PII in a text. Nothing is stored. */
import { z } from 'zod';
import { requireFeature } from '../../../policy/plans.ts';
import type { Endpoints } from '../endpoint.ts';
import { creditsUsed, detection, text, wanted } from '../fields.ts';
import type { ApiParts } from '../server.ts';

const body = z.strictObject({ text, ...wanted });
/** The response. */
export const detectAnswer = z.object({ detections: z.array(detection), count: z.int(), creditsUsed });

/** Adds POST /detect and /detect-pii, for every key. */
export function detectRoutes(endpoints: Endpoints, { billing, detectors }: ApiParts): void {
  for (const path of ['/detect', '/detect-pii']) {
    endpoints.addShort({
      path,
      group: 'detect',
      summary: 'Find personal data in a text.',
      body,
      answer: detectAnswer,
      async handle({ body: { text, ...wish }, ...parties }) {
        billing.admit(parties);
        if (wish.dictionary?.length) requireFeature(parties.caller.plan, 'dictionary');
        const detections = await detectors.detect(wish, text, parties.caller.tenant);
        await billing.run(parties, 1);
        return { detections, count: detections.length, creditsUsed: 1 };
      },
    });
  }
}
