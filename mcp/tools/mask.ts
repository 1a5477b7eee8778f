/** mask_pii */
import { randomUUID } from 'node:crypto';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { applyMask, outsideTokens, tokensIn, vaultEntries } from '../../core/mask.ts';
import { answering, ToolFault } from '../answer.ts';
import type { ToolContext } from '../context.ts';
import { countByType } from './detect.ts';

/** Registers the tool mask_pii. */
export function registerMask(server: McpServer, context: ToolContext): void {
  const { fields, words, vault } = context;
  server.registerTool(
    'mask_pii',
    {
      title: words.tools.mask_pii.title,
      description: words.tools.mask_pii.text,
      inputSchema: z.strictObject({
        text: fields.text,
        sessionId: fields.newSession,
        types: fields.types,
        minScore: fields.minScore,
        dictionary: fields.dictionary,
        tokenFormat: fields.tokenFormat,
      }),
      // Values are left out: a masked result is made to be passed on.
      outputSchema: z.object({
        masked: z.string(),
        sessionId: z.string(),
        tokens: z.array(z.object({ token: z.string(), type: z.string() })),
        counts: fields.counts,
      }),
      annotations: { readOnlyHint: false, idempotentHint: false, destructiveHint: false, openWorldHint: false },
    },
    ({ text, sessionId: given, tokenFormat, ...wanted }) =>
      answering(words, () => {
        if (given !== undefined && vault.tokens(given) === undefined) {
          throw new ToolFault(words.errors.sessionNotFound(given));
        }
        const sessionId = given ?? randomUUID();
        const found = outsideTokens(text, context.detectorFor(wanted).detect(text));
        const issued = vault.reserve(sessionId, vaultEntries(text, found), {
          taken: tokensIn(text),
          isFresh: given === undefined,
          ...(tokenFormat === undefined ? {} : { format: tokenFormat }),
        });
        const types = new Map(issued.map((token, i) => [token, found[i]?.type ?? '']));
        return {
          masked: applyMask(text, found, issued),
          sessionId,
          tokens: [...types].map(([token, type]) => ({ token, type })),
          counts: countByType(found),
        };
      }),
  );
}
