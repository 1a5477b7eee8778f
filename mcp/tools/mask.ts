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
        lang: fields.lang,
        sessionId: fields.newSession,
        types: fields.types,
        minScore: fields.minScore,
        dictionary: fields.dictionary,
        actions: fields.actions,
        tokenFormat: fields.tokenFormat,
      }),
      outputSchema: z.object({
        masked: z.string(),
        tokenMap: fields.issuedMap,
        sessionId: z.string(),
        tokens: z.array(z.object({ token: z.string(), type: z.string() })),
        counts: fields.counts,
        creditsUsed: fields.creditsUsed,
      }),
      annotations: { readOnlyHint: false, idempotentHint: false, destructiveHint: false, openWorldHint: false },
    },
    ({ text, sessionId: given, tokenFormat: format = 'secured', actions, ...wanted }) =>
      answering(words, () => {
        if (given !== undefined && vault.tokens(given) === undefined) {
          throw new ToolFault(words.errors.sessionNotFound(given));
        }
        const sessionId = given ?? randomUUID();
        const replacements = context.replacementsFor(actions, wanted.dictionary);
        const found = outsideTokens(text, context.detectorFor(wanted).detect(text));
        const restorable = replacements?.tokensOnly([found])[0] ?? found;
        const issued = vault.reserve(sessionId, vaultEntries(text, restorable), {
          taken: tokensIn(text),
          isFresh: given === undefined,
          format,
        });
        const types = new Map(issued.map((token, i) => [token, restorable[i]?.type ?? '']));
        return {
          masked: applyMask(text, found, replacements?.filled([found], issued) ?? issued),
          tokenMap: Object.fromEntries(issued.map((token, i) => [token, restorable[i]?.value ?? ''])),
          sessionId,
          tokens: [...types].map(([token, type]) => ({ token, type })),
          counts: countByType(found),
          creditsUsed: 0,
        };
      }),
  );
}
