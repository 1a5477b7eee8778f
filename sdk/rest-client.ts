/** The two calls that need a Privet server: a masked chat, and the text of an uploaded file. */

import { type ErrorCode, errorCodes, PrivetError } from '../core/errors.ts';
import { parseJson } from '../core/parsing.ts';
import type { ChatEvent, ChatRequest, ChatResult, UploadResult } from './rest-types.ts';

/** The address of the server, and its key. */
export type RestClientOptions = { readonly apiKey?: string | undefined; readonly baseUrl?: string | undefined };

/** Options of one call. */
export type CallOptions = { readonly signal?: AbortSignal };

/** The calls. Every result is the JSON of the REST API. */
export interface RestClient {
  /**
   * `POST /chat`: the server masks, calls the provider and restores. With `stream: true` the result is an async
   * iterable of the events.
   * @throws PrivetError `invalid_input` without `apiKey` and `baseUrl`, or the error of the server
   */
  chat(
    request: ChatRequest & { readonly stream: true },
    options?: CallOptions,
  ): Promise<AsyncGenerator<ChatEvent, void>>;
  chat(request: ChatRequest & { readonly stream?: false }, options?: CallOptions): Promise<ChatResult>;
  /** `POST /upload`: text and masked text of a document. @throws PrivetError as `chat` */
  upload(file: Blob, options?: CallOptions & { readonly filename?: string }): Promise<UploadResult>;
}

/** The calls to the server at `baseUrl`. Without `apiKey` and `baseUrl`, each throws PrivetError `invalid_input`. */
export function createRestClient({ apiKey, baseUrl }: RestClientOptions): RestClient {
  const post = async (path: string, body: string | FormData, options: CallOptions): Promise<Response> => {
    if (apiKey === undefined || baseUrl === undefined) {
      throw new PrivetError('invalid_input', `${path} needs a Privet server.`, {
        hint: 'Pass apiKey and baseUrl to createPrivet; all other calls work without them.',
      });
    }
    const headers = new Headers({ authorization: `Bearer ${apiKey}` });
    if (typeof body === 'string') headers.set('content-type', 'application/json');
    const { signal } = options;
    let response: Response;
    try {
      response = await fetch(`${baseUrl.replace(/\/+$/, '')}${path}`, {
        method: 'POST',
        headers,
        body,
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new PrivetError('unavailable', 'The Privet server cannot be reached.', { cause });
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  };
  return {
    chat: (async (request: ChatRequest, options: CallOptions = {}) => {
      const response = await post('/chat', JSON.stringify(request), options);
      return request.stream === true ? events(response) : response.json();
    }) as RestClient['chat'],
    upload: async (file, { filename, ...options } = {}) => {
      const form = new FormData();
      form.append('file', file, filename ?? (file as { name?: string }).name ?? 'file');
      return (await post('/upload', form, options)).json() as Promise<UploadResult>;
    },
  };
}

async function errorOf(response: Response): Promise<PrivetError> {
  const body = (await response.json().catch(() => undefined)) as
    | { error?: { code?: string; message?: string; hint?: string; details?: unknown } }
    | undefined;
  const { code = '', message = `The server answered ${response.status}.`, hint, details } = body?.error ?? {};
  const known = Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : codeOf(response.status);
  return new PrivetError(known, message, { details, ...(hint === undefined ? {} : { hint }) });
}

function codeOf(status: number): ErrorCode {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  return codes.find((code) => errorCodes[code].status === status) ?? (status < 500 ? 'bad_request' : 'upstream_failed');
}

/** The data of server-sent events (WHATWG HTML, section 9.2) as JSON, where it is JSON. */
async function* events(response: Response): AsyncGenerator<unknown, void> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunksOf(response.body)) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block
        .split(/\r?\n/)
        .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []))
        .join('\n');
      if (data === '[DONE]') return;
      if (data !== '') yield parseJson(data) ?? data;
    }
  }
}

/** Iterates over a stream; not every browser can do so directly. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
