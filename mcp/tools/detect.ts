/** detect_pii */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Detection } from '../../core/recognizer.ts';
import { answering } from '../answer.ts';
import type { ToolContext } from '../context.ts';

/** Registers the tool detect_pii. */
export function registerDetect(server: McpServer, context: ToolContext): void {
  const { fields, words } = context;
  server.registerTool(
    'detect_pii',
    {
      title: words.tools.detect_pii.title,
      description: words.tools.detect_pii.text,
      inputSchema: z.strictObject({
        text: fields.text,
        lang: fields.lang,
        types: fields.types,
        minScore: fields.minScore,
        dictionary: fields.dictionary,
      }),
      outputSchema: z.object({
        detections: z.array(
          z.object({
            type: z.string(),
            value: z.string(),
            ...fields.position,
            score: z.number(),
            recognizer: z.string(),
          }),
        ),
        count: z.int(),
        counts: fields.counts,
        creditsUsed: fields.creditsUsed,
      }),
      annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false },
    },
    ({ text, ...wanted }) =>
      answering(words, () => {
        const found = context.detectorFor(wanted).detect(text);
        const detections = found.map(({ type, value, start, end, score, recognizer }) => {
          return { type, value, start, end, score, recognizer };
        });
        return { detections, count: detections.length, counts: countByType(found), creditsUsed: 0 };
      }),
  );
}

/** Number of detections per type: `{ EMAIL: 2 }`. */
export function countByType(detections: readonly Detection[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of detections) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}
