/** store_status */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answering } from '../answer.ts';
import type { ToolContext } from '../context.ts';

/** Maximum number of sessions listed. */
const listedMax = 20;

/** Registers the tool store_status. */
export function registerStatus(server: McpServer, context: ToolContext): void {
  const { fields, words } = context;
  server.registerTool(
    'store_status',
    {
      title: words.tools.store_status.title,
      description: words.tools.store_status.text,
      inputSchema: z.strictObject({ lang: fields.unusedLang }),
      outputSchema: z.object({
        store: z.literal('memory'),
        version: z.string(),
        lang: z.string(),
        credits: z.object({ used: z.int(), unlimited: z.boolean(), tokenTtlMs: z.int() }),
        types: z.array(z.string()),
        dictionaryEntries: z.int(),
        sessions: z.int(),
        tokens: z.int(),
        recent: z.array(z.object({ sessionId: z.string(), tokens: z.int(), expiresAt: z.string().nullable() })),
        baseUrl: z.string().nullable(),
        notes: z.array(z.string()),
      }),
      annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false },
    },
    () =>
      answering(words, () => {
        const all = context.sessions();
        return {
          store: 'memory',
          version: context.version,
          lang: context.lang,
          credits: { used: 0, unlimited: true, tokenTtlMs: context.ttlMs },
          types: [...context.types],
          dictionaryEntries: context.dictionary.length,
          sessions: all.length,
          tokens: all.reduce((sum, session) => sum + session.tokens, 0),
          recent: all.slice(0, listedMax).map(({ id, tokens, expiresAt }) => ({
            sessionId: id,
            tokens,
            expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
          })),
          baseUrl: context.baseUrl ?? null,
          notes: context.baseUrl === undefined ? [words.status.local] : [words.status.local, words.status.baseUrl],
        };
      }),
  );
}
