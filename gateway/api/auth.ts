/** API authentication: callers present a key, or have signed in to the admin console with one. */
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { LRUCache } from 'lru-cache';
import { PrivetError } from '../../core/errors.ts';
import { Allowances } from '../allowances.ts';
import { networkOf } from '../client-network.ts';
import type { Accounts, Caller } from '../stores/accounts.ts';
import { clientAddress } from './client-address.ts';
import type { ConsoleSessions, SessionClaims } from './sign-in.ts';

/**
 * The key in `Authorization: Bearer <key>`; undefined when there is none. RFC 6750 §2.1; the scheme is
 * case-insensitive.
 */
export function bearerKey(request: FastifyRequest): string | undefined {
  const field = request.headers.authorization;
  return field === undefined ? undefined : keyIn(field);
}

function keyIn(field: string): string | undefined {
  return /^bearer +([\x21-\x7e]{1,512}) *$/i.exec(field)?.[1];
}

/**
 * How long a connection may repeat its key without another look-up, unless accounts change: a key revoked by another
 * process stops working within this time even if its notification is missed.
 */
const rememberedMs = 1_000;

/** `until`: monotonic time (performance.now); `generation`: that of the accounts before the look-up. */
type Remembered = {
  readonly field: string;
  readonly caller: Caller;
  readonly generation: number;
  readonly until: number;
};

type Authenticator = Pick<Accounts, 'authenticate' | 'callerOf' | 'generation'>;

/** Unknown keys looked up per network: a burst, then a rate per second. Fast-path calls look them up twice. */
const wrongKeys = { burst: 60, perSecond: 1 };
/** Number of known-good keys that are still looked up while their network is being limited. */
const rightKeysMax = 10_000;

/** Safe methods change nothing, so they need no CSRF token. RFC 9110 §9.2.1. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The owner of a key, if there is one, and the generation of the accounts that it was looked up in. */
type Found = { readonly caller: Caller | undefined; readonly generation: number };

/** Finds the sender of a request by its key or its session. */
export class Callers {
  readonly #accounts: Authenticator;
  readonly #sessions: ConsoleSessions;
  /** The last caller of each connection: programs repeat the same key. */
  readonly #last = new WeakMap<Socket, Remembered>();
  readonly #wrong = new Allowances(wrongKeys);
  /** By digest. */
  readonly #firstLookUps = new Map<string, Promise<Found>>();
  /** By digest. */
  readonly #right = new LRUCache<string, true>({ max: rightKeysMax });
  readonly #isTrustedProxy: (address: string) => boolean;

  /** `isTrustedProxy`: whether the X-Forwarded-For of this address is trusted. */
  constructor(accounts: Authenticator, sessions: ConsoleSessions, isTrustedProxy: (address: string) => boolean) {
    this.#accounts = accounts;
    this.#sessions = sessions;
    this.#isTrustedProxy = isTrustedProxy;
  }

  /**
   * A hook that admits callers with a key or session and attaches them to the request; with `admin` only that role.
   * Fails with PrivetError `unauthorized` without a valid key or session; `forbidden` for a key of another role, and
   * for an unsafe request of a session without its CSRF token; `unavailable` when the store cannot be reached.
   */
  require(role: 'any' | 'admin'): onRequestHookHandler {
    return (request, reply, done) => {
      const { authorization: field } = request.headers;
      const last = field === undefined ? undefined : this.last(request.socket, field);
      if (last !== undefined) return done(admit(request, last, role));
      const asking =
        field === undefined
          ? this.#bySession(request, reply)
          : this.#byKey(request.socket, field, networkOf(clientAddress(request)));
      asking.then(
        (caller) => done(admit(request, caller, role)),
        (error: Error) => done(error),
      );
    };
  }

