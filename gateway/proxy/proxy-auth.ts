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
import { SignInLimits } from './sign-in-limits.ts';

/** A user who is known by name. */
export type Identity = { readonly user: string; readonly groups: readonly string[] };

/** Who may sign in; `exempt`: networks whose clients may go without credentials. */
export type ProxyAuthOptions = {
  readonly users: ReadonlyMap<string, User>;
  readonly realm: string;
  readonly exempt: readonly string[];
};

const retryAfterSeconds = 10;
/** Longest field that is looked at, in characters. */
const fieldLengthMax = 2_048;

/** What nobody's password has; compared with where a name is unknown and there are no users whose hash could be. */
const nobody = `$scrypt$ln=15,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Tells who sends by the field Proxy-Authorization. */
export class ProxyAuth {
  private users: ReadonlyMap<string, User> = new Map();
  private exempt = new CidrSet([]);
  private challenge = '';
  private readonly pool = new HashPool();
  private readonly key = new Hmac(randomBytes(32));
  /** Credentials that were right, by their keyed hash; they hold for as long as the user has this hash. */
  private readonly known = new LRUCache<string, Compared>({ max: 10_000 });
  /** Credentials that were wrong, apart from the others, so that guesses do not push those out. */
  private readonly wrong = new LRUCache<string, Compared>({ max: 10_000, ttl: 3_600_000 });
  private readonly running = new Map<string, Promise<Identity>>();
  private readonly limits = new SignInLimits();
  private hashes: readonly string[] = [];

  constructor(options: ProxyAuthOptions) {
    this.replace(options);
  }

  /** Takes other users; those whose password stays are not asked again. */
  replace({ users, realm, exempt }: ProxyAuthOptions): void {
    this.users = users;
    this.hashes = [...users.values()].map(({ hash }) => hash);
    this.exempt = new CidrSet(exempt);
    // Header fields are bytes that node takes as Latin-1; the realm goes out as the UTF-8 that the field promises.
    this.challenge = Buffer.from(`Basic realm="${realm}", charset="UTF-8"`).toString('latin1');
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
    // What is compared already is compared once, but each address answers for its own attempt.
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
   * The hash that is compared with where nobody has the name: that of some user, always the same one, so that the time
   * it takes does not tell which names there are, whatever kinds of hashes the file holds.
   */
  private decoyFor(name: string): string {
    const at = this.key.digest(name).readUInt32BE(0) % Math.max(1, this.hashes.length);
    return this.hashes[at] ?? nobody;
  }

  /** Counts a wrong password; the error that answers it. */
  private failed(address: string): PrivetError {
    if (!this.limits.fail(address)) return tooMany();
    return new PrivetError('proxy_auth_required', 'The proxy does not know this user name with this password.');
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

/** The field; one that comes twice names two users, and is no credentials (RFC 9110 §5.3). */
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
  return new PrivetError('too_many_requests', 'Too many wrong passwords came from your address.');
}
