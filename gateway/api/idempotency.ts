/**
 * `Idempotency-Key`: a request that creates something can be sent again when its answer was lost, and creates it once
 * (draft-ietf-httpapi-idempotency-key-header-07). Whatever replica gets the second one gives the answer of the first.
 *
 * The claim and the answer are kept in the vault, because it is what all replicas share and what durable stores encrypt: the
 * answer of POST /admin/keys holds a key. The first to reserve a token in the session of a key has claimed it.
 */
import { createHash } from 'node:crypto';
import { PrivetError } from '../../core/errors.ts';
import { type SessionVault, sessionKey, type TokenMap } from '../../core/vault.ts';
import { invalidField } from './validate.ts';

/** How long an answer can be had again. */
const ttlMs = 3_600_000;
const claimed = '[CLAIM_1]';
const answered = '[ANSWER_1]';

/** Who sends what under which key. */
export type IdempotentRequest = {
  readonly key: string;
  readonly keyId: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
};

/** An answer, and whether it is that of an earlier request. */
export type IdempotentAnswer<T> = { readonly value: T; readonly isReplay: boolean };

/** Does each request once. */
export class Idempotency {
  readonly #vault: SessionVault;

  constructor(vault: SessionVault) {
    this.#vault = vault;
  }

  /**
   * Does the work, or gives the answer of the request that had the key before. Work that fails gives the key free.
   * @throws PrivetError `invalid_input` for a key that is none, or that came with another request; `conflict` while the first
   *   request is still worked on; and what the work throws
   */
  async run<T>(request: IdempotentRequest, work: () => T | Promise<T>): Promise<IdempotentAnswer<T>> {
    if (!/^[\x21-\x7e]{1,255}$/.test(request.key)) {
      throw invalidField('Idempotency-Key', 'must have 1 to 255 visible ASCII characters');
    }
    const { keyId, method, path, key, body } = request;
    const session = sessionKey('idempotency', digest(JSON.stringify([keyId, method, path, key])));
    // The same request twice at once must not have one claim: each has a number of its own.
    const mark = `${digest(JSON.stringify(body ?? null))} ${crypto.randomUUID()}`;
    const [claim] = await this.#vault.reserve(session, [entry('CLAIM', mark)], { ttlMs });
    if (claim !== claimed) return { value: earlier<T>(await this.#vault.tokens(session), mark), isReplay: true };
    try {
      const value = await work();
      await this.#vault.reserve(session, [entry('ANSWER', JSON.stringify(value))], { ttlMs });
      return { value, isReplay: false };
    } catch (error) {
      await this.#vault.drop(session);
      throw error;
    }
  }
}

function earlier<T>(map: TokenMap | undefined, mark: string): T {
  const first = map?.get(claimed);
  if (first !== undefined && first.split(' ')[0] !== mark.split(' ')[0]) {
    throw invalidField('Idempotency-Key', 'came with another request before; take a new one');
  }
  const answer = map?.get(answered);
  if (answer !== undefined) return JSON.parse(answer) as T;
  throw new PrivetError('conflict', 'A request with this Idempotency-Key is still being worked on.', {
    hint: 'Send it again in a moment.',
  });
}

const entry = (type: string, value: string) => ({ type, value, label: true });
const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
