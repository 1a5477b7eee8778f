/** The two answers a tool can give: a structured result with the same as text, or an error that a model can act on. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { PrivetError } from '../core/errors.ts';
import type { Words } from './words.ts';

/** A sentence for the model that names the field and says what to do. */
export class ToolFault extends Error {
  override readonly name = 'ToolFault';
}

/** The result as structured content, and as JSON text for clients that show text only. */
function answer(result: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result };
}

/**
 * Runs the work of a tool. What the caller can mend comes back as an error result; what is cancelled is thrown on, so
 * that no answer is sent. No message holds text of the caller.
 */
export async function answering(
  words: Words,
  work: () => Record<string, unknown> | Promise<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<CallToolResult> {
  try {
    return answer(await work());
  } catch (error) {
    if (signal?.aborted) throw error;
    if (error instanceof ToolFault) return refusal(error.message);
    if (error instanceof PrivetError) return refusal(`${error.message} ${error.hint} (${error.code})`);
    process.stderr.write(`privet mcp: ${error instanceof Error ? error.name : typeof error} in a tool\n`);
    return refusal(words.errors.failed);
  }
}

function refusal(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
