/**
 * Basic authentication at the proxy (RFC 7617, RFC 9110 §11.7). A password is verified against its hash once; after
 * that only a keyed hash of the credentials is cached.
 * Guessing is slowed down rather than locked out, because many users can share an address. Past its address's limit, a
 * wrong password gets 429, known credentials still pass, and others are verified after a delay, one at a time per user
 * name.
 */

import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { PrivetError } from '../../../core/errors.ts';
import { utf8Text } from '../../../core/parsing.ts';
import { CidrSet } from '../../../policy/address.ts';
import { Hmac } from '../../hmac.ts';
import type { User } from '../../users/directory.ts';
import { HashPool } from '../../users/hash-pool.ts';
import { SignInLimits } from './sign-in-limits.ts';

/** A named user. */
export type Identity = { readonly user: string; readonly groups: readonly string[] };

/** Users that may sign in; `exempt`: networks whose clients need no credentials. */
export type ProxyAuthOptions = {
  readonly users: ReadonlyMap<string, User>;
  readonly realm: string;
  readonly exempt: readonly string[];
};

const retryAfterSeconds = 10;
/** Maximum length of the field, in characters. */
const fieldLengthMax = 2_048;

/** A hash that matches no password, for unknown names when there are no users. */
const nobody = `$scrypt$ln=15,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Identifies users by the Proxy-Authorization header. */
export class ProxyAuth {
  private users: ReadonlyMap<string, User> = new Map();
  private exempt = new CidrSet([]);
  private challenge = '';
  private readonly pool = new HashPool();
  private readonly key = new Hmac(randomBytes(32));
  /** Verified credentials, by keyed hash; valid while the user has this password hash. */
  private readonly known = new LRUCache<string, Compared>({ max: 10_000 });
  /** Wrong credentials, cached separately so that guesses do not evict verified ones. */
  private readonly wrong = new LRUCache<string, Compared>({ max: 10_000, ttl: 3_600_000 });
  private readonly running = new Map<string, Promise<Identity>>();
  private readonly limits = new SignInLimits();
  private hashes: readonly string[] = [];

  constructor(options: ProxyAuthOptions) {
    this.replace(options);
  }

  /** Applies new users; those with an unchanged password are not verified again. */
  replace({ users, realm, exempt }: ProxyAuthOptions): void {
    this.users = users;
    this.hashes = [...users.values()].map(({ hash }) => hash);
    this.exempt = new CidrSet(exempt);
    // Header fields are bytes that Node treats as Latin-1; the realm is sent as UTF-8, as the field promises.
    this.challenge = Buffer.from(`Basic realm="${realm}", charset="UTF-8"`).toString('latin1');
  }

  /** Headers for an error of {@link identify}, alternating names and values. */
  answerFields(error: PrivetError): string[] {
    if (error.code === 'proxy_auth_required') return ['Proxy-Authenticate', this.challenge];
    return error.code === 'too_many_requests' ? ['Retry-After', String(retryAfterSeconds)] : [];
  }

  /**
   * The user named by the request; undefined without credentials from an exempt network. Throws or rejects with
   * PrivetError `proxy_auth_required` (`details` is `wrong` for wrong credentials), `too_many_requests`, or
   * `unavailable` if passwords cannot be verified now.
   */
  identify(rawHeaders: readonly string[], address: string): Identity | undefined | Promise<Identity> {
    const field = fieldOf(rawHeaders);
    if (field === undefined) {
      if (this.exempt.has(address)) return undefined;
      throw missing();
    }
    if (field.length > fieldLengthMax) throw missing();
    const id = this.key.digest(field).toString('base64');
    const before = this.known.get(id) ?? this.wrong.get(id);
    const user = before && this.users.get(before.name);
    if (before && user?.hash === before.hash) {
      if (!user || !before.matches) throw this.failed(address);
      return { user: user.name, groups: user.groups };
    }
    const credentials = readCredentials(field);
    if (!credentials) throw missing();
    // Concurrent checks of the same credentials are shared, but each address accounts for its own attempt.
    const attempt = `${id} ${address}`;
    let result = this.running.get(attempt);
    if (!result) {
      result = this.verify(id, credentials, address).finally(() => this.running.delete(attempt));
      this.running.set(attempt, result);
    }
    return result;
  }

  private async verify(id: string, { name, password }: Credentials, address: string): Promise<Identity> {
    const leave = await this.limits.enter(address, name);
    if (leave === undefined) throw tooMany();
    try {
      const user = this.users.get(name);
      const matches = await this.pool.verify(password, user?.hash ?? this.decoyFor(name));
      const isRight = user !== undefined && matches;
      (isRight ? this.known : this.wrong).set(id, { name, hash: user?.hash, matches: isRight });
      if (!isRight) throw this.failed(address);
      return { user: user.name, groups: user.groups };
    } finally {
      leave();
    }
  }

  /**
   * The hash to verify an unknown name against. A name always gets the same user's, so that the time taken does not
   * reveal which names exist, whatever hashes the file has.
   */
  private decoyFor(name: string): string {
    const at = this.key.digest(name).readUInt32BE(0) % Math.max(1, this.hashes.length);
    return this.hashes[at] ?? nobody;
  }

  /** Counts a wrong password; returns the error to answer with. */
  private failed(address: string): PrivetError {
    if (!this.limits.fail(address)) return tooMany();
    return new PrivetError('proxy_auth_required', 'The user name or password is wrong.');
  }
}

/** `hash`: what the password was verified against, undefined for an unknown name. */
type Compared = { readonly name: string; readonly hash: string | undefined; readonly matches: boolean };

type Credentials = { readonly name: string; readonly password: string };

/**
 * Name and password of `Basic …`, in UTF-8 as requested, else Latin-1 from older programs (RFC 7617 §2). The password
 * may be empty and may contain colons. Undefined for another scheme or malformed input.
 */
export function readCredentials(field: string): Credentials | undefined {
  const token = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(field.trim())?.[1];
  if (token === undefined) return undefined;
  const bytes = Buffer.from(token, 'base64');
  const text = utf8Text(bytes) ?? bytes.toString('latin1');
  const colon = text.indexOf(':');
  if (colon === -1) return undefined;
  return { name: text.slice(0, colon).normalize('NFC'), password: text.slice(colon + 1).normalize('NFC') };
}

/** The header's value; a repeated one names two users and is invalid (RFC 9110 §5.3). */
function fieldOf(rawHeaders: readonly string[]): string | undefined {
  let found: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length !== 19 || name.toLowerCase() !== 'proxy-authorization') continue;
    if (found !== undefined) throw missing();
    found = rawHeaders[i + 1] as string;
  }
  return found;
}

function missing(): PrivetError {
  return new PrivetError('proxy_auth_required', 'The proxy needs a user name and a password.');
}

function tooMany(): PrivetError {
  return new PrivetError('too_many_requests', 'Too many wrong passwords from your address.');
}
