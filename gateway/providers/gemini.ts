/** Google's Gemini API. The only file that imports the package `@google/genai`. */
import type { GenerateContentParameters, GenerateContentResponse, GoogleGenAI } from '@google/genai';
import {
  answerMsMax,
  type ChatAnswer,
  type ChatEnd,
  type ChatPiece,
  type ChatRequest,
  load,
  type Provider,
  providerError,
  unreadableAnswer,
} from './provider.ts';

export class GeminiProvider implements Provider {
  readonly name = 'gemini';
  readonly defaultModel: string | undefined;
  readonly #options: { readonly apiKey: string; readonly baseUrl?: string };
  #client: Promise<GoogleGenAI> | undefined;

  constructor(options: { readonly apiKey: string; readonly baseUrl?: string; readonly defaultModel?: string }) {
    this.defaultModel = options.defaultModel;
    this.#options = options;
  }

  async complete(request: ChatRequest): Promise<ChatAnswer> {
    const client = await this.#load();
    try {
      const answer = await client.models.generateContent(parametersOf(request));
      return { text: textOf(answer), model: request.model, ...endOf(answer) };
    } catch (error) {
      throw providerError(this.name, error, request.signal);
    }
  }

  async *stream(request: ChatRequest): AsyncGenerator<ChatPiece, void> {
    const client = await this.#load();
    try {
      let end: ChatEnd | undefined;
      for await (const chunk of await client.models.generateContentStream(parametersOf(request))) {
        const text = textOf(chunk);
        if (text !== '') yield { text };
        end = { model: request.model, ...end, ...endOf(chunk) };
      }
      if (end === undefined) throw unreadableAnswer(this.name);
      yield { end };
    } catch (error) {
      throw providerError(this.name, error, request.signal);
    }
  }

  #load(): Promise<GoogleGenAI> {
    this.#client ??= load('@google/genai', import('@google/genai')).then(({ GoogleGenAI: Client }) => {
      const { apiKey, baseUrl } = this.#options;
      const httpOptions = { timeout: answerMsMax, ...(baseUrl === undefined ? {} : { baseUrl }) };
      return new Client({ apiKey, vertexai: false, httpOptions });
    });
    return this.#client;
  }
}

function parametersOf({ model, system, messages, maxTokens, temperature, signal }: ChatRequest) {
  const parameters: GenerateContentParameters = {
    model,
    contents: messages.map(({ role, content }) => ({
      role: role === 'assistant' ? 'model' : 'user',
      parts: [{ text: content }],
    })),
    config: {
      abortSignal: signal,
      ...(system === undefined ? {} : { systemInstruction: system }),
      ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
      ...(temperature === undefined ? {} : { temperature }),
    },
  };
  return parameters;
}

/** The parts that are meant to be read; the getter of the package warns on the console about all others. */
function textOf(answer: GenerateContentResponse): string {
  const parts = answer.candidates?.[0]?.content?.parts ?? [];
  return parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join('');
}

function endOf({ candidates, usageMetadata, modelVersion }: GenerateContentResponse): Partial<ChatEnd> {
  const reason = candidates?.[0]?.finishReason;
  const { promptTokenCount: inputTokens = 0, candidatesTokenCount: outputTokens = 0 } = usageMetadata ?? {};
  return {
    ...(modelVersion === undefined ? {} : { model: modelVersion }),
    ...(reason === undefined ? {} : { finishReason: reason }),
    ...(usageMetadata === undefined ? {} : { usage: { inputTokens, outputTokens } }),
  };
}
