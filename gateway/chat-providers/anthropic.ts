/** Anthropic's Messages API. The only file that imports the package `@anthropic-ai/sdk`. */
import type Anthropic from '@anthropic-ai/sdk';
import {
  type ChatAnswer,
  type ChatEnd,
  type ChatPiece,
  type ChatRequest,
  clientOptions,
  load,
  outputTokensDefault,
  type Provider,
  providerError,
  unreadableAnswer,
} from './provider.ts';

/** Anthropic's models; the package is loaded at the first call. */
export class AnthropicProvider implements Provider {
  readonly name = 'anthropic';
  readonly defaultModel: string | undefined;
  readonly #options: { readonly apiKey: string; readonly baseUrl?: string };
  #client: Promise<Anthropic> | undefined;

  constructor(options: { readonly apiKey: string; readonly baseUrl?: string; readonly defaultModel?: string }) {
    this.defaultModel = options.defaultModel;
    this.#options = options;
  }

  async complete(request: ChatRequest): Promise<ChatAnswer> {
    const client = await this.#load();
    try {
      const answer = await client.messages.create(bodyOf(request), { signal: request.signal });
      const text = answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      const usage = { inputTokens: answer.usage.input_tokens, outputTokens: answer.usage.output_tokens };
      return { text, model: answer.model, usage, ...reasonOf(answer.stop_reason) };
    } catch (error) {
      throw providerError(this.name, error, request.signal);
    }
  }

  async *stream(request: ChatRequest): AsyncGenerator<ChatPiece, void> {
    const client = await this.#load();
    try {
      const events = await client.messages.create({ ...bodyOf(request), stream: true }, { signal: request.signal });
      let end: ChatEnd | undefined;
      let inputTokens = 0;
      for await (const event of events) {
        if (event.type === 'message_start') {
          inputTokens = event.message.usage.input_tokens;
          end = { model: event.message.model };
        } else if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') {
          yield { text: event.delta.text };
        } else if (event.type === 'message_delta') {
          const usage = { inputTokens, outputTokens: event.usage.output_tokens };
          end = { model: request.model, ...end, usage, ...reasonOf(event.delta.stop_reason) };
        }
      }
      if (end === undefined) throw unreadableAnswer(this.name);
      yield { end };
    } catch (error) {
      throw providerError(this.name, error, request.signal);
    }
  }

  #load(): Promise<Anthropic> {
    this.#client ??= load('@anthropic-ai/sdk', import('@anthropic-ai/sdk')).then(
      ({ default: Client }) => new Client(clientOptions(this.#options)),
    );
    return this.#client;
  }
}

function bodyOf({ model, system, messages, maxTokens = outputTokensDefault, temperature }: ChatRequest) {
  return {
    model,
    max_tokens: maxTokens,
    messages: messages.map(({ role, content }) => ({ role, content })),
    ...(system === undefined ? {} : { system }),
    ...(temperature === undefined ? {} : { temperature }),
  };
}

function reasonOf(reason: string | null): { finishReason?: string } {
  return reason === null ? {} : { finishReason: reason };
}
