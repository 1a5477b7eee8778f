/** The two results of a tool: structured content with the same as text, or an error that a model can act on. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { PrivetError } from '../core/errors.ts';
import type { Words } from './words.ts';

/** A message for the model that names the field and says what to do. */
export class ToolFault extends Error {
  override readonly name = 'ToolFault';
}

/** The result as structured content, and as JSON text for clients that show only text. */
function answer(result: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result };
}

/**
 * Runs a tool. Errors the caller can fix become an error result; a cancellation is rethrown, so that no response is
 * sent. No message contains the caller's text.
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
