/** Middleware for language models of the AI SDK (`ai` 5 and later): masks prompts and restores answers. */
import { checkPrivet } from './option-values.ts';
import type { Privet } from './privet.ts';
import { newSessionId } from './session.ts';
import { restoreItems, restoreValue, streamOf } from './streams.ts';

/** Options of {@link privetMiddleware}. */
export type AiSdkOptions = {
  /** The session: values keep their tokens over the calls of a conversation. Default: one per middleware. */
  readonly sessionId?: string;
};

// The types of the major versions of `ai` differ only in their version name; all of them fit.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Any = any;

/** The middleware for `wrapLanguageModel`. */
export type AiSdkMiddleware = {
  readonly specificationVersion: Any;
  readonly transformParams: (options: Any) => Promise<Any>;
  readonly wrapGenerate: (options: Any) => Promise<Any>;
  readonly wrapStream: (options: Any) => Promise<Any>;
};

/**
 * Masks system texts, messages, tool calls and tool results before they reach the model. Restores texts, reasoning and
 * tool arguments in its answer, whole or streamed. A prompt that cannot be masked safely is not sent: the call rejects
 * with PrivetError.
 *
 * @example
 * const model = wrapLanguageModel({ model: openai('gpt-5-mini'), middleware: privetMiddleware(createPrivet()) });
 */
export function privetMiddleware(privet: Privet, options: AiSdkOptions = {}): AiSdkMiddleware {
  checkPrivet('privetMiddleware', privet);
  const { sessionId = newSessionId() } = options;
  const tokens = async () => (await privet.tokens(sessionId)) ?? new Map<string, string>();
  return {
    specificationVersion: 'v4',
    async transformParams({ params }) {
      const { messages } = await privet.maskMessages(params.prompt, { sessionId, tokenFormat: 'counter' });
      return { ...params, prompt: messages };
    },
    async wrapGenerate({ doGenerate }) {
      const result = await doGenerate();
      return { ...result, content: restoreValue(result.content, await tokens()) };
    },
    async wrapStream({ doStream }) {
      const { stream, ...rest } = await doStream();
      return { ...rest, stream: streamOf(restoreItems(stream, tokens())) };
    },
  };
}
