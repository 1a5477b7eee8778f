/** Google's Gemini API. The only file that imports the package `@google/genai`. */
import type { GenerateContentParameters, GenerateContentResponse, GoogleGenAI } from '@google/genai';
import {
  answerMsMax,
  type ChatAnswer,
  type ChatEnd,
  type ChatPiece,
  type ChatRequest,
  fetchHere,
  load,
  type Provider,
  providerError,
  unreadableAnswer,
} from './provider.ts';

/** `answerMs`: time limit for the start of an answer; default {@link answerMsMax}. */
export type GeminiOptions = {
  readonly apiKey: string;
  readonly baseUrl?: string;
  readonly defaultModel?: string;
  readonly answerMs?: number;
};

/** Google's models; the package is loaded at the first call. */
export class GeminiProvider implements Provider {
  readonly name = 'gemini';
  readonly defaultModel: string | undefined;
  readonly #options: GeminiOptions;
  #client: Promise<GoogleGenAI> | undefined;

  constructor(options: GeminiOptions) {
    this.defaultModel = options.defaultModel;
    this.#options = options;
  }

  async complete(request: ChatRequest): Promise<ChatAnswer> {
    const client = await this.#load();
    const begin = this.#beginning(request.signal);
    try {
      const answer = await client.models.generateContent(parametersOf(request, begin.signal));
      return { text: textOf(answer), model: request.model, ...endOf(answer) };
    } catch (error) {
      throw providerError(this.name, begin.late() ?? error, request.signal);
    } finally {
      begin.done();
    }
  }

  async *stream(request: ChatRequest): AsyncGenerator<ChatPiece, void> {
    const client = await this.#load();
    const begin = this.#beginning(request.signal);
    try {
      let end: ChatEnd | undefined;
      const chunks = await client.models.generateContentStream(parametersOf(request, begin.signal));
      begin.done();
      for await (const chunk of chunks) {
        const text = textOf(chunk);
        if (text !== '') yield { text };
        end = { model: request.model, ...end, ...endOf(chunk) };
      }
      if (end === undefined) throw unreadableAnswer(this.name);
      yield { end };
    } catch (error) {
      throw providerError(this.name, begin.late() ?? error, request.signal);
    } finally {
      begin.done();
    }
  }

  /** Time limit for the start of an answer. The package's limit covers all of it and would cut long streams. */
  #beginning(caller: AbortSignal) {
    const over = new AbortController();
    const fail = () => over.abort(new DOMException('The provider did not answer in time.', 'TimeoutError'));
    const timer = setTimeout(fail, this.#options.answerMs ?? answerMsMax);
    return {
      signal: AbortSignal.any([caller, over.signal]),
      done: () => clearTimeout(timer),
      late: (): unknown => (over.signal.aborted ? over.signal.reason : undefined),
    };
  }

  #load(): Promise<GoogleGenAI> {
    this.#client ??= load('@google/genai', import('@google/genai')).then(({ GoogleGenAI: Client }) => {
      const { apiKey, baseUrl } = this.#options;
      const httpOptions = { fetch: fetchHere, ...(baseUrl === undefined ? {} : { baseUrl }) };
      return new Client({ apiKey, vertexai: false, httpOptions });
    });
    return this.#client;
  }
}

function parametersOf({ model, system, messages, maxTokens, temperature }: ChatRequest, signal: AbortSignal) {
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

/** The text parts; the package's getter would log a warning about all others. */
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