  /** The cached caller of a connection, while valid and while the Authorization field is the same. */
  last(socket: Socket, field: string): Caller | undefined {
    const last = this.#last.get(socket);
    if (last === undefined || last.generation !== this.#accounts.generation || last.field !== field) return undefined;
    return last.until > performance.now() ? last.caller : undefined;
  }

  /**
   * The owner of the key in an Authorization field, if the connection alone identifies the client: undefined for an
   * unknown key, and behind a proxy for a key not seen before. @throws PrivetError `unavailable`, `too_many_requests`.
   */
  async byConnection(socket: Socket, field: string): Promise<Caller | undefined> {
    const address = socket.remoteAddress ?? '';
    const key = keyIn(field);
    if (key === undefined || (this.#isTrustedProxy(address) && !this.#right.has(digestOf(key)))) return undefined;
    return this.#byKey(socket, field, networkOf(address));
  }

  /**
   * The owner of a key; undefined if there is none. Unknown keys count against the network's limit.
   * @throws PrivetError `unavailable`, and `too_many_requests` for an unknown key from a network over the limit.
   */
  async #byKey(socket: Socket, field: string, network: string): Promise<Caller | undefined> {
    const key = keyIn(field);
    if (key === undefined) return undefined;
    const digest = digestOf(key);
    const { caller, generation } = await (this.#right.has(digest)
      ? this.#lookUp(key)
      : this.#firstLookUp(key, digest, network));
    if (caller !== undefined)
      this.#last.set(socket, { field, caller, generation, until: performance.now() + rememberedMs });
    return caller;
  }

  /** Looks up a key that may be a guess. Calls that bring the same key at the same time share one look-up. */
  #firstLookUp(key: string, digest: string, network: string): Promise<Found> {
    const running = this.#firstLookUps.get(digest);
    if (running !== undefined) return running;
    if (!this.#wrong.take(network)) {
      throw new PrivetError('too_many_requests', 'Too many unknown keys from this address.', {
        hint: 'Wait a minute, and check the key.',
      });
    }
    const lookUp = this.#lookUp(key)
      .then((found) => {
        if (found.caller === undefined) return found;
        this.#right.set(digest, true);
        this.#wrong.giveBack(network);
        return found;
      })
      .finally(() => this.#firstLookUps.delete(digest));
    this.#firstLookUps.set(digest, lookUp);
    return lookUp;
  }

  async #lookUp(key: string): Promise<Found> {
    // Changes made during the look-up may not be in its result.
    const { generation } = this.#accounts;
    return { caller: await this.#accounts.authenticate(key), generation };
  }

  /**
   * Whether an administrator is still admitted: false once the key is revoked or the session has ended. For long
   * responses. An unavailable store changes nothing.
   */
  async isStillAdmin(request: FastifyRequest): Promise<boolean> {
    try {
      return (await this.#callerOf(request))?.role === 'admin';
    } catch (error) {
      if (error instanceof PrivetError) return true;
      throw error;
    }
  }

  async #callerOf(request: FastifyRequest): Promise<Caller | undefined> {
    if (request.headers.authorization !== undefined) {
      const key = bearerKey(request);
      return key === undefined ? undefined : this.#accounts.authenticate(key);
    }
    const claims = this.#sessions.read(request);
    return claims && this.#accounts.callerOf({ id: claims.key, print: claims.print });
  }

  /**
   * The session of a request if it gives access to the admin endpoints; renews it. Undefined without one.
   * @throws PrivetError `unavailable`.
   */
  async sessionOf(request: FastifyRequest, reply: FastifyReply): Promise<SessionClaims | undefined> {
    const claims = this.#sessions.read(request);
    const caller = claims && (await this.#accounts.callerOf({ id: claims.key, print: claims.print }));
    if (claims === undefined || caller?.role !== 'admin') return undefined;
    this.#sessions.renew(request, reply, claims);
    return claims;
  }

  async #bySession(request: FastifyRequest, reply: FastifyReply): Promise<Caller | undefined> {
    const claims = this.#sessions.read(request);
    const caller = await this.#callerOf(request);
    if (claims === undefined || caller === undefined) return undefined;
    if (!safeMethods.has(request.method) && !this.#sessions.hasCsrf(request, claims)) throw csrfMissing();
    this.#sessions.renew(request, reply, claims);
    return caller;
  }
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}

/** An unsafe request of a session without proof that our own page sent it. */
export function csrfMissing(): PrivetError {
  return new PrivetError('forbidden', 'The request does not carry the CSRF token of its session.', {
    hint: 'Send the "csrf" of GET /admin/login as x-csrf-token.',
  });
}

/** The error for a caller without access; undefined if access is granted. */
function admit(request: FastifyRequest, caller: Caller | undefined, role: 'any' | 'admin'): PrivetError | undefined {
  if (caller === undefined) {
    const needed = role === 'admin' ? 'the admin key' : 'a key';
    const isGiven = bearerKey(request) !== undefined;
    return new PrivetError('unauthorized', isGiven ? 'The key is unknown.' : `This endpoint needs ${needed}.`);
  }
  if (role === 'admin' && caller.role !== 'admin') {
    return new PrivetError('forbidden', 'This endpoint needs a key with the role admin.', {
      hint: 'Send the admin key (pvt_admin_…).',
    });
  }
  request.caller = caller;
  return undefined;
}
