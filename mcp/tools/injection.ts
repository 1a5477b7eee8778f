/** detect_injection and detect_all_injections */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { detectAllInjections, detectInjection, type InjectionOptions } from '../../core/injection/index.ts';
import { answering } from '../answer.ts';
import type { ToolContext } from '../context.ts';

const annotations = { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false };

const found = z.object({
  injectionDetected: z.boolean(),
  categories: z.array(z.string()),
  risk: z.enum(['none', 'low', 'medium', 'high', 'critical']),
  score: z.number(),
  matches: z.array(
    z.object({ category: z.string(), start: z.int(), end: z.int(), rule: z.string(), score: z.number() }),
  ),
});

/** Registers the tools detect_injection and detect_all_injections. */
export function registerInjection(server: McpServer, context: ToolContext): void {
  const { fields, words } = context;
  const inputSchema = z.strictObject({ text: fields.text, lang: fields.unusedLang, sensitivity: fields.sensitivity });
  const optionsOf = ({ sensitivity }: z.infer<typeof inputSchema>): InjectionOptions =>
    sensitivity === undefined ? {} : { sensitivity };
  server.registerTool(
    'detect_injection',
    {
      title: words.tools.detect_injection.title,
      description: words.tools.detect_injection.text,
      inputSchema,
      outputSchema: found.extend({ creditsUsed: fields.creditsUsed }),
      annotations,
    },
    (input) => answering(words, () => ({ ...detectInjection(input.text, optionsOf(input)), creditsUsed: 0 })),
  );
  server.registerTool(
    'detect_all_injections',
    {
      title: words.tools.detect_all_injections.title,
      description: words.tools.detect_all_injections.text,
      inputSchema,
      outputSchema: z.object({
        hasPromptInjection: z.boolean(),
        hasSQLInjection: z.boolean(),
        compositeRisk: z.boolean(),
        prompt: found,
        sql: found,
      }),
      annotations,
    },
    (input) => answering(words, () => detectAllInjections(input.text, optionsOf(input))),
  );
}
