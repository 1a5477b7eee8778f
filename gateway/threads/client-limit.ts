/** How many long jobs one client may have at a time, those that wait included, so that others find a thread too. */
import { PrivetError } from '../../core/errors.ts';

/** Counts them. */
export class ClientLimit {
  readonly #max: number;
  readonly #message: string;
  readonly #active = new Map<string, number>();

  constructor(options: { readonly max: number; readonly message: string }) {
    this.#max = options.max;
    this.#message = options.message;
  }

  /** Does the work. @throws PrivetError `too_many_requests` when the client has as many at work as it may. */
  async run<T>(client: string, work: () => Promise<T>): Promise<T> {
    const own = this.#active.get(client) ?? 0;
    if (own >= this.#max) {
      throw new PrivetError('too_many_requests', this.#message, {
        hint: 'Wait for the answers, then send the next one; or send smaller ones.',
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
