/**
 * Who may call an endpoint of the API: whoever sends a key, or has signed in to the admin console with one.
 */
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

/** The key of `Authorization: Bearer <key>`; undefined when there is none. RFC 6750 §2.1; the scheme in any case. */
export function bearerKey(request: FastifyRequest): string | undefined {
  const field = request.headers.authorization;
  return field === undefined ? undefined : keyIn(field);
}

function keyIn(field: string): string | undefined {
  return /^bearer +([\x21-\x7e]{1,512}) *$/i.exec(field)?.[1];
}

/**
 * For how long a connection that sends the same key again is not asked anew, unless this process hears of a change of
 * accounts before: a key that another process has revoked ends within it, also while its news may be missed.
 */
const rememberedMs = 1_000;

/** `until`: by a clock that nobody sets (performance.now); `generation`: that of the accounts before they were asked. */
type Remembered = {
  readonly field: string;
  readonly caller: Caller;
  readonly generation: number;
  readonly until: number;
};

/** What is needed of the accounts. */
type Authenticator = Pick<Accounts, 'authenticate' | 'callerOf' | 'generation'>;

/** Wrong keys of one network that are compared at once, and in a second from then on. Short calls compare them twice. */
const wrongKeys = { burst: 60, perSecond: 1 };
/** Keys that were right once and go on being compared while their network may not guess. */
const rightKeysMax = 10_000;

/** What changes nothing needs no proof that a page of ours sends it. RFC 9110 §9.2.1. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Who sends a request, by the key in it or by its session. */
export class Callers {
  readonly #accounts: Authenticator;
  readonly #sessions: ConsoleSessions;
  /** The last caller of each connection: programs send the same key over and over. */
  readonly #last = new WeakMap<Socket, Remembered>();
  readonly #wrong = new Allowances(wrongKeys);
  /** By digest. */
  readonly #right = new LRUCache<string, true>({ max: rightKeysMax });
  readonly #isTrustedProxy: (address: string) => boolean;

  /** `isTrustedProxy`: whether an address is that of a proxy whose X-Forwarded-For is believed. */
  constructor(accounts: Authenticator, sessions: ConsoleSessions, isTrustedProxy: (address: string) => boolean) {
    this.#accounts = accounts;
    this.#sessions = sessions;
    this.#isTrustedProxy = isTrustedProxy;
  }

  /**
   * A hook that lets callers with a key or a session through and notes them at the request; with `admin` only those of
   * that role. It fails with PrivetError `unauthorized` without either, with an unknown or revoked key and with a session
   * that has ended; `forbidden` with a key of another role, and with a session that changes something without its CSRF
   * token; `unavailable` when the store cannot be asked.
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

  /** Whose key the last request of a connection had, while that holds and the field Authorization is the same. */
  last(socket: Socket, field: string): Caller | undefined {
    const last = this.#last.get(socket);
    if (last === undefined || last.generation !== this.#accounts.generation || last.field !== field) return undefined;
    return last.until > performance.now() ? last.caller : undefined;
  }

  /**
   * Whose key is in a field Authorization, where that can be said by the connection alone: undefined for an unknown key, and
   * behind a proxy for one that was not right before. @throws PrivetError `unavailable`, `too_many_requests`.
   */
  async byConnection(socket: Socket, field: string): Promise<Caller | undefined> {
    const address = socket.remoteAddress ?? '';
    const key = keyIn(field);
    if (key === undefined || (this.#isTrustedProxy(address) && !this.#right.has(digestOf(key)))) return undefined;
    return this.#byKey(socket, field, networkOf(address));
  }

  /**
   * Whose key it is; undefined when nobody's. Those that were never right count against the network.
   * @throws PrivetError `unavailable`, and `too_many_requests` for a key that was never right of a network that guesses.
   */
  async #byKey(socket: Socket, field: string, network: string): Promise<Caller | undefined> {
    const key = keyIn(field);
    if (key === undefined) return undefined;
    const digest = digestOf(key);
    const isGuess = !this.#right.has(digest);
    if (isGuess && !this.#wrong.take(network)) {
      throw new PrivetError('too_many_requests', 'Too many unknown keys came from this address.', {
        hint: 'Wait a minute, and check the key.',
      });
    }
    // What changes while they are asked may not be in the answer.
    const { generation } = this.#accounts;
    const caller = await this.#accounts.authenticate(key);
    if (caller !== undefined) {
      this.#right.set(digest, true);
      if (isGuess) this.#wrong.giveBack(network);
      this.#last.set(socket, { field, caller, generation, until: performance.now() + rememberedMs });
    }
    return caller;
  }

  /**
   * Whether an administrator who was let through would still be: false when the key was revoked or the session has ended
   * since. Answers that go on for long ask it. A store that is away changes nothing.
   */
  async isStillAdmin(request: FastifyRequest): Promise<boolean> {
    try {
      return (await this.#callerOf(request))?.role === 'admin';
    } catch (error) {
      if (error instanceof PrivetError) return true;
      throw error;
    }
  }

  /** Who sends the request, as of now. */
  async #callerOf(request: FastifyRequest): Promise<Caller | undefined> {
    if (request.headers.authorization !== undefined) {
      const key = bearerKey(request);
      return key === undefined ? undefined : this.#accounts.authenticate(key);
    }
    const claims = this.#sessions.read(request);
    return claims && this.#accounts.callerOf({ id: claims.key, print: claims.print });
  }

  /**
   * The session of a request when it opens what is for administrators, kept awake by that; undefined without one.
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

/** A session was to change something, and no page of ours is known to have sent that. */
export function csrfMissing(): PrivetError {
  return new PrivetError('forbidden', 'The request does not carry the CSRF token of its session.', {
    hint: 'Send the "csrf" of GET /admin/login as x-csrf-token.',
  });
}

/** What keeps a caller out; undefined when nothing does. */
function admit(request: FastifyRequest, caller: Caller | undefined, role: 'any' | 'admin'): PrivetError | undefined {
  if (caller === undefined) {
    const needed = role === 'admin' ? 'the admin key' : 'a key';
    const isGiven = bearerKey(request) !== undefined;
    return new PrivetError('unauthorized', isGiven ? 'The key is not known.' : `This address needs ${needed}.`);
  }
  if (role === 'admin' && caller.role !== 'admin') {
    return new PrivetError('forbidden', 'This address needs a key with the role admin.', {
      hint: 'Send the admin key (pvt_admin_…).',
    });
  }
  request.caller = caller;
  return undefined;
}
