/** A tool's results: structured, with a short one also as text, or an error that a model can act on. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { PrivetError } from '../core/errors.ts';
import type { Words } from './words.ts';

/** A message for the model that names the field and the remedy. */
export class ToolFault extends Error {
  override readonly name = 'ToolFault';
}

/**
 * The official clients close the connection at a message of 10 MiB, which loses all sessions. The margin is for the
 * envelope and the start of the next message.
 */
export const resultBytesMax = 9 * 2 ** 20;
/** Maximum size of a result that is also sent as text, for clients that show only text. */
const copiedBytesMax = 2 ** 20;

/** The result as structured content. @throws ToolFault if it is larger than clients accept */
function answer(words: Words, result: Record<string, unknown>): CallToolResult {
  const json = JSON.stringify(result);
  const bytes = Buffer.byteLength(json);
  if (bytes > resultBytesMax) throw tooLarge(words, bytes);
  const text = bytes <= copiedBytesMax ? json : words.longResult;
  return { content: [{ type: 'text', text }], structuredContent: result };
}

/** The error for a result that clients would not accept. */
export function tooLarge(words: Words, bytes: number): ToolFault {
  return new ToolFault(words.errors.tooLarge(bytes, resultBytesMax));
}

/**
 * Runs a tool. Errors that the caller can fix become an error result; a cancellation is rethrown, so that no response
 * is sent. No message contains the caller's text.
 */
export async function answering(
  words: Words,
  work: () => Record<string, unknown> | Promise<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<CallToolResult> {
  try {
    return answer(words, await work());
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
