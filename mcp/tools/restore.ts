/** restore_pii and restore_all */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { restoreText } from '../../core/restore.ts';
import { findTokens } from '../../core/tokens/tokens.ts';
import type { TokenMap } from '../../core/vault.ts';
import { answering, ToolFault } from '../answer.ts';
import type { ToolContext } from '../context.ts';

const readOnly = { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false };

/** Registers the tools restore_pii and restore_all. */
export function registerRestore(server: McpServer, context: ToolContext): void {
  const { fields, words } = context;
  server.registerTool(
    'restore_pii',
    {
      title: words.tools.restore_pii.title,
      description: words.tools.restore_pii.text,
      inputSchema: z.strictObject({ token: fields.token, lang: fields.unusedLang, sessionId: fields.anySession }),
      outputSchema: z.object({ token: z.string(), restored: z.string() }),
      annotations: readOnly,
    },
    ({ token: given, sessionId }) =>
      answering(words, () => {
        const matches = findTokens(given.trim(), { bare: true });
        const token = matches[0]?.identity;
        if (token === undefined || matches.length > 1) throw new ToolFault(words.errors.noToken);
        const value = sessionId === undefined ? resolveAnywhere(context, token) : mapOf(context, sessionId).get(token);
        if (value === undefined) throw new ToolFault(words.errors.tokenNotFound(token));
        return { token, restored: value };
      }),
  );
  server.registerTool(
    'restore_all',
    {
      title: words.tools.restore_all.title,
      description: words.tools.restore_all.text,
      inputSchema: z.strictObject({
        text: fields.maskedText,
        lang: fields.unusedLang,
        sessionId: fields.sessionId.describe(words.fields.sessionId),
      }),
      outputSchema: z.object({ ...fields.restored, creditsUsed: fields.creditsUsed }),
      annotations: readOnly,
    },
    ({ text, sessionId }) =>
      answering(words, () => ({ ...restoreText(text, mapOf(context, sessionId)), creditsUsed: 0 })),
  );
}

/** The tokens of a session. @throws ToolFault if it is unknown or has expired */
export function mapOf(context: ToolContext, sessionId: string): TokenMap {
  const map = context.vault.tokens(sessionId);
  if (map === undefined) throw new ToolFault(context.words.errors.sessionNotFound(sessionId));
  return map;
}

/** The value of a token, if exactly one live session has it. */
function resolveAnywhere({ vault, words }: ToolContext, token: string): string {
  const value = vault.resolve('', [token]).get(token);
  if (value === undefined) throw new ToolFault(words.errors.tokenUnknown(token));
  return value;
}
