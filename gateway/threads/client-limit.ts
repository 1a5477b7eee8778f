/** Limits a client's concurrent long jobs, including waiting ones, so that other clients get a thread too. */
import { PrivetError } from '../../core/errors.ts';

/** Counts the jobs per client. */
export class ClientLimit {
  readonly #max: number;
  readonly #message: string;
  readonly #active = new Map<string, number>();

  constructor(options: { readonly max: number; readonly message: string }) {
    this.#max = options.max;
    this.#message = options.message;
  }

  /** Runs the work. @throws PrivetError `too_many_requests` if the client is at its limit */
  async run<T>(client: string, work: () => Promise<T>): Promise<T> {
    const own = this.#active.get(client) ?? 0;
    if (own >= this.#max) {
      throw new PrivetError('too_many_requests', this.#message, {
        hint: 'Wait for the responses before you send the next request, or send smaller ones.',
      });
    }
    this.#active.set(client, own + 1);
    try {
      return await work();
    } finally {
      const left = (this.#active.get(client) ?? 1) - 1;
      if (left > 0) this.#active.set(client, left);
      else this.#active.delete(client);
    }
  }
}
