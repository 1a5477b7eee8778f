/** POST /chat and /chat-multi: one or several models, which never see a real value. */

import { z } from 'zod';
import { sessionKey, type TokenMap } from '../../../core/vault.ts';
import { requireFeature } from '../../../policy/plans.ts';
import { providerNames } from '../../chat-providers/provider.ts';
import {
  type Asked,
  ask,
  askedOf,
  askStream,
  type ChatEvent,
  type ChatResult,
  checkMessages,
  errorOf,
  messagesOf,
  refuseInjection,
  requestOf,
} from '../chat.ts';
import type { ApiCall, Endpoints } from '../endpoint.ts';
import { asPrivetError } from '../errors.ts';
import { creditsUsed, sessionId, text, tokenFormat, tokenMap, wanted } from '../fields.ts';
import { Masking } from '../masking.ts';
import type { ApiParts } from '../parts.ts';
import { abortOnClose, merged, sendEvents } from '../streams.ts';

const provider = z.enum(providerNames);
const model = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\w.:/@+-]+$/, 'is not a model name');
const content = z.union([text, z.array(z.strictObject({ type: z.literal('text'), text })).max(1_000)], {
  error: 'must be a text, or a list of { type: "text", text }',
});
const message = z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content });
const conversation = {
  message: text
    .min(1)
    .optional()
    .describe('One user message; instead of or in addition to `messages`, then as the last one.'),
  messages: z.array(message).max(10_000).optional(),
  system: text.optional(),
  maxTokens: z.int().min(1).max(10_000_000).optional(),
  temperature: z.number().min(0).max(2).optional(),
  stream: z.boolean().optional().describe('Answer with server-sent events.'),
  injection: z
    .enum(['block', 'warn', 'off'])
    .optional()
    .describe('What to do if a user message contains an injection. Default block: 403.'),
  sessionId: sessionId.optional(),
  ...wanted,
  tokenFormat,
};
const hasMessage = (body: { message?: string | undefined; messages?: readonly unknown[] | undefined }) =>
  body.message !== undefined || (body.messages?.length ?? 0) > 0;
const messageMissing = () => ({ path: ['messages'], message: 'is missing; give messages or message' });

const chatBody = z
  .strictObject({
    provider: provider.optional().describe('Default: the first one that is set up.'),
    model: model.optional().describe('Default: a small model of the provider.'),
    ...conversation,
  })
  .refine(hasMessage, messageMissing());
const multiBody = z
  .strictObject({
    providers: z
      .array(z.union([provider, z.strictObject({ provider, model: model.optional() })], { error: 'is not a provider' }))
      .min(1)
      .max(8),
    ...conversation,
  })
  .refine(hasMessage, messageMissing());

const injection = z
  .object({ injectionDetected: z.boolean(), categories: z.array(z.string()), risk: z.string() })
  .optional();
/** What a model answered. */
export const result = {
  provider,
  model: z.string(),
  text: z.string().describe('The answer, restored.'),
  masked: z.string().describe('The answer as the model wrote it.'),
  unresolved: z.array(z.string()),
  finishReason: z.string().optional(),
  usage: z.object({ inputTokens: z.int(), outputTokens: z.int() }).optional(),
};
/** What was sent to it. */
export const shown = {
  sessionId: z.string(),
  tokenMap,
  sent: z.array(z.object({ role: z.string(), content: z.string() })).describe('What the model received.'),
  injection,
  creditsUsed,
};
const chatAnswer = z.object({ ...result, ...shown }).meta({ id: 'ChatResult' });
export type ChatAnswer = z.infer<typeof chatAnswer>;
export type ChatShown = Pick<ChatAnswer, 'sessionId' | 'tokenMap' | 'sent'>;
const failure = { provider, error: z.looseObject({ code: z.string(), message: z.string() }) };
/** The data of a stream's events; the last one is `[DONE]`, which is not JSON. */
const chatEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('start'), ...shown }),
    z.object({ type: z.literal('delta'), provider, text: z.string() }),
    z.object({
      type: z.literal('end'),
      provider,
      model: result.model,
      unresolved: z.int(),
      finishReason: result.finishReason,
      usage: result.usage,
    }),
    z.object({ type: z.literal('error'), ...failure }),
  ])
  .meta({ id: 'ChatEvent' });
const multiAnswer = z
  .object({ results: z.array(z.union([z.object(result), z.object(failure)])), ...shown })
  .meta({ id: 'ChatMultiResult' });

type Conversation = Omit<z.infer<typeof chatBody>, 'provider' | 'model'>;
type Parties = Pick<ApiCall<unknown, unknown>, 'caller' | 'reply'>;

