/** The resources `privet://types` and `privet://session/{id}`, and the prompt that explains how to use the tools. */
import { completable, type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { formatSecuredToken } from '../core/tokens/token-format.ts';
import { tokenTypes } from '../core/tokens/token-types.ts';
import { typeLabel } from '../core/types.ts';
import { resultBytesMax, tooLarge } from './answer.ts';
import type { ToolContext } from './context.ts';

const mimeType = 'application/json';
/** The protocol limits a response to 100 completions. */
const completionsMax = 100;

/** Registers `privet://types` and `privet://session/{id}`; neither reveals a value. */
export function registerResources(server: McpServer, context: ToolContext): void {
  const { words } = context;
  server.registerResource(
    'types',
    'privet://types',
    { title: words.resources.types.title, description: words.resources.types.text, mimeType },
    (uri) => contents(uri, { types: describeTypes(context) }),
  );
  server.registerResource(
    'session',
    new ResourceTemplate('privet://session/{id}', {
      list: () => ({
        resources: context.sessions().map(({ id, tokens }) => ({
          uri: `privet://session/${encodeURIComponent(id)}`,
          name: `session ${id}`,
          description: `${tokens} tokens`,
          mimeType,
        })),
      }),
      complete: { id: (start) => sessionIds(context, start) },
    }),
    { title: words.resources.session.title, description: words.resources.session.text, mimeType },
    (uri, { id }) => {
      const sessionId = decoded(String(id));
      const map = sessionId === undefined ? undefined : context.vault.tokens(sessionId);
      if (map === undefined) {
        throw new ResourceNotFoundError(uri.href, words.errors.sessionNotFound(sessionId ?? String(id)));
      }
      const found = contents(uri, { sessionId, tokens: Array.from(map.entries(), ([token]) => token) });
      const bytes = Buffer.byteLength(JSON.stringify(found));
      if (bytes > resultBytesMax) throw tooLarge(words, bytes);
      return found;
    },
  );
}

/** Registers the prompt mask_ask_restore, whose types support completion. */
export function registerPrompt(server: McpServer, context: ToolContext): void {
  const { words } = context;
  const types = completable(z.string().describe(words.prompt.types), completeTypes).optional();
  server.registerPrompt(
    'mask_ask_restore',
    {
      title: words.prompt.title,
      description: words.prompt.text,
      argsSchema: z.object({ task: z.string().describe(words.prompt.task), types }),
    },
    ({ task, types: asked }) => ({
      description: words.prompt.text,
      messages: [{ role: 'user', content: { type: 'text', text: words.prompt.steps(task, asked ?? '') } }],
    }),
  );
}

/** Decodes a session id; undefined for an invalid escape or invalid UTF-8. */
function decoded(id: string): string | undefined {
  try {
    return decodeURIComponent(id);
  } catch {
    return undefined;
  }
}

function contents(uri: URL, value: unknown) {
  return { contents: [{ uri: uri.href, mimeType, text: JSON.stringify(value, null, 2) }] };
}

function describeTypes(context: ToolContext) {
  const active = new Set(context.types);
  const builtin = tokenTypes.map((type) => ({
    type,
    name: typeLabel(type, context.lang),
    token: formatSecuredToken(type, '…'),
    active: active.has(type),
  }));
  const labels = context.dictionary.map(({ label }) => ({
    type: label,
    name: label,
    token: formatSecuredToken(label, '…'),
    active: true,
  }));
  return [...builtin, ...labels];
}

/** Completes the last name of a comma-separated list: `EMAIL, PH` → `EMAIL, PHONE`. */
function completeTypes(start: string): string[] {
  const [, before = '', last = ''] = /^(.*,\s*)?([^,]*)$/s.exec(start) ?? [];
  const wanted = last.trim().toUpperCase();
  return tokenTypes.filter((type) => type.startsWith(wanted)).map((type) => before + type);
}

function sessionIds(context: ToolContext, start: string): string[] {
  const ids = context.sessions().map(({ id }) => id);
  return ids.filter((id) => id.startsWith(start)).slice(0, completionsMax);
}
