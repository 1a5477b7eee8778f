/** Caches TLS contexts by host, so that only the first connection to a host pays for a signature. */

import { hkdfSync } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { PrivetError } from '../core/errors.ts';
import type { CertificateAuthority } from './ca.ts';
import { createLeafKey, createRsaLeafKey, type Leaf, mintLeaf } from './leaf.ts';
import type { LeafKey } from './leaf-form.ts';
import type { Root } from './root.ts';
import { dayMs, isFarAhead } from './x509.ts';

const clientsMax = 10_000;

/**
 * TLS 1.3 suites and the forward-secret AEAD suites of TLS 1.2. Besides being the modern set, a short list makes a
 * context 0.1 ms cheaper than OpenSSL's default list (0.24 instead of 0.36 ms).
 */
const ciphers = [
  'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** Where a context came from: cached, freshly minted, or refused because the client requested too many. */
export type LeafResult = 'hit' | 'mint' | 'limited';

export type LeafCacheOptions = {
  readonly ca: CertificateAuthority;
  /** Maximum number of cached contexts; 5,000. */
  readonly max?: number;
  /** Maximum lifetime of a context in ms; default and upper limit: half of the leaf's remaining validity. */
  readonly ttlMs?: number;
  /** New leaves that one client may trigger per minute, also the burst size; 600. */
  readonly mintsPerClientPerMinute?: number;
  readonly onResult?: (result: LeafResult) => void;
  readonly now?: () => number;
};

type Entry = {
  readonly leaf: Leaf;
  /** Created for the second connection: most hosts that are seen once are never seen again. */
  context: SecureContext | undefined;
  readonly mintedAtMs: number;
  readonly renewAtMs: number;
  readonly caGeneration: number;
  caVersion: number;
};
type Allowance = { tokens: number; atMs: number };

/**
 * TLS server contexts for hosts. All leaves of the process share one key pair, replaced daily: a key per host would
 * cost memory and time without adding protection, since all keys are in the same process.
 */
export class LeafCache {
  readonly #ca: CertificateAuthority;
  readonly #entries: LRUCache<string, Entry>;
  /** The shared context for first connections, by leaf form. */
  readonly #shared = new LRUCache<object, SecureContext>({ max: 64 });
  readonly #tickets = new TicketKeys();
  readonly #allowances = new LRUCache<string, Allowance>({ max: clientsMax });
  readonly #pending = new Map<string, Promise<SecureContext>>();
  readonly #ttlMs: number;
  readonly #mintsPerMinute: number;
  readonly #onResult: (result: LeafResult) => void;
  readonly #now: () => number;
  #key: { readonly key: LeafKey; readonly untilMs: number } | undefined;
  #rsaKey: { readonly key: Promise<LeafKey>; readonly untilMs: number } | undefined;

  constructor(options: LeafCacheOptions) {
    this.#ca = options.ca;
    this.#entries = new LRUCache({ max: options.max ?? 5_000 });
    this.#ttlMs = options.ttlMs ?? Number.POSITIVE_INFINITY;
    this.#mintsPerMinute = options.mintsPerClientPerMinute ?? 600;
    this.#onResult = options.onResult ?? (() => {});
    this.#now = options.now ?? Date.now;
  }

  /** Number of cached contexts. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * The context for `host` (normalised name, or IP literal without brackets), requested by `client` (an address;
   * minting counts against its limit). Returns a promise only with `rsa`, which gives an RSA-2048 leaf to clients that
   * offer nothing else. Throws (or rejects with) PrivetError `too_many_requests`, or `host_not_covered`.
   * Pass the context to a TLSSocket before the next call. The first connection to a host gets a context shared by all
   * first connections, which holds the most recent certificate. OpenSSL copies the certificate when a connection is
   * created (SSL_new), and a separate context would triple the cost of a leaf.
   */
  contextFor(host: string, client: string, options?: { rsa?: false }): SecureContext;
  contextFor(host: string, client: string, options?: { rsa?: boolean }): SecureContext | Promise<SecureContext>;
  contextFor(host: string, client: string, options: { rsa?: boolean } = {}): SecureContext | Promise<SecureContext> {
    const name = options.rsa ? `${host} rsa` : host;
    const entry = this.#entries.get(name);
    if (entry && this.#isUsable(host, entry)) {
      this.#onResult('hit');
      entry.context ??= contextOf(entry.leaf);
      return this.#withTickets(entry.context);
    }
    const pending = this.#pending.get(name);
    if (pending) return pending;
    this.#spend(client);
    if (!options.rsa) return this.#sharedContext(this.#mint(name, host, this.#currentKey()).leaf);
    const minted = this.#currentRsaKey()
      .then((key) => {
        const entry = this.#mint(name, host, key);
        entry.context = contextOf(entry.leaf);
        return this.#withTickets(entry.context);
      })
      .finally(() => this.#pending.delete(name));
    this.#pending.set(name, minted);
    return minted;
  }

  #isUsable(host: string, entry: Entry): boolean {
    const now = this.#now();
    if (now >= entry.renewAtMs || isFarAhead(entry.mintedAtMs, now)) return false;
    if (entry.caVersion === this.#ca.version) return true;
    entry.caVersion = this.#ca.version;
    return entry.caGeneration === this.#ca.generation && this.#ca.covers(host);
  }

  #mint(name: string, host: string, key: LeafKey): Entry {
    const now = this.#now();
    let leaf: ReturnType<typeof mintLeaf>;
    try {
      leaf = mintLeaf(this.#ca, { host, key, nowMs: now });
    } catch (error) {
      this.#entries.delete(name);
      throw error;
    }
    const renewAtMs = now + Math.min(this.#ttlMs, (leaf.notAfterMs - now) / 2);
    const entry: Entry = {
      leaf,
      context: undefined,
      mintedAtMs: now,
      renewAtMs,
      caGeneration: this.#ca.generation,
      caVersion: this.#ca.version,
    };
    this.#entries.set(name, entry);
    this.#onResult('mint');
    return entry;
  }

  /** The shared context for first connections, with this leaf loaded. Issuer and key stay unchanged. */
  #sharedContext(leaf: Leaf): SecureContext {
    const shared = this.#shared.get(leaf.form);
    if (shared) {
      (shared.context as { setCert(pem: string): void }).setCert(leaf.certPem);
      return this.#withTickets(shared);
    }
    const context = contextOf(leaf);
    this.#shared.set(leaf.form, context);
    return this.#withTickets(context);
  }

  #withTickets(context: SecureContext): SecureContext {
    return this.#tickets.giveTo(context, this.#ca.root, this.#now());
  }

  /** A token bucket per client: starts full and refills evenly over a minute. */
  #spend(client: string): void {
    const now = this.#now();
    let known = this.#allowances.get(client);
    if (known === undefined) {
      known = { tokens: this.#mintsPerMinute, atMs: now };
      this.#allowances.set(client, known);
    }
    // Setting the clock back must not remove tokens.
    const refilled = known.tokens + (Math.max(0, now - known.atMs) * this.#mintsPerMinute) / 60_000;
    const tokens = Math.min(refilled, this.#mintsPerMinute);
    if (tokens < 1) {
      this.#onResult('limited');
      throw new PrivetError('too_many_requests', 'This client requests certificates for too many hosts.');
    }
    known.tokens = tokens - 1;
    known.atMs = now;
  }

  #currentKey(): LeafKey {
    const now = this.#now();
    if (!this.#key || now >= this.#key.untilMs) this.#key = { key: createLeafKey(), untilMs: now + dayMs };
    return this.#key.key;
  }

  #currentRsaKey(): Promise<LeafKey> {
    const now = this.#now();
    if (!this.#rsaKey || now >= this.#rsaKey.untilMs) {
      const key = createRsaLeafKey();
      this.#rsaKey = { key, untilMs: now + dayMs };
      key.catch(() => {
        this.#rsaKey = undefined;
      });
    }
    return this.#rsaKey.key;
  }
}

function contextOf(leaf: Leaf): SecureContext {
  return createSecureContext({
    cert: leaf.certPem + leaf.issuerPem,
    key: leaf.keyPem,
    // An empty list stops Node from attaching its root store, which a server without client certificates never uses.
    ca: [],
    ciphers,
    // Use the server's order: clients that prefer AES-256 to AES-128 would pay for SHA-384 in each handshake (50 µs of
    // 0.55 ms).
    honorCipherOrder: true,
    minVersion: 'TLSv1.2',
  });
}

/** Node's format: 16 bytes of name, 16 of the HMAC key, 16 of the AES key. */
const ticketKeyBytes = 48;

/** Sets the current day's keys on contexts. */
class TicketKeys {
  #keys: { readonly root: Root; readonly day: number; readonly bytes: Buffer } | undefined;
  /** The keys that each context currently has. */
  readonly #given = new WeakMap<SecureContext, Buffer>();

  /** Returns the context with the current keys set. */
  giveTo(context: SecureContext, root: Root, nowMs: number): SecureContext {
    const day = Math.floor(nowMs / dayMs);
    if (this.#keys?.day !== day || this.#keys.root !== root) this.#keys = { root, day, bytes: derive(root, day) };
    const { bytes } = this.#keys;
    if (this.#given.get(context) !== bytes) {
      (context.context as { setTicketKeys(keys: Buffer): void }).setTicketKeys(bytes);
      this.#given.set(context, bytes);
    }
    return context;
  }
}

function derive(root: Root, day: number): Buffer {
  const secret = root.key.export({ type: 'pkcs8', format: 'der' });
  return Buffer.from(hkdfSync('sha256', secret, '', `privet session tickets ${day}`, ticketKeyBytes));
}
