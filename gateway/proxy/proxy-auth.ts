/**
 * Basic authentication at the proxy (RFC 7617, RFC 9110 §11.7). A password is compared with its hash once; after that a
 * keyed hash of the credentials is known, never the credentials themselves.
 *
 * Guessing is slowed down, not locked out, because many people can share an address: past the limit of its address a
 * wrong password is answered 429, known credentials pass as always, and others are looked at after a delay, one at a
 * time for each user name.
 */
import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { PrivetError } from '../../core/errors.ts';
import { CidrSet } from '../../policy/address.ts';
import { Hmac } from '../hmac.ts';
import type { User } from '../users/directory.ts';
import { HashPool } from '../users/hash-pool.ts';
import { headerValue } from './headers.ts';

/** A user who is known by name. */
export type Identity = { readonly user: string; readonly groups: readonly string[] };

/** Who may sign in; `exempt`: networks whose clients may go without credentials. */
export type ProxyAuthOptions = {
  readonly users: ReadonlyMap<string, User>;
  readonly realm: string;
  readonly exempt: readonly string[];
};

/** Wrong passwords of one address that are answered at once, and how many it gets back in a minute. */
const failuresMax = 10;
/** How long credentials that are not known yet wait past the limit, in milliseconds. */
const delayMs = 2_000;
/** User names of one address that may wait at the same time. */
const waitingMax = 16;
const retryAfterSeconds = 10;
/** Longest field that is looked at, in characters. */
const fieldLengthMax = 2_048;

/** What nobody's password has; compared with where a name is unknown, so that both take the same time. */
const nobody = `$scrypt$ln=15,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Tells who sends by the field Proxy-Authorization. */
export class ProxyAuth {
  private users: ReadonlyMap<string, User> = new Map();
  private exempt = new CidrSet([]);
  private challenge = '';
  private readonly pool = new HashPool();
  private readonly key = new Hmac(randomBytes(32));
  /** What came of comparing credentials, by their keyed hash; it holds for as long as the user has this hash. */
  private readonly compared = new LRUCache<string, Compared>({ max: 10_000, ttl: 3_600_000 });
  private readonly running = new Map<string, Promise<Identity>>();
  private readonly failures = new LRUCache<string, { left: number; at: number }>({ max: 10_000 });
  private readonly waiting = new Map<string, Set<string>>();

  constructor(options: ProxyAuthOptions) {
    this.replace(options);
  }

  /** Takes other users; those whose password stays are not asked again. */
  replace({ users, realm, exempt }: ProxyAuthOptions): void {
    this.users = users;
    this.exempt = new CidrSet(exempt);
    this.challenge = `Basic realm="${realm}", charset="UTF-8"`;
  }

  /** Header fields of the answer to an error of {@link identify}, names and values alternating. */
  answerFields(error: PrivetError): string[] {
    if (error.code === 'proxy_auth_required') return ['Proxy-Authenticate', this.challenge];
    return error.code === 'too_many_requests' ? ['Retry-After', String(retryAfterSeconds)] : [];
  }

  /**
   * The user that the request names, undefined for one without credentials from an exempt network.
   * Throws or rejects with PrivetError `proxy_auth_required` (`details` is `wrong` when credentials were given),
   * `too_many_requests`, or `unavailable` when passwords cannot be compared now.
   */
  identify(rawHeaders: readonly string[], address: string): Identity | undefined | Promise<Identity> {
    const field = headerValue(rawHeaders, 'proxy-authorization');
    if (field === undefined) {
      if (this.exempt.has(address)) return undefined;
      throw missing();
    }
    if (field.length > fieldLengthMax) throw missing();
    const id = this.key.digest(field).toString('base64');
    const before = this.compared.get(id);
    const user = before && this.users.get(before.name);
    if (before && user?.hash === before.hash) {
      if (!user || !before.matches) throw this.failed(address);
      return { user: user.name, groups: user.groups };
    }
    const credentials = readCredentials(field);
    if (!credentials) throw missing();
    let result = this.running.get(id);
    if (!result) {
      result = this.verify(id, credentials, address).finally(() => {
        if (this.running.get(id) === result) this.running.delete(id);
      });
      this.running.set(id, result);
    }
    return result;
  }

  private async verify(id: string, { name, password }: Credentials, address: string): Promise<Identity> {
    const leave = this.failuresLeft(address) < 1 ? await this.delay(address, name) : undefined;
    try {
      const user = this.users.get(name);
      const matches = await this.pool.verify(password, user?.hash ?? nobody);
      this.compared.set(id, { name, hash: user?.hash, matches });
      if (!user || !matches) throw this.failed(address);
      return { user: user.name, groups: user.groups };
    } finally {
      leave?.();
    }
  }

  /** Waits past the limit; throws when another attempt for this name waits already. */
  private async delay(address: string, name: string): Promise<() => void> {
    const names = this.waiting.get(address) ?? new Set();
    if (names.has(name) || names.size >= waitingMax) throw tooMany();
    names.add(name);
    this.waiting.set(address, names);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    return () => {
      names.delete(name);
      if (names.size === 0) this.waiting.delete(address);
    };
  }

  /** Counts a wrong password; the error that answers it. */
  private failed(address: string): PrivetError {
    const left = this.failuresLeft(address);
    this.failures.set(address, { left: Math.max(0, left - 1), at: performance.now() });
    if (left < 1) return tooMany();
    return new PrivetError('proxy_auth_required', 'The proxy does not know this user name with this password.');
  }

  private failuresLeft(address: string): number {
    const entry = this.failures.get(address);
    if (!entry) return failuresMax;
    return Math.min(failuresMax, entry.left + ((performance.now() - entry.at) * failuresMax) / 60_000);
  }
}

/** `hash`: what was compared with, none for a name that nobody has. */
type Compared = { readonly name: string; readonly hash: string | undefined; readonly matches: boolean };

type Credentials = { readonly name: string; readonly password: string };

/**
 * Name and password of `Basic …`: UTF-8 as we ask for, else Latin-1, which older programs send (RFC 7617 §2). The
 * password may be empty and may hold colons. Undefined for another scheme or what is not well formed.
 */
export function readCredentials(field: string): Credentials | undefined {
  const token = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(field.trim())?.[1];
  if (token === undefined) return undefined;
  const bytes = Buffer.from(token, 'base64');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    text = bytes.toString('latin1');
  }
  const colon = text.indexOf(':');
  if (colon === -1) return undefined;
  return { name: text.slice(0, colon).normalize('NFC'), password: text.slice(colon + 1).normalize('NFC') };
}

function missing(): PrivetError {
  return new PrivetError('proxy_auth_required', 'The proxy needs a user name and a password.');
}

function tooMany(): PrivetError {
  return new PrivetError('too_many_requests', 'Too many wrong passwords came from your address.');
}
