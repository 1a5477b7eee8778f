/** Schemas of fields shared by several tools, with their limits and descriptions. */
import { z } from 'zod';
import { actionNames, replacementLengthMax } from '../core/actions.ts';
import { builtinTypes } from '../core/detect/detector.ts';
import { dictionaryEntriesMax, patternLengthMax } from '../core/detect/dictionary.ts';
import { chunkSizeMax, chunkSizeMin } from '../core/rag/chunk.ts';
import { labelLengthMax } from '../core/tokens/token-types.ts';
import type { Words } from './words.ts';

/** Maximum text length per call, in UTF-16 code units. */
const textLengthMax = 5_000_000;

/** Schemas of the fields in one language. */
export type Fields = ReturnType<typeof fieldsOf>;

/** The schemas, described in the language of `words`. */
export function fieldsOf(words: Words) {
  const { fields } = words;
  const sessionId = z.string().min(1).max(128);
  const dictionary = z
    .array(z.strictObject({ label: z.string().max(labelLengthMax), pattern: z.string().min(1).max(patternLengthMax) }))
    .max(dictionaryEntriesMax);
  return {
    text: z.string().max(textLengthMax).describe(fields.text),
    maskedText: z.string().max(textLengthMax).describe(fields.maskedText),
    types: z
      .array(z.enum(builtinTypes as [string, ...string[]]))
      .min(1)
      .optional()
      .describe(fields.types),
    extraTypes: z.array(z.string().min(1).max(40)).max(100).optional().describe(fields.extraTypes),
    minScore: z.number().min(0).max(1).optional().describe(fields.minScore),
    dictionary: dictionary.optional().describe(fields.dictionary),
    actions: z
      .record(
        z.string().max(40),
        z.union([z.enum(actionNames), z.strictObject({ replace: z.string().max(replacementLengthMax) })]),
      )
      .optional()
      .describe(fields.actions),
    tokenFormat: z.enum(['secured', 'counter']).optional().describe(fields.tokenFormat),
    sessionId,
    newSession: sessionId.optional().describe(fields.newSession),
    anySession: sessionId.optional().describe(fields.anySession),
    token: z.string().min(3).max(200).describe(fields.token),
    tokenMap: z.record(z.string().max(200), z.string()).optional().describe(fields.tokenMap),
    issuedMap: z.record(z.string(), z.string()).describe(fields.issuedMap),
    chunkSize: z.int().min(chunkSizeMin).max(chunkSizeMax).optional().describe(fields.chunkSize),
    overlap: z.int().min(0).max(90_000).optional().describe(fields.overlap),
    lang: z.enum(['en', 'ja']).optional().describe(fields.lang),
    unusedLang: z.enum(['en', 'ja']).optional().describe(fields.unusedLang),
    creditsUsed: z.int().describe(fields.creditsUsed),
    sensitivity: z.enum(['low', 'normal', 'high']).optional().describe(fields.sensitivity),
    restored: { restored: z.string(), restoredCount: z.int(), unresolved: z.array(z.string()) },
    counts: z.record(z.string(), z.int()),
    position: { start: z.int(), end: z.int() },
  };
}
