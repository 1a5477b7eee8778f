/**
 * A conversation with a model on behalf of a caller: its texts are checked for injection and masked, the provider sees
 * only tokens, and its response is restored, whole or as a stream.
 */
import { PrivetError } from '../../core/errors.ts';
import type { InjectionResult } from '../../core/injection/index.ts';
import type { RestoreCount } from '../../core/payload/response.ts';
import { restoreText } from '../../core/restore.ts';
import { TextRun } from '../../core/stream/text-run.ts';
import type { TokenMap } from '../../core/vault.ts';
import type { ChatEnd, ChatMessage, ChatRequest, Provider, ProviderName } from '../chat-providers/provider.ts';
import { checked } from '../long-texts/long-texts.ts';
import { type Asker, jobClient } from './detectors.ts';
import { errorBody } from './errors.ts';
import { invalidField } from './validate.ts';

export type GivenMessage = {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string | readonly { readonly type: 'text'; readonly text: string }[];
};

/** The messages of a conversation in order, each as one text. */
export function messagesOf(given: {
  readonly message?: string | undefined;
  readonly messages?: readonly GivenMessage[] | undefined;
  readonly system?: string | undefined;
}): { role: GivenMessage['role']; content: string }[] {
  const { message, messages = [], system } = given;
  return [
    ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
    ...messages.map(({ role, content }) => ({
      role,
      content: typeof content === 'string' ? content : content.map((part) => part.text).join('\n'),
    })),
    ...(message === undefined ? [] : [{ role: 'user' as const, content: message }]),
  ];
}

/**
 * The result of the injection check over the user's messages; the worst one counts. System texts come from the
 * application, and earlier model output is not an attack on the model.
 */
export async function checkMessages(
  messages: readonly { role: string; content: string }[],
  asker: Asker,
): Promise<InjectionResult> {
  const order = ['none', 'low', 'medium', 'high', 'critical'];
  const results: InjectionResult[] = [];
  // Sequentially: many long ones would occupy all threads.
  let length = 0;
  for (const { role, content } of messages) {
    if (role !== 'user') continue;
    results.push(await checked('prompt', content, {}, jobClient(asker), length));
    length += content.length;
  }
  const none: InjectionResult = { injectionDetected: false, categories: [], risk: 'none', score: 0, matches: [] };
  return results.reduce((a, b) => (order.indexOf(b.risk) > order.indexOf(a.risk) ? b : a), none);
}

/** @throws PrivetError `blocked_by_policy` when an injection was found. */
export function refuseInjection({ injectionDetected, categories, risk }: InjectionResult): void {
  if (!injectionDetected) return;
  throw new PrivetError('blocked_by_policy', 'A message contains a prompt injection.', {
    hint: 'Send "injection": "warn" to send it to the model anyway.',
    details: { categories, risk },
  });
}

/** The provider request: the masked messages, with all system texts joined. */
export function requestOf(
  masked: readonly { role: string; content: string }[],
): Pick<ChatRequest, 'system' | 'messages'> {
  const system = masked.filter(({ role }) => role === 'system').map(({ content }) => content);
  const messages = masked.filter((message): message is ChatMessage => message.role !== 'system');
  return { messages, ...(system.length === 0 ? {} : { system: system.join('\n\n') }) };
}

export type Asked = { readonly provider: Provider; readonly model: string };

/**
 * Finds a provider.
 * @throws PrivetError `invalid_input` when there is none; naming the field when it is not set up, or needs a model.
 */
export function askedOf(
  providers: ReadonlyMap<ProviderName, Provider>,
  wish: { readonly provider?: ProviderName | undefined; readonly model?: string | undefined },
  path = '',
): Asked {
  const [first] = providers.values();
  const provider = wish.provider === undefined ? first : providers.get(wish.provider);
  if (providers.size === 0) throw noProviders();
  if (provider === undefined) {
    const names = [...providers.keys()].join(', ');
    throw invalidField(`${path}provider`, `is not set up on this gateway (set up: ${names})`);
  }
  const model = wish.model ?? provider.defaultModel;
  if (model === undefined) throw invalidField(`${path}model`, `is needed for the provider ${provider.name}`);
  return { provider, model };
}

/** The client cannot fix this by changing the request. */
function noProviders(): PrivetError {
  return new PrivetError('invalid_input', 'No model provider is set up on this gateway.', {
    details: { missing: 'provider' },
    hint: 'Set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or CUSTOM_LLM_BASE_URL for the gateway and start it again.',
  });
}

/** A complete response of a provider, restored. `masked` is the provider's original text. */
export type ChatResult = ChatEnd & {
  readonly provider: ProviderName;
  readonly text: string;
  readonly masked: string;
  readonly unresolved: readonly string[];
};

/** Calls a provider and restores its response. */
export async function ask(
  { provider, model }: Asked,
  request: Omit<ChatRequest, 'model'>,
  map: TokenMap,
): Promise<ChatResult> {
  const { text: masked, ...end } = await provider.complete({ ...request, model });
  const { restored: text, unresolved } = restoreText(masked, map);
  return { provider: provider.name, ...end, text, masked, unresolved };
}

/** An event of a streamed response. `model`: a piece as the model wrote it, and the text held back after it. */
export type ChatEvent =
  | { readonly type: 'model'; readonly text: string; readonly held: string }
  | { readonly type: 'delta'; readonly provider: ProviderName; readonly text: string }
  | ({ readonly type: 'end'; readonly provider: ProviderName; readonly unresolved: number } & ChatEnd);

/** Calls a provider and restores its response as it arrives, holding back only what may still become a token. */
export async function* askStream(
  { provider, model }: Asked,
  request: Omit<ChatRequest, 'model'>,
  map: TokenMap,
  { showsModel = false }: { readonly showsModel?: boolean } = {},
): AsyncGenerator<ChatEvent, void> {
  const count: RestoreCount = { restored: 0, unresolved: 0 };
  const run = new TextRun({ map, count, bare: false, plainOnly: true });
  const { name } = provider;
  let end: ChatEnd = { model };
  for await (const piece of provider.stream({ ...request, model })) {
    if ('end' in piece) {
      end = piece.end;
      continue;
    }
    const text = run.push(piece.text);
    if (showsModel) yield { type: 'model', text: piece.text, held: run.carry };
    if (text !== '') yield { type: 'delta', provider: name, text };
  }
  const rest = run.push('', true);
  if (rest !== '') yield { type: 'delta', provider: name, text: rest };
  yield { type: 'end', provider: name, ...end, unresolved: count.unresolved };
}

/** The error of one provider, reported next to the responses of the others. */
export function errorOf(error: PrivetError, provider: ProviderName, requestId: string) {
  return { provider, ...errorBody(error, requestId) };
}
