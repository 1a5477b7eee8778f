/**
 * Empty certificate revocation lists (RFC 5280 §5). Nothing is ever revoked: issuing keys live for weeks in one process.
 * They exist for Windows programs, which refuse a certificate whose issuer says nothing about revocation.
 */
import type { KeyObject } from 'node:crypto';
import type { Der } from './der.ts';
import * as x509 from './x509.ts';

/** A list holds for a week and is made anew every day. */
const validMs = 7 * x509.dayMs;
const freshMs = x509.dayMs;
/** Clocks of clients may be late. */
const backdateMs = 3_600_000;
const issuersMax = 2_000;

type Issuer = { readonly subject: Der; readonly key: KeyObject; readonly keyIdentifier: Uint8Array };

/** The lists of all issuers of this process, by id. */
export class RevocationLists {
  readonly #issuers = new Map<string, Issuer>();
  readonly #made = new Map<string, { readonly der: Buffer; readonly atMs: number }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Adds an issuer and returns the id of its list; the oldest issuers make room. */
  add(issuer: Issuer): string {
    const id = Buffer.from(issuer.keyIdentifier).toString('hex', 0, 8);
    if (this.#issuers.size >= issuersMax && !this.#issuers.has(id)) {
      const oldest = this.#issuers.keys().next().value as string;
      this.#issuers.delete(oldest);
      this.#made.delete(oldest);
    }
    this.#issuers.set(id, issuer);
    return id;
  }

  /** The list of an issuer as DER; undefined for ids of other processes. */
  get(id: string): Buffer | undefined {
    const issuer = this.#issuers.get(id);
    if (issuer === undefined) return undefined;
    const now = this.#now();
    const made = this.#made.get(id);
    // Before its beginning after a clock was put back, nobody would take it.
    if (made !== undefined && now - made.atMs < freshMs && now >= made.atMs - backdateMs) return made.der;
    const der = x509.signRevocationList({
      issuer: issuer.subject,
      thisUpdate: new Date(now - backdateMs),
      nextUpdate: new Date(now + validMs),
      number: Math.floor(now / 1000),
      keyIdentifier: issuer.keyIdentifier,
      signingKey: issuer.key,
    });
    this.#made.set(id, { der, atMs: now });
    return der;
  }
}
