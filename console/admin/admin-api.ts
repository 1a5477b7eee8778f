/** Calls the API with the console's session. If the session has expired, signs in again and repeats the call. */
import { ApiClient, type CallOptions, type Outcome } from '../shared/http.ts';
import { withServiceName } from './names.ts';

export type AdminCallOptions = CallOptions & {
  /** True for a background call, which neither extends the session nor opens a dialog. */
  readonly isBackground?: boolean;
  /** True for a POST that changes nothing, such as a preview. */
  readonly isReadOnly?: boolean;
};

export class AdminApi {
  /** Fires `change` after each call that may have changed data on the gateway. */
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
