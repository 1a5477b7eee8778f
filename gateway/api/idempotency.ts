/**
 * `Idempotency-Key`: a client can repeat a creating request whose response was lost, and it is created once
 * (draft-ietf-httpapi-idempotency-key-header-07). Any replica can answer the repetition.
 *
 * Claim and response are stored in the vault, which replicas share and durable stores encrypt: the response of POST
 * /admin/keys contains a key. The first request to reserve a token in the key's session has the claim.
 */
import { createHash } from 'node:crypto';
import { PrivetError } from '../../core/errors.ts';
import { type SessionVault, sessionKey, type TokenMap } from '../../core/vault.ts';
import { invalidField } from './validate.ts';

/** How long a response can be repeated. */
const ttlMs = 3_600_000;
const claimed = '[CLAIM_1]';
const answered = '[ANSWER_1]';

export type IdempotentRequest = {
  readonly key: string;
  readonly keyId: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
};

/** A response, and whether it is that of an earlier request. */
export type IdempotentAnswer<T> = { readonly value: T; readonly isReplay: boolean };

/** Processes each request once. */
export class Idempotency {
  readonly #vault: SessionVault;

  constructor(vault: SessionVault) {
    this.#vault = vault;
  }

  /**
   * Does the work, or returns the response of the earlier request with this key. Work that fails releases the key.
   * @throws PrivetError `invalid_input` for a malformed key, or one used with a different request; `conflict` while the
   * first request is in progress; and what the work throws
   */
  async run<T>(request: IdempotentRequest, work: () => T | Promise<T>): Promise<IdempotentAnswer<T>> {
    if (!/^[\x21-\x7e]{1,255}$/.test(request.key)) {
      throw invalidField('Idempotency-Key', 'must have 1 to 255 visible ASCII characters');
    }
    const { keyId, method, path, key, body } = request;
    const session = sessionKey('idempotency', digest(JSON.stringify([keyId, method, path, key])));
    // Two identical requests at the same time must not both win the claim, so each adds a random id.
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
    throw invalidField('Idempotency-Key', 'was used with a different request; use a new one');
  }
  const answer = map?.get(answered);
  if (answer !== undefined) return JSON.parse(answer) as T;
  throw new PrivetError('conflict', 'A request with this Idempotency-Key is still in progress.', {
    hint: 'Send it again in a moment.',
  });
}

const entry = (type: string, value: string) => ({ type, value, label: true });
const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
