/** restore_pii and restore_all */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { restoreText } from '../../core/restore.ts';
import { readReference, referredToken, type TokenReference } from '../../core/tokens/token-reference.ts';
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
        const reference = readReference(given);
        if (reference === undefined) throw new ToolFault(words.errors.noToken);
        const map = sessionId === undefined ? anywhere(context, reference) : mapOf(context, sessionId);
        const found = referredToken(map, reference);
        if (found !== undefined) return found;
        const { tokenUnknown, tokenNotFound } = words.errors;
        throw new ToolFault((sessionId === undefined ? tokenUnknown : tokenNotFound)(reference.token ?? given.trim()));
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

/** The token and its value, if exactly one live session has it. */
function anywhere({ vault }: ToolContext, { token, id }: TokenReference): TokenMap {
  const named = id === undefined ? [] : vault.tokensWithId('', id);
  return vault.resolve('', token === undefined ? named : [token, ...named]);
}
