/** Calls of the API with the session of the console. A session that has ended is signed in again, and the call repeated. */
import { ApiClient, type CallOptions, type Outcome } from '../shared/http.ts';
import { withServiceName } from './names.ts';

/** What `GET /admin/login` says. */
export type Session = { readonly csrf: string; readonly name: string; readonly expires_at: string };

export type AdminCallOptions = CallOptions & {
  /** A background call: it does not extend the session and opens no dialog. */
  readonly isBackground?: boolean;
  /** A POST that changes nothing, such as a preview. */
  readonly isReadOnly?: boolean;
};

export class AdminApi {
  /** Fires `change` after each call that may have changed something on the gateway. */
  readonly changes = new EventTarget();
  readonly #client: ApiClient;
  readonly #signInAgain: () => Promise<boolean>;

  /** `signInAgain` resolves to true after a new sign-in, to false if it was cancelled. */
  constructor(csrf: () => string, signInAgain: () => Promise<boolean>) {
    this.#client = new ApiClient((): Record<string, string> => ({ 'x-csrf-token': csrf() }));
    this.#signInAgain = signInAgain;
  }

  get<T>(path: string, options: AdminCallOptions = {}): Promise<Outcome<T>> {
    return this.#call<T>('GET', path, options);
  }

  post<T>(path: string, json?: unknown, options: AdminCallOptions = {}): Promise<Outcome<T>> {
    return this.#call<T>('POST', path, { ...options, json });
  }

  put<T>(path: string, json: unknown): Promise<Outcome<T>> {
    return this.#call<T>('PUT', path, { json });
  }

  patch<T>(path: string, json: unknown): Promise<Outcome<T>> {
    return this.#call<T>('PATCH', path, { json });
  }

  delete<T>(path: string): Promise<Outcome<T>> {
    return this.#call<T>('DELETE', path, {});
  }

  async #call<T>(
    method: string,
    path: string,
    { isBackground, isReadOnly, ...options }: AdminCallOptions,
  ): Promise<Outcome<T>> {
    const ask = async (): Promise<Outcome<T>> => {
      const outcome = await this.#client.call<T>(method, path, {
        ...options,
        headers: { ...options.headers, ...(isBackground ? { 'x-privet-background': '1' } : {}) },
      });
      return outcome.ok ? outcome : { ...outcome, problem: await withServiceName(outcome.problem, this) };
    };
    let outcome = await ask();
    if (!outcome.ok && outcome.problem.kind === 'unauthorized' && !isBackground && (await this.#signInAgain())) {
      outcome = await ask();
    }
    if (outcome.ok && method !== 'GET' && !isReadOnly) this.changes.dispatchEvent(new Event('change'));
    return outcome;
  }
}
