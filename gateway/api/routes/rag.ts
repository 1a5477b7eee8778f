/** POST /rag/ingest and /rag/resolve: documents for retrieval without PII. Requires the Starter plan or a larger one. */

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { withoutUndefined } from '../../../core/defined.ts';
import { PrivetError } from '../../../core/errors.ts';
import { type ChunkOptions, checkChunkOptions, chunkSizeMax, chunkSizeMin } from '../../../core/rag/chunk.ts';
import { ragIngest } from '../../../core/rag/index.ts';
import { isTokenType, tokenTypes } from '../../../core/tokens/token-types.ts';
import { defaultTypes } from '../../../core/types.ts';
import { sessionKey } from '../../../core/vault.ts';
import { requireFeature } from '../../../policy/plans.ts';
import { chunkSpansOf } from '../../long-texts/long-texts.ts';
import { detectionsMax, jobClient } from '../detectors.ts';
import type { Endpoints } from '../endpoint.ts';
import { creditsUsed, dictionary, lang, oneSource, sessionId, sources, text, tokenMap, unusedLang } from '../fields.ts';
import type { ApiParts } from '../parts.ts';
import { restoreFrom } from '../restoring.ts';
import { abortOnClose } from '../streams.ts';
import { invalidField } from '../validate.ts';
import { restoreAnswer } from './mask.ts';

const ingestBody = z.strictObject({
  text,
  lang,
  sessionId: sessionId.optional(),
  chunkSize: z
    .int()
    .min(chunkSizeMin)
    .max(chunkSizeMax)
    .optional()
    .describe('Maximum length of a chunk in characters of the text; default 1000.'),
  overlap: z
    .int()
    .min(0)
    .max(chunkSizeMax)
    .optional()
    .describe('Maximum overlap of adjacent chunks in characters, up to nine tenths of chunkSize; default a tenth.'),
  extraTypes: z
    .array(
      z
        .string()
        .max(40)
        .refine((type) => isTokenType(type.toUpperCase()), 'is not a known type'),
    )
    .max(tokenTypes.length)
    .optional()
    .describe('["name"] also masks names, which are otherwise left in place.'),
  dictionary,
});
const chunk = z
  .object({
    id: z.string(),
    index: z.int(),
    text: z.string(),
    start: z.int(),
    end: z.int(),
    tokens: z.array(z.string()),
  })
  .meta({ id: 'RagChunk' });
const ingestAnswer = z
  .object({
    sessionId: z.string(),
    chunks: z.array(chunk),
    tokenSummary: z.array(z.object({ type: z.string(), category: z.string(), count: z.int() })),
    tokenMap,
    creditsUsed,
  })
  .meta({ id: 'RagIngestResult' });
export type RagAnswer = z.infer<typeof ingestAnswer>;
const resolveBody = z.strictObject({ text, lang: unusedLang, ...sources }).refine(...oneSource);
export function ragRoutes(endpoints: Endpoints, { billing, detectors, stores }: ApiParts): void {
  endpoints.add({
    method: 'POST',
    path: '/rag/ingest',
    group: 'rag',
    summary: 'Mask a document and split it into chunks.',
    access: 'key',
    body: ingestBody,
    answer: ingestAnswer,
    async handle({ body: { text, lang, sessionId: given, dictionary, ...rest }, ...parties }) {
      const { tenant, plan } = parties.caller;
      requireFeature(plan, 'rag');
      const options = withoutUndefined(rest);
      checkOptions(options);
      const wantsNames = rest.extraTypes?.some((type) => type.toUpperCase() === 'NAME') === true;
      const types = wantsNames ? undefined : defaultTypes.filter((type) => type !== 'NAME');
      const detector = detectors.ofPieces({ lang, types, dictionary }, text.length, parties);
      const session = sessionKey(tenant, given ?? randomUUID());
      const protection = plan.protection;
      const create = given === undefined;
      const result = await billing.runThen(
        parties,
        { reserve: { session, entries: [], options: { protection, create } } },
        () => {
          const signal = abortOnClose(parties.reply);
          return ragIngest(text, {
            ...options,
            detectionsMax,
            detector,
            spansOf: (...of) => chunkSpansOf(...of, jobClient(parties)),
            vault: stores.vault,
            sessionId: session,
            signal,
          });
        },
      );
      return { ...result, creditsUsed: 1 };
    },
  });

  endpoints.add({
    method: 'POST',
    path: '/rag/resolve',
    group: 'rag',
    summary: 'Replace tokens with values in a text generated from chunks.',
    access: 'key',
    body: resolveBody,
    answer: restoreAnswer,
    async handle({ body: { text, sessionId, tokenMap }, ...parties }) {
      requireFeature(parties.caller.plan, 'rag');
      const result = await restoreFrom({ billing, stores }, parties, { text, sessionId, tokenMap }, 'rag');
      return { ...result, creditsUsed: 1 };
    },
  });
}

/** Validates chunk options by field, before anything is charged. */
function checkOptions(options: ChunkOptions): void {
  try {
    checkChunkOptions(options);
  } catch (error) {
    const { field } = ((error as PrivetError).details ?? {}) as { field?: string };
    if (!(error instanceof PrivetError) || field === undefined) throw error;
    throw invalidField(field, error.hint, error);
  }
}