export function chatRoutes(endpoints: Endpoints, parts: ApiParts): void {
  const { providers } = parts;

  endpoints.add({
    method: 'POST',
    path: '/chat',
    group: 'chat',
    summary: 'Ask a model: the request is masked, the response restored.',
    access: 'key',
    body: chatBody,
    answer: chatAnswer,
    events: chatEvent,
    async handle({ body: { provider, model, ...given }, request, ...parties }) {
      const asked = askedOf(providers, { provider, model });
      const { map, wish, shown } = await prepare(parts, given, parties);
      if (given.stream !== true) return { ...(await ask(asked, wish, map)), ...shown };
      const events = askStream(asked, wish, map);
      // An error before the first piece becomes an error status.
      const first = await events.next();
      return sendEvents(
        parties.reply,
        streamOf({ shown, ...(first.done ? {} : { first: first.value }), events: ending(events, asked, request.id) }),
      );
    },
  });

  endpoints.add({
    method: 'POST',
    path: '/chat-multi',
    group: 'chat',
    summary: 'Ask several models at once; failures are reported next to the other answers.',
    access: 'key',
    body: multiBody,
    answer: multiAnswer,
    events: chatEvent,
    async handle({ body: { providers: names, ...given }, request, ...parties }) {
      const all = names.map((name, i) =>
        askedOf(providers, typeof name === 'string' ? { provider: name } : name, `providers[${i}].`),
      );
      const { map, wish, shown } = await prepare(parts, given, parties);
      if (given.stream === true) {
        const sources = all.map((asked) => ending(askStream(asked, wish, map), asked, request.id));
        return sendEvents(parties.reply, streamOf({ shown, events: merged(sources) }));
      }
      const answers = await Promise.allSettled(all.map((asked) => ask(asked, wish, map)));
      return { results: answers.map((answer, i) => settled(answer, all[i] as Asked, request.id)), ...shown };
    },
  });
}

function settled(answer: PromiseSettledResult<ChatResult>, { provider }: Asked, requestId: string) {
  if (answer.status === 'fulfilled') return answer.value;
  return errorOf(asPrivetError(answer.reason), provider.name, requestId);
}

/** Checks, masks and charges a conversation; returns the provider request and the fields shared by all responses. */
async function prepare({ billing, detectors, stores }: ApiParts, given: Conversation, parties: Parties) {
  const { caller, reply } = parties;
  billing.admit(parties);
  const { lang, types, minScore, dictionary, tokenFormat, sessionId, injection: onInjection = 'block' } = given;
  if (dictionary?.length) requireFeature(caller.plan, 'dictionary');
  const messages = messagesOf(given);
  const found = onInjection === 'off' ? undefined : await checkMessages(messages, parties);
  if (found?.injectionDetected && onInjection === 'block') {
    await billing.run(parties, 0);
    refuseInjection(found);
  }
  const masking = new Masking(detectors, parties, { lang, types, minScore, dictionary, tokenFormat, sessionId });
  for (const { content } of messages) await masking.add(content);
  const session = sessionKey(caller.tenant, masking.sessionId);
  const { tokens, map } = await billing.runThen(parties, { reserve: masking.reserve }, async ({ tokens }) => {
    // The model may also use tokens from earlier calls of the session.
    const map: TokenMap = (await stores.vault.tokens(session)) ?? new Map();
    return { tokens, map };
  });
  const { texts, tokenMap } = await masking.apply(tokens);
  const sent = messages.map(({ role }, i) => ({ role, content: texts[i]?.masked ?? '' }));
  const { maxTokens, temperature } = given;
  const wish = { ...requestOf(sent), maxTokens, temperature, signal: abortOnClose(reply) };
  const { injectionDetected = false, categories = [], risk = 'none' } = found ?? {};
  const injection = found && { injectionDetected, categories, risk };
  const shown = { sessionId: masking.sessionId, tokenMap, sent, injection, creditsUsed: 1 };
  return { map, wish, shown };
}

type FailedEvent = { readonly type: 'error' } & ReturnType<typeof errorOf>;

/** A stream that reports a failure as its last event, because the status has already been sent. */
export async function* ending(
  events: AsyncGenerator<ChatEvent, void>,
  { provider }: Asked,
  requestId: string,
): AsyncGenerator<ChatEvent | FailedEvent, void> {
  try {
    yield* events;
  } catch (error) {
    yield { type: 'error', ...errorOf(asPrivetError(error), provider.name, requestId) };
  }
}

/** The events of a response, after those known beforehand. */
export async function* streamOf(parts: {
  shown: object;
  first?: ChatEvent;
  events: AsyncGenerator<ChatEvent | FailedEvent, void>;
}): AsyncGenerator<unknown, void> {
  yield { type: 'start', ...parts.shown };
  if (parts.first) yield parts.first;
  yield* parts.events;
}
