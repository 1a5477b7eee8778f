/**
 * Sessions of the admin console: a signed cookie that records which key signed in and when, so that every replica can
 * verify it without the store, and a list of signed-out sessions.
 * States: live → idle too long or too old (the times in the cookie), signed out (the list), key revoked (checked with
 * the accounts at every request). A live session in use gets a cookie with a newer time.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { PrivetError } from '../../core/errors.ts';
import type { Log } from '../observe/log.ts';
import type { Stores } from '../stores/stores.ts';

export const cookieName = 'privet_admin';
/** A request with this header is the page's own polling and does not keep a session alive. */
const backgroundHeader = 'x-privet-background';

const idleMs = 60 * 60_000;
const absoluteMs = 12 * 60 * 60_000;
/** Tolerated clock difference between replicas. */
const skewMs = 5 * 60_000;
/** A cookie is renewed at this age. */
const renewMs = 60_000;
/** The size that browsers support (RFC 6265 §6.1). */
const cookieLengthMax = 4_096;

const claimsShape = z.strictObject({
  id: z.string(),
  key: z.string(),
  print: z.string(),
  name: z.string(),
  startedAt: z.int(),
  usedAt: z.int(),
});

/** The content of a session. Times in Unix milliseconds. */
export type SessionClaims = z.infer<typeof claimsShape>;

export type ConsoleSessionsOptions = {
  readonly stores: Pick<Stores, 'secret' | 'records' | 'changes' | 'opened'>;
  readonly log: Log;
  readonly now?: () => number;
};

/** Creates, reads and ends sessions. */
export class ConsoleSessions {
  readonly #options: ConsoleSessionsOptions;
  readonly #now: () => number;
  /** Id of a signed-out session → when it would have expired anyway. */
  #ended = new Map<string, number>();

  constructor(options: ConsoleSessionsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    const { stores } = options;
    const follow = () => void this.#follow();
    stores.opened.then(follow, () => {});
    stores.changes.onChange(({ kind }) => {
      if (kind === 'sign-out') follow();
    });
  }

  start(key: Pick<SessionClaims, 'key' | 'print' | 'name'>): SessionClaims {
    const now = this.#now();
    return { id: randomBytes(16).toString('base64url'), ...key, startedAt: now, usedAt: now };
  }

  /** The live session of a request; undefined without one. The caller must check that its key is still valid. */
  read(request: FastifyRequest): SessionClaims | undefined {
    for (const token of cookiesOf(request)) {
      const [payload = '', seal = ''] = token.split('.');
      if (token.length > cookieLengthMax || !isSame(seal, this.#seal('session', payload))) continue;
      const claims = claimsShape.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
      const now = this.#now();
      // A time in the future was set before the clock was set back, and would extend the session by as much.
      const isLive = claims.usedAt <= now + skewMs && this.expiresAt(claims) > now;
      if (isLive && !this.#ended.has(claims.id)) return claims;
    }
    return undefined;
  }

  /** When the session expires if it is not used again, in Unix milliseconds. */
  expiresAt({ startedAt, usedAt }: SessionClaims): number {
    return Math.min(usedAt + idleMs, startedAt + absoluteMs);
  }

  /** The token that unsafe requests must send in `x-csrf-token`. */
  csrfOf({ id }: Pick<SessionClaims, 'id'>): string {
    return this.#seal('csrf', id);
  }

  /** Whether a request carries that token. */
  hasCsrf(request: FastifyRequest, claims: SessionClaims): boolean {
    const sent = request.headers['x-csrf-token'];
    return typeof sent === 'string' && isSame(sent, this.csrfOf(claims));
  }

  /** Sends the session cookie to the browser. */
  send(request: FastifyRequest, reply: FastifyReply, claims: SessionClaims): void {
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const seconds = Math.max(1, Math.ceil((claims.startedAt + absoluteMs - this.#now()) / 1000));
    reply.header('set-cookie', cookie(request, `${payload}.${this.#seal('session', payload)}`, seconds));
  }

  /** Renews the cookie of a session in use, at most once a minute. */
  renew(request: FastifyRequest, reply: FastifyReply, claims: SessionClaims): void {
    const now = this.#now();
    if (now - claims.usedAt < renewMs || request.headers[backgroundHeader] !== undefined) return;
    this.send(request, reply, { ...claims, usedAt: now });
  }

  /** Ends a session: here at once, everywhere within a second; removes the cookie from the browser. */
  async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.header('set-cookie', cookie(request, '', 0));
    const claims = this.read(request);
    if (claims === undefined) return;
    const until = claims.startedAt + absoluteMs;
    const over = [...this.#ended].filter(([, end]) => end <= this.#now()).map(([id]): [string, null] => [id, null]);
    this.#ended.set(claims.id, until);
    try {
      await this.#options.stores.records.write('sign-out', new Map<string, unknown>([[claims.id, { until }], ...over]));
    } catch (error) {
      if (!(error instanceof PrivetError)) throw error;
      this.#options.log.warn(
        { event: 'sign_out_not_shared', error },
        'a sign-out could not be shared with other replicas yet',
      );
    }
  }

  async #follow(): Promise<void> {
    try {
      const { records } = await this.#options.stores.records.list('sign-out');
      const known = [...records].map(([id, value]): [string, number] => [id, (value as { until: number }).until]);
      this.#ended = new Map([...this.#ended, ...known].filter(([, until]) => until > this.#now()));
    } catch (error) {
      this.#options.log.warn(
        { event: 'sign_outs_not_read', error },
        'the sign-outs of other replicas could not be read',
      );
      this.#options.stores.changes.again('sign-out');
    }
  }

  #seal(use: 'session' | 'csrf', text: string): string {
    return createHmac('sha256', this.#options.stores.secret())
      .update(`admin console ${use}\n${text}`)
      .digest('base64url');
  }
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * The values of our cookie (RFC 6265 §4.2.1): another program on this host may have set one with the same name, because
 * cookies ignore ports (§8.5).
 */
function cookiesOf(request: FastifyRequest): string[] {
  const pairs = request.headers.cookie?.split(';').map((pair) => pair.trim()) ?? [];
  return pairs.filter((pair) => pair.startsWith(`${cookieName}=`)).map((pair) => pair.slice(cookieName.length + 1));
}

/** `Secure` if the browser uses TLS to us or to a proxy in front; a client that lies about it harms only itself. */
function cookie(request: FastifyRequest, value: string, seconds: number): string {
  const forwarded = String(request.headers['x-forwarded-proto'] ?? '').split(',', 1)[0];
  const isSecure = request.protocol === 'https' || forwarded?.trim() === 'https';
  return `${cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}
