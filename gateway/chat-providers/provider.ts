/** A model provider for /chat: texts in, a complete or streamed text out. */
import { PrivetError } from '../../core/errors.ts';

/** Provider names; `custom` is any server compatible with OpenAI. */
export const providerNames = ['openai', 'anthropic', 'gemini', 'custom'] as const;
/** `stand-in` is the sandbox's model, which callers cannot select. */
export type ProviderName = (typeof providerNames)[number] | 'stand-in';

/** One message of a conversation. */
export type ChatMessage = { readonly role: 'user' | 'assistant'; readonly content: string };

/** A request; all texts are masked. */
export type ChatRequest = {
  readonly model: string;
  readonly system?: string;
  readonly messages: readonly ChatMessage[];
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly signal: AbortSignal;
};

/** Why an answer ended, as stated by the provider. */
export type ChatEnd = {
  readonly model: string;
  readonly finishReason?: string;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
};

/** A complete answer. */
export type ChatAnswer = ChatEnd & { readonly text: string };

/** A piece of a streamed answer; the last one has no text. */
export type ChatPiece = { readonly text: string } | { readonly end: ChatEnd };

/** A configured provider. Both calls throw the errors of {@link providerError}. */
export interface Provider {
  readonly name: ProviderName;
  readonly defaultModel: string | undefined;
  complete(request: ChatRequest): Promise<ChatAnswer>;
  stream(request: ChatRequest): AsyncGenerator<ChatPiece, void>;
}

/** Default if a call without `maxTokens` goes to a provider that requires it. */
export const outputTokensDefault = 4_096;
/** Time limit for the start of an answer, in milliseconds. */
export const answerMsMax = 120_000;

/** A provider's failure in our words, as theirs may quote the key or request; the signal's reason if it aborted. */
export function providerError(name: ProviderName, error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof PrivetError) return error;
  const status = (error as { status?: unknown }).status;
  const details = { provider: name, ...(typeof status === 'number' ? { status } : {}) };
  if (isTimeout(error)) {
    return new PrivetError('upstream_timeout', `The provider ${name} did not answer in time.`, { details });
  }
  if (isUnreadable(error)) return unreadableAnswer(name);
  if (isSaidInAnswer(error)) return new PrivetError('unavailable', `The provider ${name} failed.`, { details });
  if (typeof status !== 'number') {
    const hint = 'Check that the gateway can reach the provider, and try again.';
    return new PrivetError('unavailable', `The provider ${name} cannot be reached.`, { details, hint });
  }
  if (status === 401 || status === 403) {
    const hint = "Ask the administrator of the gateway to check the provider's key.";
    return new PrivetError('upstream_failed', `The provider ${name} rejected the gateway's key.`, { details, hint });
  }
  if (status === 404) {
    const hint = 'Choose a model that the provider offers.';
    return new PrivetError('invalid_input', `The provider ${name} does not know the model.`, {
      details: [{ field: 'model', message: 'is not known to the provider', ...details }],
      hint,
    });
  }
  if (status === 429) {
    const hint = "Try again later; the limit is the provider's.";
    return new PrivetError('unavailable', `The provider ${name} is limiting the gateway's requests.`, {
      details,
      hint,
    });
  }
  if (status < 500) {
    const hint = 'Check the model, maxTokens and temperature.';
    return new PrivetError('upstream_failed', `The provider ${name} rejected the request.`, { details, hint });
  }
  return new PrivetError('unavailable', `The provider ${name} failed.`, { details });
}

/** The error for an answer that does not match the provider's API. */
export function unreadableAnswer(name: ProviderName): PrivetError {
  return new PrivetError('upstream_failed', `The provider ${name} returned an unreadable response.`, {
    details: { provider: name },
    hint: 'Check that the address configured for the provider is the address of its API.',
  });
}

/** True for a body that is not JSON or lacks fields. Errors of `fetch` have a cause, those of packages a class. */
function isUnreadable(error: unknown): boolean {
  return /^(?:Syntax|Type)?Error$/.test(className(error)) && (error as Error).cause === undefined;
}

/** True for an error event in a stream, which the packages throw as their own error without a status. */
function isSaidInAnswer(error: unknown): boolean {
  return className(error) === 'APIError' && (error as { status?: unknown }).status === undefined;
}

function className(error: unknown): string {
  return error instanceof Error ? error.constructor.name : '';
}

function isTimeout(error: unknown): boolean {
  const { name = '', cause } = error as { name?: string; cause?: { name?: string } };
  return /Timeout/.test(`${name} ${cause?.name ?? ''} ${(error as object).constructor?.name}`);
}

/** `fetch` for the packages. Rejects redirects, which could send the content to internal addresses. */
export const fetchHere = (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
  fetch(input, { ...init, redirect: 'error' });

/** Client options for the providers' packages. Their logs can contain complete requests and are therefore off. */
export function clientOptions({ apiKey, baseUrl }: { readonly apiKey: string; readonly baseUrl?: string }) {
  const base = baseUrl === undefined ? {} : { baseURL: baseUrl };
  return { apiKey, ...base, logLevel: 'off' as const, fetch: fetchHere, timeout: answerMsMax, maxRetries: 1 };
}

/** Loads a provider's package. @throws PrivetError `not_supported` with its name if it is not installed */
export async function load<T>(name: string, importing: Promise<T>): Promise<T> {
  try {
    return await importing;
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new PrivetError('not_supported', `The package ${name} is not installed.`, {
      hint: `Run: npm install ${name}`,
      cause: error,
    });
  }
}
