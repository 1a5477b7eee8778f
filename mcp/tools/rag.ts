/** rag_ingest and rag_resolve */
import { randomUUID } from 'node:crypto';
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { withoutUndefined } from '../../core/defined.ts';
import { ragIngest, ragResolve } from '../../core/rag/index.ts';
import { canonicalMap } from '../../core/tokens/tokens.ts';
import { answering, ToolFault } from '../answer.ts';
import type { ToolContext } from '../context.ts';
import { mapOf } from './restore.ts';

/** Registers the tools rag_ingest and rag_resolve. */
export function registerRag(server: McpServer, context: ToolContext): void {
  const { fields, words, vault } = context;
  server.registerTool(
    'rag_ingest',
    {
      title: words.tools.rag_ingest.title,
      description: words.tools.rag_ingest.text,
      inputSchema: z.strictObject({
        text: fields.text,
        lang: fields.lang,
        sessionId: fields.newSession,
        chunkSize: fields.chunkSize,
        overlap: fields.overlap,
        extraTypes: fields.extraTypes,
        dictionary: fields.dictionary,
      }),
      // Without values, because chunks are meant to be passed on.
      outputSchema: z.object({
        sessionId: z.string(),
        chunks: z.array(
          z.object({
            id: z.string(),
            index: z.int(),
            text: z.string(),
            ...fields.position,
            tokens: z.array(z.string()),
          }),
        ),
        tokenSummary: z.array(z.object({ type: z.string(), category: z.string(), count: z.int() })),
      }),
      annotations: { readOnlyHint: false, idempotentHint: false, destructiveHint: false, openWorldHint: false },
    },
    ({ text, lang, sessionId: given, dictionary, ...options }, ctx) => {
      const work = answering(
        words,
        async () => {
          if (given !== undefined) mapOf(context, given);
          const detector = context.detectorFor({ lang, dictionary });
          const { tokenMap: _values, ...result } = await ragIngest(text, {
            ...withoutUndefined(options),
            detector,
            vault,
            sessionId: given ?? randomUUID(),
            signal: ctx.mcpReq.signal,
            onProgress: progressOf(ctx),
          });
          return result;
        },
        ctx.mcpReq.signal,
      );
      return context.running(work);
    },
  );
  server.registerTool(
    'rag_resolve',
    {
      title: words.tools.rag_resolve.title,
      description: words.tools.rag_resolve.text,
      inputSchema: z.strictObject({
        text: fields.maskedText,
        lang: fields.unusedLang,
        sessionId: fields.anySession.describe(words.fields.sessionId),
        tokenMap: fields.tokenMap,
      }),
      outputSchema: z.object(fields.restored),
      annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false },
    },
    ({ text, sessionId, tokenMap }) =>
      answering(words, () => {
        if (tokenMap !== undefined) return ragResolve(text, canonicalMap(tokenMap));
        if (sessionId === undefined) throw new ToolFault(words.errors.sessionOrMap);
        return ragResolve(text, mapOf(context, sessionId));
      }),
  );
}

/** Reports progress to a client that requested it; a client that has left is not an error. */
function progressOf({ mcpReq }: ServerContext): (done: number, total: number) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  return (progress, total) => {
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, total } })
      .catch(() => undefined);
  };
}
