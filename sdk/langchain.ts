/** Middleware for agents of LangChain (`langchain` 1): masks what the model is told, restores what it says. */
import { checkPrivet } from './option-values.ts';
import type { Privet } from './privet.ts';
import { newSessionId } from './session.ts';
import { restoreValue } from './streams.ts';

/** Options of {@link privetAgentMiddleware}. */
export type LangChainOptions = {
  /** The session, so that values keep their tokens over the steps of an agent. Default: one for this middleware. */
  readonly sessionId?: string;
};

// What LangChain hands over is typed by the schemas of the agent.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Any = any;

/** What `createMiddleware` of `langchain` takes. */
export type LangChainMiddleware = {
  readonly name: string;
  readonly wrapModelCall: (request: Any, handler: (request: Any) => Any) => Promise<Any>;
};

/**
 * Masks the system message and all messages of a step before they reach the model, and restores its answer with its tool
 * calls, so that tools and state hold the values. Tokens that an agent streams while a model speaks stay tokens.
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
      // Every read of a request's system message counts as a change of it when it is handed back.
      const answer = await handler({ ...request, ...wanted, ...(isSystemChanged ? { systemMessage: first } : {}) });
      return restoreValue(answer, (await privet.tokens(sessionId)) ?? new Map());
    },
  };
}
