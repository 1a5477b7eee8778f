/** OpenAI, and servers compatible with its chat completions. The only file that imports the package `openai`. */
import type OpenAI from 'openai';
import {
  type ChatAnswer,
  type ChatEnd,
  type ChatPiece,
  type ChatRequest,
  clientOptions,
  load,
  type Provider,
  type ProviderName,
  providerError,
  unreadableAnswer,
} from './provider.ts';

/** The server; by default OpenAI's own. */
export type OpenAiOptions = {
  readonly name: Extract<ProviderName, 'openai' | 'custom'>;
  readonly apiKey: string;
  readonly baseUrl?: string;
  readonly defaultModel?: string;
};

/** Models of OpenAI or a compatible server; the package is loaded at the first call. */
export class OpenAiProvider implements Provider {
  readonly name: OpenAiOptions['name'];
  readonly defaultModel: string | undefined;
  readonly #options: OpenAiOptions;
  #client: Promise<OpenAI> | undefined;

  constructor(options: OpenAiOptions) {
    this.name = options.name;
    this.defaultModel = options.defaultModel;
    this.#options = options;
  }

  async complete(request: ChatRequest): Promise<ChatAnswer> {
    const client = await this.#load();
    try {
      const answer = await client.chat.completions.create(this.#body(request), { signal: request.signal });
      const choice = answer.choices[0];
      return { text: textOf(choice?.message.content), model: request.model, ...endOf(answer, choice?.finish_reason) };
    } catch (error) {
      throw providerError(this.name, error, request.signal);
    }
  }

  async *stream(request: ChatRequest): AsyncGenerator<ChatPiece, void> {
    const client = await this.#load();
    try {
      // Other servers reject unknown options.
      const extra = this.name === 'openai' ? { stream_options: { include_usage: true } } : {};
      const body = { ...this.#body(request), ...extra, stream: true as const };
      const chunks = await client.chat.completions.create(body, { signal: request.signal });
      let end: ChatEnd | undefined;
      for await (const chunk of chunks) {
        const choice = chunk.choices?.[0];
        const text = textOf(choice?.delta?.content);
        if (text !== '') yield { text };
        end = { model: request.model, ...end, ...endOf(chunk, choice?.finish_reason) };
      }
      if (end === undefined) throw unreadableAnswer(this.name);
      yield { end };
    } catch (error) {
      throw providerError(this.name, error, request.signal);
    }
  }

  #body({ model, system, messages, maxTokens, temperature }: ChatRequest) {
    const limit = this.name === 'openai' ? 'max_completion_tokens' : 'max_tokens';
    return {
      model,
      messages: [
        ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
        ...messages.map(({ role, content }) => ({ role, content })),
      ],
      ...(maxTokens === undefined ? {} : { [limit]: maxTokens }),
      ...(temperature === undefined ? {} : { temperature }),
    };
  }

  #load(): Promise<OpenAI> {
    this.#client ??= load('openai', import('openai')).then(
      ({ default: Client }) => new Client(clientOptions(this.#options)),
    );
    return this.#client;
  }
}

type Ending = {
  readonly model?: string;
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null | undefined;
};

/** Some servers send the text in parts, along with other parts (Mistral's reasoning models). */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('');
}

function endOf({ model, usage }: Ending, finishReason: string | null | undefined): Partial<ChatEnd> {
  return {
    ...(model ? { model } : {}),
    ...(finishReason ? { finishReason } : {}),
    ...(usage ? { usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } } : {}),
  };
}
