/** POST /detect and /detect-pii: detects PII in a text. Nothing is stored. */

import { z } from 'zod';
import { tooManyDetections } from '../../../core/detect/detector.ts';
import { requireFeature } from '../../../policy/plans.ts';
import { detectionsMax } from '../detectors.ts';
import type { Endpoints } from '../endpoint.ts';
import { creditsUsed, detection, text, texts, wanted } from '../fields.ts';
import type { ApiParts } from '../parts.ts';

const body = z.strictObject({ text, ...wanted });
export const detectAnswer = z
  .object({ detections: z.array(detection), count: z.int(), creditsUsed })
  .meta({ id: 'DetectResult' });

const found = z.object({ detections: z.array(detection), count: z.int() });
const batchAnswer = z
  .object({ results: z.array(found).describe('In the order of `texts`.'), creditsUsed })
  .meta({ id: 'DetectBatchResult' });

export function detectRoutes(endpoints: Endpoints, { billing, detectors }: ApiParts): void {
  for (const path of ['/detect', '/detect-pii']) {
    endpoints.addShort({
      path,
      group: 'detect',
      summary: path === '/detect' ? 'Find personal data in a text.' : 'The same as /detect.',
      body,
      answer: detectAnswer,
      async handle({ body: { text, ...wish }, ...parties }) {
        billing.admit(parties);
        if (wish.dictionary?.length) requireFeature(parties.caller.plan, 'dictionary');
        const detections = await detectors.detect(wish, text, parties);
        await billing.run(parties, 1);
        return { detections, count: detections.length, creditsUsed: 1 };
      },
    });
  }

  endpoints.add({
    method: 'POST',
    path: '/detect/batch',
    group: 'detect',
    summary: 'The same for many texts at once. One call, one credit.',
    access: 'key',
    body: z.strictObject({ texts, ...wanted }),
    answer: batchAnswer,
    async handle({ body: { texts, ...wish }, ...parties }) {
      billing.admit(parties);
      if (wish.dictionary?.length) requireFeature(parties.caller.plan, 'dictionary');
      const results: z.infer<typeof found>[] = [];
      let count = 0;
      let length = 0;
      for (const text of texts) {
        const detections = await detectors.detect(wish, text, parties, length);
        length += text.length;
        count += detections.length;
        if (count > detectionsMax) throw tooManyDetections(detectionsMax);
        results.push({ detections, count: detections.length });
      }
      await billing.run(parties, 1);
      return { results, creditsUsed: 1 };
    },
  });
}
