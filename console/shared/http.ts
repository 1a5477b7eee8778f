/**
 * Calls of the API. Nothing is thrown: a call ends with a response or with a problem that explains the failure, so that
 * the page can show it next to the input.
 */
import { parseJson } from '../../core/parsing.ts';
import type { Said } from './sentences.ts';

/** Why a call failed. */
export type Problem = {
  readonly kind:
    | 'away' // no response: the server or the network is down
    | 'unauthorized' // 401
    | 'credits' // 402
    | 'forbidden' // 403
    | 'refused' // 403 because of the content of the message
    | 'missing' // 404
    | 'conflict' // 409
    | 'invalid' // 400, 413, 415, 422
    | 'limited' // 429
    | 'unavailable' // 502, 503, 504
    | 'failed'; // 500 and everything else
  /** 0 without a response. */
  readonly status: number;
  readonly code: string;
  /** The server's message, in the language of the page. */
  readonly message: string;
  readonly hint?: string;
  /** For 422 the fields, else additional data from the server. */
  readonly details?: unknown;
  readonly requestId?: string;
  /** When to try again, as a time of `Date.now()`, if the server says so. */
  readonly retryAt?: number;
};

type Seen = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Duration in milliseconds. */
  readonly tookMs: number;
};

/** The result of a call. */
export type Outcome<T> =
  | ({ readonly ok: true; readonly body: T } & Seen)
  | { readonly ok: false; readonly problem: Problem; readonly seen?: Seen };

export type CallOptions = {
  /** The body as JSON. */
  readonly json?: unknown;
  /** A form; the browser sets its type. */
  readonly form?: FormData;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Headers; those without a value are not sent. */
type Fields = Readonly<Record<string, string | undefined>>;

/** A client of this origin's API; `fields` returns the headers of every call (key, CSRF token). */
export class ApiClient {
  readonly #fields: (method: string) => Fields;
  readonly #credentials: RequestCredentials;

  /** `credentials: 'omit'` excludes cookies, so that only the headers authenticate a call. */
  constructor(fields: (method: string) => Fields = () => ({}), credentials: RequestCredentials = 'same-origin') {
    this.#fields = fields;
    this.#credentials = credentials;
  }

  get<T>(path: string, options: CallOptions = {}): Promise<Outcome<T>> {
    return this.call<T>('GET', path, options);
  }

  post<T>(path: string, json: unknown, options: CallOptions = {}): Promise<Outcome<T>> {
    return this.call<T>('POST', path, { ...options, json });
  }

  /** Any call. The response is read completely; for streams see {@link stream}. */
  async call<T>(method: string, path: string, options: CallOptions = {}): Promise<Outcome<T>> {
    const begun = performance.now();
    try {
      const response = await this.#fetch(method, path, options);
      const text = await response.text();
      const seen = { status: response.status, headers: response.headers, text, tookMs: performance.now() - begun };
      const body = parseJson(text);
      if (response.ok) return { ok: true, body: (isJson(response) ? body : text) as T, ...seen };
      return { ok: false, problem: await problemOf(response, body), seen };
    } catch (error) {
      return { ok: false, problem: awayFrom(error) };
    }
  }

  /** A call with server-sent events: passes on the parsed data of each. Resolves to a problem if it fails. */
  async stream(
    method: string,
    path: string,
    { onData, ...options }: CallOptions & { readonly onData: (data: unknown) => void },
  ): Promise<Problem | undefined> {
    try {
      const response = await this.#fetch(method, path, options);
      if (!response.ok) return problemOf(response, parseJson(await response.text()));
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done) return undefined;
        const events = (rest + value).split('\n\n');
        rest = events.pop() ?? '';
        for (const event of events) {
          const data = event
            .split('\n')
            .filter((line) => line.startsWith('data:'))
            .map((line) => line.slice(5).trimStart())
            .join('\n');
          if (data !== '' && data !== '[DONE]') onData(parseJson(data));
        }
      }
    } catch (error) {
      return awayFrom(error);
    }
  }

  #fetch(method: string, path: string, { json, form, signal, headers }: CallOptions): Promise<Response> {
    return fetch(path, {
      method,
      headers: {
        accept: 'application/json',
        ...withoutUndefined(this.#fields(method)),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? (form === undefined ? {} : { body: form }) : { body: JSON.stringify(json) }),
      ...(signal === undefined ? {} : { signal }),
      credentials: this.#credentials,
      cache: 'no-store',
      redirect: 'error',
    });
  }
}

const kinds: Readonly<Record<number, Problem['kind']>> = {
  400: 'invalid',
  401: 'unauthorized',
  402: 'credits',
  403: 'forbidden',
  404: 'missing',
  409: 'conflict',
  413: 'invalid',
  415: 'invalid',
  422: 'invalid',
  429: 'limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

const problemOf = (response: Response, body: unknown): Promise<Problem> =>
  inPageLanguage(englishProblem(response, body));

/** The server's error in the language of the page; the catalog is loaded with the first error. */
export async function inPageLanguage<T extends Said>(problem: T): Promise<T> {
  if (document.documentElement.lang !== 'ja') return problem;
  return import('./sentences.ts').then(
    ({ problemInJapanese }) => problemInJapanese(problem),
    () => problem,
  );
}

function englishProblem(response: Response, body: unknown): Problem {
  const error = ((body as { error?: unknown } | undefined)?.error ?? {}) as Record<string, unknown>;
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  const requestId = text(error.requestId) ?? response.headers.get('x-request-id') ?? undefined;
  const hint = text(error.hint);
  return {
    kind: error.code === 'blocked_by_policy' ? 'refused' : (kinds[response.status] ?? 'failed'),
    status: response.status,
    code: text(error.code) ?? '',
    message: text(error.message) ?? response.statusText,
    ...(hint === undefined ? {} : { hint }),
    ...(error.details === undefined ? {} : { details: error.details }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(Number.isFinite(after) ? { retryAt: Date.now() + after * 1000 } : {}),
  };
}

function awayFrom(error: unknown): Problem {
  const isStopped = error instanceof DOMException && error.name === 'AbortError';
  return { kind: 'away', status: 0, code: isStopped ? 'stopped' : 'away', message: '' };
}

function withoutUndefined(fields: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  );
}

function isJson(response: Response): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/.test(response.headers.get('content-type') ?? '');
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
