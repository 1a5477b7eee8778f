/** Middleware for agents of LangChain (`langchain` 1): masks prompts and restores answers. */
import { checkPrivet } from './option-values.ts';
import type { Privet } from './privet.ts';
import { newSessionId } from './session.ts';
import { restoreValue } from './streams.ts';

/** Options of {@link privetAgentMiddleware}. */
export type LangChainOptions = {
  /** The session: values keep their tokens over the steps of an agent. Default: one per middleware. */
  readonly sessionId?: string;
};

// LangChain's types depend on the schemas of the agent.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Any = any;

/** The options for `createMiddleware` of `langchain`. */
export type LangChainMiddleware = {
  readonly name: string;
  readonly wrapModelCall: (request: Any, handler: (request: Any) => Any) => Promise<Any>;
};

/**
 * Masks the system message and all messages of a step before they reach the model, and restores its answer and tool
 * calls, so that tools and state have the values. Tokens that an agent streams meanwhile stay tokens.
 *
 * @example
 * const agent = createAgent({ model, tools, middleware: [createMiddleware(privetAgentMiddleware(createPrivet()))] });
 */
export function privetAgentMiddleware(privet: Privet, options: LangChainOptions = {}): LangChainMiddleware {
  checkPrivet('privetAgentMiddleware', privet);
  const { sessionId = newSessionId() } = options;
  return {
    name: 'privet',
    async wrapModelCall(request, handler) {
      const { systemMessage, messages } = request;
      const all = systemMessage === undefined ? messages : [systemMessage, ...messages];
      const masked = await privet.maskMessages(all, { sessionId, tokenFormat: 'counter' });
      const [first, ...rest] = masked.messages;
      const wanted = systemMessage === undefined ? { messages: masked.messages } : { messages: rest };
      const isSystemChanged = systemMessage !== undefined && first !== systemMessage;
      // Reading a request's system message counts as a change when the request is passed on.
      const answer = await handler({ ...request, ...wanted, ...(isSystemChanged ? { systemMessage: first } : {}) });
      return restoreValue(answer, (await privet.tokens(sessionId)) ?? new Map());
    },
  };
}
